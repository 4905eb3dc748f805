"""Matches the runs of several subjects by task."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.benchmark.subjects import kind_of_run
from helm.common.errors import ConfigError
from helm.results.run_results import RunResults

_SUBJECT_ARGUMENTS = re.compile(r"(?<=[:,])(model|model_deployment|tool|compiler)=[^,]*(,|$)")


@dataclass(frozen=True)
class Subject:
    """A subject of comparison: a model, a tool or a policy, in one version."""

    label: str

    runs: Sequence[RunResults]


@dataclass(frozen=True)
class MatchedTask:
    """The runs of all subjects for the same task."""

    label: str

    parts: Mapping[str, Sequence[RunResults]]
    """One run per subject, in their order, by the name of the part. The programs of a compiler are parts of one task; all
    others have a single part."""


def task_key(run: RunResults) -> str:
    """Return a run's name without the subject: runs of different subjects for the same task have the same key."""
    return _SUBJECT_ARGUMENTS.sub("", run.name).rstrip(",:")


def match_tasks(subjects: Sequence[Subject]) -> tuple[list[MatchedTask], list[str]]:
    """Return the tasks that all subjects have, and a description of the others.

    Single runs are matched whatever their names, because a user who names two runs wants them compared. Raises ConfigError
    if a subject has a task twice.
    """
    if all(len(subject.runs) == 1 for subject in subjects):
        runs = [subject.runs[0] for subject in subjects]
        keys = list(dict.fromkeys(map(task_key, runs)))
        return [MatchedTask(keys[0] if len(keys) == 1 else " / ".join(keys), {"": runs})], []
    by_key: list[dict[str, RunResults]] = []
    use_names = any(len({task_key(run) for run in subject.runs}) < len(subject.runs) for subject in subjects)
    for subject in subjects:
        found: dict[str, RunResults] = {}
        for run in subject.runs:
            other = found.setdefault(run.name if use_names else task_key(run), run)
            if other is not run:
                raise ConfigError(f"{subject.label}: {other.path} and {run.path} are the same task; name one of them.")
        by_key.append(found)
    common = [key for key in by_key[0] if all(key in found for found in by_key[1:])]
    leftover = []
    for subject, found in zip(subjects, by_key, strict=True):
        leftover += [f"{key}: only {subject.label}" for key in found if key not in common and len(subjects) == 2]
    if len(subjects) > 2:
        everything = dict.fromkeys(key for found in by_key for key in found)
        for key in everything:
            if key not in common:
                lacking = [s.label for s, found in zip(subjects, by_key, strict=True) if key not in found]
                leftover.append(f"{key}: not {', '.join(lacking)}")
    pools: dict[str, dict[str, list[RunResults]]] = {}
    for key in common:
        runs = [found[key] for found in by_key]
        is_pooled = all(kind_of_run(run.run_spec).pools_tasks for run in runs)
        pools.setdefault(key.partition(":")[0] if is_pooled else key, {})[key] = runs
    tasks = []
    for label, parts in pools.items():
        shown = label if len(parts) == 1 else f"{label} ({len(parts)} programs)"
        tasks.append(MatchedTask(next(iter(parts)) if len(parts) == 1 else shown, parts))
    return tasks, leftover


def group_subjects(subjects: Sequence[Subject]) -> list[list[Subject]]:
    """Group subjects that share tasks, directly or through others: models, AD tools and policies are separated."""
    groups: list[tuple[set[str], list[Subject]]] = []
    for subject in subjects:
        keys = {task_key(run) for run in subject.runs}
        joined = [group for group in groups if group[0] & keys]
        merged = (
            keys.union(*(found for found, _ in joined)),
            [s for _, members in joined for s in members] + [subject],
        )
        groups = [group for group in groups if group not in joined] + [merged]
    return [members for _, members in groups]
