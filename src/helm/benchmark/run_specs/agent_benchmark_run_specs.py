"""Run specs of published benchmarks of agents."""

from __future__ import annotations

from typing import Any

from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.run_specs.agent_run_specs import (
    AGENTS_PACKAGE,
    get_agent_adapter_spec,
    get_agent_run_spec,
    split_names,
)
from helm.benchmark.specs import MetricSpec
from helm.common.errors import ConfigError


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
    return get_agent_run_spec(
        "bfcl",
        shown,
        "bfcl.bfcl_scenario.BfclScenario",
        args,
        get_agent_adapter_spec(max_tokens=max_tokens),
        metrics=[MetricSpec(f"{AGENTS_PACKAGE}.bfcl.metrics.BfclMetric", {})],
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
    return get_agent_run_spec(
        "scicode",
        f"split={split},background={str(background).lower()}",
        "scicode.scicode_scenario.SciCodeScenario",
        {**args, **paths},
        get_agent_adapter_spec(max_tokens=max_tokens),
        metrics=[MetricSpec(f"{AGENTS_PACKAGE}.scicode.metrics.SciCodeMetric", {})],
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
    return get_agent_run_spec(
        "polyglot_attempts",
        f"language={language},edit_format={edit_format},attempts={attempts}",
        "polyglot.polyglot_scenario.PolyglotAttemptsScenario",
        args,
        get_agent_adapter_spec(max_tokens=max_tokens),
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
    return get_agent_run_spec(
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
    for part in split_names(text):
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
    given = {"user_tasks": split_names(user_tasks), "injection_tasks": split_names(injection_tasks)}
    return get_agent_run_spec(
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
    return get_agent_run_spec(
        "agentharm",
        shown,
        "agentharm.agentharm_scenario.AgentHarmScenario",
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
    return get_agent_run_spec(
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
    args: dict[str, Any] = {"subset": subset, "path": path, "instances": split_names(instances), "pull": pull}
    args = {name: value for name, value in args.items() if value}
    if environment != "auto":
        args["engine"] = environment
    return get_agent_run_spec(
        "swe_bench",
        shown,
        "swe_bench.swe_bench_scenario.SweBenchScenario",
        args,
        get_agent_adapter_spec(agent, turns, seconds, max_tokens=max_tokens),
        retries=retries,
        max_environments=max_environments,
    )
