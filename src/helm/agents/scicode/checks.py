"""Runs the tests of SciCode's steps in the sandbox, against the targets of its HDF5 file."""

import io
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from helm.agents.checks import Check, Score
from helm.agents.errors import InfrastructureFailure
from helm.agents.scicode.problem import EXTRA, SciCodeProblem
from helm.common.agent_request import VERIFIER
from helm.common.optional_dependencies import needs_extra
from helm.common.sandbox import SandboxLimits, get_sandbox, run

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_HARNESS = "scicode_harness.py"
_MEMORY, _ADDRESS_SPACE = 8 << 30, 64 << 30

# Numerical libraries start a thread for each core, which slows many small programs down.
_ENVIRONMENT = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class SciCodeCheck(Check):
    """Gives the share of the steps whose tests pass (0 to 1).

    A step is run with the code of all steps up to it. Steps that are given are not scored. `steps_passed` and `steps_scored`
    are their numbers.

    Args:
        tests: the tests of each scored step by its number: Python that uses `target`.
        targets: path of the HDF5 file with the targets.
        timeout: limit in seconds for the tests of one step.
    """

    def __init__(self, tests: Mapping[str, Sequence[str]], targets: str, timeout: float = 1800.0):
        self._tests = {number: list(texts) for number, texts in tests.items()}
        self._targets, self._timeout = targets, float(timeout)

    def score(self, episode: "Episode") -> Score:
        problem = episode.environment
        if not isinstance(problem, SciCodeProblem):
            raise InfrastructureFailure(VERIFIER, "SciCodeCheck needs the environment SciCodeProblem.")
        outcomes: dict[str, str] = {}
        code = problem.packages
        for step in problem.steps:
            number = step["number"]
            code += f"\n\n{problem.codes.get(number, '')}"
            if number in self._tests:
                targets = read_targets(self._targets, number)
                outcomes[number] = run_step(code, self._tests[number], number, targets, self._timeout)
        passed = sum(outcome == PASSED for outcome in outcomes.values())
        numbers = {"steps_passed": float(passed), "steps_scored": float(len(outcomes))}
        return Score(passed / len(outcomes) if outcomes else 0.0, numbers, {"steps": outcomes})


PASSED = "passed"


def run_step(code: str, tests: Sequence[str], number: str, targets: bytes, timeout_s: float) -> str:
    """Return `passed`, or why a step fails: `timeout`, `memory` and other limits, or the last line of its error.

    Raises: SandboxError if there is no sandbox; InfrastructureFailure if the targets cannot be read.
    """
    token = secrets.token_hex(16)
    limits = SandboxLimits(
        wall_s=timeout_s,
        memory_bytes=_MEMORY,
        address_space_bytes=_ADDRESS_SPACE,
        processes=64,
        scratch_bytes=256 << 20,
    )
    files: dict[str, bytes | str] = {
        "step.py": code,
        **{f"test_{i}.py": text for i, text in enumerate(tests)},
        "targets.h5": targets,
        _HARNESS: _harness(),
    }
    argv = [get_sandbox().python, _HARNESS, number, str(len(tests))]
    result = run(argv, stdin=f"{token}\n".encode(), files=files, limits=limits, environment=_ENVIRONMENT)
    lines = result.stdout.decode("utf-8", "replace").split("\n")
    said = result.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:300]
    if f"{token} unreadable" in lines:
        raise InfrastructureFailure(VERIFIER, f"The targets of step {number} cannot be read: {said}")
    if f"{token} {PASSED}" in lines:
        return PASSED
    if result.status != "ok":
        return result.status
    return said or f"ended with status {result.returncode} before its tests were done"


@cache
def _harness() -> bytes:
    return resources.files("helm.agents.scicode").joinpath(_HARNESS).read_bytes()


@cache
def read_targets(path: str, number: str) -> bytes:
    """Return an HDF5 file with the targets of one step. Raises: InfrastructureFailure if they are not there."""
    with needs_extra(EXTRA):
        import h5py
    copy = io.BytesIO()
    try:
        with h5py.File(path, "r") as whole, h5py.File(copy, "w") as part:
            whole.copy(whole[number], part, name=number)
    except (OSError, KeyError, RuntimeError) as e:
        raise InfrastructureFailure(VERIFIER, f"{path} has no targets of step {number}: {e}") from e
    return copy.getvalue()
