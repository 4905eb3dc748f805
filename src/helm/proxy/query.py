"""A prompt to try out, with settings and variables."""

from dataclasses import dataclass, field

from helm.common.request import Request


@dataclass(frozen=True)
class Query:
    prompt: str
    """May hold `${name}` for each variable."""

    settings: str = ""
    """HOCON: fields of `Request`, for example `temperature: 0.5`; may hold variables too."""

    environments: str = ""
    """HOCON: variable to the list of its values, for example `city: [Paris, Rome]`."""


@dataclass(frozen=True)
class QueryResult:
    requests: list[Request] = field(default_factory=list)
    """One for each combination of values."""
