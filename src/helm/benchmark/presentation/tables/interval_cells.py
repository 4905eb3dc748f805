"""Adds confidence intervals to the cells of tables, kept apart from HELM's files."""

import marshal
import math
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

from helm.benchmark.presentation.display_writer import DisplayWriter
from helm.benchmark.presentation.summary import Summary
from helm.benchmark.presentation.table import Cell, Table
from helm.common.hierarchical_logger import hwarn
from helm.common.packed_list import PackedStore, Place
from helm.results.board import mark_column
from helm.results.interval_file import needs_intervals, read_score_facts
from helm.results.run_files.run_folder import RunFileError
from helm.results.run_files.run_reader import Run
from helm.results.schema import MetricNameMatcher
from helm.results.score_facts import ScoreKey
from helm.results.statistics.intervals import MeanFacts, combine_means, estimate_from_facts

Facts = Mapping[ScoreKey, MeanFacts]


class IntervalCells:
    """Adds an estimate to every cell whose value is a mean over instances.

    Args:
        get_facts: returns the means and variances of a run's scores, given the path of its folder.
        metrics: the metrics of the tables, so that facts of others are not kept; None keeps all.
        folder: where the disk has room for a file of the facts; None, and a full disk, keeps them in memory.
    """

    def __init__(
        self,
        get_facts: Callable[[str], Facts] | None = None,
        metrics: Container[str] | None = None,
        folder: str | None = None,
    ):
        self._get_facts = get_facts or read_facts
        self._metrics = metrics
        self._known = _KnownFacts(folder)

    def add(self, table: Table) -> None:
        """Add estimates to a table. Cells that are not such a mean, or whose parts do not add up to the value, get none."""
        found: list[list[MeanFacts | None]] = []
        for row in table.rows:
            found.append([self._facts_of(cell) for cell in row])
            for cell, facts in zip(row, found[-1], strict=True):
                if facts is not None:
                    cell.estimate = estimate_from_facts(facts)
        for index, head in enumerate(table.header):
            if head.value == "Mean score":
                _add_means(table, index, found)
            elif head.value == "Mean win rate":
                _add_win_rates(table, index, found)

    def take_stored(self, run_path: str) -> bool:
        """Take the facts of a run from `intervals.json`; returns whether they are there and up to date."""
        found = read_score_facts(run_path)
        if found is not None:
            self._keep(run_path, found)
        return found is not None

    def _keep(self, run_path: str, found: Facts) -> None:
        if self._metrics is not None:
            found = {key: facts for key, facts in found.items() if key.name in self._metrics}
        self._known.add(run_path, found)

    def _facts_of(self, cell: Cell) -> MeanFacts | None:
        if not cell.sources or not isinstance(cell.value, (int, float)):
            return None
        parts: list[tuple[float, MeanFacts]] = []
        counts = Counter(run.run_path for run, _ in cell.sources)  # a run in two groups of the table appears twice
        for run, matcher in {run.run_path: (run, matcher) for run, matcher in cell.sources}.values():
            of_run = self._parts_of(run, matcher)
            if of_run is None:
                return None
            parts += [(weight * counts[run.run_path], facts) for weight, facts in of_run]
        combined = combine_means(parts)
        return combined if combined is not None and _is_close(combined.mean, cell.value) else None

    def _parts_of(self, run: Run, matcher: MetricNameMatcher) -> list[tuple[float, MeanFacts]] | None:
        """Return the statistics that a matcher selects, with their weights; None if instances do not explain one of them."""
        if run.run_path not in self._known:
            self._keep(run.run_path, self._get_facts(run.run_path))
        facts_of_run = self._known.get(run.run_path)
        parts: list[tuple[float, MeanFacts]] = []
        for stat in run.stats_matching(matcher):
            if not stat.count:
                continue
            key = (stat.name.name, stat.name.split, stat.name.sub_split, matcher.perturbation_name)
            values = facts_of_run.get(key)
            if values is None or stat.mean is None:
                return None
            facts = MeanFacts(*values)
            if not _is_close(facts.mean, stat.mean):
                return None
            parts.append((float(stat.count), facts))
        return parts


_key_values = attrgetter(*[field.name for field in fields(ScoreKey)])
_fact_values = attrgetter(*[field.name for field in fields(MeanFacts)])


_PlainFacts = dict[tuple[str | None, ...], tuple[Any, ...]]
_MOST_IN_MEMORY = 100


class _KnownFacts:
    """The facts of runs, by the paths of their folders. A run has some kilobytes of them, which are in a file."""

    def __init__(self, folder: str | None):
        self._store = None if folder is None else PackedStore(folder)
        self._places: dict[str, Place] = {}
        self._recent: dict[str, _PlainFacts] = {}

    def __contains__(self, run_path: str) -> bool:
        return run_path in self._places

    def add(self, run_path: str, facts: Facts) -> None:
        data = marshal.dumps({_key_values(key): _fact_values(found) for key, found in facts.items()})
        self._places[run_path] = data if self._store is None else self._store.keep(data)

    def get(self, run_path: str) -> _PlainFacts:
        """Return the fields of the facts by those of their keys."""
        found = self._recent.get(run_path)
        if found is None:
            if len(self._recent) == _MOST_IN_MEMORY:
                self._recent.clear()
            found = self._recent[run_path] = self._read(run_path)
        return found

    def _read(self, run_path: str) -> _PlainFacts:
        data = self._places[run_path]
        if not isinstance(data, bytes):
            assert self._store is not None
            data = self._store.read(*data)
        found: _PlainFacts = marshal.loads(data)  # noqa: S302  # made above
        return found


def read_facts(run_path: str) -> Facts:
    """Return the facts of a run; none if its files are missing or (with a warning) damaged."""
    from helm.results.run_results import RunResults
    from helm.results.scores import get_score_facts, has_instances

    run = RunResults(run_path)
    if not has_instances(run):
        return {}
    try:
        return get_score_facts(run)
    except (RunFileError, OSError) as e:
        hwarn(f"{e} The scores of this run are shown without intervals.")
        return {}


def _is_close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12)


def _add_means(table: Table, index: int, found: Sequence[Sequence[MeanFacts | None]]) -> None:
    """Add intervals to the mean over columns: the columns are fixed, and their instances are a sample."""
    for row, facts_of_row in zip(table.rows, found, strict=True):
        valued = [
            facts for cell, facts in zip(row, facts_of_row, strict=True) if cell.value is not None and cell.sources
        ]
        if valued and all(facts is not None for facts in valued) and row[index].value is not None:
            combined = combine_means([(1.0, facts) for facts in valued if facts is not None])
            if combined is not None and _is_close(combined.mean, row[index].value):
                row[index].estimate = estimate_from_facts(combined)


def _add_win_rates(table: Table, index: int, found: Sequence[Sequence[MeanFacts | None]]) -> None:
    """Add intervals to win rates, based on those of the scores; none where one of these is unknown."""
    columns = [i for i, head in enumerate(table.header) if head.lower_is_better is not None and i != index]
    columns = [i for i in columns if any(row[i].sources for row in table.rows)]
    for i in columns:
        for row, facts_of_row in zip(table.rows, found, strict=True):
            facts = facts_of_row[i]
            if row[i].value is not None and (facts is None or facts.variance is None):
                return
    if not columns or len(table.rows) < 2:
        return
    from helm.results.statistics.ranking import estimate_win_rates

    scores = tuple(
        (tuple(facts[i] if row[i].value is not None else None for row, facts in zip(table.rows, found, strict=True)),
         bool(table.header[i].lower_is_better))
        for i in columns
    )  # fmt: skip
    for row, estimate in zip(table.rows, estimate_win_rates(scores), strict=True):
        value = row[index].value
        if estimate is not None and estimate.low is not None and estimate.high is not None and value is not None:
            low, high = min(estimate.low, float(value)), max(estimate.high, float(value))
            row[index].estimate = replace(estimate, value=float(value), low=low, high=high)


@dataclass(frozen=True)
class _IntervalTask:
    run_path: str


def _make_intervals(task: _IntervalTask) -> None:
    """Write `intervals.json`; errors are left to the next reader of the run, in the process that reports them."""
    from helm.results.run_results import RunResults
    from helm.results.scores import get_score_facts

    try:
        get_score_facts(RunResults(task.run_path))
    except (RunFileError, OSError):
        pass


class SummaryIntervals:
    """Adds estimates to all tables of a summary; the stored facts of its runs are read when it is created."""

    def __init__(self, summary: Summary):
        self._summary = summary
        shown = {
            matcher.name
            for tables in summary.tables.values()
            for table in tables
            for row in table.rows
            for cell in row
            for _, matcher in cell.sources
        }
        self._cells = IntervalCells(metrics=shown, folder=summary.path or None)
        self.lacking = [run.run_path for run in summary.runs if not self._cells.take_stored(run.run_path)]
        """The folders of runs whose `intervals.json` is missing or outdated."""

    def make(self, num_processes: int) -> None:
        """Write what is lacking, as far as nobody has meanwhile, and where the files for it are there."""
        tasks = [_IntervalTask(path) for path in self.lacking if needs_intervals(path)]
        writer = DisplayWriter(tasks, num_processes, _make_intervals)
        if writer.start():
            writer.finish()

    def add(self) -> None:
        """Add the estimates. Facts that are still lacking are computed."""
        for tables in self._summary.tables.values():
            for number, table in enumerate(tables):
                self._cells.add(table)
                mark_columns(table)
                tables[number] = table  # they may be in a file


def add_intervals(summary: Summary, num_processes: int = 1) -> None:
    """Add estimates to all tables of a summary; writes `intervals.json` to the folders of runs that lack it."""
    intervals = SummaryIntervals(summary)
    intervals.make(num_processes)
    intervals.add()


def mark_columns(table: Table) -> None:
    """Mark the best values of each column with a direction, once the estimates exist."""
    for index, head in enumerate(table.header):
        if head.lower_is_better is None:
            continue
        for row in table.rows:
            row[index].parts = len({run.run_path for run, _ in row[index].sources}) or 1
            if not row[index].sources:
                row[index].answered = _answered_of_row(row)
        mark_column([row[index] for row in table.rows], head.lower_is_better)


def _answered_of_row(row: Sequence[Cell]) -> float | None:
    """Return the coverage of a summary column, from that of the columns it summarizes."""
    known = [cell.answered for cell in row if cell.sources and cell.answered is not None]
    return math.fsum(known) / len(known) if known else None
