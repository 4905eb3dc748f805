"""Scores of short answers: BIG-Bench Extra Hard, NoLiMa, GraphWalks and EQ-Bench."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

# --- BIG-Bench Extra Hard ---------------------------------------------------------------------------------------------

_PREFIXES = ("The answer is:", "The final answer is ", "The final answer is: ", "The answer is ")
"""What announces an answer. They are tried one after another, each in what the one before has left."""

_WRAPPERS = ("boxed{", "text{", "texttt{")


def find_bbeh_answer(response: str) -> str:
    """Return the answer in a response, in lower case: the first line after the last announcement, without LaTeX around it."""
    answer = response.strip()
    for prefix in _PREFIXES:
        if prefix in answer:
            answer = answer.split(prefix)[-1].strip()
    answer = _without_latex(answer.removesuffix(".")).lower()
    return answer.replace(", ", ",").replace("**", "").split("\n")[0].removesuffix(".")


def _without_latex(text: str) -> str:
    if len(text) > 1 and text.startswith("$") and text.endswith("$"):
        text = text[1:-1]
    for wrapper in _WRAPPERS:
        if wrapper in text and text.endswith("}"):
            text = text[:-1].split(wrapper)[1]
    return text


def is_bbeh_match(response: str, reference: str) -> bool:
    """Return whether a response has the answer, with the tolerance of the benchmark's own program.

    `(a)` is `a`; equal numbers, quotation marks, brackets and a question mark at the end make no difference.
    """
    answer, wanted = find_bbeh_answer(response), reference.strip().lower().replace(", ", ",")
    if answer == wanted:
        return True
    for one, other in ((answer, wanted), (wanted, answer)):
        if len(one) == 3 and one.startswith("(") and one.endswith(")"):
            return one[1] == other
    return (
        _are_equal_numbers(answer, wanted)
        or answer.replace("'", "") == wanted.replace("'", "")
        or answer == f"[{wanted}]"
        or wanted == f"[{answer}]"
        or (answer.endswith("?") and answer[:-1] == wanted)
    )


def _are_equal_numbers(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def harmonic_mean(accuracies: Sequence[float]) -> float:
    """Return the harmonic mean of accuracies from 0 to 1, each plus 0.01, so that a task without a right answer counts.

    In percent, as the paper prints it, this is the harmonic mean of accuracy + 1.
    """
    return len(accuracies) / sum(1 / (accuracy + 0.01) for accuracy in accuracies)


# --- NoLiMa -----------------------------------------------------------------------------------------------------------


GOLD_RULES = ("EM", "contains", "lastline_EM", "lastline_contains")
"""How a response is compared with gold answers: it is one of them or contains one, as a whole or in its last line."""


def matches_gold(rule: str, response: str, gold: Sequence[str]) -> bool:
    """Return whether a response has one of the gold answers by a rule of `GOLD_RULES`; case matters."""
    text = response.strip()
    if rule.startswith("lastline_"):
        text = text.rsplit("\n", 1)[-1].strip()
    return any(answer in text for answer in gold) if rule.endswith("contains") else text in gold


# --- GraphWalks -------------------------------------------------------------------------------------------------------

_FINAL_NODES = re.compile(r"Final Answer:\s*\[")


def find_nodes(response: str, anywhere: bool = False) -> list[str] | None:
    """Return the nodes in `Final Answer: [a, b]` on the last line, or on the last line that has it. None without one."""
    lines = response.strip().split("\n")
    for line in reversed(lines if anywhere else lines[-1:]):
        match, end = _FINAL_NODES.search(line), line.rfind("]")
        if match and end >= match.end():
            nodes = (node.strip().strip("'\"").strip() for node in line[match.end() : end].split(","))
            return [node for node in nodes if node]
    return None


def set_f1(found: Sequence[str] | None, wanted: Sequence[str]) -> float:
    """Return the F1 of two sets, from 0 to 1; 0 if they have nothing in common, so also if both are empty."""
    num_common = len(set(found or ()) & set(wanted))
    return 2 * num_common / (len(set(found or ())) + len(set(wanted))) if num_common else 0.0


# --- EQ-Bench ---------------------------------------------------------------------------------------------------------

_RATING = re.compile(r":\s+(\d+)")
_NUM_EMOTIONS = 4


def score_emotions(response: str, reference: Mapping[str, Any]) -> float | None:
    """Score four ratings of emotions from 0 to 10 against the reference, as version 2 of EQ-Bench does.

    Args:
        reference: `emotion1` to `emotion4`, and `emotion1_score` to `emotion4_score`.

    Returns: 100 if all are equal; about 0 for random ratings, and less for worse ones. None for a response that does not rate
    exactly these emotions.
    """
    ratings = _find_ratings(response)
    wanted = {str(reference[f"emotion{i}"]): float(reference[f"emotion{i}_score"]) for i in range(1, _NUM_EMOTIONS + 1)}
    if set(ratings) != set(wanted):
        return None
    penalty = sum(_rating_penalty(abs(ratings[name] - value)) for name, value in wanted.items())
    return 10 * (10 - 0.7477 * penalty)


def _find_ratings(text: str) -> dict[str, float]:
    """Return the numbers after words and colons; the last one of a word counts."""
    ratings, done = {}, 0
    for match in _RATING.finditer(text):
        start = match.start()
        while start > done and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        if start < match.start():
            ratings[text[start : match.start()]] = float(match.group(1))
            done = match.end()
    return ratings


def _rating_penalty(difference: float) -> float:
    if difference == 0:
        return 0.0
    return 6.5 / (1 + math.exp(-1.2 * (difference - 4))) if difference <= 5 else difference
