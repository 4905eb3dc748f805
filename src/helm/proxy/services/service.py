"""The contract of proxy servers, and the expansion of queries."""

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from helm.common.authentication import Authentication
from helm.common.context import VERSION as VERSION
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
    from helm.common.cache import CacheConfig
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult
    from helm.proxy.accounts import Account

ACCOUNTS_FILE = "accounts.sqlite"
CACHE_DIR = "cache"
MONGO_URI = "mongo_uri"
"""HELM's credential with the address of a MongoDB, in which nothing is cached here."""

MAX_EXPANSION = 1000
"""The most requests that a query of a user without a key may stand for."""

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

    @abstractmethod
    def upload(self, auth: Authentication, request: "FileUploadRequest") -> "FileUploadResult":
        pass

    @abstractmethod
    def check_nudity(self, auth: Authentication, request: "NudityCheckRequest") -> "NudityCheckResult":
        pass

    @abstractmethod
    def compute_clip_score(self, auth: Authentication, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        pass

    @abstractmethod
    def make_critique_request(self, auth: Authentication, request: "CritiqueRequest") -> "CritiqueRequestResult":
        pass

    @abstractmethod
    def create_account(self, auth: Authentication) -> "Account":
        """Create an account with a new key; only an administrator may."""

    @abstractmethod
    def delete_account(self, auth: Authentication, api_key: str) -> "Account":
        """Delete the account with the key, and return it; only an administrator may."""

    @abstractmethod
    def get_accounts(self, auth: Authentication) -> "list[Account]":
        """Return all accounts, for an administrator."""

    @abstractmethod
    def get_account(self, auth: Authentication) -> "Account":
        """Return the caller's account."""

    @abstractmethod
    def update_account(self, auth: Authentication, account: "Account") -> "Account":
        """Replace the account with the same key; only an administrator may."""

    @abstractmethod
    def rotate_api_key(self, auth: Authentication, account: "Account") -> "Account":
        """Replace the key of an account by a new one; only an administrator may."""

    @abstractmethod
    def shutdown(self, auth: Authentication) -> None:
        """End the server; only an administrator may."""

    @abstractmethod
    def get_cache_config(self, shard_name: str) -> "CacheConfig":
        """Return the cache settings of a shard."""
