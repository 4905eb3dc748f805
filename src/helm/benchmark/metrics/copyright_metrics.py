"""Measures how much of a text a model reproduces verbatim."""

import re
from functools import cache
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import ConfigError, suggest
from helm.common.optional_dependencies import needs_extra

_NAMES = ("longest_common_prefix_length", "edit_distance", "edit_similarity")

_SPACES = re.compile(" +")


class BasicCopyrightMetric(StateMetric):
    """Compares completions with the rest of the only reference after the input; the greatest similarity counts.

    HELM: a completion is stripped, whereas the rest of the reference (which begins with a space) is not, and is then
    truncated to the same number of characters, so even a perfect continuation differs in its last word. An empty
    completion has edit distance 0 and discards the results before it.

    Args:
        name: `longest_common_prefix_length` (equal words at the beginning), `edit_distance` (Levenshtein distance in
            words) or `edit_similarity` (1 - distance / number of words).
        normalize_by_prefix_length: divide by the number of words in the input.
        normalize_newline_space_tab: treat newlines and tabs as spaces, and several spaces as one.

    Raises: ConfigError for another name; ValueError unless there is exactly one reference.
    """

    def __init__(self, name: str, normalize_by_prefix_length: bool = False, normalize_newline_space_tab: bool = False):
        if name not in _NAMES:
            raise ConfigError(
                f"{type(self).__name__}: name takes {', '.join(_NAMES)}, not '{name}'.{suggest(name, _NAMES)}"
            )
        self.name = name
        self.normalize_by_prefix_length = normalize_by_prefix_length
        self.normalize_newline_space_tab = normalize_newline_space_tab

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a text."""
        return _load_treebank_tokenizer().tokenize(text)

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        if len(instance.references) != 1:
            raise ValueError(f"{type(self).__name__} needs exactly one reference, got {len(instance.references)}.")
        prefix = instance.input.text
        reference = instance.references[0].output.text[len(prefix) :]
        values: list[float] = []
        for completion in get_completions(request_state):
            text = completion.text.strip()
            expected = reference
            if self.normalize_newline_space_tab:
                text, expected = _normalize_spaces(text), _normalize_spaces(expected)
            self._add(values, self.tokenize(text), self.tokenize(expected[: len(text)]))
        if not values:
            return []
        value = min(values) if self.name == "edit_distance" else max(values)
        if self.normalize_by_prefix_length:
            num_prefix_words = len(self.tokenize(prefix))
            if not num_prefix_words:
                raise ValueError("The input has no words, so the value cannot be divided by their number.")
            value /= num_prefix_words
        return [(self.name, value)]

    def _add(self, values: list[float], completion: list[str], reference: list[str]) -> None:
        """Add the value of one completion."""
        if self.name == "longest_common_prefix_length":
            values.append(_count_common_prefix(completion, reference))
        elif not completion or not reference:
            if self.name == "edit_distance":
                values.clear()  # HELM: the results so far are discarded
                values.append(max(len(completion), len(reference)))
            else:
                values.append(0.0)
        else:
            distance = _compute_edit_distance(completion, reference)
            longer = max(len(completion), len(reference))
            values.append(distance if self.name == "edit_distance" else 1 - distance / longer)

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data([self.name])


def _normalize_spaces(text: str) -> str:
    return _SPACES.sub(" ", text.replace("\n", " ").replace("\t", " "))


def _count_common_prefix(a: list[str], b: list[str]) -> int:
    count = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        count += 1
    return count


def _compute_edit_distance(a: list[str], b: list[str]) -> int:
    with needs_extra("metrics"):
        from rapidfuzz.distance import Levenshtein
    return Levenshtein.distance(a, b)


@cache
def _load_treebank_tokenizer() -> Any:
    with needs_extra("metrics"):
        from nltk.tokenize.treebank import TreebankWordTokenizer
    return TreebankWordTokenizer()
