"""Runs the kernels that models write in the sandbox, and records the results."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.common.errors import HelmError
from helm.common.request import RequestResult
from helm.common.sandbox import get_sandbox, is_protected
from helm.kernels.catalogue import get_operation
from helm.kernels.sandboxed import NO_ANSWER, Trial, try_kernel


class KernelAnnotator(Annotator):
    """Determines for each answer whether its kernel computes the operation, how fast, and whether it cheats.

    The annotation is a `Trial` as JSON: `outcome`, `error`, `program`, `cheats`, `timings` and `seed`, and `speedup` of correct
    ones. A request that failed has the outcome `no_answer`, a compiler or library that is missing `unavailable`: neither says
    anything about the model's kernel.

    Args:
        timeout_s: for compiling a kernel and all of its calls, > 0.
        min_runs, min_seconds: minimum number of timed calls, and their minimum total time, for each size.
        seed: of the hidden inputs; None: one for each kernel that is not known before. The annotation has it.
    Raises: SandboxError when there is no sandbox to run programs in.
    """

    name = "kernel"

    def __init__(self, timeout_s: float = 60.0, min_runs: int = 20, min_seconds: float = 0.1, seed: int | None = None):
        get_sandbox()  # fails now rather than after all requests have been sent
        self._timeout_s, self._min_runs, self._min_seconds, self._seed = timeout_s, min_runs, min_seconds, seed

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Raises: SandboxError; HelmError when the instance is not one of `KernelProgrammingScenario`."""
        data = request_state.instance.extra_data or {}
        if not {"operation", "language", "dtype"} <= data.keys():
            raise HelmError(
                f"Instance {request_state.instance.id} has no 'operation', 'language' and 'dtype' in its extra data; "
                "KernelAnnotator works on instances of KernelProgrammingScenario."
            )
        result = request_state.result
        if not isinstance(result, RequestResult) or not result.success or not result.completions:
            error = getattr(result, "error", None) or "there is no completion"
            return Trial(NO_ANSWER, f"the request failed: {error}").to_json()
        trial = try_kernel(
            get_operation(data["operation"]),
            data["language"],
            data["dtype"],
            result.completions[0].text,
            self._timeout_s,
            self._min_runs,
            self._min_seconds,
            self._seed,
        )
        annotation = trial.to_json()
        if trial.timings:
            annotation["speedup"] = trial.speedup
        return annotation if is_protected() else {**annotation, "unprotected": True}
