"""Golden vectors of functions on texts."""

import json
import math
import random
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helm.benchmark.metrics.code_metrics import CODE_METRIC_NAMES
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.evaluate_reference_metrics import (
    REFERENCE_METRICS,
    apply_output_mapping_pattern,
    get_reference_metric,
)
from helm.benchmark.metrics.math_equivalence import canonicalize, get_answer, last_boxed_only_string
from helm.benchmark.metrics.text_normalization import normalize_text
from helm.benchmark.metrics.word_tokenization import word_tokenize
from helm.common.codec import asdict_without_nones
from vectors_support import vector_cases

NAMES = Path(__file__).parents[2] / "vectors" / "helm-metrics" / "data" / "reference_metric_names.json"
"""A constant table, always read from here."""


def _outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return {"raises": type(error).__name__}


def test_text_metrics_vector() -> None:
    seen = set()
    for case in vector_cases("helm-metrics/text_metrics.json"):
        for name, expected in case["scores"].items():
            seen.add(name)
            actual = _outcome(REFERENCE_METRICS[name], case["gold"], case["pred"])
            message = (name, case["gold"], case["pred"], actual, expected)
            assert type(actual) is type(expected), message
            if isinstance(expected, float):
                assert math.isclose(actual, expected, rel_tol=0, abs_tol=1e-12), message
            else:
                assert actual == expected, message
    assert len(seen) > 10


def test_normalize_text_vector() -> None:
    for case in vector_cases("helm-metrics/normalize_text.json"):
        assert normalize_text(case["text"]) == case["normalized"], case
        assert normalize_text(case["text"], should_remove_articles=False) == case["keep_articles"], case


def test_math_normalize_vector() -> None:
    for case in vector_cases("helm-metrics/math_normalize.json"):
        assert _outcome(canonicalize, case["text"]) == case["stripped"], case
        assert last_boxed_only_string(case["text"]) == case["last_boxed"], case
        assert get_answer(case["text"]) == case["answer"], case


def test_output_mapping_pattern_vector() -> None:
    for case in vector_cases("helm-metrics/output_mapping_pattern.json"):
        assert apply_output_mapping_pattern(case["pattern"], case["text"]) == case["value"], case


def test_tokenization_vector() -> None:
    from rouge_score.tokenizers import DefaultTokenizer

    rouge, copyright_metric = DefaultTokenizer(use_stemmer=True), BasicCopyrightMetric("edit_distance")
    for case in vector_cases("helm-metrics/tokenization.json"):
        assert rouge.tokenize(case["text"]) == case["rouge"], case
        assert word_tokenize(case["text"]) == case["word"], case
        assert copyright_metric.tokenize(case["text"]) == case["treebank"], case


def test_reference_metric_names_vector() -> None:
    cases = json.loads(NAMES.read_text(encoding="utf-8"))["cases"]
    assert cases
    for case in cases:
        (metadata,) = get_display_data([case["name"]])
        actual = asdict_without_nones(metadata)
        assert {key: actual.get(key) for key in case} == case
        assert ("group" in actual) == ("group" in case)
        assert case["name"] in CODE_METRIC_NAMES or get_reference_metric(case["name"])


def test_articles_are_words_between_boundaries_of_a_regular_expression() -> None:
    """Plain texts are divided at spaces instead; others (control characters, letters and quotes beyond ASCII) are not."""
    draws = random.Random(0)
    parts = [*"aantheAN _-.,'\n\t\x00\x1c\x7f\x85é’²1", "一", " a ", " the ", "an ", "A-the", "a’the"]
    for _ in range(3000):
        text = "".join(draws.choices(parts, k=draws.randrange(12)))
        bare = text.lower().translate(str.maketrans("", "", string.punctuation))
        assert normalize_text(text) == " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split()), repr(text)
