"""The class path of an entry's scenario."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helm.benchmark.declarative.reading import EntryFile

_SCENARIOS = "helm.benchmark.scenarios"


def declared_class(file: "EntryFile") -> str:
    """Return the class path of the entry's scenario; empty if the entry names a class of Python or of another entry.

    Even an entry that cannot run has a class, so that a run reports why.
    """
    if file.entry.source is None and not file.entry.unavailable:
        return ""
    if file.entry.scenario is not None and file.entry.scenario.class_:
        return file.entry.scenario.class_
    return default_class(file.name)


def default_class(name: str) -> str:
    """Map `my_task` to `helm.benchmark.scenarios.my_task_scenario.MyTaskScenario`."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return f"{_SCENARIOS}.{name}_scenario.{words}Scenario"
