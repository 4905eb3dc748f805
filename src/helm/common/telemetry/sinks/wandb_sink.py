"""Runs in Weights & Biases: the configuration and the summary of each.

The usual environment variables say where: `WANDB_API_KEY`, `WANDB_PROJECT` (not set: the suite's name), `WANDB_MODE` and
`WANDB_DIR`.
"""

import os
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.hooks import Hooks, RunEvent


class WandbHooks(Hooks):
    """Makes one run of Weights & Biases for each run of a command; without a key, in a folder on this machine.

    Raises: OptionalDependencyNotInstalled without the extra `wandb`.
    """

    def __init__(self) -> None:
        with needs_extra("wandb"):
            import wandb

        self._wandb = wandb
        # Without a key, the library would ask for one on the terminal.
        self._mode: Any = os.environ.get("WANDB_MODE") or ("online" if wandb.api.api_key else "offline")
        # What the command prints stays its own, and so do the code and the hardware around it.
        self._settings = wandb.Settings(
            console="off", silent=True, disable_git=True, save_code=False, x_disable_stats=True, x_disable_meta=True
        )
        self._runs: dict[str, Any] = {}

    def on_run_start(self, event: RunEvent) -> None:
        self._runs[event.run] = self._wandb.init(
            project=os.environ.get("WANDB_PROJECT") or event.suite.replace("/", "-"),
            name=event.run,
            group=event.suite,
            config={"model": event.model, "model_deployment": event.model_deployment, **event.params},
            mode=self._mode,
            reinit="create_new",
            settings=self._settings,
        )

    def on_run_end(self, event: RunEvent) -> None:
        self._end(event, 0)

    def on_run_failure(self, event: RunEvent) -> None:
        self._end(event, 1)

    def _end(self, event: RunEvent, exit_code: int) -> None:
        run = self._runs.pop(event.run)
        values: dict[str, Any] = dict(event.metrics or {})
        values.update({f"requests/{name}": count for name, count in (event.requests or {}).items()})
        for name in ("score", "score_name", "state", "seconds", "cost_usd", "stage", "message"):
            values[name] = getattr(event, name)
        run.summary.update({name: value for name, value in values.items() if value is not None})
        run.finish(exit_code=exit_code)
