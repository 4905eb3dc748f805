"""Methods with which scripts for HELM make instances from rows or files of their own, for classes that entries declare.

`scenarios/names.yaml` gives their kind and their parameters. They can be called; `get_instances` does not call them.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import msgspec

from helm.benchmark.declarative.entry import Entry
from helm.benchmark.declarative.entry_parts import Source
from helm.benchmark.declarative.row_sources import Place, fetch, number_rows
from helm.benchmark.scenarios.scenario import TEST_SPLIT, VALID_SPLIT, Input, Instance, Reference

if TYPE_CHECKING:
    from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

_SPLITS = {"val": VALID_SPLIT}
"""Splits by the names that some methods of HELM take."""


def instances_of_file(scenario: "DeclarativeScenario", path: str, split: str) -> list[Instance]:
    """Return the instances of a file with the format of the entry's files. Raises: ScenarioError; OSError."""

    def replace(entry: Entry) -> Source:
        assert entry.source is not None and entry.source.files
        like = entry.source.files[0]
        file = msgspec.structs.replace(
            like, file="", url="", member="", path=os.path.abspath(path), split=split, optional=False, restricted=False
        )
        return msgspec.structs.replace(entry.source, files=[file], downloads=[])

    return _instances(scenario, replace)


def instances_of_rows(scenario: "DeclarativeScenario", rows: Any, split: str = TEST_SPLIT) -> list[Instance]:
    """Return the instances of rows: a DataFrame, a data set of the Hub, or mappings. Raises: ScenarioError."""
    return _instances(scenario, lambda entry: number_rows(_mappings(rows), _SPLITS.get(split, split)))


def instance_of_row(scenario: "DeclarativeScenario", row: Mapping[str, Any], split: str = TEST_SPLIT) -> Instance:
    """Return the instance of one row. Raises: ScenarioError; ValueError if the row does not make exactly one instance."""
    (instance,) = instances_of_rows(scenario, [row], split)
    return instance


def instance_of_labelled_row(
    scenario: "DeclarativeScenario", row: Mapping[str, Any], label: Any, split: str
) -> Instance:
    """Return the instance of a row whose column `label` is given apart. Raises: as `instance_of_row`."""
    return instance_of_row(scenario, {**row, "label": label}, split)


def references_of_row(scenario: "DeclarativeScenario", row: Mapping[str, Any]) -> list[Reference]:
    """Return the references of a row. Raises: as `instance_of_row`."""
    return instance_of_row(scenario, row).references


def input_and_references(scenario: "DeclarativeScenario", row: Mapping[str, Any]) -> tuple[Input, list[Reference]]:
    """Return input and references of a row. Raises: as `instance_of_row`."""
    instance = instance_of_row(scenario, row)
    return instance.input, instance.references


def input_and_answers(scenario: "DeclarativeScenario", row: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the texts of input and correct answers of a row. Raises: as `instance_of_row`."""
    instance = instance_of_row(scenario, row)
    return instance.input.text, [reference.output.text for reference in instance.all_correct_references]


def answer_choices(scenario: "DeclarativeScenario") -> list[str]:
    """Return the texts that every instance has as options."""
    found: list[str] = []

    def replace(entry: Entry) -> Iterable[Mapping[str, Any]]:
        options = entry.references.options if entry.references else None
        found.extend(options.texts if options and isinstance(options.texts, list) else [])
        return []

    _instances(scenario, replace)
    return found


def download(scenario: "DeclarativeScenario", folder: str) -> None:
    """Download the entry's data to a folder. Raises: DownloadError."""

    def replace(entry: Entry) -> Iterable[Mapping[str, Any]]:
        assert entry.source is not None
        for location in [*entry.source.downloads, *(entry.source.files or [])]:
            fetch(location, Place(folder, scenario.name, entry.license))
        return []

    scenario.instances_of(folder, replace)


def download_file(scenario: "DeclarativeScenario", url: str, folder: str, file_name: str) -> str:
    """Download a file to a folder unless it is there; return its path. Raises: DownloadError."""
    from helm.common.data.downloads import ensure_downloaded

    path = os.path.join(folder, file_name)
    ensure_downloaded(url, path)
    return path


_KINDS: dict[str, Callable[..., Any]] = {
    "file": instances_of_file,
    "rows": instances_of_rows,
    "row": instance_of_row,
    "labelled_row": instance_of_labelled_row,
    "references": references_of_row,
    "input_and_references": input_and_references,
    "input_and_answers": input_and_answers,
    "answer_choices": answer_choices,
    "download": download,
    "download_file": download_file,
}


def make_method(name: str, text: str) -> Any:
    """Make the method that a text like `file csv_path split` describes: a kind, and the names of the parameters.

    `static row item split` is also callable through the class, which then is created without arguments.
    """
    words = text.split()
    is_static = words[0] == "static"
    kind, *names = words[is_static:]
    own, parameters = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), []
    parameters = [Parameter(parameter, Parameter.POSITIONAL_OR_KEYWORD) for parameter in names]
    signature = Signature(parameters)

    def method(self: "DeclarativeScenario | type[DeclarativeScenario]", *args: Any, **kwargs: Any) -> Any:
        values = signature.bind(*args, **kwargs).arguments
        return _KINDS[kind](self() if isinstance(self, type) else self, *values.values())

    method.__name__ = name
    method.__doc__ = _KINDS[kind].__doc__
    method.__signature__ = Signature([own, *parameters])  # type: ignore[attr-defined]
    return classmethod(method) if is_static else method


def _instances(
    scenario: "DeclarativeScenario", replace: Callable[[Entry], Iterable[Mapping[str, Any]] | Source]
) -> list[Instance]:
    with tempfile.TemporaryDirectory() as folder:  # nothing is downloaded for rows that are there
        return scenario.instances_of(folder, replace)


def _mappings(rows: Any) -> Iterator[dict[str, Any]]:
    yield from rows.to_dict("records") if hasattr(rows, "to_dict") and hasattr(rows, "columns") else map(dict, rows)
