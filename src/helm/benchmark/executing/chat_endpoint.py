"""Decides whether the prompts of a run are sent as messages of a chat."""

from dataclasses import replace
from typing import TYPE_CHECKING

from helm.benchmark.adaptation.adapter_spec import CHAT_AUTO, CHAT_ON, AdapterSpec
from helm.benchmark.model_deployment_registry import get_model_deployment
from helm.benchmark.run_spec import RunSpec
from helm.clients.capability_names import DECLARED_NAMES, MESSAGES, NEEDS, TEXT
from helm.common.context import Context
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hlog

if TYPE_CHECKING:
    from helm.benchmark.executing.capability_check import CapabilityChecker


def settle_chat(
    run_spec: RunSpec, context: Context, checker: "CapabilityChecker | None", is_dry_run: bool = False
) -> AdapterSpec:
    """Return the adapter spec whose `chat.mode` is `on` in place of `auto` if the endpoint takes messages.

    It is `auto` still if not, or if the adapter method needs something else than text.

    Args:
        run_spec: the run.
        context: finds the client of the deployment.
        checker: asks the endpoint, if it may be asked.
        is_dry_run: whether no tokenizer may be loaded to find out.
    """
    spec = run_spec.adapter_spec
    if spec.chat is None or spec.chat.mode != CHAT_AUTO or NEEDS.get(spec.method, TEXT) != TEXT:
        return spec
    if not _takes_messages(run_spec, context, checker, is_dry_run):
        hlog(f"{spec.model_deployment} takes no chat messages; prompts are sent as texts.")
        return spec
    return replace(spec, chat=replace(spec.chat, mode=CHAT_ON))


def _takes_messages(run_spec: RunSpec, context: Context, checker: "CapabilityChecker | None", is_dry_run: bool) -> bool:
    spec = run_spec.adapter_spec
    try:
        declared = get_model_deployment(spec.model_deployment).capabilities or {}
        client = context.get_client(spec.model_deployment)
    except HelmError:
        return True  # the first request reports the problem
    if any(declared.get(name) is False for name, meaning in DECLARED_NAMES.items() if meaning == MESSAGES):
        return False
    if client is None:  # behind a proxy server
        return True
    if is_dry_run:
        return client.sends_messages
    return client.takes_messages(spec.model) and not (checker is not None and checker.lacks(run_spec, MESSAGES))
