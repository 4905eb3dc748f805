"""Registers files of lm-evaluation-harness tasks as run spec functions."""

import os
from dataclasses import replace

from helm.benchmark.declarative.lm_eval_reading import task_name_of
from helm.benchmark.run_spec import RunSpec, get_run_spec_function, run_spec_function
from helm.common.errors import ConfigError

_TASK_FILE = "task_file"
"""The attribute of run spec functions that holds the file of their task."""


def register_lm_eval_task(path: str) -> str:
    """Register a task file as a run spec function with the task's name and arguments as those of `lm_eval`.

    The same file may be registered again. Returns the name. Raises: LMEvalTaskError for a wrong file; ConfigError when
    another run spec has the name.
    """
    name = task_name_of(path)
    known = get_run_spec_function(name)
    if getattr(known, _TASK_FILE, None) == os.path.realpath(path):
        return name
    if known is not None:
        raise ConfigError(f"{path}: there is a run spec '{name}' already. Run the task with -r lm_eval:path={path},...")

    def get_task_spec(num_fewshot: int | None = None, method: str = "") -> RunSpec:
        recipe = get_run_spec_function("lm_eval")
        assert recipe is not None
        run_spec = recipe(path=path, num_fewshot=num_fewshot, method=method)
        arguments = run_spec.name.removeprefix(f"lm_eval:task={name}").removeprefix(",")
        return replace(run_spec, name=f"{name}:{arguments}" if arguments else name)

    get_task_spec.__doc__ = f"The task of lm-evaluation-harness in {path}."
    setattr(get_task_spec, _TASK_FILE, os.path.realpath(path))
    run_spec_function(name)(get_task_spec)
    return name
