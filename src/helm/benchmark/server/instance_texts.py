"""The texts on the page of an instance: prompts that open at the question, answers, what judges said, and tokens in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from helm.benchmark.server.answer_markup import render_markup
from helm.benchmark.server.formatting import number, pretty_json
from helm.benchmark.server.instance_media import is_compiler
from helm.common.formats.number_text import format_usd
from helm.results.token_usage import TokenUsage

if TYPE_CHECKING:
    from markupsafe import Markup

_MAX_PROMPT_LINES = 12
"""Longer prompts are folded."""

_MAX_MESSAGES = 4
"""Of a longer conversation, what is before the question is folded."""

_RENDERED = ("response", "thinking", "prose")
_SPEAKERS = ("system", "user", "assistant")

_MAX_SHORT_CHARACTERS = 60
"""Longer texts of a judge are prose."""

_MAX_LEAVES = 60
_MAX_DEPTH = 3


@dataclass
class Text:
    """A text on the page, possibly truncated."""

    title: str

    text: str

    hidden: int = 0
    """Number of characters not shown."""

    note: str = ""

    kind: str = ""

    fold: str = ""
    """What stands in its place until it is opened; empty if it is shown at once."""

    speaker: str = ""
    """Who says it in a conversation: `system`, `user` or `assistant`."""

    @cached_property
    def markup(self) -> "Markup | None":
        """What a model wrote, as it meant it to look; None if it looks as it is written."""
        is_question = self.kind == "question"
        return render_markup(self.text, is_question) if is_question or self.kind in _RENDERED else None


def cut(title: str, text: str, limit: int | None, note: str = "", kind: str = "") -> Text:
    """Return a text with at most `limit` characters."""
    hidden = 0 if limit is None else max(0, len(text) - limit)
    return Text(title, text if not hidden else text[:limit], hidden, note, kind)


# --- prompts ------------------------------------------------------------------------------------------------------------


def prompt_texts(prompt: str, question: str, examples: Any, limit: int | None, note: str) -> list[Text]:
    """Return a prompt in one text, or, if it is long, in two: what is before the question is folded."""
    told = f", {examples} worked examples" if isinstance(examples, int) and examples > 0 else ""
    return _open_at_question("Prompt", "whole prompt as sent", prompt, question, told, limit, note)


def message_texts(messages: Sequence[Any], question: str, limit: int | None, note: str) -> list[Text]:
    """Return the messages of a prompt; long ones, and many before the question, are folded."""
    said = [_read_message(message) for message in messages]
    asked = max((i for i, (_, text) in enumerate(said) if question and question in text), default=-1)
    texts = []
    for place, (role, text) in enumerate(said):
        title = f"Message · {role}"
        found = _open_at_question(title, "whole message", text, question if place == asked else "", "", limit, note)
        for item in found:
            item.speaker = role if role in _SPEAKERS else ""
            if place < asked and asked > _MAX_MESSAGES:
                item.fold = item.fold or f"Message {place + 1}, {role}, before the question"
        texts += found
    return texts


def _read_message(message: Any) -> tuple[str, str]:
    message = message if isinstance(message, dict) else {"content": message}
    content = message.get("content")
    if isinstance(content, list) and content and all(_is_text_part(part) for part in content):
        content = "\n\n".join(part["text"] for part in content)
    return str(message.get("role", "")), content if isinstance(content, str) else pretty_json(content)


def _is_text_part(part: Any) -> bool:
    return isinstance(part, dict) and set(part) <= {"type", "text"} and isinstance(part.get("text"), str)


def _open_at_question(
    title: str, whole: str, text: str, question: str, told: str, limit: int | None, note: str
) -> list[Text]:
    lines = text.count("\n") + 1
    if lines <= _MAX_PROMPT_LINES:
        return [cut(title, text, limit, note, "prompt")]
    place = text.rfind(question) if question.strip() else -1
    start = text.rfind("\n", 0, place) + 1 if place > 0 else 0
    if not text[:start].strip():
        found = cut(title, text, limit, note, "prompt")
        found.fold = f"The {whole}, {lines} lines{told}" + (f" · {title}" if title != "Prompt" else "")
        return [found]
    before = cut(f"{title}, before the question", text[:start], limit, note, "prompt")
    num_before = text.count("\n", 0, start)
    before.fold = f"What is before the question, {num_before} line{'s' if num_before != 1 else ''}{told}"
    return [before, cut(f"{title}, from the question on", text[start:], limit, note, "prompt")]


# --- tokens -------------------------------------------------------------------------------------------------------------


def tell_tokens(usage: Mapping[str, Any]) -> str:
    """Tell the tokens of a request in words; empty if there are no counts in `usage`."""
    parts = []
    for name, words, details in _TOKENS:
        count = _count(usage.get(name))
        if count is None:
            continue
        inside = [f"{number(found)} {of}" for key, of in details if (found := _count(usage.get(key)))]
        parts.append(f"{number(count)} {words}" + (f" ({', '.join(inside)})" if inside else ""))
    return ", ".join(parts)


_TOKENS = (
    (
        "prompt_tokens",
        "in the prompt",
        (("cached_prompt_tokens", "of them from the provider's cache"), ("cache_write_tokens", "written to its cache")),
    ),
    ("completion_tokens", "in the answer", (("reasoning_tokens", "of them thinking"),)),
)


def tell_cost(usage: Mapping[str, Any], deployment: str) -> str:
    """Tell what a request costs at the list price; empty if its tokens or their price are unknown."""
    from helm.benchmark.presentation.costs import compute_cost_usd
    from helm.benchmark.price_registry import get_price

    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if prompt is None or completion is None:
        return ""
    price = get_price(deployment)
    usd = compute_cost_usd(TokenUsage(prompt, completion, prompt), price) if price is not None else None
    return "" if usd is None else f"{format_usd(usd)} at the list price, without discounts"


def _count(value: Any) -> int | None:
    is_count = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**12
    return int(value) if is_count else None


# --- what judges said ---------------------------------------------------------------------------------------------------


@dataclass
class Annotation:
    """What an annotator said about an answer."""

    title: str

    raw: Text
    """All of it as JSON; folded unless there is nothing else."""

    facts: list[tuple[str, str]] = field(default_factory=list)

    texts: list[Text] = field(default_factory=list)


def describe_annotations(states: Sequence[Any], limit: int | None) -> list[Annotation]:
    """Return what annotators said about the answers of an instance: numbers and words as facts, reasons as prose."""
    found = []
    for state in states:
        annotations = state.get("annotations")
        for name, value in annotations.items() if isinstance(annotations, dict) else ():
            item = Annotation(str(name), cut("", pretty_json(value), limit, kind="json"))
            found.append(item)
            if is_compiler(item.title):  # shown before, as pictures
                item.raw.fold = f"{name} as JSON"
                continue
            leaves = list(_leaves(value, ()))
            if not leaves or len(leaves) > _MAX_LEAVES:
                continue
            item.raw.fold = "As JSON"
            for place, leaf in leaves:
                _add_leaf(item, place, leaf, limit)
    return found


def _leaves(value: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = [("" if len(value) == 1 else str(i), item) for i, item in enumerate(value, 1)]
    else:
        yield place, value
    if len(place) > _MAX_DEPTH and items:
        yield place, pretty_json(value)
        return
    for key, item in items:
        yield from _leaves(item, (*place, str(key)))


def _add_leaf(item: Annotation, place: tuple[str, ...], leaf: Any, limit: int | None) -> None:
    words = " · ".join(part.replace("_", " ") for part in place if part)
    title = words[:1].upper() + words[1:] or "Said"
    if isinstance(leaf, str) and (len(leaf) > _MAX_SHORT_CHARACTERS or "\n" in leaf):
        text = cut(title, leaf, limit, kind="prose")
        if place and place[-1].startswith("prompt"):
            text.kind, text.fold = "prompt", f"What the judge was asked, {number(len(leaf))} characters"
        item.texts.append(text)
    elif isinstance(leaf, bool):
        item.facts.append((title, "yes" if leaf else "no"))
    else:
        item.facts.append(
            (title, "nothing was given" if leaf is None else leaf if isinstance(leaf, str) else number(leaf))
        )
