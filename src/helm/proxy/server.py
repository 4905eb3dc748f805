"""`helm-proxy-server` makes requests to models for users, who need a key of the server but no keys of providers."""

from __future__ import annotations

import argparse
import json
import os
import threading
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import (
    TYPE_CHECKING,
    Any,
    TypeVar,
)
from urllib.parse import parse_qsl, urlsplit

from helm.common.authentication import ADMIN_KEY_FILE
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.common.authentication import Authentication
    from helm.common.local_context import LocalContext
    from helm.proxy.accounts import Accounts

T = TypeVar("T")

DEFAULT_PORT = 1959
MEDIA_DIR = "media"
# HELM's client puts requests into the URL, including prompts of long contexts.
_LONGEST_REQUEST_LINE = 64 << 20

# Bodies may contain images and audio.
_LONGEST_BODY = 256 << 20
# Longer bodies are only read with a valid key.
_LONGEST_BODY_OF_STRANGERS = 1 << 20

# More than any route has; requests with more are refused before they are parsed.
_MOST_FIELDS = 20
_FORM = "application/x-www-form-urlencoded"


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="helm-proxy-server",
        description="Answer requests of helm-run --server-url with the models, keys and cache of this machine.",
        epilog="Example: helm-proxy-server --port 1959. Then: helm-run --server-url http://localhost:1959 "
        f"--api-key-path prod_env/{ADMIN_KEY_FILE} ...",
    )
    add = parser.add_argument
    add("-p", "--port", type=int, default=DEFAULT_PORT, metavar="N", help="(%(default)s)")
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen at (%(default)s: this machine only)")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which it may be asked, besides localhost and addresses; may be repeated",
    )
    add(
        "--allow-media-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a host at which prompts may name images and sounds, which providers fetch; may be repeated",
    )
    add("-b", "--base-path", default="prod_env", metavar="FOLDER", help="credentials, accounts and cache (%(default)s)")
    add("-w", "--workers", type=int, default=8, metavar="N", help="requests that are worked on at once (%(default)s)")
    add("-t", "--timeout", type=float, default=300.0, metavar="SECONDS", help="longest silence of a user (%(default)s)")
    add("--mongo-uri", default="", metavar="URI", help="HELM's cache in a MongoDB: refused; see --cache-uri")
    add("--cache-uri", metavar="URI", help="cache responses in this PostgreSQL or Redis")
    add("--ssl-key-file", metavar="FILE", help="key for https; with --ssl-cert-file")
    add("--ssl-cert-file", metavar="FILE", help="certificate for https")
    return parser


class ProxyService:
    """Implements the routes: one method each, from the query's fields to the JSON answer.

    Args:
        media_hosts: the hosts of media that prompts may name; see `UserRequests`.
    """

    def __init__(self, context: LocalContext, accounts: Accounts, workers: int = 8, media_hosts: Collection[str] = ()):
        from helm.proxy.services.server_service import ServerService
        from helm.proxy.services.service import CACHE_DIR
        from helm.proxy.token_counters.token_counter import EstimatingTokenCounter
        from helm.proxy.user_requests import UserRequests

        self._service = ServerService.from_parts(context, accounts, EstimatingTokenCounter())
        self._accounts = accounts
        self._requests = UserRequests(os.path.join(context.base_path, CACHE_DIR, MEDIA_DIR), media_hosts)
        self._turns = threading.BoundedSemaphore(workers)
        self.routes: dict[str, Callable[[Mapping[str, str]], Any]] = {
            "GET request": self._request,
            "GET tokenize": self._tokenize,
            "GET decode": self._decode,
            "GET toxicity": self._toxicity,
            "GET moderation": self._moderation,
            "GET general_info": self._general_info,
            "GET query": self._query,
            "GET account": self._get_accounts,
            "POST account": self._create_account,
            "PUT account": self._update_account,
            "DELETE account": self._delete_account,
            "PUT account/api_key": self._rotate_key,
        }
        for name in ("request", "tokenize", "decode", "toxicity", "moderation", "general_info", "query"):
            self.routes[f"POST {name}"] = self.routes[f"GET {name}"]  # HELM uses GET, but URLs end up in logs

    def answer(self, name: str, fields: Mapping[str, str]) -> Any:
        with self._turns:
            return self.routes[name](fields)

    def check_admin(self, fields: Mapping[str, str]) -> None:
        self._accounts.check_admin(_auth(fields))

    def knows(self, key: str | None) -> bool:
        """Return whether an account has this key."""
        from helm.common.authentication import Authentication
        from helm.proxy.accounts import AccountError

        try:
            self._accounts.authenticate(Authentication(key or ""))
        except AccountError:
            return False
        return True

    # --- models -------------------------------------------------------------------------------------------------------

    def _request(self, fields: Mapping[str, str]) -> Any:
        auth = _auth(fields)
        account = self._accounts.authenticate(auth)
        request = self._requests.read_request(_json(fields, "request"), account.is_admin)
        answer = asdict(self._service.make_request(auth, request))
        for completion in answer["completions"]:
            for token in completion["tokens"]:
                token["top_logprobs"] = {}  # HELM: older versions had them
        return answer

    def _tokenize(self, fields: Mapping[str, str]) -> Any:
        from helm.common.tokenization_request import TokenizationRequest
        from helm.proxy.user_requests import check_tokenizer

        auth = _auth(fields)
        self._accounts.authenticate(auth)
        request = _read(fields, "request", TokenizationRequest)
        check_tokenizer(request.tokenizer)
        return asdict(self._service.tokenize(auth, request))

    def _decode(self, fields: Mapping[str, str]) -> Any:
        from helm.common.tokenization_request import DecodeRequest
        from helm.proxy.user_requests import check_tokenizer

        auth = _auth(fields)
        self._accounts.authenticate(auth)
        request = _read(fields, "request", DecodeRequest)
        check_tokenizer(request.tokenizer)
        return asdict(self._service.decode(auth, request))

    def _toxicity(self, fields: Mapping[str, str]) -> Any:
        from helm.common.perspective_api_request import PerspectiveAPIRequest

        auth = _auth(fields)
        self._accounts.authenticate(auth)
        return asdict(self._service.get_toxicity_scores(auth, _read(fields, "request", PerspectiveAPIRequest)))

    def _moderation(self, fields: Mapping[str, str]) -> Any:
        from helm.common.moderations_api_request import ModerationAPIRequest

        auth = _auth(fields)
        self._accounts.authenticate(auth)
        return asdict(self._service.get_moderation_results(auth, _read(fields, "request", ModerationAPIRequest)))

    # --- about the server ---------------------------------------------------------------------------------------------

    def _general_info(self, fields: Mapping[str, str]) -> Any:
        info = asdict(self._service.get_general_info())
        for model in info["all_models"]:
            model["release_date"] = None  # HELM: its client accepts dates only, and JSON has none
        return info

    def _query(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.query import Query
        from helm.proxy.user_requests import expand_query_of_strangers

        query = Query(fields.get("prompt", ""), fields.get("settings", ""), fields.get("environments", ""))
        return asdict(expand_query_of_strangers(query))

    # --- accounts -----------------------------------------------------------------------------------------------------

    def _get_accounts(self, fields: Mapping[str, str]) -> list[Any]:
        """Return the user's own account, or all of them for an administrator with `all=true`."""
        auth = _auth(fields)
        is_all = fields.get("all", "").lower() == "true"
        return [
            asdict(account)
            for account in (self._accounts.get_all_accounts(auth) if is_all else [self._accounts.authenticate(auth)])
        ]

    def _create_account(self, fields: Mapping[str, str]) -> Any:
        return asdict(self._accounts.create_account(_auth(fields)))

    def _update_account(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.accounts import read_account

        return asdict(self._accounts.update_account(_auth(fields), read_account(_json(fields, "account"))))

    def _delete_account(self, fields: Mapping[str, str]) -> Any:
        return asdict(self._accounts.delete_account(_auth(fields), _field(fields, "api_key")))

    def _rotate_key(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.accounts import read_account

        return asdict(self._accounts.rotate_api_key(_auth(fields), read_account(_json(fields, "account"))))


def _field(fields: Mapping[str, str], name: str) -> str:
    from helm.common.errors import ConfigError

    if name not in fields:
        raise ConfigError(f"The query needs the field '{name}'.")
    return fields[name]


def _json(fields: Mapping[str, str], name: str) -> Any:
    from helm.common.errors import ConfigError
    from helm.common.formats.json_reading import read_json

    text = _field(fields, name)
    try:
        return read_json(text)
    except ValueError as e:
        raise ConfigError(f"The field '{name}' of the query is not JSON: {e}") from e


def _auth(fields: Mapping[str, str]) -> Authentication:
    from helm.common.authentication import Authentication
    from helm.common.errors import ConfigError

    value = _json(fields, "auth")
    if not isinstance(value, dict) or not isinstance(value.get("api_key"), str):
        raise ConfigError('The field \'auth\' of the query must be like {"api_key": "..."}.')
    return Authentication(value["api_key"])


def _read(fields: Mapping[str, str], name: str, kind: type[T]) -> T:
    from helm.proxy.user_requests import read_as

    return read_as(_json(fields, name), name, kind)


class ProxyServer(ThreadingHTTPServer):
    """The service at an address.

    Args:
        timeout_s: the longest silence of a user in the middle of a request.
        allowed_hosts: names by which it may be addressed, besides IP addresses and `localhost`.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(
        self,
        service: ProxyService,
        host: str = "127.0.0.1",
        port: int = 0,
        timeout_s: float = 300.0,
        allowed_hosts: Collection[str] = (),
    ):
        self.service, self.allowed_hosts = service, [host, *allowed_hosts]
        super().__init__((host, port), type("_TimedHandler", (_Handler,), {"timeout": timeout_s}))

    @property
    def url(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ProxyServer

    def handle_one_request(self) -> None:
        """Handle a request like the standard library, but allow longer lines."""
        try:
            self.raw_requestline = self.rfile.readline(_LONGEST_REQUEST_LINE + 1)
        except OSError:  # silent for too long, disconnected, or not speaking TLS
            self.close_connection = True
            return
        if not self.raw_requestline:
            self.close_connection = True
            return
        if len(self.raw_requestline) > _LONGEST_REQUEST_LINE:
            self.requestline = self.request_version = self.command = ""
            self.send_error(414)
            return
        if self.parse_request():
            self._answer()

    def _answer(self) -> None:
        refusal = self._refusal()
        try:
            form = b"" if refusal else self.rfile.read(int(self.headers.get("Content-Length") or 0))
        except OSError:
            self.close_connection = True  # the user has disconnected, or is silent
            return
        try:
            status, value = refusal or self._do(form.decode("utf-8", errors="replace"))
            data = json.dumps(value).encode("ascii")
        except Exception as e:  # any error is reported to the user, and the server continues
            status, data = 200, json.dumps({"error": _describe(e)}).encode("ascii")
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            if status != 200:
                self.send_header("Connection", "close")  # and it is closed: the body may not have been read
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True  # the user has gone

    def _refusal(self) -> tuple[int, dict[str, str]] | None:
        """Return the answer, before the body is read, to requests from other sites' pages or with unacceptable bodies."""
        from helm.common.data.allowed_hosts import is_allowed_host, is_of_other_page

        host = self.headers.get("Host", "")
        if not is_allowed_host(host, self.server.allowed_hosts):
            return 421, {"error": "This server is not asked under this name: see --allow-host, or use its address."}
        if is_of_other_page(host, self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")):
            return 403, {"error": "Pages of other sites may not ask this server."}
        length = self.headers.get("Content-Length") or "0"
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit()):
            return 411, {"error": "A body needs its Content-Length."}
        if int(length) > _LONGEST_BODY:
            return 413, {"error": f"A body may have {_LONGEST_BODY >> 20} MiB."}
        if int(length) and self.headers.get_content_type() != _FORM:
            return 415, {"error": f"A body is of the type {_FORM}, not {self.headers.get_content_type()}."}
        if int(length) > _LONGEST_BODY_OF_STRANGERS and not self.server.service.knows(self._key()):
            return 401, {"error": "No account has this API key. Large bodies need one in the header Authorization."}
        return None

    def _key(self) -> str | None:
        """Return the key in the header `Authorization`, if any."""
        kind, _, key = self.headers.get("Authorization", "").partition(" ")
        return key.strip() if kind.lower() == "bearer" else None

    def _do(self, form: str) -> tuple[int, Any]:
        """Return (status, answer). Exceptions of any kind are passed on."""
        parts = urlsplit(self.path)
        fields: dict[str, str] = {}
        for text in (parts.query, form):  # HELM's client changes accounts by forms
            fields.update(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        key = self._key()
        if key is not None:
            fields["auth"] = json.dumps({"api_key": key})
        name = f"{self.command} {parts.path.removeprefix('/api/')}"
        service = self.server.service
        if not parts.path.startswith("/api/") or name not in (*service.routes, "GET shutdown", "POST shutdown"):
            return 404, {"error": f"There is no {self.command} {parts.path} here."}
        if name.endswith(" shutdown"):
            service.check_admin(fields)
            threading.Thread(target=self.server.shutdown).start()
            return 200, {}
        return 200, service.answer(name, fields)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because the URLs of HELM's client contain keys."""


def _describe(error: Exception) -> str:
    """Describe an error like HELM's server, but without the traceback, which goes to this server's log."""
    from helm.common.errors import HelmError
    from helm.common.hierarchical_logger import herror

    if isinstance(error, HelmError):
        return f"EXCEPTION: {error}"
    text = f"EXCEPTION: {type(error).__name__}: {error}"
    herror(f"{text}\n{traceback.format_exc()}")
    return text


def make_service(args: argparse.Namespace) -> ProxyService:
    """Create the service. Raises ConfigError or AccountError."""
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )
    from helm.common.cache_backend_config import CacheBackendConfig, SharedCacheBackendConfig, SqliteCacheBackendConfig
    from helm.common.commands.plugins import load_entry_point_plugins
    from helm.common.errors import ConfigError
    from helm.common.local_context import LocalContext
    from helm.proxy.accounts import Accounts
    from helm.proxy.services.service import ACCOUNTS_FILE, CACHE_DIR

    if args.mongo_uri:
        from helm.common.mongo_key_value_store import refuse_mongo

        refuse_mongo()
    if args.workers < 1:
        raise ConfigError(f"--workers takes 1 or more, not {args.workers}.")
    if bool(args.ssl_key_file) != bool(args.ssl_cert_file):
        raise ConfigError("--ssl-key-file and --ssl-cert-file must be given together.")
    register_builtin_configs_from_helm_package()
    register_configs_from_directory(args.base_path)
    load_entry_point_plugins()
    cache_path = os.path.join(args.base_path, CACHE_DIR)
    config: CacheBackendConfig = SqliteCacheBackendConfig(cache_path)
    if args.cache_uri:
        config = SharedCacheBackendConfig(args.cache_uri)
    context = LocalContext(args.base_path, config)
    accounts = Accounts(os.path.join(args.base_path, ACCOUNTS_FILE))
    key = accounts.ensure_administrator()
    if key is not None:
        _hand_over(key, os.path.join(args.base_path, ADMIN_KEY_FILE))
    return ProxyService(context, accounts, args.workers, args.allow_media_host)


def _hand_over(key: str, path: str) -> None:
    """Write the administrator's key to a file that only its owner can read, and to the terminal, which is not logged."""
    from helm.proxy.services.server_service import write_key

    place = path
    try:
        write_key(key, path)
    except OSError as e:
        place = f"no file ({path}: {e.strerror})"
    print(f"Key of the administrator, shown this once and kept in {place}: {key}", flush=True)


def encrypt(server: ProxyServer, cert_file: str, key_file: str) -> None:
    """Use https. The handshake is done in the connection's thread, so that a silent user does not block others."""
    import ssl

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert_file, key_file)
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 shut down, also by Ctrl-C; 1 could not start; 2 bad arguments."""
    from helm.common.errors import ConfigError
    from helm.common.hierarchical_logger import hlog, setup_default_logging
    from helm.common.key_value_store import SqliteKeyValueStore

    setup_default_logging()
    if not 0 <= args.port <= 65535:
        raise ConfigError(f"--port takes a number from 0 to 65535, not {args.port}.")
    service = make_service(args)
    server = ProxyServer(service, args.host, args.port, args.timeout, args.allow_host)
    scheme = "http"
    if args.ssl_cert_file:
        encrypt(server, args.ssl_cert_file, args.ssl_key_file)
        scheme = "https"
    hlog(f"Listening at {scheme}://{args.host}:{server.server_port}")
    try:
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        pass  # the usual end
    finally:
        server.server_close()
        SqliteKeyValueStore.commit_all()
        SqliteKeyValueStore.close_all()


if __name__ == "__main__":
    main()
