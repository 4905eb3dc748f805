"""The metric of EvalPlus's release files, which have inputs and a reference solution in place of tests."""

import re
from collections.abc import Mapping
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import mark_unprotected
from helm.benchmark.metrics.frontier.evalplus import run_calls, run_reference
from helm.benchmark.metrics.frontier_metrics import answer_texts, extra_value
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError
from helm.common.sandbox import get_sandbox

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_REFERENCE_TIMEOUT_S = 20.0


def find_program(prompt: str, text: str, entry_point: str) -> str:
    """Return the last code block that defines a function, else the prompt with the text as its continuation."""
    head = re.compile(rf"^\s*def\s+{re.escape(entry_point)}\b", re.MULTILINE)
    blocks = [block for block in _FENCE.findall(text) if head.search(block)]
    if blocks:
        return str(blocks[-1])
    return text if head.search(text) and "```" not in text else prompt + text


class EvalPlusMetric(StateMetric):
    """Calls the function of each completion with the inputs of its task, in a sandbox, and compares values as EvalPlus does.

    Reads `prompt`, `entry_point`, `canonical_solution`, `base_input`, `plus_input` and `atol` from the extra data; what is
    expected is what the reference solution gives. Emits `pass`, pass@1 over all completions with the inputs of both lists (0 to
    1, higher is better), and `pass_base`, with those of the original benchmark alone.

    Args:
        timeout: limit in seconds for each call.

    Raises: SandboxError without a sandbox; MetricError if the reference solution fails.
    """

    waits_on_io = True
    described_stats = ("pass", "pass_base")

    def __init__(self, timeout: float = 1.0):
        get_sandbox()
        self.timeout = float(timeout)

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        names = ("prompt", "entry_point", "canonical_solution", "base_input", "plus_input", "atol")
        task: Mapping[str, Any] = {name: extra_value(instance, name) for name in names}
        texts = answer_texts(request_state)
        if not texts:
            return []
        num_base, inputs = len(task["base_input"]), [*task["base_input"], *task["plus_input"]]
        reference = task["prompt"] + task["canonical_solution"]
        expected = run_reference(reference, task["entry_point"], inputs, _REFERENCE_TIMEOUT_S)
        if expected is None:
            raise MetricError(
                f"Instance {instance.id}: its reference solution cannot be run, so no program can be judged."
            )
        programs = [find_program(task["prompt"], text, task["entry_point"]) for text in texts]
        details = {
            program: run_calls(
                "humaneval", task["entry_point"], program, inputs, expected, task["atol"], self.timeout, True
            ).details
            for program in dict.fromkeys(programs)
        }
        n = len(programs)
        num_base_passed = sum(sum(details[program][:num_base]) == num_base for program in programs)
        num_passed = sum(sum(details[program]) == len(inputs) for program in programs)
        return [
            ("pass", pass_at_k_estimator(n, num_passed, 1)),
            ("pass_base", pass_at_k_estimator(n, num_base_passed, 1)),
            *mark_unprotected(),
        ]
