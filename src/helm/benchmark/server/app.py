"""Connects HTTP to the pages: access rules, other resources, and security headers."""

import os
import sqlite3
import stat
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, unquote

from helm.benchmark.server.instance_media import find_requested
from helm.benchmark.server.viewer import BadQuery, PageNotFound, Query, Viewer
from helm.common.commands.output_path import RELEASES_FOLDER, RUNS_FOLDER
from helm.common.data.allowed_hosts import is_allowed_host
from helm.common.errors import HelmError
from helm.common.optional_dependencies import needs_extra
from helm.results.schema import get_default_schema_path

STATIC_FOLDER = os.path.join(os.path.dirname(__file__), "static")
_STATIC_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_RESULT_TYPES = {
    ".json": "application/json", ".journal": "text/plain; charset=utf-8", ".csv": "text/csv; charset=utf-8",
    ".tex": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
    ".jsonl": "text/plain; charset=utf-8", ".png": "image/png",
}  # fmt: skip
"""Types to display. Anything else is downloaded instead: HTML among the results must not run as one of our pages."""

DOWNLOAD = "download=1"
"""The query with which any file is downloaded: what episodes left is never shown."""

_SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_NOT_KEPT = {"Cache-Control": "no-cache, no-store, must-revalidate", "Expires": "0"}


def find_file(folder: str, path: str) -> str | None:
    """Return the regular file at a path below a folder. None if it does not exist or is outside, perhaps through a link."""
    if "\0" in path or "\\" in path:
        return None
    root = os.path.realpath(folder)
    found = os.path.realpath(os.path.join(root, *path.split("/")))
    if not found.startswith(root.rstrip(os.sep) + os.sep):
        return None
    parts = os.path.relpath(found, root).split(os.sep)
    if any(part.startswith(".") for part in parts):
        return None
    try:
        return found if stat.S_ISREG(os.stat(found).st_mode) else None
    except OSError:
        return None


def config_script(viewer: Viewer) -> str:
    """Return `config.js` for HELM's page: the location of the results, and which are shown."""
    import json

    settings = viewer.settings
    viewer.entries()  # suites are known only after the search for runs
    version = (
        f"window.RELEASE = {json.dumps(settings.release)};"
        if settings.release
        else f"window.SUITE = {json.dumps(viewer.choose_suite(Query({})))};"
    )
    return (
        'window.BENCHMARK_OUTPUT_BASE_URL = "benchmark_output";\n'
        f"{version}\n"
        f"window.PROJECT_ID = {json.dumps(settings.project)};\n"
    )


def create_app(viewer: Viewer, allowed_hosts: Iterable[str] = (), cache_output_path: str | None = None) -> Any:
    """Create the ASGI application.

    Args:
        allowed_hosts: host names to accept besides IP addresses and `localhost`.
        cache_output_path: a folder served under `/cache/output`, as in HELM's server.

    Raises: OptionalDependencyNotInstalled without Starlette.
    """
    with needs_extra("server"):
        from starlette.applications import Starlette
        from starlette.concurrency import run_in_threadpool
        from starlette.requests import Request
        from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
        from starlette.routing import Route

    hosts: list[str] = list(allowed_hosts)

    def answer_file(path: str | None, types: dict[str, str]) -> Any:
        if path is None:
            return PlainTextResponse("There is no such file.", 404)
        kind = types.get(os.path.splitext(path)[1])
        if kind is None:
            name = os.path.basename(path).encode("utf-8", "replace").decode("utf-8")
            return FileResponse(path, media_type="application/octet-stream", filename=name)
        return FileResponse(path, media_type=kind)

    def answer(path: str, query: str) -> Any:
        if path.startswith("/static/"):
            return answer_file(find_file(STATIC_FOLDER, path[len("/static/") :]), _STATIC_TYPES)
        if path.startswith("/benchmark_output/"):
            return answer_results(path[len("/benchmark_output/") :], query)
        if path.startswith("/cache/output/") and cache_output_path is not None:
            return answer_file(find_file(cache_output_path, path[len("/cache/output/") :]), _RESULT_TYPES)
        if path.startswith("/media/"):
            return answer_media(unquote(path[len("/media/") :], errors="surrogateescape"), query)
        if path == "/config.js":
            return Response(config_script(viewer), media_type="application/javascript; charset=UTF-8")
        rendered = viewer.respond(path, query)
        return HTMLResponse(rendered.html.encode("utf-8", "replace"), rendered.status)

    def answer_media(path: str, query: str) -> Any:
        try:
            viewer.entry(path)  # only of runs that exist: the address may name any folder
            found = find_requested(viewer, Query(parse_qs(query, max_num_fields=20, errors="replace")), path)
        except (BadQuery, PageNotFound, ValueError):
            found = None
        if found is None:
            return PlainTextResponse("There is no such file.", 404)
        return FileResponse(found[0], media_type=found[1])

    def answer_results(path: str, query: str) -> Any:
        first = path.split("/", 1)[0]
        if first not in (RUNS_FOLDER, RELEASES_FOLDER):  # data that scenarios downloaded are private
            return PlainTextResponse("There is no such file.", 404)
        found = find_file(os.path.join(viewer.output_path, first), path[len(first) + 1 :])
        if found is None and path.count("/") == 2 and path.endswith("/schema.json"):
            return Response(_default_schema(), media_type="application/json")
        return answer_file(found, {} if query == DOWNLOAD else _RESULT_TYPES)

    async def respond(request: Request) -> Any:
        if not is_allowed_host(request.headers.get("host", ""), hosts):
            return PlainTextResponse("This name is not served; see --allow-host.", 421)
        path = request.scope["path"]
        try:
            response = await run_in_threadpool(answer, path, request.scope["query_string"].decode("latin-1"))
        except (HelmError, OSError, sqlite3.Error) as e:  # a damaged index, or a file that is gone meanwhile
            response = PlainTextResponse(f"This could not be read: {e}", 500)
        response.headers.update(_SECURITY_HEADERS)
        response.headers.update(_NOT_KEPT)
        return response

    return Starlette(routes=[Route("/{path:path}", respond, methods=["GET"])])


def _default_schema() -> bytes:
    """Return the display schema of the package, as JSON."""
    import json

    from helm.common.files import load_yaml

    return json.dumps(load_yaml(get_default_schema_path()), indent=2).encode()
