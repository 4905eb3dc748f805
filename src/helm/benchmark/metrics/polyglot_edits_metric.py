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


# The same for compiled tests: the linker puts this around their `main`, which does not return when a solution ends the program.
_ENDING = """\
#include <string.h>
#include <unistd.h>
int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment) {
    char token[33];
    int out = dup(1), length = 0, status;
    while (length < 33 && read(0, token + length, 1) == 1) length++;
    status = __real_main(argc, argv, environment);
    if (!status && length == 33) {
        write(out, "\\n", 1);
        write(out, token, length);
    }
    return status;
}
"""


@dataclass(frozen=True)
class _Language:
    program: str
    """The program that has to be installed."""

    script: str
    """A fixed shell script that builds and runs the tests."""

    tells_end: bool = False
    """Whether each program of tests writes the token of the run when its tests have passed."""


_LANGUAGES: Mapping[str, _Language] = {
    "python": _Language("", ""),
    "cpp": _Language(
        "g++",
        "gcc -w -c ../ending.c -o ../ending.o && "
        "g++ -std=c++17 -DEXERCISM_RUN_ALL_TESTS -I. $(find . -name '*.cpp') ../ending.o -Wl,--wrap=main -o ../tests && "
        "exec ../tests",
        tells_end=True,
    ),
    # Go itself fails a test in which a program ends.
    "go": _Language("go", "exec env GOFLAGS=-mod=mod GOPROXY=off go test ./..."),
    "rust": _Language(
        "cargo",
        "gcc -w -c ../ending.c -o ../ending.o && "
        'RUSTFLAGS="-C link-arg=$PWD/../ending.o -C link-arg=-Wl,--wrap=main" '
        "exec cargo test --offline --quiet --test '*' -- --include-ignored",
        tells_end=True,
    ),
}


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
        if program and not run(["/bin/sh", "-c", f"command -v {program}"]).is_success:
            raise ConfigError(
                f"{shutil.which(program)} cannot be used in the sandbox, which does not see home folders: install {program} for "
                "all users."
            )

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
        token = secrets.token_hex(16)
        if self.language == "python":
            modules = [name.removesuffix(".py").replace("/", ".") for name in test_files]
            result = run(
                [get_sandbox().python, "run_tests.py", *modules],
                stdin=f"{token}\n".encode(),
                files={**files, "run_tests.py": _PYTHON},
                limits=limits,
            )
            lines = result.stdout.decode("utf-8", "replace").split("\n")
            return f"{token} True" in lines
        language = _LANGUAGES[self.language]
        script = f"cd exercise && {language.script}\n"
        inside = {f"exercise/{name}": content for name, content in files.items()}
        # Each file of tests is a program of its own in Rust; in C++ all are one.
        number = len(test_files) if self.language == "rust" else 1
        result = run(
            ["/bin/sh", "run.sh"],
            stdin=f"{token}\n".encode() * number,
            files={**inside, "run.sh": script, "ending.c": _ENDING},
            limits=limits,
        )
        told = result.stdout.decode("utf-8", "replace").split("\n").count(token)
        return result.is_success and (not language.tells_end or told >= number)
