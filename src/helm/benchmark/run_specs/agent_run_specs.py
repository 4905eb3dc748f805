"""Run specs of agents on tasks of one's own, and what all run specs of agents are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_AGENT, AdapterSpec, AgentSpec
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.benchmark.specs import MetricSpec
from helm.common.errors import ConfigError, suggest
from helm.common.executor_spec import ExecutorSpec
from helm.common.object_spec import ObjectSpec

AGENTS_PACKAGE = "helm.agents"
"""Where the classes of agents are."""

AGENT_NAMES = {
    "react": "ReactLoop",
    "single_turn": "SingleTurnToolUse",
    "conversation": "ConversationLoop",
    "one_command": "OneCommandPerTurn",
    "oracle": "OracleAgent",
    "random": "RandomAgent",
    "nothing": "NothingAgent",
}
"""Short names of agents for run entries. Any other class is named by its path."""

_PROGRAM = "cli:"
"""Before the name of an outside program; see `helm.agents.agents.command_line`."""


def get_agent_adapter_spec(
    agent: str | None = None,
    turns: int | None = None,
    seconds: float | None = None,
    tool_calls: int | None = None,
    max_tokens: int = 4096,
    seed: int | None = None,
    user: ObjectSpec | None = None,
) -> AdapterSpec:
    """Return the adapter spec of a run of agents.

    Args:
        agent: one of `AGENT_NAMES`, `cli:` and the name of an outside program, or a class path; None leaves it to the task.
        turns: limit of the calls of the model; None leaves it to the task.
        seconds: limit of the wall time of an episode; None leaves it to the task.
        tool_calls: limit of the tool calls of an episode.
        max_tokens: largest number of tokens of one answer of the model.
        seed: of the agent's own choices and of the model's draws.
        user: arguments for the task's simulated user.
    Raises: ConfigError for an unknown agent.
    """
    limits = {"turns": turns, "seconds": seconds, "tool_calls": tool_calls}
    given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    spec = AgentSpec(agent=_agent_spec(agent), limits=given or None, seed=seed, user=user)
    bare = get_promptless_adapter_spec(ADAPT_AGENT)
    return AdapterSpec(**{**vars(bare), "max_tokens": max_tokens, "temperature": 0.0, "agent": spec})


def _agent_spec(agent: str | None) -> ObjectSpec | None:
    if agent is None:
        return None
    if agent.startswith(_PROGRAM):
        return ObjectSpec(f"{AGENTS_PACKAGE}.agents.CommandLineAgent", {"program": agent.removeprefix(_PROGRAM)})
    if agent not in AGENT_NAMES and "." not in agent:
        known = ", ".join(AGENT_NAMES)
        raise ConfigError(
            f"agent takes {known}, {_PROGRAM}NAME, or a class path, not '{agent}'.{suggest(agent, AGENT_NAMES)}"
        )
    return ObjectSpec(f"{AGENTS_PACKAGE}.agents.{AGENT_NAMES[agent]}" if agent in AGENT_NAMES else agent)


def get_agent_metric_specs(success_at: float = 1.0) -> list[MetricSpec]:
    """Return the metrics of agents. `success_at` is the reward of a success."""
    args: dict[str, Any] = {} if success_at == 1.0 else {"success_at": success_at}
    return [MetricSpec(f"{AGENTS_PACKAGE}.metrics.{name}", args) for name in ("AgentMetric", "AgentRunMetric")]


def get_agent_executor_spec(retries: int = 1, max_environments: int | None = None) -> ExecutorSpec:
    """Return the executor of agents; see `helm.agents.executor.AgentExecutor`."""
    args: dict[str, Any] = {} if retries == 1 else {"retries": retries}
    if max_environments is not None:
        args["max_environments"] = max_environments
    return ExecutorSpec(f"{AGENTS_PACKAGE}.executor.AgentExecutor", args)


def get_agent_run_spec(
    entry: str,
    shown: str,
    scenario: str,
    args: dict[str, Any],
    adapter_spec: AdapterSpec,
    success_at: float = 1.0,
    retries: int = 1,
    max_environments: int | None = None,
    metrics: Sequence[MetricSpec] = (),
) -> RunSpec:
    """Return a run of agents.

    Args:
        entry: the name of the run entry, which is also its group.
        shown: what of its arguments is part of the run's name.
        scenario: the class of the scenario, below `helm.agents`.
        args: of the scenario.
        adapter_spec: of the run.
        success_at: reward of a success.
        retries: how often an episode is tried again.
        max_environments: largest number of environments at the same time.
        metrics: besides those of all agents.
    """
    return RunSpec(
        name=f"{entry}:{shown}" if shown else entry,
        scenario_spec=ScenarioSpec(f"{AGENTS_PACKAGE}.{scenario}", args),
        adapter_spec=adapter_spec,
        metric_specs=[*get_agent_metric_specs(success_at), *metrics],
        groups=[entry],
        executor_spec=get_agent_executor_spec(retries, max_environments),
    )


@run_spec_function("agent_tasks")
def get_agent_tasks_spec(
    path: str,
    agent: str | None = None,
    turns: int | None = None,
    seconds: float | None = None,
    tool_calls: int | None = None,
    max_tokens: int = 4096,
    seed: int | None = None,
    success_at: float = 1.0,
    retries: int = 1,
    max_environments: int | None = None,
) -> RunSpec:
    """Tasks for agents in a YAML file of one's own.

    Args:
        path: the file; see `helm.agents.scenarios.task_file_scenario`.
        agent: how the model is driven: react, one_command and others, cli:NAME for an outside program, or a class path.
            Default: as the tasks say.
        turns: limit of the calls of the model in an episode.
        seconds: limit of the wall time of an episode.
        tool_calls: limit of the tool calls of an episode.
        max_tokens: largest number of tokens of one answer of the model.
        seed: of the agent's own choices and of the model's draws.
        success_at: reward of a success.
        retries: how often an episode is tried again after a failure that is not the agent's.
        max_environments: largest number of environments at the same time.
    """
    shown = f"path={path}" + (f",agent={agent}" if agent is not None else "")
    return get_agent_run_spec(
        "agent_tasks",
        shown,
        "scenarios.task_file_scenario.TaskFileScenario",
        {"path": path},
        get_agent_adapter_spec(agent, turns, seconds, tool_calls, max_tokens, seed),
        success_at=success_at,
        retries=retries,
        max_environments=max_environments,
    )


@run_spec_function("terminal_tasks")
def get_terminal_tasks_spec(
    path: str | None = None,
    dataset: str | None = None,
    registry: str | None = None,
    tasks: str | None = None,
    only_plain: bool = False,
    environment: str = "auto",
    network: bool = False,
    pull: bool = False,
    agent: str | None = None,
    turns: int | None = None,
    seconds: float | None = None,
    tool_calls: int | None = None,
    max_tokens: int = 4096,
    seed: int | None = None,
    success_at: float = 1.0,
    retries: int = 1,
    max_environments: int | None = None,
) -> RunSpec:
    """Tasks in a terminal, in Harbor's folders: Terminal-Bench, and those of your own.

    Args:
        path: a task's folder, or a folder of such folders.
        dataset: `name@version` of a data set in a registry, in place of `path`; its tasks are fetched from git at their commits.
        registry: path or https URL of the registry's JSON file.
        tasks: names of the folders to take, joined by `+`. Default: all.
        only_plain: leave out tasks that cannot run here, and say so.
        environment: bubblewrap, docker, podman, or auto for bubblewrap where that is enough, else a container.
        network: whether tasks in containers that ask for a network get one.
        pull: whether images may be fetched.
        agent: how the model is driven: react, one_command and others, cli:NAME for an outside program, or a class path.
        turns: limit of the calls of the model in an episode.
        seconds: limit of the wall time of an episode. Default: the task's.
        tool_calls: limit of the tool calls of an episode.
        max_tokens: largest number of tokens of one answer of the model.
        seed: of the agent's own choices and of the model's draws.
        success_at: reward of a success.
        retries: how often an episode is tried again after a failure that is not the agent's.
        max_environments: largest number of environments at the same time.
    """
    chosen = environment if environment != "auto" else None
    shown = {
        "path": path,
        "dataset": dataset,
        "tasks": tasks,
        "environment": chosen,
        "network": network or None,
        "agent": agent,
    }
    args: dict[str, Any] = {"path": path, "tasks": split_names(tasks), "only_plain": only_plain}
    if path is None:
        del args["path"]
    given = {"environment": chosen, "network": network, "pull": pull, "dataset": dataset, "registry": registry}
    args.update({name: value for name, value in given.items() if value})
    return get_agent_run_spec(
        "terminal_tasks",
        ",".join(f"{name}={value}" for name, value in shown.items() if value is not None),
        "scenarios.harbor_scenario.HarborScenario",
        args,
        get_agent_adapter_spec(agent, turns, seconds, tool_calls, max_tokens, seed),
        success_at=success_at,
        retries=retries,
        max_environments=max_environments,
    )


@run_spec_function("agent_demo")
def get_agent_demo_spec(tasks: str | None = None, agent: str | None = None, turns: int | None = None) -> RunSpec:
    """Small tasks for agents that come with this package and need no network; those in a terminal need bubblewrap.

    Args:
        tasks: names of tasks, joined by `+`. Default: all.
        agent: how the model is driven: react, one_command and others, cli:NAME for an outside program, or a class path.
        turns: limit of the calls of the model in an episode.
    """
    shown = ",".join(f"{name}={value}" for name, value in (("tasks", tasks), ("agent", agent)) if value is not None)
    return get_agent_run_spec(
        "agent_demo",
        shown,
        "scenarios.demo_scenario.AgentDemoScenario",
        {"tasks": split_names(tasks)},
        get_agent_adapter_spec(agent, turns),
    )


def split_names(names: str | None) -> list[str]:
    """Return names that are joined by `+` as a list."""
    return names.split("+") if names else []


@run_spec_function("agent_mcp")
def get_agent_mcp_spec(
    path: str,
    servers: str,
    contains: bool = False,
    agent: str | None = None,
    turns: int | None = None,
    max_tokens: int = 4096,
    retries: int = 1,
) -> RunSpec:
    """Questions with answers, over the tools of MCP servers.

    Args:
        path: JSON lines with `question` and `answer`.
        servers: a JSON or YAML file with `mcpServers`.
        contains: whether an answer may have further words.
        agent: how the model is driven; default: react.
        turns: limit of the calls of the model in an episode.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
    """
    args = {"path": path, "servers": servers, **({"contains": True} if contains else {})}
    return get_agent_run_spec(
        "agent_mcp",
        f"path={path},servers={servers}",
        "scenarios.mcp_questions_scenario.McpQuestionsScenario",
        args,
        get_agent_adapter_spec(agent, turns, max_tokens=max_tokens),
        retries=retries,
    )
