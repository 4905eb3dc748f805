"""The tutorial's programs run, and its commands print what it shows."""

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
EXCHANGES = [block.partition("\n")[::2] for block in blocks("console") if block.startswith("$ gradbench")]


def without_measurements(text):
    return re.sub(r"× \d+", "× N", DURATION.sub(" T", text))


@pytest.fixture
def folder(tmp_path):
    """A folder in which `python` and our commands are those of this interpreter."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "python").symlink_to(sys.executable)
    script = f"#!{sys.executable}\nfrom helm.gradbench.main import main\nmain()\n"
    (commands / "gradbench").write_text(script)
    (commands / "gradbench").chmod(0o755)
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
