"""Log files of exchanges, with one JSON object per line for alternating messages and responses, and the ``log`` verbs.

A line holds ``elapsed`` and either ``message`` or ``response``. The last message lacks its response when the run was cut
short. Inputs and outputs stay unparsed bytes, so a log of gigabytes takes only the memory of its longest line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from helm.common.errors import HelmError
from helm.common.evaluate_request import Timing
from helm.gradbench.protocol import (
    UNREADABLE,
    AnalysisMessage,
    EvaluateMessage,
    EvaluateResponse,
    Message,
    ProtocolError,
    StartMessage,
    StartResponse,
    decode_value,
    parse_message,
    parse_response,
)
from helm.gradbench.terminal import format_duration, format_json

BOLD, BLUE, MAGENTA, RED = "1", "34", "35", "31"
_CRASH_HINT = "Tool did not respond to last evaluation message - this implies crash or timeout."


class LogError(HelmError):
    """A log file cannot be read; the text says why."""


_ABSENT = msgspec.Raw(b"")


class _Elapsed(msgspec.Struct):
    nanoseconds: int


class _Line(msgspec.Struct):
    elapsed: _Elapsed | None = None
    message: msgspec.Raw = _ABSENT  # not an optional Raw, which would accept nothing but null
    response: msgspec.Raw = _ABSENT


class _Timings(msgspec.Struct):
    timings: list[Timing] | None = None


_line_decoder = msgspec.json.Decoder(_Line)
_timings_decoder = msgspec.json.Decoder(_Timings)


@dataclass(frozen=True)
class LogPair:
    """One message of a log and its response."""

    message: Message
    message_ns: int
    """Nanoseconds from the start of the run to the message."""

    message_line: bytes
    """The line of the log, newline included."""

    response: bytes | None = None
    """JSON of the response; None when the log ends with the message."""

    response_ns: int = 0
    response_line: bytes = b""


def describe_json_error(line: bytes) -> str:
    """Describe why ``line`` is not JSON, and where: ``key must be a string at line 1 column 2``."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return "stream did not contain valid UTF-8"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(text.rstrip())
        reasons = {
            "Expecting property name enclosed in double quotes": (
                "key must be a string",
                "EOF while parsing an object",
            ),
            "Expecting value": ("expected value", "EOF while parsing a value"),
            "Expecting ':' delimiter": ("expected `:`", "EOF while parsing an object"),
            "Expecting ',' delimiter": ("expected `,` or a closing bracket", "EOF while parsing an object"),
            "Extra data": ("trailing characters", "trailing characters"),
        }
        inside, end = reasons.get(error.msg, (error.msg, error.msg))
        column = error.pos + (0 if at_end else 1)
        return f"{end if at_end else inside} at line 1 column {column}"
    except RecursionError:
        return "recursion limit exceeded"
    return "invalid JSON"


def _parse_line(line: bytes, part: str) -> tuple[int, bytes]:
    """Read nanoseconds and the JSON of ``part`` (``message`` or ``response``) from one line. Raises ``LogError``."""
    try:
        wrapper = _line_decoder.decode(line)
    except msgspec.ValidationError as error:
        raise LogError(f"invalid log line: {error}") from None
    except UNREADABLE:
        raise LogError(describe_json_error(line)) from None
    raw = bytes(getattr(wrapper, part))
    missing = "elapsed" if wrapper.elapsed is None else part if not raw else None
    if missing is not None:
        raise LogError(f"missing field `{missing}` at line 1 column {len(line.rstrip())}")
    assert wrapper.elapsed is not None
    return wrapper.elapsed.nanoseconds, raw


def read_pairs(lines: Iterable[bytes]) -> Iterator[LogPair]:
    """Yield the messages of a log with their responses. Raises ``LogError`` at a line that cannot be read."""
    iterator = iter(lines)
    for line in iterator:
        elapsed_ns, raw = _parse_line(line, "message")
        try:
            message = parse_message(raw)
        except ProtocolError as error:
            raise LogError(str(error)) from error
        answer = next(iterator, None)
        if answer is None:
            yield LogPair(message, elapsed_ns, line)
            return
        response_ns, response = _parse_line(answer, "response")
        yield LogPair(message, elapsed_ns, line, response, response_ns, answer)


def read_timings(response: bytes) -> list[Timing] | None:
    """Read the timings of a response; None when it has none. Raises ``LogError``."""
    try:
        return _timings_decoder.decode(response).timings
    except UNREADABLE as error:
        raise LogError(f"field `timings`: {error}") from None


# --- trim ----------------------------------------------------------------------------------------------------------


def trim_log(lines: Iterable[bytes], output: IO[bytes]) -> None:
    """Copy a log without the inputs and outputs of evaluations. Raises ``LogError``."""
    for pair in read_pairs(lines):
        if isinstance(pair.message, EvaluateMessage) and pair.response is not None:
            output.write(_trimmed_message(pair.message, pair.message_ns))
            output.write(_trimmed_response(pair.response, pair.message, pair.response_ns))
        else:
            output.write(pair.message_line)
            output.write(pair.response_line)


def _compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def _trimmed_message(message: EvaluateMessage, elapsed_ns: int) -> bytes:
    fields: dict[str, object] = {
        "kind": "evaluate",
        "id": message.id,
        "module": message.module,
        "function": message.function,
    }
    if message.description is not None:
        fields["description"] = message.description
    return _compact({"elapsed": {"nanoseconds": elapsed_ns}, "message": fields})


def _trimmed_response(raw: bytes, message: EvaluateMessage, elapsed_ns: int) -> bytes:
    try:
        response = parse_response(raw, message)
    except ProtocolError as error:
        raise LogError(str(error)) from error
    assert isinstance(response, EvaluateResponse)
    timings = read_timings(raw)
    pairs = None if timings is None else [{"name": t.name, "nanoseconds": t.nanoseconds} for t in timings]
    fields: dict[str, object] = {"id": response.id, "success": response.success, "timings": pairs}
    if response.error is not None:
        fields["error"] = response.error
    return _compact({"elapsed": {"nanoseconds": elapsed_ns}, "response": fields})


# --- summary -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LogSummary:
    """A summary of a log in numbers."""

    eval: str | None = None
    eval_config: bytes | None = None
    """Raw JSON."""

    tool: str | None = None
    tool_config: bytes | None = None
    """Raw JSON."""

    num_evaluations: int = 0
    num_valid: int = 0
    num_invalid: int = 0
    elapsed_ns: int = 0
    """Time of the last line; 0 when there is nothing after the start."""

    is_complete: bool = True
    """False when the last message has no response."""


def summarize_log(lines: Iterable[bytes]) -> LogSummary:
    """Summarize a log.

    Raises: LogError when a line cannot be read or the first is not a start message.
    """
    start: StartMessage | None = None
    start_response: StartResponse | None = None
    evaluations = valid = invalid = elapsed_ns = 0
    is_complete = True
    for pair in read_pairs(lines):
        message = pair.message
        is_complete = pair.response is not None
        if start is None:
            if not isinstance(message, StartMessage):
                raise LogError("invalid log file: expected start message")
            start = message
            if pair.response is not None:
                try:
                    answer = parse_response(pair.response, message)
                except ProtocolError as error:
                    raise LogError(str(error)) from error
                assert isinstance(answer, StartResponse)
                start_response = answer
            continue
        elapsed_ns = pair.response_ns if is_complete else pair.message_ns
        evaluations += isinstance(message, EvaluateMessage)
        if isinstance(message, AnalysisMessage):
            valid += message.valid
            invalid += not message.valid
    return LogSummary(
        eval=start.eval if start else None,
        eval_config=start.config if start else None,
        tool=start_response.tool if start_response else None,
        tool_config=start_response.config if start_response else None,
        num_evaluations=evaluations,
        num_valid=valid,
        num_invalid=invalid,
        elapsed_ns=elapsed_ns,
        is_complete=is_complete,
    )


def format_summary(summary: LogSummary, paint: Callable[[str, str], str]) -> str:
    """Format the summary for people, one line per fact.

    Args:
        summary: the summary.
        paint: colours a text by a code, or returns it unchanged.
    """
    lines: list[str] = []

    def add(label: str, text: str, color: str | None = None) -> None:
        line = f"{paint(f'{label}:'.rjust(12), BOLD)} {text if color is None else paint(text, color)}"
        lines.append(line)

    add("eval", summary.eval if summary.eval is not None else "unknown", BLUE)
    if summary.eval_config is not None:
        add("config", format_json(decode_value(summary.eval_config)), BLUE)
    add("tool", summary.tool if summary.tool is not None else "unknown", MAGENTA)
    if summary.tool_config is not None:
        add("config", format_json(decode_value(summary.tool_config)), MAGENTA)
    add("evaluations", str(summary.num_evaluations))
    add("valid", str(summary.num_valid))
    add("invalid", str(summary.num_invalid))
    add("elapsed", format_duration(summary.elapsed_ns))
    if not summary.is_complete:
        lines.append(paint(_CRASH_HINT, RED))
    return "".join(line + "\n" for line in lines)


# --- flatten -------------------------------------------------------------------------------------------------------


def flatten_logs(source: Path, target: Path) -> None:
    """Move ``source/<any>/<eval>/<file>`` to ``target/<eval>/<file>``; if names are equal, the last folder's file stays."""
    for file in sorted(source.glob("*/*/*")):
        folder = target / file.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        os.replace(file, folder / file.name)
