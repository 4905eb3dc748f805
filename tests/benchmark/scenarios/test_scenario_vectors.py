"""Every case of the scenario vectors through the real loaders, the data served from a loopback server.

One suite or scenario: `pytest tests/benchmark/scenarios/test_scenario_vectors.py -k mmlu`.
"""

import pytest

from scenario_support import FIXTURE_FILES, case_environment, compare_case
from vectors_support import vector_cases

CASES = [case for file in FIXTURE_FILES for case in vector_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_scenario(case, tmp_path, monkeypatch):
    with case_environment(case, tmp_path, monkeypatch) as environment:
        compare_case(case, environment)
