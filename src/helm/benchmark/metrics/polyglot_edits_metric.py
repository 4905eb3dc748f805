"""The metric of exercises that are solved by edits to files, whose tests run in the sandbox."""

import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import get_test_cases, mark_unprotected
from helm.benchmark.metrics.frontier.edits import APPLY, EditError
from helm.benchmark.metrics.frontier_metrics import answer_texts, extra_value
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import ConfigError, MetricError, suggest
from helm.common.sandbox import SandboxLimits, get_sandbox, run

_MEMORY, _ADDRESS_SPACE = 2 << 30, 64 << 30

# Its last line is proof that the tests ran to their end: a solution that ends the program early does not know the token.
_PYTHON = """\
import sys, unittest
token = sys.stdin.readline().strip()
sys.stdin.close()
result = unittest.TextTestRunner(stream=sys.stderr).run(unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:]))
print(token, result.testsRun > 0 and result.wasSuccessful())
"""


@dataclass(frozen=True)
class _Language:
    program: str
    """The program that has to be installed."""

    script: str
    """A fixed shell script that builds and runs the tests."""


_LANGUAGES: Mapping[str, _Language] = {
    "python": _Language("", ""),
    "cpp": _Language(
        "g++",
        "g++ -std=c++17 -DEXERCISM_RUN_ALL_TESTS -I. $(find . -name '*.cpp') -o ../tests && exec ../tests",
    ),
    "go": _Language("go", "exec env GOFLAGS=-mod=mod GOPROXY=off go test ./..."),
    "rust": _Language("cargo", "exec cargo test --offline --quiet -- --include-ignored"),
}


class PolyglotEditsMetric(StateMetric):
    """Applies the edits of each completion, and runs the tests of the exercise, in a sandbox.

    Reads `files` and `edit_format` from the extra data, the tests from the reference. Emits `pass`, pass@1 over all completions
    (0 to 1, higher is better), and `edit_applied`, the share of the completions whose edits have the form that was asked for and
    can be applied; others do not pass. In other languages than Python, a program that ends early with status 0 passes.

    Args:
        language: a language of the scenario, whose compiler or interpreter has to be installed.
        timeout: limit in seconds for building and running the tests.

    Raises: ConfigError for another language, or one that is not installed; SandboxError without a sandbox.
    """

    waits_on_io = True
    described_stats = ("pass", "edit_applied")

    def __init__(self, language: str, timeout: float = 180.0):
        if language not in _LANGUAGES:
            known = ", ".join(_LANGUAGES)
            raise ConfigError(
                f"polyglot_edits has no language '{language}', only {known}.{suggest(language, _LANGUAGES)}"
            )
        program = _LANGUAGES[language].program
        if program and shutil.which(program) is None:
            raise ConfigError(f"Exercises in '{language}' need {program}, which is not installed.")
        self.language, self.timeout = language, float(timeout)
        get_sandbox()

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
            passed += self._passes({**changed, **tests["files"]}, tests["test"])
        values: NamedValues = [("pass", pass_at_k_estimator(n, passed, 1)), ("edit_applied", applied / n)]
        if n > 1:
            values.append((f"pass@{n}", pass_at_k_estimator(n, passed, n)))
        return values + mark_unprotected()

    def _passes(self, files: Mapping[str, str], test_files: list[str]) -> bool:
        limits = SandboxLimits(
            wall_s=self.timeout,
            memory_bytes=_MEMORY,
            address_space_bytes=_ADDRESS_SPACE,
            processes=256,
            scratch_bytes=1 << 30,
        )
        if self.language == "python":
            token = secrets.token_hex(16)
            modules = [name.removesuffix(".py").replace("/", ".") for name in test_files]
            result = run(
                [get_sandbox().python, "run_tests.py", *modules],
                stdin=f"{token}\n".encode(),
                files={**files, "run_tests.py": _PYTHON},
                limits=limits,
            )
            lines = result.stdout.decode("utf-8", "replace").split("\n")
            return f"{token} True" in lines
        script = f"cd exercise && {_LANGUAGES[self.language].script}\n"
        inside = {f"exercise/{name}": content for name, content in files.items()}
        return run(["/bin/sh", "run.sh"], files={**inside, "run.sh": script}, limits=limits).is_success
