"""Each test of the Python interface works in a folder of its own, with registries and logging as in a new process."""

import logging

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch, isolated_registries):
    from helm.benchmark.run_spec import _REGISTRY, discover_run_spec_functions

    discover_run_spec_functions()
    monkeypatch.chdir(tmp_path)
    logger = logging.getLogger("helm")  # commands that ran in this process have set it up
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "propagate", True)
    saved = logger.level
    logger.setLevel(logging.NOTSET)
    with _REGISTRY.isolated():
        yield tmp_path
    logger.setLevel(saved)
