"""Request states from files with only the fields needed for coverage, so that a run of any size can be counted.

They have the attributes of `RequestState` and its parts that `CoverageCounter` uses, and no others.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Instance, Output, Reference
from helm.common.agent_request import AgentResult
from helm.common.episode_request import EpisodeResult
from helm.common.evaluate_request import EvaluateResult
from helm.common.request import GeneratedOutput, Request, RequestResult, Token
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_schema import project

_Output = project(Output, "text")
_ReferenceFields: Any = project(Reference, "tags", output=_Output)


class _Reference(_ReferenceFields):
    @property
    def is_correct(self) -> bool:
        return CORRECT_TAG in self.tags


_Instance = project(Instance, references=_Reference)
CoveredRequest = project(Request, "max_tokens", "echo_prompt")
_Token = project(Token, "text")
_Completion = project(GeneratedOutput, "text", "finish_reason", tokens=(_Token, list), multimodal_content=(Any, None))
CoveredAnswer = project(RequestResult, "success", "embedding", "error", "outcome", completions=_Completion)
_Measured = project(
    EvaluateResult | EpisodeResult | AgentResult, "success", status=(str | None, None), outcome=(str | None, None)
)
"""The results of AD tools, compilers and agents."""


def _decode_instance(state: Any) -> Any:
    return msgspec.json.decode(state.raw_instance, type=_Instance)


_COUNTED = {"prompt_truncated": (bool, False), "annotations": (Any, None)}
_AnsweredStateFields: Any = project(
    RequestState, "reference_index", **_COUNTED, request=CoveredRequest, result=CoveredAnswer
)


class _AnsweredState(_AnsweredStateFields, kw_only=True):  # type: ignore[call-arg]
    raw_instance: msgspec.Raw = msgspec.field(name="instance")
    instance = property(_decode_instance)


_MeasuredStateFields: Any = project(RequestState, "reference_index", **_COUNTED, result=_Measured)


class _MeasuredState(_MeasuredStateFields, kw_only=True):  # type: ignore[call-arg]
    raw_instance: msgspec.Raw = msgspec.field(name="instance")
    instance = property(_decode_instance)


def iterate_covered_states(path: str, is_model: bool) -> Iterator[tuple[bytes, Any]]:
    """Yield the states of a `scenario_state.json` in order, each with a digest that is equal for equal instances.

    Args:
        is_model: whether the run is of a language model, whose results are completions.

    Raises:
        RunFileError: The file differs from the format and layout that this program writes.
        OSError: The file cannot be read.
    """
    item_type = _AnsweredState if is_model else _MeasuredState
    for state in JsonItems(path, "request_states", item_type=item_type):
        yield hashlib.blake2b(state.raw_instance, digest_size=16).digest(), state
