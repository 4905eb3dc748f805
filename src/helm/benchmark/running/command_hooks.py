"""The hooks of a command that runs: found, told of its beginning and end, and in sight of its runs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from helm.benchmark.run_settings import RunSettings
from helm.common.commands.plugins import may_have_entry_points
from helm.common.telemetry.progress import CommandProgress

if TYPE_CHECKING:
    from helm.common.telemetry.hook_events import CommandObserver


@contextmanager
def hooked(settings: RunSettings, command: CommandProgress, runs_path: str) -> Iterator["CommandObserver | None"]:
    """Tell hooks of the command, if there are any and requests are sent; the value is what its runs report to.

    Raises: ConfigError for hooks that do not exist.
    """
    is_silent = settings.dry_run or settings.skip_instances or settings.cache_instances_only
    if is_silent or not (settings.hooks or may_have_entry_points("helm.hooks")):
        yield None
        return
    from helm.common.budgets.spending import get_ledger
    from helm.common.telemetry.hook_events import CommandObserver
    from helm.common.telemetry.hook_loading import load_hooks
    from helm.common.telemetry.hooks import CommandEvent

    hooks = load_hooks(settings.hooks)
    if not hooks:
        yield None
        return
    names = tuple(run.name for run in command.runs)
    event = CommandEvent(
        command.started_at, "helm-run", os.path.basename(runs_path), runs_path, names, settings.command
    )
    with CommandObserver(hooks, event, settings.hook_texts, lambda: get_ledger().spent()) as observer:
        yield observer
