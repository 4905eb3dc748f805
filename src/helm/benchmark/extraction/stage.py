"""The stage of a run between execution and metrics: it records the answers, and shows the metrics nothing else."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.extraction.extractor import Extractor, Question
from helm.benchmark.extraction.letter_extractor import LetterExtractor
from helm.common.request import RequestResult

_HEADER = re.compile(r"^[ \t]{0,40}(?:async[ \t]+)?def[ \t]+(\w{1,200})", re.MULTILINE)


def extract_answers(scenario_state: ScenarioState, extractor: Extractor) -> ScenarioState:
    """Return the scenario state with `extracted` set; completions, thinking and annotations stay as they are."""
    states = [_with_extracted(state, extractor) for state in scenario_state.request_states]
    return replace(scenario_state, request_states=states)


def _with_extracted(state: RequestState, extractor: Extractor) -> RequestState:
    result = state.result
    if not isinstance(result, RequestResult):
        return state
    question = get_question(state)
    return replace(state, extracted=[extractor.extract(completion.text, question) for completion in result.completions])


def without_extracted(scenario_state: ScenarioState) -> ScenarioState:
    """Return the scenario state as it was before answers were extracted."""
    states = [
        state if state.extracted is None else replace(state, extracted=None) for state in scenario_state.request_states
    ]
    return replace(scenario_state, request_states=states)


def for_metrics(scenario_state: ScenarioState, extractor: Extractor) -> ScenarioState:
    """Return what the metrics see: copies whose completions consist of the extracted answers, or of nothing.

    A letter is looked up among the labels as it is: the pattern of the adapter spec was made for whole completions.
    """
    adapter_spec = scenario_state.adapter_spec
    if isinstance(extractor, LetterExtractor) and adapter_spec.output_mapping_pattern is not None:
        adapter_spec = replace(adapter_spec, output_mapping_pattern=None)
    states = [_for_metrics(state, extractor) for state in scenario_state.request_states]
    return replace(scenario_state, adapter_spec=adapter_spec, request_states=states)


def _for_metrics(state: RequestState, extractor: Extractor) -> RequestState:
    result = state.result
    if state.extracted is None or not isinstance(result, RequestResult):
        return state
    question = get_question(state)
    completions = [
        replace(completion, text="" if answer is None else extractor.render(answer, question))
        for completion, answer in zip(result.completions, state.extracted, strict=True)
    ]
    return state.with_result(replace(result, completions=completions))


def get_question(state: RequestState) -> Question:
    """Return the facts of a question that an extractor may use: never which answer is correct."""
    return Question(state.output_mapping or {}, _get_entry_point(state))


def _get_entry_point(state: RequestState) -> str | None:
    """Return the name of the function to write: from the tests, else the last one that the question begins to define."""
    for reference in state.instance.references:
        tests: Any = getattr(reference, "test_cases", None)
        if isinstance(tests, Mapping) and isinstance(tests.get("entry_point"), str):
            return str(tests["entry_point"])
    extra = state.instance.extra_data
    if isinstance(extra, Mapping) and isinstance(extra.get("entry_point"), str):
        return str(extra["entry_point"])
    found = _HEADER.findall(state.instance.input.text or "")
    return found[-1] if found else None
