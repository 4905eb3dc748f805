"""Runs BigCodeBench's tests on a model's programs, in the local sandbox or on a service."""

import json
import os
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.common.concurrency import parallel_map
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.optional_dependencies import needs_extra
from helm.common.request import RequestResult
from helm.common.sandbox import get_sandbox, is_protected
from helm.common.sandbox.harness import run_harness

TIMEOUT_S = 120.0
# Tests import pandas, matplotlib or TensorFlow; less memory fails correct programs.
_MEMORY_BYTES = 4 << 30


class BigCodeBenchError(HelmError):
    """The tests of a task could not be run, which says nothing about the program."""


def code_extract(text: str) -> str:
    """Return the longest run of consecutive lines of an answer that parses as a program, not counting empty lines.

    HELM: at least two lines; without any, the first line of the answer.
    """
    lines = text.split("\n")
    filled = [0]
    for line in lines:
        filled.append(filled[-1] + bool(line.strip()))
    spans = [(first, last) for first in range(len(lines)) for last in range(first + 1, len(lines))]
    # The longest first, ties in text order, so the first that parses is the answer.
    spans.sort(key=lambda span: filled[span[0]] - filled[span[1] + 1])
    for first, last in spans:
        if filled[last + 1] == filled[first]:
            break
        candidate = "\n".join(lines[first : last + 1])
        if syntax_check(candidate):
            return candidate
    return lines[0]


def syntax_check(code: str, verbose: bool = False) -> bool:
    """Whether a text parses as a program of Python. `verbose` logs why it does not."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as e:
        if verbose:
            hwarn(f"The program does not parse: {e}")
        return False
    return True


class BigCodeBenchAnnotator(Annotator):
    """Determines, for each answer, whether its program passes all tests of its task.

    The annotation is `pass_at_one`, true, false, or None when it could not be found out, with the reason in `error`.

    Without an endpoint, programs run in the sandbox. The instance's extra data then holds the task: `test` (it defines
    `TestCases`), and perhaps `code_prompt` (imports and signature, put in front) and `libs` (packages that the tests
    need; when one of them is not installed here the outcome is None).

    With an endpoint, all programs are sent to it; it speaks the protocol of BigCodeBench's evaluator.

    Args:
        endpoint: URL of an evaluation service; in `credentials.conf`: `bigcodebenchEndpoint`.
        api_key: for it; `bigcodebenchApiKey`.
    """

    name = "bigcodebench"
    use_global_metric = True

    def __init__(self, api_key: str | None = None, endpoint: str | None = None):
        self._api_key, self._endpoint = api_key, endpoint
        if not endpoint:
            get_sandbox()  # fail now rather than after all requests have been sent

    def annotate(self, request_state: RequestState) -> Any:
        """Annotate a single request, which works only in the sandbox but gives the same result."""
        return self.annotate_all([request_state])[0][self.name]

    def annotate_all(self, request_states: list[RequestState]) -> list[Any]:
        """Annotate all requests. HELM: each annotation is a dict with this annotator's name as its key."""
        programs = [code_extract(_get_only_text(state)) for state in request_states]
        if self._endpoint:
            outcomes = self._ask_service(request_states, programs)
        else:
            pairs = list(zip(request_states, programs, strict=True))
            outcomes = parallel_map(
                lambda pair: self._run_tests(*pair), pairs, os.cpu_count() or 1, description="tests"
            )
        num_unknown = sum(outcome["pass_at_one"] is None for outcome in outcomes)
        if num_unknown:
            hwarn(
                f"BigCodeBench: {num_unknown} of {len(outcomes)} programs could not be tested, see their annotations."
            )
        return [{self.name: outcome} for outcome in outcomes]

    # --- in the sandbox -----------------------------------------------------------------------------------------------

    def _run_tests(self, state: RequestState, program: str) -> dict[str, Any]:
        task = state.instance.extra_data or {}
        if not task.get("test"):
            raise BigCodeBenchError(
                f"Instance {state.instance.id} has no tests in its extra data ('test'). To run them here, add tests=sandbox to "
                "the run entry; to have a service run them, name it in credentials.conf: bigcodebenchEndpoint."
            )
        source = f"{program}\n{task['test']}\n"
        if task.get("code_prompt"):
            source = f"{task['code_prompt']}\n    pass\n{source}"
        token = secrets.token_hex(32)
        message = {"program": source, "token": token, "timeout_s": TIMEOUT_S}
        package, harness = "helm.benchmark.annotation", "code_harness_unittest.py"
        outcome = run_harness(package, harness, message, TIMEOUT_S, memory_bytes=_MEMORY_BYTES)
        annotation = self._read_outcome(outcome.status, outcome.stdout, token, task)
        return annotation if is_protected() else {**annotation, "unprotected": True}

    @staticmethod
    def _read_outcome(status: str, said: bytes, token: str, task: Mapping[str, Any]) -> dict[str, Any]:
        if status == "ok" and said == token.encode():
            return {"pass_at_one": True}
        report: dict[str, Any] = {"failed": f"ended by {status}" if status != "ok" else "it ended before its tests did"}
        try:
            parsed = json.loads(said)
            report = parsed if isinstance(parsed, dict) and "failed" in parsed else report
        except (ValueError, RecursionError):
            pass
        missing = str(report.get("missing") or "").split(".")[0]
        if missing and missing in _list_packages(task.get("libs")):
            return {"pass_at_one": None, "error": f"The tests need the package {missing}, which is not installed here."}
        return {"pass_at_one": False, "error": str(report["failed"])[:1500].replace(token, "")}

    # --- on a service -------------------------------------------------------------------------------------------------

    def _ask_service(self, states: Sequence[RequestState], programs: Sequence[str]) -> list[dict[str, Any]]:
        with needs_extra("bigcodebench"):
            from gradio_client import Client, handle_file
        ids = [state.instance.id or "" for state in states]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "samples.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                for task_id, program in zip(ids, programs, strict=True):
                    file.write(json.dumps({"task_id": task_id, "solution": program}) + "\n")
            try:
                answer = Client(self._endpoint, hf_token=self._api_key).predict(
                    split="instruct",
                    subset="full",
                    samples=handle_file(path),
                    pass_k="1",
                    api_name="/predict",
                    selective_evaluate=",".join(task_id.split("/")[-1] for task_id in ids),
                )
                results = answer[0]["eval"]
            except Exception as error:  # the service's client may raise anything
                raise BigCodeBenchError(
                    f"The service {self._endpoint} failed: {type(error).__name__}: {error}"
                ) from error
        return [_read_service_result(results.get(task_id)) for task_id in ids]


def _read_service_result(result: Any) -> dict[str, Any]:
    try:
        return {"pass_at_one": result[0]["status"] == "pass"}
    except (TypeError, LookupError):
        return {"pass_at_one": None, "error": "The service gave no result for this task."}


def _list_packages(libs: Any) -> list[str]:
    """Return the packages, which BigCodeBench stores as a list, or as the text of one."""
    import ast

    if isinstance(libs, str):
        try:
            libs = ast.literal_eval(libs)
        except (ValueError, SyntaxError):
            return []
    return [str(name) for name in libs] if isinstance(libs, (list, tuple)) else []


def _get_only_text(state: RequestState) -> str:
    completions = state.result.completions if isinstance(state.result, RequestResult) else []
    if len(completions) != 1:
        raise BigCodeBenchError(
            f"Instance {state.instance.id}: one completion is expected (num_outputs=1), there are {len(completions)}."
        )
    return completions[0].text
