"""The deployments `agents/oracle`, `agents/random`, `agents/nothing` and `agents/human`: agents that ask no model."""

from collections.abc import Mapping
from typing import Any

from helm.clients.client import Client
from helm.common.object_spec import ObjectSpec, get_class_by_name
from helm.common.request import REFUSED, Request, RequestResult


class AgentBaseline(Client):
    """Stands for an agent without a model in runs of agents. Requests to it are refused.

    Args:
        agent: class path of the agent.
        args: its arguments.
    """

    def __init__(self, agent: str, args: Mapping[str, Any] | None = None):
        self.spec = ObjectSpec(agent, dict(args or {}))

    def make_request(self, request: Request) -> RequestResult:
        error = f"{request.model_deployment} is an agent without a language model; it is for runs of agents only."
        return RequestResult(success=False, cached=False, completions=[], embedding=[], error=error, outcome=REFUSED)


def find_baseline_agent(model_deployment: str) -> ObjectSpec | None:
    """Return the agent of a deployment that has no language model; None if it has one."""
    from helm.benchmark.model_deployment_registry import get_model_deployment

    spec = get_model_deployment(model_deployment).client_spec
    if not spec.class_name.startswith(f"{__name__}."):
        return None
    return get_class_by_name(spec.class_name)(**spec.args).spec
