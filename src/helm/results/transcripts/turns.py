"""Groups the events of an episode into turns: one answer of the agent's model, and what followed from it.

Events come from files, so any field may hold anything; what is no text is shown as JSON.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.agents import events
from helm.common.agent_request import AGENT_ROLE, BRIDGE_ROLE

MAX_WORDS = 120
"""Characters of the line that stands for a call."""

_MAX_DIFF_LINES = 400
_TELLING = ("command", "cmd", "code", "path", "file", "query", "url", "answer")
"""Arguments that say by themselves what a call does, the most telling one first."""

_OLD_AND_NEW = (("old_str", "new_str"), ("old_string", "new_string"), ("old_text", "new_text"), ("old", "new"))
_WHOLE_FILE = ("file_text", "content", "new_content")
_MIN_STRETCH = 4
"""Fewer turns in a row are not folded."""


@dataclass
class DiffLine:
    """A line of a changed text."""

    sign: str
    """`+`, `-`, or a space."""

    text: str


@dataclass
class Call:
    """A call of a tool, with its result."""

    number: int
    """The number of the event."""

    name: str

    words: str
    """One line that says what is done."""

    arguments: list[tuple[str, str]]

    requestor: str = "agent"

    problem: str = ""
    """Why the call is not valid; empty if it is."""

    result: str | None = None
    """None while the tool runs."""

    is_error: bool = False

    elapsed_s: float | None = None

    cut_bytes: int = 0

    returncode: int | None = None

    diff: list[DiffLine] = field(default_factory=list)
    """What a call that edits a file changes in it."""

    @property
    def is_edit(self) -> bool:
        return bool(self.diff)

    @property
    def key(self) -> str:
        """Tells calls with the same arguments and result from others."""
        return json.dumps([self.name, self.arguments, self.result])


@dataclass
class Remark:
    """Something that happened in a turn and is no call: a reply of the user, a limit, an error, a score."""

    number: int

    kind: str
    """The kind of the event."""

    title: str

    text: str = ""

    is_bad: bool = False


@dataclass
class Turn:
    """An answer of the agent's model, and what followed from it. Turn 0 is what was there before the first answer."""

    number: int

    event: int
    """The number of its first event."""

    at_s: float = 0.0
    """Seconds since the start of the episode."""

    text: str = ""

    thinking: str = ""

    calls: list[Call] = field(default_factory=list)

    remarks: list[Remark] = field(default_factory=list)

    latency_s: float | None = None

    facts: list[tuple[str, str]] = field(default_factory=list)
    """Tokens, cost, and how the answer ended."""

    is_cached: bool = False

    @property
    def steps(self) -> "list[Call | Remark]":
        """Calls and remarks, as they happened."""
        return sorted([*self.calls, *self.remarks], key=lambda step: step.number)

    @property
    def num_errors(self) -> int:
        """How many calls and remarks failed."""
        failed = sum(bool(call.is_error or call.problem) for call in self.calls)
        return failed + sum(item.is_bad for item in self.remarks)

    @property
    def has_error(self) -> bool:
        return self.num_errors > 0

    @property
    def is_dull(self) -> bool:
        """Whether nothing in it asks for attention: calls that worked and changed no file."""
        return bool(self.calls) and not (self.has_error or self.remarks or any(call.is_edit for call in self.calls))

    @property
    def key(self) -> str:
        """Equal for turns in which the same was said and the same happened."""
        remarks = [item.text for item in self.remarks if item.kind != events.ENVIRONMENT]  # those have times
        return json.dumps([self.text, [call.key for call in self.calls], remarks])

    def contains(self, words: Sequence[str]) -> bool:
        """Whether all words, in lower case, are in its texts."""
        texts = [self.text, self.thinking, *(item.text for item in self.remarks)]
        for call in self.calls:
            texts += [call.name, call.result or "", *(text for pair in call.arguments for text in pair)]
        whole = "\n".join(texts).lower()
        return all(word in whole for word in words)


@dataclass
class Stretch:
    """Turns in a row that are shown together."""

    turns: list[Turn]

    summary: str = ""
    """What happened in them; empty if they are shown one by one."""


def read_turns(found: Any) -> list[Turn]:
    """Return the turns of an episode. What is no event is left out."""
    turns = [Turn(0, 0)]
    calls: dict[str, Call] = {}
    for position, event in enumerate(found if isinstance(found, list) else []):
        if not isinstance(event, dict):
            continue
        kind = event.get("kind")
        number = event["n"] if isinstance(event.get("n"), int) else position
        is_model = kind == events.MODEL
        if is_model and event.get("role") in (AGENT_ROLE, BRIDGE_ROLE):
            turns.append(_begin_turn(len(turns), number, event))
        elif kind == events.TOOL_CALL:
            call = _describe_call(number, event)
            calls[text_of(event.get("id"))] = call
            turns[-1].calls.append(call)
        elif kind == events.TOOL_RESULT:
            waiting = calls.get(text_of(event.get("id")))
            if waiting is not None:
                _finish(waiting, event)
        elif not is_model:
            turns[-1].remarks.append(_describe_remark(number, str(kind), event))
    return turns


def fold(turns: Sequence[Turn]) -> list[Stretch]:
    """Return all turns, those without news together; the first and last ones stand by themselves."""
    stretches: list[Stretch] = []
    waiting: list[Turn] = []

    def flush() -> None:
        if len(waiting) >= _MIN_STRETCH:
            stretches.append(Stretch(list(waiting), _summarize(waiting)))
        else:
            stretches.extend(Stretch([turn]) for turn in waiting)
        waiting.clear()

    for position, turn in enumerate(turns):
        if turn.is_dull and 2 <= position < len(turns) - 2:
            waiting.append(turn)
        else:
            flush()
            stretches.append(Stretch([turn]))
    flush()
    return stretches


def count_common(turns: Sequence[Turn], others: Sequence[Turn]) -> int:
    """Return in how many turns from the beginning two episodes are the same."""
    number = 0
    for turn, other in zip(turns, others, strict=False):
        if turn.key != other.key:
            break
        number += 1
    return number


def text_of(value: Any) -> str:
    """Return a text as it is, the texts of a list of parts, anything else as JSON, and nothing for None."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and value and all(isinstance(part, dict) and "text" in part for part in value):
        return "\n".join(text_of(part["text"]) for part in value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "nested too deeply to be shown"


def _summarize(turns: Iterable[Turn]) -> str:
    found = list(turns)
    names = Counter(call.name for turn in found for call in turn.calls)
    return f"{len(found)} turns: " + ", ".join(f"{count} × {name}" for name, count in names.most_common(4))


def _begin_turn(number: int, event_number: int, event: Mapping[str, Any]) -> Turn:
    facts = []
    usage = event.get("usage")
    if isinstance(usage, dict):
        tokens = [_number(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        facts.append(("Tokens", " + ".join("?" if value is None else f"{value:,.0f}" for value in tokens)))
    cost = _number(event.get("cost_usd"))
    if cost is not None:
        facts.append(("Cost", f"${cost:.4g}"))
    if event.get("finish_reason") not in (None, "stop", "tool_calls"):
        facts.append(("Ended", text_of(event["finish_reason"])))
    turn = Turn(
        number,
        event_number,
        _number(event.get("t")) or 0.0,
        text_of(event.get("text")),
        text_of(event.get("thinking")),
        latency_s=_number(event.get("latency_s")),
        facts=facts,
        is_cached=event.get("cached") is True,
    )
    if event.get("error"):
        turn.remarks.append(Remark(event_number, events.ERROR, "The model failed", text_of(event["error"]), True))
    return turn


def _describe_call(number: int, event: Mapping[str, Any]) -> Call:
    given = event.get("arguments")
    arguments = (
        [(str(name), text_of(value)) for name, value in given.items()]
        if isinstance(given, dict)
        else [("", text_of(given))]
    )
    return Call(
        number,
        text_of(event.get("name")) or "?",
        _words(dict(arguments)),
        arguments,
        text_of(event.get("requestor")) or "agent",
        text_of(event.get("problem")),
        diff=_find_diff(given) if isinstance(given, dict) else [],
    )


def _words(arguments: Mapping[str, str]) -> str:
    telling = next((arguments[name] for name in _TELLING if arguments.get(name, "").strip()), None)
    if telling is None:
        telling = ", ".join(f"{name}={text}" if name else text for name, text in arguments.items())
    first, *rest = telling.strip().splitlines() or [""]
    return first[:MAX_WORDS] + (" …" if rest or len(first) > MAX_WORDS else "")


def _find_diff(arguments: Mapping[str, Any]) -> list[DiffLine]:
    """Return the change that the arguments of an editing tool describe; none for other tools."""
    for old, new in _OLD_AND_NEW:
        if isinstance(arguments.get(old), str) and isinstance(arguments.get(new), str):
            return _diff(arguments[old].splitlines(), arguments[new].splitlines())
    if "path" in arguments:
        for name in _WHOLE_FILE:
            if isinstance(arguments.get(name), str):
                return _diff([], arguments[name].splitlines())
    return []


def _diff(old: list[str], new: list[str]) -> list[DiffLine]:
    if len(old) + len(new) > _MAX_DIFF_LINES:
        return [DiffLine(" ", f"({len(old)} lines become {len(new)} lines)")]
    return [DiffLine(line[0], line[2:]) for line in difflib.ndiff(old, new) if line[0] in "+- "]


def _finish(call: Call, event: Mapping[str, Any]) -> None:
    call.result = text_of(event.get("content"))
    call.is_error = event.get("is_error") is True
    call.elapsed_s = _number(event.get("elapsed_s"))
    call.cut_bytes = int(_number(event.get("cut_bytes")) or 0)
    returncode = event.get("returncode")
    call.returncode = returncode if isinstance(returncode, int) else None


def _describe_remark(number: int, kind: str, event: Mapping[str, Any]) -> Remark:
    if kind == events.MESSAGE:
        role = text_of(event.get("role"))
        title = {"system": "System prompt", "user": "Task" if number < 3 else "Told"}.get(role, role or "Message")
        return Remark(number, kind, title, text_of(event.get("content")))
    if kind == events.USER:
        title = "User, and ends" if event.get("stop") else "User"
        return Remark(number, kind, title, text_of(event.get("content")))
    if kind == events.SUBMIT:
        return Remark(number, kind, "Submits", text_of(event.get("answer")))
    if kind == events.LIMIT:
        used, limit = _number(event.get("used")), _number(event.get("limit"))
        numbers = "" if used is None or limit is None else f"{used:,.6g} of {limit:,.6g}"
        return Remark(number, kind, f"Limit of {text_of(event.get('name'))}", numbers, True)
    if kind == events.ERROR:
        title = "Failed" if event.get("fatal") else "Ended"
        return Remark(number, kind, f"{title}: {text_of(event.get('where'))}", text_of(event.get("message")), True)
    if kind == events.SCORE:
        return Remark(number, kind, "Score", text_of(event.get("reward")))
    if kind == events.DIVERGENCE:
        words = "Here the resumed episode went another way than before it was interrupted."
        return Remark(number, kind, "Another way", words, True)
    rest = {name: value for name, value in event.items() if name not in ("n", "t", "kind") and value not in ({}, None)}
    if kind == events.ENVIRONMENT:
        action, seconds = text_of(rest.pop("action", None)), _number(rest.pop("elapsed_s", None))
        took = "" if seconds is None else f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
        return Remark(
            number, kind, f"Environment: {action}", " ".join(filter(None, [took, text_of(rest) if rest else ""]))
        )
    title = {events.INJECTION: "Injected", events.COMPACTION: "Shortened", events.ENVIRONMENT: "Environment"}.get(
        kind, kind
    )
    return Remark(number, kind, title, text_of(rest) if rest else "", kind == events.INJECTION)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
    return float(value) if is_number else None
