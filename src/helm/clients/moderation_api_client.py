"""OpenAI's moderation of texts, which some models that make images ask before each request."""

import json
from collections.abc import Mapping
from typing import Any

from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.clients.openai_client import OPENAI_BASE_URL
from helm.common.cache import Cache, CacheConfig
from helm.common.errors import ConfigError, HelmError
from helm.common.moderations_api_request import (
    ModerationAPIRequest,
    ModerationAPIRequestResult,
    ModerationCategoryFlaggedResults,
    ModerationCategoryScores,
)
from helm.common.request import MALFORMED, wrap_request_time

_ROUTE = "moderations"


class ModerationAPIClient:
    """`POST /v1/moderations`. OpenAI chooses the model; the one that a request names is only part of the cache key, as in HELM.

    Args:
        api_key: OpenAI's key; a missing one is only reported when a request is made.
        cache_config: where answers are cached.
        base_url: the service's address.
    """

    LATEST_MODEL = "text-moderation-latest"
    STABLE_MODEL = "text-moderation-stable"

    HATE = "hate"
    HATE_THREATENING = "hate/threatening"
    SELF_HARM = "self-harm"
    SEXUAL = "sexual"
    SEXUAL_MINORS = "sexual/minors"
    VIOLENCE = "violence"
    VIOLENCE_GRAPHIC = "violence/graphic"

    def __init__(self, api_key: str, cache_config: CacheConfig, base_url: str = OPENAI_BASE_URL):
        self._cache = Cache(cache_config)
        self._endpoint = HTTPEndpoint(base_url, {"Authorization": f"Bearer {api_key}"}, api_key)

    def get_moderation_results(self, request: ModerationAPIRequest) -> ModerationAPIRequestResult:
        """Return the verdict on a text; when the service fails, `success` is false.

        Raises:
            ConfigError: There is no key.
        """
        if not self._endpoint.secret:
            raise ConfigError("OpenAI's moderation needs a key: set openaiApiKey in credentials.conf.")
        key = {"input": request.text, "model": self.LATEST_MODEL if request.use_latest_model else self.STABLE_MODEL}
        body = json.dumps({"input": request.text}).encode()

        def send() -> dict[str, Any]:
            return dict(self._endpoint.send("POST", _ROUTE, body, self._check, is_paid=False).value)

        try:
            response, cached = self._cache.get(key, wrap_request_time(send))
        except RequestFailure as e:
            return ModerationAPIRequestResult(False, False, None, None, None, error=f"Moderation: {e}")
        verdict = response["results"][0]
        return ModerationAPIRequestResult(
            success=True,
            cached=cached,
            flagged=verdict["flagged"],
            flagged_results=ModerationCategoryFlaggedResults(**self._by_field(verdict["categories"], "flagged")),
            scores=ModerationCategoryScores(**self._by_field(verdict["category_scores"], "score")),
        )

    def will_be_flagged(self, text: str) -> bool:
        """Whether the latest model flags a text. Raises: HelmError when the service fails."""
        result = self.get_moderation_results(ModerationAPIRequest(text, use_latest_model=True))
        if not result.success:
            raise HelmError(str(result.error))
        return bool(result.flagged)

    def _by_field(self, values: Mapping[str, Any], suffix: str) -> dict[str, Any]:
        """Return the values by the names of the result's fields. HELM's caches have underscores in the categories."""
        categories = (
            self.HATE, self.HATE_THREATENING, self.SELF_HARM, self.SEXUAL, self.SEXUAL_MINORS, self.VIOLENCE,
            self.VIOLENCE_GRAPHIC,
        )  # fmt: skip
        fields = {category: category.replace("/", "_").replace("-", "_") for category in categories}
        return {
            f"{field}_{suffix}": values[category] if category in values else values[field]
            for category, field in fields.items()
        }

    def _check(self, response: Any) -> None:
        try:
            verdict = response["results"][0]
            verdict["flagged"]
            self._by_field(verdict["categories"], "flagged")
            self._by_field(verdict["category_scores"], "score")
        except (TypeError, KeyError, IndexError) as e:
            raise self._endpoint.failure(MALFORMED, _ROUTE, f"the answer holds no verdict: {e!r}") from e
