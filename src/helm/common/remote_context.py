"""The context of a command that delegates to a proxy server."""

from typing import TYPE_CHECKING, Any

from helm.common.authentication import Authentication
from helm.common.cache import CacheConfig
from helm.common.context import Context
from helm.common.request import Request, RequestResult
from helm.common.telemetry.progress import request_observer
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.services.remote_service import RemoteService

if TYPE_CHECKING:
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult


class RemoteContext(Context):
    """Sends everything to the proxy server at `base_url`, which also caches; nothing is cached here."""

    def __init__(self, base_url: str, auth: Authentication):
        self.base_url = base_url
        self.auth = auth
        self._service = RemoteService(base_url)

    def get_general_info(self) -> Any:
        return self._service.get_general_info()

    def expand_query(self, query: Any) -> Any:
        return self._service.expand_query(query)

    def make_request(self, request: Request) -> RequestResult:
        observer = request_observer()
        if observer is None:
            return self._service.make_request(self.auth, request)
        return observer.watch(request, lambda asked: (self._service.make_request(self.auth, asked), None))

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        return self._service.tokenize(self.auth, request)

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        return self._service.decode(self.auth, request)

    def get_toxicity_scores(self, request: "PerspectiveAPIRequest") -> "PerspectiveAPIRequestResult":
        return self._service.get_toxicity_scores(self.auth, request)

    def get_moderation_results(self, request: "ModerationAPIRequest") -> "ModerationAPIRequestResult":
        return self._service.get_moderation_results(self.auth, request)

    def upload(self, request: "FileUploadRequest") -> "FileUploadResult":
        return self._service.upload(self.auth, request)

    def check_nudity(self, request: "NudityCheckRequest") -> "NudityCheckResult":
        return self._service.check_nudity(self.auth, request)

    def compute_clip_score(self, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        return self._service.compute_clip_score(self.auth, request)

    def make_critique_request(self, request: "CritiqueRequest") -> "CritiqueRequestResult":
        return self._service.make_critique_request(self.auth, request)

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return self._service.get_cache_config(shard_name)
