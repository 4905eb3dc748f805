"""The access of executors, metrics and annotators to models, tokenizers and side services."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from helm.common.request import Request, RequestResult

if TYPE_CHECKING:
    from helm.clients.client import Client
    from helm.common.cache import CacheConfig
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult
    from helm.common.tokenization_request import (
        DecodeRequest,
        DecodeRequestResult,
        TokenizationRequest,
        TokenizationRequestResult,
    )
    from helm.proxy.query import Query, QueryResult
    from helm.tokenizers.tokenizer import Tokenizer

VERSION = "1.0"
"""The version of the protocol of the proxy server."""


class Context(ABC):
    """Provides services either in this process (`LocalContext`) or by a proxy server (`RemoteContext`)."""

    @abstractmethod
    def get_general_info(self) -> Any:
        """Return information about the available models."""

    @abstractmethod
    def expand_query(self, query: "Query") -> "QueryResult":
        """Return the requests of a query, one per combination of values of its variables."""

    @abstractmethod
    def make_request(self, request: Request) -> RequestResult:
        """Send a request to a language model."""

    def get_client(self, model_deployment: str) -> "Client | None":
        """Return the client of a deployment if it is in this process, else None.

        Raises HelmError if it should be in this process, but cannot be created.
        """
        return None

    @abstractmethod
    def tokenize(self, request: "TokenizationRequest") -> "TokenizationRequestResult":
        pass

    @abstractmethod
    def decode(self, request: "DecodeRequest") -> "DecodeRequestResult":
        pass

    def get_tokenizer(self, tokenizer_name: str) -> "Tokenizer | None":
        """Return the tokenizer itself if it is in this process, else None."""
        return None

    @abstractmethod
    def upload(self, request: "FileUploadRequest") -> "FileUploadResult":
        pass

    @abstractmethod
    def check_nudity(self, request: "NudityCheckRequest") -> "NudityCheckResult":
        pass

    @abstractmethod
    def compute_clip_score(self, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        pass

    @abstractmethod
    def get_toxicity_scores(self, request: "PerspectiveAPIRequest") -> "PerspectiveAPIRequestResult":
        pass

    @abstractmethod
    def get_moderation_results(self, request: "ModerationAPIRequest") -> "ModerationAPIRequestResult":
        pass

    @abstractmethod
    def make_critique_request(self, request: "CritiqueRequest") -> "CritiqueRequestResult":
        pass

    @abstractmethod
    def get_cache_config(self, shard_name: str) -> "CacheConfig":
        """Return the cache settings of a shard, for metrics and annotators with caches of their own."""
