"""The conditions of a timing apart from the tool: the processor, its settings, threads and versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NPROC")
"""Environment variables for the number of threads, which numerical libraries read on loading; NPROC is XLA's."""

CLOCK = "perf_counter"
"""The clock of our tools in Python: monotonic wall time, read right before and after a run whose result was waited for."""

_CPU_INFO = Path("/proc/cpuinfo")
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


def one_thread_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return an environment in which numerical libraries use one thread each, unless it already says otherwise."""
    return {**dict.fromkeys(THREAD_VARIABLES, "1"), **environ}


def machine_facts(environ: Mapping[str, str]) -> dict[str, str]:
    """Return facts about this machine, and about a process with the environment ``environ``, as names and texts.

    The names are ``cpu``, ``cores`` (those we may use), ``governor`` (``unknown`` if the system does not report it),
    ``threads`` (the number that the environment allows numerical libraries), ``system`` and ``python``.
    """
    limits = {environ[name] for name in THREAD_VARIABLES if name in environ}
    threads = "no limit" if len(limits) == 0 else "/".join(sorted(limits))
    return {**_lasting_facts(), "threads": threads}


@lru_cache(maxsize=1)
def _lasting_facts() -> dict[str, str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": _cpu_name(),
        "cores": str(cores or "unknown"),
        "governor": _GOVERNOR.read_text(encoding="ascii").strip() if _GOVERNOR.is_file() else "unknown",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _cpu_name() -> str:
    if _CPU_INFO.is_file():
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine() or "unknown"
