"""What is to be evaluated: tasks and models of any kind, turned into run specs."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import MetricSpec
from helm.common.errors import ConfigError, suggest
from helm.common.live_functions import function_name

_KINDS = "a run entry such as 'gsm', a RunSpec, a function, a list of dicts, or a frame"


@dataclass
class Plan:
    """The run specs of a call, and the functions that they name."""

    run_specs: list[RunSpec] = field(default_factory=list)

    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def add_function(self, function: Callable[..., Any], with_state: bool = False) -> str:
        """Note a function of a run spec; return its name (see `function_name`).

        Raises: ConfigError if another function of the call has the same name and the same code.
        """
        name = function_name(function, with_state)
        if self.functions.setdefault(name, function) is not function:
            raise ConfigError(
                f"Two different functions are both named '{name.partition('@')[0]}' and have the same code. Give one of them "
                "another name: function.__name__ = '...'."
            )
        return name


@dataclass(frozen=True)
class _Rows:
    """Rows given as values; `title` is empty if the user gave them no name."""

    title: str
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class _Function:
    title: str
    function: Callable[..., Any]


_Task = str | RunSpec | _Rows | _Function


# ---- Reading what the user gave


def read_tasks(tasks: Any, columns: Mapping[str, str] | None = None) -> list[_Task]:
    """Return the single tasks in an argument, in order. Raises: ConfigError that says what is no task."""
    found = list(_iterate_tasks(tasks, columns or {}, "", "tasks"))
    if not found:
        raise ConfigError(f"There is nothing to evaluate: tasks is empty. Give {_KINDS}.")
    return found


def _iterate_tasks(tasks: Any, columns: Mapping[str, str], title: str, where: str) -> Iterable[_Task]:
    rows = _rows_of(tasks)
    if isinstance(tasks, str):
        if not tasks.strip():
            raise ConfigError(f"{where} is an empty text: give {_KINDS}.")
        yield tasks
    elif isinstance(tasks, RunSpec):
        yield tasks
    elif rows is not None:
        yield _Rows(title, _plain_rows(rows, columns, title or where))
    elif isinstance(tasks, Mapping):
        if "input" in tasks or columns.get("input") in tasks:
            raise ConfigError(f"{where} is a single row: put it into a list.")
        for name, task in tasks.items():
            if isinstance(task, (str, RunSpec)):
                raise ConfigError(
                    f"{where}: '{name}' names a {type(task).__name__}, which has its own name: leave it out."
                )
            yield from _iterate_tasks(task, columns, _checked_title(name), f"{where}['{name}']")
    elif callable(tasks) and not isinstance(tasks, type):
        yield _Function(title, tasks)
    elif isinstance(tasks, (list, tuple)):
        for number, task in enumerate(tasks):
            yield from _iterate_tasks(task, columns, "", f"{where}[{number}]")
    else:
        raise ConfigError(f"{where} is a value of type {type(tasks).__name__}: expected {_KINDS}, or a list of these.")


def _checked_title(name: Any) -> str:
    text = re.sub(r"[\s,:=/\\]+", "_", str(name)).strip("_.")
    if not text:
        raise ConfigError(f"'{name}' cannot be the name of a task: use letters and digits.")
    return text


def _rows_of(tasks: Any) -> list[Any] | None:
    """Return the rows of a list of dicts or of a frame (of pandas, polars, pyarrow, datasets); None for anything else."""
    if isinstance(tasks, (list, tuple)):
        return list(tasks) if tasks and all(isinstance(row, Mapping) for row in tasks) else None
    if isinstance(tasks, (str, Mapping, RunSpec)):
        return None
    for method, arguments in (("to_dicts", ()), ("to_pylist", ()), ("to_list", ()), ("to_dict", ("records",))):
        convert = getattr(tasks, method, None)
        if callable(convert) and (hasattr(tasks, "columns") or hasattr(tasks, "column_names")):
            return list(convert(*arguments))
    return None


def _plain_rows(rows: Sequence[Any], columns: Mapping[str, str], where: str) -> list[dict[str, Any]]:
    from helm.benchmark.scenarios.function_scenario import COLUMNS, plain_value, read_instance

    for name, column in columns.items():
        if name not in COLUMNS:
            raise ConfigError(f"columns has no '{name}'; there are {', '.join(COLUMNS)}.{suggest(name, COLUMNS)}")
        if rows and not any(column in row for row in rows):
            known = list(dict.fromkeys(str(key) for row in rows for key in row))
            raise ConfigError(f"{where} has no column '{column}'; it has {', '.join(known)}.{suggest(column, known)}")
    found = []
    for number, row in enumerate(rows):
        renamed = {str(key): value for key, value in row.items() if key not in columns.values()}
        renamed.update({name: row.get(column) for name, column in columns.items()})
        try:
            plain = {key: plain_value(value) for key, value in renamed.items()}
        except (TypeError, ValueError) as e:
            raise ConfigError(f"Row {number} of {where} cannot be stored: {e}.") from None
        except RecursionError:
            raise ConfigError(f"Row {number} of {where} cannot be stored: its lists are nested too deeply.") from None
        read_instance(plain, f"Row {number} of {where}")
        found.append({key: value for key, value in plain.items() if value is not None})
    if not found:
        raise ConfigError(f"{where} has no rows.")
    return found


def read_models(model: Any, plan: Plan) -> list[str | None]:
    """Return the names of the models; None stands for those that the tasks name themselves. Raises: ConfigError."""
    if model is None:
        return [None]
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    if not models:
        raise ConfigError("model is an empty list: give a name, an address or a function.")
    return [_read_model(each, plan) for each in models]


def _read_model(model: Any, plan: Plan) -> str:
    if isinstance(model, str):
        from helm.benchmark.assembly.other_words import model_name

        if not model.strip():
            raise ConfigError("model is an empty text: give a name, an address or a function.")
        return model_name(model)
    if callable(model) and not isinstance(model, type):
        from helm.benchmark.model_deployments.python_deployments import PREFIX
        from helm.clients.function_client import traits_of

        traits_of(model)
        return f"{PREFIX}/{plan.add_function(model, with_state=True)}"
    raise ConfigError(
        f"model is a value of type {type(model).__name__}: expected a name such as 'openai/gpt-4o-2024-11-20', an address such "
        "as 'http://localhost:8000/v1#NAME', or a function that gets a prompt and returns an answer."
    )


# ---- Run specs


def add_run_specs(
    plan: Plan,
    tasks: Sequence[_Task],
    models: Sequence[str | None],
    keys: Mapping[str, Any],
    metrics: Sequence[Any],
    limit: int | None,
    num_train_trials: int | None,
    folder: str,
) -> None:
    """Add the run specs of all tasks with all models to a plan, task by task.

    Args:
        keys: keys of run entries for all tasks; those that an entry has itself stay.
        metrics: functions that score the answers, in addition to the metrics of the tasks.
        folder: the output folder, where rows are stored.

    Raises: ConfigError for anything that is not known or does not fit.
    """
    extra: list[MetricSpec] = []
    for function in metrics:
        from helm.api.functions import metric_spec
        from helm.benchmark.metrics.function_metrics import check_metric_function

        if callable(function):
            check_metric_function(function)
            plan.add_function(function)
        extra.append(metric_spec(function))
    for task in tasks:
        for model in models:
            for run_spec in _run_specs_of(plan, task, model, keys, limit, num_train_trials, folder):
                new = [spec for spec in extra if spec not in run_spec.metric_specs]
                plan.run_specs.append(replace(run_spec, metric_specs=run_spec.metric_specs + new) if new else run_spec)


def _run_specs_of(
    plan: Plan,
    task: _Task,
    model: str | None,
    keys: Mapping[str, Any],
    limit: int | None,
    num_train_trials: int | None,
    folder: str,
) -> list[RunSpec]:
    if isinstance(task, str):
        return _run_specs_of_entry(plan, task, model, keys, limit, num_train_trials)
    from helm.api.functions import function_run_spec, stored_rows_run_spec

    if isinstance(task, _Rows):
        base = stored_rows_run_spec(task.title, _store(task.rows, folder), task.rows)
    elif isinstance(task, _Function):
        plan.add_function(task.function)
        _add_metrics_of(plan, task.function)
        base = function_run_spec(task.function)
        base = replace(base, name=task.title) if task.title else base
    else:
        base = task
    return _expanded(base, model, keys, limit, num_train_trials)


def _add_metrics_of(plan: Plan, function: Callable[..., Any]) -> None:
    for metric in getattr(getattr(function, "__helm_scenario__", None), "metrics", ()):
        if callable(metric):
            from helm.benchmark.metrics.function_metrics import check_metric_function

            check_metric_function(metric)
            plan.add_function(metric)


def _run_specs_of_entry(
    plan: Plan, entry: str, model: str | None, keys: Mapping[str, Any], limit: int | None, num_train_trials: int | None
) -> list[RunSpec]:
    from helm.benchmark.assembly.run_entries import check_models_to_run, run_entries_to_run_specs
    from helm.benchmark.presentation.run_entry import RunEntry
    from helm.benchmark.run_spec import get_defined_run_spec_function
    from helm.common.object_spec import parse_object_spec, render_object_spec

    try:
        spec = parse_object_spec(entry)
    except ValueError as e:
        raise ConfigError(f"The run entry '{entry}' cannot be read: {e}.") from None
    function = getattr(get_defined_run_spec_function(spec.class_name), "helm_function", None)
    if function is not None:
        plan.add_function(function)
        _add_metrics_of(plan, function)
    args = dict(spec.args)
    if model is not None:
        named = args.setdefault("model", model)
        if named != model:
            raise ConfigError(
                f"The run entry '{entry}' names the model '{named}', and model is '{model}': give one of them."
            )
    elif "model" not in args and "model_deployment" not in args:
        check_models_to_run([RunEntry(entry)], None)  # raises for most; some recipes name their subject
    later: dict[str, Any] = {}
    for key, value in keys.items():
        if key not in args:
            (args if _fits_into_entry(value) else later)[key] = _entry_value(value)
    try:
        text = render_object_spec(replace(spec, args=args))
    except ValueError as e:
        raise ConfigError(f"The run entry '{entry}' cannot be used: {e}.") from None
    run_specs = run_entries_to_run_specs(
        [RunEntry(text)], max_eval_instances=limit, num_train_trials=num_train_trials, as_command=True
    )
    return _finish_presets(_with_keys(run_specs, later), {**args, **later})


def _fits_into_entry(value: Any) -> bool:
    """Return whether the text of a run entry can hold a value: no objects, and no texts with commas or that are numbers."""
    from helm.common.object_spec import ObjectSpec, render_object_spec

    try:
        render_object_spec(ObjectSpec("name", {"key": _entry_value(value)}))
    except ValueError:
        return False
    return "\n" not in str(value)


def _entry_value(value: Any) -> Any:
    """Return a value as run entries have it."""
    return str(value).lower() if isinstance(value, bool) else value


def _with_keys(run_specs: list[RunSpec], keys: Mapping[str, Any]) -> list[RunSpec]:
    from helm.benchmark.run_expander import RUN_EXPANDERS

    key = ""
    try:
        expanders = []
        for key, value in keys.items():
            expanders.append((key, RUN_EXPANDERS[key](_entry_value(value))))
        for key, expander in sorted(expanders, key=lambda item: not item[1].comes_first):  # noqa: B007
            run_specs = [expanded for run_spec in run_specs for expanded in expander.expand(run_spec)]
    except TypeError as e:
        if isinstance(keys[key], (str, int, float)):
            raise
        raise ConfigError(f"{key} takes one text or number, not {keys[key]!r}.") from e
    return run_specs


def _finish_presets(run_specs: list[RunSpec], keys: Mapping[str, Any]) -> list[RunSpec]:
    if "prompt" not in keys:
        return run_specs
    from helm.benchmark.assembly.chat_presets import finish_preset

    return [finish_preset(run_spec, keys) for run_spec in run_specs]


def _expanded(
    run_spec: RunSpec, model: str | None, keys: Mapping[str, Any], limit: int | None, num_train_trials: int | None
) -> list[RunSpec]:
    """Return a run spec with a model and keys of run entries, as `construct_run_specs` does it for an entry."""
    from helm.benchmark.assembly.run_entries import finish_run_spec
    from helm.benchmark.run_expander import ModelRunExpander
    from helm.benchmark.run_spec_factory import apply_subject_rules

    if model is None and not (run_spec.adapter_spec.model or run_spec.adapter_spec.model_deployment):
        raise ConfigError(f"'{run_spec.name}' needs a model: helm.evaluate(tasks, model).")
    run_specs = [run_spec]
    if model is not None:
        adapter_spec = replace(run_spec.adapter_spec, model="", model_deployment="")
        run_specs = ModelRunExpander(model, accept_deployments=True).expand(
            replace(run_spec, adapter_spec=adapter_spec)
        )
    run_specs = _finish_presets([apply_subject_rules(each) for each in _with_keys(run_specs, keys)], keys)
    return [finish_run_spec(each, None, limit, num_train_trials) for each in run_specs]


def _store(rows: Sequence[Mapping[str, Any]], folder: str) -> str:
    """Write rows to a file that is named by their SHA-256, and return that."""
    from helm.benchmark.scenarios.function_scenario import ROWS_FOLDER
    from helm.common.files import write_text_atomically

    text = "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    path = os.path.join(folder, "scenarios", ROWS_FOLDER, f"{sha256}.jsonl")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_text_atomically(path, text)
    return sha256
