"""Scenarios on made-up data in the format of their sources: the instances are those that the original makes."""

import pytest

from helm.common.errors import HelmError, ScenarioError
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


def without_texts(value):
    """Every text null, in rows of the Hub; the shapes stay."""
    if isinstance(value, str):
        return None
    if isinstance(value, dict):
        return {key: without_texts(item) for key, item in value.items()}
    return [without_texts(item) for item in value] if isinstance(value, list) else value


def without_items(value):
    """Every list empty."""
    if isinstance(value, dict):
        return {key: without_items(item) for key, item in value.items()}
    return [] if isinstance(value, list) else value


def without_columns(value):
    return {"something": "else"}


SPOILS = [without_texts, without_items, without_columns]
HOSTILE = [(case, SPOILS[i % 3]) for i, case in enumerate(case for case in CASES if case["hf"])]


@pytest.mark.parametrize("case, spoil", HOSTILE, ids=[f"{case['id']}-{spoil.__name__}" for case, spoil in HOSTILE])
def test_rows_that_are_not_as_expected_are_an_error_or_empty_texts_and_never_a_crash(
    case, spoil, tmp_path, monkeypatch
):
    few = [
        {**entry, "splits": {split: [spoil(row) for row in rows[:12]] for split, rows in entry["splits"].items()}}
        for entry in case["hf"]
    ]
    case = {**case, "hf": [{**entry, "class_labels": None} for entry in few]}
    with case_environment(case, tmp_path, monkeypatch) as environment:
        try:
            instances = load_instances(make_run_spec(case), environment)[1]
        except HelmError as e:
            assert str(e)
            return
    assert all(isinstance(instance.input.text, str) for instance in instances)
    assert all(isinstance(reference.output.text, str) for instance in instances for reference in instance.references)


def test_a_file_without_the_column_that_a_hook_needs_names_the_hook_and_the_column(tmp_path, monkeypatch):
    (case,) = [case for case in CASES if case["id"] == "vihsd"]
    files = {name: text.replace("free_text,label_id", "free_text,other") for name, text in case["files"].items()}
    with case_environment({**case, "files": files}, tmp_path, monkeypatch) as environment:
        with pytest.raises(ScenarioError, match="vihsd.*hook draw_test: there is no column 'label_id'"):
            load_instances(make_run_spec(case), environment)
