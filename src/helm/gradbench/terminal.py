"""The output of ``gradbench run``: one line per definition and evaluation, completed as the answers arrive."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from helm.common.evaluate_request import Timing
from helm.gradbench.protocol import ProtocolError, RawJson, decode_value, group_timings

# The original's widths: a text of more than 15 bytes keeps 12, and three dots fill the column.
_COLUMN = 15
_CUT_BYTES = 12
_MILLISECOND_NS = 10**6

BOLD_CYAN, DIM, RED, GREEN, YELLOW = "1;36", "2", "31", "32", "33"
VALID, INVALID, TIMED_OUT = "✓", "✗", "⧖"


def should_color(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether to colour: CLICOLOR_FORCE turns colours on, else NO_COLOR off, else they are on for a terminal."""
    if environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return not environ.get("NO_COLOR") and stream.isatty()


def format_duration(nanoseconds: int) -> str:
    """Eleven characters, rounded down to milliseconds: ``      250ms``, ``   12.345 s``, `` 1:01.000  ``."""
    milliseconds = nanoseconds // _MILLISECOND_NS
    seconds, ms = divmod(milliseconds, 1000)
    minutes, s = divmod(seconds, 60)
    if seconds < 1:
        return f"      {ms:3}ms"
    if minutes < 1:
        return f"   {s:2}.{ms:03} s"
    if minutes < 60:
        return f"{minutes:2}:{s:02}.{ms:03}  "
    return "     > 1 hr"


def format_column(text: str) -> str:
    """``text`` in 15 columns; more than 15 bytes are cut to the whole characters among the first 12, and ``...``."""
    data = text.encode("utf-8")
    if len(data) > _COLUMN:
        text = data[:_CUT_BYTES].decode("utf-8", errors="ignore") + "..."
    return text.ljust(_COLUMN)


def format_float(value: float) -> str:
    """Shortest form that reads back equal: ``1000.0``, ``0.00001``, ``1e-7``, ``1e16``, ``-0.0``."""
    if value == 0.0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    mantissa, _, exponent = f"{value!r}".lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))  # digits before the point
    digits = digits.rstrip("0")
    if len(digits) <= point <= 16:
        text = digits.ljust(point, "0") + ".0"
    elif 0 < point <= 16:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -5 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{point - 1}"
    return "-" + text if value < 0 else text


def format_json(value: Any) -> str:
    """Compact JSON with sorted keys, as people see inputs and configurations."""
    return "".join(_json_pieces(value))


def _json_pieces(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        for i, key in enumerate(sorted(value, key=lambda key: key.encode("utf-8"))):
            yield ("," if i else "") + json.dumps(key, ensure_ascii=False) + ":"
            yield from _json_pieces(value[key])
        yield "}"
    elif isinstance(value, list):
        yield "["
        for i, item in enumerate(value):
            if i:
                yield ","
            yield from _json_pieces(item)
        yield "]"
    elif isinstance(value, float):
        yield format_float(value)
    elif type(value) is int and not -(2**63) <= value < 2**64:
        yield format_float(float(value))  # integers beyond 64 bits are read as doubles
    else:
        yield json.dumps(value, ensure_ascii=False)


def format_workload(description: str | None, raw_input: RawJson) -> str:
    """The workload column: the description, or the beginning of the input as compact JSON."""
    if description is not None:
        return format_column(description)
    text = ""
    try:
        value = decode_value(raw_input)
    except ProtocolError:  # nested slightly too deeply for the remaining stack
        return format_column(bytes(raw_input[: 2 * _COLUMN]).decode("utf-8", errors="ignore"))
    for piece in _json_pieces(value):  # cut early: an input may be megabytes long, the column shows a few characters
        text += piece
        if len(text) > _COLUMN:
            break
    return format_column(text)


def paint(text: str, color: str) -> str:
    """Return ``text`` in the colour with the code ``color``."""
    return f"\x1b[{color}m{text}\x1b[0m"


class Terminal:
    """Prints the progress of one exchange. Every method flushes its output, except for times, because more follows at once."""

    def __init__(self, stream: TextIO = sys.stdout, colored: bool = False):
        self._stream, self._colored = stream, colored
        self._open_evaluation: int | None = None

    def _print(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def _paint(self, text: str, color: str) -> str:
        return paint(text, color) if self._colored else text

    def _head(self, message_id: int, kind: str) -> str:
        return f"{self._paint(f'[{message_id}]'.rjust(5), BOLD_CYAN)} {kind}"

    def _mark(self, valid: bool) -> str:
        return self._paint(VALID, GREEN) if valid else self._paint(INVALID, RED)

    def _error_text(self, error: str | None) -> str:
        return "" if error is None else self._paint(error, RED) + "\n"

    def _timings(self, timings: Iterable[Timing]) -> str:
        parts = []
        for group in group_timings(timings):
            count = f" × {group.count}" if group.count > 1 else ""
            parts.append(f"{format_duration(group.mean_ns)} {group.name}{count}")
        return f" {self._paint('~', DIM)} {', '.join(parts)}" if parts else ""

    def _round_time(self, elapsed_ns: int) -> str:
        return self._paint(format_duration(elapsed_ns), DIM)

    def _end_open_line(self) -> str:
        newline = "" if self._open_evaluation is None else "\n"
        self._open_evaluation = None
        return newline

    def start(self, message_id: int, eval_name: str | None, tool_name: str | None) -> None:
        """Prints nothing before the answer, because tools may write to the terminal while they start."""
        names = "" if eval_name is None else f" {eval_name}" + ("" if tool_name is None else f" ({tool_name})")
        self._print(f"{self._end_open_line()}{self._head(message_id, 'start')}{names}\n")

    def begin_define(self, message_id: int, module: str) -> None:
        self._print(f"{self._end_open_line()}{self._head(message_id, 'def  ')} {format_column(module)}")

    def define_time(self, elapsed_ns: int) -> None:
        self._stream.write(f" {' ' * _COLUMN} {self._round_time(elapsed_ns)}")

    def end_define(self, timings: Iterable[Timing], success: bool, error: str | None) -> None:
        self._print(f"{self._timings(timings)} {self._mark(success)}\n{self._error_text(error)}")

    def begin_evaluate(self, message_id: int, name: str, workload: str) -> None:
        """``name`` is ``module::function``; ``workload`` comes from ``format_workload``."""
        text = f"{self._head(message_id, 'eval ')} {format_column(name)} {workload}"
        self._print(self._end_open_line() + text)

    def evaluate_time(self, elapsed_ns: int) -> None:
        self._stream.write(f" {self._round_time(elapsed_ns)}")

    def leave_evaluate_open(self, message_id: int, timings: Iterable[Timing]) -> None:
        """Print a successful evaluation without its mark, which follows after the analysis."""
        self._print(self._timings(timings))
        self._open_evaluation = message_id

    def fail_evaluate(self, timings: Iterable[Timing], error: str | None) -> None:
        self._print(f"{self._timings(timings)} {self._mark(False)}\n{self._error_text(error)}")

    def break_evaluate(self, timings: Iterable[Timing], error: str | None, reason: str) -> None:
        """Print an answer that contradicts itself; its line ends without a mark."""
        text = "\n" + self._error_text(error) + self._error_text(reason)
        self._print(self._timings(timings) + text)

    def analysis(self, of: int, valid: bool, error: str | None) -> None:
        if self._open_evaluation == of:
            self._open_evaluation = None
            self._print(f" {self._mark(valid)}\n{self._error_text(error)}")

    def timeout(self, elapsed_ns: int) -> None:
        self._open_evaluation = None
        self._print(f" {self._round_time(elapsed_ns)} {self._paint(TIMED_OUT, YELLOW)}\n")

    def bad_line(self, line: str, reason: str | None) -> None:
        """Print a line that could not be read, then the reason, if the cause was not an interrupt."""
        self._open_evaluation = None
        self._print(f"\n{self._paint(line, RED)}\n{self._error_text(reason)}")

    def error(self, text: str) -> None:
        self._print(self._error_text(text))
