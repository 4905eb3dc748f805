"""The history of a module, from which the effects of actions can be determined later."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helm.compiler_gym.backends.llvm import LlvmSession

Run = Callable[["LlvmSession"], bool | None]
"""Runs a pass or a pipeline on the module of a session; returns whether LLVM says that it changed the module, if it says."""


class ModuleHistory:
    """Everything that was run on the module of a session since it was read, in order.

    LLVM is deterministic, so the effect of each action can be determined by repeating the history on a copy and comparing
    after each step.
    """

    def __init__(self, origin: "LlvmSession"):
        """Start an empty history; `origin` is a session with the module as it was read."""
        self._origin = origin
        self._runs: list[Run] = []
        self._had_no_effect: list[bool | None] = []
        self._lock = threading.Lock()

    def add(self, run: Run, had_no_effect: bool | None) -> int:
        """Record what was run, and whether it left the module unchanged (None: not known); returns its number."""
        self._had_no_effect.append(had_no_effect)
        self._runs.append(run)
        return len(self._runs) - 1

    def tell(self, number: int) -> bool:
        """Return whether a run had no effect. Safe to call from any thread, at any time."""
        with self._lock:
            if self._had_no_effect[number] is None:
                self._repeat(len(self._runs))
            answer = self._had_no_effect[number]
            assert answer is not None
            return answer

    def _repeat(self, num_runs: int) -> None:
        session = self._origin.fork()
        for number, run in enumerate(self._runs[:num_runs]):
            session.reports_effects = self._had_no_effect[number] is None
            changed = session.change(run)
            if session.reports_effects:
                self._had_no_effect[number] = not changed
