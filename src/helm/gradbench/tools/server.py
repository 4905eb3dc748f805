"""Serve an AD tool over the GradBench protocol: read messages, run and time functions, answer.

``helm.gradbench.tool`` is the interface for authors of tools; this module is the machinery below it.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from helm.gradbench.machine import CLOCK, machine_facts, one_thread_environment

_NS_PER_S = 1e9
_EVALUATE, _COMPILE, _FIRST_RUN = "evaluate", "compile", "first_run"


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class ToolFunction:
    """One function of a module. The timings named ``evaluate`` are those of ``evaluate`` and ``wait``, nothing else."""

    evaluate: Callable[[Any], Any]
    """The function itself, on what ``prepare`` returned."""

    prepare: Callable[[Any], Any] = _unchanged
    """Converts the message's input for the function, for example lists to arrays."""

    finish: Callable[[Any], Any] = _unchanged
    """Converts the function's value to JSON data: numbers, lists, dictionaries."""

    is_repeated: bool | None = True
    """Whether the input says ``min_runs`` and ``min_seconds``; otherwise the function runs once. None: only if the
    input is an object."""

    compile: Callable[[Any], Callable[[Any], Any]] | None = None
    """Makes the function to evaluate from the result of ``prepare``, in place of ``evaluate``: it traces, compiles, records.
    Its time is reported under the name ``compile``."""

    wait: Callable[[Any], Any] | None = None
    """Waits until the value is available, for libraries that return before the work is done. It is timed with the function."""

    has_first_run: bool = False
    """Whether the first run does work that later ones do not, such as filling caches. It is reported under the name
    ``first_run`` and does not count as one of ``min_runs``."""


ToolModule = Mapping[str, ToolFunction]


@dataclass(frozen=True)
class Tool:
    """A named tool and where its modules come from."""

    name: str
    find_module: Callable[[str], ToolModule | None]
    """Returns the functions of a module by name; None if the tool lacks the module."""

    versions: Mapping[str, str] = field(default_factory=dict)
    """The versions of the libraries that the tool is made of."""

    modules: Iterable[str] = ()
    """The names of the modules, for the message about a module that the tool lacks; empty if they are not known."""

    device: str = "cpu"
    """Where the functions run."""


class ToolError(Exception):
    """Something the tool cannot do; the text goes into the answer unchanged."""


def use_one_thread() -> None:
    """Ask numerical libraries for one thread each. Must run before the first of them is imported."""
    os.environ.update(one_thread_environment())  # comparisons between tools are only fair with one each


def run_timed(
    function: Callable[[Any], Any], argument: Any, min_runs: float, min_seconds: float
) -> tuple[Any, list[int]]:
    """Call ``function`` until both minimums are met.

    Args:
        min_runs: minimum number of calls; 2.5 means 3.
        min_seconds: the measured times must add up to at least this.
    Returns: the last value, and the time of each call in nanoseconds.
    Raises: ToolError if the minimums request no call at all.
    """
    if min_runs <= 0 and min_seconds <= 0:
        raise ToolError(f"min_runs={min_runs} and min_seconds={min_seconds} request no run at all.")
    clock = time.perf_counter_ns
    times: list[int] = []
    total, needed = 0, min_seconds * _NS_PER_S
    value = None
    while len(times) < min_runs or total < needed:
        start = clock()
        value = function(argument)
        elapsed = clock() - start
        times.append(elapsed)
        total += elapsed
    return value, times


def evaluate(function: ToolFunction, value: Any) -> tuple[Any, list[tuple[str, int]]]:
    """Return the output of ``function`` for a message's input, and its timings: names and nanoseconds, in order."""
    is_object = isinstance(value, dict)
    if function.is_repeated is False or (function.is_repeated is None and not is_object):
        min_runs, min_seconds = 1, 0
    elif is_object:
        min_runs, min_seconds = value.get("min_runs", 1), value.get("min_seconds", 0)
    else:
        raise ToolError(f"The input must be an object, not {type(value).__name__}.")
    argument, timings = function.prepare(value), []
    run: Callable[[Any], Any] = function.evaluate
    if function.compile is not None:
        run, times = run_timed(function.compile, argument, 1, 0)
        timings.append((_COMPILE, times[0]))
    call, wait = run, function.wait
    if wait is not None:
        run = lambda x: wait(call(x))  # noqa: E731
    if function.has_first_run:
        timings.append((_FIRST_RUN, run_timed(run, argument, 1, 0)[1][0]))
    result, times = run_timed(run, argument, min_runs, min_seconds)
    return function.finish(result), [*timings, *((_EVALUATE, time_ns) for time_ns in times)]


def _lookup(tool: Tool, module: str) -> ToolModule:
    functions = tool.find_module(module)
    if functions is None:
        known = ", ".join(tool.modules)
        raise ToolError(f"The tool {tool.name} has no module '{module}'{f', only {known}' if known else ''}.")
    return functions


def _encode_json(value: Any) -> bytes:
    """Return JSON text with shortest round-trip numbers. Raises ``ToolError`` for NaN and infinities."""
    import json

    import msgspec

    text = msgspec.json.encode(value)
    if b"null" in text:  # how msgspec writes what JSON lacks
        try:
            json.dumps(value, allow_nan=False)
        except ValueError:
            raise ToolError("The output holds NaN or an infinity, which JSON cannot carry.") from None
    return text


def answer(tool: Tool, message: Mapping[str, Any]) -> bytes:
    """Return the response line to one message, with its newline. If a function raises, the answer says so; it is not fatal."""
    import msgspec

    kind = message.get("kind")
    fields = b'"id": ' + msgspec.json.encode(message["id"])
    if kind == "start":
        fields += b', "tool": ' + msgspec.json.encode(tool.name)
        # The protocol ignores fields that it does not know, so every log of our tools says where its times come from.
        facts = {**machine_facts(os.environ), "device": tool.device, "clock": CLOCK, **tool.versions}
        fields += b', "machine": ' + msgspec.json.encode(facts)
    elif kind in ("define", "evaluate"):
        try:
            functions = _lookup(tool, message["module"])
            fields += b', "success": true' + (_evaluated(tool, functions, message) if kind == "evaluate" else b"")
        except ToolError as error:
            fields += b', "success": false, "error": ' + msgspec.json.encode(str(error))
        except Exception:  # a tool answers that it failed; dying would lose the rest of the run
            fields += b', "success": false, "error": ' + msgspec.json.encode(traceback.format_exc())
    return b"{" + fields + b"}\n"


def _evaluated(tool: Tool, functions: ToolModule, message: Mapping[str, Any]) -> bytes:
    name = message["function"]
    if name not in functions:
        known = ", ".join(functions)
        raise ToolError(f"The tool {tool.name} has no function '{name}' in module '{message['module']}', only {known}.")
    output, times = evaluate(functions[name], message.get("input"))
    timings = b", ".join(b'{"name": "%s", "nanoseconds": %d}' % (name.encode(), time_ns) for name, time_ns in times)
    return b', "output": ' + _encode_json(output) + b', "timings": [' + timings + b"]"


def _private_stdout() -> BinaryIO:
    """Reserve standard output for answers: whatever else writes there from now on reaches standard error."""
    sys.stdout.flush()
    private = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return private


def _exit_when_unread(fd: int) -> None:
    """Wait until nobody reads our answers any more, then end at once, even in the middle of a computation."""
    poller = select.poll()
    poller.register(fd, 0)  # errors are always reported
    # Otherwise the descriptor was closed on this side: the interpreter is already exiting.
    if any(event & select.POLLERR for _, event in poller.poll()):
        os._exit(1)


def serve(tool: Tool) -> None:
    """Answer the messages on standard input until it ends.

    Raises: HelmError for a line that cannot be answered, because it is not a JSON object with an id.
    """
    import msgspec

    from helm.common.errors import HelmError

    responses = _private_stdout()
    threading.Thread(target=_exit_when_unread, args=(responses.fileno(),), daemon=True).start()
    decoder = msgspec.json.Decoder(dict)
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            message = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise HelmError(f"{tool.name}: line {number} of standard input is no message: {error}") from None
        if "id" not in message:
            raise HelmError(f"{tool.name}: the message in line {number} of standard input has no id.")
        responses.write(answer(tool, message))
        responses.flush()
