"""The interface of scenarios, and the data they create: instances with an input and references."""

import json
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.specs import ScenarioSpec
from helm.common.errors import ScenarioError, suggest
from helm.common.general import changed_copy, format_split, format_tags, format_text, indent_lines
from helm.common.media_object import MultimediaObject
from helm.common.object_spec import create_object
from helm.common.taxonomy_info import TaxonomyInfo

TRAIN_SPLIT = "train"
VALID_SPLIT = "valid"
TEST_SPLIT = "test"
EVAL_SPLITS = [VALID_SPLIT, TEST_SPLIT]
ALL_SPLITS = [TRAIN_SPLIT] + EVAL_SPLITS

DEFAULT_TEST_SIZE = 1000
"""Number of test instances to draw if the data set has no test split of its own."""

CORRECT_TAG = "correct"
ASSET_NAME_TAG = "asset_name"
ASSET_PATH_TAG = "asset_path"

RESTRICTED_FOLDER = "restricted"
"""Folder in the working directory for data that users must obtain themselves."""

_SOURCE_URL = "https://github.com/stanford-crfm/helm/blob/main/src/"


def make_relevance_tag(relevance: int) -> str:
    """Return the tag of a reference whose relevance to the query is known."""
    return f"relevance={relevance}"


def make_rank_tag(rank: int) -> str:
    """Return the tag of a reference that a retriever ranked."""
    return f"rank={rank}"


def unpack_tag(tag: str) -> tuple[str, str]:
    """Split `key=value`. Raises: ValueError if there is not exactly one `=`."""
    key, value = tag.split("=")
    return key, value


@dataclass(frozen=True)
class Input:
    """The question for the subject."""

    text: str = ""

    multimedia_content: MultimediaObject | None = None

    messages: list[dict[str, str]] | None = None
    """A chat history, for the adaptation method `chat`."""


class PassageQuestionInput(Input):
    """A passage and a question about it, combined into one text."""

    def __init__(
        self,
        passage: str,
        question: str,
        passage_prefix: str = "",
        question_prefix: str = "Question: ",
        separator: str = "\n",
    ):
        super().__init__(f"{passage_prefix}{passage}{separator}{question_prefix}{question}")


@dataclass(frozen=True)
class Output:
    """The content of a reference."""

    text: str = ""

    multimedia_content: MultimediaObject | None = None


@dataclass(frozen=True)
class Reference:
    """A possible answer, correct or wrong."""

    output: Output

    tags: list[str]
    """Tags; `correct` marks a correct answer."""

    @property
    def is_correct(self) -> bool:
        return CORRECT_TAG in self.tags

    def render_lines(self) -> list[str]:
        return [f"reference {format_tags(self.tags)}: {format_text(self.output.text)}"]


@dataclass(frozen=True, eq=False)
class Instance:
    """An input with its references. Compared and hashed by identity: equal questions are still two instances."""

    input: Input

    references: list[Reference]

    split: str | None = None
    """One of `train`, `valid` and `test`."""

    sub_split: str | None = None
    """A part of the split with separate results."""

    id: str | None = None
    """Unique in the scenario; perturbed copies keep the id of their original."""

    perturbation: PerturbationDescription | None = None
    """The perturbation. None for an original."""

    contrast_inputs: list[Input] | None = None
    """The inputs from which this one was made, or hand-written variants of it."""

    contrast_references: list[list[Reference]] | None = None

    extra_data: dict[str, Any] | None = None
    """JSON values that only this scenario's adapter, annotators and metrics understand."""

    @property
    def first_correct_reference(self) -> Reference | None:
        return next((reference for reference in self.references if reference.is_correct), None)

    @property
    def all_correct_references(self) -> list[Reference]:
        return [reference for reference in self.references if reference.is_correct]

    def render_lines(self) -> list[str]:
        lines = [f"input: {format_text(self.input.text)}"]
        if self.sub_split is not None:
            lines.append(f"sub_split: {format_text(self.sub_split)}")
        if self.id is not None:
            lines.append(f"id: {format_text(self.id)}")
        if self.perturbation is not None:
            lines.append(f"perturbation: {self.perturbation}")
        for reference in self.references:
            lines.extend(reference.render_lines())
        return lines


@dataclass(frozen=True)
class ScenarioMetadata:
    """How tables show a scenario."""

    name: str
    """Name of its run group."""

    main_metric: str

    main_split: str

    display_name: str | None = None
    short_display_name: str | None = None
    description: str | None = None
    short_description: str | None = None
    taxonomy: TaxonomyInfo | None = None


@dataclass
class Scenario(ABC):
    """A source of instances. Cheap to construct; `get_instances` does the work and always returns the same list.

    A subclass sets the class attributes `name`, `description` and `tags`; one with its own `__init__` calls
    `super().__init__()`.
    """

    name: str = field(init=False)
    description: str = field(init=False)
    tags: list[str] = field(init=False)
    definition_path: str = field(init=False)
    """Path of the class definition, for readers of `scenario.json`."""

    def __init__(self) -> None:
        self.definition_path = _definition_path(type(self))

    @abstractmethod
    def get_instances(self, output_path: str) -> list[Instance]:
        """Return all instances of all splits. `output_path` is an existing folder for downloads, kept between runs."""

    def get_metadata(self) -> ScenarioMetadata:
        """Return how tables show the scenario, as `metadata.json` says it of its class, or of the nearest base class there.

        `{self.x}` in a text of the file stands for an attribute of the scenario; without `name`, the run group has the
        scenario's name. The file is JSON because a run reads it at its end, and YAML takes twenty times as long.

        Raises: NotImplementedError if the file has none of them.
        """
        described = _described_classes()
        paths = [f"{cls.__module__}.{cls.__name__}" for cls in type(self).__mro__]
        found = next((path for path in paths if path in described), None)
        if found is None:
            raise NotImplementedError(f"{type(self).__name__} gives no metadata")
        fields = {"name": "{self.name}", **described[found]}
        taxonomy = fields.pop("taxonomy", None)
        texts = {key: text.format(self=self) for key, text in fields.items()}
        return ScenarioMetadata(**texts, taxonomy=None if taxonomy is None else TaxonomyInfo(**taxonomy))

    def render_lines(self, instances: list[Instance]) -> list[str]:
        """Return a text rendering for people."""
        lines = [
            f"name: {self.name}",
            f"description: {self.description}",
            f"tags: {format_tags(self.tags)}",
            "",
        ]
        for i, instance in enumerate(instances):
            lines.append(f"instance {i} ({len(instances)} total) {format_split(str(instance.split))} {{")
            lines.extend(indent_lines(instance.render_lines()))
            lines.append("}")
        return lines


@cache
def _described_classes() -> dict[str, dict[str, Any]]:
    with open(os.path.join(os.path.dirname(__file__), "metadata.json"), "rb") as f:
        described: dict[str, dict[str, Any]] = json.loads(f.read())
    return described


def _definition_path(cls: type) -> str:
    """Return HELM's path of the scenario with this name; for other classes, the module path without a folder.

    (HELM gives the absolute path of those, which reveals details of the machine.)
    """
    path = cls.__module__.replace(".", "/") + ".py"
    return _SOURCE_URL + path if path.startswith("helm/benchmark/scenarios/") else path


def create_scenario(scenario_spec: ScenarioSpec) -> Scenario:
    return create_object(scenario_spec)


def get_scenario_cache_path(benchmark_output_path: str, scenario_name: str) -> str:
    """Create and return the folder `<output>/scenarios/<name>`."""
    path = os.path.join(benchmark_output_path, "scenarios", scenario_name)
    os.makedirs(path, exist_ok=True)
    return path


def get_restricted_data_path(scenario_name: str, *file_names: str, how_to_get: str = "") -> str:
    """Return the folder `restricted/<scenario_name>` of the working directory, for data that may not be redistributed.

    Args:
        scenario_name: name of the scenario.
        file_names: files that it must contain.
        how_to_get: for the error message: where users can obtain the data.

    Raises: ScenarioError that says which file is missing and where it belongs.
    """
    folder = os.path.join(RESTRICTED_FOLDER, scenario_name)
    missing = [name for name in file_names if not os.path.isfile(os.path.join(folder, name))]
    if os.path.isdir(folder) and not missing:
        return folder
    what = ", ".join(os.path.join(folder, name) for name in missing) or folder
    wanted, searched = (missing[0], folder) if os.path.isdir(folder) else (scenario_name, RESTRICTED_FOLDER)
    nearest = suggest(wanted, os.listdir(searched)) if os.path.isdir(searched) else ""
    raise ScenarioError(
        f"Scenario {scenario_name} reads restricted data, and {what} is not there (the working directory is "
        f"{os.getcwd()}).{nearest}{' ' + how_to_get if how_to_get else ''}"
    )


def with_instance_ids(instances: list[Instance]) -> list[Instance]:
    """Assign `id0`, `id1`, ... by position to all instances if any of them lacks an id."""
    if all(instance.id is not None for instance in instances):
        return instances
    return [changed_copy(instance, id=f"id{i}") for i, instance in enumerate(instances)]
