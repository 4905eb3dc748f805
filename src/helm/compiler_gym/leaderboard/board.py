"""Submissions of policies, rated by the rules of a task: complete, within the budget, and the same when they are replayed."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from helm.compiler_gym.checks.validation import ValidationResult
from helm.compiler_gym.compiler_metrics import bootstrap_geomean
from helm.compiler_gym.envs.env_state import CompilerEnvState
from helm.compiler_gym.envs.statistics import arithmetic_mean, geometric_mean
from helm.compiler_gym.replay import parse_commandline, read_states

_MOST_PROBLEMS = 3

Replay = Callable[[CompilerEnvState], ValidationResult]
"""Repeats an episode and compares it with its record."""


@dataclass(frozen=True)
class Rules:
    """What a submission has to keep to."""

    programs: tuple[str, ...]
    """URIs of the test set."""
    repetitions: int = 10
    """Episodes on each program."""
    max_seconds: float | None = None
    """The most time that a policy may spend on an episode; None: no limit."""
    max_actions: int | None = None
    """The most actions of an episode; None: no limit."""


@dataclass(frozen=True)
class Entry:
    """A line of the leaderboard."""

    policy: str
    score: float | None
    """Geometric mean of the rewards; None for a submission that breaks the rules."""
    low: float | None
    """Lower end of the 95% interval of the score over programs; None if it is not defined."""
    high: float | None
    mean_walltime_s: float
    num_results: int
    problems: list[str] = field(default_factory=list)
    """What is wrong with it, each in one line."""


def rate(path: Path, rules: Rules, replay: Replay) -> Entry:
    """Rate a submission.

    Args:
        path: its results, a CSV file of states. The name of the file is that of the policy.
        rules: of the task.
        replay: repeats an episode. Equal ones are repeated once.
    Raises: ScenarioError when the file cannot be read.
    """
    states = read_states(str(path))
    problems = [*_find_missing(states, rules), *_find_over_budget(states, rules)]
    if not problems:
        problems = _find_wrong(states, replay)
    score = low = high = None
    if not problems:
        rewards: dict[str, list[float]] = {}
        for state in states:
            rewards.setdefault(state.benchmark, []).append(state.reward or 0.0)
        # HELM: the mean is 0 as soon as one reward is not positive, as in the original
        score = geometric_mean(value for values in rewards.values() for value in values)
        by_program = [geometric_mean(values) for values in rewards.values()]
        interval = bootstrap_geomean(by_program) if score > 0 else None
        low, high = interval or (None, None)
    walltime = arithmetic_mean(state.walltime for state in states)
    return Entry(path.stem, score, low, high, walltime, len(states), problems)


def _find_missing(states: Sequence[CompilerEnvState], rules: Rules) -> list[str]:
    counts = Counter(state.benchmark for state in states)
    problems = [
        f"{uri}: {counts[uri]} results instead of {rules.repetitions}"
        for uri in rules.programs
        if counts[uri] != rules.repetitions
    ]
    problems += [f"{uri} is not in the test set" for uri in counts if uri not in rules.programs]
    problems += [
        f"{state.benchmark}: a result without a reward"
        for state in states
        if state.reward is None or not math.isfinite(state.reward)
    ]
    return problems


def _find_over_budget(states: Sequence[CompilerEnvState], rules: Rules) -> list[str]:
    problems = []
    for state in states:
        num_actions = len(parse_commandline(state.commandline))
        if rules.max_seconds is not None and state.walltime > rules.max_seconds:
            problems.append(f"{state.benchmark}: {state.walltime:.1f} s, and {rules.max_seconds:g} s are allowed")
        if rules.max_actions is not None and num_actions > rules.max_actions:
            problems.append(f"{state.benchmark}: {num_actions} actions, and {rules.max_actions} are allowed")
    return problems


def _find_wrong(states: Sequence[CompilerEnvState], replay: Replay) -> list[str]:
    problems: dict[tuple[str, str, float | None], str | None] = {}
    for state in states:
        key = (state.benchmark, state.commandline, state.reward)
        if key not in problems:
            found = replay(state)
            problems[key] = None if found.okay() else f"{state.benchmark}: {found.error_details}"
    return [problem for problem in problems.values() if problem is not None]


def rank(entries: Sequence[Entry]) -> list[Entry]:
    """Sort entries: the best score first, those that break the rules last, equal ones by time, then by name."""
    return sorted(
        entries, key=lambda entry: (entry.score is None, -(entry.score or 0.0), entry.mean_walltime_s, entry.policy)
    )


def make_table(entries: Sequence[Entry], reward: str, style: str = "simple") -> str:
    """Write entries as a table.

    Args:
        entries: in the order of the table.
        reward: name of the reward, for the heading.
        style: one of the package `tabulate`, such as `github`.
    """
    from tabulate import tabulate

    rows: list[list[Any]] = []
    for number, entry in enumerate(entries, 1):
        place = "-" if entry.score is None else str(number)
        score = "-" if entry.score is None else f"{entry.score:.4f}"
        interval = "-" if entry.low is None or entry.high is None else f"{entry.low:.4f} to {entry.high:.4f}"
        problems = "; ".join(entry.problems[:_MOST_PROBLEMS])
        if len(entry.problems) > _MOST_PROBLEMS:
            problems += f"; and {len(entry.problems) - _MOST_PROBLEMS} more"
        rows.append([place, entry.policy, score, interval, f"{entry.mean_walltime_s:.3f}", entry.num_results, problems])
    headers = ["", "Policy", f"Geomean {reward}", "95% interval", "Walltime (mean), s", "Results", "Problems"]
    return tabulate(rows, headers=headers, tablefmt=style, disable_numparse=True)


def to_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return entries as JSON values, in the order of the table."""
    return [asdict(entry) for entry in entries]
