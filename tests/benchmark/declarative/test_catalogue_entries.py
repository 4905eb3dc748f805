"""Every entry of the catalogue: read, named, documented, made into a RunSpec without network, its class found."""

import re
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from msgspec import UNSET

from helm.benchmark.declarative import catalogue, reading
from helm.benchmark.declarative.class_paths import declared_class
from helm.benchmark.declarative.parameters import choices_of
from helm.benchmark.declarative.reading import EntryFile
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.run_spec import get_run_spec_function, get_run_spec_function_names
from helm.benchmark.scenarios.scenario import Scenario
from helm.common.object_spec import get_class_by_name
from vectors_support import vector_cases

FILES = list(catalogue.entries())


def each(files: list[EntryFile]) -> Any:
    return pytest.mark.parametrize("file", files, ids=lambda file: file.name)


BY_NAME = each(FILES)
WITH_RUN = each([file for file in FILES if file.entry.run is not None])
WITH_CLASS = each([file for file in FILES if declared_class(file)])
VECTORS = ["helm-scenarios/run_specs_full.json", "helm-scenarios/run_specs_other.json"]


def arguments(file: EntryFile) -> dict[str, Any]:
    """Values for the required parameters: those of a vector, or the first that is allowed."""
    for path in VECTORS:
        for case in vector_cases(path):
            if case["run_spec_function"] == file.name:
                return case["args"]
    chosen: dict[str, Any] = {}
    for name, param in file.entry.params.items():
        if param.default is UNSET:
            chosen[name] = (choices_of(file, name) or [1 if param.type in ("int", "float") else "x"])[0]
    return chosen


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("something wants the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@BY_NAME
def test_an_entry_says_what_it_is(file):
    assert len(file.entry.description) >= 15, "a description for --list and --describe"
    assert "?." not in file.entry.description and "n/a" not in file.entry.description


@WITH_RUN
def test_a_run_spec_is_made_without_network(file, no_network):
    function = get_run_spec_function(file.name)
    assert function is not None
    with placeholders_for_fetched_texts():
        run_spec = function(**arguments(file))
    assert run_spec.name and run_spec.adapter_spec.method


@WITH_CLASS
def test_the_class_of_an_entry_is_importable(file):
    class_path = declared_class(file)
    assert class_path
    scenario_class = get_class_by_name(class_path)
    assert issubclass(scenario_class, Scenario) and scenario_class.__module__ == class_path.rpartition(".")[0]
    # A module of Python with that name would hide the entry.
    assert getattr(scenario_class, "file", file) is file or file.entry.unavailable


@WITH_RUN
def test_classes_that_a_run_names_exist(file):
    function = get_run_spec_function(file.name)
    assert function is not None
    with placeholders_for_fetched_texts():
        run_spec = function(**arguments(file))
    for spec in [run_spec.scenario_spec, *run_spec.metric_specs, *(run_spec.annotators or [])]:
        get_class_by_name(spec.class_name)


def test_all_entries_are_constructed_in_two_seconds():
    program = (
        "import time; start = time.process_time()\n"
        "from helm.benchmark.declarative import catalogue\n"
        "from helm.benchmark.declarative.recipe import run_spec_function_of\n"
        "for file in catalogue.entries():\n"
        "    run_spec_function_of(file) if file.entry.run else None\n"
        "print(time.process_time() - start)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(result.stdout) < 2.0


def test_finding_one_run_spec_reads_one_file(monkeypatch):
    read: list[str] = []
    original = reading.read_entries
    monkeypatch.setattr(reading, "read_entries", lambda path: read.append(path) or original(path))
    catalogue._read_catalogue_file.cache_clear()
    start = time.perf_counter()
    function = get_run_spec_function("gsm")
    assert function is not None
    get_class_by_name(function().scenario_spec.class_name)
    assert [re.sub(r".*/", "", path) for path in read] == ["gsm.yaml"]
    assert time.perf_counter() - start < 1


def test_names_are_listed_without_reading(monkeypatch):
    monkeypatch.setattr(reading, "read_entries", lambda path: pytest.fail(f"{path} is read"))
    catalogue._read_catalogue_file.cache_clear()
    assert {"gsm", "mmlu", "med_mcqa"} <= set(catalogue.names())
    assert "hellaswag" not in catalogue.names()


def test_names_of_python_and_of_the_catalogue_differ():
    import helm.benchmark.run_spec as module

    get_run_spec_function_names()
    assert not set(module._REGISTRY.names()) & set(catalogue.names())


def test_a_module_of_entries_lists_and_refuses_names():
    import helm.benchmark.scenarios.commonsense_scenario as module  # type: ignore[import-not-found]

    assert {"HellaSwagScenario", "OpenBookQA", "PiqaScenario"} <= set(dir(module))
    assert module.PiqaScenario is module.PiqaScenario and module.PiqaScenario.name == "piqa"
    with pytest.raises(AttributeError, match="has no attribute 'PiqScenario'"):
        _ = module.PiqScenario


def test_a_module_without_file_and_entries_does_not_exist():
    with pytest.raises(ModuleNotFoundError):
        import helm.benchmark.scenarios.nothing_scenario  # type: ignore[import-not-found]  # noqa: F401


def test_a_scenario_says_where_helm_has_it():
    function = get_run_spec_function("gsm")
    assert function is not None
    path = get_class_by_name(function().scenario_spec.class_name)().definition_path
    assert path == "https://github.com/stanford-crfm/helm/blob/main/src/helm/benchmark/scenarios/gsm_scenario.py"


def needs_no_python(file: EntryFile) -> bool:
    """Whether the entry, or the one that declares the class it names, says where rows come from, with shared operations only."""
    entry = file.entry
    if entry.source is None:
        class_path = entry.scenario.class_ if entry.scenario else ""
        if "$" in class_path:  # one class for each value of a parameter, as `commonsense` has
            return True
        other = catalogue.find_class(class_path)
        if other is None or other.entry.source is None:
            return False
        entry = other.entry
    hooks = [step.hook if isinstance(step.hook, str) else step.hook.name for step in entry.steps if step.hook]
    return all("." not in hook for hook in hooks)


def test_most_run_spec_functions_need_no_python_of_their_own():
    runs = [file for file in FILES if file.entry.run is not None and not file.entry.unavailable]
    assert len([file for file in runs if needs_no_python(file)]) >= 140
