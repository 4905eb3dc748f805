"""Says in a word and a sentence how an instance went: right or wrong, a score, or why there is none."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.server.formatting import score
from helm.results.coverage import ANSWERED
from helm.results.index.index_query import UnitRow
from helm.results.metric_labels import find_metric_label

_MAX_QUOTED_CHARACTERS = 120
"""Longer answers are not quoted: they are below."""

_MOST_TOLD = 3
"""How many correct references, or scores, a sentence names."""

NO_MAIN_SCORE = "No main score"
"""The word for an answered instance that its run's main metric, if there is one, did not measure."""


@dataclass(frozen=True)
class Verdict:
    """The first thing on the page of an instance."""

    word: str

    kind: str = ""
    """`good`, `bad` or `warn`; empty for what is neither right nor wrong."""

    sentence: str = ""

    why: str = ""


@dataclass(frozen=True)
class Choice:
    """The label of a reference in a question with choices."""

    label: str

    is_chosen: bool = False


def find_choices(
    state: Mapping[str, Any] | None, references: Sequence[Mapping[str, Any]], answer: str | None
) -> list[Any]:
    """Return the choice that each reference was in the prompt; None for one that was none, or whose text is not unique."""
    mapping = (state or {}).get("output_mapping")
    labels: dict[str, list[str]] = {}
    for label, text in mapping.items() if isinstance(mapping, dict) else ():
        labels.setdefault(str(text).strip(), []).append(str(label))
    found: list[Any] = []
    for item in references:
        text = item["text"].text.strip()
        of_text = labels.get(text, [])
        found.append(Choice(of_text[0], answer is not None and text == answer) if len(of_text) == 1 else None)
    return found


def title_metric(metric: str) -> str:
    """Return a metric's name for readers: that of the default schema, or of the metric itself, or its words."""
    label = find_metric_label(metric)
    if label is not None:
        return label.name
    found = get_display_data([metric])
    if found:
        return found[0].short_display_name or found[0].display_name or metric
    words = metric.replace("_", " ")
    return words[:1].upper() + words[1:]


def judge(
    unit: UnitRow,
    metric: str,
    values: Mapping[str, Any],
    unit_of_metric: str | None,
    is_judged: bool,
    references: Sequence[Mapping[str, Any]],
) -> Verdict:
    """Return the verdict on an instance.

    Args:
        metric: the main metric of the run; empty if there is none.
        values: the scores of the instance by metric.
        unit_of_metric: the unit of the main metric.
        is_judged: whether 1 means right and 0 wrong.
        references: those of the instance, with `text`, `is_correct` and `choice`.
    """
    if unit.outcome is not None and unit.outcome != ANSWERED:
        word, why = _UNANSWERED.get(unit.outcome, (unit.outcome, ""))
        reason = " ".join(filter(None, (unit.status or "", unit.error or ""))) if unit.outcome == "failed" else ""
        return Verdict(word, "warn", reason[: 4 * _MAX_QUOTED_CHARACTERS], why)
    value = values.get(metric)
    if not _is_number(value):
        return _judge_without_main(metric, values)
    title = title_metric(metric)
    sentence = _tell_answer(unit, references)
    if is_judged and value == 1:
        return Verdict("✓ Right", "good", sentence, f"{title} is 1.")
    if is_judged and value == 0:
        return Verdict("✗ Wrong", "bad", sentence, f"{title} is 0.")
    return Verdict(score(value, unit_of_metric), "", f"{title}.", sentence)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _judge_without_main(metric: str, values: Mapping[str, Any]) -> Verdict:
    """Tell the first scores, and why none of them is the main one."""
    told = [f"{title_metric(name)} {score(value, None)}" for name, value in values.items() if _is_number(value)]
    if not told:
        return Verdict("Not scored", "", "There are no scores for this instance.")
    why = (
        f"The main metric, {title_metric(metric)}, did not measure it."
        if metric
        else "No main score is known for the run."
    )
    scores = ", ".join(told[:_MOST_TOLD]) + (f" and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else "")
    return Verdict(NO_MAIN_SCORE, "", f"{scores}.", why)


_UNANSWERED = {
    "failed": ("Failed", "The request failed. That is no answer: it is counted beside the score, not as wrong."),
    "empty": ("Empty answer", "The model answered with nothing."),
    "filtered": ("Blocked", "The provider's content filter answered in place of the model."),
    "unsent": ("Not sent", "The request was not sent."),
}


def _tell_answer(unit: UnitRow, references: Sequence[Mapping[str, Any]]) -> str:
    """Tell what was answered and what is correct, in as far as both are short."""
    correct = [item for item in references if item["is_correct"]]
    chosen = next((item for item in references if item["choice"] is not None and item["choice"].is_chosen), None)
    keys = [item["choice"].label for item in correct if item["choice"] is not None]
    if chosen is not None and keys:
        key = " or ".join(keys)
        return f"Chose {chosen['choice'].label}." + ("" if chosen["is_correct"] else f" The key is {key}.")
    if keys and unit.mapped_output is None:
        return f"The answer names no choice. The key is {' or '.join(keys)}."
    answer = (unit.mapped_output or unit.output or "").strip()
    texts = [item["text"].text.strip() for item in correct][:_MOST_TOLD]
    if (
        not answer
        or not texts
        or len(answer) > _MAX_QUOTED_CHARACTERS
        or sum(map(len, texts)) > 2 * _MAX_QUOTED_CHARACTERS
    ):
        return ""
    return f"Answered “{answer}”. Correct is " + " or ".join(f"“{text}”" for text in texts) + "."
