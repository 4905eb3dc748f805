"""Harbor's tasks in a sandbox: what their environments have in common."""

import fnmatch
import posixpath
import re
import time
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from helm.agents.checks import Score
from helm.agents.environments.box import Box
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.rewards import combine_steps, goes_on, main_reward, read_rewards
from helm.agents.harbor.task import HarborStep, HarborTask
from helm.agents.tools.mcp_inside import server_inside
from helm.agents.tools.mcp_server import McpTools, as_tool_name
from helm.agents.tools.tool import Tool
from helm.common.agent_request import SANDBOX, VERIFIER, EpisodeLimits
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import Session, SessionRefused

if TYPE_CHECKING:
    from helm.agents.episode import Episode

REWARDS_FOLDER = "/logs/verifier"
ARTIFACTS_FOLDER = "/logs/artifacts"
SEPARATE = "separate"
"""The mode of a verifier with an environment of its own."""

_MAX_REWARD_BYTES = 1 << 20
_MAX_LOG_BYTES = 1 << 20
_MAX_ARTIFACTS = 1000
_MAX_ARTIFACT_BYTES = 64 << 20
_CONTROL_S = 30.0
_SETUP_S = 600.0
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


class HarborEnvironment(Box):
    """What the environments of Harbor's tasks have in common: files, the oracle, steps, and the verifier.

    Programs that the agent has left running go on while a shared verifier works, as in Harbor; they are stopped before the
    reward is read. A separate verifier works in a fresh environment, which gets the files that the task names as artifacts.

    Args:
        task: what is to be done.
        files: as of `Box`.
        workdir: as of `Box`.
    """

    task: HarborTask
    _limits: EpisodeLimits

    def set_task(self, task: HarborTask) -> None:
        """Say which task it is. Called once, by the constructor."""
        self.task, self.name = task, task.name
        self._wanted_servers = task.servers
        self._step = 0
        self._done: list[dict[str, float]] = []
        self._servers: list[McpTools] = []

    @abstractmethod
    def fill(self, session: Session) -> None:
        """Put what the environment's image holds into a fresh sandbox. Raises: SandboxError."""

    def start(self, limits: EpisodeLimits) -> None:
        self._limits = limits
        super().start(limits)
        self._do(lambda: self.fill(self.session))
        self._do(self._begin_step)

    def offered_tools(self) -> list[Tool]:
        """Return the tools of the environment and of the task's servers; a name that is taken gets the server's before it."""
        tools = super().offered_tools()
        taken = {tool.name for tool in tools}
        for described in map(self._expand_server, self._wanted_servers):
            server = server_inside(described, self.session)
            self._servers.append(server)
            for tool in server.open():
                if tool.name in taken:
                    tool.name = as_tool_name(f"{described['name']}_{tool.name}")
                taken.add(tool.name)
                tools.append(tool)
        return tools

    def take_servers(self) -> list[dict[str, Any]]:
        found, self._wanted_servers = self._wanted_servers, []
        return [self._expand_server(described) for described in found]

    def _expand_server(self, described: Mapping[str, Any]) -> dict[str, Any]:
        variables = {key: expand_variables(described.get(key) or {}, self.task.name) for key in ("env", "headers")}
        return {**described, **variables}

    def close(self) -> None:
        for server in self._servers:
            server.close()
        self._servers = []
        super().close()

    def open_verifier(self, verifier: Mapping[str, Any]) -> Session:
        """Return a fresh sandbox for a verifier that works apart. Raises: SandboxError."""
        session = self.open_session(self._limits)
        try:
            self.fill(session)
        except BaseException:
            session.close()
            raise
        return session

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "sha256": self.task.sha256}

    def solve(self, episode: "Episode") -> None:
        """Run the solution of the current step, as the oracle does. Raises: AgentError without one."""
        solution = self._current.solution
        if "solve.sh" not in solution:
            raise AgentError(f"{self.task.name} has no solution/solve.sh, so agents/oracle cannot do it.")
        environment = expand_variables(self.task.config["solution"]["env"], self.task.name)
        self._do(lambda: self._put(self.session, solution, "/solution"))
        exports = "".join(f"export {name}={_quoted(value)}; " for name, value in environment.items())
        episode.call_tool(
            "bash", {"command": f"{exports}cd {_quoted(self.workdir)} && sh /solution/solve.sh"}, requestor="script"
        )

    def next_step(self, episode: "Episode") -> str | None:
        if self._step + 1 >= len(self.task.steps):
            return None
        rewards, _ = self.verify()
        self._done.append(rewards)
        if not goes_on(rewards, self._current.config.get("min_reward")):
            return None
        self._step += 1
        self._do(self._begin_step)
        return self._current.instruction

    def score(self) -> Score:
        """Return the score of the whole task, after the last step that was reached. Raises: InfrastructureFailure."""
        steps, log = self.task.steps, ""
        if len(self._done) <= self._step:
            rewards, log = self.verify()
            self._done.append(rewards)
        if len(steps) == 1:
            return Score(main_reward(self._done[0]), _without_main(self._done[0]), log=log)
        found = combine_steps(self._done, len(steps), self.task.config.get("multi_step_reward_strategy"))
        by_step = {step.name: rewards for step, rewards in zip(steps, self._done, strict=False)}
        missing = [step.name for step in steps[len(self._done) :]]
        checks = {"steps": by_step, **({"not_reached": missing} if missing else {})}
        return Score(main_reward(found), _without_main(found), checks, log)

    def verify(self) -> tuple[dict[str, float], str]:
        """Run the verifier of the current step; return its rewards and what it printed.

        Raises: InfrastructureFailure if it leaves no reward, or if the sandbox has ended.
        """
        step = self._current
        verifier = step.config.get("verifier") or {}
        wall_s = float(verifier.get("timeout_sec", 600.0))
        environment = expand_variables(verifier.get("env") or {}, self.task.name)

        def run(session: Session, is_own: bool) -> tuple[bytes | None, bytes | None, str]:
            agent, session.user = session.user, 0
            try:
                for folder in (REWARDS_FOLDER, "/tests"):
                    session.make_folder(folder)
                    session.empty(folder)
                self._put(session, step.tests, "/tests")
                session.user = verifier.get("user", 0)
                if session.user != 0:
                    self._open_folder(session, REWARDS_FOLDER)
                done = session.run(
                    ["/tests/test.sh"], wall_s=wall_s, environment=environment, output_bytes=_MAX_LOG_BYTES
                )
                if done.status != "ok":
                    raise InfrastructureFailure(
                        VERIFIER, f"The verifier was ended: {done.status} (limit {wall_s:g} s)."
                    )
                session.user = 0
                if not is_own and self._step + 1 == len(self.task.steps):
                    session.stop_all()
                json_file, text_file = _read(session, "reward.json"), _read(session, "reward.txt")
                session.write(f"{REWARDS_FOLDER}/test-stdout.txt", done.output)
                session.empty("/tests")
            finally:
                session.user = agent
            return json_file, text_file, done.output.decode("utf-8", "replace")

        def run_apart() -> tuple[bytes | None, bytes | None, str]:
            self._collect(verifier)
            files = self._artifacts(step)
            if files is None:
                raise InfrastructureFailure(
                    VERIFIER, f"The artifacts are more than {_MAX_ARTIFACTS} files or {_MAX_ARTIFACT_BYTES >> 20} MiB."
                )
            session = self.open_verifier(verifier)
            try:
                session.write_all({path: (data, file_mode(data)) for path, data in files.items()})
                return run(session, True)
            finally:
                session.close()

        is_apart = verifier.get("environment_mode") == SEPARATE or bool(verifier.get("environment"))
        json_file, text_file, log = self._do(run_apart if is_apart else lambda: run(self.session, False))
        return read_rewards(json_file, text_file), log

    def _open_folder(self, session: Session, folder: str) -> None:
        user, session.user = session.user, 0
        session.run(["chmod", "777", folder], wall_s=_CONTROL_S)
        session.user = user

    def _collect(self, verifier: Mapping[str, Any]) -> None:
        """Run the commands that gather artifacts before a separate verifier. They may fail, as the agent's doing."""
        for item in verifier.get("collect") or ():
            self.session.run(["sh", "-c", item["command"]], wall_s=item["timeout_sec"])

    def artifacts(self) -> Mapping[str, bytes]:
        return self._do(lambda: self._artifacts(self._current)) or {}

    def _artifacts(self, step: HarborStep) -> dict[str, bytes] | None:
        """Return the files that the task names, and those in `ARTIFACTS_FOLDER`, by path; None if they are too many."""
        found: dict[str, bytes] = {}
        wanted = [*(self.task.config.get("artifacts") or ()), *(step.config.get("artifacts") or ()), ARTIFACTS_FOLDER]
        for item in wanted:
            source = item if isinstance(item, str) else item["source"]
            excluded = [] if isinstance(item, str) else item["exclude"]
            source = posixpath.normpath(posixpath.join(self.workdir, source))
            names = [name for name, _ in self.session.list_files(source, _MAX_ARTIFACTS + 1)]
            for name in names or [source]:
                inner = posixpath.relpath(name, source)
                if any(fnmatch.fnmatch(part, pattern) for pattern in excluded for part in (inner, *inner.split("/"))):
                    continue
                with suppress(SessionRefused):  # an artifact that the agent has not made
                    found[name] = self.session.read(name, _MAX_ARTIFACT_BYTES)
            if len(found) > _MAX_ARTIFACTS or sum(map(len, found.values())) > _MAX_ARTIFACT_BYTES:
                return None
        return found

    def _begin_step(self) -> None:
        config, step = self.task.config, self._current
        self.session.user = step.config.get("agent", {}).get("user") or config["agent"].get("user") or self.session.user
        self._put(self.session, step.workdir, self.workdir)
        if "setup.sh" in step.workdir:
            self.session.run(["sh", posixpath.join(self.workdir, "setup.sh")], wall_s=_SETUP_S)
        for check in (
            config["environment"].get("healthcheck") if self._step == 0 else None,
            step.config.get("healthcheck"),
        ):
            if check:
                self._wait_until_healthy(self.session, check)

    def _wait_until_healthy(self, session: Session, check: Mapping[str, Any]) -> None:
        """Run a health check until it succeeds. Raises: InfrastructureFailure."""
        began, failures, said = time.monotonic(), 0, ""
        while failures < max(1, check["retries"]):
            done = session.run(["sh", "-c", check["command"]], wall_s=check["timeout_sec"])
            if done.status == "ok" and done.returncode == 0:
                return
            said = done.output.decode("utf-8", "replace")[-300:]
            in_start = time.monotonic() - began < check["start_period_sec"]
            failures += not in_start
            if failures < max(1, check["retries"]):
                time.sleep(check["start_interval_sec"] if in_start else check["interval_sec"])
        raise InfrastructureFailure(SANDBOX, f"{self.task.name}: the environment's health check fails: {said.strip()}")

    @property
    def _current(self) -> HarborStep:
        return self.task.steps[self._step]

    def _put(self, session: Session, files: Mapping[str, bytes], folder: str) -> None:
        session.write_all(
            {
                posixpath.join(folder, name): (data, 0o755 if name.endswith(".sh") else file_mode(data))
                for name, data in files.items()
            }
        )

    def _do(self, action: Any) -> Any:
        try:
            return action()
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, f"{self.task.name}: {e}") from e


def expand_variables(values: Mapping[str, str], where: str) -> dict[str, str]:
    """Return variables with `${NAME:-default}` replaced by the default; nothing of this machine's environment is passed on.

    Raises: AgentError for a variable without default.
    """

    def expand(name: str, text: str) -> str:
        for match in _VARIABLE.finditer(text):
            if match[2] is None:
                raise AgentError(
                    f"{where}: {name} takes the variable {match[1]} of this machine, which tasks do not see. "
                    f"Write its value, or a default (${{{match[1]}:-...}}), into task.toml."
                )
        return _VARIABLE.sub(lambda match: match[2], text)

    return {name: expand(name, text) for name, text in values.items()}


def _read(session: Session, name: str) -> bytes | None:
    try:
        return session.read(f"{REWARDS_FOLDER}/{name}", _MAX_REWARD_BYTES)
    except SessionRefused:
        return None


def _without_main(rewards: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in rewards.items() if name != "reward"}


def file_mode(data: bytes) -> int:
    """Return the mode of a file by its content: scripts can be run."""
    return 0o755 if data[:2] == b"#!" else 0o644


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
