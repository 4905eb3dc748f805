"""Adapters that turn instances into episodes."""

from dataclasses import replace

from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.executing.execution import ExecutorError, create_subject_client
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, Instance
from helm.common.episode_request import EpisodeRequest
from helm.common.errors import ScenarioError
from helm.common.object_spec import ObjectSpec
from helm.compiler_gym.compiler_client import CompilerClient

_REQUIRED = {"benchmark", "reward_space", "observation_spaces"}
_OPTIONAL = {"action_space", "max_steps", "seed", "max_compilations", "max_seconds", "baselines", "policy_args"}


class EpisodeAdapter(Adapter):
    """Turn each evaluation instance into one `EpisodeRequest`; training instances are ignored.

    `Instance.extra_data` holds the fields of the request: `benchmark` (URI), `reward_space`, `observation_spaces`, and,
    optionally, `action_space`, `max_steps`, `seed`, `max_compilations`, `max_seconds`, `baselines`. The policy comes from
    the deployment; `policy_args` adds arguments to it. The adapter raises `ScenarioError`, which names the instance, when
    a field is missing or unknown.
    """

    request_type = EpisodeRequest

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        policy = self.get_policy()
        splits = self.adapter_spec.eval_splits or EVAL_SPLITS
        return [new_request_state(i, _make_request(i, policy)) for i in instances if i.split in splits]

    def get_policy(self) -> ObjectSpec:
        """Return the deployment's policy.

        Raises: ExecutorError when the deployment is not a compiler, or names no policy.
        """
        deployment = self.adapter_spec.model_deployment
        policy = get_compiler_client(deployment).policy
        if policy is None:
            raise ExecutorError(
                f"Deployment '{deployment}' does not name a policy, so it cannot be the subject of a run."
            )
        return policy


class DialogAdapter(EpisodeAdapter):
    """An `EpisodeAdapter` for which the subject is a language model that proposes the actions.

    The adapter spec says how the model is asked: `temperature`, `max_tokens`, `stop_sequences`, `instructions`.
    """

    def get_policy(self) -> ObjectSpec:
        spec = self.adapter_spec
        args = {
            "model": spec.model,
            "model_deployment": spec.model_deployment,
            "temperature": spec.temperature,
            "max_tokens": spec.max_tokens,
        }
        if spec.stop_sequences:
            args["stop_sequences"] = list(spec.stop_sequences)
        if spec.instructions:
            args["instructions"] = spec.instructions
        return ObjectSpec("helm.compiler_gym.language_model_policy.LanguageModelPolicy", args)


def get_compiler_client(model_deployment: str) -> CompilerClient:
    """Return the client of a deployment.

    Raises: ExecutorError when the deployment is not a compiler.
    """
    client = create_subject_client(model_deployment)
    if not isinstance(client, CompilerClient):
        raise ExecutorError(
            f"Deployment '{model_deployment}' is a {type(client).__name__}, but this run needs a compiler. "
            "Name one, for example model=llvm/Oz."
        )
    return client


def _make_request(instance: Instance, policy: ObjectSpec) -> EpisodeRequest:
    data = instance.extra_data or {}
    if missing := sorted(_REQUIRED - data.keys()):
        raise ScenarioError(f"instance {instance.id}: extra_data lacks {', '.join(missing)}.")
    if unknown := sorted(data.keys() - _REQUIRED - _OPTIONAL):
        known = ", ".join(sorted(_REQUIRED | _OPTIONAL))
        raise ScenarioError(
            f"instance {instance.id}: extra_data has unknown fields {', '.join(unknown)}; known: {known}."
        )
    policy_args = data.get("policy_args") or {}
    fields = {key: value for key, value in data.items() if key != "policy_args"}
    return EpisodeRequest(policy=replace(policy, args={**policy.args, **policy_args}), **fields)
