"""Finds the hooks of a command: those of installed packages, and those that were asked for."""

import inspect
from collections.abc import Sequence
from typing import Any

from helm.common.commands.plugins import import_user_plugins, load_entry_point_plugins
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import get_class_by_name
from helm.common.telemetry.hooks import ENTRY_POINT_GROUP, Hooks

SINKS = {
    "opentelemetry": "helm.common.telemetry.sinks.opentelemetry_sink.OpenTelemetryHooks",
    "mlflow": "helm.common.telemetry.sinks.mlflow_sink.MLflowHooks",
    "wandb": "helm.common.telemetry.sinks.wandb_sink.WandbHooks",
}
"""The hooks of this package by name."""


def load_hooks(asked: Sequence[str | Hooks]) -> list[Hooks]:
    """Create the hooks of entry points and those that are asked for.

    Args:
        asked: names of `SINKS`, class paths, and paths of files with subclasses of `Hooks` (all that a file defines); or
            objects.

    Raises: ConfigError for what cannot be imported or has no hook; OptionalDependencyNotInstalled for a sink without its
        package.
    """
    hooks: list[Hooks] = []
    for loaded in load_entry_point_plugins(ENTRY_POINT_GROUP):
        try:
            hooks.append(_create(loaded, "entry point"))
        except Exception as e:
            hwarn(f"The hook {loaded!r} of an installed package cannot be created and is off: {type(e).__name__}: {e}")
    for item in asked:
        if isinstance(item, Hooks):
            hooks.append(item)
        else:
            hooks += [_create(found, item) for found in _find(item)]
    return hooks


def _find(text: str) -> list[Any]:
    if text in SINKS:
        return [get_class_by_name(SINKS[text])]
    if text.endswith(".py") or "/" in text:
        (module,) = import_user_plugins([text])
        found = [value for value in vars(module).values() if _is_own_hook(value, module.__name__)]
        if not found:
            raise ConfigError(f"--hooks: {text} defines no subclass of helm.common.telemetry.hooks.Hooks.")
        return found
    if "." not in text:
        raise ConfigError(
            f"--hooks takes {', '.join(SINKS)}, a class path or a file, not '{text}'.{suggest(text, list(SINKS))}"
        )
    try:
        return [get_class_by_name(text)]
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"--hooks: cannot import {text}: {e}") from e


def _is_own_hook(value: Any, module: str) -> bool:
    return inspect.isclass(value) and issubclass(value, Hooks) and value.__module__ == module


def _create(found: Any, where: str) -> Hooks:
    hook = found() if callable(found) and not isinstance(found, Hooks) else found
    if not isinstance(hook, Hooks):
        raise ConfigError(f"--hooks: {where} is no subclass of helm.common.telemetry.hooks.Hooks: {hook!r}.")
    return hook
