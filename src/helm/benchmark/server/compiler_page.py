"""The page of compilers: how much each policy reduced each program, with its actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.charts import Bar, bars
from helm.benchmark.server.compiler_board import make_boards
from helm.benchmark.server.links import page_link
from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.benchmark.subjects import COMPILER
from helm.results.index.index_folder import RunEntry
from helm.results.statistics.intervals import Estimate, estimate_geometric_mean

_COSTS = {
    "instructions": ("IrInstructionCount", "IR instructions"),
    "size": ("ObjectTextSizeBytes", "object size (bytes)"),
}
_BASELINES = {"oz": "Oz", "o3": "O3", "o0": ""}


@dataclass
class Played:
    """An episode of a policy on a program."""

    policy: str
    entry: RunEntry
    episode: Mapping[str, Any]
    before: float | None = None
    after: float | None = None
    reduction: float | None = None
    """The baseline's cost divided by this one; above 1, the policy is better."""

    is_best: bool = False


@dataclass
class Program:
    """A program with the episodes of all policies."""

    name: str
    played: list[Played] = field(default_factory=list)
    baseline: float | None = None
    bars: list[Bar] = field(default_factory=list)


def compilers(viewer: Viewer, query: Query, path: str) -> Page:
    """Show all programs of a suite."""
    _, entries = viewer.suite_entries(query, COMPILER)
    cost = query.choice("cost", tuple(_COSTS))
    against = query.choice("against", tuple(_BASELINES))
    programs = make_programs(entries, cost, against)
    policies = sorted({played.policy for program in programs for played in program.played})
    colours = {name: i for i, name in enumerate(policies)}
    for program in programs:
        _add_bars(program, colours)
    ready = sum(entry.facts is not None for entry in entries)
    means = {policy: _mean_reduction(programs, policy) if _has_all(programs, policy) else None for policy in policies}
    values = {
        "programs": programs, "policies": policies, "means": means, "cost": cost, "against": against, "costs": _COSTS,
        "baselines": _BASELINES, "cost_title": _COSTS[cost][1], "num_runs": len(entries), "num_ready": ready,
        "colours": {name: i % 8 for name, i in colours.items()},
        "boards": make_boards((played.policy, played.episode) for program in programs for played in program.played),
        "mean_bars": bars([(name, None if mean is None else mean.value, "", "") for name, mean in means.items()], colours),
    }  # fmt: skip
    return Page("compilers.html", values, viewer.refresh_while_busy() if ready < len(entries) else None)


def make_programs(entries: Sequence[RunEntry], cost: str, against: str) -> list[Program]:
    """Group the episodes by program, and mark the best reduction of each."""
    observation, _ = _COSTS[cost]
    prefix = observation.removesuffix("Bytes")
    programs: dict[str, Program] = {}
    for entry in entries:
        for episode in (entry.facts or {}).get("episodes") or ():
            program = programs.setdefault(str(episode["uri"]), Program(str(episode["benchmark"])))
            played = Played(entry.subject, entry, episode)
            initial, final = episode["initial"], episode["final"]
            played.before, played.after = initial.get(observation), final.get(observation)
            baseline = played.before if against == "o0" else final.get(prefix + _BASELINES[against])
            program.baseline = baseline if baseline is not None else program.baseline
            if baseline is not None and played.after and episode["success"]:
                played.reduction = baseline / played.after
            program.played.append(played)
    for program in programs.values():
        program.played.sort(key=lambda played: played.policy)
        best = max((played.reduction for played in program.played if played.reduction is not None), default=None)
        for played in program.played:
            played.is_best = len(program.played) > 1 and played.reduction is not None and played.reduction == best
    return sorted(programs.values(), key=lambda program: program.name)


def _add_bars(program: Program, colours: dict[str, int]) -> None:
    program.bars = bars(
        [
            (
                played.policy,
                played.reduction,
                page_link(
                    "instance", played.entry.path, id=played.episode["id"], trial=played.episode["trial"] or None
                ),
                "" if played.episode["success"] else played.episode["status"],
            )
            for played in program.played
        ],
        colours,
    )


def _mean_reduction(programs: Sequence[Program], policy: str) -> Estimate | None:
    """Return the geometric mean over programs, each of which may have several episodes."""
    found = [
        (played.reduction, program.name)
        for program in programs
        for played in program.played
        if played.policy == policy and played.reduction is not None
    ]
    if not found or min(reduction for reduction, _ in found) <= 0:
        return None
    return estimate_geometric_mean([reduction for reduction, _ in found], [name for _, name in found])


def _has_all(programs: Sequence[Program], policy: str) -> bool:
    return all(
        any(played.policy == policy and played.reduction is not None for played in program.played)
        for program in programs
    )
