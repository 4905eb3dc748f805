"""Metrics of the benchmarks that model cards report, for answers that need no judge; `frontier/` has the rules.

A model's thinking is removed before an answer is looked for.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.frontier.grids import is_solved, parse_grid, score_puzzle
from helm.benchmark.metrics.frontier.letters import RULES, find_letter
from helm.benchmark.metrics.frontier.short_answers import (
    GOLD_RULES,
    find_nodes,
    harmonic_mean,
    is_bbeh_match,
    matches_gold,
    score_emotions,
    set_f1,
)
from helm.benchmark.metrics.metric import get_completions, get_unique_stat_by_name
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat, single
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import ConfigError, MetricError, suggest
from helm.common.formats.thinking import without_thinking


def answer_texts(request_state: RequestState) -> list[str]:
    """Return the texts of all completions, without thinking."""
    return [without_thinking(completion.text) for completion in get_completions(request_state)]


def correct_texts(instance: Instance) -> list[str]:
    """Return the texts of the correct references. Raises: MetricError if there are none."""
    texts = [reference.output.text for reference in instance.references if reference.is_correct]
    if not texts:
        raise MetricError(f"Instance {instance.id} has no correct reference, so its answer cannot be scored.")
    return texts


def extra_value(instance: Instance, name: str) -> Any:
    """Return a value of the instance's extra data. Raises: MetricError that names it."""
    extra: Mapping[str, Any] = instance.extra_data or {}
    if extra.get(name) is None:
        raise MetricError(
            f"Instance {instance.id}: extra_data has no '{name}'. It has {', '.join(sorted(extra)) or 'nothing'}."
        )
    return extra[name]


class FinalAnswerMetric(StateMetric):
    """Scores the first completion, without thinking. A result without completions gets no score."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        texts = answer_texts(request_state)
        return self.score_text(texts[0], request_state.instance) if texts else []

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        """Names and values of the stats of one answer."""
        raise NotImplementedError


class LetterRuleMetric(FinalAnswerMetric):
    """Finds the letter of a choice with a published rule, and compares it with that of the correct reference.

    Emits `letter_accuracy`, 0 or 1, and `letter_missing`, 1 if the rule finds no letter, which counts as wrong. A letter of the
    other case is wrong, as it is for the programs that published the rules.

    Args:
        rule: a name of `helm.benchmark.metrics.frontier.letters.RULES`.
        name: another name of the first stat, where tables already have one for the question.
    """

    described_stats = (
        "letter_accuracy",
        "letter_missing",
    )

    def __init__(self, rule: str, name: str = "letter_accuracy"):
        if rule not in RULES:
            raise ConfigError(f"LetterRuleMetric has no rule '{rule}', only {', '.join(RULES)}.{suggest(rule, RULES)}")
        self.rule, self.name = rule, name

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        correct_texts(instance)
        choices = [reference.output.text for reference in instance.references]
        letter = find_letter(self.rule, text, choices)
        correct = [chr(ord("A") + i) for i, reference in enumerate(instance.references) if reference.is_correct]
        return [(self.name, int(letter in correct)), ("letter_missing", int(letter is None))]


class BBEHMetric(FinalAnswerMetric):
    """Scores BIG-Bench Extra Hard as its own program does.

    Emits `bbeh_accuracy`, 0 or 1, and for all answers together `bbeh_harmonic_mean`: over the tasks, `extra_data["task"]`, the
    harmonic mean of accuracy in percent + 1, as the paper prints it.
    """

    described_stats = (
        "bbeh_accuracy",
        "bbeh_harmonic_mean",
    )

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        return [("bbeh_accuracy", int(any(is_bbeh_match(text, wanted) for wanted in correct_texts(instance))))]

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        means = list(_means_by(per_instance_stats, "task", "bbeh_accuracy").values())
        return [single(MetricName("bbeh_harmonic_mean"), 100 * harmonic_mean(means))] if means else []


class GraphWalksMetric(FinalAnswerMetric):
    """Scores sets of nodes of a graph, `Final Answer: [a, b]`, against `extra_data["answer_nodes"]`; all from 0 to 1.

    Emits `graphwalks_f1`, from the last line, `graphwalks_f1_anywhere`, from the last line that has an answer, and
    `graphwalks_f1_or_empty`, the first with 1 for an explicitly empty answer where there are no nodes; published numbers give 0.
    """

    described_stats = (
        "graphwalks_f1",
        "graphwalks_f1_anywhere",
        "graphwalks_f1_or_empty",
    )

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        wanted = extra_value(instance, "answer_nodes")
        found = find_nodes(text)
        f1 = set_f1(found, wanted)
        return [
            ("graphwalks_f1", f1),
            ("graphwalks_f1_anywhere", set_f1(find_nodes(text, anywhere=True), wanted)),
            ("graphwalks_f1_or_empty", 1.0 if found == [] and not wanted else f1),
        ]


class ArcGridMetric(StateMetric):
    """Scores a test input of ARC-AGI: solved if any completion has the grid that the correct reference has.

    Emits `arc_solved`, 0 or 1, `arc_parsed`, the share of completions with a grid, and for all answers together
    `arc_task_score`: the mean over the tasks, `extra_data["task"]`, of the share of solved test inputs.
    """

    described_stats = (
        "arc_task_score",
        "arc_solved",
        "arc_parsed",
    )

    def score_state(self, request_state: RequestState) -> NamedValues:
        texts = answer_texts(request_state)
        if not texts:
            return []
        grid = parse_grid(correct_texts(request_state.instance)[0])
        if not grid:
            raise MetricError(f"Instance {request_state.instance.id}: the correct reference is not a grid in JSON.")
        parsed = sum(bool(parse_grid(text)) for text in texts) / len(texts)
        return [("arc_solved", int(is_solved(texts, grid))), ("arc_parsed", parsed)]

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        means = list(_means_by(per_instance_stats, "task", "arc_solved").values())
        return [single(MetricName("arc_task_score"), sum(means) / len(means))] if means else []


class ZebraGridMetric(FinalAnswerMetric):
    """Scores puzzles of ZebraLogic against `extra_data["solution"]`.

    Emits `zebra_puzzle_accuracy`, 1 if every cell is right, `zebra_parsed`, 1 if there is a solution in JSON, and for all answers
    together `zebra_cell_accuracy`: right cells by all cells, those of answers without a solution included.
    """

    described_stats = (
        "zebra_puzzle_accuracy",
        "zebra_cell_accuracy",
        "zebra_parsed",
    )

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        score = score_puzzle(text, extra_value(instance, "solution"))
        return [
            ("zebra_puzzle_accuracy", int(score.is_solved)),
            ("zebra_parsed", int(score.is_parsed)),
            ("zebra_num_correct_cells", score.num_correct),
            ("zebra_num_cells", score.num_cells),
        ]

    def derive_stats(self, stats_dict: dict[MetricName, Stat]) -> list[Stat]:
        correct = get_unique_stat_by_name(stats_dict.values(), "zebra_num_correct_cells")
        cells = get_unique_stat_by_name(stats_dict.values(), "zebra_num_cells")
        if not correct or not cells or not cells.sum:
            return []
        return [single(MetricName("zebra_cell_accuracy"), correct.sum / cells.sum)]


class GoldTextMetric(FinalAnswerMetric):
    """Whether an answer has one of the correct references, with case: `gold_match`, 0 or 1.

    Args:
        rule: `EM` (it is one), `contains`, `lastline_EM` or `lastline_contains`.
    """

    described_stats = ("gold_match",)

    def __init__(self, rule: str = "contains"):
        if rule not in GOLD_RULES:
            raise ConfigError(f"GoldTextMetric has no rule '{rule}', only {', '.join(GOLD_RULES)}.")
        self.rule = rule

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        return [("gold_match", int(matches_gold(self.rule, text, correct_texts(instance))))]


class EQBenchMetric(FinalAnswerMetric):
    """Scores ratings of four emotions against `extra_data["reference"]`, as EQ-Bench 2 does.

    Emits `eq_bench_score`, 100 for the reference's ratings, and 0 for an answer that does not rate these emotions, and
    `eq_bench_parsed`, 1 if it does.
    """

    described_stats = (
        "eq_bench_score",
        "eq_bench_parsed",
    )

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        score = score_emotions(text, extra_value(instance, "reference"))
        return [("eq_bench_score", score or 0.0), ("eq_bench_parsed", int(score is not None))]


def _means_by(per_instance_stats: Mapping[Instance, Sequence[Stat]], key: str, name: str) -> dict[str, float]:
    """Return the mean of a stat over the instances of each value of `extra_data[key]`."""
    groups: dict[str, Stat] = {}
    for instance, stats in per_instance_stats.items():
        stat = get_unique_stat_by_name(stats, name)
        if stat is not None and stat.count:
            groups.setdefault(str(extra_value(instance, key)), Stat(MetricName(name))).merge(stat)
    return {group: stat.mean for group, stat in groups.items() if stat.mean is not None}
