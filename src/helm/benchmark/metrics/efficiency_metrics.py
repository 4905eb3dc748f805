"""Tokens, training cost and inference time of a request."""

import json
import os
from functools import cache
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.trial_stats import NamedValues, to_stats
from helm.benchmark.window_services.window_service import WindowService
from helm.common.hierarchical_logger import hwarn
from helm.common.request import Request, RequestResult

EFFICIENCY_METRICS = [
    "num_prompt_tokens", "num_completion_tokens", "num_output_tokens", "training_co2_cost", "training_energy_cost",
    "inference_runtime", "batch_size", "inference_denoised_runtime", "inference_idealized_runtime",
]  # fmt: skip
EFFICIENCY_DATA_PACKAGE = "helm.benchmark.metrics.efficiency_data"
INFERENCE_IDEALIZED_RUNTIMES_JSON_FILENAME = "inference_idealized_runtimes.json"
INFERENCE_DENOISED_RUNTIMES_JSON_FILENAME = "inference_denoised_runtimes.json"
TRAINING_EFFICIENCY_JSON_FILENAME = "training_efficiency.json"


class EfficiencyMetric:
    """Computes the efficiency stats of single requests. Caches the window service of the latest deployment."""

    def __init__(self) -> None:
        self._window: tuple[str | None, MetricService | None, WindowService | None] = (None, None, None)

    def get_window_service(self, adapter_spec: AdapterSpec, metric_service: MetricService) -> WindowService:
        """Return the window service of the adapter's deployment."""
        deployment, service, window_service = self._window
        if window_service is None or deployment != adapter_spec.model_deployment or service is not metric_service:
            from helm.benchmark.window_services.window_service_factory import WindowServiceFactory

            deployment = adapter_spec.model_deployment
            window_service = WindowServiceFactory.get_window_service(deployment, metric_service)
            self._window = (deployment, metric_service, window_service)
        return window_service

    def count_prompt_tokens(self, adapter_spec: AdapterSpec, request: Request, metric_service: MetricService) -> int:
        """Return the number of tokens of the prompt (of a multimodal one, of its joined texts)."""
        # HELM: the messages of the method `chat` count as no tokens.
        prompt = request.prompt if request.options is None else request.text
        if request.multimodal_prompt is not None:
            prompt = request.multimodal_prompt.text
        return self.get_window_service(adapter_spec, metric_service).get_num_tokens(prompt)

    def compute_efficiency_metrics(
        self, adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
    ) -> list[Stat]:
        """Return `compute_values` as stats without context."""
        return to_stats(self.compute_values(adapter_spec, request_state, metric_service))

    def compute_values(
        self, adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
    ) -> NamedValues:
        """Return token counts, training cost (kg of CO2, MWh; empty if unknown), and known run times in seconds.

        `inference_runtime` is the measured time of the request, `inference_denoised_runtime` an estimate without
        contention, and `inference_idealized_runtime` an estimate with the same hardware for all models.
        """
        request: Any = request_state.request
        result: Any = request_state.result
        deployment: str = request.model_deployment
        num_prompt_tokens = self.count_prompt_tokens(adapter_spec, request, metric_service)
        num_completion_tokens = _count_completion_tokens(result, getattr(request_state, "extracted", None) is not None)
        num_output_tokens = num_completion_tokens
        if request.echo_prompt:
            num_output_tokens = _without_prompt(num_completion_tokens, num_prompt_tokens)
        training_costs, denoised_profile, idealized_profile = _known_efficiency(deployment)
        values: NamedValues = [
            ("num_prompt_tokens", num_prompt_tokens),
            ("num_completion_tokens", num_completion_tokens),
            ("num_output_tokens", num_output_tokens),
            *training_costs,
        ]
        runtime, batch_size = _get_runtime(result)
        if runtime is not None:
            values.append(("inference_runtime", runtime))
        if batch_size is not None:
            values.append(("batch_size", batch_size))
        denoised: float | None
        if runtime is not None and result.batch_size is not None:
            denoised = runtime / result.batch_size
        else:
            denoised = _estimate(denoised_profile, num_prompt_tokens, num_output_tokens)
        if denoised is not None:
            values.append(("inference_denoised_runtime", denoised))
        idealized = _estimate(idealized_profile, num_prompt_tokens, num_output_tokens)
        if idealized is not None:
            values.append(("inference_idealized_runtime", idealized))
        return values

    def get_metadata(self) -> list[MetricMetadata]:
        """Return how the stats are shown."""
        return get_display_data(EFFICIENCY_METRICS)


def _count_completion_tokens(result: RequestResult, is_extracted: bool) -> int:
    """Return the number of listed tokens; if the server lists none, its own count, without hidden reasoning."""
    number = 0
    for completion in result.completions:
        number += len(completion.tokens)
    usage = getattr(result, "usage", None)
    if number or usage is None or not (is_extracted or any(completion.text for completion in result.completions)):
        return number
    return max(0, usage.completion_tokens - (usage.reasoning_tokens or 0))


def _without_prompt(num_completion_tokens: int, num_prompt_tokens: int) -> int:
    if num_completion_tokens < num_prompt_tokens:
        hwarn(
            f"The completions have {num_completion_tokens} tokens, fewer than the {num_prompt_tokens} of the prompt "
            "that they should repeat; num_output_tokens is taken to be 0."
        )
        return 0
    return num_completion_tokens - num_prompt_tokens


def _get_runtime(result: RequestResult) -> tuple[float | None, int | None]:
    """Return the seconds, and how many requests shared them."""
    if result.batch_request_time is not None and result.batch_size is not None:
        return result.batch_request_time, result.batch_size
    if result.request_time is not None:
        return result.request_time, 1
    return None, None


@cache
def load_table(name: str) -> dict[str, dict[str, Any]]:
    """Load one of the measured tables next to this module: by deployment, or by kind of cost and deployment."""
    path = os.path.join(os.path.dirname(__file__), EFFICIENCY_DATA_PACKAGE.rpartition(".")[2], name)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


@cache
def _known_efficiency(deployment: str) -> tuple[NamedValues, dict[str, Any] | None, dict[str, Any] | None]:
    """Return the training costs, and the profiles of denoised and idealized run times."""
    return (
        [
            ("training_co2_cost", get_training_cost("carbon", deployment)),
            ("training_energy_cost", get_training_cost("energy", deployment)),
        ],
        load_table(INFERENCE_DENOISED_RUNTIMES_JSON_FILENAME).get(deployment),
        load_table(INFERENCE_IDEALIZED_RUNTIMES_JSON_FILENAME).get(deployment),
    )


@cache
def get_training_cost(kind: str, deployment: str) -> float | None:
    """Return `carbon` (kg of CO2) or `energy` (MWh) used for training the model; None if unknown."""
    known = load_table(TRAINING_EFFICIENCY_JSON_FILENAME)[kind].get(deployment)
    return None if known is None else known["value"]


def estimate_denoised_runtime(deployment: str, num_prompt_tokens: int, num_output_tokens: int) -> float | None:
    """Return seconds on an idle copy of the service; None for a deployment that was never measured."""
    return _estimate(
        load_table(INFERENCE_DENOISED_RUNTIMES_JSON_FILENAME).get(deployment), num_prompt_tokens, num_output_tokens
    )


def estimate_idealized_runtime(deployment: str, num_prompt_tokens: int, num_output_tokens: int) -> float | None:
    """Return seconds on the reference hardware; None for a deployment that was never measured."""
    return _estimate(
        load_table(INFERENCE_IDEALIZED_RUNTIMES_JSON_FILENAME).get(deployment), num_prompt_tokens, num_output_tokens
    )


def _estimate(profile: dict[str, Any] | None, num_prompt_tokens: int, num_output_tokens: int) -> float | None:
    """Return the time for the prompt, scaled from the next measured length, plus the time for each further output token."""
    if profile is None:
        return None
    measured = {int(length): seconds for length, seconds in profile["runtime_for_prompt_tokens"].items()}
    length = min((length for length in measured if num_prompt_tokens <= length), default=max(measured))
    runtime = measured[length] * (num_prompt_tokens / length)
    if num_output_tokens > 0:
        runtime += profile["runtime_per_output_token"] * (num_output_tokens - 1)
    return runtime + profile.get("overhead", 0.0)
