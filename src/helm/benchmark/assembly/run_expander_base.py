"""The contract of run expanders, and how they change a run spec and its name."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError, suggest


class RunExpander(ABC):
    """Turns a run spec into run specs."""

    name: str
    """The key in a run entry."""

    @abstractmethod
    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        """The rewritten run specs, in the order in which they run; an empty list leaves nothing to run."""


def with_suffix(name: str, text: str) -> str:
    return f"{name}{',' if ':' in name else ':'}{text}"


def sanitized(value: Any) -> str:
    return str(value).replace("/", "_")


def adapt(run_spec: RunSpec, name: str | None = None, **changes: Any) -> RunSpec:
    """The run spec with changed fields of its adapter spec and, if given, another name."""
    adapter_spec = replace(run_spec.adapter_spec, **changes)
    return replace(run_spec, name=run_spec.name if name is None else name, adapter_spec=adapter_spec)


def unknown_value(message: str, expander: str, value: Any, choices: list[str]) -> ConfigError:
    """An error whose text is the original's; its note says what can be given."""
    error = ConfigError(message)
    error.add_note(f"{expander} takes {', '.join(choices)}, not '{value}'.{suggest(str(value), choices)}")
    return error


def check_number(expander: str, value: Any) -> None:
    if not isinstance(value, (int, float)):
        raise ConfigError(f"{expander} takes a number, not '{value}'.")
