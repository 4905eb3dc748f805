"""Runs in MLflow: parameters, metrics and the files without prompts and answers.

The usual environment variables say where: `MLFLOW_TRACKING_URI`, and `MLFLOW_EXPERIMENT_NAME` (not set: the suite's name).
"""

import os
import re
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.hooks import Hooks, RunEvent

_NOT_IN_NAMES = re.compile(r"[^\w./ -]")
_MOST_AT_ONCE = 100  # the service's limit for parameters in one request
_MOST_METRICS_AT_ONCE = 900
_ARTIFACTS = "helm"


class MLflowHooks(Hooks):
    """Makes one MLflow run for each run of a command.

    Raises: OptionalDependencyNotInstalled without the extra `mlflow`.
    """

    def __init__(self) -> None:
        with needs_extra("mlflow"):
            from mlflow import MlflowClient
            from mlflow.entities import Metric, Param, RunTag

        self._client = MlflowClient()
        self._metric, self._param, self._tag = Metric, Param, RunTag
        self._experiments: dict[str, str] = {}
        self._runs: dict[str, str] = {}

    def on_run_start(self, event: RunEvent) -> None:
        client = self._client
        run = client.create_run(self._experiment_of(event.suite), start_time=_ms(event.at), run_name=event.run)
        run_id = self._runs[event.run] = run.info.run_id
        names = {_clean(name): str(value) for name, value in event.params.items()}
        params = [self._param(name, value) for name, value in names.items()]
        texts = {"helm.run": event.run, "helm.suite": event.suite, "helm.model": event.model}
        client.log_batch(run_id, tags=[self._tag(name, value) for name, value in texts.items()])
        for start in range(0, len(params), _MOST_AT_ONCE):
            client.log_batch(run_id, params=params[start : start + _MOST_AT_ONCE])

    def on_run_end(self, event: RunEvent) -> None:
        self._end(event, "FINISHED")

    def on_run_failure(self, event: RunEvent) -> None:
        self._end(event, "FAILED" if event.state == "failed" else "KILLED")

    def _end(self, event: RunEvent, status: str) -> None:
        run_id = self._runs.pop(event.run)
        values: dict[str, Any] = {_clean(name): value for name, value in (event.metrics or {}).items()}
        values.update({"score": event.score, "seconds": event.seconds, "cost_usd": event.cost_usd})
        values.update({f"requests/{_clean(name)}": count for name, count in (event.requests or {}).items()})
        at = _ms(event.at)
        metrics = [self._metric(name, float(value), at, 0) for name, value in values.items() if value is not None]
        for start in range(0, len(metrics), _MOST_METRICS_AT_ONCE):
            self._client.log_batch(run_id, metrics=metrics[start : start + _MOST_METRICS_AT_ONCE])
        texts = {"helm.score_name": event.score_name, "helm.error": event.message, "helm.stage": event.stage}
        tags = [self._tag(name, text) for name, text in texts.items() if text is not None]
        self._client.log_batch(run_id, tags=tags)
        for path in event.files:
            self._client.log_artifact(run_id, path, _ARTIFACTS)
        self._client.set_terminated(run_id, status, _ms(event.at))

    def _experiment_of(self, suite: str) -> str:
        name = os.environ.get("MLFLOW_EXPERIMENT_NAME") or suite
        if name not in self._experiments:
            found = self._client.get_experiment_by_name(name)
            experiment = found.experiment_id if found is not None else self._client.create_experiment(name)
            self._experiments[name] = experiment
        return self._experiments[name]


def _ms(seconds: float) -> int:
    return int(seconds * 1000)


def _clean(name: str) -> str:
    """Return a name that MLflow accepts: `@` and the like become `_`."""
    return _NOT_IN_NAMES.sub("_", name)
