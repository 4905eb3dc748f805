"""Extracts choices and earlier answers from a prompt with in-context examples, by its form alone."""

import re
from typing import NamedTuple

_CHOICE = re.compile(r"^[ \t]*\(?([A-Za-z]|\d{1,2})[.):](?:[ \t]+\S|[ \t]*$)")
"""A line that begins like a choice: `A. red`, `(b) red`, `3: red`."""


class PromptChoices(NamedTuple):
    labels: list[str]
    """The labels of the choices in the last question, in order; empty when it has none."""

    answers: list[str]
    """The rest of each earlier line that begins with the last line's text (`Answer:`), in order."""


def read_prompt(prompt: str) -> PromptChoices:
    """Read the labels that the last question offers and the answers of the examples before it.

    The last question's choices are the last lines that look like choices, taken backwards as long as labels count down
    by one (D, C, B, A); choices may go over several lines. The answers are found by the prompt's last line, which announces
    the answer; if the answer would begin on a line of its own, it is the line below.
    """
    lines = prompt.rstrip().split("\n")
    return PromptChoices(_last_labels(lines), _earlier_answers(lines))


def _last_labels(lines: list[str]) -> list[str]:
    labels: list[str] = []
    for line in reversed(lines[:-1]):
        match = _CHOICE.match(line)
        if match is None:
            continue
        label = match[1]
        if not labels or _successor(label) == labels[-1]:
            labels.append(label)
        else:
            break
    return labels[::-1] if len(labels) > 1 else []


def _successor(label: str) -> str | None:
    return str(int(label) + 1) if label.isdigit() else chr(ord(label) + 1)


def _earlier_answers(lines: list[str]) -> list[str]:
    asked = lines[-1].strip()
    if not asked:
        return []
    answers = []
    for line, below in zip(lines, lines[1:], strict=False):
        text = line.strip()
        if text.startswith(asked):
            answer = text[len(asked) :].strip() or below.strip()
            if answer:
                answers.append(answer)
    return answers
