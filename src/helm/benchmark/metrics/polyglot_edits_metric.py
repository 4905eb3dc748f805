"""The metric of exercises that are solved by edits to files, whose tests run in the sandbox."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import get_test_cases, mark_unprotected
from helm.benchmark.metrics.frontier.edits import APPLY, EditError
from helm.benchmark.metrics.frontier.exercises import ExerciseTests
from helm.benchmark.metrics.frontier_metrics import answer_texts, extra_value
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError


class PolyglotEditsMetric(StateMetric):
    """Applies the edits of each completion, and runs the tests of the exercise, in a sandbox.

    Reads `files` and `edit_format` from the extra data, the tests from the reference. Emits `pass`, pass@1 over all completions
    (0 to 1, higher is better), and `edit_applied`, the share of the completions whose edits have the form that was asked for and
    can be applied; others do not pass. Neither does a program that ends before its tests have run, also with status 0.

    Args:
        language: a language of the scenario, whose compiler or interpreter has to be installed.
        timeout: limit in seconds for building and running the tests.

    Raises: ConfigError for another language, or one that is not installed; SandboxError without a sandbox.
    """

    waits_on_io = True
    described_stats = ("pass", "edit_applied")

    def __init__(self, language: str, timeout: float = 180.0):
        self._tests = ExerciseTests(language, timeout)

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        files, edit_format = extra_value(instance, "files"), extra_value(instance, "edit_format")
        if edit_format not in APPLY or not isinstance(files, dict):
            raise MetricError(f"Instance {instance.id}: extra_data has no files, or the edit format {edit_format!r}.")
        tests = get_test_cases(instance, instance.references[0])
        texts = answer_texts(request_state)
        if not texts:
            return []
        n = len(texts)
        applied, passed = 0, 0
        for text in texts:
            try:
                changed = APPLY[edit_format](text, files)
            except EditError:
                continue
            applied += 1
            passed += self._tests.run({**changed, **tests["files"]}, tests["test"]).passed
        values: NamedValues = [("pass", pass_at_k_estimator(n, passed, 1)), ("edit_applied", applied / n)]
        if n > 1:
            values.append((f"pass@{n}", pass_at_k_estimator(n, passed, n)))
        return values + mark_unprotected()
