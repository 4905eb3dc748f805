"""Where programs for CompilerGym run their jobs."""

import os
from pathlib import Path
from typing import Any


class LocalExecutor:
    """Runs functions in threads or processes of this machine: what programs get from `Executor.get_executor`."""

    def __init__(self, num_workers: int, is_local: bool):
        from concurrent.futures import ThreadPoolExecutor

        self._pool = ThreadPoolExecutor(max_workers=num_workers if is_local else 1, thread_name_prefix="executor")

    def submit(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Start a function; returns a `concurrent.futures.Future`."""
        return self._pool.submit(function, *args, **kwargs)

    def __enter__(self) -> "LocalExecutor":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self._pool.shutdown(wait=True)


class Executor:
    """Where a program runs its jobs. Here it is always this machine: a cluster needs the commands of `helm-run`."""

    def __init__(self, type: str = "local", block: bool = False, cpus: int = -1, **settings: Any):
        """Choose how to run.

        Args:
            type: `local` (several jobs at a time) or `noop` or `debug` (one after the other).
            block: not used: `get_executor` always waits for the jobs when its block ends.
            cpus: jobs at a time. Default: one for each processor.
            settings: what only clusters need; not used.
        Raises: ValueError for another type.
        """
        if type.lower() not in ("local", "noop", "debug"):
            raise ValueError(f"Jobs run on this machine only (type: local, noop or debug), not on '{type}'.")
        self.type, self.cpus = type.lower(), cpus if cpus > 0 else os.cpu_count() or 1

    def get_executor(
        self, logs_dir: Path | None = None, timeout_hours: float | None = None, cpus: int | None = None
    ) -> LocalExecutor:
        """Return something to submit functions to, in a `with` block."""
        return LocalExecutor(cpus or self.cpus, self.type == "local")
