"""The metric of tasks of lm-evaluation-harness: their filters, measures and aggregates, as the task defines them."""

import math
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.lm_eval.adapter import place_of
from helm.benchmark.lm_eval.table_loading import make_loader
from helm.benchmark.lm_eval.task_code import read_code
from helm.benchmark.lm_eval.task_library import locate_root
from helm.benchmark.lm_eval.task_worker import do_job
from helm.benchmark.lm_eval.worker.documents import GENERATE_UNTIL, LOGLIKELIHOOD
from helm.benchmark.lm_eval.worker.measures import LOWER_IS_BETTER
from helm.benchmark.lm_eval.worker.plain import from_plain
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, get_completions
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat, single
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError

NO_COMPLETION = "no_completion"


class LMEvalTaskMetric(MetricInterface):
    """Scores a run as its task does.

    Emits, per document, the values of the task's metrics that are numbers, and per run what the task aggregates: by
    several filters, names end with that of the filter (`exact_match_strict_match`). `no_completion` is 1 for a document
    with a request that failed; it has no other values, and is not aggregated.

    Args:
        task, config, root, code: as `LMEvalTaskScenario`.
    """

    def __init__(self, task: str, config: dict[str, Any], root: str = "", code: dict[str, Any] | None = None):
        self.task, self.config, self.root, self.code = task, config, root, code

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        by_context: dict[MetricContext, list[tuple[Instance, list[RequestState]]]] = {}
        grouped: dict[int, tuple[Instance, list[RequestState]]] = {}
        for state in scenario_state.request_states:
            grouped.setdefault(id(state.instance), (state.instance, []))[1].append(state)
        for instance, states in grouped.values():
            by_context.setdefault(MetricContext.from_instance(instance), []).append((instance, states))
        result = MetricResult([], [])
        for context, work in by_context.items():
            self._evaluate_context(context, work, eval_cache_path, result)
        return result

    def _evaluate_context(
        self,
        context: MetricContext,
        work: list[tuple[Instance, list[RequestState]]],
        eval_cache_path: str,
        result: MetricResult,
    ) -> None:
        def name_of(name: str) -> MetricName:
            return MetricName(name, context.split, context.sub_split, context.perturbation)

        documents, answered = [], []
        missing = Stat(name_of(NO_COMPLETION))
        stats: dict[int, list[Stat]] = {}
        for instance, states in work:
            responses = responses_of(instance, states)
            stats[id(instance)] = [single(name_of(NO_COMPLETION), int(responses is None))]
            missing.add(int(responses is None))
            if responses is not None:
                doc = (instance.extra_data or {}).get("doc")
                documents.append({"id": instance.id, "doc": doc, "responses": responses})
                answered.append(instance)
        if documents:
            filters = self._score(documents, eval_cache_path)
            for item in filters:
                suffix = suffix_of(item["filter"]) if len(filters) > 1 else ""
                for instance, values in zip(answered, item["values"], strict=True):
                    for name, value in values.items():
                        stats[id(instance)].append(single(name_of(name + suffix), from_plain(value)))
                for name, value in item["aggregates"].items():
                    result.aggregated_stats.append(single(name_of(name + suffix), from_plain(value)))
        result.aggregated_stats.append(missing.take_mean())
        for instance, _ in work:
            result.per_instance_stats.append(
                PerInstanceStats(instance.id or "", instance.perturbation, 0, stats[id(instance)])
            )

    def _score(self, documents: list[dict[str, Any]], eval_cache_path: str) -> list[dict[str, Any]]:
        folder = locate_root(self.root)
        code = None if self.code is None else read_code(folder, self.code)
        job = {"action": "score", "config": self.config, "documents": documents}
        scored = do_job(job, self.task, code, make_loader(eval_cache_path, folder, plain=code is not None))
        found: list[dict[str, Any]] = scored["filters"]
        return found

    def get_metadata(self) -> list[MetricMetadata]:
        items = [item for item in self.config.get("metric_list") or [] if isinstance(item.get("metric"), str)]
        filters = self.config.get("filter_list") or [{}]
        suffixes = [suffix_of(item.get("name", "none")) for item in filters] if len(filters) > 1 else [""]
        described = [
            MetricMetadata(
                str(item["metric"]) + suffix,
                str(item["metric"]).replace("_", " ") + suffix.replace("_", " "),
                None,
                f"{item['metric']} as the task {self.task} of lm-evaluation-harness defines it.",
                not item.get("higher_is_better", item["metric"] not in LOWER_IS_BETTER),
                None,
            )
            for item in items
            for suffix in suffixes
        ]
        missing = "Share of documents with a failed request."
        return [*described, MetricMetadata(NO_COMPLETION, "no completion", None, missing, True, None)]


def suffix_of(filter_name: str) -> str:
    """Return what the names of a filter's scores end with."""
    return "_" + filter_name.replace("-", "_")


def responses_of(instance: Instance, states: list[RequestState]) -> list[list[Any]] | None:
    """Return, for each request about a document, the answers to it in the task's terms; None if one of them failed.

    These are texts; (log-likelihood, whether the model writes it by itself); or a log-likelihood.

    Raises: MetricError if an answer lacks log-probabilities.
    """
    requests = (instance.extra_data or {}).get("requests", [])
    unplaced = iter([state for state in states if state.reference_index is None])
    found: list[list[Any]] = []
    for i, (kind, _, *rest) in enumerate(requests):
        if kind == LOGLIKELIHOOD:
            place = place_of(i, len(instance.references))
            own = [state for state in states if (state.reference_index, state.request_mode) == place]
            answer = _likelihood(own, str(rest[0]))
        elif kind == GENERATE_UNTIL:
            state = next(unplaced, None)
            answer = [one.text for one in get_completions(state)] if state is not None else []
        else:
            answer = _rolling(list(unplaced))
        if not answer:
            return None
        found.append(answer)
    return found


def _likelihood(states: list[RequestState], continuation: str) -> list[Any]:
    echoed = next((state for state in states if state.request.echo_prompt), None)  # type: ignore[union-attr]
    written = next((state for state in states if not state.request.echo_prompt), None)  # type: ignore[union-attr]
    if echoed is None or not get_completions(echoed):
        return []
    is_greedy = False
    if written is not None:
        completions = get_completions(written)
        if not completions:
            return []
        is_greedy = completions[0].text.lstrip().startswith(continuation.strip())
    tokens = get_completions(echoed)[0].tokens
    if not tokens:
        raise MetricError(
            f"The answer about reference {echoed.reference_index} of instance {echoed.instance.id} has no tokens with "
            "log-probabilities. The deployment must echo the prompt with them."
        )
    total, covered = 0.0, 0
    for token in reversed(tokens):
        if covered >= len(continuation):
            break
        total += token.logprob
        covered += len(token.text)
    if math.isnan(total):
        raise MetricError(f"A log-probability of instance {echoed.instance.id} is NaN.")
    return [[total, is_greedy]]


def _rolling(states: list[RequestState]) -> list[Any]:
    total = 0.0
    for state in states:
        completions = get_completions(state)
        if not completions:
            return []
        total += sum(token.logprob for token in completions[0].tokens[state.num_conditioning_tokens :])
    return [total] if states else []
