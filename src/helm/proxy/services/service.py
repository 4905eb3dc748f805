"""The contract of proxy servers, and the expansion of queries."""

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from helm.common.authentication import Authentication
from helm.common.errors import ConfigError, suggest
from helm.common.formats.hocon import parse_hocon
from helm.common.request import Request, RequestResult
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.query import Query, QueryResult

if TYPE_CHECKING:
    from helm.benchmark.model_metadata_registry import ModelMetadata
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult

VERSION = "1.0"
ACCOUNTS_FILE = "accounts.sqlite"
CACHE_DIR = "cache"

_VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class GeneralInfo:
    """Information about a proxy server."""

    version: str

    example_queries: list[Query] = field(default_factory=list)

    all_models: "list[ModelMetadata]" = field(default_factory=list)


def expand_environments(environments: Mapping[str, list[str]]) -> list[dict[str, str]]:
    """Return all combinations of values, with the first variable changing slowest; without variables, an empty one."""
    names = list(environments)
    return [
        dict(zip(names, values, strict=True)) for values in itertools.product(*(environments[name] for name in names))
    ]


def substitute_text(text: str, environment: Mapping[str, str]) -> str:
    """Replace each `${name}` by its value. Raises ConfigError for a name without a value."""

    def value(match: "re.Match[str]") -> str:
        if match.group(1) not in environment:
            raise ConfigError(f"Unknown variable '{match.group(0)}'.{suggest(match.group(1), environment)}")
        return str(environment[match.group(1)])

    return _VARIABLE.sub(value, text)


def synthesize_request(
    prompt: str,
    settings: str,
    environment: Mapping[str, str],
    parse: Callable[[str], dict[str, Any]] = parse_hocon,
) -> Request:
    """Make the request of a prompt and settings after substitution. Raises ConfigError for an unknown setting."""
    values: dict[str, Any] = {"prompt": substitute_text(prompt, environment)}
    if settings.strip():
        values.update(parse(substitute_text(settings, environment)))
    known = [item.name for item in fields(Request)]
    for name in values:
        if name not in known:
            raise ConfigError(f"Unknown setting '{name}'.{suggest(name, known)}")
    return Request(**values)


def expand_query(query: Query) -> QueryResult:
    """Return the requests of a query, one per combination of values of its variables."""
    variables = parse_hocon(query.environments) if query.environments.strip() else {}
    lists = {name: value if isinstance(value, list) else [value] for name, value in variables.items()}
    return QueryResult(
        [synthesize_request(query.prompt, query.settings, environment) for environment in expand_environments(lists)]
    )


class Service(ABC):
    """A proxy server, or a substitute for one."""

    @abstractmethod
    def get_general_info(self) -> GeneralInfo:
        pass

    @abstractmethod
    def expand_query(self, query: Query) -> QueryResult:
        pass

    @abstractmethod
    def make_request(self, auth: Authentication, request: Request) -> RequestResult:
        pass

    @abstractmethod
    def tokenize(self, auth: Authentication, request: TokenizationRequest) -> TokenizationRequestResult:
        pass

    @abstractmethod
    def decode(self, auth: Authentication, request: DecodeRequest) -> DecodeRequestResult:
        pass

    @abstractmethod
    def get_toxicity_scores(
        self, auth: Authentication, request: "PerspectiveAPIRequest"
    ) -> "PerspectiveAPIRequestResult":
        pass

    @abstractmethod
    def get_moderation_results(
        self, auth: Authentication, request: "ModerationAPIRequest"
    ) -> "ModerationAPIRequestResult":
        pass
