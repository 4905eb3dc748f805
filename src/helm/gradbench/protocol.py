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
from dataclasses import dataclass
from enum import Enum
from typing import Any, Optional, TypeVar, Union

import msgspec

from helm.common.evaluate_request import Timing

__all__ = [
    "AnalysisMessage",
    "AnalysisResponse",
    "DefineMessage",
    "DefineResponse",
    "EncodedJson",
    "EvaluateMessage",
    "EvaluateResponse",
    "Message",
    "Outcome",
    "ProtocolError",
    "Response",
    "StartMessage",
    "StartResponse",
    "TimingGroup",
    "check_response",
    "check_utf8",
    "decode_value",
    "encode_json",
    "encode_message",
    "group_timings",
    "parse_message",
    "parse_response",
]

_ID_RANGE = (-(2**63), 2**63 - 1)
_NANOSECONDS_END = 2**128
_KINDS = ("start", "define", "evaluate", "analysis")


class ProtocolError(ValueError):
    """A line that is no valid message or response. The text gives the reason without naming the sender."""


class Outcome(Enum):
    """What a whole exchange came to; the value is the word that people and files use."""

    SUCCESS = "success"
    ERROR = "error"
    UNDEFINED = "undefined"
    FAILURE = "failure"
    INVALID = "invalid"
    TIMEOUT = "timeout"
    INTERRUPT = "interrupt"

    @property
    def exit_code(self) -> int:
        """Exit code of the program, 0 to 6 in the order of the members."""
        return list(Outcome).index(self)


@dataclass(frozen=True)
class StartMessage:
    """The first message; says which eval is going to ask."""

    id: int
    eval: Optional[str]
    config: Optional[bytes]
    """Raw JSON, None when absent or null."""


@dataclass(frozen=True)
class DefineMessage:
    """Asks the tool to get a module ready."""

    id: int
    module: str


@dataclass(frozen=True)
class EvaluateMessage:
    """Asks the tool to run one function of a module on one input."""

    id: int
    module: str
    function: str
    input: bytes
    """Raw JSON; ``null`` when the message has no input."""

    description: Optional[str]


@dataclass(frozen=True)
class AnalysisMessage:
    """Tells the tool whether an earlier evaluation was right."""

    id: int
    of: int
    valid: bool
    error: Optional[str]


@dataclass(frozen=True)
class StartResponse:
    id: int
    tool: Optional[str]
    config: Optional[bytes]
    """Raw JSON, None when absent or null."""


@dataclass(frozen=True)
class DefineResponse:
    id: int
    success: bool
    timings: list[Timing]
    error: Optional[str]


@dataclass(frozen=True)
class EvaluateResponse:
    id: int
    success: bool
    output: Optional[bytes]
    """Raw JSON; None when the key is absent. A null output is ``b"null"``."""

    timings: list[Timing]
    error: Optional[str]


@dataclass(frozen=True)
class AnalysisResponse:
    id: int


Message = Union[StartMessage, DefineMessage, EvaluateMessage, AnalysisMessage]
Response = Union[StartResponse, DefineResponse, EvaluateResponse, AnalysisResponse]
T = TypeVar("T")


# --- reading -------------------------------------------------------------------------------------------------------


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

# A number overflows a double by a three-digit exponent, or with more than 208 digits before the point (an exponent of
# two digits gives at most 99 more). So many digits always fill one aligned block of half the length.
_DIGIT_BLOCK = 100
_LARGE_EXPONENT = re.compile(rb"[eE]\+?[0-9]{3}")
_FEW_EXPONENTS = 10_000


def _check_numbers(raw: bytes) -> None:
    """Raises ``ProtocolError`` when a number in ``raw`` overflows a double, as ``1E400`` does.

    Skipping a value validates its grammar but not its range. Decoding everything would answer and would cost several
    times as much, so that only happens to the rare text that has a long run of digits or a large exponent in it.
    """
    blocks = range(0, len(raw) - _DIGIT_BLOCK + 1, _DIGIT_BLOCK)
    if any(raw[i : i + _DIGIT_BLOCK].isdigit() for i in blocks) or any(
        _has_large_exponent(raw, e) for e in (b"e", b"E")
    ):
        json.loads(raw, parse_float=_check_number, parse_int=_check_number)


def _has_large_exponent(raw: bytes, letter: bytes) -> bool:
    """Whether an exponent of three digits may follow ``letter`` somewhere; scanning by hand beats a regular expression
    as long as the letter is rare, which it is once negative exponents are out of the way."""
    if raw.count(letter) > _FEW_EXPONENTS:
        raw = raw.replace(letter + b"-", b"")
        if raw.count(letter) > _FEW_EXPONENTS:
            return _LARGE_EXPONENT.search(raw) is not None
    position = raw.find(letter)
    while position >= 0:
        if _LARGE_EXPONENT.match(raw, position):
            return True
        position = raw.find(letter, position + 1)
    return False


def _check_number(text: str) -> float:
    if math.isinf(float(text)):
        raise ProtocolError(f"number out of range: {text[:20]}{'...' if len(text) > 20 else ''}")
    return 0.0


def decode_value(raw: bytes) -> Any:
    """The Python value of JSON text. Integers beyond 64 bits stay exact. Raises ``ProtocolError``."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(str(error)) from None


def check_utf8(line: bytes) -> None:
    """Raises ``UnicodeDecodeError`` unless ``line`` is UTF-8."""
    if not line.isascii():  # much quicker than decoding, and nearly always true
        line.decode("utf-8")


def _read_fields(line: bytes, known: Iterable[str]) -> dict[str, bytes]:
    """The raw values of the ``known`` fields of the object in ``line``; others are validated and dropped."""
    try:
        check_utf8(line)
        pairs = _object_decoder.decode(line)
        _check_numbers(line)
    except UnicodeDecodeError:
        raise ProtocolError("stream did not contain valid UTF-8") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProtocolError("unexpected end of the line" if not line.strip() else str(error)) from None
    fields: dict[str, bytes] = {}
    for key, raw in pairs.items():
        if key.name in known:
            if key.name in fields:
                raise ProtocolError(f"duplicate field `{key.name}`")
            fields[key.name] = bytes(raw)
    return fields


class _Fields:
    """Typed access to the fields of one object."""

    def __init__(self, line: bytes, known: Iterable[str]):
        self._fields = _read_fields(line, frozenset(known))

    def required(self, name: str, kind: type[T]) -> T:
        if name not in self._fields:
            raise ProtocolError(f"missing field `{name}`")
        try:
            value = _decoders[kind].decode(self._fields[name])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ProtocolError(f"field `{name}`: {error}") from None
        if kind is int and not _ID_RANGE[0] <= value <= _ID_RANGE[1]:
            raise ProtocolError(f"field `{name}`: {value} does not fit in 64 bits")
        return value

    def optional(self, name: str, kind: type[T]) -> Optional[T]:
        return None if self._fields.get(name, b"null") == b"null" else self.required(name, kind)

    def raw(self, name: str) -> Optional[bytes]:
        """The bytes of a value of any type; None when the field is absent."""
        return self._fields.get(name)

    def raw_unless_null(self, name: str) -> Optional[bytes]:
        raw = self._fields.get(name)
        return None if raw == b"null" else raw

    def timings(self) -> list[Timing]:
        raw = self._fields.get("timings", b"null")
        return [] if raw == b"null" else _parse_timings(raw)


def _parse_timings(raw: bytes) -> list[Timing]:
    """Timings of a response: ``[{"name": str, "nanoseconds": 0 <= int < 2**128}, ...]``."""
    try:
        timings = _timings_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProtocolError(f"field `timings`: {error}") from None
    # A list can have 600 000 entries. Equal counts prove cheaply that no entry repeats a key; otherwise look at each.
    if not raw.count(b'"name"') == raw.count(b'"nanoseconds"') == len(timings):
        for item in _raw_list_decoder.decode(raw):
            _read_fields(bytes(item), ("name", "nanoseconds"))
    for timing in timings:
        if not 0 <= timing.nanoseconds < _NANOSECONDS_END:
            raise ProtocolError(f"field `timings`: {timing.nanoseconds} nanoseconds are out of range")
    return timings


def parse_message(line: bytes) -> Message:
    """The message in one line of an eval, white space around it allowed. Raises ``ProtocolError``."""
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


def parse_response(line: bytes, message: Message) -> Response:
    """The response in one line of a tool, read as the answer to ``message``. Raises ``ProtocolError``.

    The id is not compared with the message's: whoever needs that compares. Neither are the rules on ``success``
    applied (see ``check_response``), because callers report breaking them in different ways.
    """
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


def check_response(response: Response) -> None:
    """Raises ``ProtocolError`` when a response contradicts itself: success with an error, or without an output."""
    if isinstance(response, (DefineResponse, EvaluateResponse)) and response.success:
        if response.error is not None:
            raise ProtocolError("tool reported success but gave an error")
        if isinstance(response, EvaluateResponse) and response.output is None:
            raise ProtocolError("tool reported success but gave no output")


@dataclass(frozen=True)
class TimingGroup:
    """Timings of one name: how many there were and their sum."""

    name: str
    count: int
    total_ns: int

    @property
    def mean_ns(self) -> int:
        """Average in nanoseconds, rounded down."""
        return self.total_ns // self.count


def group_timings(timings: Iterable[Timing]) -> list[TimingGroup]:
    """Timings summed by name, in order of first appearance."""
    groups: dict[str, list[int]] = {}
    for timing in timings:
        group = groups.setdefault(timing.name, [0, 0])
        group[0] += 1
        group[1] += timing.nanoseconds
    return [TimingGroup(name, count, total) for name, (count, total) in groups.items()]


# --- writing -------------------------------------------------------------------------------------------------------


class EncodedJson(str):
    """JSON text made earlier by ``encode_json``; messages take it in as it is."""


def encode_json(value: Any) -> EncodedJson:
    """Python's own form: shortest round-trip numbers and the separators that existing logs have.

    Raises ``ValueError`` for NaN and infinities, which no JSON line can carry.
    """
    return EncodedJson(json.dumps(value, allow_nan=False))


def encode_message(message_id: int, kind: str, **fields: Any) -> bytes:
    """One message line, newline included: ``id``, ``kind``, then ``fields`` in the order given.

    Raises ``ValueError`` for NaN and infinities.
    """
    pairs = {"id": message_id, "kind": kind, **fields}.items()
    texts = (f'"{key}": {value if isinstance(value, EncodedJson) else encode_json(value)}' for key, value in pairs)
    return ("{" + ", ".join(texts) + "}\n").encode("ascii")
