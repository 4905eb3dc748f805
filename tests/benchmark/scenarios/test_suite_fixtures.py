"""Scenarios on made-up data in the format of their sources: the instances are those that the original makes."""

import pytest

from scenario_support import (
    case_environment,
    check_instances,
    check_requests,
    check_run_spec,
    check_scenario,
    load_instances,
    make_run_spec,
)
from suite_fixture_support import suite_cases, suite_files

CASES = [case for path in suite_files() for case in suite_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_instances_of_a_suite(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        for name, body in case["encoded"].items():
            environment.server.add_file(next(d["url"] for d in case["downloads"] if d["to"] == name), body)
        run_spec = make_run_spec(case)
        check_run_spec(case, run_spec)
        scenario, instances = load_instances(run_spec, environment)
        check_scenario(case, scenario)
        check_instances(case, instances)
        if "prompts" in case:
            check_requests(case, run_spec, instances)
