"""The tutorial's programs run, and its commands print what it shows."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial-ad-tools.md"
TEXT = TUTORIAL.read_text(encoding="utf-8")
DURATION = re.compile(r" *(?:\d+ms|\d+\.\d{3} s|\d+:\d\d\.\d{3} )")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


TOOLS = [code for code in blocks("python")]
COMMANDS = {
    "gradbench": "helm.gradbench.main",
    "helm-run": "helm.benchmark.run",
    "helm-summarize": "helm.benchmark.presentation.summarize",
}
EXCHANGES = [block.partition("\n")[::2] for block in blocks("console") if block.startswith("$ gradbench run")]


def without_measurements(text):
    return re.sub(r"× \d+", "× N", DURATION.sub(" T", text))


@pytest.fixture
def folder(tmp_path):
    """A folder in which `python` and our commands are those of this interpreter."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "python").symlink_to(sys.executable)
    for name, module in COMMANDS.items():
        script = f"#!{sys.executable}\nfrom {module} import main\nmain()\n"
        (commands / name).write_text(script)
        (commands / name).chmod(0o755)
    return tmp_path


def run_in(folder, command):
    words = shlex.split(command)
    environ = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "CLICOLOR_FORCE": "0"}
    environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # a linked interpreter does not find its environment by itself
    return subprocess.run(
        [folder / "bin" / words[0], *words[1:]], cwd=folder, env=environ, capture_output=True, text=True, timeout=60
    )


def test_the_tutorial_has_what_it_promises():
    assert len(TOOLS) == 2 and len(EXCHANGES) == 2
    assert len(TOOLS[0].splitlines()) <= 20


@pytest.mark.parametrize("tool", range(len(TOOLS)))
@pytest.mark.parametrize("exchange", range(len(EXCHANGES)))
def test_the_commands_print_what_the_tutorial_shows(folder, tool, exchange):
    (folder / "mytool.py").write_text(TOOLS[tool])
    command, shown = EXCHANGES[exchange]
    process = run_in(folder, command.removeprefix("$ "))
    assert process.stderr == ""
    assert process.returncode == 0
    assert without_measurements(process.stdout) == without_measurements(shown)


def rows_of_table(text):
    """The words of a table's rows, every number the same. How the heading is broken depends on the numbers' widths."""
    lines = text[text.index("AD tools: Results") :].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("---")) + 1
    last = next(i for i, line in enumerate(lines) if line.startswith("↑ more"))
    # Which tool is the fastest, and so the first, is a matter of nanoseconds.
    return sorted(re.sub(r" -?\d[-\d.e]*( [mµn]?s)?", " N", " ".join(line.split())) for line in lines[first:last])


def test_the_tools_are_compared_as_the_tutorial_shows(folder):
    (block,) = [block for block in blocks("console") if block.startswith("$ helm-run")]
    run, summarize, *shown = block.splitlines()
    (folder / "mytool.py").write_text(TOOLS[0])
    for command in (run, summarize):
        process = run_in(folder, command.removeprefix("$ "))
        assert process.returncode == 0, process.stderr
    assert rows_of_table(process.stdout) == rows_of_table("\n".join(shown))
    (report,) = [block for block in blocks("console") if block.startswith("$ gradbench report")]
    command, _, shown_files = report.partition("\n")
    process = run_in(folder, command.removeprefix("$ "))
    assert (process.returncode, process.stdout) == (0, shown_files), process.stderr
    overview = (folder / "report" / "overview.md").read_text(encoding="utf-8")
    assert "| eval | finite | mytool.py | numpy |" in overview
    assert "Measured on:\n\n- cpu " in overview


def test_derivatives_are_checked_as_the_tutorial_shows(folder):
    (block,) = [block for block in blocks("console") if block.startswith("$ gradbench check")]
    command, _, shown = block.partition("\n")
    process = run_in(folder, command.removeprefix("$ "))
    size = re.compile(r"\d\.\de-\d+")
    assert (process.returncode, size.sub("N", process.stdout)) == (0, size.sub("N", shown)), process.stderr


def test_a_tool_with_arguments_gets_its_name_from_the_file_that_the_tutorial_shows(folder):
    (text,) = blocks("yaml")
    (folder / "build").mkdir()
    program = folder / "build" / "mytool"
    program.write_text(f"#!{sys.executable}\nimport sys\nassert sys.argv[1:] == ['--fast']\n{TOOLS[0]}")
    program.chmod(0o755)
    (folder / "prod_env").mkdir()
    (folder / "prod_env" / "model_deployments.yaml").write_text(text)
    process = run_in(folder, "helm-run --suite ad -m 8 -r gradbench_hello:model=mine/fast")
    assert process.returncode == 0, process.stderr
    (stats,) = folder.glob("benchmark_output/runs/ad/*/stats.json")
    solved = [stat for stat in json.loads(stats.read_text()) if stat["name"]["name"] == "solved"]
    assert solved[0]["mean"] == 1.0
