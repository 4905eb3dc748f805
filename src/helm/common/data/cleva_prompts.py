"""The data and prompt templates of CLEVA, a benchmark of Chinese tasks with its own prompts.

A task is an archive of `train.jsonl`, `test.jsonl`, `prompts.json` (a list of templates) and `infer_params.json` (the
parameters of requests), with one folder per subtask if there are any.
"""

import json
import os
import string
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml
from helm.common.general import ensure_file_downloaded

_URL = "http://39.108.215.175/data"
_OWN_KEYS = ("input", "instruction", "answer_context", "verbalizer", "meta")
"""Keys of a template that are not columns."""


class ClevaError(ConfigError):
    """CLEVA's data, templates or parameters are missing or malformed; the message names the task and the place."""


@lru_cache(maxsize=1)
def read_tasks() -> dict[str, dict[str, Any]]:
    """Return the `tags` of each task's scenario, and the fields of its metadata, if any."""
    tasks: dict[str, dict[str, Any]] = load_yaml(os.path.join(os.path.dirname(__file__), "cleva_tasks.yaml"))
    return tasks


def check_task(task: str) -> None:
    """Raise ClevaError, with the nearest name, for a task that is not in CLEVA."""
    if task not in read_tasks():
        raise ClevaError(f"CLEVA has no task '{task}'. Tasks: {', '.join(read_tasks())}.{suggest(task, read_tasks())}")


def task_folder(output_path: str, version: str, task: str, subtask: str | None) -> str:
    """Return the folder with the files of a task, which is downloaded if missing.

    Args:
        output_path: the cache folder of the scenario `cleva`.
    """
    folder = os.path.join(output_path, "data", version)
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, task)
    ensure_file_downloaded(source_url=f"{_URL}/{version}/{task}.zip", target_path=target, unpack=True)
    return os.path.join(target, subtask) if subtask else target


def read_template(folder: str, prompt_id: int) -> dict[str, Any]:
    """Return one of the templates of `prompts.json`. Raises ClevaError."""
    templates = _read(os.path.join(folder, "prompts.json"), list)
    if not 0 <= prompt_id < len(templates):
        raise ClevaError(
            f"CLEVA: prompt_id is {prompt_id}, but {folder} has {len(templates)} prompts, numbered from 0."
        )
    template = templates[prompt_id]
    if not isinstance(template, dict):
        raise ClevaError(f"CLEVA: prompt {prompt_id} of {folder} is not a mapping.")
    return template


def read_parameters(folder: str) -> dict[str, Any]:
    """Return the parameters of requests: `max_tokens`, `stop_sequences`, and so on. Raises ClevaError."""
    parameters = _read(os.path.join(folder, "infer_params.json"), dict)
    assert isinstance(parameters, dict)
    return parameters


def read_rows(folder: str, split: str) -> list[dict[str, Any]]:
    """Return the rows of `train.jsonl` or `test.jsonl`. Raises ClevaError that names the line."""
    path = os.path.join(folder, f"{split}.jsonl")
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ClevaError(f"CLEVA: {path}, line {number}: expected a mapping.")
                rows.append(row)
    except OSError as e:
        raise ClevaError(f"CLEVA: {path} cannot be read: {e.strerror}. Is there such a subtask?") from e
    except ValueError as e:
        raise ClevaError(f"CLEVA: {path} is not JSON lines: {e}") from e
    return rows


def _read(path: str, kind: type) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as e:
        raise ClevaError(f"CLEVA: {path} cannot be read: {e.strerror}. Is there such a task or subtask?") from e
    except ValueError as e:
        raise ClevaError(f"CLEVA: {path} is not JSON: {e}") from e
    if not isinstance(value, kind):
        raise ClevaError(f"CLEVA: {path}: a {'list' if kind is list else 'mapping'} is expected.")
    return value


# ---- Templates


class _Formatter(string.Formatter):
    """A `str.format` without access beyond the values: no attributes, conversions or widths."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if "." in field_name:
            raise ClevaError(f"CLEVA: the template asks for '{field_name}'; attributes are not allowed.")
        return super().get_field(field_name, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec:
            raise ClevaError(f"CLEVA: the template asks for the format '{format_spec}', which is not allowed.")
        return str(value)


_FORMATTER = _Formatter()


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Replace `{name}` and `{name[key]}` in a template. Raises ClevaError for an unknown name."""
    if not isinstance(template, str):
        raise ClevaError(f"CLEVA: a template must be a text, not {template!r}.")
    try:
        return _FORMATTER.vformat(template, (), values)
    except (KeyError, IndexError, TypeError, ValueError) as e:
        raise ClevaError(f"CLEVA: the template '{template}' cannot be filled in from {', '.join(values)}: {e!r}") from e


def verbalized(row: Mapping[str, Any], template: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values of a row by the words in the template's `verbalizer`: `{column: {value: word}}`.

    Lists and nested mappings are traversed; numbers are kept. Raises ClevaError for a text without a word.
    """
    result = dict(row)
    for column, words in (template.get("verbalizer") or {}).items():
        result = {key: _spoken(value, column, words, key == column) for key, value in result.items()}
    return result


def _spoken(value: Any, column: str, words: Mapping[str, str], is_column: bool) -> Any:
    if isinstance(value, Mapping):
        return {key: _spoken(item, column, words, is_column or key == column) for key, item in value.items()}
    if isinstance(value, list):
        return [_spoken(item, column, words, is_column) for item in value]
    if not is_column or not isinstance(value, str):
        return value
    if value not in words:
        raise ClevaError(f"CLEVA: the verbalizer of '{column}' has no word for '{value}'.")
    return words[value]


def prompt_of(row: Mapping[str, Any], template: Mapping[str, Any]) -> str:
    """Return the input: columns formatted by the template's entries and inserted into its `input`. Raises ClevaError."""
    values = dict(row)
    for column, own in template.items():
        if column in _OWN_KEYS or column == "label":
            continue
        if column not in values:
            raise ClevaError(f"CLEVA: the template has an entry '{column}', but the columns are {', '.join(values)}.")
        values[column] = _column_text(column, own, values[column])
    return fill(template.get("input", ""), values)


def _column_text(column: str, template: Any, value: Any) -> str:
    if isinstance(template, str):
        return fill(template, {**(value if isinstance(value, Mapping) else {}), column: value})
    if not isinstance(template, Mapping) or not isinstance(value, list):
        raise ClevaError(f"CLEVA: the template of '{column}' cannot be used for {value!r}.")
    missing = [key for key in ("item_separator", "item_template", "item_index") if key not in template]
    if missing:
        raise ClevaError(f"CLEVA: the template of '{column}' has no {', '.join(missing)}.")
    items = [
        fill(
            template["item_template"],
            {"idx": _index(template["item_index"], i), **(item if isinstance(item, Mapping) else {"item": item})},
        )
        for i, item in enumerate(value)
    ]
    return str(template["item_separator"]).join(items)


def _index(kind: str | None, position: int) -> str:
    if kind is None:
        return ""
    if kind == "number":
        return str(position + 1)
    if kind in ("upper", "lower") and position < 26:
        return chr(ord("A" if kind == "upper" else "a") + position)
    raise ClevaError(f"CLEVA: item_index must be null, number, upper or lower, not {kind!r} (item {position}).")


def label_text(label: Any, template: Mapping[str, Any]) -> str:
    """Return the text of a reference by the template's `label`. Raises ClevaError for a label that is not a text."""
    if not isinstance(label, str):
        raise ClevaError(f"CLEVA: the label {label!r} is not a text.")
    return fill(template["label"], {"label": label}) if "label" in template else label
