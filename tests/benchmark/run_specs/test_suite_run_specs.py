"""RunSpecs of the medical, enterprise, DecodingTrust and CodeInsights suites for other arguments than the golden vectors have:
those of HELM 0.5.16, recorded in `recorded/suite_run_specs.json`."""

import json
from pathlib import Path

import pytest

from scenario_support import check_run_spec, make_run_spec

CASES = json.loads((Path(__file__).parents[2] / "recorded" / "suite_run_specs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[f"{case['run_spec_function']}-{i}" for i, case in enumerate(CASES)])
def test_the_run_spec_is_that_of_the_original(case):
    check_run_spec(case, make_run_spec(case))


@pytest.mark.parametrize("case", CASES, ids=[f"{case['run_spec_function']}-{i}" for i, case in enumerate(CASES)])
def test_arguments_may_be_texts_as_in_run_entries(case):
    texts = {name: value if value is None else str(value) for name, value in case["args"].items()}
    check_run_spec(case, make_run_spec({**case, "args": texts}))
