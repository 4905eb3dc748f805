"""Commands whose reader has gone end without a word."""

import configparser
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from helm.common.closed_pipe import ends_with_its_reader


def _console_scripts():
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[2] / "setup.cfg")
    lines = setup["options.entry_points"]["console_scripts"].strip().splitlines()
    return dict(line.replace(" ", "").split("=") for line in lines)


@pytest.mark.parametrize(("command", "place"), _console_scripts().items())
def test_every_command_ends_with_its_reader(command, place):
    module, _, function = place.partition(":")
    main = getattr(import_module(module), function)
    assert hasattr(main, "__wrapped__"), f"{command}: {place} lacks @ends_with_its_reader"


@pytest.mark.parametrize(
    ("module", "argv"),
    [
        ("helm.benchmark.run", ["--list"]),
        ("helm.benchmark.run", ["--describe", "simple_mcqa"]),
        ("helm.benchmark.manage_runs", ["list"]),
    ],
)
def test_commands_end_quietly_when_nobody_reads(module, argv, tmp_path, monkeypatch):
    (tmp_path / "benchmark_output/runs/default/simple_mcqa:model=simple_model1").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    reader, writer = os.pipe()
    os.close(reader)
    program = f"import sys; from {module} import main; main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", program, *argv], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_another_pipe_that_breaks_is_an_error():
    @ends_with_its_reader
    def main():
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        main()


def test_what_a_command_gives_is_given():
    assert ends_with_its_reader(lambda value: value + 1)(1) == 2
