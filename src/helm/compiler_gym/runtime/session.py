"""The interface of a compiler: subclass `CompilationSession`, and the service runtime does the rest."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

Effect: TypeAlias = bool | Callable[[], bool]
"""Whether an action had no effect, or a function that computes it and may be called at any time from any thread."""

ActionResult: TypeAlias = tuple[bool, Any | None, Effect]
"""(end_of_session, new ActionSpace message or None, action_had_no_effect)"""


BASELINE_PARAMETER = "llvm.apply_baseline_optimizations"
"""Session parameter: run a default pipeline (`-O0` ... `-O3`, `-Os`, `-Oz`); replies `1` if it changed the program."""


class CompilationSession:
    """One program under compilation, changed by actions and described by observations.

    The runtime (`helm.compiler_gym.runtime.service`) calls a session from one thread at a time. Exceptions become statuses of
    the failed call: ValueError means "the argument is wrong", LookupError and FileNotFoundError "not found",
    NotImplementedError "not offered", TypeError "not in this state", TimeoutError "took too long"; any other counts
    as a defect of the compiler. An action that raises must leave the session usable.
    """

    compiler_version: str = ""
    """Shown by GetVersion, for example `22.1.0 x86_64-unknown-linux-gnu`. May be a property of the class."""

    action_spaces: list[Any] = []
    """`proto.ActionSpace` messages; constant while the process lives."""

    observation_spaces: list[Any] = []
    """`proto.ObservationSpace` messages; constant while the process lives."""

    reports_effects: bool = True
    """The runtime sets False on a fork whose `action_had_no_effect` nobody reads, so that it need not be computed."""

    may_tell_effects_late: bool = False
    """The runtime sets True while `apply_action` may return a function for `action_had_no_effect`."""

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        """Start a session. The runtime passes these arguments by keyword.

        Args:
            working_directory: for scratch files; shared by all sessions of a process.
            action_space: the chosen `proto.ActionSpace`.
            benchmark: the `proto.Benchmark` to compile; must not be changed.
        """
        self.working_dir = working_directory
        self.action_space = action_space
        self.benchmark = benchmark

    def apply_action(self, action: Any) -> ActionResult:
        """Apply a `proto.Event`; returns an `ActionResult`. It is always allowed to report an effect."""
        raise NotImplementedError(f"{type(self).__name__} does not implement apply_action.")

    def get_observation(self, observation_space: Any) -> Any:
        """Return the `proto.Event` for one of `observation_spaces`."""
        raise NotImplementedError(f"{type(self).__name__} does not implement get_observation.")

    def fork(self) -> "CompilationSession":
        """Return an independent session in the same state. Without this method, clients replay the actions."""
        raise NotImplementedError(f"{type(self).__name__} does not implement fork.")

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Return the reply to a parameter, or None when the key is unknown to this session."""
        return None

    def end_of_step(self) -> None:
        """Check that the program is still valid, if necessary. The runtime calls this after the observations of a Step."""


def get_static_spaces(session_class: type[CompilationSession]) -> tuple[list[Any], list[Any], str]:
    """Return action spaces, observation spaces and compiler version of a class, computed ones included.

    A class whose spaces are expensive to compute may offer a class method `describe()` that returns the three.
    """
    describe = getattr(session_class, "describe", None)
    if describe is not None:
        return describe()
    return session_class.action_spaces, session_class.observation_spaces, session_class.compiler_version
