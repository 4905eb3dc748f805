"""Summaries: overlap, copying, models behind an extra, and critiques."""

import sys
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics import summarization_metrics
from helm.benchmark.metrics.extractiveness import compute_extractiveness, find_fragments
from helm.benchmark.metrics.metric import Metric
from helm.benchmark.metrics.summac import compute_summac
from helm.benchmark.metrics.summarization_critique_metrics import SummarizationCritiqueMetric
from helm.benchmark.metrics.summarization_metrics import SummarizationMetric, remove_braces
from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult, CritiqueResponse
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from metrics_support import make_generation_state, make_metric_service

# Recorded from summ-eval 0.892 with spaCy's English tokens: article, summary, coverage, density, compression.
RECORDED = [
    (
        "The cat sat on the mat. It didn't move, and the Cat slept.",
        "The cat sat. The cat slept on the mat!",
        [0.9090909090909091, 2.5454545454545454, 1.5454545454545454],
    ),
    ("A man saw a dog. The dog saw a man.", "a dog saw a man a dog", [1.0, 2.4285714285714284, 1.7142857142857142]),
    ("x y z", "q", [0.0, 0.0, 3.0]),
    (
        "One two three two three four two three four five.",
        "two three four five two three",
        [1.0, 3.3333333333333335, 1.8333333333333333],
    ),
    ("Hello-world (2021) costs $5.50; isn't it?", "It costs $5.50 in 2021, isn't it", [0.8, 2.0, 1.4]),
    ("a b", "a b a b c", [0.8, 1.6, 0.4]),
    ("", "a", [0.0, 0.0, 0.0]),
    ("a", "", [0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("article", "summary", "expected"), RECORDED)
def test_extractiveness_is_that_of_the_original(article: str, summary: str, expected: list[float]) -> None:
    result = compute_extractiveness(article, summary)
    assert [result.coverage, result.density, result.compression] == pytest.approx(expected, rel=1e-12)


def test_the_search_for_fragments_goes_on_behind_a_match() -> None:
    """`a a b` begins inside the first match `a a`, and is not found."""
    assert find_fragments(["a", "a", "a", "b"], ["a", "a", "b"]) == [2, 1]


def _evaluate(metric: Metric, completion: str | None, references: list[str], article: str, service: Any = None) -> dict:
    completions = [] if completion is None else [completion]
    state = make_generation_state(completions, references, article)
    stats = metric.evaluate_generation(AdapterSpec(), state, service, "")
    return {stat.name.name: stat.mean for stat in stats}


def test_values_are_those_of_the_original() -> None:
    means = _evaluate(SummarizationMetric("t"), " {a cat sat.} ", ["{the cat sat}", "zz"], "{the cat sat on a mat}")
    assert list(means) == [
        "rouge_1",
        "rouge_2",
        "rouge_l",
        "summarization_coverage",
        "summarization_density",
        "summarization_compression",
    ]
    assert [means["rouge_1"], means["rouge_2"], means["rouge_l"]] == pytest.approx([2 / 3, 0.5, 2 / 3])


def test_one_brace_is_taken_off_each_end() -> None:
    assert [remove_braces(text) for text in ("{a}", "{{a}}", "a}", "", "{")] == ["a", "{a}", "a", "", ""]


def test_an_empty_summary_scores_zero_and_none_is_an_error() -> None:
    assert set(_evaluate(SummarizationMetric("t"), "", ["x"], "article").values()) == {0.0}
    with pytest.raises(ValueError, match="needs a completion"):
        _evaluate(SummarizationMetric("t"), None, ["x"], "article")
    with pytest.raises(ValueError, match="needs a reference"):
        _evaluate(SummarizationMetric("t"), "summary", [], "article")


def test_without_spacy_the_copying_stats_are_left_out_with_one_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def raise_error(*args: Any) -> None:
        raise OptionalDependencyNotInstalled("The optional package 'spacy' is not installed.")

    monkeypatch.setattr(summarization_metrics, "compute_extractiveness", raise_error)
    metric = SummarizationMetric("t")
    for _ in range(2):
        assert list(_evaluate(metric, "a", ["a"], "a")) == ["rouge_1", "rouge_2", "rouge_l"]
    assert caplog.text.count("leaves out coverage") == 1


def test_with_a_device_models_judge_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Scorer:
        def score(self, candidates: list[str], references: list[list[str]]) -> tuple:
            assert (candidates, references) == (["The cat sat on a mat."], [["A cat sat."]])
            return [0.1], [0.2], [0.3]

    monkeypatch.setattr(summarization_metrics, "_load_bert_scorer", lambda *args: Scorer())
    monkeypatch.setattr(summarization_metrics, "load_judge", lambda device: lambda pairs: [(0.9, 0.2)] * len(pairs))
    metric = SummarizationMetric("t", device="cuda", summac_new_line_split=True)
    means = _evaluate(metric, "The cat sat on a mat.", ["A cat sat."], "The cat sat on the mat.")
    models = {"summac": pytest.approx(0.7), "BERTScore-P": 0.1, "BERTScore-R": 0.2, "BERTScore-F": 0.3}
    assert {name: means[name] for name in models} == models
    assert [metadata.name for metadata in metric.get_metadata()] == list(means)


def test_models_that_are_not_installed_are_told_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bert_score", "torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(OptionalDependencyNotInstalled, match=r"helm-evals\[faithfulness\]"):
        SummarizationMetric("t", device="cuda").evaluate(ScenarioState(AdapterSpec(), []), make_metric_service(), "", 4)


def test_left_out_scores_are_told(caplog: pytest.LogCaptureFixture) -> None:
    SummarizationMetric("summarization_cnndm").evaluate(ScenarioState(AdapterSpec(), []), make_metric_service(), "", 1)
    assert "leaves out the published scores of old models: QAFactEval, HumanEval" in caplog.text


def test_summac_takes_the_best_sentence_of_the_article_for_each_of_the_summary() -> None:
    judgments = {("first premise", "first claim!"): (0.9, 0.1), ("second premise", "first claim!"): (0.2, 0.5)}
    judgments |= {("first premise", "second claim"): (0.3, 0.3), ("second premise", "second claim"): (0.1, 0.8)}
    text = "first claim!\nsecond claim\nshort"
    score = compute_summac("first premise\nsecond premise", text, lambda pairs: [judgments[p] for p in pairs], True)
    assert score == pytest.approx(((0.9 - 0.5) + (0.3 - 0.8)) / 2)
    assert compute_summac("", "first claim!", lambda pairs: [], True) == 0.0


# --- critiques --------------------------------------------------------------------------------------------------------


class _Critics:
    """Answers with given responses."""

    def __init__(self, *answers: dict):
        self.responses = [CritiqueResponse(str(i), str(i), answer) for i, answer in enumerate(answers)]
        self.requests: list[CritiqueRequest] = []

    def make_critique_request(self, request: CritiqueRequest) -> CritiqueRequestResult:
        self.requests.append(request)
        return CritiqueRequestResult(self.responses)


def test_critiques_are_averaged_over_respondents() -> None:
    critics = _Critics(
        {"faithfulness": "Yes", "relevance": "1", "coherence": "5"},
        {"faithfulness": "No", "relevance": "3", "coherence": "5"},
        {"faithfulness": "Yes", "relevance": "3", "coherence": "2"},
    )
    means = _evaluate(SummarizationCritiqueMetric(3), " a cat ", ["r"], "Article", critics)
    assert means == pytest.approx({"faithfulness": 2 / 3, "relevance": 1 / 3, "coherence": 0.75})
    assert critics.requests[0].fields == {"original_text": "Article", "summary": " a cat "}


def test_missing_respondents_give_no_stats_and_odd_answers_are_counted() -> None:
    assert _evaluate(SummarizationCritiqueMetric(2), "a", ["r"], "x", _Critics({"faithfulness": "Yes"})) == {}
    critics = _Critics({"faithfulness": "Maybe", "relevance": ["1"], "coherence": "3 "})
    means = _evaluate(SummarizationCritiqueMetric(1), "a", ["r"], "x", critics)
    assert means == {"faithfulness": None, "relevance": None, "coherence": 0.5, "num_unreadable_answers": 2}
