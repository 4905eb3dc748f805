"""What tokenizers behind a provider's HTTP interface share: one request, its errors, and the key."""

from typing import Any

from helm.common.answer_limits import AnswerTooLong, read_body
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import read_json
from helm.proxy.retry import NonRetriableException
from helm.tokenizers.caching_tokenizer import CachingTokenizer

_TIMEOUT_S = 60.0


class TokenizerUnavailableError(NonRetriableException, ConfigError):
    """Asking again would not help: a key, a file, a package or an ability is missing."""


class TokenizerServerError(Exception):
    """The provider could not be reached, or answered something else than tokens; worth another try."""


class HostedTokenizer(CachingTokenizer):
    """A tokenizer that asks its provider; answers are cached. Subclasses say what is sent and what is read.

    Args:
        api_key: the credential `<organization>ApiKey`, where the organization is the first part of the tokenizer's name.
        base_url: address that the provider's routes are below.
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
        """POST the payload, or GET without one; the answer is a JSON object.

        Raises: TokenizerUnavailableError when the provider refuses the key or the request, TokenizerServerError when it
        cannot be reached, is busy or answers something else.
        """
        return json_object(f"{self.base_url}/{route}", self._headers(tokenizer), payload)


def json_object(url: str, headers: dict[str, str], payload: dict[str, Any] | None = None) -> dict[str, Any]:
    """One HTTP exchange of `HostedTokenizer`; see there."""
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
    """A value of the answer. Raises: TokenizerServerError when it is missing or of another type."""
    value = answer.get(key)
    if not isinstance(value, expected):
        raise TokenizerServerError(f"{where}: expected '{key}' to be a {expected.__name__}, got {value!r}"[:300])
    return value
