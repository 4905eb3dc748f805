"""Decides in a fresh container whether an agent's changes resolve an issue."""

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helm.agents.checks import Check, Score
from helm.agents.environments.box import Box
from helm.agents.errors import InfrastructureFailure
from helm.agents.swe_bench.logs import read_log
from helm.agents.swe_bench.patches import submitted_patch
from helm.agents.swe_bench.reports import FULL, NONE, make_report
from helm.common.agent_request import SANDBOX, VERIFIER
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import Session

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_GIT_S = 120.0
_MAX_PATCH_BYTES = 16 << 20
_MAX_LOG_BYTES = 8 << 20
_PATCH, _SCRIPT = "/tmp/helm-patch.diff", "/tmp/helm-eval.sh"
_APPLY = (
    ["git", "apply", "--verbose", _PATCH],
    ["git", "apply", "--verbose", "--reject", _PATCH],
    ["patch", "--batch", "--fuzz=5", "-p1", "-i", _PATCH],
)
"""Ways to apply a patch, of which the first that works counts."""


class SweBenchCheck(Check):
    """Takes the difference to the base commit, applies it in a fresh container, and runs the tests there.

    Binary files and files that the tests bring do not count. An empty patch, one that does not apply, and tests that do not come
    to an end after it are no solution.

    Args:
        base_commit: what the agent began with.
        eval_script: restores the tests, runs them between two marks, and cleans up.
        log_parser: the name of what reads their output; see `parse_log`.
        fail_to_pass: tests that have to pass.
        pass_to_pass: tests that must not fail.
        test_patch: what the tests bring.
        eval_type: as of `make_report`.
        seconds: longest time of the script.
    """

    def __init__(
        self,
        base_commit: str,
        eval_script: str,
        log_parser: str,
        fail_to_pass: Sequence[str],
        pass_to_pass: Sequence[str],
        test_patch: str = "",
        eval_type: str = "pass_and_fail",
        seconds: float = 1800.0,
    ):
        self._base_commit, self._eval_script, self._log_parser = base_commit, eval_script, log_parser
        self._fail_to_pass, self._pass_to_pass = list(fail_to_pass), list(pass_to_pass)
        self._test_patch, self._eval_type, self._seconds = test_patch, eval_type, seconds

    def score(self, episode: "Episode") -> Score:
        box = episode.environment
        if not isinstance(box, Box):
            raise InfrastructureFailure(VERIFIER, "SweBenchCheck needs an environment with files and a shell.")
        try:
            patch = self._read_patch(box)
            if not patch.strip():
                return self._verdict("empty_patch", "")
            session = box.open_session(episode.request.limits)
            try:
                return self._evaluate(session, box.workdir, patch)
            finally:
                session.close()
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e

    def _read_patch(self, box: Box) -> str:
        session = box.session
        session.user = 0
        git = ["git", "-c", "safe.directory=*", "-c", "core.fileMode=false"]
        added = session.run([*git, "add", "--all"], wall_s=_GIT_S, folder=box.workdir)
        options = ["--cached", "--no-color", "--no-ext-diff", "--no-textconv"]
        found = session.run(
            [*git, "diff", *options, self._base_commit],
            wall_s=_GIT_S,
            folder=box.workdir,
            output_bytes=_MAX_PATCH_BYTES,
        )
        if added.returncode != 0 or found.returncode != 0 or len(found.output) >= _MAX_PATCH_BYTES:
            return ""  # the agent has broken the repository, or added more than anybody would review
        return submitted_patch(found.output.decode("utf-8", "surrogateescape"), self._test_patch)

    def _evaluate(self, session: Session, workdir: str, patch: str) -> Score:
        session.user = 0
        session.write(_PATCH, patch.encode("utf-8", "surrogateescape"))
        session.write(_SCRIPT, self._eval_script.encode(), 0o755)
        said = ""
        for command in _APPLY:
            done = session.run(command, wall_s=_GIT_S, folder=workdir)
            said = done.output.decode("utf-8", "replace")
            if done.status == "ok" and done.returncode == 0:
                break
        else:
            return self._verdict("patch_does_not_apply", said)
        done = session.run(
            ["/bin/bash", _SCRIPT],
            wall_s=self._seconds,
            folder=posixpath.normpath(workdir),
            output_bytes=_MAX_LOG_BYTES,
        )
        log = done.output.decode("utf-8", "replace")
        if done.status != "ok":
            return self._verdict("tests_timed_out", log)
        states, is_usable = read_log(log, self._log_parser)
        if not is_usable:
            return self._verdict("log_unusable", log)
        report = make_report(states, self._fail_to_pass, self._pass_to_pass, self._eval_type)
        checks = {
            "resolution": report.resolution,
            "fail_to_pass": {"success": report.fail_to_pass.success, "failure": report.fail_to_pass.failure},
            "pass_to_pass": {"failure": report.pass_to_pass.failure},
        }
        shares = {"fail_to_pass": report.fail_to_pass.share, "pass_to_pass": report.pass_to_pass.share}
        return Score(float(report.resolution == FULL), shares, checks, log)

    def _verdict(self, why: str, log: str) -> Score:
        return Score(0.0, {}, {"resolution": NONE, "why": why}, log)
