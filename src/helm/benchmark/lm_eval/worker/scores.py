"""The scores of a task of lm-evaluation-harness: what answers to the requests about a document are worth."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import evaluate_names, measures
from .documents import LOGLIKELIHOOD, MULTIPLE_CHOICE, ROLLING, Document, name_of
from .prompts import TaskPrompts

STANDARD_METRIC_KEYS = {"metric", "aggregation", "higher_is_better", "hf_evaluate", "weight_by_size"}
"""Keys of an item of `metric_list` that are no arguments of the metric."""


REGISTERED_MEASURES: dict[str, Callable[..., Any]] = {}
"""Measures that the task's own code has registered, by name."""


def measure_of(name: str) -> Callable[..., Any]:
    """Return the measure of one answer that has this name. Raises: TaskFailure for an unknown one."""
    if name == "exact_match":
        return measures.exact_match_of_lists
    if name in REGISTERED_MEASURES:
        return REGISTERED_MEASURES[name]
    if name == "bypass":
        return lambda **_: None
    return evaluate_names.load(name).compute


def _call_measure(measure: Callable[..., Any], gold: Any, result: Any, options: dict[str, Any]) -> Any:
    try:
        return measure(references=[gold], predictions=[result], **options)
    except TypeError:
        return measure([gold, result])


class TaskScores(TaskPrompts):
    """How a task scores the answers."""

    def aggregation(self) -> dict[str, Any]:
        """Return the aggregation of each metric, by name or as a function."""
        found = {}
        for item in self._metrics():
            name = name_of(item["metric"])
            found[name] = item.get("aggregation") or measures.USUAL_AGGREGATIONS.get(name, "mean")
        return found

    def higher_is_better(self) -> dict[str, bool]:
        """Return for each metric whether larger values are better."""
        return {
            name_of(item["metric"]): item.get(
                "higher_is_better", name_of(item["metric"]) not in measures.LOWER_IS_BETTER
            )
            for item in self._metrics()
        }

    def process_results(self, doc: Document, results: Sequence[Any]) -> dict[str, Any]:
        """Return the values of the metrics for the answers to the requests about a document."""
        process = self._config.get("process_results")
        if callable(process):
            return process(doc, results)
        kind = self.output_type
        names = self._metric_names()
        if kind == LOGLIKELIHOOD:
            likelihood, is_greedy = results[0]
            return _only(names, {"perplexity": likelihood, "acc": int(is_greedy)})
        if kind == ROLLING:
            return _only(names, self._rolling(doc, results[0]))
        if kind == MULTIPLE_CHOICE:
            return _only(names, self._multiple_choice(doc, results, names))
        return self._generation(doc, results[0])

    def _rolling(self, doc: Document, likelihood: Any) -> dict[str, Any]:
        value = likelihood[0] if isinstance(likelihood, (list, tuple)) else likelihood
        text = str(self.doc_to_target(doc))
        words, size = len(re.split(r"\s+", text)), len(text.encode("utf-8"))
        return {"word_perplexity": (value, words), "byte_perplexity": (value, size), "bits_per_byte": (value, size)}

    def _multiple_choice(self, doc: Document, results: Sequence[Any], names: list[str]) -> dict[str, Any]:
        values = [value for value, _ in results]
        greedy = [is_greedy for _, is_greedy in results]
        choices = self.doc_to_choice(doc)
        unconditional = values[len(choices) :]
        values, greedy = values[: len(choices)], greedy[: len(choices)]
        best = _largest(values)
        by_length = _largest([value / (len(text) or 1) for value, text in zip(values, choices, strict=True)])
        by_bytes = _largest([value / (len(text.encode()) or 1) for value, text in zip(values, choices, strict=True)])
        text = self.doc_to_text(doc)
        gold = text if isinstance(text, int) else self.doc_to_target(doc)
        rights = [_choice_index(one, choices) for one in (gold if isinstance(gold, list) else [gold])]
        right = rights[0] if rights else -100
        probabilities = measures.softmax(values)
        return {
            "acc": float(best in rights),
            "f1": (right, best),
            "mcc": (right, best),
            "acc_norm": float(by_length in rights),
            "acc_bytes": float(by_bytes in rights),
            "exact_match": int(any(greedy[one] for one in rights if one >= 0)),
            "brier_score": (right, probabilities),
            "likelihood": (right, values),
            "acc_mutual_info": float(
                _largest([value - other for value, other in zip(values, unconditional, strict=True)]) in rights
            )
            if unconditional
            else None,
        }

    def _generation(self, doc: Document, result: Any) -> dict[str, Any]:
        gold = self.doc_to_target(doc)
        if self._config.get("doc_to_choice") is not None:
            choices = self.doc_to_choice(doc)
            gold = [choices[one] for one in gold] if isinstance(gold, list) else choices[gold]
        elif not isinstance(gold, list) and type(gold) is not type(result) and not isinstance(result, list):
            gold = type(result)(gold)
        found: dict[str, Any] = {}
        for item in self._metrics():
            name = name_of(item["metric"])
            options = {key: value for key, value in item.items() if key not in STANDARD_METRIC_KEYS}
            if name in measures.PAIRS and name not in REGISTERED_MEASURES and not item.get("hf_evaluate"):
                value = (gold, result)
            else:
                value = self._measure(item["metric"], name, gold, result, options)
            found.update(value if isinstance(value, dict) else {name: value})
        return found

    def _measure(self, metric: Any, name: str, gold: Any, result: Any, options: dict[str, Any]) -> Any:
        measure = metric if callable(metric) else measure_of(name)
        if not isinstance(gold, list):
            value = _call_measure(measure, gold, result, options)
            return value[name] if isinstance(value, dict) and name in value else value
        values = []
        for one in gold:
            value = _call_measure(measure, one, result, options)
            values.append(value[name] if isinstance(value, dict) else value)
        return 1.0 if any(values) else 0.0

    def filters(self) -> list[dict[str, Any]]:
        """Return the chains of filters: name and steps."""
        given = self._config.get("filter_list")
        if not given:
            return [{"name": "none", "filter": [{"function": "take_first"}]}]
        return list(given)


def _only(names: Iterable[str], values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names and value is not None}


def _largest(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda i: (values[i], -i))


def _choice_index(gold: Any, choices: Sequence[str]) -> int:
    """Return which choice is right; -100, which equals none, if no choice is."""
    if isinstance(gold, (bool, int)):
        return int(gold) if int(gold) < len(choices) else -100
    return list(choices).index(gold) if gold in choices else -100
