"""Harbor's tasks in a sandbox of this machine: the environment, the oracle, and the verifier of each step."""

import posixpath
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from helm.agents.checks import Check, Score
from helm.agents.environments.bubblewrap_box import BubblewrapBox
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.rewards import combine_steps, goes_on, main_reward, read_rewards
from helm.agents.harbor.task import HarborStep, read_task
from helm.common.agent_request import SANDBOX, VERIFIER, EpisodeLimits
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session import SessionRefused

if TYPE_CHECKING:
    from helm.agents.episode import Episode

REWARDS_FOLDER = "/logs/verifier"
_MAX_REWARD_BYTES = 1 << 20
_MAX_LOG_BYTES = 1 << 20
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


class HarborBox(BubblewrapBox):
    """The environment of a Harbor task whose Dockerfile is plain: it copies files and runs nothing.

    The image of its `FROM` is not used: programs are those of this machine. Processors are not limited; memory is. Programs of
    the agent and of the verifier have the same user id, and those that the agent has left running go on while the verifier
    works, as in Harbor; they are stopped before the reward is read.

    Args:
        task: the task's folder, or `demo/NAME` for one of this package.
        sha256: the digest of its files. A task that has changed since the run began is refused.
    """

    def __init__(self, task: str, sha256: str | None = None):
        self.task = read_task(task)
        if sha256 is not None and sha256 != self.task.sha256:
            raise AgentError(f"{task} has changed since this run began. Use a new suite.")
        config = self.task.config["environment"]
        try:
            image = self.task.plain_image()
        except NotPlain as e:
            raise AgentError(f"{task} cannot run in bubblewrap, because {e}; it needs docker or podman.") from e
        super().__init__(
            workdir="/app" if image.workdir == "/" else image.workdir,
            environment={**image.environment, **expand_variables(config["env"], task)},
            memory_mb=config.get("memory_mb") or 2048,
            storage_mb=min(config.get("storage_mb") or 256, 1024),
        )
        self.name = self.task.name
        self._image = image
        self._step = 0
        self._done: list[dict[str, float]] = []

    def start(self, limits: EpisodeLimits) -> None:
        super().start(limits)
        self._do(self._fill)
        self._do(lambda: self._put(self._current.workdir, self.workdir))

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "sha256": self.task.sha256, "image": self._image.base}

    def solve(self, episode: "Episode") -> None:
        """Run the solution of the current step, as the oracle does. Raises: AgentError without one."""
        solution = self._current.solution
        if "solve.sh" not in solution:
            raise AgentError(f"{self.task.name} has no solution/solve.sh, so agents/oracle cannot do it.")
        environment = expand_variables(self.task.config["solution"]["env"], self.task.name)
        self._do(lambda: self._put(solution, "/solution"))
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
        self._do(lambda: self._put(self._current.workdir, self.workdir))
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

        def run() -> tuple[bytes | None, bytes | None, str]:
            session = self.session
            for folder in (REWARDS_FOLDER, "/tests"):
                session.make_folder(folder)
                session.empty(folder)
            self._put(step.tests, "/tests")
            done = session.run(["/tests/test.sh"], wall_s=wall_s, environment=environment, output_bytes=_MAX_LOG_BYTES)
            if done.status != "ok":
                raise InfrastructureFailure(VERIFIER, f"The verifier was ended: {done.status} (limit {wall_s:g} s).")
            is_last = self._step + 1 == len(self.task.steps)
            if is_last:
                session.stop_all()
            json_file, text_file = self._read("reward.json"), self._read("reward.txt")
            session.write(f"{REWARDS_FOLDER}/test-stdout.txt", done.output)
            session.empty("/tests")
            return json_file, text_file, done.output.decode("utf-8", "replace")

        json_file, text_file, log = self._do(run)
        return read_rewards(json_file, text_file), log

    @property
    def _current(self) -> HarborStep:
        return self.task.steps[self._step]

    def _fill(self) -> None:
        for folder in self._image.folders:
            self.session.make_folder(folder)
        for path, data in self._image.files.items():
            self.session.write(path, data, _mode(data))

    def _put(self, files: Mapping[str, bytes], folder: str) -> None:
        for name, data in files.items():
            self.session.write(posixpath.join(folder, name), data, 0o755 if name.endswith(".sh") else _mode(data))

    def _read(self, name: str) -> bytes | None:
        try:
            return self.session.read(f"{REWARDS_FOLDER}/{name}", _MAX_REWARD_BYTES)
        except SessionRefused:
            return None

    def _do(self, action: Any) -> Any:
        try:
            return action()
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, f"{self.task.name}: {e}") from e


class HarborCheck(Check):
    """Runs the verifier of the episode's Harbor task."""

    def score(self, episode: "Episode") -> Score:
        environment = episode.environment
        if not isinstance(environment, HarborBox):
            raise InfrastructureFailure(VERIFIER, "HarborCheck needs a HarborBox.")
        return environment.score()


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


def _without_main(rewards: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in rewards.items() if name != "reward"}


def _mode(data: bytes) -> int:
    return 0o755 if data[:2] == b"#!" else 0o644


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
