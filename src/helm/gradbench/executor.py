"""The executor that sends requests to an AD tool, one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutorError, ExecutorInterface
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.common.evaluate_request import EvaluateRequest, EvaluateResult
from helm.common.processes.timed_work import timed_work
from helm.gradbench.tool_client import ToolClient


class ToolExecutor(ExecutorInterface):
    """Send each ``EvaluateRequest`` to one AD tool process: in order, one at a time, never cached.

    A missing module, a failed evaluation and one that takes longer than ``timeout_s`` seconds are measurements, not
    errors: each becomes an unsuccessful ``EvaluateResult``, and so does a crash of the tool. The next request then gets a
    new process. The executor raises ``ExecutorError`` only when the tool cannot be started.

    Evaluations are timed alone: the executor waits for runs of other processes on this machine.

    Times differ between processes, because of their memory layout and other work on the machine. With ``repeats``,
    several processes of the tool take turns: each makes every evaluation, one process at a time. The runs of all of them
    count; the output is that of the first, and an evaluation that fails in one process has failed.

    Args:
        tool: the connection; closed with the executor.
        repeats: number of processes, >= 1.
        warmups: number of evaluations of one run each, before the one that counts, whose answers are discarded.
        timeout_s: limit for each answer of the tool, for ``define`` and ``evaluate`` alike, in seconds; None means no limit.
        dry_run: start nothing and leave all results open.
    """

    request_type = EvaluateRequest
    is_divisible = False  # in order, because times are compared, and an evaluation may continue another one

    def __init__(
        self,
        tool: ToolClient,
        timeout_s: float | None = 600.0,
        dry_run: bool = False,
        repeats: int = 1,
        warmups: int = 0,
    ):
        if not isinstance(tool, ToolClient):
            raise ExecutorError(
                f"Evaluations need an AD tool, but the model's deployment is made by {type(tool).__name__}. "
                "Name a tool, for example model=gradbench/numpy."
            )
        if timeout_s is not None and timeout_s <= 0:
            raise ExecutorError(f"timeout_s must be positive, got {timeout_s:g}.")
        if repeats < 1 or warmups < 0:
            raise ExecutorError(f"repeats must be at least 1 and warmups at least 0, got {repeats} and {warmups}.")
        self._timeout_s, self._dry_run, self._warmups = timeout_s, dry_run, warmups
        self._processes = [_Process(tool)] + [_Process(tool.another()) for _ in range(repeats - 1)]

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        if self._dry_run:
            return scenario_state
        states = scenario_state.request_states
        positions = {state.instance.id: i for i, state in enumerate(states)}
        results: dict[str | None, EvaluateResult] = {}

        def output_of(instance_id: str) -> Any:
            """Return the output of an earlier evaluation, of this attempt or of an interrupted one; None when it failed."""
            result = results.get(instance_id)
            if result is None and journal is not None:
                result = journal.result(positions[instance_id])
            assert result is not None, f"{instance_id} is not evaluated before what continues it"
            return result.output

        def run_one(state: RequestState) -> RequestState:
            request = state.request
            assert isinstance(request, EvaluateRequest)
            if request.input_from is None:
                result = self._run(request)
            else:
                value = output_of(request.input_from)
                result = replace(self._run(replace(request, input=value)), resolved_input=value)
            results[state.instance.id] = result
            return replace(state, result=result)

        # Evaluations are timed, so each runs alone, in this run whatever its parallelism, and on this machine.
        with timed_work():
            finished = run_journaled(states, run_one, parallelism=1, journal=journal, description="evaluations")
        return replace(scenario_state, request_states=finished)

    def _run(self, request: EvaluateRequest) -> EvaluateResult:
        """Make the evaluation with each process in turn until one fails."""
        results: list[EvaluateResult] = []
        for process in self._processes:
            result = process.run(request, self._warmups, self._timeout_s)
            if not result.success:
                return result
            results.append(result)
        return results[0] if len(results) == 1 else _together(results)

    def close(self) -> None:
        for process in self._processes:
            process.tool.close()


class _Process:
    """One process of the tool and the modules it knows."""

    def __init__(self, tool: ToolClient):
        self.tool = tool
        self._defined: dict[str, EvaluateResult] = {}

    def run(self, request: EvaluateRequest, warmups: int, timeout_s: float | None) -> EvaluateResult:
        if not self.tool.is_running:
            # A new process has no modules yet. A module that could not be defined before is not tried again.
            self._defined = {module: result for module, result in self._defined.items() if not result.success}
        if request.module not in self._defined:
            self._defined[request.module] = self.tool.define(request.module, timeout_s)
        definition = self._defined[request.module]
        if not definition.success:
            return definition
        for _ in range(warmups):
            result = self.tool.evaluate(_once(request), timeout_s)
            if not result.success:
                return result
        return self.tool.evaluate(request, timeout_s)


def _once(request: EvaluateRequest) -> EvaluateRequest:
    """Return the request with a single run, if its input says how many."""
    if not isinstance(request.input, dict) or "min_runs" not in request.input:
        return request
    return replace(request, input={**request.input, "min_runs": 1, "min_seconds": 0})


def _together(results: list[EvaluateResult]) -> EvaluateResult:
    """Combine results into one with the timings of all."""
    counts = [sum(timing.name == "evaluate" for timing in result.timings or []) for result in results]
    timings = [timing for result in results for timing in result.timings or []]
    return replace(results[0], timings=timings or None, runs_by_process=counts)
