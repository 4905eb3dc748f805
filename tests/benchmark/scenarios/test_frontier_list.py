"""Every benchmark that model cards report has an entry, made-up rows in its layout, and reference answers for its scorer."""

import importlib.util
import json
from pathlib import Path

import pytest

import frontier_answers
from helm.benchmark.run_spec import get_run_spec_function
from helm.common.files import load_yaml
from vectors_support import vector_cases

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
LIST = load_yaml(str(TESTS / "frontier_list.yaml"))
CASES = {case["id"]: case for case in load_yaml(str(HERE / "frontier_cases.yaml"))}

LEAST_ANSWERS = 30


def text_of(name):
    return (TESTS / name).read_text(encoding="utf-8")


def has_rows(entry_names, said):
    """Whether the rows that a line of the list names are there, and of one of the entries."""
    kind, *words = said.split()
    if kind == "case":
        return CASES[words[0]]["entry"].partition(":")[0] in entry_names
    if kind == "vector":
        found = {case["id"]: case for case in vector_cases(f"{words[0]}.json")}
        return found[words[1]]["num_instances"] > 0
    if kind == "common":
        return f'    "{words[0]}": (' in text_of("benchmark/scenarios/test_common_scenarios.py")
    return kind == "test" and any(name in text_of(words[0]) for name in entry_names)


def count_answers(said):
    kind, name, *further = said.split()
    if kind == "vectors":
        cases = vector_cases(f"{name}.json")
        return sum(not further or case.get("kind") == further[0] for case in cases)
    if kind == "list":
        return len(getattr(frontier_answers, name))
    spec = importlib.util.spec_from_file_location("answers_of_a_test", TESTS / name)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except pytest.skip.Exception as e:
        pytest.skip(str(e))
    return len(getattr(module, further[0]))


@pytest.mark.parametrize("line", LIST, ids=[line["benchmark"] for line in LIST])
def test_a_benchmark_has_entry_rows_and_answers(line):
    for name in line["entries"]:
        assert get_run_spec_function(name) is not None, name
    assert line["rows"] and all(has_rows(line["entries"], said) for said in line["rows"])
    if line["answers"]:
        assert sum(map(count_answers, line["answers"])) >= LEAST_ANSWERS
    else:
        assert line["why"]


def test_every_list_of_answers_is_used():
    used = {said.split()[1] for line in LIST for said in line["answers"] if said.startswith("list ")}
    text = text_of("benchmark/metrics/test_frontier_answers.py") + text_of(
        "benchmark/metrics/test_frontier_code_answers.py"
    )
    assert all(f"answers.{name}" in text for name in used)


def test_the_page_has_every_entry_of_the_folder():
    shown = (TESTS.parent / "docs/reference-frontier.md").read_text(encoding="utf-8")
    folder = TESTS.parent / "src/helm/benchmark/scenarios/catalogue/frontier"
    assert [path.stem for path in folder.glob("*.yaml") if f"`{path.stem}`" not in shown] == []


def test_the_list_is_in_order():
    assert json.dumps(LIST) and len({line["benchmark"] for line in LIST}) == len(LIST)
