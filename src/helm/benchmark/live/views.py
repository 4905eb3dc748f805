"""What a terminal shows of running commands: a panel with rich, a bar without it, and lines if nobody is watching."""

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
    """Shows successive reports of commands."""

    interval_s = 1.0
    """Seconds between reports."""

    @abstractmethod
    def show_all(self, reports: Sequence[CommandReport]) -> None:
        """Show the reports of commands that work on the same suite."""

    def close(self) -> None:
        """End the display."""


class NoView(View):
    def show_all(self, reports: Sequence[CommandReport]) -> None:
        pass


class LinesView(View):
    """Logs a line per command every ten seconds, so that short work stays silent."""

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
    """Shows one bar for the commands, below the log; a widget in a notebook that has `ipywidgets`."""

    interval_s = 0.5

    def __init__(self, stream: TextIO, is_widget: bool = False) -> None:
        self._stream, self._is_widget = stream, is_widget
        self._bar: Any = None

    def _create(self) -> Any:
        bar_class: Any
        if self._is_widget:
            from tqdm.notebook import tqdm as bar_class
        else:
            from tqdm import tqdm as bar_class
        return bar_class(
            total=1.0,
            file=self._stream,
            bar_format="{percentage:3.0f}%|{bar:10}| {desc}",
            leave=False,
            mininterval=0,
            dynamic_ncols=True,
        )

    def show_all(self, reports: Sequence[CommandReport]) -> None:
        if self._bar is None:
            self._bar = self._create()
        self._bar.n = min(1.0, sum(share_done(report) for report in reports) / max(1, len(reports)))
        self._bar.set_description_str(" + ".join(summary_line(report) for report in reports))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def is_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and getattr(running, "kernel", None) is not None


def create_view(
    mode: str = AUTO, suite: str = "", stream: TextIO | None = None, say: Callable[[str], None] = hprogress
) -> View:
    """Create the view of a mode, for commands that work on `suite`.

    A panel or a bar uses `stream`, by default standard error; lines are passed to `say`.

    Raises: ConfigError for an unknown mode; OptionalDependencyNotInstalled for a panel without rich.
    """
    from helm.common.errors import ConfigError, suggest

    stream = stream or sys.stderr
    if mode not in MODES:
        raise ConfigError(f"--progress takes {', '.join(MODES)}, not '{mode}'.{suggest(mode, MODES)}")
    if mode == NOTHING:
        return NoView()
    moves_cursor = stream.isatty() and os.environ.get("TERM") != "dumb"
    if mode == PANEL or (mode == AUTO and moves_cursor and find_spec("rich") is not None):
        from helm.benchmark.live.panel import PanelView

        return PanelView(stream, suite)
    if mode == AUTO and is_notebook():
        return BarView(stream, is_widget=find_spec("ipywidgets") is not None)
    if mode == AUTO and moves_cursor:
        return BarView(stream)
    return LinesView(say)
