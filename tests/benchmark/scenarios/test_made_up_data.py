"""Scenarios on made-up data: `made_up/*.yaml`, see `made_up_data.py`. The real loaders fetch from a server on loopback."""

from pathlib import Path

import pytest

from helm.common.files import load_yaml
from made_up_data import load_scenario, made_up_world, read_instances
from scenario_support import check_input_types

FILES = sorted((Path(__file__).parent / "made_up").glob("*.yaml"))
CASES = [case for path in FILES for case in load_yaml(str(path))]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_instances_of_made_up_data(case, tmp_path, monkeypatch):
    with made_up_world(case, tmp_path, monkeypatch) as server:
        instances = read_instances(load_scenario(case), tmp_path / "output")
        assert instances == case["instances"]
        inputs = [instance.input for instance in load_scenario(case).get_instances(str(tmp_path / "output"))]
        check_input_types(case, inputs)
        asked = len(server.requests)
        assert read_instances(load_scenario(case), tmp_path / "output") == instances, "the second time gives others"
        assert len(server.requests) == asked, "what is there is fetched again"


def test_names_of_cases_are_unique():
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names)) > 0
