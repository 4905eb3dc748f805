"""A request together with everything known about it."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.subjects import subject_kinds
from helm.common.codec import JsonList
from helm.common.general import changed_copy, format_text, indent_lines
from helm.common.object_spec import get_class_by_name

if TYPE_CHECKING:
    from helm.common.agent_request import AgentRequest, AgentResult
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.common.evaluate_request import EvaluateRequest, EvaluateResult
    from helm.common.request import Request, RequestResult
    from helm.common.spooled_values import SpooledValues

    AnyRequest = Request | EvaluateRequest | EpisodeRequest | AgentRequest
    AnyResult = RequestResult | EvaluateResult | EpisodeResult | AgentResult
else:
    AnyRequest = reduce(or_, (get_class_by_name(kind.request_type) for kind in subject_kinds()))
    AnyResult = reduce(or_, (get_class_by_name(kind.result_type) for kind in subject_kinds()))


@dataclass(frozen=True)
class RequestState:
    """One separately measurable unit: a completion, an evaluation by an AD tool, an episode with a compiler or an agent."""

    instance: Instance

    reference_index: int | None
    """Index of the reference that the request is about, for methods with one request per reference."""

    request_mode: str | None
    """`original` or `calibration`, for methods with one request per reference."""

    train_trial_index: int
    """Index of the draw of in-context examples."""

    output_mapping: dict[str, str] | None
    """For joint multiple choice: maps label to text of the reference."""

    request: AnyRequest

    result: AnyResult | None
    """This is None until the executor has filled it in."""

    num_train_instances: int
    """Number of in-context examples left in the prompt."""

    prompt_truncated: bool

    num_conditioning_tokens: int = 0
    """Number of leading tokens that only provide context, for language modeling."""

    annotations: dict[str, Any] | None = None
    """Maps annotator name to its data."""

    extracted: list[str | None] | None = None
    """For each completion, the answer that the extractor of the run spec has found in it, or None. The field is None, and
    not written, in a run without extractor."""

    epoch: int | None = None
    """The number of the epoch, from 1 on. None, which is not written, in a run without epochs."""

    def __post_init__(self) -> None:
        if self.request_mode:
            assert self.request_mode in ("original", "calibration"), f"Invalid request_mode: {self.request_mode}"

    def with_result(self, result: AnyResult) -> "RequestState":
        """Return the same state with a result."""
        return changed_copy(self, result=result)

    def render_lines(self) -> list[str]:
        lines = [f"train_trial_index: {self.train_trial_index}"]
        if self.reference_index is not None:
            lines.append(f"reference_index: {self.reference_index}")
        lines.append("instance {")
        lines.extend(indent_lines(self.instance.render_lines()))
        lines.append("}")
        text = getattr(self.request, "text", None)
        if text is not None:
            lines.append("request.prompt {")
            lines.extend(indent_lines(text.split("\n")))
            lines.append("}")
        for completion in getattr(self.result, "completions", None) or []:
            lines.append(f"completion: {format_text(completion.text)}")
        return lines


def new_request_state(
    instance: Instance,
    request: AnyRequest,
    reference_index: int | None = None,
    request_mode: str | None = None,
    train_trial_index: int = 0,
    output_mapping: dict[str, str] | None = None,
    result: AnyResult | None = None,
    num_train_instances: int = 0,
    prompt_truncated: bool = False,
    **overrides: Any,
) -> RequestState:
    """Create a request state without result; fields that only language models have get neutral values unless given."""
    return RequestState(
        instance,
        reference_index,
        request_mode,
        train_trial_index,
        output_mapping,
        request,
        result,
        num_train_instances,
        prompt_truncated,
        **overrides,
    )


class StateFile(JsonList, Sequence[RequestState]):
    """A sequence of request states that are in a file; see `SpooledStates`, which is loaded only by runs that need it."""

    @abstractmethod
    def new_results(self) -> "SpooledValues[Any]":
        """Return a place for results by number of the request, to be given to `with_results`."""

    @abstractmethod
    def with_results(self, results: "SpooledValues[Any]") -> "StateFile":
        """Return the states with other results."""

    @abstractmethod
    def chosen(self, positions: Iterable[int]) -> "StateFile":
        """Return the states at some positions."""

    @abstractmethod
    def instance_numbers(self) -> Iterator[int]:
        """Yield for each state a number that is the same for states of one instance."""

    @abstractmethod
    def requests(self) -> Iterator[AnyRequest]:
        """Yield the requests, for which neither instances nor results are read."""

    @abstractmethod
    def instances(self) -> Iterator[Instance]:
        """Yield the instance of each state, for which neither requests nor results are read."""
