"""The models, scenarios and groups of suites, as a search lists them."""

from collections.abc import Sequence

from helm.benchmark.server.home_page import find_boards
from helm.benchmark.server.links import page_link
from helm.benchmark.server.site_files import SearchEntry
from helm.benchmark.server.viewer import Query, Viewer


def list_places(viewer: Viewer, suites: Sequence[str]) -> list[SearchEntry]:
    """Return the subjects and the scenarios of suites; links are addresses of the viewer."""
    found = []
    for suite in suites:
        _, entries = viewer.suite_entries(Query({"suite": [suite]}))
        where = suite if len(suites) > 1 else ""
        boards = find_boards(viewer, suite, entries)
        for board in boards:
            for row in board.rows:
                detail = " ".join(filter(None, (row.subject, row.name.creator, where)))
                link = page_link("subject", row.subject, suite=suite)
                found.append(SearchEntry(board.kind.row_title, row.name.title, detail, link))
        for board in boards:
            group = None if board.scope is None or board.kind.has_ratio_scores else board.scope.group
            if group is not None:
                detail = " ".join(filter(None, (group.name, where)))
                found.append(SearchEntry("Group", board.title, detail, page_link("group", group.name, suite=suite)))
            for column in board.all_columns:
                if column.is_group:
                    link = page_link("group", column.group, suite=suite)
                    found.append(SearchEntry("Group", column.title, f"{column.group} {where}".strip(), link))
                else:
                    link = page_link("scenario", column.task, suite=suite)
                    detail = " ".join(filter(None, (column.task, board.title, where)))
                    found.append(SearchEntry("Scenario", column.title or column.task, detail, link))
    return list({entry.link: entry for entry in found}.values())
