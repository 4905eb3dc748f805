"""Maps a URL to a page: the function that makes it, with what every page shows. Used for HTTP and for exports."""

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, unquote

from helm.benchmark.server import formatting
from helm.benchmark.server.instance_verdict import title_metric
from helm.benchmark.server.links import instance_link, page_link
from helm.benchmark.subjects import SubjectKind, subject_kinds
from helm.common.errors import HelmError, suggest
from helm.common.formats.number_text import format_usd
from helm.common.formats.terminal_text import read_spans
from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.progress_report import FILE_NAME as PROGRESS_FILE_NAME
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_worker import Indexer
from helm.results.run_files.run_folder import list_folders

_FIRST_SUMMARIES_S = 8.0
"""How long the first page waits for summaries of runs before it shows those that exist."""


class PageNotFound(HelmError):
    """There is no page at this URL."""


class BadQuery(HelmError):
    """A parameter of the URL is invalid."""


@dataclass(frozen=True)
class Query:
    """The parameters of a URL."""

    values: Mapping[str, Sequence[str]]

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a parameter."""
        return next(iter(self.values.get(name, ())), default)

    def all(self, name: str) -> list[str]:
        return list(self.values.get(name, ()))

    def integer(self, name: str, default: int, lowest: int = 0, highest: int = 10**9) -> int:
        """Return a whole number in the range. Raises: BadQuery for anything else."""
        text = self.get(name)
        if not text:
            return default
        if not text.isascii() or not text.isdigit() or len(text) > 10 or not lowest <= int(text) <= highest:
            raise BadQuery(f"{name} takes a whole number from {lowest} to {highest}, not '{text[:40]}'.")
        return int(text)

    def number(self, name: str) -> float | None:
        """Return a number; None if it is not given. Raises: BadQuery for anything else."""
        text = self.get(name).strip()
        if not text:
            return None
        try:
            return float(text)
        except ValueError:
            raise BadQuery(f"{name} takes a number, not '{text[:40]}'.") from None

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return one of the choices, by default the first. Raises: BadQuery for anything else."""
        text = self.get(name) or choices[0]
        if text not in choices:
            raise BadQuery(f"{name} takes {', '.join(filter(None, choices))}, not '{text[:40]}'.")
        return text


@dataclass(frozen=True)
class Page:
    """The result of a page function."""

    template: str

    values: dict[str, Any]

    refresh_s: int | None = None
    """Seconds after which the page reloads itself because it will have changed."""


@dataclass(frozen=True)
class Rendered:
    """A finished page."""

    status: int

    html: str


@dataclass
class Settings:
    """The settings from the command line."""

    suite: str | None = None
    """The suite shown first."""

    release: str | None = None

    project: str = "lite"

    is_static: bool = False
    """Whether pages are exported: no forms, no links to what only a server can answer."""

    waits: bool = False
    """Whether to wait until all numbers are there, however long it takes."""

    rows_per_page: int = 50

    media_folder: str | None = None
    """The folder with pictures that models made, beside that of the results; None if there is none."""


_FILTERS = (
    "number", "score", "interval", "percent", "seconds", "moment", "size", "pretty_json", "ratio_of_log", "ratio", "breakable",
)  # fmt: skip

PageFunction = Callable[["Viewer", Query, str], Page]

_PAGES: dict[str, tuple[str, str]] = {
    "": ("home_page", "leaderboard"),
    "subject": ("subject_page", "subject"),
    "scenario": ("scenario_page", "scenario"),
    "group": ("scenario_page", "group"),
    "runs": ("run_pages", "runs"),
    "run": ("run_pages", "run"),
    "instances": ("instance_pages", "instances"),
    "instance": ("instance_pages", "instance"),
    "side_by_side": ("transcript_page", "side_by_side"),
    "running": ("transcript_page", "running"),
    "compare": ("compare_page", "compare"),
    "tools": ("tool_page", "tools"),
    "compilers": ("compiler_page", "compilers"),
    "tables": ("table_page", "tables"),
    "live": ("live_page", "live"),
    "failed": ("failed_page", "failed"),
    "gallery": ("gallery_page", "gallery"),
}
"""Maps the first part of a URL to module and function."""


@dataclass
class Viewer:
    """Renders pages."""

    indexer: Indexer

    settings: Settings = field(default_factory=Settings)

    kept: dict[tuple[str, str], Any] = field(default_factory=dict)
    """What the pages of an export share, as nothing changes during one, by kind and suite."""

    _has_waited: bool = False

    _sections: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    """What the navigation offers for each suite, with the version of the index for which it was counted."""

    @property
    def output_path(self) -> str:
        return self.indexer.folder.output_path

    def respond(self, path: str, query_string: str = "") -> Rendered:
        """Return the page at a URL; an error yields a page too."""
        try:
            query = Query(parse_qs(query_string, keep_blank_values=False, max_num_fields=200, errors="replace"))
        except ValueError:
            return self._render_problem(400, "The address has too many parameters.", Query({}))
        try:
            name, _, rest = path.lstrip("/").partition("/")
            if name not in _PAGES:
                raise PageNotFound(f"There is no page /{name[:80]}.{suggest(name, _PAGES)}")
            module, function = _PAGES[name]
            make: PageFunction = getattr(import_module(f"helm.benchmark.server.{module}"), function)
            page = make(self, query, unquote(rest, errors="surrogateescape"))
            return Rendered(200, self._render(page.template, query, refresh_s=page.refresh_s, **page.values))
        except PageNotFound as e:
            return self._render_problem(404, str(e), query)
        except BadQuery as e:
            return self._render_problem(400, str(e), query)
        except (HelmError, OSError, sqlite3.Error) as e:
            return self._render_problem(500, str(e), query)

    def _render_problem(self, status: int, message: str, query: Query) -> Rendered:
        return Rendered(status, self._render("problem.html", query, status=status, message=message))

    def _render(self, template: str, query: Query, **values: Any) -> str:
        entry = values.get("entry") or next(iter(values.get("entries") or ()), None)
        sections: dict[str, int] = {}
        try:
            suites = self.suites()
            suite = entry.suite if isinstance(entry, RunEntry) else self.choose_suite(query)
            sections = self._find_sections(suite)
        except (HelmError, OSError, sqlite3.Error):  # the page itself reports the problem; this is only its frame
            suites, suite = [], query.get("suite")
        common = {
            "suites": suites, "suite": suite, "sections": sections, "is_static": self.settings.is_static, "query": query,
            "entries_found": len(self.indexer.scan.signatures), "outside": self.indexer.scan.outside,
            "kind_pages": [(kind.page, kind.title) for kind in subject_kinds() if kind.page],
            "num_without_summary": self.indexer.num_without_summary, "refresh_s": None,
            "num_without_facts": self.indexer.num_without_facts, "page_name": template.partition(".")[0],
        }  # fmt: skip
        return str(_templates().get_template(template).render({**common, **values}))

    def render_view(self, suite: str) -> str:
        """Return the page of a static site that shows what is in shards."""
        return self._render("view.html", Query({"suite": [suite]}))

    def prepare(self) -> None:
        """Load the templates, so that no reader has to wait for that."""
        for name in _templates().list_templates():
            _templates().get_template(name)

    # --- runs ---------------------------------------------------------------------------------------------------------

    def entries(self) -> dict[str, RunEntry]:
        """Return all runs, by path."""
        self.look()
        return self.indexer.folder.entries()

    def look(self) -> None:
        """Look for new and changed runs, and wait a little for what tables show of them."""
        wait_s = 1.0 if self._has_waited else _FIRST_SUMMARIES_S
        self._has_waited = True
        self.indexer.look(wait_s)

    def entry(self, path: str) -> RunEntry:
        """Return the run at a path. Raises: PageNotFound."""
        self.indexer.look()
        found = self.indexer.folder.known_entry(path) or self.indexer.provisional_entry(path)
        if found is None:
            shown = path.encode("utf-8", "replace").decode("utf-8")[:200]
            raise PageNotFound(f"There is no run {shown}.{suggest(shown, self.indexer.folder.entries())}")
        return found

    def suites(self) -> list[str]:
        """Return the names of suites, sorted."""
        known = set(self.indexer.folder.suites())
        folder = self.indexer.folder.runs_folder
        for name in list_folders(folder):  # a suite that has only just started
            if os.path.isfile(os.path.join(folder, name, PROGRESS_FILE_NAME)):
                known.add(name)
        return sorted(known)

    def choose_suite(self, query: Query) -> str:
        """Return the suite in the URL, else the command's, else the most recently changed one."""
        named = query.get("suite")
        suites = self.suites()
        if named:
            if named not in suites:
                raise PageNotFound(f"There is no suite {named[:200]}.{suggest(named, suites)}")
            return named
        if self.settings.suite in suites:
            return str(self.settings.suite)
        folder = self.indexer.folder.runs_folder
        return max(suites, key=lambda name: (_changed(os.path.join(folder, name)), name), default="")

    def suite_entries(
        self, query: Query, kind: SubjectKind | None = None, with_failed: bool = False
    ) -> tuple[str, list[RunEntry]]:
        """Return the suite that a URL refers to, and its runs (of one kind). Raises: PageNotFound.

        Failed runs are not results, and are left out unless requested.
        """
        self.look()
        suite = self.choose_suite(query)
        found = self.indexer.folder.suite_entries(suite).values()
        return suite, [
            entry for entry in found if kind in (None, entry.subject_kind) and (with_failed or entry.status != "failed")
        ]

    def _find_sections(self, suite: str) -> dict[str, int]:
        """Count the runs per kind of subject, the failed ones, and those with a gallery: what the navigation offers."""
        version = self.indexer.folder.version
        known = self._sections.get(suite)
        if known is not None and known[0] == version:
            return known[1]
        entries = self.indexer.folder.suite_entries(suite)
        version = self.indexer.folder.version
        found: dict[str, int] = {}
        for entry in entries.values():
            name = "failed" if entry.status == "failed" else entry.subject_kind.page
            found[name] = found.get(name, 0) + 1
            if name != "failed" and entry.summary.get("makes_pictures"):
                found["gallery"] = found.get("gallery", 0) + 1
        self._sections[suite] = version, found
        return found

    def refresh_while_busy(self) -> int | None:
        """Make pages of tables reload while their numbers are being computed."""
        return 3 if self.indexer.num_pending() and not self.settings.is_static else None


@cache
def _templates() -> Any:
    """Return Jinja's environment, which escapes everything and compiles each template once in a process.

    Raises: OptionalDependencyNotInstalled without Jinja.
    """
    with needs_extra("server"):
        import jinja2
    folder = os.path.join(os.path.dirname(__file__), "templates")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in _FILTERS:
        environment.filters[name] = getattr(formatting, name)
    environment.filters["usd"] = format_usd
    environment.filters["spans"] = read_spans
    environment.filters["metric_title"] = title_metric
    environment.globals.update(page_link=page_link, instance_link=instance_link)
    return environment


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _finalize(value: Any) -> Any:
    return formatting.visible(value) if type(value) is str else value


def find_coverage(entry: RunEntry) -> Mapping[str, Any] | None:
    """From the run's `coverage.json`, or counted anew for runs that have none."""
    return entry.summary.get("coverage") or (entry.facts or {}).get("coverage")


def find_answered(entry: RunEntry) -> float | None:
    """Share of what a run asked that has an answer, or worked; None: not known."""
    coverage = find_coverage(entry)
    return coverage["answered"] / coverage["asked"] if coverage and coverage["asked"] else None
