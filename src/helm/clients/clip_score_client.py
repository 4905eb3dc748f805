"""The service of CLIP scores: a scorer in this process, behind the cache."""

from dataclasses import asdict
from functools import cached_property
from typing import Any

from helm.clients.clip_scorers.base_clip_scorer import BaseCLIPScorer
from helm.common.cache import Cache, CacheConfig
from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
from helm.common.errors import HelmError


class CLIPScoreClientError(HelmError):
    """A CLIP score could not be computed."""


class CLIPScoreClient:
    """Computes CLIP scores, and keeps them by caption and location of the picture.

    Args:
        cache_config: where scores are kept.
    """

    def __init__(self, cache_config: CacheConfig):
        self._cache = Cache(cache_config)

    @cached_property
    def _multilingual(self) -> BaseCLIPScorer:
        from helm.clients.clip_scorers.multilingual_clip_scorer import MultilingualCLIPScorer

        return MultilingualCLIPScorer()

    def _scorer(self, request: CLIPScoreRequest) -> BaseCLIPScorer:
        from helm.clients.clip_scorers.clip_scorer import CLIPScorer

        return self._multilingual if request.multilingual else CLIPScorer(request.model)

    def compute_score(self, request: CLIPScoreRequest) -> CLIPScoreResult:
        """Return the score.

        Raises:
            CLIPScoreClientError: The picture or the network cannot be read.
            CLIPModelError: The request names another network.
        """
        scorer = self._scorer(request)

        def compute() -> dict[str, Any]:
            return {"score": scorer.compute_score(request.caption, request.image_location)}

        try:
            response, cached = self._cache.get(asdict(request), compute)
        except (OSError, RuntimeError, KeyError) as e:
            raise CLIPScoreClientError(f"CLIP score of {request.image_location}: {e}") from e
        return CLIPScoreResult(success=True, cached=cached, score=response["score"])
