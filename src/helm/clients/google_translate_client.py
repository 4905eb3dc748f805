"""Translation by Google Cloud, API version 2, through the package google-cloud-translate."""

import html
from typing import Any

from helm.common.cache import BlackHoleCacheConfig, Cache, CacheConfig
from helm.common.errors import HelmError
from helm.common.optional_dependencies import needs_extra


class GoogleTranslateError(HelmError):
    """A translation failed."""


_FORMAT = "text"


class GoogleTranslateClient:
    """Translates texts with the account of Google's application-default credentials.

    Answers are cached under HELM's keys, the text and the language. HELM asks for HTML and so stores texts with
    references to characters (`&#39;`), which are resolved here; new answers are plain text and say so.

    Args:
        endpoint: the service's address; None means Google's own.
        credentials: Google credentials to use instead of the default ones.
        cache_config: where translations are kept; by default nowhere.

    Raises:
        GoogleTranslateError: There are no credentials.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        credentials: Any = None,
        cache_config: CacheConfig = BlackHoleCacheConfig(),
    ):
        self._cache = Cache(cache_config)
        with needs_extra("translate"):
            from google.auth.exceptions import GoogleAuthError
            from google.cloud import translate_v2
        try:
            self._client = translate_v2.Client(
                credentials=credentials, client_options={"api_endpoint": endpoint} if endpoint else None
            )
        except GoogleAuthError as e:
            raise GoogleTranslateError(f"Google Translate needs application default credentials: {e}") from e

    def translate(self, text: str, target_language: str) -> str:
        """Translate a text to the language of a code such as `zh-CN`. Raises GoogleTranslateError if that fails."""
        if not text.strip():
            return text
        key = {"text": text, "target_language": target_language}
        answer, _ = self._cache.get(key, lambda: self._ask(text, target_language))
        translated: str = answer["translatedText"]
        return translated if answer.get("format") == _FORMAT else html.unescape(translated)

    def _ask(self, text: str, target_language: str) -> dict[str, Any]:
        """Return the answer of the service, without a copy of the text."""
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError
        from requests.exceptions import RequestException

        try:
            answer = dict(self._client.translate(text, target_language=target_language, format_=_FORMAT))
            if not isinstance(answer["translatedText"], str):
                raise TypeError("the translation is no text")
        except (GoogleAPIError, GoogleAuthError, RequestException) as e:
            raise GoogleTranslateError(f"Google Translate could not translate to '{target_language}': {e}") from e
        except (KeyError, TypeError, ValueError) as e:
            raise GoogleTranslateError(f"Google Translate sent an invalid translation: {e!r}") from e
        answer.pop("input", None)
        return {**answer, "format": _FORMAT}
