"""Whether an issue is resolved: which tests have to pass, and which must not break."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.agents.swe_bench.logs import FAILED, PASSED, SKIPPED, XFAIL

FULL, PARTIAL, NONE = "RESOLVED_FULL", "RESOLVED_PARTIAL", "RESOLVED_NO"
FAIL_ONLY = "fail_only"


@dataclass(frozen=True)
class Group:
    """Tests of one kind."""

    success: list[str]
    failure: list[str]

    @property
    def share(self) -> float:
        """The share that succeeds; 1 without tests."""
        total = len(self.success) + len(self.failure)
        return len(self.success) / total if total else 1.0


@dataclass(frozen=True)
class Report:
    """The verdict on a patch."""

    fail_to_pass: Group
    pass_to_pass: Group

    @property
    def resolution(self) -> str:
        """`FULL` if all tests succeed; `PARTIAL` if some that have to pass do, and none is broken."""
        fixed, kept = self.fail_to_pass.share, self.pass_to_pass.share
        if kept < 1 or fixed == 0:
            return NONE
        return FULL if fixed == 1 else PARTIAL


def make_report(
    states: Mapping[str, str],
    fail_to_pass: Sequence[str],
    pass_to_pass: Sequence[str],
    eval_type: str = "pass_and_fail",
) -> Report:
    """Return which tests succeed.

    Args:
        states: the state of each test after the patch, by its id.
        fail_to_pass: tests that have to pass.
        pass_to_pass: tests that must not fail; they may be skipped.
        eval_type: with `fail_only` a test succeeds unless it failed.
    """
    if eval_type == FAIL_ONLY:
        return Report(*(_group(states, tests, None, (FAILED,)) for tests in (fail_to_pass, pass_to_pass)))
    return Report(
        _group(states, fail_to_pass, (PASSED, XFAIL), ()),
        _group(states, pass_to_pass, (PASSED, XFAIL, SKIPPED), ()),
    )


def _group(states: Mapping[str, str], tests: Sequence[str], good: Sequence[str] | None, bad: Sequence[str]) -> Group:
    """Sort tests; with `good` those in these states succeed, else those not in the states `bad`."""

    def succeeds(state: str | None) -> bool:
        return state in good if good is not None else state not in bad

    found: dict[bool, list[str]] = {True: [], False: []}
    for test in tests:
        candidates = _candidates(states, test)
        verdicts = {succeeds(states[name]) for name in candidates} or {succeeds(None)}
        found[verdicts == {True}].append(test)
    return Group(found[True], found[False])


def _candidates(states: Mapping[str, str], test: str) -> list[str]:
    """Return the ids that a test's id stands for: itself, or those that begin with it if it is cut within brackets."""
    if test in states:
        return [test]
    is_cut = "[" in test and not test.endswith("]")
    return [name for name in states if name.startswith(test)] if is_cut else []
