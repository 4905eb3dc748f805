"""The recipe for tasks of lm-evaluation-harness."""

from typing import Any

from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.common.errors import ConfigError


@run_spec_function("lm_eval")
def get_lm_eval_spec(
    task: str = "",
    path: str = "",
    group: str = "",
    num_fewshot: int | None = None,
    method: str = "",
    apply_chat_template: bool = False,
    fewshot_as_multiturn: bool = True,
    system_instruction: str = "",
) -> RunSpec:
    """A task of the library by its name, or in the file `path`, with `num_fewshot` examples (default: the task's own).

    In entries, `task` may also be a group, a tag or a pattern; `group` names the group whose changes of the task apply.
    `method` is an adaptation method of this package, in place of the library's way to ask.
    """
    if bool(task) == bool(path):
        raise ConfigError("lm_eval needs one of task=NAME (of the task library) and path=FILE.")
    shots = None if num_fewshot is None else int(num_fewshot)
    if method:
        from helm.benchmark.lm_eval.method_run_spec import make_lm_eval_run_spec

        if task:
            from helm.benchmark.lm_eval.task_library import find_library

            path = find_library().one(task).path
        return make_lm_eval_run_spec(path, num_fewshot=shots, method=method)
    options: dict[str, Any] = {
        "num_fewshot": shots,
        "apply_chat_template": _truth(apply_chat_template),
        "fewshot_as_multiturn": _truth(fewshot_as_multiturn),
        "system_instruction": str(system_instruction),
    }
    if path:
        from helm.benchmark.lm_eval.run_spec import make_file_run_spec

        return make_file_run_spec(path, **options)
    from helm.benchmark.lm_eval.run_spec import make_library_run_spec
    from helm.benchmark.lm_eval.task_library import find_library

    library = find_library()
    return make_library_run_spec(library, library.one(task, group), group=group, **options)


def _truth(value: bool | str) -> bool:
    return value if isinstance(value, bool) else str(value).casefold() == "true"
