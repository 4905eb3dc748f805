"""Python functions as parts of runs: the names by which run specs know them, and those that only this process has.

A function at the top level of a module is named by its path, `my_tasks.answer`, and can be imported again by any process. Any
other (of a notebook or a script, a lambda, one inside another function) is named `answer@3f2a91bc`, with a digest of its
code, and is found only inside `live_functions`. The digest of a model includes its plain state, so that answers of an
interrupted run are not continued with those of another configuration.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from types import CodeType
from typing import TYPE_CHECKING, Any

from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import tell_once

if TYPE_CHECKING:
    import asyncio

_DIGEST_LENGTH = 8


class EventLoop:
    """An event loop for asynchronous functions, in a thread of its own unless one that already runs is given."""

    def __init__(self, running: asyncio.AbstractEventLoop | None = None):
        self._given = running
        self._own: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def run(self, coroutine: Any) -> Any:
        """Run a coroutine to its end and return its result; called from threads other than the loop's."""
        import asyncio

        return asyncio.run_coroutine_threadsafe(coroutine, self._given or self._start()).result()

    def _start(self) -> asyncio.AbstractEventLoop:
        import asyncio

        with self._lock:
            if self._own is None:
                self._own = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._own.run_forever, name="helm-async", daemon=True)
                self._thread.start()
            return self._own

    def close(self) -> None:
        """End the thread and close its loop."""
        with self._lock:
            loop, self._own = self._own, None
        if loop is None or self._thread is None:
            return
        import asyncio

        asyncio.run_coroutine_threadsafe(_finish_generators(loop), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()


async def _finish_generators(loop: asyncio.AbstractEventLoop) -> None:
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


@dataclass(frozen=True)
class Live:
    """What a call in this process offers to the parts of its runs."""

    functions: Mapping[str, Callable[..., Any]]
    """Functions by name."""

    loop: EventLoop
    """Where asynchronous functions run."""

    concurrency: int | None = None
    """How many calls of a function may run at the same time; None leaves it to the function."""


_live: ContextVar[Live | None] = ContextVar("helm_live_functions", default=None)


@contextmanager
def live_functions(live: Live) -> Iterator[None]:
    """Make functions available to the parts of runs inside the block."""
    token = _live.set(live)
    try:
        yield
    finally:
        _live.reset(token)
        live.loop.close()


def current_live() -> Live | None:
    """Return what the call around this code offers; None in a command."""
    return _live.get()


def function_name(function: Callable[..., Any], with_state: bool = False) -> str:
    """Return the name by which run specs know a function.

    Args:
        function: The function.
        with_state: Whether the digest includes lists, dicts and attributes that the function holds. They may change between
            two calls of this, and then the name does, too.
    """
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if module and name and module != "__main__" and getattr(sys.modules.get(module), name, None) is function:
        return f"{module}.{name}"
    state = _state_text(function) if with_state else ""
    return f"{short_name(function)}@{_digest(function, state)}"


def short_name(function: Callable[..., Any]) -> str:
    """Return the name of a function without its module, for people: letters, digits, `_` and `.` only."""
    while hasattr(function, "func") and not hasattr(function, "__name__"):  # functools.partial
        function = function.func
    name = getattr(function, "__name__", None) or type(function).__name__
    return re.sub(r"\W", "", name.replace("<lambda>", "lambda_")) or "function"


def is_importable(name: str) -> bool:
    """Return whether other processes can import the function of this name."""
    return "@" not in name


def find_function(name: str, what: str) -> Callable[..., Any]:
    """Return the function of a name; `what` says what it is, such as "scenario".

    Raises: ConfigError if there is none, or if only the process that defined it has it.
    """
    live = _live.get()
    if live is not None and name in live.functions:
        return live.functions[name]
    if not is_importable(name):
        raise ConfigError(
            f"The {what} function '{name.partition('@')[0]}' was defined in a notebook, a script or inside another function, so "
            "only the process that defined it can use it. Put it at the top level of a module (such as my_tasks.py), and "
            "import it from there."
        )
    module_name, _, attribute = name.rpartition(".")
    if not module_name:
        raise ConfigError(
            f"'{name}' is not the path of a {what} function: expected MODULE.FUNCTION, such as my_tasks.{name}."
        )
    from importlib import import_module

    try:
        module = import_module(module_name)
    except ImportError as e:
        raise ConfigError(
            f"Cannot import the module '{module_name}' of the {what} function '{name}': {e}. It must be on the module path "
            "(PYTHONPATH)."
        ) from e
    function = getattr(module, attribute, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if callable(value)]
        raise ConfigError(
            f"The module '{module_name}' has no {what} function '{attribute}'.{suggest(attribute, names)}"
        )
    return function


def is_async(function: Callable[..., Any]) -> bool:
    """Return whether calling the function gives a coroutine."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(_call_of(function))


def _call_of(function: Any) -> Any:
    """Return the method with which the class of a callable object makes its calls."""
    return vars(type(function)).get("__call__")


def _digest(function: Any, state: str) -> str:
    hashed = hashlib.sha256(state.encode())
    for part in _parts(function):
        hashed.update(part.encode())
    return hashed.hexdigest()[:_DIGEST_LENGTH]


def _parts(function: Any) -> Iterator[str]:
    """Yield texts that change when the code of a function does."""
    if hasattr(function, "func") and hasattr(function, "keywords"):  # functools.partial
        yield from _parts(function.func)
        yield _plain((*function.args, *sorted(function.keywords.items())))
        return
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(_call_of(function), "__code__", None)
        yield f"{type(function).__module__}.{type(function).__qualname__}"
    if isinstance(code, CodeType):
        yield from _code_parts(code)
        cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or () if _has_contents(cell)]
        yield _plain((*(getattr(function, "__defaults__", None) or ()), *cells))


_DEEPEST = 20
_MOST_VALUES = 100_000
"""How many values of a function's state are part of its name, so that a large table does not delay the start."""


class _State:
    """Reads the values that a function holds into a text, and notes the types of what has no text."""

    def __init__(self) -> None:
        self.opaque: set[str] = set()
        self._left = _MOST_VALUES

    def text(self, value: Any, depth: int = _DEEPEST) -> str:
        """Return a text of a value and all that it contains, which is the same in every process."""
        self._left -= 1
        if _is_scalar(value):
            return repr(value)
        if self._left < 0:
            self.opaque.add(f"{type(value).__qualname__} (after the first {_MOST_VALUES:,} values)")
            return ""
        if isinstance(value, (list, tuple, set, frozenset, Mapping)) and depth:
            items = (item for pair in value.items() for item in pair) if isinstance(value, Mapping) else value
            texts = [self.text(item, depth - 1) for item in islice(items, self._left + 1)]
            if isinstance(value, (set, frozenset)):
                texts.sort()
            return f"{type(value).__qualname__}[{len(value)}]({','.join(texts)})"
        if isinstance(value, type) or inspect.ismodule(value) or inspect.isbuiltin(value):
            return f"<{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}>"
        if inspect.isfunction(value) and depth:
            held = "".join(self.text(item, depth - 1) for item in _held_values(value))
            return f"<{value.__qualname__} {_digest(value, held)}>"
        self.opaque.add(type(value).__qualname__)
        return f"<{type(value).__qualname__}>"


def _state_text(function: Any) -> str:
    """Return a text of the state of a function that `_parts` leaves out; empty if there is none."""
    state = _State()
    text = ",".join([state.text(value) for value in _held_values(function)])
    if state.opaque:
        types = " and of type ".join(sorted(state.opaque))
        tell_once(
            f"The model '{short_name(function)}' holds a value of type {types}, of which two cannot be told apart. If you change "
            "it while a run is unfinished, give the function another name: otherwise the run goes on with the answers it has."
        )
    return text


def _held_values(function: Any) -> Iterator[Any]:
    """Yield defaults, values of the functions around, arguments of a partial, and attributes of an object."""
    if hasattr(function, "func") and hasattr(function, "keywords"):  # functools.partial
        yield from (*function.args, *(item for pair in sorted(function.keywords.items()) for item in pair))
        yield from _held_values(function.func)
        return
    yield from getattr(function, "__defaults__", None) or ()
    yield from (item for pair in sorted((getattr(function, "__kwdefaults__", None) or {}).items()) for item in pair)
    yield from _values_around(function)
    owner = getattr(function, "__self__", function if not hasattr(function, "__code__") else None)
    if owner is not None and not isinstance(owner, type) and not inspect.ismodule(owner):
        attributes = getattr(owner, "__dict__", None)
        # Without a dict, the attributes are in slots or in C.
        yield from (
            (item for pair in sorted(attributes.items()) for item in pair) if attributes is not None else (owner,)
        )


def _values_around(function: Any) -> Iterator[Any]:
    """Yield the plain values, functions and collections that a function takes from the functions around it."""
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    if not isinstance(code, CodeType) or not cells:
        return
    changed = None
    for name, cell in zip(code.co_freevars, cells, strict=True):
        value = cell.cell_contents if _has_contents(cell) else None
        if isinstance(value, (list, set, Mapping)):
            if changed is None:
                changed = _changed_names(code)
            # What a function writes to, such as a list of its calls, would give it another name after each answer.
            if name not in changed:
                yield value
        elif _is_scalar(value) or inspect.isfunction(value) or isinstance(value, (tuple, frozenset)):
            yield value


_CHANGING = frozenset(
    "add append clear difference_update discard extend insert intersection_update move_to_end pop popitem popleft remove "
    "reverse setdefault sort subtract symmetric_difference_update update appendleft extendleft".split()
)
"""Methods that change a collection."""


def _changed_names(code: CodeType) -> set[str]:
    """Return the variables of the functions around that a function, or one inside it, may write to.

    A function that sets items at all may set them in any of these variables.
    """
    import dis

    found: set[str] = set()
    free = set(code.co_freevars)
    before: str | None = None
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in ("STORE_DEREF", "DELETE_DEREF"):
            found.add(instruction.argval)
        elif name in ("LOAD_ATTR", "LOAD_METHOD") and instruction.argval in _CHANGING and before is not None:
            found.add(before)
        elif name in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"):
            found |= free
        before = instruction.argval if name in ("LOAD_DEREF", "LOAD_CLASSDEREF") else None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _changed_names(constant) & free
    return found & free


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, (str, bytes, int, float))


def _has_contents(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # a variable that has no value yet
        return False


def _plain(values: Any) -> str:
    """Return a text of values that is the same in every process and call: what may change is shown by its type."""
    if isinstance(values, tuple):
        return f"({','.join(map(_plain, values))})"
    if values is None or isinstance(values, (str, bytes, int, float)):
        return repr(values)
    return f"<{type(values).__qualname__}>"


def _code_parts(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            yield _plain(tuple(sorted(constant, key=repr)) if isinstance(constant, frozenset) else constant)
