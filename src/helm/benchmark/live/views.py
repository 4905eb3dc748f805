"""What a terminal shows of running commands: a panel with rich, one bar without it, and lines where nobody watches."""

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, TextIO

from helm.benchmark.live.text import share_done, summary_line
from helm.common.hierarchical_logger import hprogress
from helm.common.telemetry.progress_report import CommandReport

AUTO, PANEL, LINES, NOTHING = "auto", "panel", "lines", "none"
MODES = {
    AUTO: "a panel on a terminal (one bar without the extra `watch`), lines elsewhere",
    PANEL: "the panel",
    LINES: "a line every ten seconds",
    NOTHING: "nothing",
}

_LINE_EVERY_S = 10.0


class View(ABC):
    """Shows the reports of commands, one after another."""

    interval_s = 1.0
    """How often it wants them."""

    @abstractmethod
    def show_all(self, reports: Sequence[CommandReport]) -> None:
        """Those of commands that work at the same suite."""

    def show(self, report: CommandReport) -> None:
        self.show_all([report])

    def close(self) -> None:
        """Nothing more comes."""


class NoView(View):
    def show_all(self, reports: Sequence[CommandReport]) -> None:
        pass


class LinesView(View):
    """Says a line for each command when ten more seconds have gone by, so that short work stays silent."""

    def __init__(self, say: Callable[[str], None] = hprogress, clock: Callable[[], float] = time.monotonic):
        self._say, self._clock = say, clock
        self._next = clock() + _LINE_EVERY_S
        self._last: list[str] = []

    def show_all(self, reports: Sequence[CommandReport]) -> None:
        if self._clock() < self._next:
            return
        self._next = self._clock() + _LINE_EVERY_S
        lines = [summary_line(report) for report in reports]
        if lines != self._last:
            self._last = lines
            for line in lines:
                self._say(f"Progress: {line}")


class BarView(View):
    """One bar for the commands, under what is logged."""

    interval_s = 0.5

    def __init__(self, stream: TextIO) -> None:
        from tqdm import tqdm

        self._bar: Any = tqdm(
            total=1.0,
            file=stream,
            bar_format="{percentage:3.0f}%|{bar:10}| {desc}",
            leave=False,
            mininterval=0,
            dynamic_ncols=True,
        )

    def show_all(self, reports: Sequence[CommandReport]) -> None:
        self._bar.n = min(1.0, sum(share_done(report) for report in reports) / max(1, len(reports)))
        self._bar.set_description_str(" + ".join(summary_line(report) for report in reports))

    def close(self) -> None:
        self._bar.close()


def can_show_panel(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that can move its cursor, and rich is installed."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and find_spec("rich") is not None


def create_view(
    mode: str = AUTO, suite: str = "", stream: TextIO | None = None, say: Callable[[str], None] = hprogress
) -> View:
    """The view of a mode, for commands that work at `suite`. A panel or a bar would be on `stream`, by default standard error;
    lines go to `say`.

    Raises: ConfigError for a mode that there is not; OptionalDependencyNotInstalled for a panel without rich.
    """
    from helm.common.errors import ConfigError, suggest

    stream = stream or sys.stderr
    if mode not in MODES:
        raise ConfigError(f"--progress takes {', '.join(MODES)}, not '{mode}'.{suggest(mode, MODES)}")
    if mode == NOTHING:
        return NoView()
    if mode == PANEL or (mode == AUTO and can_show_panel(stream)):
        from helm.benchmark.live.panel import PanelView

        return PanelView(stream, suite)
    if mode == AUTO and stream.isatty() and os.environ.get("TERM") != "dumb":
        return BarView(stream)
    return LinesView(say)
