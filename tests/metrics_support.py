"""Builds scenario states from the compact form that the metric vectors use, and compares stats."""

import math
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.window_services.window_service import ConfigurableWindowService, EncodeResult
from helm.common.codec import structure
from helm.common.request import GeneratedOutput, Request, RequestResult, Token


class CharacterWindowService(ConfigurableWindowService):
    """One token per character, as the tokenizer of simple/model1 gives."""

    def __init__(self) -> None:
        super().__init__("test/characters", max_sequence_length=2048)

    def encode(self, text, truncation=False, max_length=None) -> EncodeResult:  # type: ignore[no-untyped-def]
        raise NotImplementedError

    def decode(self, tokens, normalized_text=None) -> str:  # type: ignore[no-untyped-def]
        raise NotImplementedError

    def tokenize(self, text: str) -> list[str]:
        return list(text)

    def get_num_tokens(self, text: str) -> int:
        return len(text)

    def fits_within_context_window(self, text: str, expected_completion_token_length: int = 0) -> bool:
        return len(text) + expected_completion_token_length <= self.max_request_length

    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        return text[: self.max_request_length - expected_completion_token_length]


def make_metric_service() -> MetricService:
    """A service for metrics that ask for nothing but token counts."""
    return MetricService(None)  # type: ignore[arg-type]


def make_perturbation(data: dict[str, Any] | None) -> PerturbationDescription | None:
    """Of the base class unless fields of a kind of perturbation are given, as the vectors were made."""
    if data is None:
        return None
    try:
        return PerturbationDescription(**data)
    except TypeError:
        return structure(data, PerturbationDescription)


def _make_instance(data: dict[str, Any]) -> Instance:
    return Instance(
        input=Input(text=data.get("input", "")),
        references=[Reference(Output(text=text), tags=tags) for text, tags in data.get("references", [])],
        split=data.get("split"),
        sub_split=data.get("sub_split"),
        id=data["id"],
        perturbation=make_perturbation(data.get("perturbation")),
        extra_data=data.get("extra_data"),
    )


def _make_completion(data: dict[str, Any]) -> GeneratedOutput:
    tokens = [Token(text, logprob) for text, logprob in data.get("tokens", [])]
    return GeneratedOutput(data["text"], data.get("logprob", 0), tokens, data.get("finish_reason"))


def _make_request_state(data: dict[str, Any], instance: Instance, spec: AdapterSpec) -> RequestState:
    return RequestState(
        instance=instance,
        reference_index=data.get("reference_index"),
        request_mode=data.get("request_mode"),
        train_trial_index=data.get("train_trial_index", 0),
        output_mapping=data.get("output_mapping"),
        request=Request(
            model=spec.model,
            model_deployment=spec.model_deployment,
            prompt=data.get("prompt", ""),
            echo_prompt=data.get("echo_prompt", False),
            num_completions=data.get("num_completions", 1),
            max_tokens=data.get("max_tokens", 100),
        ),
        result=RequestResult(
            success=True,
            cached=False,
            embedding=[],
            completions=[_make_completion(completion) for completion in data["completions"]],
            request_time=data.get("request_time"),
            batch_size=data.get("batch_size"),
            batch_request_time=data.get("batch_request_time"),
        ),
        num_train_instances=data.get("num_train_instances", 0),
        prompt_truncated=data.get("prompt_truncated", False),
        num_conditioning_tokens=data.get("num_conditioning_tokens", 0),
        annotations=data.get("annotations"),
    )


def make_scenario_state(data: dict[str, Any]) -> ScenarioState:
    """Two requests that name the same instance key share one instance object."""
    adapter = {"num_outputs": 1, "model": "simple/model1", "model_deployment": "simple/model1", **data["adapter"]}
    spec = structure(adapter, AdapterSpec)
    instances = {key: _make_instance(instance) for key, instance in data["instances"].items()}
    states = [_make_request_state(request, instances[request["instance"]], spec) for request in data["requests"]]
    return ScenarioState(spec, states)


def make_generation_state(
    completions: list[Any], references: list[str] | None = None, input_text: str = "", instance_id: str = "id0"
) -> RequestState:
    """One generation about one instance; completions are texts or `GeneratedOutput`s, all references are correct."""
    outputs = [GeneratedOutput(c, 0.0, []) if isinstance(c, str) else c for c in completions]
    return RequestState(
        instance=Instance(
            Input(text=input_text),
            [Reference(Output(text), [CORRECT_TAG]) for text in references or []],
            split="test",
            id=instance_id,
        ),
        reference_index=None,
        request_mode=None,
        train_trial_index=0,
        output_mapping=None,
        request=Request(model="simple/model1", model_deployment="simple/model1"),
        result=RequestResult(success=True, embedding=[], completions=outputs, cached=False),
        num_train_instances=0,
        prompt_truncated=False,
    )


def find_difference(actual: Any, expected: Any, tolerance: float = 1e-9, path: str = "$") -> str:
    """Where two JSON values differ, or the empty string. Types and orders count; floats may differ by the tolerance."""
    if expected in ("NaN", "Infinity", "-Infinity") and isinstance(actual, float):
        return find_difference(actual, float(expected), tolerance, path)
    if type(actual) is not type(expected):
        return f"{path}: got {actual!r}, expected {expected!r}"
    if isinstance(expected, dict):
        if list(actual) != list(expected):
            return f"{path}: got keys {list(actual)}, expected {list(expected)}"
        pairs = [(f"{path}.{key}", actual[key], expected[key]) for key in expected]
    elif isinstance(expected, list):
        if len(actual) != len(expected):
            return f"{path}: got {len(actual)} items, expected {len(expected)}"
        pairs = [(f"{path}[{i}]", a, e) for i, (a, e) in enumerate(zip(actual, expected, strict=True))]
    elif isinstance(expected, float):
        same = math.isclose(actual, expected, rel_tol=tolerance, abs_tol=tolerance * 1e-3)
        same = same or (math.isnan(actual) and math.isnan(expected))
        return "" if same else f"{path}: got {actual!r}, expected {expected!r}"
    else:
        return "" if actual == expected else f"{path}: got {actual!r}, expected {expected!r}"
    return next((text for text in (find_difference(a, e, tolerance, p) for p, a, e in pairs) if text), "")
