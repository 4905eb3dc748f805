"""What the rules of environments are made of: subjects, rules, and how a rule says what it expected."""

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from helm.agents.environments.box import Box
from helm.agents.environments.environment import Environment
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import HelmError
from helm.common.sandbox.session_contract import Session

PARALLEL = 4
"""The number of environments that have to work at the same time."""

LIMITS = EpisodeLimits(seconds=600.0)
_SETTLE_S = 5.0


class ContractBroken(HelmError):
    """An environment does not do what it has to."""


@dataclass(frozen=True)
class Subject:
    """What is held to the contract.

    Args:
        make: returns a new environment, not started.
        kill: ends a running environment from outside, as a failing machine does; None if that cannot be done.
        leftovers: returns the names of everything that environments of this class keep outside this process, such as pods; None
            if there is nothing of the kind.
    """

    make: Callable[[], Environment]
    kill: Callable[[Environment], None] | None = None
    leftovers: Callable[[], Collection[str]] | None = None


@dataclass(frozen=True)
class Rule:
    """One rule of the contract.

    Args:
        name: short.
        says: what an environment has to do.
        function: raises ContractBroken, or what the environment raises.
        is_for_boxes: whether it concerns only environments with files and a shell.
        needs_kill: whether it concerns only subjects that can be killed.
    """

    name: str
    says: str
    function: Callable[[Subject], None]
    is_for_boxes: bool
    needs_kill: bool = False

    def __str__(self) -> str:
        return self.name

    def check(self, subject: Subject) -> None:
        """Hold a subject to the rule, in environments of its own. Raises: ContractBroken; whatever the environment raises."""
        self.function(subject)


def rule(is_for_boxes: bool = True, needs_kill: bool = False) -> Callable[[Callable[[Subject], None]], Rule]:
    """Make a rule of a function, whose name and docstring say what it wants."""

    def make(function: Callable[[Subject], None]) -> Rule:
        says = " ".join((function.__doc__ or "").split())
        return Rule(function.__name__.replace("_", " "), says, function, is_for_boxes, needs_kill)

    return make


@contextmanager
def started_environment(subject: Subject) -> Iterator[Environment]:
    """Start an environment, and close it in the end."""
    environment = subject.make()
    try:
        environment.start(LIMITS)
        yield environment
    finally:
        environment.close()


@contextmanager
def started_session(subject: Subject) -> Iterator[tuple[Session, str]]:
    """Start a box, and give its session and the path of a fresh folder."""
    with started_environment(subject) as box:
        assert isinstance(box, Box)
        yield box.session, f"{box.workdir.rstrip('/')}/contract"


def expect(found: object, expected: object, what: str) -> None:
    """Raise ContractBroken unless two values are equal."""
    if found != expected:
        raise ContractBroken(f"{what}: expected {short(expected)}, not {short(found)}.")


def require(is_kept: bool, problem: str) -> None:
    """Raise ContractBroken unless something is so."""
    if not is_kept:
        raise ContractBroken(problem)


def expect_error(kind: type[Exception], function: Callable[[], object], what: str) -> Exception:
    """Return the exception that a function has to raise. Raises: ContractBroken."""
    try:
        found = function()
    except kind as e:
        return e
    except Exception as e:
        raise ContractBroken(f"{what}: expected {kind.__name__}, not {type(e).__name__}: {e}") from e
    raise ContractBroken(f"{what}: expected {kind.__name__}, not the result {short(found)}.")


def short(value: object) -> str:
    """Return a value as text of moderate length."""
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]}"


def in_threads(functions: Sequence[Callable[[], None]]) -> None:
    """Run functions at the same time, and raise the first exception of one."""
    problems: list[BaseException] = []

    def run(function: Callable[[], None]) -> None:
        try:
            function()
        except BaseException as e:
            problems.append(e)

    threads = [threading.Thread(target=run, args=(function,), daemon=True) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def settles(condition: Callable[[], bool]) -> bool:
    """Return whether something is so after some seconds at most."""
    end = time.monotonic() + _SETTLE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def child_processes() -> set[str]:
    """Return the processes that this one has started, on Linux."""
    found: set[str] = set()
    for task in os.listdir("/proc/self/task") if os.path.isdir("/proc/self/task") else ():
        with suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            found.update(file.read().split())
    return found


def open_descriptors() -> set[str]:
    """Return the descriptors of this process, on Linux."""
    return set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
