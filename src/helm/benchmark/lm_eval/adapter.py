"""The adapter of tasks of lm-evaluation-harness: it sends what the task asks, as it is."""

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import request_fields
from helm.benchmark.adaptation.adapters.language_modeling_adapter import LanguageModelingAdapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.lm_eval.worker.documents import GENERATE_UNTIL, LOGLIKELIHOOD, ROLLING
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.hierarchical_logger import hlog
from helm.common.request import Request

MAX_GREEDY_TOKENS = 256
"""The longest text whose greedy decoding is asked for."""


class LMEvalAdapter(Adapter):
    """Creates the requests that `extra_data` of an instance lists: see `helm.benchmark.lm_eval.scenario`.

    A `loglikelihood` request asks for the log-probabilities of context and continuation. Where the task has to know
    whether the continuation is what the model writes by itself, another request asks the model to write. A
    `loglikelihood_rolling` request covers a text with windows.
    """

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        states = [state for instance in instances for state in self._states(instance)]
        hlog(f"{len(states)} requests")
        return states

    def _states(self, instance: Instance) -> list[RequestState]:
        data = instance.extra_data or {}
        requests = data.get("requests", [])
        states: list[RequestState] = []
        for i, (kind, first, *rest) in enumerate(requests):
            context = instance.input.text if first is None else first
            if kind == LOGLIKELIHOOD:
                states += self._likelihood(instance, i, len(requests), context, str(rest[0]), bool(data.get("greedy")))
            elif kind == ROLLING:
                states += self._rolling(instance, str(context))
            elif kind == GENERATE_UNTIL:
                given = rest[0] if rest else {}
                states.append(new_request_state(instance, self._generation(instance, context, given)))
        return states

    def _likelihood(
        self, instance: Instance, i: int, number: int, context: str, continuation: str, greedy: bool
    ) -> list[RequestState]:
        index, mode = place_of(i, len(instance.references))
        common: dict[str, Any] = {
            "model": self.adapter_spec.model,
            "model_deployment": self.adapter_spec.model_deployment,
            "num_completions": 1,
            "temperature": 0,
            "stop_sequences": [],
        }
        common["continuation"] = continuation or None
        request = Request(prompt=context + continuation, max_tokens=0, echo_prompt=True, **common)
        states = [new_request_state(instance, request, reference_index=index, request_mode=mode)]
        if greedy and mode == "original":
            limit = min(len(continuation.encode()) or 1, MAX_GREEDY_TOKENS)
            written = Request(prompt=context, max_tokens=limit, **common)
            states.append(new_request_state(instance, written, reference_index=index, request_mode=mode))
        return states

    def _rolling(self, instance: Instance, text: str) -> list[RequestState]:
        adapter = LanguageModelingAdapter(replace(self.adapter_spec, max_tokens=0), self.tokenizer_service)
        adapter.__dict__["window_service"] = self.window_service
        windows = adapter.windows(replace(instance, input=Input(text=text)))
        return [replace(state, instance=instance) for state in windows]

    def _generation(self, instance: Instance, context: Any, given: dict[str, Any]) -> Request:
        spec = self.adapter_spec
        messages = instance.input.messages if not isinstance(context, list) else context
        if messages is None and spec.chat is not None and spec.chat.mode == "on":
            messages = [{"role": "user", "content": context}]
        if messages is not None and spec.chat is not None and spec.chat.system_prompt:
            messages = [{"role": "system", "content": spec.chat.system_prompt}, *messages]
        own = own_settings(given)
        shown = instance.input.multimedia_content
        if shown is not None:
            messages = None
            if spec.chat is not None and spec.chat.system_prompt:
                shown = shown.add_textual_prefix(f"{spec.chat.system_prompt}\n\n")
        return Request(
            model=spec.model,
            model_deployment=spec.model_deployment,
            prompt="" if messages is not None or shown is not None else context,
            messages=messages,
            multimodal_prompt=shown,
            temperature=own.get("temperature", spec.temperature),
            max_tokens=own.get("max_tokens", spec.max_tokens),
            stop_sequences=own.get("stop_sequences", spec.stop_sequences),
            num_completions=spec.num_outputs,
            random=spec.random,
            **request_fields(spec),
        )


def place_of(i: int, num_references: int) -> tuple[int, str]:
    """Return the reference and the mode of the request of number `i`: those beyond the references have no context."""
    return (i, "original") if i < num_references else (i - num_references, "calibration")


def own_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return what a request says about generation that the task does not say of all: `until` and so on."""
    found: dict[str, Any] = {}
    if "until" in given:
        until = given["until"]
        found["stop_sequences"] = [str(text) for text in (until if isinstance(until, list) else [until]) if text]
    for key in ("max_gen_toks", "max_new_tokens", "max_tokens", "max_length"):
        if isinstance(given.get(key), int):
            found.setdefault("max_tokens", given[key])
    if given.get("do_sample") is False:
        found["temperature"] = 0.0
    elif isinstance(given.get("temperature"), (int, float)):
        found["temperature"] = float(given["temperature"])
    return found
