"""The models, scenarios and groups of suites, as a search lists them."""

from collections.abc import Sequence

from helm.benchmark.server.leaderboard import make_board
from helm.benchmark.server.links import page_link
from helm.benchmark.server.site_files import SearchEntry
from helm.benchmark.server.viewer import Query, Viewer
from helm.benchmark.subjects import subject_kinds


def list_places(viewer: Viewer, suites: Sequence[str]) -> list[SearchEntry]:
    """Return the subjects and the scenarios of suites; links are addresses of the viewer."""
    found = []
    for suite in suites:
        _, entries = viewer.suite_entries(Query({"suite": [suite]}))
        where = suite if len(suites) > 1 else ""
        for kind in subject_kinds():
            board = make_board(kind, [entry for entry in entries if entry.subject_kind is kind])
            for row in board.rows:
                detail = " ".join(filter(None, (row.subject, row.name.creator, where)))
                found.append(
                    SearchEntry(kind.row_title, row.name.title, detail, page_link("subject", row.subject, suite=suite))
                )
    return found
