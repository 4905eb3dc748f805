"""What executors, metrics and annotators may ask for: models, tokenizers and side services."""

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
    from helm.tokenizers.tokenizer import Tokenizer


class Context(ABC):
    """Either in this process (`LocalContext`) or a proxy server (`RemoteContext`)."""

    @abstractmethod
    def get_general_info(self) -> Any:
        """Which models there are."""

    @abstractmethod
    def make_request(self, request: Request) -> RequestResult:
        """Ask a language model."""

    def get_client(self, model_deployment: str) -> "Client | None":
        """The client of a deployment when it is in this process, else None.

        Raises: HelmError when it should be, and cannot be made.
        """
        return None

    @abstractmethod
    def tokenize(self, request: "TokenizationRequest") -> "TokenizationRequestResult":
        pass

    @abstractmethod
    def decode(self, request: "DecodeRequest") -> "DecodeRequestResult":
        pass

    def get_tokenizer(self, tokenizer_name: str) -> "Tokenizer | None":
        """The tokenizer itself when it is in this process, else None."""
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
        """Cache settings of a shard, for metrics and annotators that cache something of their own."""
