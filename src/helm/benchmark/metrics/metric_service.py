from typing import TYPE_CHECKING

from helm.benchmark.window_services.tokenizer_service import TokenizerService

if TYPE_CHECKING:
    from helm.common.cache import Cache
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult


class MetricService(TokenizerService):
    """What metrics can request besides tokenizers."""

    def check_nudity(self, request: "NudityCheckRequest") -> "NudityCheckResult":
        return self._context.check_nudity(request)

    def compute_clip_score(self, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        return self._context.compute_clip_score(request)

    def upload(self, request: "FileUploadRequest") -> "FileUploadResult":
        return self._context.upload(request)

    def get_toxicity_scores(self, request: "PerspectiveAPIRequest") -> "PerspectiveAPIRequestResult":
        return self._context.get_toxicity_scores(request)

    def make_critique_request(self, request: "CritiqueRequest") -> "CritiqueRequestResult":
        return self._context.make_critique_request(request)

    def get_cache(self, shard_name: str) -> "Cache":
        from helm.common.cache import Cache

        return Cache(self._context.get_cache_config(shard_name))
