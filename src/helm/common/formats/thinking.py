"""Separates a model's thinking, where it is part of the text, from its answer."""

import re

_TAGS = re.compile(
    r"<(?P<close>/?)(?:think|thinking|thought|reasoning|seed:think|antThinking)>"
    r"|(?P<open_mark>◁think▷|\[THINK\]|<\|START_THINKING\|>|<\|begin_of_thought\|>)"
    r"|(?P<close_mark>◁/think▷|\[/THINK\]|<\|END_THINKING\|>|<\|end_of_thought\|>)"
    r"|(?P<analysis><\|channel\|>(?:analysis|commentary)[^<\n]{0,80}<\|message\|>)"
    r"|(?P<final>(?:<\|start\|>assistant)?<\|channel\|>final[^<\n]{0,80}<\|message\|>)"
)
"""The marks of common open models; the last two are channels, of which `final` is the answer."""

_ENDS = re.compile(r"<\|(?:end|return|im_end|eot_id|endoftext|END_RESPONSE|START_RESPONSE)\|>")


def without_thinking(text: str) -> str:
    """Return the text without blocks of thinking.

    A block that never ends takes the rest of the text with it, if it begins a line. A block that never begins takes all
    of the text before its end: its beginning was in the prompt. Takes time linear in the length of the text.
    """
    if "think" not in text and "THINK" not in text and "<" not in text:
        return text
    parts: list[str] = []
    depth = position = 0
    for match in _TAGS.finditer(text):
        if match["final"]:
            parts, depth, position = [], 0, match.end()
        elif match["close"] or match["close_mark"]:
            if depth <= 1:
                parts = [] if depth == 0 else parts
                position = match.end()
            depth = max(0, depth - 1)
        elif depth or match["analysis"] or _opens_block(text, match.start()):
            if depth == 0:
                parts.append(text[position : match.start()])
            depth += 1
    if depth == 0:
        parts.append(text[position:])
    return _ENDS.sub("", "".join(parts))


def has_thinking(text: str) -> bool:
    """Return whether a text contains a block of thinking."""
    return without_thinking(text) != _ENDS.sub("", text)


def _opens_block(text: str, start: int) -> bool:
    """Return whether a mark begins a line or follows another mark; otherwise, the text only talks about it."""
    while start and text[start - 1] in " \t":
        start -= 1
    return not start or text[start - 1] in "\n>▷]"
