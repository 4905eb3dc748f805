"""From a task of lm-evaluation-harness to a RunSpec."""

import os
from typing import Any, Dict, List, Optional

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_GENERATION,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL,
    AdapterSpec,
)
from helm.benchmark.declarative.lm_eval_task import (
    GENERATE_UNTIL,
    LOGLIKELIHOOD,
    MULTIPLE_CHOICE,
    LMEvalTask,
    LMEvalTaskError,
    read_lm_eval_task,
)
from helm.benchmark.declarative.lm_eval_templates import RowError, render
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_exact_match_metric_specs
from helm.benchmark.run_spec import RunSpec, get_run_spec_function, run_spec_function
from helm.benchmark.specs import MetricSpec, ScenarioSpec
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hwarn

_SCENARIO = "helm.benchmark.declarative.lm_eval_scenario.LMEvalScenario"
_METRICS = "helm.benchmark.metrics.lm_eval_metrics"

METHODS = {
    GENERATE_UNTIL: (ADAPT_GENERATION,),
    MULTIPLE_CHOICE: (ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL, ADAPT_MULTIPLE_CHOICE_JOINT),
    LOGLIKELIHOOD: (ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL, ADAPT_GENERATION),
}
"""Output type -> the adaptation methods it can be run with; the first is what lm-evaluation-harness does."""

_CORPUS_METRICS = ("bleu", "chrf", "ter")
_GREEDY_MAX_TOKENS = 32

_TASK_FILE = "task_file"
"""The attribute of run spec functions that are tasks: their file."""


def make_lm_eval_run_spec(
    path: str, num_fewshot: Optional[int] = None, method: str = "", name: Optional[str] = None
) -> RunSpec:
    """The RunSpec of a task file.

    Args:
        num_fewshot: examples in the prompt; None: as the task says.
        method: adaptation method, see `METHODS`; "": the first one of the task's output type.
        name: of the run; None: `lm_eval:task=...`.

    Raises: LMEvalTaskError.
    """
    task = read_lm_eval_task(path)
    methods = METHODS[task.output_type]
    if method and method not in methods:
        raise LMEvalTaskError(
            f"{path}: a task of output_type {task.output_type} can be run with method={' or '.join(methods)}, "
            f"not '{method}'.{suggest(method, methods)}"
        )
    method = method or methods[0]
    shots = task.num_fewshot if num_fewshot is None else int(num_fewshot)
    if shots and task.fewshot_samples is None and task.fewshot_split is None:
        raise LMEvalTaskError(f"{path}: num_fewshot is {shots}, but the task names no examples.")
    arguments = "".join(
        f",{key}={value}"
        for key, value, usual in (("num_fewshot", shots, task.num_fewshot), ("method", method, methods[0]))
        if value != usual
    )
    metric_specs = _metric_specs(task, method, path)
    return RunSpec(
        name=f"lm_eval:task={task.task}{arguments}" if name is None else name + arguments.replace(",", ":", 1),
        scenario_spec=ScenarioSpec(_SCENARIO, _scenario_args(task, shots)),
        adapter_spec=_adapter_spec(task, method, shots, path),
        metric_specs=metric_specs,
        groups=[task.task, *(group for group in task.groups if group != task.task)],
    )


def _scenario_args(task: LMEvalTask, shots: int) -> Dict[str, Any]:
    """The arguments of the scenario, without those that are None, empty or zero."""
    args: Dict[str, Any] = {
        "task": task.task,
        "dataset_path": task.dataset_path,
        "dataset_name": task.dataset_name,
        "dataset_kwargs": task.dataset_kwargs,
        "doc_to_text": task.doc_to_text,
        "doc_to_target": task.doc_to_target,
        "doc_to_choice": task.doc_to_choice,
        "output_type": task.output_type,
        "eval_split": task.eval_split,
        "fewshot_split": task.fewshot_split if shots else None,
        "fewshot_samples": task.fewshot_samples if shots else None,
        "num_fewshot": shots,
        "main_metric": task.metrics[0]["name"] + (task.filters[0]["suffix"] if task.filters else ""),
    }
    return {key: value for key, value in args.items() if key == "doc_to_target" or value or value == ""}


def _description(task: LMEvalTask, path: str) -> str:
    if "{" not in task.description:
        return task.description
    try:
        return render(task.description, {})
    except RowError as e:
        raise LMEvalTaskError(f"{path}: description: it must be the same for all rows: {e}") from e


def _adapter_spec(task: LMEvalTask, method: str, shots: int, path: str) -> AdapterSpec:
    common: Dict[str, Any] = {
        "method": method,
        "global_prefix": _description(task, path),
        "instructions": "",
        "input_prefix": "",
        "input_suffix": "",
        "output_prefix": task.target_delimiter,
        "output_suffix": "",
        "instance_prefix": task.fewshot_delimiter,
        "max_train_instances": shots,
        "sample_train": not task.fewshot_in_order,
        "num_outputs": 1,
        "temperature": 0.0,
        "max_tokens": 0,
        "stop_sequences": [],
    }
    if method == ADAPT_MULTIPLE_CHOICE_JOINT:
        common.update(input_suffix="\n", output_prefix="Answer: ", max_tokens=5, stop_sequences=["\n"])
    elif task.output_type == GENERATE_UNTIL:
        common.update(
            num_outputs=task.repeats,
            temperature=task.temperature,
            max_tokens=task.max_gen_toks,
            stop_sequences=task.until,
        )
    elif method == ADAPT_GENERATION:
        common.update(max_tokens=_GREEDY_MAX_TOKENS)
    return AdapterSpec(**common)


def _metric_specs(task: LMEvalTask, method: str, path: str) -> List[MetricSpec]:
    if method == ADAPT_MULTIPLE_CHOICE_JOINT:
        return get_exact_match_metric_specs()
    names = [metric["name"] for metric in task.metrics]
    specs: List[MetricSpec] = []
    if task.output_type == GENERATE_UNTIL:
        each = [metric for metric in task.metrics if metric["name"] not in _CORPUS_METRICS]
        corpus = [name for name in names if name in _CORPUS_METRICS]
        filters = {"filters": task.filters} if task.filters else {}
        if each:
            specs.append(MetricSpec(f"{_METRICS}.LMEvalGenerationMetric", {"metrics": each, **filters}))
        if corpus:
            specs.append(MetricSpec(f"{_METRICS}.LMEvalCorpusMetric", {"names": corpus, **filters}))
    elif task.output_type == MULTIPLE_CHOICE:
        args = {"names": names, "target_delimiter": task.target_delimiter}
        specs.append(MetricSpec(f"{_METRICS}.LMEvalMultipleChoiceMetric", args))
    else:
        specs += _loglikelihood_specs(task, names, method, path)
    return specs + get_basic_metric_specs([])


def _loglikelihood_specs(task: LMEvalTask, names: List[str], method: str, path: str) -> List[MetricSpec]:
    """`perplexity` needs log-likelihoods, `acc` (the target is what greedy generation gives) a generation."""
    computed = "acc" if method == ADAPT_GENERATION else "perplexity"
    left_out = [name for name in names if name != computed]
    if computed not in names:
        other = next(one for one in METHODS[LOGLIKELIHOOD] if one != method)
        raise LMEvalTaskError(f"{path}: metric_list: {', '.join(names)} is computed with method={other}, not {method}.")
    if left_out:
        hwarn(f"{path}: with method={method} the metric {', '.join(left_out)} is not computed; use the other method.")
    if computed == "acc":
        return [MetricSpec(f"{_METRICS}.LMEvalGenerationMetric", {"metrics": [{"name": "acc", "args": {}}]})]
    return [MetricSpec(f"{_METRICS}.LMEvalLoglikelihoodMetric", {"target_delimiter": task.target_delimiter})]


def register_lm_eval_task(path: str) -> str:
    """Make a task file a run spec function of the task's name, with the arguments `num_fewshot` and `method`.

    The same file may be registered again. Returns the name. Raises: LMEvalTaskError for a wrong file; ConfigError when
    another run spec has the name.
    """
    name = read_lm_eval_task(path).task
    known = get_run_spec_function(name)
    if getattr(known, _TASK_FILE, None) == os.path.realpath(path):
        return name
    if known is not None:
        raise ConfigError(f"{path}: there is a run spec '{name}' already. Run the task with -r lm_eval:path={path},...")

    def get_task_spec(num_fewshot: Optional[int] = None, method: str = "") -> RunSpec:
        return make_lm_eval_run_spec(path, None if num_fewshot is None else int(num_fewshot), method, name)

    get_task_spec.__doc__ = f"The task of lm-evaluation-harness in {path}."
    setattr(get_task_spec, _TASK_FILE, os.path.realpath(path))
    run_spec_function(name)(get_task_spec)
    return name
