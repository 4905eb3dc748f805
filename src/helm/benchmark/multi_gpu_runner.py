"""Runs spread over the GPUs of this machine. As a program, it is the worker of one GPU."""

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from helm.benchmark.cluster.run_worker import (
    Outcome,
    RecipeSources,
    RunWorker,
    outcome_of,
    raise_from,
    start_worker,
    write_lost_run,
)
from helm.benchmark.cluster.worker_pool import WorkerLostError
from helm.benchmark.cluster.worker_setup import current_setup, read_setup
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner
from helm.benchmark.runner_config_registry import MAX_CONCURRENT_WORKERS_VARIABLE as _MAX_CONCURRENT_WORKERS_ENV_NAME
from helm.benchmark.runner_config_registry import RUNNER_CONFIG as RUNNER_CONFIG
from helm.benchmark.runner_config_registry import max_concurrent_workers
from helm.common.codec import dump_json, from_json
from helm.common.concurrency import overlap
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, setup_default_logging
from helm.common.telemetry.progress import current_run

_DEVICES = "CUDA_VISIBLE_DEVICES"
_PATIENCE_S = 60
"""How long a worker that is told to stop may take to store what it has."""


class MultiGPURunner(Runner):
    """Executes each run in a worker process that sees one GPU; a worker keeps its models for the runs that follow.

    The number of workers is HELM_MAX_CONCURRENT_WORKERS, else that of `runner_config.yaml`, else that of the GPUs. Files,
    messages and errors are those of `Runner`. A run whose worker dies fails; the next one gets a new worker.
    """

    _workers: "queue.SimpleQueue[_GPUWorker] | None" = None

    def _run_each(
        self, run: Callable[[int], None], run_specs: list[RunSpec], width: int, begin_group: Callable[[int], None]
    ) -> None:
        if self.dry_run or self.skip_instances or self.cache_instances_only or not run_specs:
            super()._run_each(run, run_specs, width, begin_group)
            return
        if self._batch_queue(run_specs) is not None:
            raise ConfigError("Requests that go through a provider's batch API need no GPU: use the default runner.")
        gpus = find_gpus()
        number = min(max_concurrent_workers(_MAX_CONCURRENT_WORKERS_ENV_NAME) or len(gpus), len(run_specs))
        hlog(f"{number} workers on {len(gpus)} GPUs")
        setup = dump_json(current_setup(self.settings))
        workers = [_GPUWorker(gpus[index % len(gpus)], setup) for index in range(number)]
        self._workers = queue.SimpleQueue()
        for worker in workers:
            self._workers.put(worker)
        try:
            overlap(run, range(len(run_specs)), lambda index: True, number, begin_group)
        finally:
            self._workers = None
            for worker in workers:
                worker.stop()
            for worker in workers:
                worker.wait()

    def run_one(self, run_spec: RunSpec) -> None:
        workers = self._workers
        if workers is None:
            super().run_one(run_spec)
            return
        run_path = self._get_run_path(run_spec)
        if self.skip_completed_runs and self._is_run_completed(run_path):
            hlog(f"Skipping run {run_spec.name} because run is completed and all output files exist.")
            current_run().skip()
            return
        worker = workers.get()
        try:
            outcome = worker.run(run_spec)
        except WorkerLostError as e:  # it could not write this
            write_lost_run(run_path, run_spec, e, self.settings.command)
            raise
        finally:
            workers.put(worker)
        raise_from(outcome, f"Run {run_spec.name}")


def find_gpus() -> list[str]:
    """Return the names of the GPUs that this process may use, as CUDA_VISIBLE_DEVICES takes them. Raises: ConfigError."""
    given = os.environ.get(_DEVICES)
    if given is not None:
        gpus = [name.strip() for name in given.split(",") if name.strip() and name.strip() != "-1"]
        source = f"{_DEVICES} is '{given}'"
    else:
        gpus, source = _list_gpus()
    if not gpus:
        raise ConfigError(
            f"MultiGPURunner needs at least one GPU, and {source}. Leave out --runner-class-name to run without."
        )
    return gpus


def _list_gpus() -> tuple[list[str], str]:
    """Ask the driver, since a process that has initialized CUDA itself would occupy every GPU."""
    command = ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as e:
        return [], f"nvidia-smi cannot be run ({type(e).__name__})"
    if result.returncode != 0:
        return [], f"nvidia-smi found none: {(result.stderr or result.stdout).strip()[:200]}"
    return result.stdout.split(), "nvidia-smi lists none"


class _GPUWorker:
    """A process that executes runs one after the other on one GPU; it is started when it is needed."""

    def __init__(self, gpu: str, setup: str):
        self._gpu, self._setup = gpu, setup
        self._process: subprocess.Popen[str] | None = None

    def run(self, run_spec: RunSpec) -> Outcome:
        """Execute a run. Raises: WorkerLostError when the process ends without a result."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._start()
        assert process.stdin is not None and process.stdout is not None
        line = ""
        with suppress(OSError):  # it is gone, which an empty line says, too
            process.stdin.write(json.dumps([dump_json(run_spec), dump_json(RecipeSources.of(run_spec.name))]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if not line.endswith("\n"):
            status = process.wait()
            raise WorkerLostError(
                f"Run {run_spec.name}: the worker on GPU {self._gpu} ended with status {status}. The same command continues "
                "from what was answered."
            )
        return from_json(json.loads(line), Outcome)

    def _start(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "helm.benchmark.multi_gpu_runner"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, _DEVICES: self._gpu},
            start_new_session=True,  # Ctrl-C reaches it through `stop`, once
        )
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.write(json.dumps(self._setup) + "\n")
            process.stdin.flush()
        return process

    def stop(self) -> None:
        """Close its input, after which it stores what it has and ends."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGTERM)

    def wait(self) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def main() -> None:
    """Execute the runs on standard input, one a line, and write the outcome of each to standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what models and libraries print must not come between the answers
    setup_default_logging(is_quiet=True, stream_name="stderr")
    worker: RunWorker | None = None
    broken: Outcome | None = None
    stopped = False

    def stop(signum: int, frame: Any) -> None:
        nonlocal stopped
        stopped = True
        if worker is not None:
            worker.stop()

    signal.signal(signal.SIGTERM, stop)
    setup = read_setup(json.loads(sys.stdin.readline()))
    try:
        worker = start_worker(setup)
    except Exception as e:
        broken = outcome_of(e)
    for line in sys.stdin:  # it ends when the command ends, however that happens
        run_spec, sources = json.loads(line)
        if broken is not None or worker is None:
            outcome = broken or Outcome()
        else:
            outcome = worker.run(from_json(run_spec, RunSpec), from_json(sources, RecipeSources))
        answers.write(json.dumps(dump_json(outcome)) + "\n")
        answers.flush()
        if stopped:
            break
    if worker is not None:
        worker.close()


if __name__ == "__main__":
    main()
