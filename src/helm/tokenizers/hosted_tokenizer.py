"""Common parts of tokenizers behind a provider's HTTP API: the request, its errors, and the key."""

from typing import Any

from helm.common.answer_limits import AnswerTooLong, read_body
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import read_json
from helm.proxy.retry import NonRetriableException
from helm.tokenizers.caching_tokenizer import CachingTokenizer

# Tokenizing takes well under a second; this only ends the wait for a server that hangs.
_TIMEOUT_S = 60.0


class TokenizerUnavailableError(NonRetriableException, ConfigError):
    """Retrying would not help: a key, a file, a package or a capability is missing."""


class TokenizerServerError(Exception):
    """The provider could not be reached, or did not answer with tokens; another try may succeed."""


class HostedTokenizer(CachingTokenizer):
    """A tokenizer that calls its provider and caches answers. Subclasses define requests and read answers.

    Args:
        api_key: the credential `<organization>ApiKey`, where the organization is the first part of the tokenizer's name.
        base_url: the URL of the provider's routes.
    """

    waits_on_io = True

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None, base_url: str):
        super().__init__(cache_config)
        self.api_key = api_key
        self.base_url = base_url.rstrip("/")

    def _headers(self, tokenizer: str) -> dict[str, str]:
        if not self.api_key:
            organization = tokenizer.split("/")[0]
            raise TokenizerUnavailableError(
                f"Tokenizer '{tokenizer}' asks {self.base_url} and needs a key: set {organization}ApiKey in "
                "credentials.conf."
            )
        return {"Authorization": f"Bearer {self.api_key}"}

    def _call(self, route: str, tokenizer: str, payload: dict[str, Any] | None = None) -> dict[str, Any]:
        """POST the payload, or GET without one, and return the answer, a JSON object.

        Raises:
            TokenizerUnavailableError: The provider refuses the key or the request.
            TokenizerServerError: The provider cannot be reached, is busy or does not answer with a JSON object.
        """
        return json_object(f"{self.base_url}/{route}", self._headers(tokenizer), payload)


def json_object(url: str, headers: dict[str, str], payload: dict[str, Any] | None = None) -> dict[str, Any]:
    """Do one HTTP exchange; see `HostedTokenizer._call`."""
    import urllib3

    method = "GET" if payload is None else "POST"
    try:
        response = urllib3.request(
            method, url, json=payload, headers=headers, timeout=_TIMEOUT_S, retries=False, preload_content=False
        )
        data, status = read_body(response), response.status
    except (urllib3.exceptions.HTTPError, AnswerTooLong) as e:
        raise TokenizerServerError(f"{url}: {e}") from e
    excerpt = data[:200].decode("utf-8", errors="replace")
    if status in (408, 429) or status >= 500:
        raise TokenizerServerError(f"{url}: HTTP status {status}: {excerpt}")
    if status != 200:
        raise TokenizerUnavailableError(f"{url} refused with HTTP status {status}: {excerpt}")
    try:
        answer = read_json(data)
    except ValueError as e:
        raise TokenizerServerError(f"{url}: expected JSON, got {excerpt}") from e
    if not isinstance(answer, dict):
        raise TokenizerServerError(f"{url}: expected a JSON object, got {excerpt}")
    return answer


def field(answer: dict[str, Any], key: str, expected: type, where: str) -> Any:
    """Return a value of the answer. Raises TokenizerServerError if it is missing or of another type."""
    value = answer.get(key)
    if not isinstance(value, expected):
        raise TokenizerServerError(f"{where}: expected '{key}' to be a {expected.__name__}, got {value!r}"[:300])
    return value
