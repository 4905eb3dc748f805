"""A client of the proxy server's protocol: everything is a POST, with the key in a header and JSON in a form's fields."""

import argparse
import json
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from helm.common.answer_limits import AnswerTooLong, read_body
from helm.common.authentication import Authentication
from helm.common.cache import BlackHoleCacheConfig, CacheConfig
from helm.common.codec import structure
from helm.common.errors import ConfigError, HelmError
from helm.common.formats.json_reading import read_json
from helm.common.request import Request, RequestResult
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.query import Query, QueryResult
from helm.proxy.services.service import GeneralInfo, Service

if TYPE_CHECKING:
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult
    from helm.proxy.accounts import Account

T = TypeVar("T")

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

# The server itself retries and waits for its turn at the provider, so it may be silent for long.
_TIMEOUT_S = 600.0
_DEFAULT_API_KEY_PATH = "proxy_api_key.txt"


class RemoteServiceError(HelmError):
    """The proxy server could not be reached, or it answered with an error."""


class RemoteService(Service):
    """A proxy server at `base_url`."""

    NOT_SUPPORTED_ERROR = "Not supported through remote service."

    def __init__(self, base_url: str):
        self.base_url = base_url.rstrip("/")

    @cached_property
    def _pool(self) -> Any:
        import urllib3

        return urllib3.PoolManager(maxsize=64, retries=False, timeout=_TIMEOUT_S)

    def _ask(
        self,
        route: str,
        fields: dict[str, str],
        auth: Authentication | None = None,
        description: str = "",
        method: str = "POST",
    ) -> Any:
        """Return the decoded answer. `description` describes the request in messages, which never contain the key.

        HELM's client puts key and request into the URL, which servers and proxies in between log.
        """
        import urllib3

        url = f"{self.base_url}/api/{route}"
        suffix = f" Request: {description}" if description else ""
        headers = {} if auth is None else {"Authorization": f"Bearer {auth.api_key}"}
        try:
            response = self._pool.request(
                method, url, body=urlencode(fields), headers={**headers, **_FORM}, preload_content=False
            )
            data = read_body(response)
        except AnswerTooLong as e:
            raise RemoteServiceError(f"{url}: {e}{suffix}") from None
        except urllib3.exceptions.HTTPError as e:
            raise RemoteServiceError(f"Cannot reach {url}: {type(e).__name__}.{suffix}") from None
        except ValueError:  # its message quotes the key
            raise RemoteServiceError(
                f"The key for {self.base_url} cannot be sent: was it copied completely and without anything else?"
            ) from None
        try:
            answer = read_json(data)
        except ValueError:
            hint = " It may be HELM's own server, which wants keys in addresses: run helm-proxy-server there."
            raise RemoteServiceError(
                f"{url} gave no JSON (HTTP status {response.status}): {data[:200]!r}."
                f"{hint if response.status in (404, 405) else ''}{suffix}"
            ) from None
        error = answer.get("error") if isinstance(answer, dict) else None
        if error and answer.get("success") is None:  # an unsuccessful result has both, and is an answer
            raise RemoteServiceError(f"{error}{suffix}")
        if response.status != 200:
            raise RemoteServiceError(f"{url} gave HTTP status {response.status}.{suffix}")
        return answer

    def _result(
        self,
        route: str,
        auth: Authentication,
        request: Any,
        result_class: type[T],
        sent: dict[str, Any] | None = None,
    ) -> T:
        """Return a result; `sent` is sent in place of the request, which messages quote."""
        request_json = json.dumps(asdict(request))
        fields = {"request": request_json if sent is None else json.dumps(sent)}
        answer = self._ask(route, fields, auth, request_json)
        try:
            return structure(answer, result_class)
        except (TypeError, ValueError, LookupError) as e:
            raise RemoteServiceError(f"{self.base_url}/api/{route} gave no {result_class.__name__}: {e}") from e

    def get_general_info(self) -> GeneralInfo:
        """Return information about the server; `all_models` contains plain dicts."""
        answer = self._ask("general_info", {})
        try:
            queries = [Query(**query) for query in answer.get("example_queries", [])]
            return GeneralInfo(answer["version"], queries, answer.get("all_models", []))
        except (TypeError, LookupError, AttributeError) as e:
            raise RemoteServiceError(f"{self.base_url}/api/general_info gave no general info: {e!r}") from e

    def expand_query(self, query: Query) -> QueryResult:
        return structure(self._ask("query", asdict(query)), QueryResult)

    def make_request(self, auth: Authentication, request: Request) -> RequestResult:
        return self._result("request", auth, request, RequestResult, _with_bytes(request))

    def tokenize(self, auth: Authentication, request: TokenizationRequest) -> TokenizationRequestResult:
        return self._result("tokenize", auth, request, TokenizationRequestResult)

    def decode(self, auth: Authentication, request: DecodeRequest) -> DecodeRequestResult:
        return self._result("decode", auth, request, DecodeRequestResult)

    def get_toxicity_scores(
        self, auth: Authentication, request: "PerspectiveAPIRequest"
    ) -> "PerspectiveAPIRequestResult":
        from helm.common.perspective_api_request import PerspectiveAPIRequestResult

        return self._result("toxicity", auth, request, PerspectiveAPIRequestResult)

    def get_moderation_results(
        self, auth: Authentication, request: "ModerationAPIRequest"
    ) -> "ModerationAPIRequestResult":
        from helm.common.moderations_api_request import ModerationAPIRequestResult

        return self._result("moderation", auth, request, ModerationAPIRequestResult)

    def upload(self, auth: Authentication, request: "FileUploadRequest") -> "FileUploadResult":
        raise NotImplementedError(self.NOT_SUPPORTED_ERROR)

    def check_nudity(self, auth: Authentication, request: "NudityCheckRequest") -> "NudityCheckResult":
        raise NotImplementedError(self.NOT_SUPPORTED_ERROR)

    def compute_clip_score(self, auth: Authentication, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        raise NotImplementedError(self.NOT_SUPPORTED_ERROR)

    def make_critique_request(self, auth: Authentication, request: "CritiqueRequest") -> "CritiqueRequestResult":
        raise NotImplementedError(self.NOT_SUPPORTED_ERROR)

    def shutdown(self, auth: Authentication) -> None:
        """Raise NotImplementedError: a server is ended on its own machine."""
        raise NotImplementedError(self.NOT_SUPPORTED_ERROR)

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        """Return settings that cache nothing: the server caches."""
        return BlackHoleCacheConfig()

    def get_accounts(self, auth: Authentication) -> list["Account"]:
        """Return all accounts, for an administrator."""
        return [_account(value) for value in self._ask("account", {"all": "true"}, auth, method="GET")]

    def get_account(self, auth: Authentication) -> "Account":
        """Return the caller's account."""
        return _account(self._ask("account", {}, auth, method="GET")[0])

    def create_account(self, auth: Authentication) -> "Account":
        return _account(self._ask("account", {}, auth))

    def update_account(self, auth: Authentication, account: "Account") -> "Account":
        return _account(self._ask("account", {"account": json.dumps(asdict(account))}, auth, method="PUT"))

    def rotate_api_key(self, auth: Authentication, account: "Account") -> "Account":
        """Replace the key of an account by a new one."""
        return _account(self._ask("account/api_key", {"account": json.dumps(asdict(account))}, auth, method="PUT"))

    def delete_account(self, auth: Authentication, api_key: str) -> "Account":
        return _account(self._ask("account", {"api_key": api_key}, auth, method="DELETE"))


def _account(value: Any) -> "Account":
    """Read an account of the server. Raises: AccountError."""
    from helm.proxy.accounts import read_account

    return read_account(value)


def _with_bytes(request: Request) -> dict[str, Any]:
    """Return the request with local files inline: the server lacks this machine's files, and reads none for users.

    Raises RemoteServiceError if a file cannot be read.
    """
    from helm.clients.protocols.openai_protocol import base64_of, mime_type

    sent = asdict(request)
    for i, media in enumerate(request.multimodal_prompt.media_objects if request.multimodal_prompt else []):
        if media.is_local_file:
            try:
                location = f"data:{mime_type(media)};base64,{base64_of(media)}"
            except OSError as e:
                raise RemoteServiceError(f"Cannot read {media.location}: {e.strerror}.") from e
            sent["multimodal_prompt"]["media_objects"][i]["location"] = location
    return sent


def add_service_args(parser: argparse.ArgumentParser) -> None:
    """Add `--server-url` and `--api-key-path`."""
    parser.add_argument("--server-url", type=str, default=None, help="Send requests to this proxy server")
    parser.add_argument(
        "--api-key-path", type=str, default=_DEFAULT_API_KEY_PATH, help="File with the key for the proxy server"
    )


def create_authentication(args: argparse.Namespace) -> Authentication:
    """Read the key file named by `--api-key-path`. Raises ConfigError if that is not possible."""
    path: str | None = args.api_key_path
    try:
        with open(path or _DEFAULT_API_KEY_PATH, encoding="utf-8") as file:
            key = file.read().strip()
    except OSError as e:
        raise ConfigError(f"Cannot read the key for the proxy server from {e.filename}: {e.strerror}.") from e
    if not key:
        raise ConfigError(f"The key file {path} for the proxy server is empty.")
    return Authentication(api_key=key)
