"""`RunSpec`: everything that determines the numbers of a run; and the registry of functions that create run specs."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.specs import (
    AnnotatorSpec,
    DataAugmenterSpec,
    EpochSpec,
    ExtractorSpec,
    MetricSpec,
    ScenarioSpec,
)
from helm.common.executor_spec import ExecutorSpec
from helm.common.object_spec import ObjectSpec
from helm.common.registry import Registry

__all__ = [
    "RunSpec", "RunSpecFunction", "run_spec_function", "get_run_spec_function", "discover_run_spec_functions", "ObjectSpec",
]  # fmt: skip


@dataclass(frozen=True)
class RunSpec:
    """The specification of one run. A run is data: the same spec gives the same files."""

    name: str
    """Name of the run's folder; path separators become `_`."""

    scenario_spec: ScenarioSpec
    """How to create the scenario, which provides the instances."""

    adapter_spec: AdapterSpec
    """How instances become requests."""

    metric_specs: list[MetricSpec]
    """The metrics to compute from the results."""

    data_augmenter_spec: DataAugmenterSpec = field(default_factory=DataAugmenterSpec)
    """The perturbed copies to make of the instances."""

    groups: list[str] = field(default_factory=list)
    """The run groups of the schema that show this run."""

    annotators: list[AnnotatorSpec] | None = None
    """What to add to the results before the metrics are computed."""

    executor_spec: ExecutorSpec | None = None
    """What answers the requests. None means the executor of language models."""

    extractor_spec: ExtractorSpec | None = None
    """What finds the answer in a completion before the metrics see it. None, which is not written, means that the metrics
    see the whole completion, as in HELM."""

    epochs: EpochSpec | None = None
    """How often each instance is asked. None, which is not written, means once, as in HELM."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name.replace(os.path.sep, "_"))


RunSpecFunction = Callable[..., RunSpec]
F = TypeVar("F", bound=RunSpecFunction)

_REGISTRY: "Registry[RunSpecFunction]" = Registry("run spec", "A run spec function with name {name} already exists")


def run_spec_function(name: str) -> Callable[[F], F]:
    """Decorator: register a function that creates a RunSpec under the name used in run entries.

    Raises: ValueError when the name is taken.
    """

    def register(function: F) -> F:
        _REGISTRY.register(name, function)
        return function

    return register


def discover_run_spec_functions(only_naming: str | None = None) -> None:
    """Import every direct submodule of `helm.benchmark.run_specs`, including those in folders added to its path.

    `only_naming` leaves modules of the package's own folder aside whose text does not contain this name.
    """
    import helm.benchmark.run_specs
    from helm.common.commands.plugins import import_all_modules_in_package

    import_all_modules_in_package(helm.benchmark.run_specs, only_naming)


def get_run_spec_function(name: str, search_all: bool = True) -> RunSpecFunction | None:
    """The function registered under `name`, or None.

    Names registered by plugins come first, then entries of the catalogue (only the file of that name is read), then
    the modules of `run_specs`, and at last installed modules named `helm_..._run_specs`.

    Args:
        name: the name in a run entry.
        search_all: also import the modules of `run_specs` in whose text the name does not occur, which may make it up.
    """
    from helm.benchmark.declarative.catalogue import find_run_spec_function

    if name not in _REGISTRY:
        function = find_run_spec_function(name)
        if function is not None:
            return function
        discover_run_spec_functions(only_naming=name)
    if name not in _REGISTRY and search_all:
        discover_run_spec_functions()
    if name not in _REGISTRY:
        from helm.common.commands.plugins import import_root_modules

        import_root_modules("helm_*_run_specs")
    return _REGISTRY.get(name)


def redefine_run_spec_function(
    name: str, function: RunSpecFunction, may_replace: Callable[[RunSpecFunction], bool]
) -> bool:
    """Register a function that may take the place of an earlier one, as when a cell of a notebook is run again.

    Returns False, and does nothing, if there is one by that name that must stay.
    """
    from helm.benchmark.declarative.catalogue import find_run_spec_function

    if name not in _REGISTRY:
        discover_run_spec_functions(only_naming=name)
    earlier = _REGISTRY.get(name) or find_run_spec_function(name)
    if earlier is not None and not may_replace(earlier):
        return False
    _REGISTRY.put(name, function)
    return True


def get_defined_run_spec_function(name: str) -> RunSpecFunction | None:
    """Return the function that a module loaded so far has registered under `name`, or None; nothing is searched."""
    return _REGISTRY.get(name)


def is_python_run_spec(name: str) -> bool:
    """Whether a Python function is registered under `name`."""
    if name not in _REGISTRY:
        discover_run_spec_functions()
    return name in _REGISTRY


def get_run_spec_function_names() -> list[str]:
    """Return the names of all run specs, built-in and from plugins, without reading the catalogue's files."""
    from helm.benchmark.declarative import catalogue

    discover_run_spec_functions()
    return sorted({*_REGISTRY.names(), *catalogue.names()})
