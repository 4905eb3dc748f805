"""The metric of MultiPL-E: programs in other languages than Python, compiled and run in the sandbox."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import mark_unprotected
from helm.benchmark.metrics.frontier_metrics import answer_texts, extra_value
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import ConfigError, MetricError, suggest
from helm.common.sandbox import SandboxLimits, get_sandbox, run

_FENCE = re.compile(r"```[\w+#-]*[ \t]*\n(.*?)```", re.DOTALL)
_START_S = 3.0
_MEMORY, _ADDRESS_SPACE = 2 << 30, 64 << 30


@dataclass(frozen=True)
class Language:
    """How the programs of a language are run."""

    file: str
    """The file with the program."""

    script: str
    """A fixed shell script that compiles and runs it, and ends with its status."""

    @property
    def program(self) -> str:
        """The program that has to be installed."""
        return self.script.split()[0]


LANGUAGES: Mapping[str, Language] = {
    "cpp": Language("main.cpp", "g++ -std=c++17 -O1 main.cpp -o main && exec ./main"),
    "d": Language("main.d", "dmd -of=main main.d && exec ./main"),
    "go": Language("main_test.go", "go test main_test.go"),
    "hs": Language("main.hs", "runghc main.hs"),
    "jl": Language("main.jl", "julia main.jl"),
    "js": Language("main.js", "node main.js"),
    "lua": Language("main.lua", "lua main.lua"),
    "ml": Language("main.ml", "ocaml main.ml"),
    "php": Language("main.php", "php main.php"),
    "pl": Language("main.pl", "perl main.pl"),
    "r": Language("main.r", "Rscript main.r"),
    "rb": Language("main.rb", "ruby main.rb"),
    "rkt": Language("main.rkt", "racket main.rkt"),
    "rs": Language("main.rs", "rustc -A warnings main.rs -o main && exec ./main"),
    "scala": Language("main.scala", "scalac -d . main.scala && exec scala -cp . Problem"),
    "sh": Language("main.sh", "bash main.sh"),
    "swift": Language("main.swift", "swiftc main.swift -o main && exec ./main"),
    "ts": Language("main.ts", "tsc --target es5 --lib es5,dom,es2015 main.ts && exec node main.js"),
}
"""The languages by the name that the data set gives them."""


def make_program(prompt: str, completion: str, tests: str, stop_tokens: Sequence[str]) -> str:
    """Return the program of an answer.

    A completion is cut at the first stop token and follows the prompt. Of an answer with code blocks, the last one counts; the
    prompt is put in front of it only if the block lacks the prompt's last line, which begins the function.
    """
    blocks = _FENCE.findall(completion)
    if blocks:
        head = next((line.strip() for line in reversed(prompt.split("\n")) if line.strip()), "")
        body = blocks[-1] if head and head in blocks[-1] else prompt + blocks[-1]
        return f"{body}\n{tests}"
    ends = [place for token in stop_tokens if token and (place := completion.find(token)) >= 0]
    return f"{prompt}{completion[: min(ends)] if ends else completion}\n{tests}"


def passes(language: Language, program: str, timeout_s: float) -> bool:
    """Return whether a program compiles and ends with status 0, within seconds, in a sandbox."""
    limits = SandboxLimits(
        wall_s=timeout_s + _START_S,
        memory_bytes=_MEMORY,
        address_space_bytes=_ADDRESS_SPACE,
        processes=128,
        scratch_bytes=256 << 20,
    )
    files = {language.file: program, "run.sh": f"{language.script}\n"}
    return run(["/bin/sh", "run.sh"], files=files, limits=limits).is_success


class MultiPLEMetric(StateMetric):
    """Runs each completion with the tests of its instance, in a sandbox.

    Reads `prompt`, `tests` and `stop_tokens` from the extra data. Emits `pass`, pass@1 over all completions (0 to 1, higher is
    better), and with n > 1 completions `pass@n`. A program that ends early with status 0 passes, as in the original.

    Args:
        language: a name of `LANGUAGES`, whose compiler or interpreter has to be installed.
        timeout: limit in seconds for compiling and running.

    Raises: ConfigError for another language, or one that is not installed; SandboxError without a sandbox.
    """

    waits_on_io = True
    described_stats = ("pass",)

    def __init__(self, language: str, timeout: float = 15.0):
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ConfigError(
                f"MultiPL-E has no language '{language}' here, only {known}.{suggest(language, LANGUAGES)}"
            )
        self._language, self._timeout = LANGUAGES[language], float(timeout)
        if shutil.which(self._language.program) is None:
            raise ConfigError(f"Programs in '{language}' need {self._language.program}, which is not installed.")
        get_sandbox()

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        prompt, tests, stop_tokens = (extra_value(instance, name) for name in ("prompt", "tests", "stop_tokens"))
        if not isinstance(stop_tokens, list):
            raise MetricError(f"Instance {instance.id}: stop_tokens must be a list, not {stop_tokens!r}.")
        programs = [make_program(prompt, text, tests, stop_tokens) for text in answer_texts(request_state)]
        if not programs:
            return []
        passed = {program: passes(self._language, program, self._timeout) for program in dict.fromkeys(programs)}
        n, c = len(programs), sum(passed[program] for program in programs)
        values: NamedValues = [("pass", pass_at_k_estimator(n, c, 1))]
        if n > 1:
            values.append((f"pass@{n}", pass_at_k_estimator(n, c, n)))
        return values + mark_unprotected()
