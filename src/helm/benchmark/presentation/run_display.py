"""Writes the files for the pages of single runs: `instances.json`, `display_predictions.json`, `display_requests.json`.

This is most of the work of summarizing, because they are derived from the two large files of a run. So only the fields
to be shown are read, one run at a time is in memory, and runs are distributed over processes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_LANGUAGE_MODELING,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
    AdapterSpec,
)
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.benchmark.subjects import is_language_model_method
from helm.common.codec import SCALAR_WRITERS, asdict_without_nones, quote
from helm.common.episode_request import EpisodeResult
from helm.common.evaluate_request import EvaluateResult
from helm.common.hierarchical_logger import hwarn
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.request import GeneratedOutput, Request, RequestResult, Thinking, Token
from helm.results.interval_file import needs_intervals
from helm.results.metric_names import IMPORTED_SCENARIO, split_epoch_value_name
from helm.results.output_mapping import compile_pattern, map_answer
from helm.results.run_files.compressed_files import write_run_file_if_changed
from helm.results.run_files.json_files import indent_json
from helm.results.run_files.json_items import decode_json, read_bytes, read_json_list
from helm.results.run_files.run_folder import (
    DISPLAY_FILE_NAMES,
    DISPLAY_PREDICTIONS_FILE_NAME,
    DISPLAY_REQUESTS_FILE_NAME,
    INSTANCES_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    RunFileError,
    has_file,
    stored_path,
)
from helm.results.run_files.run_reader import PerturbationTable, Run
from helm.results.run_files.run_schema import drop_nones, mirror, project
from helm.results.schema import ALL_PERTURBATIONS_MATCHER, ALL_SPLITS_MATCHER, Schema, fill_matchers

if TYPE_CHECKING:
    from helm.results.scores import IntervalsWriter

_MAX_OUTPUT_CHARACTERS = 4000
"""Outputs of AD tools are truncated to this length: a page is for reading; scenario_state.json has the whole output."""

_MetricName = project(MetricName, "name", "split", "sub_split")
_Stat = project(Stat, "mean", name=_MetricName)
_PerInstanceStats = project(PerInstanceStats, "instance_id", "perturbation", train_trial_index=(int, 0), stats=_Stat)

_Messages = list[dict[str, Any]] | None
"""Message fields whose contents may be lists of parts."""

_Input = mirror(Input, messages=_Messages)
_Output = mirror(Output)
_Reference = mirror(Reference, output=_Output, tags=(list[str], list))
_Instance = mirror(
    Instance, input=_Input, references=(_Reference, list), contrast_inputs=_Input, contrast_references=_Reference
)

_ImageGenerationParameters = mirror(ImageGenerationParameters)
_Request = mirror(Request, messages=_Messages, image_generation_parameters=_ImageGenerationParameters)
"""Type of float fields whose numbers are read as floats."""

_Token = project(Token, text=(str, ""))
_Thinking = project(Thinking, "text")
_Completion = project(GeneratedOutput, "text", "multimodal_content", tokens=(_Token, list), thinking=_Thinking)
_Result = project(RequestResult, "error", success=(bool, True), completions=(_Completion, list))
_SubjectResult = project(
    EvaluateResult | EpisodeResult,
    "success",
    "output",
    "error",
    status=(str | None, None),
    actions=(list[str] | None, None),
)
"""The response of an AD tool or a compiler."""

_AdapterSpec = project(AdapterSpec, "output_mapping_pattern", method=(str, ""))

_STATE_FIELDS = ("reference_index", "request_mode", "output_mapping", "annotations", "extracted", "epoch")
_State = project(
    RequestState,
    *_STATE_FIELDS,
    instance=_Instance,
    train_trial_index=(int, 0),
    request=(_Request, _Request),
    result=_Result,
)

_SubjectState = project(
    RequestState,
    *_STATE_FIELDS,
    instance=_Instance,
    train_trial_index=(int, 0),
    request=(dict[str, Any], dict),
    result=_SubjectResult,
)

_ScenarioState = project(ScenarioState, adapter_spec=_AdapterSpec, request_states=_State)
_SubjectScenarioState = project(ScenarioState, adapter_spec=_AdapterSpec, request_states=_SubjectState)


@dataclass(frozen=True, slots=True)
class DisplayTask:
    """What is needed to write the display files of one run."""

    run_path: str

    method: str
    """The run's adaptation method."""

    metric_names: frozenset[str]
    """Metrics shown with each prediction."""

    writes_intervals: bool = False
    """Whether `intervals.json` is written, too, if it is not up to date: both are made from the same files."""


def read_instance_scores(path: str, metric: str, split: str) -> dict[str, float]:
    """Return a metric's mean over trials for each unperturbed instance of a split.

    Raises: RunFileError; OSError when there is no such file.
    """
    found: dict[str, list[float]] = {}
    for entry in read_json_list(path, _PerInstanceStats):
        for stat in entry.stats if entry.perturbation is None else []:
            fits = stat.name.name == metric and split in (stat.name.split, ALL_SPLITS_MATCHER)
            if fits and stat.mean is not None:
                found.setdefault(entry.instance_id, []).append(stat.mean)
    return {instance_id: sum(values) / len(values) for instance_id, values in found.items()}


def get_metric_names_from_schema(run: Run, schema: Schema) -> frozenset[str]:
    """Return the metrics of unperturbed instances that any of the run's groups shows; all of an imported run."""
    names: set[str] = set()
    for group_name in run.run_spec.groups:
        group = schema.name_to_run_group.get(group_name)
        for metric_group_name in group.metric_groups if group else []:
            metric_group = schema.name_to_metric_group.get(metric_group_name)
            if group is not None and metric_group is not None:
                matchers = fill_matchers(group, metric_group)
                names.update(m.name for m in matchers if m.perturbation_name in (None, ALL_PERTURBATIONS_MATCHER))
    if run.run_spec.adapter_spec.method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS:
        names.add("predicted_index")
    if run.run_spec.scenario_spec.class_name == IMPORTED_SCENARIO:
        names.update(str(spec.args.get("name")) for spec in run.run_spec.metric_specs)
    return frozenset(names)


def create_display_task(run: Run, schema: Schema, writes_intervals: bool = False) -> DisplayTask:
    names = get_metric_names_from_schema(run, schema)
    return DisplayTask(run.run_path, run.run_spec.adapter_spec.method, names, writes_intervals)


def needs_display_files(run_path: str, skip_completed: bool) -> bool:
    """False if the sources are missing, or if all three files exist and completed runs are to be skipped."""
    for name in (SCENARIO_STATE_FILE_NAME, PER_INSTANCE_STATS_FILE_NAME):
        if not has_file(run_path, name):
            hwarn(f"{run_path} has no {name}; its display files are not written")
            return False
    return not (skip_completed and all(has_file(run_path, name) for name in DISPLAY_FILE_NAMES))


def write_run_display_json(task: DisplayTask) -> None:
    """Write the three display files of a run; files that would not change are left alone.

    Raises: RunFileError for a source file that is wrong, OSError for one that cannot be written.
    """
    display = _RunDisplay(task)
    if not display.floats_are_plain:
        for prediction in display.predictions:
            prediction.stats = {name: _to_float(value) for name, value in prediction.stats.items()}
    contents: dict[str, Sequence[msgspec.Struct]] = {
        INSTANCES_FILE_NAME: display.instances,
        DISPLAY_PREDICTIONS_FILE_NAME: display.predictions,
        DISPLAY_REQUESTS_FILE_NAME: display.requests,
    }
    for name, items in contents.items():
        write_run_file_if_changed(task.run_path, name, indent_json(_to_line(items, display.floats_are_plain)))
    if display.intervals is not None:
        display.intervals.write()


def _to_line(items: Sequence[msgspec.Struct], floats_are_plain: bool) -> str:
    """Return what `json.dumps` writes for the items, on one line.

    msgspec is ten times faster, but writes floats with an exponent differently, and characters beyond ASCII as they are.
    """
    if not floats_are_plain:
        return json.dumps(msgspec.to_builtins(items))
    line = msgspec.json.encode(items).decode()
    return line if line.isascii() and "\x7f" not in line else _BEYOND_ASCII.sub(_escape, line)


_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]+")


def _escape(match: "re.Match[str]") -> str:
    return quote(match[0])[1:-1]


def _is_plain(value: Any) -> bool:
    """Whether Python and msgspec write a number identically, that is, without an exponent."""
    return type(value) is not float or value == 0 or 1e-4 <= abs(value) < 1e16


def _to_number(value: Any) -> Any:
    """Return what msgspec writes as Python writes a number: its text, if that may have an exponent."""
    if _is_plain(value):
        return value
    return msgspec.Raw(SCALAR_WRITERS[float](value).encode())


def _to_float(value: Any) -> Any:
    """Undo `_to_number`."""
    return float(bytes(value)) if isinstance(value, msgspec.Raw) else value


class DisplayRequest(msgspec.Struct):
    """An item of `display_requests.json`."""

    instance_id: str | UnsetType
    perturbation: dict[str, Any] | UnsetType
    train_trial_index: int
    request: Any


class DisplayPrediction(msgspec.Struct):
    """An item of `display_predictions.json`."""

    instance_id: str | UnsetType
    perturbation: dict[str, Any] | UnsetType
    train_trial_index: int
    predicted_text: str
    truncated_predicted_text: str | UnsetType = UNSET
    base64_images: list[str] = []
    mapped_output: str | UnsetType = UNSET
    reference_index: int | UnsetType = UNSET
    stats: dict[str, Any] = {}
    """The mean of each metric, as `_to_number` returns it."""
    annotations: dict[str, Any] | UnsetType = UNSET
    thinking_text: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    """How an AD tool or a compiler failed; absent if it did not."""
    error: str | UnsetType = UNSET
    """Why there is no answer; absent if there is one."""
    extracted_text: str | UnsetType = UNSET
    """The answer that the extractor has found in the text; absent in runs without extractor, and if it found none."""


def _intervals_writer(task: DisplayTask) -> "IntervalsWriter | None":
    if not task.writes_intervals or not needs_intervals(task.run_path):
        return None
    from helm.results.scores import IntervalsWriter

    try:
        return IntervalsWriter.of(task.run_path)
    except (RunFileError, OSError):
        return None  # left to the next reader of the run, who reports it


def _add_facts(intervals: "IntervalsWriter", instance: Any) -> None:
    is_perturbed = instance.perturbation is not UNSET
    split, sub_split, extra_data = map(_or_none, (instance.split, instance.sub_split, instance.extra_data))
    intervals.instances.add(instance, split, sub_split, is_perturbed, extra_data)


def _or_none(value: Any) -> Any:
    return None if value is UNSET else value


def _or_unset(value: Any | None) -> Any:
    return UNSET if value is None else value


_InstanceKey = tuple[str | None, PerturbationDescription | None]
_Key = tuple[str | None, PerturbationDescription | None, int]


class _RunDisplay:
    """Reads a run's large files and builds the items of its display files."""

    def __init__(self, task: DisplayTask):
        self._task = task
        self._perturbations = PerturbationTable()
        self._perturbation_json: dict[PerturbationDescription, dict[str, Any]] = {}
        self._instances: dict[_InstanceKey, msgspec.Struct] = {}
        self.predictions: list[DisplayPrediction] = []
        self.requests: list[DisplayRequest] = []
        self.floats_are_plain = True
        """Whether there is no float but those of stats, and of requests, whose texts are copied."""
        self._stats_in_epochs: dict[tuple[_Key, int], dict[str, Any]] = {}
        """The same as `stats` for single epochs of an instance."""
        self.intervals = _intervals_writer(task)
        stats = self._read_stats()
        self._path = stored_path(task.run_path, SCENARIO_STATE_FILE_NAME)
        data = read_bytes(self._path)
        is_subject = not is_language_model_method(task.method)
        state: Any = decode_json(data, self._path, _SubjectScenarioState if is_subject else _ScenarioState)
        if b"null" in data:
            drop_nones(state)
        self._method: str = state.adapter_spec.method
        self._separate = self._method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS
        self._pattern = compile_pattern(state.adapter_spec.output_mapping_pattern, self._path)
        self.floats_are_plain &= not is_subject and b'"extra_data"' not in data and b'"annotations"' not in data
        for request_state in state.request_states:
            if self.intervals is not None:
                _add_facts(self.intervals, request_state.instance)
            if request_state.result is not None:
                self._add(request_state, stats)

    @property
    def instances(self) -> list[msgspec.Struct]:
        return list(self._instances.values())

    def _read_stats(self) -> dict[_Key, dict[str, Any]]:
        """Return the mean of each displayed metric, as `_to_number` does, by instance, perturbation and trial."""
        path = stored_path(self._task.run_path, PER_INSTANCE_STATS_FILE_NAME)
        intervals = self.intervals
        table: dict[_Key, dict[str, Any]] = {}
        latest: list[Any] = []  # most entries have stats of the same names
        shown: list[tuple[int, str, int | None]] = []
        for entry in read_json_list(path, _PerInstanceStats):
            if intervals is not None:
                intervals.values.add(entry)
            perturbation = None if entry.perturbation is None else self._perturbations.get(entry.perturbation, path)
            key = (entry.instance_id, perturbation, entry.train_trial_index)
            values = table.setdefault(key, {})
            stats = entry.stats
            names = [stat.name for stat in stats]
            if names != latest:
                latest, shown = names, self._find_shown([name.name for name in names])
            for position, metric, epoch in shown:
                mean = stats[position].mean
                if mean is None:
                    continue
                if epoch is not None:
                    self._stats_in_epochs.setdefault((key, epoch), {})[metric] = _to_number(mean)
                else:  # most numbers are written as they are, see `_to_number`
                    values[metric] = mean if mean == 0 or 1e-4 <= mean < 1e16 else _to_number(mean)
        return table

    def _find_shown(self, names: Sequence[str]) -> list[tuple[int, str, int | None]]:
        """Return the position of each name whose values are shown, the metric that it is, and the epoch."""
        wanted = self._task.metric_names
        shown: list[tuple[int, str, int | None]] = []
        for position, name in enumerate(names):
            if name in wanted:
                shown.append((position, name, None))
            elif name.endswith("]"):
                in_epoch = split_epoch_value_name(name)
                if in_epoch is not None and in_epoch[0] in wanted:
                    shown.append((position, *in_epoch))
        return shown

    def _add(self, state: Any, all_stats: Mapping[_Key, dict[str, Any]]) -> None:
        instance, perturbation = state.instance, None
        if instance.perturbation is not UNSET:
            perturbation = self._perturbations.get(instance.perturbation, self._path)
            instance.perturbation = self._to_json(perturbation)
        # The page shows each instance once; the last one of that id and perturbation counts.
        self._instances[(instance.id, perturbation)] = instance
        if self._method == ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED and state.request_mode == "calibration":
            return
        key = (instance.id, perturbation, state.train_trial_index)
        stats = all_stats.get(key, {})
        if state.epoch is not None:  # each answer with its own scores
            stats = {**stats, **self._stats_in_epochs.get((key, state.epoch), {})}
        if self._separate and "predicted_index" in stats and state.reference_index != stats["predicted_index"]:
            return
        prediction = DisplayPrediction(instance.id, instance.perturbation, state.train_trial_index, "", stats=stats)
        if state.annotations is not None:
            prediction.annotations = state.annotations
        if isinstance(state, _SubjectState):
            _describe_subject_result(state, prediction)
        else:
            self._describe_completion(state, prediction)
        self.predictions.append(prediction)
        self.requests.append(DisplayRequest(instance.id, instance.perturbation, state.train_trial_index, state.request))

    def _describe_completion(self, state: Any, prediction: DisplayPrediction) -> None:
        completions = state.result.completions
        if completions:
            prediction.predicted_text = text = _completion_text(completions[0])
            if completions[0].multimodal_content:
                from helm.benchmark.presentation.image_previews import image_previews

                prediction.base64_images = image_previews(completion.multimodal_content for completion in completions)
            prediction.truncated_predicted_text = self._truncate(text, state)
            if state.output_mapping is not None:
                prediction.mapped_output = _or_unset(
                    map_answer(text, state.extracted, state.output_mapping, self._pattern)
                )
            if state.extracted:
                prediction.extracted_text = _or_unset(state.extracted[0])
            thinking = completions[0].thinking
            if thinking is not None:
                prediction.thinking_text = _or_unset(thinking.text)
        if state.reference_index is not None:
            prediction.reference_index = state.reference_index
        if not state.result.success or not completions:
            prediction.error = state.result.error or "The model gave no completion."

    def _truncate(self, text: str, state: Any) -> str | UnsetType:
        """Return the text without what the prompt already contained: the input, or the token that starts the sequence."""
        prefix = ""
        if self._separate:
            prefix = state.instance.input.text
        elif self._method == ADAPT_LANGUAGE_MODELING and state.result and state.result.completions:
            tokens = state.result.completions[0].tokens
            prefix = tokens[0].text if tokens else ""
        return text[len(prefix) :] if prefix and text.startswith(prefix) else UNSET

    def _to_json(self, perturbation: PerturbationDescription) -> dict[str, Any]:
        if perturbation not in self._perturbation_json:
            data = self._perturbation_json[perturbation] = asdict_without_nones(perturbation)
            self.floats_are_plain &= all(map(_is_plain, data.values()))
        return self._perturbation_json[perturbation]


def _completion_text(completion: Any) -> str:
    """Return the text, preceded by the texts among multimodal content."""
    content = completion.multimodal_content
    if not content or not isinstance(content.get("media_objects"), list):
        return completion.text
    objects = [item for item in content["media_objects"] if isinstance(item, dict)]
    texts = [item["text"] for item in objects if isinstance(item.get("text"), str)]
    return " ".join(texts + ([completion.text] if completion.text else []))


def _describe_subject_result(state: Any, prediction: DisplayPrediction) -> None:
    """Return the response of an AD tool or a compiler as text; failures are described in `status` and `error`."""
    result = state.result
    if not result.success:
        prediction.status = result.status or "error"
        prediction.error = result.error or prediction.status
        return
    text = " ".join(result.actions) if result.actions is not None else json.dumps(result.output)
    if len(text) > _MAX_OUTPUT_CHARACTERS:
        text = f"{text[:_MAX_OUTPUT_CHARACTERS]} ... ({len(text)} characters)"
    prediction.predicted_text = text
