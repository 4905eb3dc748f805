"""The files behind the pages about single runs: `instances.json`, `display_predictions.json`, `display_requests.json`.

Most of the work of summarizing is here, because these are made from the two big files of a run. So only the fields
that are shown are read, one run is in memory at a time, and runs are shared out to processes.
"""

import json
import os
import re
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Sequence, Set, Tuple, Union

import msgspec
from msgspec import UNSET

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_LANGUAGE_MODELING,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
)  # fmt: skip
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.presentation.json_files import indent_json, write_if_changed
from helm.benchmark.presentation.run_files import (
    PER_INSTANCE_STATS_FILE,
    SCENARIO_STATE_FILE,
    PerturbationTable,
    Run,
    RunFileError,
    decode_json,
    read_bytes,
)  # fmt: skip
from helm.benchmark.presentation.schema import ALL_SPLITS_MATCHER, Schema, fill_matchers
from helm.benchmark.subjects import is_language_model_method
from helm.common.codec import asdict_without_nones
from helm.common.hierarchical_logger import hwarn

INSTANCES_FILE = "instances.json"
DISPLAY_PREDICTIONS_FILE = "display_predictions.json"
DISPLAY_REQUESTS_FILE = "display_requests.json"
DISPLAY_FILES = (INSTANCES_FILE, DISPLAY_PREDICTIONS_FILE, DISPLAY_REQUESTS_FILE)

_ALL_PERTURBATIONS = "__all__"
_MAX_OUTPUT_CHARACTERS = 4000
"""Outputs of AD tools are cut here: a page is for reading, the whole output stays in scenario_state.json."""


class _MetricName(msgspec.Struct, gc=False):
    name: str
    split: Optional[str] = None


class _Stat(msgspec.Struct, gc=False):
    name: _MetricName
    mean: Optional[float] = None


class _PerInstanceStats(msgspec.Struct):
    instance_id: str
    stats: List[_Stat]
    perturbation: Optional[Dict[str, Any]] = None
    train_trial_index: int = 0


_Unset = msgspec.UnsetType
_Media = Union[Dict[str, Any], None, _Unset]


class _Input(msgspec.Struct):
    text: str = ""
    multimedia_content: _Media = UNSET
    messages: Union[List[Dict[str, Any]], None, _Unset] = UNSET


class _Output(msgspec.Struct):
    text: str = ""
    multimedia_content: _Media = UNSET


class _Reference(msgspec.Struct):
    output: _Output
    tags: List[str] = []


class _Instance(msgspec.Struct):
    input: _Input
    references: List[_Reference] = []
    split: Union[str, None, _Unset] = UNSET
    sub_split: Union[str, None, _Unset] = UNSET
    id: Union[str, None, _Unset] = UNSET
    perturbation: Union[Dict[str, Any], None, _Unset] = UNSET
    contrast_inputs: Union[List[_Input], None, _Unset] = UNSET
    contrast_references: Union[List[List[_Reference]], None, _Unset] = UNSET
    extra_data: Union[Dict[str, Any], None, _Unset] = UNSET


class _ImageGenerationParameters(msgspec.Struct):
    output_image_width: Union[int, None, _Unset] = UNSET
    output_image_height: Union[int, None, _Unset] = UNSET
    guidance_scale: Union[float, None, _Unset] = UNSET
    diffusion_denoising_steps: Union[int, None, _Unset] = UNSET


class _Request(msgspec.Struct):
    """The fields of `helm.common.request.Request`; numbers of float fields are read as floats."""

    model_deployment: str = ""
    model: str = ""
    embedding: bool = False
    prompt: str = ""
    temperature: float = 1.0
    num_completions: int = 1
    top_k_per_token: int = 1
    max_tokens: int = 100
    stop_sequences: List[str] = []
    echo_prompt: bool = False
    top_p: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    random: Union[str, None, _Unset] = UNSET
    messages: Union[List[Dict[str, Any]], None, _Unset] = UNSET
    multimodal_prompt: _Media = UNSET
    image_generation_parameters: Union[_ImageGenerationParameters, None, _Unset] = UNSET
    response_format: Union[Dict[str, Any], None, _Unset] = UNSET


class _Token(msgspec.Struct, gc=False):
    text: str = ""


class _Thinking(msgspec.Struct):
    text: Optional[str] = None


class _Completion(msgspec.Struct):
    text: str
    tokens: List[_Token] = []
    multimodal_content: Optional[Dict[str, Any]] = None
    thinking: Optional[_Thinking] = None


class _Result(msgspec.Struct):
    success: bool = True
    completions: List[_Completion] = []
    error: Optional[str] = None


class _SubjectResult(msgspec.Struct):
    """What an AD tool or a compiler answered."""

    success: bool = False
    output: Any = None
    error: Optional[str] = None
    status: Optional[str] = None
    actions: Optional[List[str]] = None


class _AdapterSpec(msgspec.Struct):
    method: str = ""
    output_mapping_pattern: Optional[str] = None


class _AnyState(msgspec.Struct):
    instance: _Instance
    train_trial_index: int = 0
    reference_index: Optional[int] = None
    request_mode: Optional[str] = None
    output_mapping: Optional[Dict[str, str]] = None
    annotations: Optional[Dict[str, Any]] = None


class _State(_AnyState):
    request: _Request = msgspec.field(default_factory=_Request)
    result: Optional[_Result] = None


class _SubjectState(_AnyState):
    request: Dict[str, Any] = {}
    result: Optional[_SubjectResult] = None


class _AnyScenarioState(msgspec.Struct):
    adapter_spec: _AdapterSpec


class _ScenarioState(_AnyScenarioState):
    request_states: List[_State]


class _SubjectScenarioState(_AnyScenarioState):
    request_states: List[_SubjectState]


@dataclass(frozen=True)
class DisplayTask:
    """What is needed to write the display files of one run."""

    run_path: str

    method: str
    """The run's adaptation method."""

    metric_names: FrozenSet[str]
    """Metrics that are shown with each prediction."""


def read_instance_scores(path: str, metric: str, split: str) -> Dict[str, float]:
    """The mean of a metric for each unperturbed instance of a split, averaged over the trials.

    Raises: RunFileError; OSError when there is no such file.
    """
    found: Dict[str, List[float]] = {}
    for entry in decode_json(path, read_bytes(path), List[_PerInstanceStats]):
        for stat in entry.stats if entry.perturbation is None else []:
            fits = stat.name.name == metric and split in (stat.name.split, ALL_SPLITS_MATCHER)
            if fits and stat.mean is not None:
                found.setdefault(entry.instance_id, []).append(stat.mean)
    return {instance_id: sum(values) / len(values) for instance_id, values in found.items()}


def get_metric_names_from_schema(run: Run, schema: Schema) -> FrozenSet[str]:
    """Metrics of unperturbed instances that any of the run's groups shows."""
    names: Set[str] = set()
    for group_name in run.run_spec.groups:
        group = schema.name_to_run_group.get(group_name)
        for metric_group_name in group.metric_groups if group else []:
            metric_group = schema.name_to_metric_group.get(metric_group_name)
            if group is not None and metric_group is not None:
                matchers = fill_matchers(group, metric_group)
                names.update(m.name for m in matchers if m.perturbation_name in (None, _ALL_PERTURBATIONS))
    if run.run_spec.adapter_spec.method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS:
        names.add("predicted_index")
    return frozenset(names)


def create_display_task(run: Run, schema: Schema) -> DisplayTask:
    return DisplayTask(run.run_path, run.run_spec.adapter_spec.method, get_metric_names_from_schema(run, schema))


def needs_display_files(run_path: str, skip_completed: bool) -> bool:
    """False when the sources are missing, or when all three files are there and completed runs are to be skipped."""
    for name in (SCENARIO_STATE_FILE, PER_INSTANCE_STATS_FILE):
        if not os.path.isfile(os.path.join(run_path, name)):
            hwarn(f"{run_path} has no {name}; its display files are not written")
            return False
    return not (skip_completed and all(os.path.isfile(os.path.join(run_path, name)) for name in DISPLAY_FILES))


def write_run_display_json(task: DisplayTask) -> None:
    """Write the three display files of a run; files that would not change are left alone.

    Raises: RunFileError for a source file that is wrong, OSError for one that cannot be written.
    """
    display = _RunDisplay(task)
    contents: Dict[str, Sequence[msgspec.Struct]] = {
        INSTANCES_FILE: display.instances,
        DISPLAY_PREDICTIONS_FILE: display.predictions,
        DISPLAY_REQUESTS_FILE: display.requests,
    }
    for name, items in contents.items():
        write_if_changed(os.path.join(task.run_path, name), indent_json(_to_line(items, display.floats_are_plain)))


def _to_line(items: Sequence[msgspec.Struct], floats_are_plain: bool) -> str:
    """What `json.dumps` writes for the items, on one line.

    msgspec writes the same ten times faster, but for characters that are not ASCII and floats with an exponent.
    """
    if floats_are_plain:
        line = msgspec.json.encode(items)
        if line.isascii() and b"\x7f" not in line:
            return line.decode("ascii")
    return json.dumps(msgspec.to_builtins(items))


def _is_plain(value: Any) -> bool:
    """Whether Python and msgspec write a number alike: without an exponent."""
    return type(value) is not float or value == 0 or 1e-4 <= abs(value) < 1e16


class _DisplayRequest(msgspec.Struct):
    instance_id: Union[str, _Unset]
    perturbation: Union[Dict[str, Any], _Unset]
    train_trial_index: int
    request: Any


class _DisplayPrediction(msgspec.Struct):
    instance_id: Union[str, _Unset]
    perturbation: Union[Dict[str, Any], _Unset]
    train_trial_index: int
    predicted_text: str
    truncated_predicted_text: Union[str, _Unset] = UNSET
    base64_images: List[str] = []
    mapped_output: Union[str, _Unset] = UNSET
    reference_index: Union[int, _Unset] = UNSET
    stats: Dict[str, float] = {}
    annotations: Union[Dict[str, Any], _Unset] = UNSET
    thinking_text: Union[str, _Unset] = UNSET
    status: Union[str, _Unset] = UNSET
    """How an AD tool or a compiler failed; absent when it did not."""
    error: Union[str, _Unset] = UNSET
    """Why there is no answer; absent when there is one."""


def _or_unset(value: Optional[Any]) -> Any:
    return UNSET if value is None else value


_InstanceKey = Tuple[Optional[str], Optional[PerturbationDescription]]
_Key = Tuple[Optional[str], Optional[PerturbationDescription], int]


class _RunDisplay:
    """Reads a run's big files and makes the items of its display files."""

    def __init__(self, task: DisplayTask):
        self._task = task
        self._perturbations = PerturbationTable()
        self._perturbation_json: Dict[PerturbationDescription, Dict[str, Any]] = {}
        self._instances: Dict[_InstanceKey, _Instance] = {}
        self.predictions: List[_DisplayPrediction] = []
        self.requests: List[_DisplayRequest] = []
        self.floats_are_plain = True
        stats = self._read_stats()
        self._path = os.path.join(task.run_path, SCENARIO_STATE_FILE)
        data = read_bytes(self._path)
        is_subject = not is_language_model_method(task.method)
        state: Any = decode_json(self._path, data, _SubjectScenarioState if is_subject else _ScenarioState)
        if b"null" in data:
            _drop_nones(state)
        self._method: str = state.adapter_spec.method
        self._separate = self._method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS
        self._pattern = compile_pattern(state.adapter_spec.output_mapping_pattern, self._path)
        self.floats_are_plain &= not is_subject and b'"extra_data"' not in data and b'"annotations"' not in data
        for request_state in state.request_states:
            if request_state.result is not None:
                self._add(request_state, stats)

    @property
    def instances(self) -> List[_Instance]:
        return list(self._instances.values())

    def _read_stats(self) -> Dict[_Key, Dict[str, float]]:
        """Mean of each metric shown, by instance, perturbation and trial."""
        path = os.path.join(self._task.run_path, PER_INSTANCE_STATS_FILE)
        shown = self._task.metric_names
        table: Dict[_Key, Dict[str, float]] = {}
        for entry in decode_json(path, read_bytes(path), List[_PerInstanceStats]):
            perturbation = None if entry.perturbation is None else self._perturbations.get(entry.perturbation, path)
            values = table.setdefault((entry.instance_id, perturbation, entry.train_trial_index), {})
            for stat in entry.stats:
                name = stat.name.name
                if name in shown and stat.mean is not None:
                    values[name] = stat.mean
            if self.floats_are_plain and not all(map(_is_plain, values.values())):
                self.floats_are_plain = False
        return table

    def _add(self, state: Any, all_stats: Mapping[_Key, Dict[str, float]]) -> None:
        instance, perturbation = state.instance, None
        if instance.perturbation is not UNSET:
            perturbation = self._perturbations.get(instance.perturbation, self._path)
            instance.perturbation = self._to_json(perturbation)
        # The page shows each instance once; the last one of that id and perturbation counts.
        self._instances[(instance.id, perturbation)] = instance
        if self._method == ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED and state.request_mode == "calibration":
            return
        stats = all_stats.get((instance.id, perturbation, state.train_trial_index), {})
        if self._separate and "predicted_index" in stats and state.reference_index != stats["predicted_index"]:
            return
        prediction = _DisplayPrediction(instance.id, instance.perturbation, state.train_trial_index, "", stats=stats)
        if state.annotations is not None:
            prediction.annotations = state.annotations
        if isinstance(state, _SubjectState):
            _describe_subject_result(state, prediction)
        else:
            self._describe_completion(state, prediction)
        self.predictions.append(prediction)
        self.requests.append(
            _DisplayRequest(instance.id, instance.perturbation, state.train_trial_index, state.request)
        )

    def _describe_completion(self, state: _State, prediction: _DisplayPrediction) -> None:
        assert state.result is not None  # _add is called for states with results only
        completions = state.result.completions
        if completions:
            prediction.predicted_text = text = _completion_text(completions[0])
            prediction.truncated_predicted_text = self._truncate(text, state)
            if state.output_mapping is not None:
                prediction.mapped_output = _or_unset(map_output(text, state.output_mapping, self._pattern))
            thinking = completions[0].thinking
            if thinking is not None:
                prediction.thinking_text = _or_unset(thinking.text)
        if state.reference_index is not None:
            prediction.reference_index = state.reference_index
        if not state.result.success or not completions:
            prediction.error = state.result.error or "The model gave no completion."

    def _truncate(self, text: str, state: _State) -> Union[str, _Unset]:
        """The text without what the prompt already gave: the input, or the token that only starts the sequence."""
        prefix = ""
        if self._separate:
            prefix = state.instance.input.text
        elif self._method == ADAPT_LANGUAGE_MODELING and state.result and state.result.completions:
            tokens = state.result.completions[0].tokens
            prefix = tokens[0].text if tokens else ""
        return text[len(prefix) :] if prefix and text.startswith(prefix) else UNSET

    def _to_json(self, perturbation: PerturbationDescription) -> Dict[str, Any]:
        if perturbation not in self._perturbation_json:
            data = self._perturbation_json[perturbation] = asdict_without_nones(perturbation)
            self.floats_are_plain &= all(map(_is_plain, data.values()))
        return self._perturbation_json[perturbation]


def map_output(text: str, output_mapping: Mapping[str, str], pattern: Optional["re.Pattern[str]"]) -> Optional[str]:
    """The text of the reference that a label stands for; None where it stands for none.

    Args:
        pattern: finds the label in the text; None: all of the text, stripped, is the label.
    """
    label = text.strip()
    if pattern is not None:
        match = pattern.search(label)
        label = "" if match is None else (match.group(1) or "") if match.re.groups else match.group(0)
    return output_mapping.get(label)


def _drop_nones(value: Any) -> None:
    """Fields that may be left out and are null in the file are left out; HELM itself never writes them."""
    if isinstance(value, list):
        for item in value:
            _drop_nones(item)
    elif isinstance(
        value,
        (_Input, _Output, _Reference, _Instance, _Request, _ImageGenerationParameters, _AnyState, _AnyScenarioState),
    ):
        for f in msgspec.structs.fields(value):
            item = getattr(value, f.name)
            if item is None and f.default is UNSET:
                setattr(value, f.name, UNSET)
            else:
                _drop_nones(item)


def compile_pattern(pattern: Optional[str], path: str) -> Optional["re.Pattern[str]"]:
    if pattern is None:
        return None
    try:
        return re.compile(pattern)
    except re.error as e:
        raise RunFileError(f"{path}: $.adapter_spec.output_mapping_pattern is no regular expression: {e}.") from e


def _completion_text(completion: _Completion) -> str:
    """The text, behind the texts among multimodal content."""
    content = completion.multimodal_content
    if not content or not isinstance(content.get("media_objects"), list):
        return completion.text
    objects = [item for item in content["media_objects"] if isinstance(item, dict)]
    texts = [item["text"] for item in objects if isinstance(item.get("text"), str)]
    return " ".join(texts + ([completion.text] if completion.text else []))


def _describe_subject_result(state: _SubjectState, prediction: _DisplayPrediction) -> None:
    """What an AD tool or a compiler answered, as text; what it could not do is told apart in `status` and `error`."""
    result = state.result
    assert result is not None  # _add is called for states with results only
    if not result.success:
        prediction.status = result.status or "error"
        prediction.error = result.error or prediction.status
        return
    text = " ".join(result.actions) if result.actions is not None else json.dumps(result.output)
    if len(text) > _MAX_OUTPUT_CHARACTERS:
        text = f"{text[:_MAX_OUTPUT_CHARACTERS]} ... ({len(text)} characters)"
    prediction.predicted_text = text
