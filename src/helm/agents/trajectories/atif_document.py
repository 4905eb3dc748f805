"""The Agent Trajectory Interchange Format, versions 1.0 to 1.8: its structure and its rules."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import msgspec

from helm.common.errors import HelmError

VERSION = "ATIF-v1.8"
_VERSIONS = tuple(f"ATIF-v1.{number}" for number in range(9))
_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_MOST_NESTED = 20


class TrajectoryError(HelmError):
    """A document is no trajectory; the message names the place, and says what was expected."""


class _Strict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An object whose keys are all known."""


class Source(_Strict):
    """A file beside the document."""

    media_type: str
    path: str


class TextPart(_Strict, tag_field="type", tag="text"):
    """A part of a message that is text."""

    text: str


class ImagePart(_Strict, tag_field="type", tag="image"):
    """A part of a message that is an image."""

    source: Source


class AudioPart(_Strict, tag_field="type", tag="audio"):
    """A part of a message that is sound."""

    source: Source


Content = str | list[TextPart | ImagePart | AudioPart]


class AgentInfo(_Strict):
    """The program that acted."""

    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None


class ToolCall(_Strict):
    """A call of a tool."""

    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: dict[str, Any] | None = None


class TrajectoryRef(_Strict):
    """Names the trajectory of an agent that this one has called."""

    trajectory_id: str | None = None
    session_id: str | None = None
    trajectory_path: str | None = None
    extra: dict[str, Any] | None = None


class ObservationResult(_Strict):
    """A result of a tool, or what was seen without a call."""

    source_call_id: str | None = None
    content: Content | None = None
    subagent_trajectory_ref: list[TrajectoryRef] | None = None
    extra: dict[str, Any] | None = None


class Observation(_Strict):
    """What the agent saw after a step."""

    results: list[ObservationResult]


class Metrics(_Strict):
    """The use of the model in a step; cached tokens are part of the prompt."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    prompt_token_ids: list[int] | None = None
    completion_token_ids: list[int] | None = None
    logprobs: list[float] | None = None
    extra: dict[str, Any] | None = None


class Step(_Strict):
    """A message, or what the agent said and did."""

    step_id: Annotated[int, msgspec.Meta(ge=1)]
    source: str
    message: Content
    timestamp: str | None = None
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    reasoning_content: str | None = None
    tool_calls: list[ToolCall] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: Annotated[int, msgspec.Meta(ge=0)] | None = None
    extra: dict[str, Any] | None = None


class FinalMetrics(_Strict):
    """Sums over the trajectory."""

    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: Annotated[int, msgspec.Meta(ge=0)] | None = None
    extra: dict[str, Any] | None = None


class Trajectory(_Strict):
    """A whole document."""

    agent: AgentInfo
    steps: Annotated[list[Step], msgspec.Meta(min_length=1)]
    schema_version: str = VERSION
    session_id: str | None = None
    trajectory_id: str | None = None
    notes: str | None = None
    final_metrics: FinalMetrics | None = None
    continued_trajectory_ref: str | None = None
    extra: dict[str, Any] | None = None
    subagent_trajectories: list["Trajectory"] | None = None


_AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def read_trajectory(document: Any) -> Trajectory:
    """Return a parsed JSON document as a trajectory. Raises: TrajectoryError."""
    try:
        found = msgspec.convert(document, Trajectory)
    except (msgspec.ValidationError, RecursionError) as e:
        raise TrajectoryError(str(e)) from e
    problem = next(_problems(found), None)
    if problem is not None:
        raise TrajectoryError(problem)
    return found


def _problems(trajectory: Trajectory, depth: int = 0) -> Iterator[str]:
    if trajectory.schema_version not in _VERSIONS:
        yield f"schema_version: expected {_VERSIONS[0]} to {_VERSIONS[-1]}, not {trajectory.schema_version!r:.80}"
    for number, step in enumerate(trajectory.steps, 1):
        if step.step_id != number:
            yield f"steps.{number - 1}.step_id: expected {number}, not {step.step_id}"
        for problem in _step_problems(step):
            yield f"steps.{number - 1}: {problem}"
    inner = trajectory.subagent_trajectories or []
    ids = [one.trajectory_id for one in inner]
    if None in ids or len(set(ids)) < len(ids):
        yield "subagent_trajectories: each needs a trajectory_id of its own"
    if inner and depth >= _MOST_NESTED:
        yield f"subagent_trajectories: more than {_MOST_NESTED} levels"
        return
    for number, one in enumerate(inner):
        for problem in _problems(one, depth + 1):
            yield f"subagent_trajectories.{number}.{problem}"


def _step_problems(step: Step) -> Iterator[str]:
    if step.source not in ("system", "user", "agent"):
        yield f"source: expected system, user or agent, not {step.source!r:.80}"
    if step.source != "agent":
        for name in _AGENT_ONLY:
            if getattr(step, name) is not None:
                yield f"{name} is for steps of the agent"
    if step.llm_call_count == 0 and (step.metrics is not None or step.reasoning_content is not None):
        yield "without a call of the model (llm_call_count 0) there are no metrics and no reasoning_content"
    if step.timestamp is not None:
        try:
            datetime.fromisoformat(step.timestamp)
        except ValueError:
            yield f"timestamp: expected a date in ISO format, not {step.timestamp!r:.80}"
    yield from _content_problems(step.message)
    calls = {call.tool_call_id for call in step.tool_calls or []}
    for result in step.observation.results if step.observation is not None else []:
        if result.source_call_id is not None and result.source_call_id not in calls:
            yield f"observation: {result.source_call_id!r:.80} is no call of this step"
        if any(
            ref.trajectory_id is None and ref.trajectory_path is None for ref in result.subagent_trajectory_ref or []
        ):
            yield "subagent_trajectory_ref: expected a trajectory_id or a trajectory_path"
        yield from _content_problems(result.content)


def _content_problems(content: Content | None) -> Iterator[str]:
    for part in content if isinstance(content, list) else []:
        if isinstance(part, ImagePart) and part.source.media_type not in _IMAGES:
            yield f"image: expected {', '.join(_IMAGES)}, not {part.source.media_type!r:.80}"
        if isinstance(part, AudioPart) and not part.source.media_type.startswith("audio/"):
            yield f"audio: expected audio/..., not {part.source.media_type!r:.80}"
