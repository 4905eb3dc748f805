"""The files that the pages about single runs show: `instances.json`, `display_predictions.json`, `display_requests.json`.

Most of the work of summarizing is here, because these are made from the two big files of a run. So only the fields
that are shown are read, one run is in memory at a time, and runs are shared out to processes.
"""

import json
import os
import re
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

import msgspec

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_EPISODE, ADAPT_EVALUATE, ADAPT_LANGUAGE_MODELING, ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
)  # fmt: skip
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.presentation.run_files import (
    PER_INSTANCE_STATS_FILE, SCENARIO_STATE_FILE, PerturbationTable, Run, RunFileError, read_json,
)  # fmt: skip
from helm.benchmark.presentation.schema import Schema
from helm.common.codec import asdict_without_nones, iterate_json
from helm.common.files import write_chunks_atomically
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


class _Stat(msgspec.Struct, gc=False):
    name: _MetricName
    mean: Optional[float] = None


class _PerInstanceStats(msgspec.Struct):
    instance_id: str
    stats: List[_Stat]
    perturbation: Optional[Dict[str, Any]] = None
    train_trial_index: int = 0


class _Instance(msgspec.Struct):
    input: Dict[str, Any]
    references: List[Dict[str, Any]] = []
    split: Optional[str] = None
    sub_split: Optional[str] = None
    id: Optional[str] = None
    perturbation: Optional[Dict[str, Any]] = None
    contrast_inputs: Optional[List[Dict[str, Any]]] = None
    contrast_references: Optional[List[List[Dict[str, Any]]]] = None
    extra_data: Optional[Dict[str, Any]] = None


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
    random: Optional[str] = None
    messages: Optional[List[Dict[str, Any]]] = None
    multimodal_prompt: Optional[Dict[str, Any]] = None
    image_generation_parameters: Optional[Dict[str, Any]] = None
    response_format: Optional[Dict[str, Any]] = None


_REQUEST_FIELDS = _Request.__struct_fields__


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


class _ScenarioState(msgspec.Struct):
    adapter_spec: _AdapterSpec
    request_states: List[_State]


class _SubjectScenarioState(msgspec.Struct):
    adapter_spec: _AdapterSpec
    request_states: List[_SubjectState]


@dataclass(frozen=True)
class DisplayTask:
    """What is needed to write the display files of one run."""

    run_path: str

    method: str
    """The run's adaptation method."""

    metric_names: FrozenSet[str]
    """Metrics that are shown with each prediction."""


def get_metric_names_from_schema(run: Run, schema: Schema) -> FrozenSet[str]:
    """Metrics of unperturbed instances that any of the run's groups shows."""
    names: Set[str] = set()
    for group_name in run.run_spec.groups:
        group = schema.name_to_run_group.get(group_name)
        for metric_group_name in group.metric_groups if group else []:
            metric_group = schema.name_to_metric_group.get(metric_group_name)
            for matcher in metric_group.metrics if metric_group else []:
                if group is not None and matcher.perturbation_name in (None, _ALL_PERTURBATIONS):
                    names.add(matcher.substitute(group.environment).name)
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
    """Write the three display files of a run.

    Raises: RunFileError for a source file that is wrong, OSError for one that cannot be written.
    """
    display = _RunDisplay(task)
    for name, items in zip(DISPLAY_FILES, (display.instances, display.predictions, display.requests)):
        write_chunks_atomically(os.path.join(task.run_path, name), iterate_json(items))


_Key = Tuple[Optional[str], Optional[PerturbationDescription], int]


class _RunDisplay:
    """Reads a run's big files and makes the items of its display files."""

    def __init__(self, task: DisplayTask):
        self._task = task
        self._perturbations = PerturbationTable()
        self._perturbation_json: Dict[PerturbationDescription, Dict[str, Any]] = {}
        self.predictions: List[Dict[str, Any]] = []
        self.requests: List[Dict[str, Any]] = []
        self._instances: Dict[Tuple[Optional[str], Optional[PerturbationDescription]], Dict[str, Any]] = {}
        stats = self._read_stats()
        self._path = os.path.join(task.run_path, SCENARIO_STATE_FILE)
        subject = task.method in (ADAPT_EVALUATE, ADAPT_EPISODE)
        state: Any = read_json(self._path, _SubjectScenarioState if subject else _ScenarioState)
        self._adapter_spec: _AdapterSpec = state.adapter_spec
        self._pattern = _compile(state.adapter_spec.output_mapping_pattern, self._path)
        for request_state in state.request_states:
            if request_state.result is not None:
                self._add(request_state, stats)

    @property
    def instances(self) -> List[Dict[str, Any]]:
        return list(self._instances.values())

    def _read_stats(self) -> Dict[_Key, Dict[str, float]]:
        """Mean of each metric shown, by instance, perturbation and trial."""
        path = os.path.join(self._task.run_path, PER_INSTANCE_STATS_FILE)
        shown = self._task.metric_names
        table: Dict[_Key, Dict[str, float]] = {}
        for entry in read_json(path, List[_PerInstanceStats]):
            perturbation = None if entry.perturbation is None else self._perturbations.get(entry.perturbation, path)
            values = table.setdefault((entry.instance_id, perturbation, entry.train_trial_index), {})
            for stat in entry.stats:
                name = stat.name.name
                if name in shown and stat.mean is not None:
                    values[name] = stat.mean
        return table

    def _add(self, state: Any, all_stats: Mapping[_Key, Dict[str, float]]) -> None:
        method = self._adapter_spec.method
        instance = state.instance
        perturbation = None if instance.perturbation is None else self._perturbations.get(instance.perturbation, self._path)
        # The page shows each instance once; the last one of that id and perturbation counts.
        self._instances[(instance.id, perturbation)] = self._instance_json(instance, perturbation)
        if method == ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED and state.request_mode == "calibration":
            return
        stats = all_stats.get((instance.id, perturbation, state.train_trial_index), {})
        if method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS and "predicted_index" in stats:
            if state.reference_index != stats["predicted_index"]:
                return
        head: Dict[str, Any] = {"instance_id": instance.id}
        if perturbation is not None:
            head["perturbation"] = self._to_json(perturbation)
        head["train_trial_index"] = state.train_trial_index
        if isinstance(state, _SubjectState):
            self.predictions.append({**head, **_describe_subject_result(state), "stats": stats, **_annotations(state)})
            self.requests.append({**head, "request": state.request})
        else:
            self.predictions.append({**head, **self._describe_completion(state, stats)})
            self.requests.append({**head, "request": _request_json(state.request)})

    def _describe_completion(self, state: _State, stats: Dict[str, float]) -> Dict[str, Any]:
        assert state.result is not None  # _add is called for states with results only
        completions = state.result.completions
        text = _completion_text(completions[0]) if completions else ""
        item: Dict[str, Any] = {"predicted_text": text}
        truncated = self._truncate(text, state)
        if truncated is not None:
            item["truncated_predicted_text"] = truncated
        item["base64_images"] = []
        mapped = self._map_output(text, state.output_mapping)
        if mapped is not None:
            item["mapped_output"] = mapped
        if state.reference_index is not None:
            item["reference_index"] = state.reference_index
        item["stats"] = stats
        item.update(_annotations(state))
        thinking = completions[0].thinking if completions else None
        if thinking is not None and thinking.text is not None:
            item["thinking_text"] = thinking.text
        if not state.result.success or not completions:
            item["error"] = state.result.error or "The model gave no completion."
        return item

    def _truncate(self, text: str, state: _State) -> Optional[str]:
        """The text without what the prompt already gave: the input, or the token that only starts the sequence."""
        prefix = ""
        if self._adapter_spec.method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS:
            prefix = state.instance.input.get("text") or ""
        elif self._adapter_spec.method == ADAPT_LANGUAGE_MODELING and state.result and state.result.completions:
            tokens = state.result.completions[0].tokens
            prefix = tokens[0].text if tokens else ""
        return text[len(prefix) :] if prefix and text.startswith(prefix) else None

    def _map_output(self, text: str, output_mapping: Optional[Mapping[str, str]]) -> Optional[str]:
        """The text of the reference that a label stands for."""
        if output_mapping is None:
            return None
        label = text.strip()
        if self._pattern is not None:
            match = self._pattern.search(label)
            label = "" if match is None else (match.group(1) or "") if match.re.groups else match.group(0)
        return output_mapping.get(label)

    def _to_json(self, perturbation: PerturbationDescription) -> Dict[str, Any]:
        if perturbation not in self._perturbation_json:
            self._perturbation_json[perturbation] = asdict_without_nones(perturbation)
        return self._perturbation_json[perturbation]

    def _instance_json(self, instance: _Instance, perturbation: Optional[PerturbationDescription]) -> Dict[str, Any]:
        item: Dict[str, Any] = {"input": _input_json(instance.input), "references": _references_json(instance.references)}
        for name in ("split", "sub_split", "id"):
            value = getattr(instance, name)
            if value is not None:
                item[name] = value
        if perturbation is not None:
            item["perturbation"] = self._to_json(perturbation)
        if instance.contrast_inputs is not None:
            item["contrast_inputs"] = [_input_json(data) for data in instance.contrast_inputs]
        if instance.contrast_references is not None:
            item["contrast_references"] = [_references_json(data) for data in instance.contrast_references]
        if instance.extra_data is not None:
            item["extra_data"] = instance.extra_data
        return item


def _compile(pattern: Optional[str], path: str) -> Optional["re.Pattern[str]"]:
    if pattern is None:
        return None
    try:
        return re.compile(pattern)
    except re.error as e:
        raise RunFileError(f"{path}: $.adapter_spec.output_mapping_pattern is no regular expression: {e}.") from e


def _annotations(state: _AnyState) -> Dict[str, Any]:
    return {} if state.annotations is None else {"annotations": state.annotations}


def _media_json(data: Any) -> Any:
    """A MultimediaObject without the fields that are not set."""
    if not isinstance(data, dict) or not isinstance(data.get("media_objects"), list):
        return data
    objects = [
        {key: value for key, value in item.items() if value is not None} if isinstance(item, dict) else item
        for item in data["media_objects"]
    ]
    return {"media_objects": objects}


def _input_json(data: Mapping[str, Any]) -> Dict[str, Any]:
    item: Dict[str, Any] = {"text": data.get("text") or ""}
    if len(data) > 1:
        if data.get("multimedia_content") is not None:
            item["multimedia_content"] = _media_json(data["multimedia_content"])
        if data.get("messages") is not None:
            item["messages"] = data["messages"]
    return item


def _references_json(references: Iterable[Mapping[str, Any]]) -> List[Dict[str, Any]]:
    return [{"output": _input_json(item.get("output") or {}), "tags": item.get("tags") or []} for item in references]


def _request_json(request: _Request) -> Dict[str, Any]:
    item = {name: value for name in _REQUEST_FIELDS if (value := getattr(request, name)) is not None}
    if request.multimodal_prompt is not None:
        item["multimodal_prompt"] = _media_json(request.multimodal_prompt)
    return item


def _completion_text(completion: _Completion) -> str:
    """The text, behind the texts among multimodal content."""
    content = completion.multimodal_content
    if not content or not isinstance(content.get("media_objects"), list):
        return completion.text
    objects = [item for item in content["media_objects"] if isinstance(item, dict)]
    texts = [item["text"] for item in objects if isinstance(item.get("text"), str)]
    return " ".join(texts + ([completion.text] if completion.text else []))


def _describe_subject_result(state: _SubjectState) -> Dict[str, Any]:
    """What an AD tool or a compiler answered, as text; what it could not do is told apart in `status` and `error`."""
    result = state.result
    assert result is not None  # _add is called for states with results only
    if not result.success:
        status = result.status or "error"
        return {"predicted_text": "", "base64_images": [], "status": status, "error": result.error or status}
    if result.actions is not None:
        text = " ".join(result.actions)
    else:
        text = json.dumps(result.output)
    if len(text) > _MAX_OUTPUT_CHARACTERS:
        text = f"{text[:_MAX_OUTPUT_CHARACTERS]} ... ({len(text)} characters)"
    return {"predicted_text": text, "base64_images": []}


# --- many runs --------------------------------------------------------------------------------------------------------


def _write_one(task: DisplayTask) -> Optional[str]:
    try:
        write_run_display_json(task)
    except (RunFileError, OSError) as e:
        return str(e)
    return None


class DisplayWriter:
    """Writes the display files of many runs, in other processes where that is possible and worth while.

    Between `start` and `finish` the caller can do its own work. Processes are forked, because that costs a few
    milliseconds where a fresh interpreter costs more than the work of ten runs; where forking is not safe (other
    threads, other systems than Linux) `finish` does the work itself.
    """

    MIN_RUNS_PER_PROCESS = 4

    def __init__(self, tasks: Sequence[DisplayTask], num_processes: int):
        self._tasks = list(tasks)
        self._children: List[Tuple[int, int]] = []
        self._num_processes = min(num_processes, len(self._tasks) // self.MIN_RUNS_PER_PROCESS)
        self._errors: List[str] = []

    def start(self) -> None:
        if self._num_processes < 2 or not _can_fork():
            return
        shares = _share_out(self._tasks, self._num_processes)
        self._tasks = []
        for share in shares:
            self._children.append(_fork_worker(share))

    def finish(self) -> List[str]:
        """Wait for the end; returns one message for each run whose files could not be written."""
        for task in self._tasks:
            error = _write_one(task)
            if error is not None:
                self._errors.append(error)
        self._tasks = []
        for pid, descriptor in self._children:
            with open(descriptor, "rb") as pipe:
                report = pipe.read()
            _, status = os.waitpid(pid, 0)
            if status != 0 or not report:
                self._errors.append(f"A process that wrote display files ended unexpectedly (status {status}).")
            else:
                self._errors.extend(json.loads(report))
        self._children = []
        return self._errors


def _can_fork() -> bool:
    import sys
    import threading

    return sys.platform == "linux" and threading.active_count() == 1


def _share_out(tasks: Sequence[DisplayTask], parts: int) -> List[List[DisplayTask]]:
    """Lists of about the same number of bytes to read: the biggest first, each to the list that has least."""

    def size(task: DisplayTask) -> int:
        return os.path.getsize(os.path.join(task.run_path, PER_INSTANCE_STATS_FILE)) + os.path.getsize(
            os.path.join(task.run_path, SCENARIO_STATE_FILE)
        )

    shares: List[List[DisplayTask]] = [[] for _ in range(parts)]
    totals = [0] * parts
    for task_size, task in sorted(((size(task), task) for task in tasks), key=lambda pair: -pair[0]):
        least = totals.index(min(totals))
        shares[least].append(task)
        totals[least] += task_size
    return shares


def _fork_worker(tasks: Sequence[DisplayTask]) -> Tuple[int, int]:
    """Start a process that handles `tasks`; returns its id and a pipe on which it reports a JSON list of errors."""
    import gc
    import sys
    import traceback

    read_end, write_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return pid, read_end
    status = 1
    try:
        os.close(read_end)
        gc.disable()  # the objects of a run hold no cycles
        errors = [error for error in map(_write_one, tasks) if error is not None]
        with open(write_end, "wb") as pipe:
            pipe.write(json.dumps(errors).encode())
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
