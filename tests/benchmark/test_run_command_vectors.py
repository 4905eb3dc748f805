"""Golden vectors of the command line: exit status, message, log and files of whole `helm-run` commands."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark import run
from registries_support import empty_registries
from vectors_support import vector_cases, vectors_dir

# Files that the original does not have: why a run failed, its finished requests, what an instance cache is made from, how
# far commands are.
ADDED_FILES = (
    "coverage.json",
    "error.json",
    "intervals.json",
    "progress.json",
    "requests.journal",
    "scenario_spec.json",
)


def files_below(folder: Path) -> list[str]:
    """As the vectors list them: folders end with a slash; those in `prod_env` are left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix() + ("/" if path.is_dir() else "")
        is_sidecar = name.endswith((".sqlite-wal", ".sqlite-shm"))
        if path.name not in ADDED_FILES and not is_sidecar and not (name.startswith("prod_env/") and path.is_dir()):
            found.append(name)
    return sorted(found)


def check_error(expected: str, error: BaseException, stderr: str) -> None:
    """The class by name, a subclass is fine, and the text; of argument errors the last line."""
    if isinstance(error, SystemExit):
        assert stderr.rstrip().splitlines()[-1] == expected
        return
    class_name, _, text = expected.partition(": ")
    assert class_name.split(".")[-1] in [cls.__name__ for cls in type(error).__mro__], repr(error)
    assert str(error) == text


def run_step(step: dict[str, Any], capsys: pytest.CaptureFixture) -> None:
    capsys.readouterr()
    error: BaseException | None = None
    try:
        with empty_registries():
            run.main(step["argv"])
    except (Exception, SystemExit) as e:
        error = e
    output = capsys.readouterr()
    if error is None:
        exit_code = 0
    else:  # an exception that nobody catches ends a command with status 1
        exit_code = error.code if isinstance(error, SystemExit) else 1
    assert exit_code == step["exit_code"], f"{step['argv']}: {error!r}\n{output.out}\n{output.err}"
    if step["error"] is not None:
        assert error is not None
        check_error(step["error"], error, output.err)
    for text in step["log_contains"]:
        assert text in output.out + output.err


@pytest.fixture(autouse=True)
def log_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the original logs by default is logged with -v, or at this level."""
    monkeypatch.setenv("HELM_LOG_LEVEL", "INFO")


@pytest.mark.parametrize("case", vector_cases("helm-core/cli.json"), ids=lambda case: case["id"])
def test_vectors_command_line(case, plugin, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_DEBUG", "1")  # errors leave the command as exceptions
    if case["prod_env"]:
        shutil.copytree(vectors_dir() / "helm-core" / case["prod_env"], tmp_path / "prod_env")
    for path, text in case["fixtures"].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    for step in case["steps"]:
        run_step(step, capsys)
    configuration = {"prod_env/" + path.name for path in (tmp_path / "prod_env").glob("*.yaml")}
    found = [name for name in files_below(tmp_path) if name not in configuration and name != "prod_env/"]
    assert found == case["files"]
    for path, text in case.get("contents", {}).items():
        assert (tmp_path / path).read_text(encoding="utf-8") == text
