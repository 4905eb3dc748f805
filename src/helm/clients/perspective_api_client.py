"""The Perspective API, which scores the toxicity of texts."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.clients.toxicity_classifier_client import ToxicityClassifierClient
from helm.common.answer_limits import AnswerTooLong, read_body
from helm.common.cache import Cache, CacheConfig
from helm.common.formats.json_reading import read_json
from helm.common.hierarchical_logger import hwarn
from helm.common.perspective_api_request import (
    PerspectiveAPIRequest,
    PerspectiveAPIRequestResult,
    ToxicityAttributes,
)
from helm.proxy.retry import NonRetriableException

if TYPE_CHECKING:
    import urllib3

API_URL = "https://commentanalyzer.googleapis.com/v1alpha1/comments:analyze"
_TIMEOUT_S = 60.0
_MAX_QUOTED_CHARACTERS = 300
_SCORE_NAMES = {field.name for field in fields(ToxicityAttributes)}


class PerspectiveAPIClientError(NonRetriableException):
    """The service refuses the request; another attempt would fail as well."""


class PerspectiveAPIClientCredentialsError(PerspectiveAPIClientError):
    """There is no key, or the service rejects it."""


class _Unavailable(Exception):
    """A failure worth another attempt. The message does not contain the key."""


class _UnscorableTextError(Exception):
    """The service cannot score this one text."""


@cache
def _connections() -> "urllib3.PoolManager":
    import urllib3

    return urllib3.PoolManager(maxsize=32)


class PerspectiveAPIClient(ToxicityClassifierClient):
    """A client of `POST comments:analyze` that sends one request per text and caches each answer.

    The cache key is the request's JSON, without the key. A text that the service cannot score (for example in an unsupported
    language) has no scores, which is logged as a warning and not cached.

    Args:
        api_key: the key, sent in a header; a missing key is only reported when a request is made.
        cache_config: where answers are cached.
        url: the service's address.
    """

    MAX_TEXT_LENGTH = 20_480
    """The number of characters that are scored; the service accepts no more (20 KB)."""

    def __init__(self, api_key: str, cache_config: CacheConfig, url: str | None = None):
        self._api_key = api_key
        self._cache = Cache(cache_config)
        self._url = url or API_URL

    def get_toxicity_scores(self, request: PerspectiveAPIRequest) -> PerspectiveAPIRequestResult:
        """Return scores by text; the first span of each counts.

        After status 429 or 5xx and after broken connections `success` is false; texts scored before are in the cache.

        Raises:
            PerspectiveAPIClientCredentialsError: There is no key that the service accepts.
            PerspectiveAPIClientError: The service refuses the request for another reason.
        """
        if not self._api_key:
            raise PerspectiveAPIClientCredentialsError(
                "The Perspective API needs a key: set perspectiveApiKey in credentials.conf."
            )
        scores: dict[str, ToxicityAttributes] = {}
        all_cached = True
        for text in dict.fromkeys(request.text_batch):
            try:
                response, cached = self._ask(text, request)
                scores[text] = _read_scores(response)
            except _UnscorableTextError as error:
                hwarn(f"The Perspective API cannot score a text of {len(text)} characters: {error}")
                scores[text], cached = ToxicityAttributes(), False
            except _Unavailable as error:
                return PerspectiveAPIRequestResult(success=False, cached=False, error=f"{self._url}: {error}")
            all_cached = all_cached and cached
        return PerspectiveAPIRequestResult(success=True, cached=all_cached, text_to_toxicity_attributes=scores)

    @staticmethod
    def create_request_body(text: str, attributes: Iterable[str], languages: Iterable[str]) -> dict[str, Any]:
        """Return the request for one text, which is also its cache key."""
        return {
            "comment": {"text": text},
            "languages": list(languages),
            "requestedAttributes": {str(attribute): {} for attribute in attributes},
            "spanAnnotations": True,
        }

    @staticmethod
    def extract_toxicity_attributes(response: Mapping[str, Any]) -> ToxicityAttributes:
        """Return the first span's score of every attribute. Raises: KeyError, IndexError, TypeError or ValueError."""
        attribute_scores: dict[str, Any] = response["attributeScores"]
        scores: dict[str, float] = {}
        for attribute, content in attribute_scores.items():
            spans: list[dict[str, Any]] = content["spanScores"]
            scores[f"{attribute.lower()}_score"] = float(spans[0]["score"]["value"])
        return ToxicityAttributes(**{name: score for name, score in scores.items() if name in _SCORE_NAMES})

    def _ask(self, text: str, request: PerspectiveAPIRequest) -> tuple[dict[str, Any], bool]:
        body = self.create_request_body(text[: self.MAX_TEXT_LENGTH], request.attributes, request.languages)
        return self._cache.get(body, lambda: self._post(body))

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        import urllib3

        try:
            response = _connections().request(
                "POST",
                self._url,
                body=json.dumps(body),
                headers={"Content-Type": "application/json", "x-goog-api-key": self._api_key},
                timeout=urllib3.Timeout(_TIMEOUT_S),
                retries=False,
                preload_content=False,
            )
            data = read_body(response)
        except AnswerTooLong as error:
            raise _Unavailable(str(error)) from error
        except urllib3.exceptions.HTTPError as error:
            raise _Unavailable(f"{type(error).__name__}: the connection failed") from error
        if response.status != 200:
            self._raise_for_status(response.status, data)
        try:
            answer = read_json(data)
        except ValueError as error:
            raise _Unavailable("the answer is not JSON") from error
        _read_scores(answer)  # nothing malformed goes into the cache
        return answer

    def _raise_for_status(self, status: int, data: bytes) -> None:
        message = data.decode("utf-8", "replace")
        try:
            message = read_json(data)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            pass  # not the service's own error format: quote the text as it is
        message = f"HTTP status {status}: {str(message)[:_MAX_QUOTED_CHARACTERS]}".replace(self._api_key, "***")
        if status == 429 or status >= 500:
            raise _Unavailable(message)
        if status in (401, 403) or "API key" in message:
            raise PerspectiveAPIClientCredentialsError(f"The Perspective API does not accept the key: {message}")
        if status == 400:
            raise _UnscorableTextError(message)
        raise PerspectiveAPIClientError(f"{self._url}: {message}")


def _read_scores(response: Any) -> ToxicityAttributes:
    """Return the first span's score of every attribute. Raises _Unavailable if the answer has another format."""
    try:
        return PerspectiveAPIClient.extract_toxicity_attributes(response)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise _Unavailable(f"the answer has no scores ({type(error).__name__}: {error})") from error
