"""Whether two mathematical answers are the same value, by the package math-verify."""

import importlib.util
import json
import subprocess
import sys
import threading
from typing import Any

from helm.benchmark.metrics.frontier_metrics import FinalAnswerMetric, correct_texts
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.optional_dependencies import needs_extra
from helm.common.pipes import wait_until_ready

_START_S = 60.0
_WORKER = "helm.benchmark.metrics.frontier.math_worker"
_LONGEST_ANSWER = 1 << 16
"""Characters; the answer is at the end."""


class MathVerifier:
    """Compares answers in a process of its own, which is started when it is needed, and again when it dies.

    Args:
        timeout_s: the limit in seconds for one pair.
    """

    def __init__(self, timeout_s: float = 30.0):
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def verify(self, gold: str, answer: str) -> bool | None:
        """Return whether an answer has the value of the gold one; None if that cannot be found out in time.

        Args:
            gold: LaTeX, with or without dollar signs.
            answer: a text; its last boxed or final expression counts.
        """
        gold = gold if "$" in gold or "\\boxed" in gold else f"${gold}$"
        task = json.dumps({"gold": gold, "answer": answer[-_LONGEST_ANSWER:]})
        with self._lock:
            is_new = self._process is None
            process = self._process = self._process or _start()
            reply = _exchange(process, task, self._timeout_s + (_START_S if is_new else 0))
            if reply is None:
                self._end()
            return reply

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def __del__(self) -> None:
        if self._process is not None:
            self._process.kill()


def _start() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", _WORKER]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, text=True, start_new_session=True, **pipes)


def _exchange(process: "subprocess.Popen[str]", task: str, timeout_s: float) -> bool | None:
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(task + "\n")
        process.stdin.flush()
        if not wait_until_ready(process.stdout, timeout_s):
            return None
        return bool(json.loads(process.stdout.readline())["correct"])
    except (OSError, ValueError):
        return None  # it has died


class MathVerifyMetric(FinalAnswerMetric):
    """Compares the last boxed or final expression of an answer with the correct reference, as math-verify does.

    Numbers have to agree to six decimals; sets, tuples, intervals, matrices and relations are compared as such, and a percentage
    is a hundredth. Emits `math_verified`, 0 or 1, and `math_undecided`, 1 if no verdict was found in time, which counts as wrong.

    Raises: OptionalDependencyNotInstalled without the extra `math`.
    """

    waits_on_io = True
    described_stats = ("math_verified", "math_undecided")

    def __init__(self) -> None:
        with needs_extra("math"):
            if importlib.util.find_spec("math_verify") is None:
                raise ModuleNotFoundError("No module named 'math_verify'", name="math_verify")
        self._verifier = MathVerifier()

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        verdicts = [self._verifier.verify(gold, text) for gold in correct_texts(instance)]
        is_undecided = True not in verdicts and None in verdicts
        return [("math_verified", int(True in verdicts)), ("math_undecided", int(is_undecided))]
