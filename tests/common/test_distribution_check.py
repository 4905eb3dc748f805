"""Another distribution that owns the package `helm` is noticed; plugins that add to it are not mistaken for one."""

import os
import subprocess
import sys
import time

import pytest

from helm.common.commands import distribution_check
from helm.common.commands.distribution_check import find_other_owner


def install(folder, name, record=None, top_level=None, suffix="dist-info"):
    metadata = folder / f"{name}-1.0.{suffix}"
    metadata.mkdir()
    if record is not None:
        (metadata / "RECORD").write_text(record)
    if top_level is not None:
        (metadata / "top_level.txt").write_text(top_level)


OWNED = "helm/__init__.py,sha256=x,1\nhelm/benchmark/run.py,sha256=y,2\n"


@pytest.mark.parametrize("top_level", [None, "helm\n", "docs\nhelm\n"])
def test_an_owner_is_found(tmp_path, top_level):
    install(tmp_path, "crfm_helm", OWNED, top_level)
    assert find_other_owner([str(tmp_path)]) == "crfm-helm"


def test_an_owner_of_another_name_is_found(tmp_path):
    install(tmp_path, "helm", "bin/x,,\n" + OWNED)
    assert find_other_owner([str(tmp_path)]) == "helm"


def test_an_editable_installation_is_found(tmp_path):
    install(tmp_path, "crfm_helm", "__editable__.crfm_helm-1.0.pth,,\n", "helm\n")
    assert find_other_owner([str(tmp_path)]) == "crfm-helm"


def test_others_are_left_alone(tmp_path):
    install(tmp_path, "helm_evals", OWNED, "helm\n")
    install(tmp_path, "numpy", "numpy/__init__.py,,\nnumpy/helm/__init__.py,,\n")
    install(tmp_path, "plugin", "helm/benchmark/run_specs/plugin_run_specs.py,,\n", "helm\n")
    install(tmp_path, "bare")
    (tmp_path / "flat-1.0.egg-info").write_text("Name: flat\n")
    assert find_other_owner([str(tmp_path), str(tmp_path / "nowhere")]) is None


def test_the_message_says_what_to_uninstall(tmp_path, monkeypatch, capsys):
    install(tmp_path, "crfm_helm", OWNED, "helm\n")
    monkeypatch.setattr(distribution_check.sys, "path", [str(tmp_path)])
    with pytest.raises(SystemExit) as raised:
        distribution_check.check_sole_owner()
    assert raised.value.code == 1 and "pip uninstall crfm-helm" in capsys.readouterr().err


COMMANDS = {
    "helm.benchmark.run": ["-m", "1"],
    "helm.benchmark.presentation.summarize": ["--suite", "x"],
    "helm.gradbench.main": ["--help"],
    "helm.compiler_gym.runtime.service_main": ["--help"],
}


@pytest.mark.parametrize("module", COMMANDS)
def test_every_command_says_so(tmp_path, module):
    install(tmp_path, "crfm_helm", OWNED, "helm\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", module, *COMMANDS[module]]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 1 and "pip uninstall crfm-helm" in result.stderr


def test_it_is_quick_here():
    start = time.perf_counter()
    assert find_other_owner() is None
    assert time.perf_counter() - start < 0.1  # about 3 ms; the limit leaves room for a busy machine
