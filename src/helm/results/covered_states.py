"""Request states as files hold them, with only what coverage is counted from: so that a run of any size can be counted.

They have the attributes of `RequestState` and its parts that `CoverageCounter` asks for, and no others.
"""

import hashlib
from typing import Any, Dict, Iterator, List, Optional, Tuple

import msgspec

from helm.benchmark.scenarios.scenario import CORRECT_TAG
from helm.results.json_items import JsonItems


class _Output(msgspec.Struct, gc=False):
    text: str = ""


class _Reference(msgspec.Struct, gc=False):
    output: _Output
    tags: List[str]

    @property
    def is_correct(self) -> bool:
        return CORRECT_TAG in self.tags


class _Instance(msgspec.Struct):
    references: List[_Reference]


class CoveredRequest(msgspec.Struct):
    """Of a request to a language model."""

    max_tokens: Optional[int] = None
    echo_prompt: bool = False


class _Token(msgspec.Struct, gc=False):
    text: str


class _Completion(msgspec.Struct):
    text: str
    tokens: List[_Token] = []
    finish_reason: Optional[Dict[str, Any]] = None
    multimodal_content: Any = None


class CoveredAnswer(msgspec.Struct):
    """Of what a language model answered."""

    success: bool
    completions: List[_Completion]
    embedding: List[float]
    error: Optional[str] = None
    outcome: Optional[str] = None


class _Measured(msgspec.Struct):
    """Of what an AD tool or a compiler did."""

    success: bool
    status: str


class _State(msgspec.Struct, kw_only=True):
    raw_instance: msgspec.Raw = msgspec.field(name="instance")
    prompt_truncated: bool = False
    reference_index: Optional[int] = None
    annotations: Any = None

    @property
    def instance(self) -> _Instance:
        return msgspec.json.decode(self.raw_instance, type=_Instance)


class _AnsweredState(_State, kw_only=True):
    request: CoveredRequest
    result: Optional[CoveredAnswer] = None


class _MeasuredState(_State, kw_only=True):
    result: Optional[_Measured] = None


def iterate_covered_states(path: str, is_model: bool) -> Iterator[Tuple[bytes, Any]]:
    """States of a `scenario_state.json` in order, each with a digest of its instance: equal for equal instances.

    Args:
        is_model: of a language model, whose results are completions.
    Raises: RunFileError for whatever is not in the form and the layout that this program writes; OSError.
    """
    item_type = _AnsweredState if is_model else _MeasuredState
    for state in JsonItems(path, "request_states", item_type=item_type):
        yield hashlib.blake2b(state.raw_instance, digest_size=16).digest(), state
