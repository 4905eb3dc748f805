"""Reads task files with their includes into plain values; a reference to Python code becomes file and name."""

import os
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.declarative.lm_eval_reading import FunctionReference, load_task_yaml
from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError, named_groups
from helm.benchmark.declarative.reading import line_of
from helm.benchmark.lm_eval.worker.job import FUNCTION
from helm.common.errors import suggest

_LIBRARY_MODULE = "lm_eval.tasks."
_LIBRARY_FOLDER = os.path.join(os.sep, "lm_eval", "tasks", "")

_TYPES: dict[str, tuple[type, ...]] = {
    "task": (str,), "tag": (str, list), "group": (str, list), "include": (str, list), "class": (), "custom_dataset": (),
    "dataset_path": (str,), "dataset_name": (str,), "dataset_kwargs": (dict,), "training_split": (str,),
    "validation_split": (str,), "test_split": (str,), "fewshot_split": (str,), "fewshot_config": (dict,),
    "num_fewshot": (int,), "process_docs": (), "doc_to_text": (str, int), "doc_to_target": (str, int, list),
    "doc_to_choice": (str, list, dict), "process_results": (), "output_type": (str,), "generation_kwargs": (dict,),
    "filter_list": (list,), "metric_list": (list,), "description": (str,), "gen_prefix": (str,), "target_delimiter": (str,),
    "fewshot_delimiter": (str,), "repeats": (int,), "unsafe_code": (bool,), "metadata": (dict,), "use_prompt": (str,),
    "doc_to_image": (str, list), "doc_to_audio": (str, list),
}  # fmt: skip
"""The kinds of values of keys; any may instead be a reference to code."""

KEYS = {
    *_TYPES, "task_alias", "group_alias", "should_decontaminate", "doc_to_decontamination_query", "assistant_prefill",
    "recipe", "weight_by_size", "aggregate_metric_list", "aggregation", "higher_is_better",
    "metric",
}  # fmt: skip
"""The keys that task files have."""

_KIND_NAMES = {
    str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a mapping",
}  # fmt: skip

_REFUSED = {
    "use_prompt": "prompts of the package promptsource cannot be used here",
}

_NOT_ABOUT_A_RUN = {
    "include",
    "task_alias",
    "group_alias",
    "should_decontaminate",
    "doc_to_decontamination_query",
    "group",
}


@dataclass(frozen=True)
class TaskFile:
    """A task as its files describe it."""

    path: str

    root: str
    """The folder that the names of code files begin at."""

    keys: dict[str, Any]
    """Plain values. A reference to code is `{"!function": "folder/file.py", "name": "function"}`."""

    origin: dict[str, str] = field(default_factory=dict)
    """The file that each key comes from."""

    @property
    def name(self) -> str:
        return str(self.keys["task"])

    @property
    def groups(self) -> list[str]:
        """The tags of the task, and the groups that it names itself."""
        return named_groups(self.keys)

    def config(self) -> dict[str, Any]:
        """Return the keys that matter for a run."""
        return {key: value for key, value in self.keys.items() if key not in _NOT_ABOUT_A_RUN and value is not None}

    def error(self, key: str, message: str, *further: "str | int") -> LMEvalTaskError:
        """Return an error about a key, with its file and line."""
        path = self.origin.get(key, self.path)
        where = ".".join(str(part) for part in (key, *further))
        return LMEvalTaskError(f"{path}:{line_of(path, (key, *further))}: {where}: {message}")


def read_task_file(path: str, root: str | None = None, changes: dict[str, Any] | None = None) -> TaskFile:
    """Read a task with the files that it includes.

    Args:
        root: the folder of all task files. None: the common folder of this one and its includes, or that of the library whose
            task it includes, if only that has code.
        changes: keys that a group gives to its task.

    Raises: LMEvalTaskError with file, line and key for what cannot be a task.
    """
    keys: dict[str, Any] = {}
    origin: dict[str, str] = {}
    files: list[str] = []
    _merge(path, set(), keys, origin, files)
    base = os.path.realpath(root) if root is not None else _root_of(files, keys, origin)
    read = TaskFile(path, base, {}, origin)
    for key, value in {**keys, **(changes or {})}.items():
        read.keys[key] = _resolve(value, os.path.dirname(origin.get(key, path)), base, read, key)
    _check(read)
    return read


def _merge(path: str, above: set[str], keys: dict[str, Any], origin: dict[str, str], files: list[str]) -> None:
    """Add the keys of a file to those it includes; its own take precedence."""
    real = os.path.realpath(path)
    if real in above:
        raise LMEvalTaskError(f"{path} includes itself.")
    data = load_task_yaml(path)
    if not isinstance(data, dict):
        raise LMEvalTaskError(f"{path}:1: a task file is a mapping (task: ..., dataset_path: ...).")
    files.append(real)
    included = data.get("include")
    for name in included if isinstance(included, list) else [included] if included else []:
        other = os.path.join(os.path.dirname(path), str(name))
        if not os.path.isfile(other):
            raise LMEvalTaskError(f"{path}:{line_of(path, ('include',))}: include: there is no file {other}.")
        _merge(other, above | {real}, keys, origin, files)
    for key, value in data.items():
        keys[str(key)] = value
        origin[str(key)] = path


def _root_of(files: list[str], keys: dict[str, Any], origin: dict[str, str]) -> str:
    """Return the folder that code is named by. Code of the library imports other code of it by the library's names."""
    with_code = [os.path.realpath(origin[key]) for key, value in keys.items() if _names_code(value)]
    libraries = {path.partition(_LIBRARY_FOLDER)[0] for path in with_code if _LIBRARY_FOLDER in path}
    if len(libraries) == 1 and all(_LIBRARY_FOLDER in path for path in with_code):
        return libraries.pop() + _LIBRARY_FOLDER.rstrip(os.sep)
    return os.path.commonpath([os.path.dirname(file) for file in files])


def _names_code(value: Any) -> bool:
    if isinstance(value, (dict, list)):
        return any(map(_names_code, value.values() if isinstance(value, dict) else value))
    return isinstance(value, FunctionReference)


def _resolve(value: Any, folder: str, root: str, read: TaskFile, key: str) -> Any:
    """Return the value with references to code as file and name."""
    if isinstance(value, FunctionReference):
        file, name = _find_code(value.name, folder, root, read, key)
        return {FUNCTION: file, "name": name}
    if isinstance(value, dict):
        return {str(k): _resolve(v, folder, root, read, key) for k, v in value.items()}
    if isinstance(value, list):
        return [_resolve(item, folder, root, read, key) for item in value]
    return value


def _find_code(dotted: str, folder: str, root: str, read: TaskFile, key: str) -> tuple[str, str]:
    """Return the file, relative to the root, and the name in it. Raises: LMEvalTaskError."""
    module, _, name = dotted.strip("'\" ").rpartition(".")
    base = folder
    if module.startswith(_LIBRARY_MODULE):
        module, base = module.removeprefix(_LIBRARY_MODULE), root
    for parts in (module, module.replace(".", "/")):
        path = os.path.realpath(os.path.join(base, f"{parts}.py"))
        if os.path.isfile(path):
            relative = os.path.relpath(path, root)
            if relative.startswith(".."):
                raise read.error(key, f"the code of {dotted} is outside of {root}.")
            return relative.replace(os.sep, "/"), name
    raise read.error(key, f"'!function {dotted}' names the file {os.path.join(base, module)}.py, which is not there.")


def _check(read: TaskFile) -> None:
    keys = read.keys
    if isinstance(keys.get("task"), list):
        names = ", ".join(str(task.get("task") if isinstance(task, dict) else task) for task in keys["task"])
        raise read.error("task", f"this is a group; give the file of one of its tasks: {names}.")
    if not isinstance(keys.get("task"), str) or not keys["task"]:
        raise LMEvalTaskError(f"{read.path}: the key 'task' is missing, or no name.")
    for key, why in _REFUSED.items():
        if keys.get(key) is not None:
            raise read.error(key, f"{why}.")
    has_class = keys.get("class") is not None
    for key, value in keys.items():
        if key not in KEYS and not has_class:
            raise read.error(key, f"this key cannot be used here.{suggest(key, KEYS)}")
        kinds = _TYPES.get(key)
        if kinds is None or value is None or (isinstance(value, dict) and FUNCTION in value):
            continue
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            expected = " or ".join(_KIND_NAMES[kind] for kind in kinds) or "the name of a function"
            raise read.error(key, f"{expected} is expected, not {str(value)[:60]!r}.")
    if has_class:
        return
    for key in ("dataset_path", "test_split", "validation_split"):
        if keys.get(key) == "" and (key != "dataset_path" or keys.get("custom_dataset") is None):
            raise read.error(key, "expected a name, got an empty text.")
    if keys.get("dataset_path") is None and keys.get("custom_dataset") is None:
        raise LMEvalTaskError(f"{read.path}: the key 'dataset_path' is missing.")
    if keys.get("test_split") is None and keys.get("validation_split") is None:
        raise LMEvalTaskError(f"{read.path}: neither test_split nor validation_split is given.")
