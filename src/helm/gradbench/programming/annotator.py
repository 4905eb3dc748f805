"""Runs the derivatives that models write in the sandbox, and records the results."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.common.errors import HelmError
from helm.common.request import RequestResult
from helm.common.sandbox import get_sandbox, is_protected
from helm.gradbench.programming.problems import check_library, get_problem
from helm.gradbench.programming.sandboxed import NO_ANSWER, Trial, try_answer


class ADProgramAnnotator(Annotator):
    """Determines for each answer whether its program computes the requested derivative, and how fast.

    The annotation is a `Trial` as JSON: `outcome`, `error`, `program` and `workloads`, with times and differences. A request
    that failed has the outcome `no_answer`: it says nothing about the model's program.

    Args:
        timeout_s: for a program and all of its calls, > 0.
        min_runs, min_seconds: minimum number of calls, and their minimum total time, for each workload.
    Raises: SandboxError when there is no sandbox to run programs in.
    """

    name = "ad_program"

    def __init__(self, timeout_s: float = 60.0, min_runs: int = 9, min_seconds: float = 0.1):
        get_sandbox()  # fails now rather than after all requests have been sent
        self._timeout_s, self._min_runs, self._min_seconds = timeout_s, min_runs, min_seconds

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Raises: SandboxError; HelmError when the instance is not one of `ADProgrammingScenario`."""
        data = request_state.instance.extra_data or {}
        if "eval" not in data or "library" not in data:
            raise HelmError(
                f"Instance {request_state.instance.id} has no 'eval' and 'library' in its extra data; "
                "ADProgramAnnotator works on instances of ADProgrammingScenario."
            )
        check_library(data["library"])
        result = request_state.result
        if not isinstance(result, RequestResult) or not result.success or not result.completions:
            error = getattr(result, "error", None) or "there is no completion"
            return Trial(NO_ANSWER, f"the request failed: {error}").to_json()
        trial = try_answer(
            get_problem(data["eval"]),
            data["library"],
            result.completions[0].text,
            self._timeout_s,
            self._min_runs,
            self._min_seconds,
        )
        return trial.to_json() if is_protected() else {**trial.to_json(), "unprotected": True}
