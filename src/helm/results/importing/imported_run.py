"""What a reader of a foreign format yields: runs, with their samples one at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference
from helm.common.errors import HelmError
from helm.common.request import GeneratedOutput, Request, RequestResult


class LogError(HelmError):
    """A log cannot be imported; the message names the file and the place, and says what was expected."""


PREDICTED_INDEX = "predicted_index"
"""The metric that says which choice was the most likely one, which pages of instances show."""


@dataclass(frozen=True)
class ImportedMetricFacts:
    """What a log says about a score."""

    lower_is_better: bool | None = None

    unit: str | None = None


@dataclass
class ImportedSample:
    """An instance in one trial, with its requests and scores."""

    states: list[RequestState]
    """The requests, which share one instance; at least one."""

    scores: dict[str, float]
    """The scores by metric. A sample without any was not scored, for example because it failed."""

    @property
    def instance(self) -> Instance:
        return self.states[0].instance

    @property
    def trial(self) -> int:
        return self.states[0].train_trial_index


@dataclass
class ImportedRun:
    """A run in a foreign log: one task with one model."""

    source: str
    """The program: `inspect_ai`, `lm_eval`, `openai_evals` or `every_eval_ever`."""

    identity: str
    """Identifies the log: importing the same one again replaces the run."""

    task: str

    model: str

    adapter_spec: AdapterSpec

    open_samples: Callable[[], Iterator[ImportedSample]]
    """Reads the samples anew at each call, holding only one at a time. May raise HelmError or OSError."""

    task_args: dict[str, Any] = field(default_factory=dict)
    """The arguments of the task that were given, which become part of the run's name."""

    details: dict[str, Any] = field(default_factory=dict)
    """Further arguments for `ImportedScenario`: plain JSON values that should be equal in runs of the same task."""

    origin: dict[str, Any] = field(default_factory=dict)
    """What the log says about itself, for `scenario.json`."""

    metrics: dict[str, ImportedMetricFacts] = field(default_factory=dict)
    """Facts about the scores that the log announces, in its order. Samples may have further ones."""

    main_metric: str | None = None

    stated: dict[str, float] = field(default_factory=dict)
    """The means that the log states, by metric, which those of the samples are compared with."""

    aggregates: dict[str, float] = field(default_factory=dict)
    """The scores that are not means over the samples, by metric, as stated in the log."""

    num_planned: int | None = None
    """The number of samples that should be in the log; None if it does not say."""

    notes: list[str] = field(default_factory=list)
    """Remarks for the user, such as that the log is unfinished. Reading the samples may add some."""


def make_adapter_spec(method: str, model: str, **known: Any) -> AdapterSpec:
    """Return an adapter spec that adds nothing to prompts; `known` has what the log says about other fields."""
    blank: dict[str, Any] = dict.fromkeys(
        "input_prefix input_suffix reference_prefix reference_suffix chain_of_thought_suffix output_prefix output_suffix "
        "instance_prefix".split(),
        "",
    )
    values: dict[str, Any] = {"max_train_instances": 0, "num_outputs": 1, **known}
    return AdapterSpec(method=method, model=model, model_deployment=model, **blank, **values)


def make_request(adapter_spec: AdapterSpec, **known: Any) -> Request:
    """Return a request with the settings of the adapter spec; `known` has the prompt and further fields."""
    settings: dict[str, Any] = {
        "model": adapter_spec.model,
        "model_deployment": adapter_spec.model_deployment,
        "temperature": adapter_spec.temperature,
        "max_tokens": adapter_spec.max_tokens,
        "stop_sequences": adapter_spec.stop_sequences,
    }
    return Request(**{**settings, **known})


def make_result(completions: list[GeneratedOutput], error: str | None = None, **known: Any) -> RequestResult:
    """Return the result of a request that failed if there is an error."""
    return RequestResult(
        success=error is None, embedding=[], completions=completions, cached=False, error=error, **known
    )


def make_state(
    instance: Instance,
    request: Request,
    result: RequestResult | None,
    trial: int = 0,
    reference_index: int | None = None,
    request_mode: str | None = None,
    num_train_instances: int = 0,
    annotations: dict[str, Any] | None = None,
) -> RequestState:
    """Return the state of a request in an imported run."""
    return RequestState(
        instance=instance,
        reference_index=reference_index,
        request_mode=request_mode,
        train_trial_index=trial,
        output_mapping=None,
        request=request,
        result=result,
        num_train_instances=num_train_instances,
        prompt_truncated=False,
        annotations=annotations or None,
    )


def make_instance(
    instance_id: str,
    text: str,
    correct: list[str],
    choices: list[str] | None = None,
    messages: list[dict[str, str]] | None = None,
    extra_data: dict[str, Any] | None = None,
    correct_indices: set[int] | None = None,
) -> Instance:
    """Return an instance of the test split.

    Args:
        instance_id: its id.
        text: the input.
        correct: the correct answers.
        choices: all answers to choose from; None for open questions, whose references are the correct answers.
        messages: the input as a chat, if it is one.
        extra_data: further JSON values.
        correct_indices: the positions of the correct choices; None takes those whose text is in `correct`.
    """
    if choices:
        right = correct_indices if correct_indices is not None else {i for i, c in enumerate(choices) if c in correct}
        references = [Reference(Output(c), [CORRECT_TAG] if i in right else []) for i, c in enumerate(choices)]
    else:
        references = [Reference(Output(text), [CORRECT_TAG]) for text in correct]
    return Instance(
        input=Input(text=text, messages=messages),
        references=references,
        split=TEST_SPLIT,
        id=instance_id,
        extra_data=extra_data or None,
    )


# --- reading values that may be anything --------------------------------------------------------------------------------


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return a text as it is, None as the empty text, and other JSON values as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    import json

    return json.dumps(value, ensure_ascii=False)


def as_number(value: Any) -> float | int | None:
    """Return the value if it is a number or a truth value (1 or 0), else None."""
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, (int, float)) else None


def as_int(value: Any) -> int | None:
    """Return the value if it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_time(value: Any) -> int | None:
    """Return a date in ISO format, or a number of seconds, as whole seconds since 1970; None if it is neither."""
    number = as_number(value)
    if number is not None:
        return int(number) if abs(number) < 1e12 else None
    if not isinstance(value, str):
        return None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
