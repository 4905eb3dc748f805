"""Scores programs against tests that are part of their instance: MBPP, MBPP+ and HumanEval+."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import mark_unprotected
from helm.benchmark.metrics.code_metrics_helper import run_program
from helm.benchmark.metrics.metric import get_completions
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError
from helm.common.sandbox import get_sandbox


class ProgramTestsMetric(StateMetric):
    """Runs each completion, a complete program, followed by the instance's `extra_data["test"]`, in a sandbox.

    A program passes if neither it nor the tests raise anything, and both end in time. Emits `pass`, pass@1 over all completions
    (0 to 1, higher is better), and with n > 1 completions `pass@n`, whether any of them passes.

    Args:
        timeout: limit in seconds for a program and all of its tests.

    Raises: SandboxError if there is no sandbox in which to run programs, MetricError for an instance without tests.
    """

    waits_on_io = True
    described_stats = ("pass",)

    def __init__(self, timeout: float):
        get_sandbox()
        self.timeout = float(timeout)

    def score_state(self, request_state: RequestState) -> NamedValues:
        tests = _get_texts(request_state.instance, self.columns)
        programs = [self.make_program(completion.text, tests) for completion in get_completions(request_state)]
        if not programs:
            return []
        # Equal programs are run once.
        passed = {program: run_program(program, self.timeout) == "passed" for program in dict.fromkeys(programs)}
        n, c = len(programs), sum(passed[program] for program in programs)
        values: NamedValues = [("pass", pass_at_k_estimator(n, c, 1))]
        if n > 1:
            values.append((f"pass@{n}", pass_at_k_estimator(n, c, n)))
        return values + mark_unprotected()

    columns: tuple[str, ...] = ("test",)
    """The keys of `extra_data` that are needed."""

    def make_program(self, completion: str, tests: Mapping[str, str]) -> str:
        """Return what is run for a completion."""
        return f"{completion.strip()}\n\n{tests['test']}\n"


class FunctionTestsMetric(ProgramTestsMetric):
    """The same for completions that continue `extra_data["prompt"]`, the head of a function, with its body.

    The tests define `check(candidate)`, as those of HumanEval do, which is called with the function `extra_data["entry_point"]`.
    """

    columns = ("prompt", "test", "entry_point")

    def make_program(self, completion: str, tests: Mapping[str, str]) -> str:
        # Stripping takes the indentation of the first line, as for HumanEval.
        body = f"    {completion.strip()}"
        return f"{tests['prompt']}{body}\n\n{tests['test']}\n\ncheck({tests['entry_point']})\n"


def _get_texts(instance: Instance, names: tuple[str, ...]) -> dict[str, str]:
    extra: Mapping[str, Any] = instance.extra_data or {}
    for name in names:
        if not isinstance(extra.get(name), str):
            raise MetricError(
                f"Instance {instance.id}: extra_data has no text '{name}', so its program cannot be tested."
                f" It has {', '.join(sorted(extra)) or 'nothing'}."
            )
    return {name: extra[name] for name in names}
