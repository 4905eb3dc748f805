"""Exports the pages as files: a folder that can be opened locally, sent to somebody, or put on any web server."""

import hashlib
import html
import os
import re
import shutil
from collections import deque
from urllib.parse import parse_qs, unquote, urlsplit

from helm.benchmark.server.app import STATIC_FOLDER
from helm.benchmark.server.instance_media import find_requested
from helm.benchmark.server.links import page_link
from helm.benchmark.server.viewer import Query, Viewer
from helm.common.errors import ConfigError
from helm.common.files import open_atomically, write_text_atomically
from helm.common.hierarchical_logger import hwarn
from helm.common.media_types import SUFFIXES

_LINK = re.compile(
    r'(?P<before><(?:a|link|script|img|image|audio|video)\b[^>]*?\s(?:href|src)=")(?P<address>/[^"]*)(?P<after>")'
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._=-]+")
# With digest and extension, a name stays far below the 255 bytes that file systems allow.
_LONGEST_NAME = 80


def file_name(address: str) -> str:
    """Return the file of a page, relative to the folder; a short digest keeps apart names that sanitizing makes equal."""
    parts = urlsplit(address)
    if parts.path.startswith("/static/"):
        return parts.path[1:]
    if parts.path == "/" and not parts.query:
        return "index.html"
    page = parts.path.lstrip("/").partition("/")[0] or "leaderboard"
    shown = "-".join([unquote(parts.path.lstrip("/").partition("/")[2]), *sum(parse_qs(parts.query).values(), [])])
    harmless = _UNSAFE.sub("-", shown).strip("-.")[:_LONGEST_NAME]
    digest = hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{page}/{harmless}-{digest}.html" if harmless else f"{page}/index-{digest}.html"


class Exporter:
    """Writes pages, and everything they link to.

    Args:
        viewer: a viewer with static settings.
        max_instances: number of instances per run that get their own page.
    """

    def __init__(self, viewer: Viewer, folder: str, max_instances: int):
        self._viewer, self._folder, self._max_instances = viewer, folder, max_instances
        self._pending: deque[str] = deque()
        self._known: dict[str, bool] = {}
        """Maps URL to whether it has a file."""

        self._instances: dict[str, int] = {}
        self.num_pages = 0
        self.problems: list[str] = []

    def export(self, suites: list[str]) -> None:
        """Write everything about the suites. Raises: ConfigError if the folder is not empty; OSError."""
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise ConfigError(f"{self._folder} is not empty. Name a new folder.")
        os.makedirs(self._folder, exist_ok=True)
        shutil.copytree(STATIC_FOLDER, os.path.join(self._folder, "static"), dirs_exist_ok=True)
        self._wants("/")
        for suite in suites:
            self._wants(page_link("", suite=suite))
        while self._pending:
            self._write(self._pending.popleft())

    def _wants(self, address: str) -> bool:
        """Whether the page has a file; the first call for a page queues it."""
        known = self._known.get(address)
        if known is None:
            known = self._known[address] = self._is_within_limits(address)
            if known:
                self._pending.append(address)
        return known

    def _is_within_limits(self, address: str) -> bool:
        path, _, query = address.partition("?")
        if path.startswith(("/instances/", "/gallery")):
            start = int((parse_qs(query).get("start") or ["0"])[0])
            return start < self._max_instances
        if path.startswith(("/instance/", "/side_by_side/")):
            self._instances[path] = self._instances.get(path, 0) + 1
            return self._instances[path] <= self._max_instances
        return not path.startswith("/benchmark_output/")

    def _write(self, address: str) -> None:
        path, _, query = address.partition("?")
        rendered = self._viewer.respond(path, query)
        if rendered.status != 200 and not (rendered.status == 404 and path in ("/tables",)):
            self.problems.append(f"{address}: status {rendered.status}")
            hwarn(f"{address} could not be exported: status {rendered.status}")
        name = file_name(address)
        depth = name.count("/")
        target = os.path.join(self._folder, *name.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_text_atomically(target, self._relink(rendered.html, "../" * depth))
        self.num_pages += 1

    def _copy_media(self, address: str) -> str | None:
        """Copy a picture, sound or video, each content once; returns its file. None if it is gone."""
        path, _, query = address.partition("?")
        found = find_requested(
            self._viewer, Query(parse_qs(query)), unquote(path[len("/media/") :], errors="surrogateescape")
        )
        if found is None:
            return None
        with open(found[0], "rb") as file:
            name = f"media/{hashlib.file_digest(file, 'sha256').hexdigest()[:32]}{SUFFIXES[found[1]]}"
        target = os.path.join(self._folder, *name.split("/"))
        if not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(found[0], "rb") as source, open_atomically(target, binary=True) as copy:
                shutil.copyfileobj(source, copy)
        return name

    def _relink(self, page: str, up: str) -> str:
        """Replace URLs of pages by file names; links to pages that are not exported become inert."""

        def replace(match: "re.Match[str]") -> str:
            address = html.unescape(match["address"])
            if address.startswith("/media/"):
                kept = self._copy_media(address)
                if kept is None:
                    return match["before"].rpartition(" ")[0] + ' data-not-exported="' + match["after"]
                return match["before"] + html.escape(up + kept, quote=True) + match["after"]
            if address.startswith("/static/") or self._wants(address):
                return match["before"] + html.escape(up + file_name(address), quote=True) + match["after"]
            return match["before"].replace('href="', 'data-not-exported="') + match["after"]

        return _LINK.sub(replace, page)


def export_site(viewer: Viewer, folder: str, max_instances: int, suites: list[str] | None = None) -> Exporter:
    """Write the static site. Returns the exporter, which has the number of pages and the errors."""
    viewer.entries()
    exporter = Exporter(viewer, folder, max_instances)
    exporter.export(suites if suites is not None else viewer.suites())
    return exporter
