"""Each test of the Python interface works in a folder of its own, with registries of its own."""

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch, isolated_registries):
    monkeypatch.chdir(tmp_path)
    return tmp_path
