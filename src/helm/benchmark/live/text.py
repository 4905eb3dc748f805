"""Describes a command's progress in words."""

from helm.common.formats.number_text import format_count as describe_number
from helm.common.formats.number_text import format_span as describe_time
from helm.common.formats.number_text import format_usd
from helm.common.telemetry.progress import DONE, FAILED, RUNNING, SKIPPED, STOPPED, WAITING
from helm.common.telemetry.progress_report import SILENT, STOPPING, CommandReport, EndpointReport, RunReport


def count_runs(command: CommandReport) -> dict[str, int]:
    """Count runs by state."""
    counts: dict[str, int] = {}
    for run in command.runs:
        counts[run.state] = counts.get(run.state, 0) + 1
    return counts


def describe_rate(per_s: float, what: str = "") -> str:
    """Return `42.1/s`, or slow rates per minute or hour."""
    for seconds, unit in ((1, "s"), (60, "min"), (3600, "h")):
        if per_s * seconds >= 1 or unit == "h":
            value = per_s * seconds
            return f"{value:.1f}{what}/{unit}" if value < 100 else f"{describe_number(value)}{what}/{unit}"
    raise AssertionError("unreachable")


def describe_runs(command: CommandReport) -> str:
    """Return `3 of 10 runs`."""
    counts = count_runs(command)
    over = counts.get(DONE, 0) + counts.get(SKIPPED, 0) + counts.get(FAILED, 0)
    return f"{over} of {len(command.runs)} run{'' if len(command.runs) == 1 else 's'}"


def describe_requests(command: CommandReport) -> list[str]:
    """Return `1,204 of 5,000 requests (310 cached)` for each unit in use; `+` follows totals that are still incomplete."""
    texts = []
    for unit in sorted({run.unit for run in command.runs if run.total is not None}):
        runs = [run for run in command.runs if run.unit == unit and run.total is not None]
        is_whole = all(run.total is not None or run.state not in (WAITING, RUNNING) for run in command.runs)
        done, total = sum(run.done for run in runs), sum(run.total or 0 for run in runs)
        notes = [
            f"{number:,} {what}"
            for what in ("cached", "resumed")
            if (number := sum(getattr(run, what) for run in runs))
        ]
        more = "" if is_whole else "+"
        note = f" ({', '.join(notes)})" if notes else ""
        texts.append(f"{done:,} of {total:,}{more} {unit}{note}")
    return texts


def describe_cost(command: CommandReport) -> str | None:
    """Return `$3.41 of $10.00`."""
    limit = command.budget.max_cost_usd
    if not command.cost.usd and limit is None:
        return None
    unpriced = f" and {command.cost.unpriced_requests:,} unpriced" if command.cost.unpriced_requests else ""
    return format_usd(command.cost.usd) + (f" of ${limit:,.2f}" if limit is not None else "") + unpriced


def describe_tokens(command: CommandReport) -> str | None:
    """Return `1.2M + 340k tokens`, for prompts and answers."""
    tokens, limit = command.tokens, command.budget.max_tokens
    if not tokens.prompt and not tokens.completion and limit is None:
        return None
    text = f"{describe_number(tokens.prompt)} + {describe_number(tokens.completion)}"
    return text + (f" of {describe_number(limit)} tokens" if limit is not None else " tokens")


def describe_failures(command: CommandReport) -> list[str]:
    """Return `2 runs failed` and `3 rate_limited`."""
    failed = count_runs(command).get(FAILED, 0)
    runs = [f"{failed} run{'' if failed == 1 else 's'} failed"] if failed else []
    return runs + [f"{number:,} {outcome}" for outcome, number in sorted(_failed_requests(command).items())]


def _failed_requests(command: CommandReport) -> dict[str, int]:
    """Return failed requests of language models, and of subjects that measure their own failures."""
    counts = dict(command.failures)
    for run in command.runs:
        if run.unit != "requests":
            for outcome, number in run.outcomes.items():
                if outcome != "ok":
                    counts[outcome] = counts.get(outcome, 0) + number
    return counts


def describe_speed(command: CommandReport) -> list[str]:
    """Return `42.1/s` and `9.1k tokens/s`."""
    rate = command.rate
    if rate is None or not rate.requests_per_s or command.is_over:
        return []
    tokens = [describe_rate(rate.tokens_per_s, " tokens")] if rate.tokens_per_s else []
    return [describe_rate(rate.requests_per_s), *tokens]


def describe_endpoint(endpoint: EndpointReport, now: float) -> str:
    """Return `12 of 16 in flight, 3 waiting, at most 8.3/s, failed tries: 4 rate_limited, pause of 4 s`."""
    parts = [f"{endpoint.in_flight} of {endpoint.window} in flight"]
    if endpoint.waiting:
        parts.append(f"{endpoint.waiting} waiting")
    if endpoint.requests_per_s is not None:
        parts.append(f"at most {describe_rate(endpoint.requests_per_s)}")
    if endpoint.retrying:
        parts.append(f"{endpoint.retrying} to be tried again")
    if endpoint.failed_tries:
        tries = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(endpoint.failed_tries.items()))
        parts.append(f"failed tries: {tries}")
    if endpoint.retry_at is not None and endpoint.retry_at - now >= 1:
        parts.append(f"pause of {describe_time(endpoint.retry_at - now)}")
    if endpoint.stopped:
        parts.append(f"stopped: {endpoint.stopped}")
    return ", ".join(parts)


def describe_run(run: RunReport) -> str:
    """Return the stage of a run: `120 of 400 requests`, `metrics, 3 of 8 metric`, or `waiting`."""
    if run.state == FAILED:
        return f"{run.error_type}: {run.message}"
    counted = f"{run.done:,} of {run.total:,} {run.unit}" if run.total is not None else ""
    if run.state == STOPPED:
        said = f"stopped after {counted}" if counted else STOPPED
    elif run.stage in (None, "execution") and counted:
        said = counted
    else:
        said = run.stage or run.state
    said += _describe_episodes(run)
    if run.state == RUNNING and run.work is not None:
        total = f" of {run.work.total:,}" if run.work.total is not None else ""
        said += f", {run.work.done:,}{total} {run.work.description}"
    return said + (f" on {run.worker}" if run.worker else "")


def _describe_episodes(run: RunReport) -> str:
    """Return `, 6.3 turns and $0.0120 each`; nothing for runs without agents."""
    found = run.episodes
    if found is None or not found.done:
        return ""
    cost = f" and {format_usd(found.cost_usd / found.done)}" if found.cost_usd else ""
    return f", {found.turns / found.done:.3g} turns{cost} each"


def describe_running_episodes(run: RunReport, now: float) -> list[str]:
    """Return `csv-totals: turn 4, $0.0100, 12 s` for each episode that is running."""
    lines = []
    for one in run.episodes.running if run.episodes is not None else ():
        cost = [format_usd(one.cost_usd)] if one.cost_usd else []
        parts = [f"turn {one.turns}", *cost, describe_time(max(0.0, now - one.started_at))]
        lines.append(f"{one.task}: {', '.join(parts)}")
    return lines


def summary_parts(command: CommandReport) -> list[str]:
    """Return the parts of a one-line summary, the most important first."""
    eta = command.eta
    parts = [
        describe_runs(command),
        *describe_requests(command),
        *describe_speed(command),
        f"about {describe_time(eta.seconds)} left" if eta is not None and eta.seconds >= 1 else None,
        *describe_failures(command),
        describe_cost(command),
        describe_tokens(command),
    ]
    return [part for part in parts if part]


def summary_line(command: CommandReport) -> str:
    """Return `3 of 10 runs, 1,204 of 5,000 requests, 42.1/s, about 2 min left`."""
    return ", ".join(summary_parts(command))


def share_done(command: CommandReport) -> float:
    """Return the progress from 0 to 1; every run has the same weight, and a running one counts by its finished requests."""
    if not command.runs:
        return 1.0
    return sum(_share_of_run(run) for run in command.runs) / len(command.runs)


def _share_of_run(run: RunReport) -> float:
    if run.state in (DONE, SKIPPED, FAILED):
        return 1.0
    return min(1.0, run.done / run.total) if run.total else 0.0


def describe_state(command: CommandReport, now: float) -> str:
    """Return `running for 1 min 12 s` or `finished after 8 min`."""
    state = command.state_at(now)
    shown = state.replace("_", " ")
    if state in (RUNNING, STOPPING):
        return f"{shown} for {describe_time(now - command.started_at)}"
    if state == SILENT:
        return f"{shown} for {describe_time(now - command.updated_at)}"
    return f"{shown} after {describe_time((command.ended_at or command.updated_at) - command.started_at)}"


def describe_command(command: CommandReport, suite: str, now: float) -> list[str]:
    """Return a full description in lines; runs that wait or are done are only counted."""
    who = f"{command.program}, process {command.pid} on {command.host}"
    lines = [f"{suite}: {describe_state(command, now)} ({who})", f"  {summary_line(command)}"]
    if command.message:
        lines.append(f"  {command.message}")
    if command.state_at(now) in (RUNNING, STOPPING, SILENT):
        if command.eta is not None:
            lines.append(f"  time left: about {describe_time(command.eta.seconds)} ({command.eta.basis})")
        lines += [f"  {endpoint.endpoint}: {describe_endpoint(endpoint, now)}" for endpoint in command.endpoints]
    for state in (RUNNING, STOPPED, FAILED):
        for run in command.runs:
            if run.state == state:
                lines.append(f"  {run.name}: {describe_run(run)}")
                lines += [f"    {line}" for line in describe_running_episodes(run, now) if state == RUNNING]
    others = [f"{number} {state}" for state, number in count_runs(command).items() if state in (DONE, SKIPPED, WAITING)]
    return lines + ([f"  runs: {', '.join(others)}"] if others else [])
