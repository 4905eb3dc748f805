"""Finds the row of an instance in a run's index."""

from helm.benchmark.server.links import perturbation_mark
from helm.benchmark.server.viewer import PageNotFound, Query
from helm.results.index.index_query import RunIndex, UnitFilter, UnitRow

_ROWS_AT_ONCE = 1000


def find_unit(index: RunIndex, query: Query) -> UnitRow:
    """Return the row that a URL names. Raises: PageNotFound, BadQuery."""
    instance_id, mark = query.get("id"), query.get("p")
    trial = query.integer("trial", 0)
    for unit in index.versions(instance_id):
        if unit.trial == trial and (perturbation_mark(unit.perturbation, unit.perturbation_key) or "") == mark:
            return unit
    raise PageNotFound(
        f"The run has no instance '{instance_id[:200]}' {f'({mark[:100]}) ' if mark else ''}in trial {trial}."
    )


def find_next_failed(index: RunIndex, unit: UnitRow, metric: str) -> UnitRow | None:
    """Return the next instance of a run that is wrong or was not solved; None if none follows."""
    if not metric or metric not in index.state.metrics:
        return None
    start = 0
    while rows := index.page(UnitFilter(metric=metric, high=1 - 1e-9), start, _ROWS_AT_ONCE, []):
        found = next((row for row in rows if row.number > unit.number), None)
        if found is not None:
            return found
        start += len(rows)
    return None
