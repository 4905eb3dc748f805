"""Measures how well a model ranks passages that it is asked about one at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from helm.benchmark.adaptation.adapter_spec import ADAPT_RANKING_BINARY, AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.ranking_measures import check_measure, compute_measure
from helm.benchmark.metrics.reference_metric import ReferenceMetric
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import unpack_tag

_SHORT_NAMES = {"recip_rank": "RR", "ndcg_cut": "NDCG"}


class MissingRelevanceError(KeyError):
    """No passage of a query is relevant, so no measure is defined. HELM raises KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class RankingObject:
    """One passage of a query."""

    reference_index: int

    relevance: int | None
    """Relevance from the tag `relevance=...`. None without one."""

    rank: int | None
    """Rank in the scenario's ranking, from the tag `rank=...`."""

    model_output: str

    model_logprob: float


class RankingMetric(ReferenceMetric):
    """Ranks the passages of a query by the model's answers and compares the order with the relevance judgments.

    Passages with the correct label come first, more likely ones earlier; then those with the wrong label, less likely
    ones earlier; then those with any other answer, likewise. Emits every measure, 0 to 1, under names such as `RR@10`,
    `NDCG@10` and `Recall@10`, again with ` (topk=...)` for the passages that the scenario ranks among the first `rank`,
    and the position of every passage as `ref{index}_rank`.

    Args:
        method: `ranking_binary`.
        measure_names: names of trec_eval, those with a cutoff as `name.k`; see `ranking_measures`.
        correct_output: the answer for a relevant passage, for example `Yes`.
        wrong_output: the answer for an irrelevant one.
        rank: see above. None omits the second group of measures.
        multiple_relevance_values: whether `recip_rank`, `recall` and `success` ignore a relevance of 1.

    Raises: AssertionError for other methods and measures; MissingRelevanceError if no passage is relevant.
    """

    METHOD_LIST = [ADAPT_RANKING_BINARY]
    RECIP_RANK_MEASURE, RECALL_MEASURE, SUCCESS_MEASURE = "recip_rank", "recall", "success"
    NDCG_CUT_MEASURE = "ndcg_cut"
    BINARY_MEASURES = [RECIP_RANK_MEASURE, RECALL_MEASURE, SUCCESS_MEASURE]
    MISSING_RESULT_TEXT = "missing"
    """The output of a request without completion."""

    def __init__(
        self,
        method: str,
        measure_names: list[str],
        correct_output: str,
        wrong_output: str,
        rank: int | None = None,
        multiple_relevance_values: bool = False,
    ):
        assert method in self.METHOD_LIST, f"Mode must be one of {self.METHOD_LIST}, instead found {method}."
        self.method = method
        self.measure_names = list(measure_names)
        self._measures = [(name, *_parse_measure(name)) for name in measure_names]
        self.correct_output = correct_output
        self.wrong_output = wrong_output
        self.rank = rank
        self.multiple_relevance_values = multiple_relevance_values

    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: list[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        passages = [_make_ranking_object(state) for state in reference_request_states]
        order = sorted(passages, key=self._get_sort_key, reverse=True)
        truth = {passage.reference_index: passage.relevance for passage in passages if passage.relevance}
        if not truth:
            raise MissingRelevanceError("No passage of the query has a relevance other than 0.")
        stats = self._compute_stats(order, truth, "")
        if self.rank is not None:
            top = [passage for passage in order if passage.rank and passage.rank <= self.rank]
            stats += self._compute_stats(top, truth, f" (topk={self.rank})")
        for position, passage in enumerate(order):
            stats.append(Stat(MetricName(f"ref{passage.reference_index}_rank")).add(position))
        return stats

    def _get_sort_key(self, passage: RankingObject) -> tuple[int, float]:
        output = self.standardize(passage.model_output)
        if output == self.standardize(self.correct_output):
            return 2, passage.model_logprob
        return int(output == self.standardize(self.wrong_output)), -passage.model_logprob

    @staticmethod
    def standardize(text: str) -> str:
        """Return an answer as it is compared: in lower case, without surrounding white space."""
        return text.strip().lower()

    @staticmethod
    def measure_to_metric_name(measure_name: str) -> str:
        """Return the name of a measure's stat: `recall.10` becomes `Recall@10`, `recip_rank.10` becomes `RR@10`."""
        base, _, cutoff = measure_name.partition(".")
        name = _SHORT_NAMES.get(base) or base.capitalize()
        return f"{name}@{cutoff}" if cutoff else name

    def _compute_stats(self, order: Sequence[RankingObject], truth: dict[int, int], suffix: str) -> list[Stat]:
        stats = []
        for full_name, name, cutoff in self._measures:
            relevances = truth
            if self.multiple_relevance_values and name in self.BINARY_MEASURES:
                relevances = {index: 0 if relevance == 1 else relevance for index, relevance in truth.items()}
            ranked = [relevances.get(passage.reference_index, 0) for passage in order]
            value = compute_measure(name, cutoff, ranked, list(relevances.values()))
            stats.append(Stat(MetricName(self.measure_to_metric_name(full_name) + suffix)).add(value))
        return stats

    def get_metadata(self) -> list[MetricMetadata]:
        suffixes = [""] if self.rank is None else ["", f" (topk={self.rank})"]
        names = [self.measure_to_metric_name(name) + suffix for suffix in suffixes for name in self.measure_names]
        description = "Agreement of the model's ranking with the relevance judgments."
        return [MetricMetadata(name, name, None, description, lower_is_better=False) for name in names]


def _parse_measure(name: str) -> tuple[str, int | None]:
    """Split `recall.10` into recall and 10. Raises: AssertionError for an unknown measure."""
    base, dot, cutoff = name.partition(".")
    assert not dot or cutoff.isdigit(), f"Measure name {name} isn't supported: behind the dot stands a number."
    parsed = int(cutoff) if dot else None
    check_measure(base, parsed)
    return base, parsed


def _make_ranking_object(state: RequestState) -> RankingObject:
    assert state.reference_index is not None
    tags = state.instance.references[state.reference_index].tags
    completions = get_completions(state)
    return RankingObject(
        reference_index=state.reference_index,
        relevance=_get_tag_value(tags, "relevance"),
        rank=_get_tag_value(tags, "rank"),
        model_output=completions[0].text if completions else RankingMetric.MISSING_RESULT_TEXT,
        model_logprob=completions[0].logprob if completions else 0.0,
    )


def _get_tag_value(tags: Sequence[str], key: str) -> int | None:
    for tag in tags:
        if key in tag:
            return int(unpack_tag(tag)[1])
    return None
