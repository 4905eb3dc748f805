"""Functions that `OutputProcessingMetric` can apply to completions."""

import re

_THINKING = re.compile(r"<think>.*</think>", re.DOTALL)
_THINKING_AND_BREAK = re.compile(r"<think>.*</think>\n\n", re.DOTALL)


def remove_deepseek_r1_thinking(input: str) -> str:
    """Remove the `<think>` block; returns an empty text if the block never ends."""
    if "<think>" not in input:
        return input
    if "</think>\n\n" in input:
        return _THINKING_AND_BREAK.sub("", input)
    if "</think>" in input:
        return _THINKING.sub("", input)
    return ""


def take_first_word(text: str) -> str:
    """Return the text up to its first white space, without punctuation and quotation marks around it; "" for none."""
    words = text.split(maxsplit=1)
    return words[0].strip(".,;:!?\"'`*()[]\u2018\u2019\u201c\u201d\u2026") if words else ""
