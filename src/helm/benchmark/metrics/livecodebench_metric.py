"""The metric of LiveCodeBench."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import get_test_cases, mark_unprotected
from helm.benchmark.metrics.frontier.livecodebench import ProblemTests, find_code, read_tests, run_tests
from helm.benchmark.metrics.frontier_metrics import answer_texts
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError
from helm.common.formats.json_reading import read_json
from helm.common.sandbox import get_sandbox


class LiveCodeBenchMetric(StateMetric):
    """Runs the last code block of each completion on the tests of its problem, in a sandbox.

    Emits `pass`, pass@1 over all completions (0 to 1, higher is better), and with n > 1 completions `pass@n`. The tests are read
    from the file of the data set, so scores are computed where the scenario was loaded.

    Args:
        timeout: limit in seconds for each test.

    Raises: SandboxError if there is no sandbox in which to run programs, MetricError for an instance without tests.
    """

    waits_on_io = True
    described_stats = ("pass",)

    def __init__(self, timeout: float = 6.0):
        get_sandbox()
        self.timeout = float(timeout)

    def score_state(self, request_state: RequestState) -> NamedValues:
        programs = [find_code(text) for text in answer_texts(request_state)]
        if not programs:
            return []
        tests = _load_tests(request_state.instance)
        passed = {program: bool(program) and self._passes(program, tests) for program in dict.fromkeys(programs)}
        n, c = len(programs), sum(passed[program] for program in programs)
        values: NamedValues = [("pass", pass_at_k_estimator(n, c, 1))]
        if n > 1:
            values.append((f"pass@{n}", pass_at_k_estimator(n, c, n)))
        return values + mark_unprotected()

    def _passes(self, program: str, tests: ProblemTests) -> bool:
        return all(result is True for result in run_tests(program, tests, self.timeout))


def _load_tests(instance: Instance) -> ProblemTests:
    place: Mapping[str, Any] = get_test_cases(instance, instance.references[0])
    with open(place["path"], "rb") as file:
        file.seek(place["offset"])
        row = read_json(file.readline())
    if row.get("question_id") != place["question_id"]:
        raise MetricError(f"{place['path']} has changed: problem {place['question_id']} is not where it was.")
    return read_tests(row)
