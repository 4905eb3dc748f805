"""The adapter that turns instances into episodes with agents."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from helm.agents.baselines import find_baseline_agent
from helm.benchmark.adaptation.adapter_spec import AdapterSpec, AgentSpec
from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, Instance
from helm.common.agent_request import AgentRequest, EpisodeLimits, Sampling
from helm.common.errors import ConfigError, ScenarioError, suggest
from helm.common.object_spec import ObjectSpec

T = TypeVar("T")

_SPECS = ("environment", "user", "check", "attack")
_KNOWN = ("task", "messages", "tools", "limits", "solution", "agent", *_SPECS)
_NO_LIMITS: dict[str, Any] = {}
_MOST_SHARED = 256
_ORACLE = "helm.agents.agents.OracleAgent"


class AgentAdapter(Adapter):
    """Turn each evaluation instance into one `AgentRequest`; training instances are ignored.

    `Instance.extra_data` holds fields of the request, as JSON values: `task` (default: the instance's id), `messages` (default:
    the input as a message of the user), `environment`, `tools`, `user`, `check`, `attack`, `limits`, and `agent`, the agent that
    the task is made for. `solution` are the arguments of `OracleAgent`, which no other agent gets. The agent and limits of the
    run entry come before those of the task. Raises ScenarioError, which names the instance, for an unknown field.
    """

    request_type = AgentRequest

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        return list(self.adapt_each(instances, parallelism))

    def adapt_each(self, instances: Iterable[Instance], parallelism: int) -> Iterator[RequestState]:
        spec = self.adapter_spec.agent or AgentSpec()
        baseline = find_baseline_agent(self.adapter_spec.model_deployment)
        splits = self.adapter_spec.eval_splits or EVAL_SPLITS
        shared = _Shared()
        for instance in instances:
            if instance.split in splits:
                yield new_request_state(instance, self._make_request(instance, spec, baseline, shared))

    def _make_request(
        self, instance: Instance, spec: AgentSpec, baseline: ObjectSpec | None, shared: "_Shared"
    ) -> AgentRequest:
        adapter_spec, data = self.adapter_spec, instance.extra_data or {}
        where = f"instance {instance.id}"
        for name in data:
            if name not in _KNOWN:
                raise ScenarioError(f"{where}: extra_data has an unknown field '{name}'.{suggest(name, _KNOWN)}")
        specs: dict[str, Any] = {
            name: shared(_as_spec, data[name], f"{where}, {name}") for name in (*_SPECS, "agent") if data.get(name)
        }
        agent = baseline or spec.agent or specs.pop("agent", None)
        specs.pop("agent", None)
        if agent is None:
            raise ConfigError(f"{where}: neither the run entry nor the task names an agent.")
        if agent.class_name == _ORACLE and data.get("solution") is not None:
            agent = replace(agent, args={**agent.args, "solution": data["solution"]})
        tools = [*data.get("tools", ()), *(spec.tools or ())]
        if spec.user is not None and "user" in specs:
            specs["user"] = replace(spec.user, args={**specs["user"].args, **spec.user.args})
        messages = data.get("messages") or [{"role": "user", "content": instance.input.text}]
        system_prompt = adapter_spec.chat.system_prompt if adapter_spec.chat is not None else None
        if system_prompt is not None:
            messages = [{"role": "system", "content": system_prompt}, *messages]
        return AgentRequest(
            task=str(data.get("task") or instance.id),
            messages=[dict(message) for message in messages],
            model=adapter_spec.model,
            model_deployment=adapter_spec.model_deployment,
            sampling=shared(_sampling, adapter_spec),
            agent=agent,
            tools=[tool if isinstance(tool, ObjectSpec) else _as_spec(tool, f"{where}, tools") for tool in tools],
            limits=shared(_merged_limits, data.get("limits") or _NO_LIMITS, spec.limits or {}, where),
            seed=spec.seed or 0,
            **specs,
        )


class _Shared:
    """Makes one object of the values that many tasks share, such as the environment of a file's `defaults`.

    Values are told apart by identity, which is quick. The latest ones are kept, so that no other has their identity.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[Any, int], tuple[Any, Any]] = {}

    def __call__(self, make: Callable[..., T], value: Any, *others: Any) -> T:
        key = make, id(value)
        if key not in self._made:
            if len(self._made) >= _MOST_SHARED:
                del self._made[next(iter(self._made))]
            self._made[key] = value, make(value, *others)
        found: T = self._made[key][1]
        return found


def _sampling(adapter_spec: AdapterSpec) -> Sampling:
    return Sampling(
        temperature=adapter_spec.temperature,
        max_tokens=adapter_spec.max_tokens,
        stop_sequences=list(adapter_spec.stop_sequences),
    )


def _as_spec(value: Any, where: str) -> ObjectSpec:
    if isinstance(value, ObjectSpec):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("class_name"), str):
        raise ScenarioError(f"{where}: expected an object with class_name and args, not {value!r:.200}.")
    return ObjectSpec(value["class_name"], dict(value.get("args") or {}))


def _merged_limits(of_task: dict[str, Any], of_run: dict[str, Any], where: str) -> EpisodeLimits:
    """Return the limits of a task, replaced by those of the run entry. Raises: ScenarioError, ConfigError."""
    known = [field.name for field in fields(EpisodeLimits)]
    for limits, error in ((of_task, ScenarioError), (of_run, ConfigError)):
        for name, value in limits.items():
            if name not in known:
                raise error(f"{where}: there is no limit '{name}'.{suggest(name, known)}")
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
            if not is_number and value is not None:
                raise error(f"{where}: the limit '{name}' must be a number above 0, not {value!r}.")
    return EpisodeLimits(**{**of_task, **of_run})
