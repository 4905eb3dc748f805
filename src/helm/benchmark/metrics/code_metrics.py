"""Scores programs: HumanEval's `code_eval_acc` and `pass`, and `APPSMetric`. Programs run in a sandbox."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import (
    CODE_METRIC_NAMES,  # noqa: F401 (public here)
    pass_at_k_estimator,
)
from helm.benchmark.metrics.code_metrics_helper import FAILED, TestResult, check_correctness, run_test
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance, Reference
from helm.common.errors import MetricError, suggest
from helm.common.request import RequestResult
from helm.common.sandbox import get_sandbox, is_protected

UNPROTECTED = "code_ran_unprotected"
"""A stat that exists only in a run without a sandbox."""

_HUMAN_EVAL_TIMEOUT_S = 3.0
# HELM's limits: its outer process kills a problem one second after ten seconds.
_APPS_TOTAL_S = 11.0
# As in HELM's APPS evaluation, which does not know the number of tests at that point.
_APPS_TESTS_OF_A_DEAD_PROCESS = 21


def mark_unprotected() -> NamedValues:
    """Return the stats that mark the results of a run without a sandbox."""
    return [] if is_protected() else [(UNPROTECTED, 1)]


def get_test_cases(instance: Instance, reference: Reference) -> Mapping[str, Any]:
    """Return the tests that a `CodeReference` contains. Raises: MetricError if there are none.

    Tests are not stored in the files of a run, so states read from a file have none.
    """
    test_cases = getattr(reference, "test_cases", None)
    if not isinstance(test_cases, Mapping):
        raise MetricError(
            f"Instance {instance.id}: its reference has no test cases (CodeReference.test_cases), so no program can be "
            "tested. They are not stored with a run: compute these metrics where the scenario was loaded."
        )
    return test_cases


# --- HumanEval --------------------------------------------------------------------------------------------------------


class HumanEvalScores:
    """Runs the completions of one instance against the tests of its correct references, each pair once.

    Args:
        predictions: stripped completions, the most likely first.
    """

    def __init__(self, instance: Instance, predictions: Sequence[str]):
        self._instance, self._predictions = instance, predictions
        self._golds = [reference for reference in instance.references if reference.is_correct]
        self._scores: dict[tuple[int, str], float] = {}

    def _score(self, gold: int, prediction: str) -> float:
        """Return 1.0 if the program passes the tests, else 0.0."""
        if (gold, prediction) not in self._scores:
            problem = get_test_cases(self._instance, self._golds[gold])
            # The prompt ends where the body begins, and stripping removed the indentation of the first line.
            outcome = check_correctness(problem, "    " + prediction, _HUMAN_EVAL_TIMEOUT_S)
            self._scores[gold, prediction] = float(outcome["passed"])
        return self._scores[gold, prediction]

    def compute(self, name: str, num_outputs: int) -> NamedValues:
        """Return `code_eval_acc`, the best score, and `pass`, pass@1 over all completions and references.

        Each has a second value, `name@num_outputs`, if there are several outputs.
        """
        golds = range(len(self._golds))
        if name == "code_eval_acc":
            values: NamedValues = [(name, max(self._score(gold, self._predictions[0]) for gold in golds))]
            if num_outputs != 1:
                best = max(self._score(gold, text) for gold in golds for text in self._predictions)
                values.append((f"{name}@{num_outputs}", best))
        else:
            results = [self._score(gold, text) for gold in golds for text in self._predictions]
            n, c = len(results), int(sum(results))
            values = [(name, pass_at_k_estimator(n, c, 1))]
            if num_outputs != 1:
                values.append((f"{name}@{num_outputs}", pass_at_k_estimator(n, c, num_outputs)))
        return values


# --- APPS -------------------------------------------------------------------------------------------------------------


def _test_avg(results: Sequence[float]) -> float:
    return sum(results) / len(results)


def _strict_acc(results: Sequence[float]) -> float:
    return float(all(result == 1.0 for result in results))


METRICS = {"test_avg": _test_avg, "strict_acc": _strict_acc}


class APPSMetric(StateMetric):
    """Runs every completion on the inputs of its APPS problem and compares the outputs.

    Emits, for each name, the best value over the completions, from 0 to 1: `test_avg`, the fraction of passed tests;
    `strict_acc`, 1 if all pass. A program that ends its process, or takes more than 11 s in total, passes none.

    Args:
        names: any of `test_avg` and `strict_acc`.
        timeout: limit in seconds for each test, and for the definition of the program.

    Raises: ValueError for another name, SandboxError if there is no sandbox in which to run programs.
    """

    waits_on_io = True

    def __init__(self, names: list[str], timeout: float):
        for name in names:
            if name not in METRICS:
                known = ", ".join(METRICS)
                raise ValueError(f"APPSMetric knows {known}, not '{name}'.{suggest(name, METRICS)}")
        get_sandbox()
        self.names, self.timeout = list(names), timeout

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance, result = request_state.instance, request_state.result
        if not instance.references:
            raise MetricError(f"Instance {instance.id}: APPSMetric needs a reference with test cases.")
        assert isinstance(result, RequestResult)  # as declared by `request_type`
        problem = get_test_cases(instance, instance.references[0])
        scores = [self._run(problem, completion.text.strip()) for completion in result.completions]
        values: NamedValues = [(name, max(map(METRICS[name], scores), default=0.0)) for name in self.names]
        return values + mark_unprotected()

    def _run(self, problem: Mapping[str, Any], program: str) -> list[float]:
        """Return 1.0 or 0.0 for each test."""
        known = problem if "inputs" in problem else None
        results: list[TestResult] = run_test(problem.get("root", ""), program, self.timeout, known, _APPS_TOTAL_S)
        # HELM: this number of failures if the process died, regardless of the number of tests.
        results = results or [FAILED] * _APPS_TESTS_OF_A_DEAD_PROCESS
        return [float(result is True) for result in results]

    def get_metadata(self) -> list[MetricMetadata]:
        rows = {
            "test_avg": ("Avg. # tests passed", "Share of the tests that the program passes."),
            "strict_acc": ("Strict correctness", "1 if the program passes all tests."),
        }
        return [MetricMetadata(name, rows[name][0], None, rows[name][1], False, "accuracy") for name in self.names]
