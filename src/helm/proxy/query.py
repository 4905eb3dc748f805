"""A prompt to try out, with settings and variables."""

from dataclasses import dataclass, field

from helm.common.request import Request


@dataclass(frozen=True)
class Query:
    prompt: str
    """The prompt, which may contain `${name}` for each variable."""

    settings: str = ""
    """Fields of `Request` in HOCON, for example `temperature: 0.5`, which may contain variables, too."""

    environments: str = ""
    """The values of variables in HOCON, for example `city: [Paris, Rome]`."""


@dataclass(frozen=True)
class QueryResult:
    requests: list[Request] = field(default_factory=list)
    """One request per combination of values."""
