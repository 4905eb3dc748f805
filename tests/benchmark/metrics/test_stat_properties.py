"""What holds for all stats: the order of merging does not matter, printing and parsing are inverse, nothing crashes."""

import dataclasses
import itertools
import json
import math
import random
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.basic_metrics import BasicGenerationMetric, get_num_bytes, metric_fn_mapping
from helm.benchmark.metrics.bbq_metrics import BBQMetric
from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.cleva_accuracy_metrics import CLEVATopKAccuracyMetric
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.disinformation_metrics import DisinformationMetric
from helm.benchmark.metrics.machine_translation_metrics import MachineTranslationMetric
from helm.benchmark.metrics.metric import MetricInterface, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.seahelm_metrics import SEAHELMQAMetric
from helm.benchmark.metrics.statistic import Stat, merge_stat, single
from helm.benchmark.metrics.summarization_metrics import SummarizationMetric
from helm.benchmark.metrics.worst_case import compute_directed_worst_case
from helm.benchmark.runner import remove_stats_nans
from helm.common.codec import asdict_without_nones, from_json, to_json
from helm.common.request import GeneratedOutput, Token
from metrics_support import make_generation_state, make_metric_service

PERTURBATIONS = [
    None,
    PerturbationDescription("robust", robustness=True),
    PerturbationDescription("fair", fairness=True, seed=3),
]


def draw_value(rng: random.Random) -> float | None:
    return rng.choice(
        [None, True, rng.randrange(-9, 9), rng.uniform(-1, 1), rng.gauss(0, 1e6), 10.0 ** rng.randrange(-9, 9)]
    )


def draw_stats(rng: random.Random) -> list[Stat]:
    stats = []
    for _ in range(rng.randrange(1, 40)):
        name = MetricName(rng.choice("abc"), rng.choice(["test", None]), None, rng.choice(PERTURBATIONS))
        stat = Stat(name)
        for _ in range(rng.randrange(4)):
            stat.add(draw_value(rng))
        stats.append(stat)
    return stats


def merge_all(stats: list[Stat]) -> dict:
    merged: dict = {}
    for stat in stats:
        merge_stat(merged, stat)
    return merged


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_merging_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    stats = draw_stats(rng)
    shuffled = merge_all(rng.sample(stats, len(stats)))
    for name, stat in merge_all(stats).items():
        other = shuffled[name]
        assert (stat.count, stat.min, stat.max) == (other.count, other.min, other.max)
        assert stat.sum == pytest.approx(other.sum, rel=1e-9, abs=1e-6)
        assert stat.sum_squared == pytest.approx(other.sum_squared, rel=1e-9)
        assert (stat.mean is None) == (other.mean is None)
        if stat.mean is not None:
            assert stat.mean == pytest.approx(other.mean, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_merging_is_the_same_in_groups(seed: int) -> None:
    """(a + b) + c = a + (b + c), and both equal adding the values one by one."""
    rng = random.Random(seed)
    values = [[draw_value(rng) for _ in range(rng.randrange(4))] for _ in range(3)]
    name = MetricName("m")

    def stat_of(*groups: list) -> Stat:
        stat = Stat(name)
        for value in itertools.chain(*groups):
            stat.add(value)
        return stat

    left = stat_of(values[0]).merge(stat_of(values[1])).merge(stat_of(values[2]))
    right = stat_of(values[0]).merge(stat_of(values[1]).merge(stat_of(values[2])))
    single = stat_of(*values)
    for stat in (left, right):
        assert (stat.count, stat.min, stat.max) == (single.count, single.min, single.max)
        assert stat.sum == pytest.approx(single.sum, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_printing_and_parsing_are_inverse(seed: int) -> None:
    stats = draw_stats(random.Random(seed))
    text = to_json(stats)
    assert [from_json(json.dumps(item), Stat) for item in json.loads(text)] == stats
    entry = PerInstanceStats("id0", PERTURBATIONS[1], 0, stats)
    assert from_json(to_json(entry), PerInstanceStats) == entry


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan], ids=str)
def test_infinity_and_nan_are_written_and_read(value: float) -> None:
    stat = Stat(MetricName("m")).add(1.0)
    stat.add(value)
    again = from_json(to_json(stat), Stat)
    assert repr(again.sum) == repr(stat.sum) and again.count == 2
    assert bool(remove_stats_nans([stat])) == (not math.isnan(value))


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e308, -1e200], ids=["int", "negative int", "max", "square"])
def test_numbers_beyond_the_range_of_floats_are_no_crash(value: float) -> None:
    stat = Stat(MetricName("m")).add(1).add(value)
    total = Stat(MetricName("m")).merge(stat).merge(stat)
    for item in (stat, total, from_json(to_json(total), Stat)):
        assert item.mean is not None and not math.isnan(item.sum) and (item.mean > 0) == (value > 0)
    assert metric_fn_mapping["absolute_value_difference"]("1", "9" * 500) > 1e300


def test_half_surrogate_pairs_have_bytes() -> None:
    assert get_num_bytes([Token("a\ud800", 0.0)]) == 4


def test_empty_stats_merge_with_anything() -> None:
    empty, full = Stat(MetricName("m")), Stat(MetricName("m")).add(3)
    assert merge_all([empty, full]) == merge_all([full, empty]) == {full.name: full}
    assert from_json(to_json(empty), Stat) == empty
    assert "mean" not in json.loads(to_json(empty))


@pytest.mark.parametrize("seed", range(20))
def test_the_directed_worst_case_does_not_depend_on_the_order_and_bounds_the_mean(seed: int) -> None:
    rng = random.Random(seed)
    entries = []
    for i, perturbation in itertools.product(range(6), PERTURBATIONS):
        stats = [Stat(MetricName(name, "test", None, perturbation)).add(rng.random()) for name in ("up", "down")]
        entries.append(PerInstanceStats(f"id{i}", perturbation, 0, stats))
    directions = {"up": False, "down": True}
    worst = {stat.name: stat.mean for stat in compute_directed_worst_case(entries, directions)}
    shuffled = compute_directed_worst_case(rng.sample(entries, len(entries)), directions)
    assert {stat.name: stat.mean for stat in shuffled} == pytest.approx(worst)
    for name, is_lower_better in directions.items():
        plain = [entry.stats[is_lower_better].mean for entry in entries if entry.perturbation is None]
        mean = sum(plain) / len(plain)
        for stat_name, value in worst.items():
            if stat_name.name == name:
                assert value >= mean if is_lower_better else value <= mean


# --- odd generations --------------------------------------------------------------------------------------------------

TEXT_NAMES = ["exact_match", "quasi_exact_match", "prefix_exact_match", "f1_score", "rouge_l", "bleu_1", "bleu_4"]
TEXT_NAMES += ["wer_score", "cer_score", "cider", "final_number_exact_match", "exact_set_match", "math_equiv"]

METRICS = [
    BasicGenerationMetric(TEXT_NAMES),
    BasicCopyrightMetric("edit_distance"),
    BasicCopyrightMetric("longest_common_prefix_length", normalize_newline_space_tab=True),
    DisinformationMetric("self_bleu"),
    DisinformationMetric("monte_carlo_entropy"),
    SEAHELMQAMetric(),
    SummarizationMetric("task"),
    BiasMetric("representation", "gender"),
    BiasMetric("associations", "race", "adjective"),
    MachineTranslationMetric(),
    CLEVATopKAccuracyMetric(1, 10),
]
ODD_TEXTS = ["", " ", "\n\n", "\x00", "。", "🙂", "a" * 5000, "{}", "\\boxed{", "-", "NaN", "\ud800"]


def _evaluate(metric: MetricInterface, states: list[RequestState]) -> list[Stat]:
    spec = AdapterSpec(method="generation", num_outputs=1, model_deployment="simple/model1")
    result = metric.evaluate(ScenarioState(spec, states), make_metric_service(), "", 1)
    return result.aggregated_stats


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: type(metric).__name__)
def test_odd_completions_are_no_crash(metric: MetricInterface) -> None:
    states = [make_generation_state([text], ["she is kind"], "", f"id{i}") for i, text in enumerate(ODD_TEXTS)]
    stats = _evaluate(metric, states)
    assert stats and all(stat.name.split == "test" for stat in stats)


@pytest.mark.parametrize("logprob", [math.nan, math.inf, -math.inf, -1e308], ids=str)
def test_odd_log_probabilities_are_no_crash(logprob: float) -> None:
    completion = GeneratedOutput("x", logprob if logprob < 700 else 0.0, [Token("x", logprob)])
    stats = _evaluate(BasicGenerationMetric(["exact_match"]), [make_generation_state([completion], ["x"])])
    kept = {stat.name.name: stat for stat in remove_stats_nans(stats)}
    assert kept["exact_match"].mean == 1.0
    assert ("logprob" in kept) == (not math.isnan(logprob))
    entropy = _evaluate(DisinformationMetric("monte_carlo_entropy"), [make_generation_state([completion])])
    assert bool(remove_stats_nans(entropy)) == (not math.isnan(logprob))


def test_bbq_without_answers_has_no_accuracy() -> None:
    state = make_generation_state([""], ["x"])
    state.instance.references[0].tags.extend(["ambiguous", "negative", "C", "A", "B", "C"])
    values: dict = {stat.name.name: stat.mean for stat in BBQMetric().evaluate_instances([state], "")}
    assert values == {"bbq_accuracy": None, "bbq_metric_ambiguous_bias": 0.0, "bbq_metric_unambiguous_bias": 0.0}


def test_no_generations_at_all(metrics: Any = METRICS) -> None:
    for metric in metrics:
        assert _evaluate(metric, []) == []


EXTREMES = [
    0.0,
    -0.0,
    1e-320,
    -5e-324,
    1e149,
    1e151,
    -1e200,
    1e308,
    math.inf,
    -math.inf,
    math.nan,
    0.1,
    -2.5,
    3,
    -3,
    2**30,
]


@pytest.mark.parametrize("value", [*EXTREMES, True, False, *(random.Random(0).gauss(0, 1e3) for _ in range(50))])
def test_a_stat_of_one_number_is_what_adding_it_makes_and_is_written_as_any_other(value: float) -> None:
    name = MetricName("a", "test")
    made, added = single(name, value), Stat(name).add(value)
    fields = dataclasses.fields(Stat)
    assert [repr(getattr(made, field.name)) for field in fields] == [
        repr(getattr(added, field.name)) for field in fields
    ]
    for stat in (made, added.copy().add(value), Stat(name), Stat(name, 1, 2.0, 4.0, 2, 2.0, 2.0, 0.0, 0.0)):
        assert to_json([stat]) == json.dumps([asdict_without_nones(stat)], indent=2)
