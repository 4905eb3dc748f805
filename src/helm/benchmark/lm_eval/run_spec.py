"""Builds RunSpecs that run tasks of lm-evaluation-harness as that program does."""

import os
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError
from helm.benchmark.lm_eval.adapter import own_settings
from helm.benchmark.lm_eval.table_loading import LOCAL_FORMATS
from helm.benchmark.lm_eval.task_code import check_trusted, collect_code
from helm.benchmark.lm_eval.task_files import TaskFile, read_task_file
from helm.benchmark.lm_eval.task_library import Named, TaskLibrary
from helm.benchmark.lm_eval.worker.documents import (
    DEFAULT_METRICS,
    GENERATE_UNTIL,
    LOGLIKELIHOOD,
    MULTIPLE_CHOICE,
    ROLLING,
)
from helm.benchmark.lm_eval.worker.filters import FILTER_FUNCTIONS
from helm.benchmark.lm_eval.worker.job import FUNCTION
from helm.benchmark.lm_eval.worker.measures import AGGREGATIONS
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_generic_metric_specs
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import MetricSpec, ScenarioSpec
from helm.common.errors import suggest

ADAPTER = "helm.benchmark.lm_eval.adapter.LMEvalAdapter"
_SCENARIO = "helm.benchmark.lm_eval.scenario.LMEvalTaskScenario"
METRIC = "helm.benchmark.lm_eval.metric.LMEvalTaskMetric"

OUTPUT_TYPES = (GENERATE_UNTIL, MULTIPLE_CHOICE, LOGLIKELIHOOD, ROLLING)

_USUAL_LENGTH = 256
"""The tokens of an answer where a task names no number."""

_FILTERS = (*FILTER_FUNCTIONS, "multi_choice_regex", "custom")

_SAMPLERS = ("default", "first_n")


def make_library_run_spec(library: TaskLibrary, named: Named, **options: Any) -> RunSpec:
    """Build the RunSpec of a task of a library; `options` as in `make_task_run_spec`. Raises: LMEvalTaskError."""
    read = read_task_file(named.path, library.root, named.changes)
    return make_task_run_spec(read, root=library.label if "==" in library.label else library.root, **options)


def make_file_run_spec(path: str, name: str | None = None, **options: Any) -> RunSpec:
    """Build the RunSpec of a task file; `options` as in `make_task_run_spec`. Raises: LMEvalTaskError."""
    read = read_task_file(path)
    root = read.root if os.path.isabs(path) else os.path.relpath(read.root)
    return make_task_run_spec(read, root=root, name=name, **options)


def make_task_run_spec(
    read: TaskFile,
    root: str,
    name: str | None = None,
    num_fewshot: int | None = None,
    apply_chat_template: bool = False,
    fewshot_as_multiturn: bool = True,
    system_instruction: str = "",
    group: str = "",
) -> RunSpec:
    """Build the RunSpec of a task.

    Args:
        root: the folder of code and data files, as the run spec records it.
        name: name of the run. None means `lm_eval:task=...`.
        num_fewshot: number of examples in a prompt. None means the task's own number.
        apply_chat_template: whether prompts are sent as messages.
        fewshot_as_multiturn: whether examples are earlier turns, where prompts are sent as messages.
        system_instruction: what the prompt, or the system message, begins with.
        group: the group whose changes of the task apply, for the name of the run.

    Raises:
        LMEvalTaskError: The task cannot be run, with file, line and key.
        ConfigError: It has code that the user has not agreed to run.
    """
    check_task(read)
    config = _with_found_files(read)
    code = collect_code(config, read.root)
    if code is not None:
        check_trusted(code, read.name)
    shots = _shots(read, num_fewshot)
    config.pop("num_fewshot", None)
    kind = str(config.get("output_type") or GENERATE_UNTIL)
    if apply_chat_template and kind != GENERATE_UNTIL and "class" not in config:
        raise read.error(
            "output_type",
            f"apply_chat_template is for {GENERATE_UNTIL}: chat endpoints give no likelihoods of given texts.",
        )
    if shots and (config.get("doc_to_image") or config.get("doc_to_audio")):
        raise read.error("num_fewshot", "examples with pictures or sounds cannot be shown; take num_fewshot=0.")
    options: dict[str, Any] = {}
    if apply_chat_template:
        options["apply_chat_template"] = True
        if not fewshot_as_multiturn:
            options["fewshot_as_multiturn"] = False
    if system_instruction:
        options["system_instruction"] = system_instruction
    recorded = None if code is None else code.to_json()
    about: dict[str, Any] = {"task": read.name, "config": config}
    if code is not None or _has_local_data(config):
        about["root"] = root
    if recorded is not None:
        about["code"] = recorded
    scenario: dict[str, Any] = {**about, "main_metric": main_metric_of(config)}
    for key, given in (("num_fewshot", shots), ("options", options), ("greedy", needs_greedy(config))):
        if given:
            scenario[key] = given
    arguments = (f",group={group}" if group else "") + _arguments(read, shots, options)
    run_name = f"lm_eval:task={read.name}{arguments}" if name is None else name + arguments.replace(",", ":", 1)
    return RunSpec(
        name=run_name,
        scenario_spec=ScenarioSpec(_SCENARIO, scenario),
        adapter_spec=_adapter_spec(config, kind),
        metric_specs=[
            MetricSpec(METRIC, about),
            *(get_basic_metric_specs([]) if kind == GENERATE_UNTIL else get_generic_metric_specs()),
        ],
        groups=[read.name, *(group for group in read.groups if group != read.name)],
    )


def _arguments(read: TaskFile, shots: int, options: dict[str, Any]) -> str:
    usual = read.keys.get("num_fewshot") or 0
    parts = [f",num_fewshot={shots}"] if shots != usual else []
    for key, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value).replace(",", "").replace("=", "")[:40]
        parts.append(f",{key}={text}")
    return "".join(parts)


def _shots(read: TaskFile, given: int | None) -> int:
    config = read.keys.get("fewshot_config") or {}
    number = read.keys.get("num_fewshot") if given is None else given
    number = config.get("num_fewshot", 0) if number is None else number
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise read.error("num_fewshot", f"a whole number is expected, not {number!r}.")
    return number


def _with_found_files(read: TaskFile) -> dict[str, Any]:
    """Return the keys for a run, with data files that are beside the task file as paths."""
    config = read.config()
    given = config.get("dataset_kwargs") or {}
    arguments = {key: value for key, value in given.items() if value is not None and key != "trust_remote_code"}
    if config.get("dataset_path") in LOCAL_FORMATS and arguments.get("data_files"):
        files = arguments["data_files"]
        by_split = files if isinstance(files, dict) else {"train": files}
        arguments["data_files"] = {split: _found(read, names) for split, names in by_split.items()}
    elif config.get("dataset_path") in LOCAL_FORMATS and "custom_dataset" not in config:
        raise read.error("dataset_path", f"'{config['dataset_path']}' needs dataset_kwargs.data_files.")
    if given:
        config["dataset_kwargs"] = arguments
    return config


def _found(read: TaskFile, names: Any) -> list[str]:
    paths = []
    for name in names if isinstance(names, list) else [names]:
        beside = os.path.join(os.path.dirname(read.origin.get("dataset_kwargs", read.path)), str(name))
        found = next((path for path in (str(name), beside) if os.path.isfile(path)), None)
        if found is None and "://" not in str(name):
            raise read.error("dataset_kwargs", f"there is no file {name}, and none next to the task.", "data_files")
        paths.append(found or str(name))
    return paths


def _has_local_data(config: dict[str, Any]) -> bool:
    return config.get("dataset_path") in LOCAL_FORMATS


def main_metric_of(config: dict[str, Any]) -> str:
    """Return the name of the first score: of the first metric, by the first filter."""
    filters = config.get("filter_list") or []
    suffix = "_" + str(filters[0].get("name", "none")).replace("-", "_") if len(filters) > 1 else ""
    return metric_names(config)[0] + suffix


def metric_names(config: dict[str, Any]) -> list[str]:
    """Return the names of a task's metrics; those of functions are the functions' names."""
    listed = [item["metric"] for item in config.get("metric_list") or []]
    names = [item["name"] if isinstance(item, dict) else str(item) for item in listed]
    return names or DEFAULT_METRICS[config.get("output_type") or GENERATE_UNTIL]


def needs_greedy(config: dict[str, Any]) -> bool:
    """Whether a task has to know if the model would write a continuation by itself, which takes another request."""
    kind = config.get("output_type")
    if kind == LOGLIKELIHOOD:
        return "acc" in metric_names(config) or config.get("process_results") is not None
    return kind == MULTIPLE_CHOICE and "exact_match" in metric_names(config)


def _adapter_spec(config: dict[str, Any], kind: str) -> AdapterSpec:
    given = {key: value for key, value in (config.get("generation_kwargs") or {}).items() if value is not None}
    if isinstance(given.get("do_sample"), str):
        given["do_sample"] = given["do_sample"].lower() == "true"
    sampled = bool(given.get("do_sample", bool(given.get("temperature", 0))))
    settings = own_settings({**given, "do_sample": sampled})
    spec = AdapterSpec(
        method=ADAPTER,
        instructions="",
        input_prefix="",
        input_suffix="",
        output_prefix="",
        output_suffix="",
        instance_prefix="",
        max_train_instances=0,
        num_outputs=1,
        temperature=0.0,
        max_tokens=0,
        stop_sequences=[],
    )
    if kind != GENERATE_UNTIL and "class" not in config:
        return spec
    delimiter = config.get("fewshot_delimiter", "\n\n")
    stops = settings.get("stop_sequences", [delimiter] if delimiter else [])
    spec = replace(
        spec,
        num_outputs=config.get("repeats") or 1,
        temperature=float(given.get("temperature", 1.0)) if sampled else 0.0,
        max_tokens=settings.get("max_tokens", _USUAL_LENGTH),
        stop_sequences=stops,
    )
    top_p = given.get("top_p")
    return replace(spec, top_p=float(top_p)) if sampled and top_p not in (None, 1, 1.0) else spec


# ---- Checks, before anything is loaded


def check_task(read: TaskFile) -> None:
    """Check what a task names. Raises: LMEvalTaskError with file, line and key."""
    keys = read.keys
    kind = keys.get("output_type") or GENERATE_UNTIL
    if kind not in OUTPUT_TYPES:
        raise read.error(
            "output_type",
            f"the output types are {', '.join(OUTPUT_TYPES)}, not '{kind}'.{suggest(str(kind), OUTPUT_TYPES)}",
        )
    if "class" in keys:
        return
    for key in ("doc_to_image", "doc_to_audio"):
        if keys.get(key) is not None and kind != GENERATE_UNTIL:
            raise read.error(
                key, f"no endpoint gives likelihoods of texts behind media; only {GENERATE_UNTIL} has them."
            )
    if kind == MULTIPLE_CHOICE and keys.get("doc_to_choice") is None:
        raise read.error("output_type", "multiple_choice needs the key 'doc_to_choice'.")
    for key in ("doc_to_text", "doc_to_target"):
        if keys.get(key) is None and not (key == "doc_to_target" and keys.get("process_results")):
            raise LMEvalTaskError(f"{read.path}: the key '{key}' is missing.")
    _check_list(read, "metric_list", "metric")
    for i, item in enumerate(keys.get("metric_list") or []):
        given = item.get("aggregation")
        if isinstance(given, str) and given not in AGGREGATIONS and not _has_code(keys):
            known = ", ".join(AGGREGATIONS)
            raise read.error(
                "metric_list",
                f"the aggregations are {known}, not '{given}'.{suggest(given, AGGREGATIONS)}",
                i,
                "aggregation",
            )
    _check_list(read, "filter_list", "filter")
    for i, item in enumerate(keys.get("filter_list") or []):
        for j, step in enumerate(item["filter"]):
            function = step.get("function") if isinstance(step, dict) else None
            if isinstance(function, str) and function not in _FILTERS and not _has_code(keys):
                raise read.error(
                    "filter_list",
                    f"the filters are {', '.join(_FILTERS)}, not '{function}'.{suggest(function, _FILTERS)}",
                    i, "filter", j, "function",
                )  # fmt: skip
    sampler = (keys.get("fewshot_config") or {}).get("sampler", "default")
    if sampler not in _SAMPLERS:
        raise read.error("fewshot_config", f"the samplers are {' and '.join(_SAMPLERS)}, not '{sampler}'.", "sampler")
    beams = (keys.get("generation_kwargs") or {}).get("num_beams")
    if beams not in (None, 1):
        raise read.error(
            "generation_kwargs", f"beam search ({beams} beams) cannot be asked of an endpoint.", "num_beams"
        )


def _check_list(read: TaskFile, key: str, needed: str) -> None:
    listed = read.keys.get(key) or []
    if not isinstance(listed, list):
        raise read.error(key, "a list is expected.")
    for i, item in enumerate(listed):
        if not isinstance(item, dict) or needed not in item:
            raise read.error(key, f"a mapping with '{needed}' is expected.", i)


def _has_code(value: Any) -> bool:
    if isinstance(value, dict):
        return FUNCTION in value or any(map(_has_code, value.values()))
    return isinstance(value, list) and any(map(_has_code, value))
