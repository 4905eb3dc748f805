"""What was imported or run under an old name of a module still is."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from helm.moved import MOVED

SOURCE = Path(__file__).parent.parent / "src"


def test_an_old_name_is_the_module_itself():
    for old, new in MOVED.items():
        assert importlib.import_module(old) is importlib.import_module(new), old


def test_only_names_without_a_file_are_in_the_table():
    """A file would win, and there would be two modules."""
    paths = [SOURCE / old.replace(".", "/") for old in MOVED]
    assert not [path for path in paths if path.with_suffix(".py").exists() or path.is_dir()]


def test_an_old_name_serves_every_form_of_import():
    code = """
import helm.common.progress
import helm.common.telemetry.progress as new
from helm.common import progress
from helm.common.progress import current_run
assert helm.common.progress is progress is new and current_run is new.current_run
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_command_runs_under_the_old_name_of_its_module():
    command = [sys.executable, "-m", "helm.compiler_gym.service_main", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "helm-compiler-service" in done.stdout, done.stderr


def test_an_unknown_name_is_still_unknown():
    with pytest.raises(ModuleNotFoundError, match="helm.common.no_such_module"):
        importlib.import_module("helm.common.no_such_module")
