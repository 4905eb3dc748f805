"""Every case of the scenario vectors through the real loaders, the data served from a loopback server.

One suite or scenario: `pytest tests/benchmark/scenarios/test_scenario_vectors.py -k mmlu`.
"""

import pytest

from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.data.data_session import survey_sources
from scenario_support import FIXTURE_FILES, case_environment, compare_case, make_run_spec
from vectors_support import vector_cases

CASES = [case for file in FIXTURE_FILES for case in vector_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_scenario(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        compare_case(case, environment)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["downloads"] or case["hf_calls"]], ids=lambda c: c["id"]
)
def test_survey_names_all_data_of_a_scenario_without_fetching_any(case, tmp_path, monkeypatch):
    """Also: every loader ends on empty data."""
    with case_environment(case, tmp_path, monkeypatch) as environment:
        scenario = create_scenario(make_run_spec(case).scenario_spec)
        folder = environment.cache_folder(scenario.name)
        before, number = sorted(folder.rglob("*")), len(environment.server.requests)
        survey, _, _ = survey_sources(scenario.get_instances, str(folder))
    assert sorted(folder.rglob("*")) == before and len(environment.server.requests) == number
    named = {fetch.url for fetch in survey.missing}
    wanted = {download["url"] for download in case["downloads"] if not (folder / download["to"]).exists()}
    if case["run_spec_function"] != "opinions_qa":  # its files are there, in the place where the original reads them
        assert wanted <= named
    for call in case["hf_calls"]:
        assert any(f"/datasets/{call['path']}/revision/" in url for url in named)
