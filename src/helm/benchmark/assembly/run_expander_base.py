"""The interface of run expanders, and how they change a run spec and its name."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError, suggest


class RunExpander(ABC):
    """Turns a run spec into one or more run specs."""

    name: str
    """The key in a run entry."""

    comes_first: bool = False
    """Whether the other keys of an entry change what this one sets, wherever they stand."""

    @abstractmethod
    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        """Return the rewritten run specs, in the order in which they run. An empty list means nothing runs."""


def with_suffix(name: str, text: str) -> str:
    return f"{name}{',' if ':' in name else ':'}{text}"


def sanitized(value: Any) -> str:
    return str(value).replace("/", "_")


def adapt(run_spec: RunSpec, name: str | None = None, **changes: Any) -> RunSpec:
    """Return the run spec with changed fields of its adapter spec and, optionally, another name."""
    adapter_spec = replace(run_spec.adapter_spec, **changes)
    return replace(run_spec, name=run_spec.name if name is None else name, adapter_spec=adapter_spec)


def unknown_value(message: str, expander: str, value: Any, choices: list[str]) -> ConfigError:
    """Return an error with HELM's text; its note lists the valid values."""
    error = ConfigError(message)
    error.short = message.replace("{self.value}", str(value))  # HELM: the braces are in the text
    error.add_note(f"{expander} takes {', '.join(choices)}, not '{value}'.{suggest(str(value), choices)}")
    return error


def check_number(expander: str, value: Any) -> None:
    if not isinstance(value, (int, float)):
        raise ConfigError(f"{expander} takes a number, not '{value}'.")
