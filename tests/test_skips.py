"""The list of expected skips, and signals that were ignored when the tests began."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from skips import UNEXPECTED_SKIPS, read_expected, unexpected

TESTS = Path(__file__).parent
SKIPPED = "import pytest\n\n\ndef test_one():\n    pytest.skip('no database')\n\n\ndef test_two():\n    pass\n"


@pytest.fixture
def suite(tmp_path):
    """A small suite with this one's conftest; a function that runs it."""
    (tmp_path / "test_small.py").write_text(SKIPPED)
    (tmp_path / "conftest.py").write_text(
        "from skips import SkipCheck\nimport os\n\n\ndef pytest_configure(config):\n"
        "    if not hasattr(config, 'workerinput'):\n"
        "        config.pluginmanager.register(SkipCheck(os.environ['EXPECTED_SKIPS']))\n"
    )

    def run(expected: str, processes: int = 0):
        (tmp_path / "expected.txt").write_text(expected)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(processes), str(tmp_path)]
        environment = dict(os.environ, EXPECTED_SKIPS=str(tmp_path / "expected.txt"), PYTHONPATH=str(TESTS))
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run


@pytest.mark.parametrize("processes", [0, 1])
def test_a_skip_that_is_not_expected_fails_and_is_named(suite, processes):
    result = suite("test_other.py::*: no database\ntest_small.py::*: no browser\n", processes)
    assert result.returncode == UNEXPECTED_SKIPS
    assert "test_small.py::test_one: no database" in result.stdout


@pytest.mark.parametrize("processes", [0, 1])
def test_an_expected_skip_passes(suite, processes):
    result = suite("# servers\n\ntest_small.py::test_one: no (database|server)\n", processes)
    assert result.returncode == 0, result.stdout


def test_patterns_are_of_names_and_reasons(tmp_path):
    (tmp_path / "list.txt").write_text("tests/a/*: needs torch\n")
    skips = [("tests/a/b.py::test[x]", "it needs torch"), ("tests/a/b.py", "needs jax"), ("tests/b.py", "needs torch")]
    assert unexpected(skips, read_expected(tmp_path / "list.txt")) == [
        "tests/a/b.py: needs jax",
        "tests/b.py: needs torch",
    ]


def test_children_do_not_ignore_what_we_were_told_to_ignore(tmp_path):
    """As under `nohup`, and in the background of a shell without job control."""
    (tmp_path / "test_small.py").write_text(
        "import signal, subprocess, sys\n\n\ndef test_ignored():\n"
        "    look = 'import signal; print(signal.SIG_IGN in map(signal.getsignal, (signal.SIGHUP, signal.SIGINT)))'\n"
        "    assert subprocess.run([sys.executable, '-c', look], capture_output=True, text=True).stdout == 'False\\n'\n"
    )
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text())

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    environment = dict(os.environ, PYTHONPATH=str(TESTS))
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, preexec_fn=ignore)
    assert result.returncode == 0, result.stdout + result.stderr
