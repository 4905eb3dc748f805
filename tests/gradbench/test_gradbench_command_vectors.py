"""Every verb of `gradbench` against recorded calls of the original command."""

import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from helm.gradbench import main as gradbench
from vectors_support import vector_cases

CASES = vector_cases("gradbench/cli.json")
PLAYER = Path(__file__).with_name("scripted_process.py")
# The fake repository of the recorded `repo run`s.
EVALS = ("qux", "norf")
TOOLS = {"foo": "qux\n", "bar": None, "baz": "norf timeout\nqux error+invalid\n"}
TIME = re.compile(r"(\] (?:def|eval) .*?)(?:      [ \d]{2}\dms|   [ \d]\d\.\d{3} s)")


def hide_times(text):
    return TIME.sub(r"\1{T}", text)


class Stdin:
    def __init__(self, text):
        self.buffer = io.BytesIO(text.encode())


@pytest.fixture
def call(capfd, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADBENCH_REGISTRY", "{REGISTRY}")
    monkeypatch.setattr("helm.gradbench.containers._ENGINES", ("docker",))  # not Podman, where only that is installed

    def run(*arguments, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", Stdin(stdin))
        with pytest.raises(SystemExit) as exit_:
            gradbench.main(arguments)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return exit_.value.code, out, err

    return run


def make_repository(evals, tools):
    Path(".git").mkdir()
    for name in evals:
        Path("evals", name).mkdir(parents=True)
    for name, text in tools.items():
        Path("tools", name).mkdir(parents=True)
        if text is not None:
            Path("tools", name, "evals.txt").write_text(text)


def check_exit_code(case, call):
    return call("exit-code", *case["args"])


def check_log_trim(case, call):
    result = call("log", "trim", stdin=case["input"])
    if case.get("trim_of_trim_is_same"):
        assert call("log", "trim", stdin=result[1])[1] == result[1]
    return result


def check_log_summary(case, call):
    return call("log", "summary", stdin=case["input"])


def check_log_flatten(case, call):
    for path, text in case["files"].items():
        file = Path("in", path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    result = call("log", "flatten", "in", "-o", "out")
    assert {p.as_posix(): p.read_text() for p in Path("out").rglob("*") if p.is_file()} == case["after"]
    return result


def check_repo_stats(case, call):
    make_repository(case["evals"], case["tools"])
    for path, text in case["logs"].items():
        file = Path("run", path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    code, out, err = call("repo", "stats", "run", "-o", "stats", *case["flags"])
    written = {p.relative_to("stats").as_posix(): p.read_text() for p in Path("stats").rglob("*") if p.is_file()}
    if case["stderr_first"] == "panic":
        # The original dies in the middle of a file; ours goes on, or says what is missing.
        assert out == case["stdout"]
        assert (code, bool(err)) in ((0, False), (1, True))
        assert all(written[name].startswith(text) for name, text in case["files"].items())
        return case["exit_code"], out, "panic"
    assert written == case["files"]
    return code, out, err


def split_lines(text):
    """How words are quoted for a shell is free, also inside the commands of both sides."""
    lines = [shlex.split(line) for line in text.splitlines()]
    for words in lines:
        for i in range(1, len(words)):
            if words[i - 1] in ("--eval", "--tool"):
                words[i] = shlex.split(words[i])
    return lines


def check_repo_run(case, call):
    make_repository(EVALS, TOOLS)
    code, out, err = call("repo", "run", *case["args"])
    assert split_lines(out) == split_lines(case["stdout"])
    return code, case["stdout"], err


def check_repo_run_of_commands(case, call):
    make_repository([], {})
    for name, side in (("e", "eval"), ("t", "tool")):
        Path(f"{name}.json").write_text(json.dumps(case[side]))
    player = shlex.join([sys.executable, "-I", "-S", str(PLAYER)])
    sides = ["--eval", f"$ {player} e.json e.recv", "--tool", f"$ {player} t.json t.recv"]
    code, out, err = call("repo", "run", *sides, *case["extra"])
    assert len(list(Path().rglob("*.jsonl"))) == case["n_logs"]
    return code, hide_times(out.replace(player, "PLAYER")), err


CHECKS = {
    "exit-code": check_exit_code,
    "log trim": check_log_trim,
    "log summary": check_log_summary,
    "log flatten": check_log_flatten,
    "repo stats": check_repo_stats,
    "repo run": check_repo_run,
    "repo run ($ commands)": check_repo_run_of_commands,
}


def case_id(case):
    return "-".join([case["verb"], case.get("name") or " ".join(case.get("args", []))]).replace("/", "_")


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_vector_of_the_command_line(case, call):
    code, out, err = CHECKS[case["verb"]](case, call)
    assert (code, out) == (case["exit_code"], case.get("stdout", ""))
    if "stderr_first" in case:
        assert err.splitlines()[:1] == [case["stderr_first"]] * bool(case["stderr_first"])


def test_registry_can_be_chosen(monkeypatch):
    from helm.gradbench.repo import image_name

    assert re.fullmatch(r".+/gradbench/tool-x:latest", image_name("tool", "x"))
    monkeypatch.setenv("GRADBENCH_REGISTRY", "registry.example")
    assert image_name("eval", "gmm", "v1") == "registry.example/gradbench/eval-gmm:v1"


def test_a_repository_of_our_evals_and_tools(call):
    Path(".git").mkdir()
    code, out, err = call("repo", "init")
    assert (code, err) == (0, "")
    assert set(out.split()) == {path.as_posix() for path in Path().glob("*/*/*")}
    assert Path("tools/mygrad/evals.txt").read_text().split() == [
        "ba",
        "det",
        "gmm",
        "hello",
        "llsq",
        "lse",
        "lstm",
        "ode",
    ]
    assert "helm-evals[jax]" in Path("tools/jax/Dockerfile").read_text()
    Path("tools/jax/Dockerfile").write_text("FROM mine\n")
    assert call("repo", "init")[1] == ""
    assert Path("tools/jax/Dockerfile").read_text() == "FROM mine\n"
    code, out, _ = call("repo", "run", "--dry-run", "--eval", "gmm", "--tool", "jax", "--strict")
    assert shlex.split(out.splitlines()[-1])[:3] == ["gradbench", "run", "--strict"]


def test_a_matrix_has_a_run_for_each_tool_and_eval_and_one_for_short_evals(call):
    Path(".git").mkdir()
    for name in ("gmm", "hello", "llsq", "ode"):
        Path("evals", name).mkdir(parents=True)
    for name, supported in {"fast": "gmm\nhello\nllsq error\n", "slow": "ode timeout\n"}.items():
        Path("tools", name).mkdir(parents=True)
        Path("tools", name, "evals.txt").write_text(supported)
    Path("tools/slow/Dockerfile").write_text("FROM --platform=linux/amd64 debian\n")
    code, out, err = call("repo", "matrix", "--date", "2026-01-02")
    assert (code, err) == (0, "")
    lines = [line.partition("=")[::2] for line in out.splitlines()]
    assert [key for key, _ in lines] == ["date", "eval", "tool", "run"]
    date, evals, tools, runs = (json.loads(value) for _, value in lines)
    assert (date, evals) == ("2026-01-02", ["gmm", "hello", "llsq", "ode"])
    assert tools == [{"tool": "fast", "cross": True}, {"tool": "slow", "cross": False}]
    assert runs == [
        {"args": "--eval gmm --tool fast", "artifact": "eval-gmm-tool-fast"},
        {"args": "--eval hello --eval llsq --tool fast", "artifact": "eval-hello-eval-llsq-tool-fast"},
        {"args": "--eval ode --tool slow", "artifact": "eval-ode-tool-slow"},
    ]
