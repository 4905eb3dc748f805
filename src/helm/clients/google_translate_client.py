"""Translation by Google Cloud, API version 2, through the package google-cloud-translate."""

from typing import Any

from helm.common.errors import HelmError
from helm.common.optional_dependencies import needs_extra


class GoogleTranslateError(HelmError):
    """A translation failed."""


class GoogleTranslateClient:
    """Translates texts with the account of Google's application-default credentials.

    Args:
        endpoint: the service's address; None means Google's own.
        credentials: Google credentials to use instead of the default ones.

    Raises:
        GoogleTranslateError: There are no credentials.
    """

    def __init__(self, endpoint: str | None = None, credentials: Any = None):
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
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError
        from requests.exceptions import RequestException

        if not text.strip():
            return text
        try:
            return self._client.translate(text, target_language=target_language, format_="text")["translatedText"]
        except (GoogleAPIError, GoogleAuthError, RequestException) as e:
            raise GoogleTranslateError(f"Google Translate could not translate to '{target_language}': {e}") from e
        except (KeyError, TypeError, ValueError) as e:
            raise GoogleTranslateError(f"Google Translate sent an invalid translation: {e!r}") from e
