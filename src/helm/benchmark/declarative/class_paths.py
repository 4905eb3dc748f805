"""The class path of an entry's scenario."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helm.benchmark.declarative.reading import EntryFile

_SCENARIOS = "helm.benchmark.scenarios"


def declared_class(file: "EntryFile") -> str:
    """The class path of the entry's scenario; empty when the entry names a class of Python or of another entry.

    What cannot run anywhere has a class too, so that a run says why.
    """
    if file.entry.source is None and not file.entry.unavailable:
        return ""
    if file.entry.scenario is not None and file.entry.scenario.class_:
        return file.entry.scenario.class_
    return default_class(file.name)


def default_class(name: str) -> str:
    """`my_task` -> `helm.benchmark.scenarios.my_task_scenario.MyTaskScenario`."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return f"{_SCENARIOS}.{name}_scenario.{words}Scenario"
