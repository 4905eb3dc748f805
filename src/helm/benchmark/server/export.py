"""Exports the pages as a static site: a folder that can be opened from a disk, sent to somebody, or put on any web server.

Boards and the pages of models, scenarios and groups are files of their own. The pages of runs, instances and comparisons are in
compressed shards, one for each run. `view.html`, and its like for each further suite, loads one when a reader opens it. All
addresses are relative.
"""

import hashlib
import html
import os
import re
import shutil
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

from helm.benchmark.server.app import STATIC_FOLDER
from helm.benchmark.server.instance_media import find_requested
from helm.benchmark.server.link_cards import Card, draw_card, find_card
from helm.benchmark.server.links import page_link
from helm.benchmark.server.places import list_places
from helm.benchmark.server.site_files import SearchEntry, card_of, write_crawler_files, write_search
from helm.benchmark.server.site_shards import DEFAULT_EXPORT_MB, START, Shard, find_common_text, write_start
from helm.benchmark.server.viewer import Query, Rendered, Viewer
from helm.common.errors import ConfigError
from helm.common.files import open_atomically, write_text_atomically
from helm.common.hierarchical_logger import hwarn
from helm.common.media_types import SUFFIXES
from helm.results.index.index_folder import RunEntry
from helm.results.run_files.compressed_files import content_size
from helm.results.run_files.run_folder import SCENARIO_STATE_FILE_NAME, stored_path

_LINK = re.compile(
    r'(?P<before><(?:a|link|script|img|image|audio|video)\b[^>]*?\s(?:href|src)=")(?P<address>/[^"]*)(?P<after>")'
)
_MAIN = re.compile(r'<main id="main" tabindex="-1">(.*)</main>', re.DOTALL)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_ROW_LINK = re.compile(r'<a href="(/instance/[^"]*)" data-open>')
_UNSAFE = re.compile(r"[^A-Za-z0-9._=-]+")
# With digest and extension, a name stays far below the 255 bytes that file systems allow.
_LONGEST_NAME = 80

_IN_SHARDS = ("run", "instances", "instance", "side_by_side", "compare")
"""The pages of which there are many; a comparison without runs is a file, as it only lists them."""

_ROWS_PER_LIST = 1000
"""Instances on one page of a list, the most that the page takes."""

_ROWS_PER_CHUNK = 100
"""Instances that are listed at once while the shard of a run is filled."""

_FOR_LISTS = 0.8
"""The part of a run's share of the size that pages of instances may take, if not all fit; the list of them takes the rest."""

_MOST_SAMPLES = 8
"""Runs whose pages are looked at to find what the pages of all have in common."""

_FOR_GALLERIES = 0.5
"""The part of the size that galleries with their pictures may take."""


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


def shard_key(name: str) -> str:
    """Return the key of a shard, from the path of its run, or the query of its comparison."""
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def shard_file(key: str) -> str:
    """Return the file of a shard, relative to the folder of the site. Folders stay small, however many runs there are."""
    return f"data/{key[:2]}/{key}.js"


class Exporter:
    """Writes pages, and everything they link to.

    Args:
        viewer: a viewer with static settings.
        folder: a new or empty folder.
        max_instances: the most instances of a run that get pages.
        max_bytes: the size of the whole site. Boards, models, scenarios and runs are always written; instances as far as there
            is room, with as much for each run.
        url: the address where the site will be, for the list of pages and the cards; None if it is not known.
    """

    def __init__(self, viewer: Viewer, folder: str, max_instances: int, max_bytes: int, url: str | None = None):
        self._viewer, self._folder, self._max_instances = viewer, folder, max_instances
        self._max_bytes, self._url = max_bytes, url
        self._pending: deque[str] = deque()
        self._files: dict[str, None] = {}
        """The addresses of pages that have files, in the order in which they are written."""

        self._runs: dict[str, dict[str, None]] = {}
        """Paths of runs that pages lead to, with the pages of the run that other pages name: these come first."""

        self._num_listed: dict[str, int] = {}
        """How many instances of a run are in its list, once that is known."""

        self._comparisons: dict[str, None] = {}
        self._boards: dict[str, None] = {}
        self._written: set[str] = set()
        """Keys of the shards of boards."""

        self._start = b""
        """What the shards of runs have in common."""

        self._cards: dict[Card, str] = {}
        """The files of pictures for links, by what they show."""

        self._suites: list[str] = []
        self._suite_of: dict[str, str] = {}
        """The suites of runs, by path."""

        self.num_pages = 0
        self.num_bytes = 0
        self.num_cut = 0
        """Runs of which not all wanted instances had room."""

        self.problems: list[str] = []

    def export(self, suites: list[str]) -> None:
        """Write everything about the suites. Raises: ConfigError if the folder is not empty; OSError."""
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise ConfigError(f"{self._folder} is not empty. Name a new folder.")
        os.makedirs(self._folder, exist_ok=True)
        shutil.copytree(STATIC_FOLDER, os.path.join(self._folder, "static"), dirs_exist_ok=True)
        self._suites = suites
        entries = [entry for entry in self._viewer.entries().values() if entry.suite in suites]
        self._runs = {entry.path: {} for entry in entries}
        self._suite_of = {entry.path: entry.suite for entry in entries}
        for address in ("/", *(page_link("", suite=suite) for suite in suites)):
            self._link_to(address)
        while self._pending:
            self._write_file(self._pending.popleft())
        for suite in suites:
            self._write_view(suite)
        num_shards = write_search(self._folder, self._find_search_entries(entries))
        pages = [file_name(address) for address in self._files if not address.startswith("/failed")]
        write_crawler_files(self._folder, pages, self._url)
        self.num_bytes += sum(
            os.path.getsize(os.path.join(folder, name))
            for part in ("static", "search")[: 1 + bool(num_shards)]
            for folder, _, names in os.walk(os.path.join(self._folder, part))
            for name in names
        )
        self._write_shards(entries)
        while self._pending:  # what only pages in shards lead to
            self._write_file(self._pending.popleft())

    # --- addresses ----------------------------------------------------------------------------------------------------

    def _link_to(self, address: str) -> str | None:
        """Return the place of a page in the site, which will be written; None if the site lacks it."""
        place, _, fragment = address.partition("#")
        mark = f"#{fragment}" if fragment else ""
        path, _, query = place.partition("?")
        page, _, rest = path.lstrip("/").partition("/")
        if page in ("benchmark_output", "running", "live"):
            return None
        if page == "compare" and query and "run=" in query:
            self._comparisons.setdefault(query, None)
            first = parse_qs(query)["run"][0]
            return self._shard_link(self._suite_of.get(first), shard_key(f"compare?{query}"), "compare", mark)
        if page in _IN_SHARDS and rest:
            run = unquote(rest, errors="surrogateescape")
            if run not in self._runs:  # of a suite that is not exported
                return None
            name = f"{page}?{query}" if query else page
            if page == "instances":
                start = int((parse_qs(query).get("start") or ["0"])[0])
                if start >= self._num_listed.get(run, self._max_instances):
                    return None
                start -= start % _ROWS_PER_LIST
                name = f"instances?start={start}" if start else "instances"
            if page not in ("run", "instances"):
                if not self._max_instances:
                    return None
                self._runs[run].setdefault(place, None)
            return self._shard_link(self._suite_of[run], shard_key(run), name, mark)
        if not page and "open=" in query:  # a large board with one group opened
            suite = parse_qs(query).get("suite", [None])[0]
            return self._shard_link(suite, self._board_key(query), "board", mark)
        if page == "gallery" and place not in self._files:
            start = int((parse_qs(query).get("start") or ["0"])[0])
            if start >= self._max_instances or self.num_bytes > _FOR_GALLERIES * self._max_bytes:
                return None
        if place not in self._files:
            suites = parse_qs(query).get("suite")
            if suites and suites[0] not in self._suites:
                return None
            self._files[place] = None
            self._pending.append(place)
        return file_name(place) + mark

    def _board_key(self, query: str) -> str:
        self._boards.setdefault(query, None)
        return shard_key(f"board?{query}")

    def _shard_link(self, suite: str | None, key: str, name: str, mark: str) -> str:
        return f"{self._view_of(suite)}#{key}/{name}{mark.replace('#', '!')}"

    def _view_of(self, suite: str | None) -> str:
        """Return the page that shows shards below the navigation of a suite."""
        is_other = suite in self._suites[1:]
        return f"view-{shard_key(str(suite))}.html" if is_other else "view.html"

    def _relink(self, page: str, up: str) -> str:
        """Replace addresses of pages by places in the site; links to what it lacks become inert."""

        def replaced(match: "re.Match[str]") -> str:
            address = html.unescape(match["address"])
            if address.startswith("/media/"):
                kept = self._copy_media(address)
                if kept is None:
                    return match["before"].rpartition(" ")[0] + ' data-not-exported="' + match["after"]
                return match["before"] + html.escape(up + kept, quote=True) + match["after"]
            found = address[1:] if address.startswith("/static/") else self._link_to(address)
            if found is None:
                return match["before"].replace('href="', 'data-not-exported="') + match["after"]
            return match["before"] + html.escape(up + found, quote=True) + match["after"]

        return _LINK.sub(replaced, page)

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
            self.num_bytes += os.path.getsize(target)
        return name

    # --- pages that are files -----------------------------------------------------------------------------------------

    def _respond(self, address: str) -> Rendered:
        path, _, query = address.partition("?")
        rendered = self._viewer.respond(path, query)
        if rendered.status != 200 and not (rendered.status == 404 and path in ("/tables",)):
            self.problems.append(f"{address}: status {rendered.status}")
            hwarn(f"{address} could not be exported: status {rendered.status}")
        return rendered

    def _write_file(self, address: str) -> None:
        name = file_name(address)
        self._write_page(name, self._relink(self._respond(address).html, "../" * name.count("/")), address)

    def _write_view(self, suite: str) -> None:
        """Write the page that shows shards of a suite."""
        view = self._relink(self._viewer.render_view(suite), "")
        self._write_page(self._view_of(suite), view, page_link("", suite=suite))
        while self._pending:
            self._write_file(self._pending.popleft())

    def _write_page(self, name: str, content: str, address: str) -> None:
        picture = self._write_card(find_card(self._viewer, address))
        content = content.replace("</head>", f"{card_of(self._url, name, picture)}</head>", 1)
        target = os.path.join(self._folder, *name.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_text_atomically(target, content)
        self.num_bytes += len(content.encode("utf-8", "surrogatepass"))
        self.num_pages += 1

    def _write_card(self, card: Card) -> str:
        """Write the picture that is shown beside links, once for each content; returns its file."""
        name = self._cards.get(card)
        if name is None:
            content = draw_card(card)
            name = self._cards[card] = f"cards/{hashlib.sha256(content).hexdigest()[:16]}.png"
            target = os.path.join(self._folder, *name.split("/"))
            if not os.path.exists(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open_atomically(target, binary=True) as file:
                    file.write(content)
                self.num_bytes += len(content)
        return name

    def _find_search_entries(self, entries: Sequence[RunEntry]) -> list[SearchEntry]:
        """Return what the search finds: models and scenarios first, then runs."""
        found = [
            replace(entry, link=file_name(entry.link))
            for entry in list_places(self._viewer, self._suites)
            if entry.link in self._files
        ]
        for run in entries:
            link = self._shard_link(self._suite_of[run.path], shard_key(run.path), "run", "")
            found.append(SearchEntry("Run", run.task, f"{run.subject} {run.suite}", link))
        return found

    # --- pages in shards ----------------------------------------------------------------------------------------------

    def _write_shards(self, entries: Sequence[RunEntry]) -> None:
        """Write the shards of runs, the smallest run first, so that what it leaves of its share is for larger ones."""
        while self._boards:
            query = next(iter(self._boards))
            del self._boards[query]
            key = shard_key(f"board?{query}")
            if key not in self._written:
                self._written.add(key)
                shard = Shard(key)
                self._add(shard, "board", f"/?{query}")
                self.num_bytes += self._write_shard(shard)
        by_size = sorted(entries, key=lambda entry: (self._size_of(entry), entry.path))
        self._write_start(by_size)
        for number, entry in enumerate(by_size):
            share = (self._max_bytes - self.num_bytes) / (len(by_size) - number)
            self._write_run(entry, share)
        for query in self._comparisons:
            self._write_comparison(query)

    def _write_start(self, entries: Sequence[RunEntry]) -> None:
        """Find and write what the pages of runs have in common, from runs spread over all."""
        step = -(-len(entries) // _MOST_SAMPLES)
        self._start = find_common_text([self._sample_pages(entry) for entry in entries[::step]] if entries else [])
        path = os.path.join(self._folder, "data", f"{START}.js")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.num_bytes += write_start(path, self._start)

    def _sample_pages(self, entry: RunEntry) -> list[list[str]]:
        """Return the page of a run, its first instance, and its list of a few."""
        addresses = [page_link("run", entry.path)]
        if self._count_instances(entry):
            listed = page_link("instances", entry.path, rows=2)
            first = _ROW_LINK.search(self._respond(listed).html)
            addresses += [listed] if first is None else [html.unescape(first[1]), listed]
        return [self._content_of(address) for address in reversed(addresses)]

    def _size_of(self, entry: RunEntry) -> int:
        path = stored_path(self._viewer.indexer.folder.run_path(entry.path), SCENARIO_STATE_FILE_NAME)
        try:
            return content_size(path)
        except OSError:
            return 0

    def _write_run(self, entry: RunEntry, share: float) -> None:
        """Write a run, the list of its instances, and as many of these as have room."""
        shard = Shard(shard_key(entry.path), self._start)
        self._add(shard, "run", page_link("run", entry.path))
        num_added, total = self._add_instances(shard, entry, share)
        self._num_listed[entry.path] = num_added
        for start in range(0, max(num_added, 1), _ROWS_PER_LIST):
            rows = min(_ROWS_PER_LIST, num_added - start)
            name = f"instances?start={start}" if start else "instances"
            if rows > 0:
                address = page_link("instances", entry.path, start=start or None, rows=rows)
                self._add(shard, name, address)
        if num_added < total:
            shard.add("cut", [num_added, total])
            self.num_cut += num_added < min(total, self._max_instances)
        self.num_bytes += self._write_shard(shard)

    def _add_instances(self, shard: Shard, entry: RunEntry, share: float) -> tuple[int, int]:
        """Add pages of instances. Returns how many have one, and how many there are."""
        total = self._count_instances(entry)
        wanted = min(total, self._max_instances)
        if not wanted:
            return 0, total
        named = self._runs[entry.path]
        room = share * _FOR_LISTS
        num_added = 0
        for start in range(0, wanted, _ROWS_PER_CHUNK):
            rows = min(_ROWS_PER_CHUNK, wanted - start)
            listed = self._respond(page_link("instances", entry.path, start=start or None, rows=rows)).html
            for address in map(html.unescape, _ROW_LINK.findall(listed)):
                if shard.measure() > room:
                    return num_added, total
                self._add(shard, _name_in_shard(address), address)
                num_added += 1
        for address in list(named):  # other views: whole texts, other epochs, episodes side by side
            if shard.measure() > room:
                break
            self._add(shard, _name_in_shard(address), address)
        return num_added, total

    def _count_instances(self, entry: RunEntry) -> int:
        if self._max_instances == 0 or not self._size_of(entry):
            return 0
        index = self._viewer.indexer.open_instances(entry.path, wanted_rows=10**9)
        if index is None:
            return 0
        with index:
            return index.count()

    def _write_comparison(self, query: str) -> None:
        shard = Shard(shard_key(f"compare?{query}"), self._start)
        if self.num_bytes < self._max_bytes:
            self._add(shard, "compare", f"/compare?{query}")
        self.num_bytes += self._write_shard(shard)

    def _add(self, shard: Shard, name: str, address: str) -> None:
        if name not in shard:
            shard.add(name, self._content_of(address))
            self.num_pages += 1

    def _content_of(self, address: str) -> list[str]:
        """Return a page as a shard has it: its title, and what is inside of `main`, with links as from `view.html`."""
        page = self._respond(address).html
        main, title = _MAIN.search(page), _TITLE.search(page)
        if main is None or title is None:
            raise AssertionError(f"{address}: the page has no main part or no title")
        return [html.unescape(title[1]), self._relink(main[1], "")]

    def _write_shard(self, shard: Shard) -> int:
        target = os.path.join(self._folder, *shard_file(shard.key).split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return shard.write(target)


def _name_in_shard(address: str) -> str:
    path, _, query = address.partition("?")
    page = path.lstrip("/").partition("/")[0]
    return f"{page}?{query}" if query else page


def export_site(
    viewer: Viewer,
    folder: str,
    max_instances: int,
    suites: list[str] | None = None,
    max_bytes: int = DEFAULT_EXPORT_MB * 10**6,
    url: str | None = None,
) -> Exporter:
    """Write the static site. Returns the exporter, which has the number of pages and the errors."""
    viewer.entries()
    exporter = Exporter(viewer, folder, max_instances, max_bytes, url)
    exporter.export(suites if suites is not None else viewer.suites())
    return exporter
