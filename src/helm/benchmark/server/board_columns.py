"""Gathers the tasks of a leaderboard into columns of scenarios, and these into columns of groups."""

from collections.abc import Sequence
from dataclasses import replace

from helm.benchmark.server.board_parts import Column, Row
from helm.benchmark.server.board_scope import Scope, get_strategy, title_of
from helm.benchmark.server.board_sums import OVERALL_TITLES, mean_cell, sum_up
from helm.benchmark.server.task_labels import family_of, label_tasks
from helm.results.index.index_folder import RunEntry
from helm.results.schema import RunGroup


def gather_families(
    columns: Sequence[Column], rows: Sequence[Row], opened: set[str], scope: Scope | None = None
) -> list[Column]:
    """Return a column for each scenario, the mean of its tasks if there are several with one metric."""
    found = []
    for name, (group, shown, tasks) in _families_of(columns, rows, scope).items():
        are_alike = len({(task.metric, task.lower_is_better, task.unit) for task in tasks}) == 1
        titles = {task.title for task in tasks}
        title = shown or (titles.pop() if len(titles) == 1 else "")
        labels = label_tasks([task.task for task in tasks])
        for task in tasks:
            task.group = group
            task.known_metric_title = "" if scope is None else scope.metric_title(task.metric)
        if len(tasks) == 1 or not are_alike or tasks[0].is_ratio:
            for task, label in zip(tasks, labels, strict=True):
                task.title = ": ".join(filter(None, (title or task.title or name, label)))
            found += tasks
            _mark_contamination(tasks, rows, scope)
            continue
        first = tasks[0]
        family = Column(f"{name}:*", first.metric, title or name, tasks=tasks, group=group)
        family.known_metric_title, family.counts = first.known_metric_title, first.counts
        family.lower_is_better, family.unit, family.is_open = first.lower_is_better, first.unit, family.task in opened
        for task, label in zip(tasks, labels, strict=True):
            task.title, task.depth = label, 1
        for row in rows:
            cell = mean_cell([row.cells[task.task] for task in tasks if task.task in row.cells], family)
            if cell is not None:
                row.cells[family.task] = cell
        _mark_contamination([family, *tasks], rows, scope)
        found.append(family)
    return found


def gather_groups(
    scope: Scope, top: RunGroup, scenarios: Sequence[Column], rows: Sequence[Row], opened: set[str]
) -> list[Column]:
    """Return a column for each group below the board's that gathers others, and those of scenarios that none of them gathers."""
    found: list[Column] = []
    placed: set[str] = set()
    for group in (scope.schema.name_to_run_group.get(name) for name in top.subgroups):
        if group is None:
            continue
        names = {below.name for below in scope.schema.expand_subgroups(group)}
        parts = [column for column in scenarios if column.group in names and column.task not in placed]
        placed.update(column.task for column in parts)
        strategy = get_strategy(scope.schema, group)
        if not group.subgroups or sum(part.counts for part in parts) < 2 or not strategy:
            found += parts
            continue
        column = Column(f"{group.name}/*", OVERALL_TITLES[strategy][0], title_of(group), tasks=parts, group=group.name)
        column.lower_is_better, column.is_open = False, f"{group.name}/*" in opened
        for part in parts:
            for below in (part, *part.all_parts):
                below.depth += 1
        counting = [part for part in parts if part.counts]
        for row, cell in zip(rows, sum_up(counting, rows, strategy), strict=True):
            if cell is not None:
                row.cells[column.task] = cell
        found.append(column)
    return found + [column for column in scenarios if column.task not in placed]


def _families_of(
    columns: Sequence[Column], rows: Sequence[Row], scope: Scope | None
) -> dict[str, tuple[str, str, list[Column]]]:
    """Return the tasks of each scenario, with the name of its group in the schema and its title; in the schema's order."""
    found: dict[str, tuple[str, str, list[Column]]] = {}
    leaves = [] if scope is None else scope.leaves
    order = {group.name: number for number, group in enumerate(leaves)}
    entries: dict[str, RunEntry] = {}
    for row in rows:
        for entry in row.entries:
            entries.setdefault(entry.task, entry)
    for column in columns:
        groups = [] if scope is None else scope.leaves_of(entries[column.task])
        for group in groups:
            if group.name not in found:
                found[group.name] = (group.name, title_of(group) if group.display_name else "", [])
            known = found[group.name][2]
            known.append(column if group is groups[0] else replace(column))
        if not groups:
            found.setdefault(family_of(column.task), ("", "", []))[2].append(column)
    return dict(sorted(found.items(), key=lambda item: order.get(item[1][0], len(order))))


def _mark_contamination(columns: Sequence[Column], rows: Sequence[Row], scope: Scope | None) -> None:
    for row in rows if scope is not None else ():
        for column in columns:
            cell = row.cells.get(column.task)
            if cell is not None and column.group and scope is not None:
                cell.contamination = scope.find_contamination(row.subject, column.group)


def name_columns(columns: Sequence[Column], scope: Scope | None) -> None:
    for column in columns if scope is not None else ():
        column.known_metric_title = scope.metric_title(column.metric) if scope is not None else ""
