"""The panel that `helm-run` and `helm-watch` show on a terminal, drawn with rich."""

import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from helm.benchmark.live.text import (
    describe_cost,
    describe_endpoint,
    describe_failures,
    describe_requests,
    describe_run,
    describe_runs,
    describe_speed,
    describe_time,
    describe_tokens,
    share_done,
)
from helm.benchmark.live.views import View
from helm.common.hierarchical_logger import print_above
from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.progress import FAILED, RUNNING, STOPPED
from helm.common.telemetry.progress_report import FINISHED, KILLED, SILENT, STOPPING, CommandReport, RunReport

with needs_extra("watch"):
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

_MOST_RUNS = 8
"""As many as run at the same time in one process."""
_MOST_FAILED = 3
_MOST_ENDPOINTS = 4
_WIDEST_BAR = 40
# Below this width, names of runs cannot be told apart.
_NARROWEST_NAME = 12
_ROOM_FOR_KEYS = 3
"""Terminals echo `^C` after the last line; without room for it, all lines would move up by one."""

_STYLES = {
    RUNNING: "bold cyan",
    STOPPING: "bold yellow",
    SILENT: "bold yellow",
    FINISHED: "bold green",
    FAILED: "bold red",
    KILLED: "bold red",
}
_MARKS = {RUNNING: ("▸", ">", "cyan"), FAILED: ("✗", "x", "red"), STOPPED: ("■", "-", "yellow")}


class Drawing:
    """Draws lines for a terminal of a given width, with or without non-ASCII characters."""

    def __init__(self, width: int, height: int, is_ascii: bool = False):
        self.width, self.height, self.is_ascii = max(width, 20), max(height, 6), is_ascii

    def lines(self, report: CommandReport, suite: str, now: float) -> list[Text]:
        """Return the panel of one command: at most as many lines as the terminal has, minus two."""
        lines = [self._head(report, suite, now), *self._facts(report)]
        lines += [self._endpoint(endpoint.endpoint, describe_endpoint(endpoint, now)) for endpoint in _busy(report)]
        rest = max(1, self.height - 2 - len(lines))
        lines += self._runs(report, rest)
        if report.message and report.state_at(now) != FINISHED:
            lines.append(self._line([(report.message, "red")]))
        return lines[: self.height - 1]

    def _line(self, parts: Sequence[tuple[str, str]]) -> Text:
        """Shorten what is too long for the line, with an ellipsis."""
        text = Text(no_wrap=True, overflow="ellipsis", end="")
        for part, style in parts:
            text.append(_printable(part), style=style)
        if text.cell_len > self.width:
            text.truncate(self.width - 1, overflow="crop")
            text.append("~" if self.is_ascii else "…")
        return text

    def _head(self, report: CommandReport, suite: str, now: float) -> Text:
        state = report.state_at(now)
        took = describe_time(
            (report.ended_at or (now if state not in (KILLED,) else report.updated_at)) - report.started_at
        )
        share = share_done(report)
        shown = state.replace("_", " ")
        if state == SILENT:
            shown += f" for {describe_time(now - report.updated_at)}"
        tail = f" {share:4.0%}  {describe_runs(report)}, {took}"
        if report.eta is not None and report.eta.seconds >= 1 and state == RUNNING:
            tail += f", about {describe_time(report.eta.seconds)} left"
        room = self.width - len(suite) - len(shown) - len(tail) - 3
        parts = [(suite, "bold"), (" ", ""), (shown, _STYLES.get(state, "bold yellow")), (" ", "")]
        if room >= 5:
            parts += self._bar(share, min(room, _WIDEST_BAR))
        return self._line([*parts, (tail, "")])

    def _bar(self, share: float, width: int) -> list[tuple[str, str]]:
        filled = int(share * width + 1e-9)
        on, off = ("#", "-") if self.is_ascii else ("━", "─")
        return [(on * filled, "cyan"), (off * (width - filled), "dim")]

    def _facts(self, report: CommandReport) -> list[Text]:
        """Return requests and speed; money; failures. The number of lines depends on the width."""
        facts = [(text, "") for text in [*describe_requests(report), *describe_speed(report)]]
        facts += [(text, "") for text in (describe_cost(report), describe_tokens(report)) if text]
        if report.budget.seconds_left is not None and not report.is_over:
            facts.append((f"{describe_time(report.budget.seconds_left)} of --max-time left", ""))
        facts += [(text, "red") for text in describe_failures(report)]
        dot = " | " if self.is_ascii else " · "
        lines: list[list[tuple[str, str]]] = [[]]
        used = 0
        for text, style in facts:
            if lines[-1] and used + len(dot) + len(text) > self.width - 2:
                lines.append([])
                used = 0
            if lines[-1]:
                lines[-1].append((dot, "dim"))
                used += len(dot)
            lines[-1].append((text, style))
            used += len(text)
        return [self._line([("  ", ""), *line]) for line in lines if line]

    def _endpoint(self, endpoint: str, state: str) -> Text:
        return self._line([("  ", ""), (endpoint, "dim"), ("  ", ""), (state, "red" if "stopped:" in state else "")])

    def _runs(self, report: CommandReport, room: int) -> list[Text]:
        """Return the running runs, the runs that failed last, and the number of others."""
        failed = [run for run in report.runs if run.state == FAILED]
        running = [run for run in report.runs if run.state in (RUNNING, STOPPED)]
        num_failed = min(len(failed), _MOST_FAILED if running else _MOST_RUNS, max(1, room // 3) if running else room)
        num_running = min(len(running), _MOST_RUNS, max(0, room - num_failed - 1))
        shown = failed[len(failed) - num_failed :] + running[:num_running]
        lines = [self._run(run) for run in shown]
        if len(running) > num_running and len(lines) < room:
            lines.append(self._line([(f"  and {len(running) - num_running} more", "dim")]))
        return lines

    def _run(self, run: RunReport) -> Text:
        fancy, plain, style = _MARKS[run.state]
        mark = plain if self.is_ascii else fancy
        state = describe_run(run)
        room = self.width - 5 - len(state)
        name = run.name
        if len(name) > room:  # the end of a name, with the model, is more informative than its middle
            room = max(room, min(_NARROWEST_NAME, self.width // 2))
            head = max(1, room * 2 // 3)
            name = (
                f"{name[:head]}{'~' if self.is_ascii else '…'}{name[-max(1, room - head - 1) :]}"
                if len(name) > room
                else name
            )
        return self._line(
            [(f" {mark} ", style), (name, ""), ("  ", ""), (state, "red" if run.state == FAILED else "dim")]
        )


def _busy(report: CommandReport) -> list[Any]:
    """Return the endpoints with something to report, the busiest first."""
    if report.is_over:
        return []
    busy = [e for e in report.endpoints if e.in_flight or e.waiting or e.retrying or e.stopped or e.retry_at]
    return sorted(busy, key=lambda e: (-(e.in_flight + e.waiting + e.retrying), e.endpoint))[:_MOST_ENDPOINTS]


def _printable(text: str) -> str:
    """Remove characters that would move the cursor: names and messages may contain anything."""
    return "".join(char if char.isprintable() else " " for char in text)


class PanelView(View):
    """Shows a few lines at the bottom of the terminal, below the log.

    Args:
        stream: the terminal.
        suite: the suite that the command works on.
        clock: returns seconds since 1970.
    """

    interval_s = 0.5

    def __init__(self, stream: TextIO, suite: str = "", clock: Callable[[], float] = time.time):
        self.suite = suite
        self._clock = clock
        self._console = Console(file=stream, highlight=False)
        self._live: Live | None = None
        self._printing: Any = None

    def _start(self) -> "Live":
        live = Live(
            console=self._console, auto_refresh=False, transient=True, redirect_stdout=True, redirect_stderr=True
        )
        live.start()
        self._printing = print_above(self._print)
        self._printing.__enter__()
        return live

    def _print(self, text: str) -> None:
        self._console.print(Text.from_ansi(text), soft_wrap=True)

    def show_all(self, reports: Sequence[CommandReport]) -> None:
        """Show the reports one below the other."""
        if self._live is None:
            self._live = self._start()
        self._live.update(draw(self._console, reports, self.suite, self._clock()), refresh=True)

    def close(self) -> None:
        if self._live is not None:
            self._printing.__exit__(None, None, None)
            self._live.stop()
            self._live = None


def draw(console: "Console", reports: Sequence[CommandReport], suite: str, now: float) -> "Group":
    """Return what a console shows of commands that work on one suite."""
    height = max(6, (console.size.height - 1) // max(1, len(reports)))
    is_ascii = not (console.encoding or "").lower().startswith("utf")
    drawing = Drawing(console.size.width - _ROOM_FOR_KEYS, height, is_ascii)
    return Group(*[line for report in reports for line in _terminated(drawing.lines(report, suite, now))])


def _terminated(lines: Sequence["Text"]) -> list["Text"]:
    for line in lines:
        line.end = "\n"
    return list(lines)
