"""Outside agents: programs that run in the environment, and reach the model of the run by the bridge."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from helm.agents import events
from helm.agents.agents.agent import Agent
from helm.agents.agents.program_servers import add_servers
from helm.agents.agents.programs import FoundProgram, find_program
from helm.agents.bridge.server import Bridge
from helm.agents.environments.environment import Environment, ProgramEnd, ProgramEnvironment
from helm.agents.episode import Episode
from helm.agents.errors import AgentError, InfrastructureFailure, LimitReached
from helm.common.agent_request import HARNESS, LimitHit
from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml

_PORT = 11199
"""The port inside. It is the same in all episodes, because programs may mention it to the model."""

_PLACEHOLDER = re.compile(r"\{(instruction|url|token|model|workdir)\}")
_MODEL = "model"
_VERSION_S = 60.0
_MAX_OUTPUT = 4000


class CommandLineAgent(Agent):
    """A program that acts by itself. Its calls of a model are answered by the model of the run, and are those of the episode.

    The program and its libraries are installed on this machine; the environment shows them to it, read-only. It gets the texts
    of the task, and everything it prints is recorded. Its exit status counts for nothing once it has asked the model.

    Args:
        program: a name of `programs.yaml`, which gives all of the following.
        command: the program and its arguments, in which `{instruction}`, `{url}`, `{token}`, `{model}` and `{workdir}` are
            replaced.
        executable: name or path of the program on this machine, if it is not to be that of the command.
        environment: variables, with the same replacements. Those of OpenAI, Anthropic and Google for addresses and keys are set
            anyway.
        files: maps absolute paths inside to texts, with the same replacements.
        folders: further paths of this machine that the program needs.
        model: the name of the model that the program is told. Whatever it asks for, the deployment of the run answers.
        memory_mb: what the program needs at least, in MiB.
        version: a command that prints the version, which is recorded.
        install: how to install the program; for the message if it is missing.
        volatile: regular expressions of what differs from run to run in the program's requests, such as random names and
            times; an interrupted episode finds its recorded answers without it.
    """

    asks_for_calls = False

    def __init__(
        self,
        program: str | None = None,
        command: Sequence[str] | None = None,
        executable: str | None = None,
        environment: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
        folders: Sequence[str] = (),
        model: str = _MODEL,
        memory_mb: int = 2048,
        version: Sequence[str] | None = None,
        install: str | None = None,
        volatile: Sequence[str] = (),
    ):
        known: Mapping[str, Any] = {}
        if program is not None:
            if program not in read_programs():
                names = ", ".join(read_programs())
                raise AgentError(
                    f"CommandLineAgent: program takes {names}, not '{program}'.{suggest(program, read_programs())}"
                )
            known = read_programs()[program]
        self._command = list(command or known.get("command") or ())
        if not self._command:
            raise AgentError("CommandLineAgent: name either a program or a command.")
        self._executable = executable or known.get("executable") or self._command[0]
        self._environment = {**known.get("environment", {}), **(environment or {})}
        self._files = {**known.get("files", {}), **(files or {})}
        self._version = list(version or known.get("version") or ())
        self._install = install or known.get("install")
        self._servers: Mapping[str, Any] | None = known.get("servers")
        self._volatile = [*known.get("volatile", ()), *volatile]
        for pattern in self._volatile:
            try:
                re.compile(pattern)
            except re.error as e:
                raise AgentError(f"CommandLineAgent: volatile takes regular expressions, not '{pattern}': {e}.") from e
        self._folders, self._model, self._memory_mb = list(folders), model, memory_mb
        self._num_read = 0

    def check_machine(self) -> None:
        self._find()

    def prepare(self, environment: Environment | None) -> None:
        environment = _as_program_environment(environment)
        servers = environment.take_servers()
        if servers:
            if self._servers is None:
                names = ", ".join(str(server["name"]) for server in servers)
                able = ", ".join(name for name, known in read_programs().items() if "servers" in known)
                raise AgentError(
                    f"The task gives its agent the tools of servers of MCP ({names}), of which this program is not told. Use "
                    f"{able}, or an agent such as ReactLoop."
                )
            self._files, more = add_servers(self._servers, self._files, servers)
            self._command += more
        found = self._find()
        environment.share([*found.shared, *self._folders], self._memory_mb)

    def run(self, episode: Episode) -> None:
        environment = _as_program_environment(episode.environment)
        found = self._find()
        told = "\n\n".join(_text_of(message) for message in episode.messages[self._num_read :])
        listener = environment.listen(_PORT)
        with Bridge(episode, listener, environment.interrupt, self._volatile) as bridge:
            words = {
                "instruction": told,
                "url": f"http://127.0.0.1:{_PORT}",
                "token": bridge.token,
                "model": self._model,
                "workdir": environment.workdir,
            }
            variables = self._variables(words, found)
            for path, text in self._files.items():
                environment.put(path, _fill(text, words).encode())
            version = self._read_version(environment, found, variables)
            argv = [found.path, *(_fill(word, words) for word in self._command[1:])]
            end = environment.run_program(argv, variables, episode.limit_left_s)
            bridge.error = bridge.error or _limit_of(end, episode)
        output = end.output.replace(bridge.token, "[token]")
        details = {
            "command": self._command, "version": version, "status": end.status, "returncode": end.returncode,
            "output": output[-_MAX_OUTPUT:],
        }  # fmt: skip
        episode.log.add(events.ENVIRONMENT, action="program", elapsed_s=round(end.elapsed_s, 6), details=details)
        if bridge.error is not None:
            raise bridge.error
        if end.returncode != 0 and not episode.counts.turns:
            said = output[-500:].strip()
            raise InfrastructureFailure(
                HARNESS, f"The program ended with status {end.returncode} before it asked the model: {said}"
            )
        episode.messages.append({"role": "assistant", "content": episode.answer or ""})
        self._num_read = len(episode.messages)

    def _find(self) -> FoundProgram:
        found = find_program(self._executable)
        if found is None:
            how = f" Install it with: {self._install}." if self._install else ""
            raise ConfigError(f"The agent's program {self._executable} is not on this machine.{how}")
        return found

    def _variables(self, words: Mapping[str, str], found: FoundProgram) -> dict[str, str]:
        folders = [*found.folders, "/usr/local/bin", "/usr/bin", "/bin"]
        given = {**_read_data()["variables"], **self._environment}
        return {"PATH": ":".join(folders), **{name: _fill(text, words) for name, text in given.items()}}

    def _read_version(
        self, environment: ProgramEnvironment, found: FoundProgram, variables: Mapping[str, str]
    ) -> str | None:
        if not self._version:
            return None
        end = environment.run_program([found.path, *self._version[1:]], variables, _VERSION_S)
        return end.output.strip()[:200] if end.returncode == 0 else None


def read_programs() -> dict[str, dict[str, Any]]:
    """Return the programs that are known by a name."""
    found: dict[str, dict[str, Any]] = _read_data()["programs"]
    return found


@cache
def _read_data() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = load_yaml(str(resources.files("helm.agents.agents").joinpath("programs.yaml")))
    return found


def _as_program_environment(environment: Environment | None) -> ProgramEnvironment:
    if not isinstance(environment, ProgramEnvironment):
        name = type(environment).__name__ if environment is not None else "none"
        raise AgentError(
            f"CommandLineAgent needs an environment in which programs run, such as BubblewrapBox; this is {name}."
        )
    return environment


def _limit_of(end: ProgramEnd, episode: Episode) -> LimitReached | None:
    """Return the limit that has ended the program, if any."""
    if end.status == "timeout":
        limit = episode.request.limits.seconds
        return LimitReached(LimitHit("seconds", limit, round(episode.log.elapsed_s, 3)))
    return None


def _text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return str(content or "")


def _fill(text: str, words: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: words[match[1]], text)
