"""`helm-proxy-server`: requests to models for others, who need a key of the server and none of the providers."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import traceback
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from helm.common.authentication import Authentication
    from helm.common.context import Context
    from helm.proxy.accounts import Accounts

DEFAULT_PORT = 1959
_LONGEST_REQUEST_LINE = 64 << 20
"""Requests are in the address, prompts of long contexts included."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="helm-proxy-server",
        description="Answer requests of helm-run --server-url with the models, keys and cache of this machine.",
        epilog="Example: helm-proxy-server --port 1959. Then: echo root > proxy_api_key.txt; "
        "helm-run --server-url http://localhost:1959 ...",
    )
    add = parser.add_argument
    add("-p", "--port", type=int, default=DEFAULT_PORT, metavar="N", help="(%(default)s)")
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen at (%(default)s: this machine only)")
    add("-b", "--base-path", default="prod_env", metavar="FOLDER", help="credentials, accounts and cache (%(default)s)")
    add("-w", "--workers", type=int, default=8, metavar="N", help="requests that are worked on at once (%(default)s)")
    add("-t", "--timeout", type=float, default=300.0, metavar="SECONDS", help="longest silence of a user (%(default)s)")
    add("--mongo-uri", default="", metavar="URI", help="cache responses in this MongoDB")
    add("--cache-uri", metavar="URI", help="cache responses in this PostgreSQL or Redis")
    add("--ssl-key-file", metavar="FILE", help="key for https; with --ssl-cert-file")
    add("--ssl-cert-file", metavar="FILE", help="certificate for https")
    return parser


class ProxyService:
    """What the routes do: one method for each, from the query's fields to what is sent as JSON."""

    def __init__(self, context: Context, accounts: Accounts, workers: int = 8):
        self._context, self._accounts = context, accounts
        self._turns = threading.BoundedSemaphore(workers)
        self.routes: Dict[str, Callable[[Mapping[str, str]], Any]] = {
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

    def answer(self, name: str, fields: Mapping[str, str]) -> Any:
        with self._turns:
            return self.routes[name](fields)

    def check_admin(self, fields: Mapping[str, str]) -> None:
        self._accounts.check_admin(_auth(fields))

    # --- models -------------------------------------------------------------------------------------------------------

    def _request(self, fields: Mapping[str, str]) -> Any:
        from helm.common.request import Request
        from helm.proxy.accounts import model_group

        auth = _auth(fields)
        self._accounts.authenticate(auth)
        request = _read(fields, "request", Request)
        group = model_group(request.model_deployment)
        self._accounts.check_can_use(auth, group)
        result = self._context.make_request(request)
        if result.success and not result.cached:
            self._accounts.use(auth, group, _num_units(request, result))
        answer = asdict(result)
        for completion in answer["completions"]:
            for token in completion["tokens"]:
                token["top_logprobs"] = {}  # HELM: older versions had them
        return answer

    def _tokenize(self, fields: Mapping[str, str]) -> Any:
        from helm.common.tokenization_request import TokenizationRequest

        self._accounts.authenticate(_auth(fields))
        return asdict(self._context.tokenize(_read(fields, "request", TokenizationRequest)))

    def _decode(self, fields: Mapping[str, str]) -> Any:
        from helm.common.tokenization_request import DecodeRequest

        self._accounts.authenticate(_auth(fields))
        return asdict(self._context.decode(_read(fields, "request", DecodeRequest)))

    def _toxicity(self, fields: Mapping[str, str]) -> Any:
        from helm.common.perspective_api_request import PerspectiveAPIRequest

        self._accounts.authenticate(_auth(fields))
        return asdict(self._context.get_toxicity_scores(_read(fields, "request", PerspectiveAPIRequest)))

    def _moderation(self, fields: Mapping[str, str]) -> Any:
        from helm.common.moderations_api_request import ModerationAPIRequest

        self._accounts.authenticate(_auth(fields))
        return asdict(self._context.get_moderation_results(_read(fields, "request", ModerationAPIRequest)))

    # --- about the server ---------------------------------------------------------------------------------------------

    def _general_info(self, fields: Mapping[str, str]) -> Any:
        info = asdict(self._context.get_general_info())
        for model in info["all_models"]:
            model["release_date"] = None  # HELM: its client accepts dates only, and JSON has none
        return info

    def _query(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.query import Query
        from helm.proxy.services.service import expand_query

        query = Query(fields.get("prompt", ""), fields.get("settings", ""), fields.get("environments", ""))
        return asdict(expand_query(query))

    # --- accounts -----------------------------------------------------------------------------------------------------

    def _get_accounts(self, fields: Mapping[str, str]) -> List[Any]:
        """One's own; all of them for an administrator who asks with `all=true`."""
        auth = _auth(fields)
        is_all = fields.get("all", "").lower() == "true"
        return [
            asdict(account)
            for account in (self._accounts.get_all(auth) if is_all else [self._accounts.authenticate(auth)])
        ]

    def _create_account(self, fields: Mapping[str, str]) -> Any:
        return asdict(self._accounts.create(_auth(fields)))

    def _update_account(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.accounts import read_account

        return asdict(self._accounts.update(_auth(fields), read_account(_json(fields, "account"))))

    def _delete_account(self, fields: Mapping[str, str]) -> Any:
        return asdict(self._accounts.delete(_auth(fields), _field(fields, "api_key")))

    def _rotate_key(self, fields: Mapping[str, str]) -> Any:
        from helm.proxy.accounts import read_account

        return asdict(self._accounts.rotate_key(_auth(fields), read_account(_json(fields, "account")).api_key))


def _num_units(request: Any, result: Any) -> int:
    """What a quota counts: tokens of prompt and answers as the provider counts them, else roughly; at least 1."""
    if result.usage is not None:
        return max(1, result.usage.prompt_tokens + result.usage.completion_tokens)
    texts = [request.prompt, *(completion.text for completion in result.completions)]
    return max(1, sum(len(text) for text in texts) // 4)


def _field(fields: Mapping[str, str], name: str) -> str:
    from helm.common.errors import ConfigError

    if name not in fields:
        raise ConfigError(f"The query needs the field '{name}'.")
    return fields[name]


def _json(fields: Mapping[str, str], name: str) -> Any:
    from helm.common.errors import ConfigError

    text = _field(fields, name)
    try:
        return json.loads(text)
    except ValueError as e:
        raise ConfigError(f"The field '{name}' of the query is not JSON: {e}") from e


def _auth(fields: Mapping[str, str]) -> Authentication:
    from helm.common.authentication import Authentication
    from helm.common.errors import ConfigError

    value = _json(fields, "auth")
    if not isinstance(value, dict) or not isinstance(value.get("api_key"), str):
        raise ConfigError('The field \'auth\' of the query must be like {"api_key": "..."}.')
    return Authentication(value["api_key"])


def _read(fields: Mapping[str, str], name: str, kind: Any) -> Any:
    from helm.common.codec import structure
    from helm.common.errors import ConfigError

    value = _json(fields, name)
    try:
        return structure(value, kind)
    except (TypeError, ValueError, LookupError) as e:
        raise ConfigError(f"The field '{name}' of the query is no {kind.__name__}: {e}") from e


class ProxyServer(ThreadingHTTPServer):
    """The service at an address.

    Args:
        timeout_s: longest silence of a user in the middle of a request.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, service: ProxyService, host: str = "127.0.0.1", port: int = 0, timeout_s: float = 300.0):
        self.service = service
        super().__init__((host, port), type("_TimedHandler", (_Handler,), {"timeout": timeout_s}))

    @property
    def url(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ProxyServer

    def handle_one_request(self) -> None:
        """As in the standard library, but for the length of the line."""
        try:
            self.raw_requestline = self.rfile.readline(_LONGEST_REQUEST_LINE + 1)
        except TimeoutError:
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
            self.wfile.flush()

    def _answer(self) -> None:
        form = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", errors="replace")
        parts = urlsplit(self.path)
        fields = dict(parse_qsl(parts.query, keep_blank_values=True))
        fields.update(parse_qsl(form, keep_blank_values=True))  # HELM's client changes accounts by forms
        name = f"{self.command} {parts.path.removeprefix('/api/')}"
        service = self.server.service
        status, value = 200, None
        try:
            if name == "GET shutdown":
                service.check_admin(fields)
                threading.Thread(target=self.server.shutdown).start()
                value = {}
            elif parts.path.startswith("/api/") and name in service.routes:
                value = service.answer(name, fields)
            else:
                status, value = 404, {"error": f"There is no {self.command} {parts.path} here."}
        except Exception as e:  # whatever it is, the user is told, and the server goes on
            value = {"error": _describe(e)}
        data = json.dumps(value).encode("ascii")
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True  # the user has gone

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: addresses hold keys."""


def _describe(error: Exception) -> str:
    """As HELM's server says it; what users can mend without a traceback."""
    from helm.common.errors import HelmError
    from helm.common.hierarchical_logger import herror

    text = f"EXCEPTION: {error}"
    if not isinstance(error, HelmError):
        text = f"EXCEPTION: {type(error).__name__}: {error}\n{traceback.format_exc()}"
        herror(text)
    return text


def make_service(args: argparse.Namespace) -> ProxyService:
    """Raises: ConfigError, AccountError."""
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )
    from helm.common.cache_backend_config import (
        CacheBackendConfig,
        MongoCacheBackendConfig,
        SharedCacheBackendConfig,
        SqliteCacheBackendConfig,
    )
    from helm.common.errors import ConfigError
    from helm.common.hierarchical_logger import hwarn
    from helm.common.local_context import LocalContext
    from helm.common.plugins import load_entry_point_plugins
    from helm.proxy.accounts import ROOT_KEY, Accounts
    from helm.proxy.services.service import ACCOUNTS_FILE, CACHE_DIR

    if args.workers < 1:
        raise ConfigError(f"--workers takes 1 or more, not {args.workers}.")
    if bool(args.ssl_key_file) != bool(args.ssl_cert_file):
        raise ConfigError("--ssl-key-file and --ssl-cert-file go together.")
    register_builtin_configs_from_helm_package()
    register_configs_from_directory(args.base_path)
    load_entry_point_plugins()
    cache_path = os.path.join(args.base_path, CACHE_DIR)
    config: CacheBackendConfig = SqliteCacheBackendConfig(cache_path)
    if args.cache_uri:
        config = SharedCacheBackendConfig(args.cache_uri)
    elif args.mongo_uri:
        config = MongoCacheBackendConfig(args.mongo_uri)
    context = LocalContext(args.base_path, config)
    accounts = Accounts(os.path.join(args.base_path, ACCOUNTS_FILE))
    if args.host not in _LOOPBACK and accounts.has_root_key():
        hwarn(
            f"Whoever reaches {args.host}:{args.port} is an administrator with the key '{ROOT_KEY}': give that account "
            "another one (PUT /api/account/api_key)."
        )
    return ProxyService(context, accounts, args.workers)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """The command. Exit status: 0 shut down, also by Ctrl-C; 1 it could not start; 2 bad arguments."""
    args = build_parser().parse_args(argv)
    from helm.common.errors import HelmError
    from helm.common.hierarchical_logger import hlog, setup_default_logging
    from helm.common.key_value_store import SqliteKeyValueStore

    setup_default_logging()
    try:
        service = make_service(args)
        server = ProxyServer(service, args.host, args.port, args.timeout)
        scheme = "http"
        if args.ssl_cert_file:
            import ssl

            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(args.ssl_cert_file, args.ssl_key_file)
            server.socket = tls.wrap_socket(server.socket, server_side=True)
            scheme = "https"
    except (HelmError, OSError) as e:
        sys.stderr.write(f"helm-proxy-server: error: {e}\n")
        raise SystemExit(1) from None
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
