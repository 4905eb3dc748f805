"""The keyword arguments of `helm.evaluate`: settings of `helm-run`, and keys of run entries."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, fields
from typing import Any

from helm.benchmark.assembly.other_words import suggest_key
from helm.benchmark.run_settings import ENTRIES_GROUP, RunSettings
from helm.common.errors import ConfigError, HelmError

_OWN = {"output_path", "suite", "max_eval_instances", "progress", "disable_cache"}
"""Settings that are parameters of `helm.evaluate`, some by another name."""

_REGISTERING = {"plugins", "enable_huggingface_models", "enable_local_huggingface_models"}
"""Settings beside entries that are for any call: they make more names known."""

_INSTEAD = {
    "budget": "use max_cost, max_tokens_total or max_time",
    "run_entries": "give run entries as tasks",
    "run_specs": "give run specs as tasks",
    "models_to_run": "give models as model",
    "max_eval_instances": "it is called limit",
    "disable_cache": "use cache=False",
    "conf_paths": "helm-run reads files of entries",
    "groups_to_run": "choose the tasks in Python",
    "priority": "choose the tasks in Python",
    "list": "use helm-run --list",
    "describe": "use helm-run --describe",
    "dry_run": "use helm-run --dry-run",
    "skip_instances": "use helm-run --skip-instances",
    "cache_instances_only": "use helm-run --cache-instances-only",
    "log_config": "configure logging with Python's logging; the logger is named helm",
    "verbose": "configure logging with Python's logging; the logger is named helm",
    "mongo_uri": "use cache_uri",
}
"""Settings of the command that a call does not take, and what to do."""


def allowed_settings() -> dict[str, Field]:
    """Return the settings of `helm-run` that are keyword arguments of `helm.evaluate`."""
    return {
        item.name: item
        for item in fields(RunSettings)
        if item.metadata and item.name not in _INSTEAD and item.name not in _OWN and not _is_for_the_command(item)
    }


def _is_for_the_command(item: Field) -> bool:
    """Whether a setting says what the command line is to do, which here the tasks and models say."""
    return item.metadata["group"] == ENTRIES_GROUP and item.name not in _REGISTERING


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split keyword arguments into settings and keys of run entries.

    Raises: ConfigError for an unknown name, which suggests the nearest one, and for a value of the wrong type.
    """
    from helm.benchmark.run_expander import RUN_EXPANDERS

    known = allowed_settings()
    settings: dict[str, Any] = {}
    keys: dict[str, Any] = {}
    for name, value in options.items():
        if name in known:
            settings[name] = _checked(known[name], value)
        elif name in _INSTEAD:
            raise ConfigError(f"helm.evaluate has no argument '{name}': {_INSTEAD[name]}.")
        elif name == "model_deployment":
            raise ConfigError("helm.evaluate has no argument 'model_deployment': give the deployment as model.")
        elif name in RUN_EXPANDERS:
            keys[name] = value
        else:
            candidates = [*known, *RUN_EXPANDERS, *_PARAMETERS]
            raise ConfigError(
                f"helm.evaluate has no argument '{name}', neither of its own nor of helm-run nor as a key of run entries."
                f"{suggest_key(name, candidates)}"
            )
    return settings, keys


_PARAMETERS = ("tasks", "model", "limit", "suite", "output_path", "metrics", "columns", "cache", "on_error", "progress")


def _checked(item: Field, value: Any) -> Any:
    """Return the value of a setting. Raises: ConfigError if it has another type."""
    arguments = item.metadata["arguments"]
    if value is None:
        return None if item.default is None else item.default
    if "nargs" in arguments or arguments.get("action") == "append":
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, (list, tuple)) or not all(isinstance(each, str) for each in values):
            raise ConfigError(f"{item.name} takes a list of texts, not {value!r}.")
        return list(values)
    expected: tuple[type, ...] = (str,)
    if arguments.get("action") == "store_true" or "BooleanOptionalAction" in str(arguments.get("action")):
        expected = (bool,)
    elif arguments.get("type") is int:
        expected = (int,)
    elif arguments.get("type") is float:
        expected = (int, float)
    if item.name == "max_time" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value}s"
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        words = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}
        raise ConfigError(f"{item.name} takes {words[expected[-1]]}, not {value!r}.")
    return value


_FLAG = re.compile(r"(helm-[a-z-]+ )?--([a-z]+(?:-[a-z]+)*)")
"""A flag, perhaps of a command that is quoted."""

_NAMES = {
    "max_eval_instances": "limit",
    "models_to_run": "model",
    "run_entries": "tasks",
    "disable_cache": "cache=False",
}
"""Settings that have other names as arguments of `helm.evaluate`."""


@contextmanager
def in_words_of_python() -> Iterator[None]:
    """Make the errors of the block call settings by their names as arguments, not as flags of `helm-run`.

    Flags of quoted commands, and those that are no arguments, stay as they are.
    """
    try:
        yield
    except HelmError as e:
        if e.args and isinstance(e.args[0], str):
            e.args = (_FLAG.sub(_argument, e.args[0]), *e.args[1:])
        if e.short is not None:
            e.short = _FLAG.sub(_argument, e.short)
        raise


def _argument(match: re.Match[str]) -> str:
    name = match[2].replace("-", "_")
    if match[1] or name not in allowed_settings() and name not in _NAMES and name not in _OWN:
        return match[0]
    return _NAMES.get(name, name)
