"""Messages of the GradBench protocol: strict parsing, and the wire form of what we send.

An *eval* writes one JSON object per line (a message), a *tool* answers each with one line (a response). Inputs and
outputs can be tens of megabytes, so parsing is shallow: only the fields the protocol speaks about are read, and
``input``, ``output`` and ``config`` stay the bytes they came as until somebody asks for their value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from helm.common.evaluate_request import Timing
from helm.common.processes.line_process import Line
from helm.gradbench.messages import (
    AnalysisMessage,
    AnalysisResponse,
    DefineMessage,
    DefineResponse,
    EvaluateMessage,
    EvaluateResponse,
    Message,
    Outcome,
    ProtocolError,
    RawJson,
    Response,
    StartMessage,
    StartResponse,
    TimingGroup,
    check_response,
    group_timings,
)

__all__ = [
    "AnalysisMessage",
    "AnalysisResponse",
    "DefineMessage",
    "DefineResponse",
    "EncodedJson",
    "EvaluateMessage",
    "EvaluateResponse",
    "Line",
    "Message",
    "Outcome",
    "ProtocolError",
    "RawJson",
    "Response",
    "StartMessage",
    "StartResponse",
    "TimingGroup",
    "UNREADABLE",
    "check_response",
    "check_utf8",
    "decode_value",
    "encode_json",
    "encode_message",
    "group_timings",
    "parse_message",
    "parse_response",
]

# The original reads ids as signed 64-bit and times as unsigned 128-bit integers, and rejects lines beyond these.
_ID_RANGE = (-(2**63), 2**63 - 1)
_NANOSECONDS_END = 2**128
_KINDS = ("start", "define", "evaluate", "analysis")

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Exceptions of decoding text that is not JSON, not UTF-8, or nested too deeply for the interpreter."""

T = TypeVar("T")


# --- reading -------------------------------------------------------------------------------------------------------

# Most lines are short and correct. Those take one typed decoding with few checks around it; every other line is read
# carefully by ``_Fields``, which also describes what is wrong.
# Up to this length, decoding everything at once is faster than reading the fields one by one.
_SHORT_LINE_BYTES = 4096


_ABSENT, _NULL = msgspec.Raw(), msgspec.Raw(b"null")


class _ShortMessage(msgspec.Struct, omit_defaults=True):
    id: int
    kind: str
    eval: str | None = None
    config: msgspec.Raw = _NULL
    module: str | None = None
    function: str | None = None
    input: msgspec.Raw = _NULL
    description: str | None = None
    of: int | None = None
    valid: bool | None = None
    error: str | None = None


class _ShortStartResponse(msgspec.Struct, omit_defaults=True):
    id: int
    tool: str | None = None
    config: msgspec.Raw = _NULL


class _ShortResponse(msgspec.Struct, omit_defaults=True):
    id: int
    success: bool
    output: msgspec.Raw = _ABSENT
    timings: list[Timing] | None = None
    error: str | None = None


class _ShortAnalysisResponse(msgspec.Struct, omit_defaults=True):
    id: int


_encode_short = msgspec.json.Encoder().encode
_S = TypeVar("_S", bound=_ShortMessage | _ShortStartResponse | _ShortResponse | _ShortAnalysisResponse)


def _read_short(line: Line, decoder: msgspec.json.Decoder[_S]) -> _S | None:
    """Return the structure in a line, or None for a line that needs the careful reader: long, wrong, or unusual."""
    if len(line) > _SHORT_LINE_BYTES or not line.isascii() or b"\\" in line or _LARGE_EXPONENT.search(line):
        return None
    if len(line) > 2 * _DIGIT_BLOCK and _has_many_digits(line):
        return None
    try:
        value = decoder.decode(line)
    except UNREADABLE:
        return None
    # A repeated or unknown field leaves more colons in the line than the decoded structure has.
    if line.count(b":") != _encode_short(value).count(b":"):
        return None
    return value if _ID_RANGE[0] <= value.id <= _ID_RANGE[1] else None


_short_message = msgspec.json.Decoder(_ShortMessage)
_short_start_response = msgspec.json.Decoder(_ShortStartResponse)
_short_response = msgspec.json.Decoder(_ShortResponse)
_short_analysis_response = msgspec.json.Decoder(_ShortAnalysisResponse)


def _unless_null(raw: msgspec.Raw) -> bytes | None:
    text = bytes(raw)
    return None if text == b"null" else text


def _parse_short_message(line: Line) -> Message | None:
    read = _read_short(line, _short_message)
    if read is None:
        return None
    if read.kind == "evaluate" and read.module is not None and read.function is not None:
        return EvaluateMessage(read.id, read.module, read.function, bytes(read.input), read.description)
    if read.kind == "analysis" and read.of is not None and read.valid is not None:
        in_range = _ID_RANGE[0] <= read.of <= _ID_RANGE[1]
        return AnalysisMessage(read.id, read.of, read.valid, read.error) if in_range else None
    if read.kind == "define" and read.module is not None:
        return DefineMessage(read.id, read.module)
    if read.kind == "start":
        return StartMessage(read.id, read.eval, _unless_null(read.config))
    return None


def _parse_short_response(line: Line, message: Message) -> Response | None:
    if isinstance(message, StartMessage):
        start = _read_short(line, _short_start_response)
        return None if start is None else StartResponse(start.id, start.tool, _unless_null(start.config))
    if isinstance(message, AnalysisMessage):
        analysis = _read_short(line, _short_analysis_response)
        return None if analysis is None else AnalysisResponse(analysis.id)
    read = _read_short(line, _short_response)
    if read is None:
        return None
    timings = read.timings or []
    for timing in timings:
        if not 0 <= timing.nanoseconds < _NANOSECONDS_END:
            return None
    if isinstance(message, DefineMessage):
        return DefineResponse(read.id, read.success, timings, read.error)
    return EvaluateResponse(read.id, read.success, bytes(read.output) or None, timings, read.error)


class _Key:
    """A key of an object, compared by identity, so that decoding into a dict keeps repeated keys apart."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name


_object_decoder = msgspec.json.Decoder(dict[_Key, msgspec.Raw], dec_hook=lambda kind, name: kind(name))
_string_decoder = msgspec.json.Decoder(str)
_integer_decoder = msgspec.json.Decoder(int)
_boolean_decoder = msgspec.json.Decoder(bool)
_timings_decoder = msgspec.json.Decoder(list[Timing])
_raw_list_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_decoders: dict[type, msgspec.json.Decoder] = {str: _string_decoder, int: _integer_decoder, bool: _boolean_decoder}

# A number can overflow a double only with a three-digit exponent, or with more than 208 digits before the point (a
# two-digit exponent adds at most 99, and a double has up to 309). That many digits always fill an aligned block of 100.
_DIGIT_BLOCK = 100
_IS_DIGIT = bytes(chr(byte).isdecimal() for byte in range(128)) + bytes(128)
_LARGE_EXPONENT = re.compile(rb"[eE]\+?[0-9]{3}")
# With more occurrences, the search letter by letter takes longer than a regular expression.
_FEW_EXPONENTS = 10_000

# This much of a line stays in the processor's cache. It is a multiple of the digit block.
_SCANNED_BYTES = 400_000
_COPIED_BYTES = 1 << 16


def _check_numbers(raw: Line) -> None:
    """Raises ``ProtocolError`` when a number in ``raw`` overflows a double, as ``1E400`` does.

    Skipping a value validates its grammar, but not its range. Decoding everything would check it, but take several times
    as long, so only the rare text with a long run of digits or a large exponent is decoded.
    """
    if _has_many_digits(raw) or any(_has_large_exponent(raw, letter) for letter in (b"e", b"E")):
        json.loads(raw, parse_float=_check_number, parse_int=_check_number)


def _has_many_digits(raw: Line) -> bool:
    """Return whether some aligned block consists of digits.

    All blocks of a stretch are tested together: one bit for each says whether its first byte is a digit, then its
    first two, and so on. All bits are 0 after as many bytes as the longest number has.
    """
    for start in range(0, len(raw), _SCANNED_BYTES):
        stretch = raw[start : start + _SCANNED_BYTES]
        end = len(stretch) // _DIGIT_BLOCK * _DIGIT_BLOCK
        candidates = -1 if end else 0
        for offset in range(_DIGIT_BLOCK):
            if not candidates:
                break
            candidates &= int.from_bytes(stretch[offset:end:_DIGIT_BLOCK].translate(_IS_DIGIT), "little")
        if candidates:
            return True
    return False


def _has_large_exponent(raw: Line, letter: bytes) -> bool:
    """Return whether an exponent of three digits may follow ``letter`` somewhere.

    Scanning by hand is faster than a regular expression as long as the letter is rare, and it is rare once negative
    exponents have been handled.
    """
    found = _find_large_exponent(raw, letter)
    if found is None:
        raw = raw.replace(letter + b"-", b"")
        found = _find_large_exponent(raw, letter)
    return _LARGE_EXPONENT.search(raw) is not None if found is None else found


def _find_large_exponent(raw: Line, letter: bytes) -> bool | None:
    """Return the same as ``_has_large_exponent``, or None when the letter is not rare."""
    position = raw.find(letter)
    for _ in range(_FEW_EXPONENTS):
        if position < 0:
            return False
        if _LARGE_EXPONENT.match(raw, position):
            return True
        position = raw.find(letter, position + 1)
    return None


def _check_number(text: str) -> float:
    if math.isinf(float(text)):
        raise ProtocolError(f"number out of range: {text[:20]}{'...' if len(text) > 20 else ''}")
    return 0.0


def decode_value(raw: RawJson) -> Any:
    """Return the Python value of JSON text. Integers beyond 64 bits stay exact. Raises ``ProtocolError``."""
    try:
        return msgspec.json.decode(raw)
    except UNREADABLE as error:
        raise ProtocolError(str(error)) from None


def check_utf8(line: Line) -> None:
    """Raises ``UnicodeDecodeError`` unless ``line`` is UTF-8."""
    if not line.isascii():  # much faster than decoding, and nearly always true
        line.decode("utf-8")


def _read_fields(line: Line, known: Iterable[str]) -> dict[str, RawJson]:
    """Return the raw values of the ``known`` fields of the object in ``line``; others are validated and dropped."""
    try:
        check_utf8(line)
        pairs = _object_decoder.decode(line)
        _check_numbers(line)
    except UnicodeDecodeError:
        raise ProtocolError("stream did not contain valid UTF-8") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProtocolError("unexpected end of the line" if not line.strip() else str(error)) from None
    fields: dict[str, RawJson] = {}
    for key, raw in pairs.items():
        if key.name in known:
            if key.name in fields:
                raise ProtocolError(f"duplicate field `{key.name}`")
            text = memoryview(raw)
            fields[key.name] = text if len(text) > _COPIED_BYTES else bytes(text)
    return fields


class _Fields:
    """Typed access to the fields of one object."""

    def __init__(self, line: Line, known: Iterable[str]):
        self._fields = _read_fields(line, frozenset(known))

    def required(self, name: str, kind: type[T]) -> T:
        if name not in self._fields:
            raise ProtocolError(f"missing field `{name}`")
        try:
            value = _decoders[kind].decode(self._fields[name])
        except UNREADABLE as error:
            raise ProtocolError(f"field `{name}`: {error}") from None
        if kind is int and not _ID_RANGE[0] <= value <= _ID_RANGE[1]:
            raise ProtocolError(f"field `{name}`: {value} does not fit in 64 bits")
        return value

    def optional(self, name: str, kind: type[T]) -> T | None:
        return None if self._fields.get(name, b"null") == b"null" else self.required(name, kind)

    def raw(self, name: str) -> RawJson | None:
        """Return the text of a value of any type; None when the field is absent."""
        return self._fields.get(name)

    def raw_unless_null(self, name: str) -> bytes | None:
        raw = self._fields.get(name)
        return None if raw is None or raw == b"null" else bytes(raw)

    def timings(self) -> list[Timing]:
        raw = self._fields.get("timings", b"null")
        return [] if raw == b"null" else _parse_timings(bytes(raw))


def _have_no_key_twice(text: bytes, timings: list[Timing]) -> bool:
    """Return whether certainly no entry repeats a key; counting is fast, and a list can have 600,000 entries."""
    return text.count(b'"name"') == text.count(b'"nanoseconds"') == len(timings)


def _parse_timings(raw: bytes) -> list[Timing]:
    """Read the timings of a response: ``[{"name": str, "nanoseconds": 0 <= int < 2**128}, ...]``."""
    try:
        timings = _timings_decoder.decode(raw)
    except UNREADABLE as error:
        raise ProtocolError(f"field `timings`: {error}") from None
    if not _have_no_key_twice(raw, timings):
        for item in _raw_list_decoder.decode(raw):
            _read_fields(bytes(item), ("name", "nanoseconds"))
    for timing in timings:
        if not 0 <= timing.nanoseconds < _NANOSECONDS_END:
            raise ProtocolError(f"field `timings`: {timing.nanoseconds} nanoseconds are out of range")
    return timings


def parse_message(line: Line) -> Message:
    """Read the message in one line of an eval, which may have white space around it. Raises ``ProtocolError``."""
    message = _parse_short_message(line)
    if message is not None:
        return message
    fields = _Fields(
        line, ("id", "kind", "eval", "config", "module", "function", "input", "description", "of", "valid", "error")
    )
    kind = fields.required("kind", str)
    if kind not in _KINDS:
        raise ProtocolError(f"unknown kind `{kind}`, expected one of {', '.join(_KINDS)}")
    message_id = fields.required("id", int)
    if kind == "start":
        return StartMessage(message_id, fields.optional("eval", str), fields.raw_unless_null("config"))
    if kind == "define":
        return DefineMessage(message_id, fields.required("module", str))
    if kind == "analysis":
        of, valid = fields.required("of", int), fields.required("valid", bool)
        return AnalysisMessage(message_id, of, valid, fields.optional("error", str))
    return EvaluateMessage(
        message_id,
        fields.required("module", str),
        fields.required("function", str),
        fields.raw("input") or b"null",
        fields.optional("description", str),
    )


def parse_response(line: Line, message: Message) -> Response:
    """Read the response in one line of a tool, as the answer to ``message``. Raises ``ProtocolError``.

    The caller has to compare the ids if necessary, and to apply the rules on ``success`` (see ``check_response``),
    because callers report violations in different ways.
    """
    response = _parse_short_response(line, message)
    if response is not None:
        return response
    if isinstance(message, StartMessage):
        fields = _Fields(line, ("id", "tool", "config"))
        return StartResponse(fields.required("id", int), fields.optional("tool", str), fields.raw_unless_null("config"))
    if isinstance(message, AnalysisMessage):
        return AnalysisResponse(_Fields(line, ("id",)).required("id", int))
    fields = _Fields(line, ("id", "success", "output", "timings", "error"))
    response_id, success = fields.required("id", int), fields.required("success", bool)
    error = fields.optional("error", str)
    if isinstance(message, DefineMessage):
        return DefineResponse(response_id, success, fields.timings(), error)
    return EvaluateResponse(response_id, success, fields.raw("output"), fields.timings(), error)


# --- writing -------------------------------------------------------------------------------------------------------


class EncodedJson(str):
    """JSON text made by ``encode_json``, which messages include unchanged."""


def encode_json(value: Any) -> EncodedJson:
    """Encode a value in Python's form: shortest round-trip numbers, and the separators of existing logs.

    Raises ``ValueError`` for NaN and infinities, which JSON cannot represent.
    """
    return EncodedJson(json.dumps(value, allow_nan=False))


def encode_message(message_id: int, kind: str, **fields: Any) -> bytes:
    """Encode one message line with its newline: ``id``, ``kind``, then ``fields`` in the given order.

    Raises ``ValueError`` for NaN and infinities.
    """
    pairs = {"id": message_id, "kind": kind, **fields}.items()
    texts = (f'"{key}": {value if isinstance(value, EncodedJson) else encode_json(value)}' for key, value in pairs)
    return ("{" + ", ".join(texts) + "}\n").encode("ascii")
