"""Run specs of agents."""

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

_AGENTS = "helm.agents"

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
        return ObjectSpec(f"{_AGENTS}.agents.CommandLineAgent", {"program": agent.removeprefix(_PROGRAM)})
    if agent not in AGENT_NAMES and "." not in agent:
        known = ", ".join(AGENT_NAMES)
        raise ConfigError(
            f"agent takes {known}, {_PROGRAM}NAME, or a class path, not '{agent}'.{suggest(agent, AGENT_NAMES)}"
        )
    return ObjectSpec(f"{_AGENTS}.agents.{AGENT_NAMES[agent]}" if agent in AGENT_NAMES else agent)


def get_agent_metric_specs(success_at: float = 1.0) -> list[MetricSpec]:
    """Return the metrics of agents. `success_at` is the reward of a success."""
    args: dict[str, Any] = {} if success_at == 1.0 else {"success_at": success_at}
    return [MetricSpec(f"{_AGENTS}.metrics.{name}", args) for name in ("AgentMetric", "AgentRunMetric")]


def get_agent_executor_spec(retries: int = 1, max_environments: int | None = None) -> ExecutorSpec:
    """Return the executor of agents; see `helm.agents.executor.AgentExecutor`."""
    args: dict[str, Any] = {} if retries == 1 else {"retries": retries}
    if max_environments is not None:
        args["max_environments"] = max_environments
    return ExecutorSpec(f"{_AGENTS}.executor.AgentExecutor", args)


def _agent_run(
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
        scenario_spec=ScenarioSpec(f"{_AGENTS}.{scenario}", args),
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
    return _agent_run(
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
    args: dict[str, Any] = {"path": path, "tasks": _split(tasks), "only_plain": only_plain}
    if path is None:
        del args["path"]
    given = {"environment": chosen, "network": network, "pull": pull, "dataset": dataset, "registry": registry}
    args.update({name: value for name, value in given.items() if value})
    return _agent_run(
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
    return _agent_run(
        "agent_demo",
        shown,
        "scenarios.demo_scenario.AgentDemoScenario",
        {"tasks": _split(tasks)},
        get_agent_adapter_spec(agent, turns),
    )


def _split(names: str | None) -> list[str]:
    return names.split("+") if names else []


@run_spec_function("bfcl")
def get_bfcl_spec(
    category: str = "simple_python", tools: str = "native", path: str | None = None, max_tokens: int = 4096
) -> RunSpec:
    """Function calls of the Berkeley Function-Calling Leaderboard, version 4.

    Args:
        category: a category, a group (non_live, live, hallucination, multi_turn), `all`, or several joined by `+`.
        tools: native for tool calls, prompted for models that write their calls as text.
        path: the folder with the data set's files; default: they are downloaded.
        max_tokens: largest number of tokens of one answer of the model.
    """
    shown = f"category={category}" + (f",tools={tools}" if tools != "native" else "")
    args: dict[str, Any] = {"category": category, "tools": tools, **({"path": path} if path is not None else {})}
    return _agent_run(
        "bfcl",
        shown,
        "bfcl.bfcl_scenario.BfclScenario",
        args,
        get_agent_adapter_spec(max_tokens=max_tokens),
        metrics=[MetricSpec(f"{_AGENTS}.bfcl.metrics.BfclMetric", {})],
    )


@run_spec_function("scicode")
def get_scicode_spec(
    split: str = "test",
    background: bool = False,
    targets: str | None = None,
    path: str | None = None,
    timeout: float = 1800.0,
    max_tokens: int = 4096,
) -> RunSpec:
    """Problems of science that are solved step by step: SciCode.

    Args:
        split: test or validation.
        background: whether the model is told the science behind a step.
        targets: the HDF5 file with the values that tests expect; default: it is downloaded.
        path: a JSON-lines file in the layout of the data set; default: it is downloaded.
        timeout: limit in seconds for the tests of one step.
        max_tokens: largest number of tokens of one answer of the model.
    """
    args = {"split": split, "background": background, "timeout": timeout}
    paths = {name: value for name, value in (("targets", targets), ("path", path)) if value is not None}
    return RunSpec(
        name=f"scicode:split={split},background={str(background).lower()}",
        scenario_spec=ScenarioSpec(f"{_AGENTS}.scicode.scicode_scenario.SciCodeScenario", {**args, **paths}),
        adapter_spec=get_agent_adapter_spec(max_tokens=max_tokens),
        metric_specs=[*get_agent_metric_specs(), MetricSpec(f"{_AGENTS}.scicode.metrics.SciCodeMetric", {})],
        groups=["scicode"],
        executor_spec=get_agent_executor_spec(),
    )


@run_spec_function("polyglot_attempts")
def get_polyglot_attempts_spec(
    language: str,
    edit_format: str = "whole",
    attempts: int = 2,
    timeout: float = 180.0,
    max_tokens: int = 8192,
) -> RunSpec:
    """Exercises that are solved by edits to files, with the output of the tests after a failed attempt.

    Args:
        language: python, cpp, go or rust; its compiler or interpreter has to be installed.
        edit_format: whole for whole files, diff for blocks that search and replace.
        attempts: how often a model may try.
        timeout: limit in seconds for building and running the tests.
        max_tokens: largest number of tokens of one answer of the model.
    """
    args = {"language": language, "edit_format": edit_format, "attempts": attempts, "timeout": timeout}
    return RunSpec(
        name=f"polyglot_attempts:language={language},edit_format={edit_format},attempts={attempts}",
        scenario_spec=ScenarioSpec(f"{_AGENTS}.polyglot.polyglot_scenario.PolyglotAttemptsScenario", args),
        adapter_spec=get_agent_adapter_spec(max_tokens=max_tokens),
        metric_specs=get_agent_metric_specs(),
        groups=["polyglot_attempts"],
        executor_spec=get_agent_executor_spec(),
    )


@run_spec_function("tau2")
def get_tau2_spec(
    domain: str = "retail",
    split: str = "base",
    user_model: str = "",
    judge_model: str = "",
    path: str | None = None,
    solo: bool = False,
    tau2_path: str | None = None,
    settings: str | None = None,
    turns: int | None = None,
    max_tokens: int = 4096,
    retries: int = 1,
) -> RunSpec:
    """Conversations with a customer, by the rules of tau2-bench.

    Args:
        domain: retail, airline or mock; with the package tau2 also telecom, telecom-workflow, banking_knowledge and others.
        split: base, train or test; telecom also small and full.
        user_model: deployment that plays the customer; default: the agent's own.
        judge_model: deployment that judges assertions in words; default: the agent's own.
        path: the folder `data/tau2` of a checkout; default: the files are downloaded.
        solo: whether the agent works alone, with the user's tools too.
        tau2_path: a virtual environment with the package, or a checkout of tau2-bench, whose domains, words and data are used.
            Default: domains that are not here are looked for in this interpreter.
        settings: further arguments of a domain of the package, as `NAME:VALUE` joined by `+`.
        turns: limit of the calls of the model in an episode.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
    """
    shown = f"domain={domain},split={split}" + (",solo=true" if solo else "")
    shown += (f",user_model={user_model}" if user_model else "") + (f",settings={settings}" if settings else "")
    args: dict[str, Any] = {"domain": domain, "split": split}
    given: dict[str, Any] = {"user_model": user_model, "judge_model": judge_model, "path": path, "solo": solo}
    given.update(tau2_path=tau2_path, settings=_settings(settings))
    return _agent_run(
        "tau2",
        shown,
        "tau2.tau2_scenario.Tau2Scenario",
        {**args, **{key: value for key, value in given.items() if value}},
        get_agent_adapter_spec(turns=turns, max_tokens=max_tokens),
        retries=retries,
    )


def _settings(text: str | None) -> dict[str, str]:
    """Return `NAME:VALUE` joined by `+` as a dict. Raises: ConfigError."""
    found = {}
    for part in _split(text):
        name, separator, value = part.partition(":")
        if not name or not separator:
            raise ConfigError(f"settings takes NAME:VALUE joined by +, not '{part}'.")
        found[name] = value
    return found


@run_spec_function("agentdojo")
def get_agentdojo_spec(
    suite: str = "workspace",
    version: str = "v1.2.2",
    attack: str = "important_instructions",
    addressed_as: str = "AI assistant",
    user_tasks: str | None = None,
    injection_tasks: str | None = None,
    agent: str | None = None,
    turns: int | None = None,
    max_tokens: int = 4096,
    retries: int = 1,
) -> RunSpec:
    """Tasks with tools, alone and with instructions of somebody else in what the tools return: AgentDojo.

    Args:
        suite: workspace, travel, banking or slack.
        version: of the suites in the package.
        attack: one of the package's attacks; `none` for the tasks alone.
        addressed_as: what the attack calls the model, such as `GPT-4` or `Claude`.
        user_tasks: ids joined by `+`. Default: all.
        injection_tasks: ids joined by `+`. Default: all.
        agent: how the model is driven; default: react.
        turns: limit of the calls of the model in an episode. Default: 16.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
    """
    args: dict[str, Any] = {"suite": suite, "version": version, "attack": attack, "addressed_as": addressed_as}
    shown = f"suite={suite},version={version},attack={attack}" + (f",agent={agent}" if agent is not None else "")
    given = {"user_tasks": _split(user_tasks), "injection_tasks": _split(injection_tasks)}
    return _agent_run(
        "agentdojo",
        shown,
        "agentdojo.agentdojo_scenario.AgentDojoScenario",
        {**args, **{key: value for key, value in given.items() if value}},
        get_agent_adapter_spec(agent, turns, max_tokens=max_tokens),
        retries=retries,
    )


@run_spec_function("agentharm")
def get_agentharm_spec(
    kind: str = "harmful",
    part: str = "test_public",
    detailed: bool | None = None,
    hint: bool | None = None,
    judge_model: str = "",
    path: str | None = None,
    inspect_path: str | None = None,
    agent: str | None = None,
    turns: int | None = None,
    max_tokens: int = 4096,
    retries: int = 1,
) -> RunSpec:
    """Harmful tasks with tools that only look real, and benign ones like them: AgentHarm.

    Args:
        kind: harmful or benign.
        part: test_public or val.
        detailed: only tasks whose prompt says how to do it, or, if false, does not.
        hint: only tasks whose prompt names the tools, or, if false, does not.
        judge_model: deployment that judges refusals and texts; default: the agent's own.
        path: a JSON file with the rows; default: they are downloaded.
        inspect_path: the virtual environment that has the package `inspect_evals`; default: this interpreter.
        agent: how the model is driven; default: react.
        turns: limit of the calls of the model in an episode. Default: 50.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
    """
    chosen = {"kind": kind, "part": part, "detailed": detailed, "hint": hint, "judge_model": judge_model or None}
    args = {
        name: value
        for name, value in {**chosen, "path": path, "inspect_path": inspect_path}.items()
        if value is not None
    }
    shown = ",".join(f"{name}={value}" for name, value in {**chosen, "agent": agent}.items() if value is not None)
    return _agent_run(
        "agentharm",
        shown,
        "agentharm.agentharm_scenario.AgentHarmScenario",
        args,
        get_agent_adapter_spec(agent, turns, max_tokens=max_tokens),
        retries=retries,
    )


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
    return _agent_run(
        "agent_mcp",
        f"path={path},servers={servers}",
        "scenarios.mcp_questions_scenario.McpQuestionsScenario",
        args,
        get_agent_adapter_spec(agent, turns, max_tokens=max_tokens),
        retries=retries,
    )


@run_spec_function("gaia")
def get_gaia_spec(
    path: str,
    level: int | None = None,
    servers: str | None = None,
    agent: str | None = None,
    turns: int | None = None,
    max_tokens: int = 4096,
    retries: int = 1,
) -> RunSpec:
    """Questions for assistants with tools, some with a file, in the form of GAIA.

    Args:
        path: the folder with `metadata.jsonl` and the files.
        level: 1, 2 or 3; default: all.
        servers: a JSON or YAML file with `mcpServers`, whose tools the agent gets too.
        agent: how the model is driven; default: react.
        turns: limit of the calls of the model in an episode.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
    """
    shown = f"path={path}" + (f",level={level}" if level is not None else "")
    given = {"path": path, "level": level, "servers": servers}
    return _agent_run(
        "gaia",
        shown,
        "scenarios.gaia_scenario.GaiaScenario",
        {key: value for key, value in given.items() if value is not None},
        get_agent_adapter_spec(agent, turns, max_tokens=max_tokens),
        retries=retries,
    )


@run_spec_function("swe_bench")
def get_swe_bench_spec(
    subset: str = "verified",
    path: str | None = None,
    instances: str | None = None,
    environment: str = "auto",
    pull: bool = False,
    agent: str | None = None,
    turns: int | None = None,
    seconds: float | None = None,
    max_tokens: int = 8192,
    retries: int = 1,
    max_environments: int | None = None,
) -> RunSpec:
    """Issues of repositories, resolved and tested in containers: SWE-bench.

    Args:
        subset: verified, verified_mini, lite, multilingual or full.
        path: a .jsonl file with rows of SWE-bench 5; default: they are downloaded.
        instances: ids joined by `+`. Default: all.
        environment: docker, podman, or auto for the first of them that works.
        pull: whether images may be fetched, of 1 to 4 GB each.
        agent: how the model is driven; default: react.
        turns: limit of the calls of the model in an episode. Default: 100.
        seconds: limit of the wall time of an episode. Default: 3600.
        max_tokens: largest number of tokens of one answer of the model.
        retries: how often an episode is tried again after a failure that is not the agent's.
        max_environments: largest number of environments at the same time.
    """
    source = f"path={path}" if path is not None else f"subset={subset}"
    shown = source + (f",agent={agent}" if agent is not None else "")
    args: dict[str, Any] = {"subset": subset, "path": path, "instances": _split(instances), "pull": pull}
    args = {name: value for name, value in args.items() if value}
    if environment != "auto":
        args["engine"] = environment
    return _agent_run(
        "swe_bench",
        shown,
        "swe_bench.swe_bench_scenario.SweBenchScenario",
        args,
        get_agent_adapter_spec(agent, turns, seconds, max_tokens=max_tokens),
        retries=retries,
        max_environments=max_environments,
    )
