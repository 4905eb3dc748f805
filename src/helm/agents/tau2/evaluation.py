"""How a conversation is scored: the rules of tau2-bench."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from helm.agents.tau2.domain import ASSISTANT, DataBases

USER_STOP, AGENT_STOP = "user_stop", "agent_stop"
DB, ENV_ASSERTION, NL_ASSERTION, ACTION, COMMUNICATE = "DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"
ALL, ALL_IGNORE_BASIS, ALL_WITH_NL = "all", "all_ignore_basis", "all_with_nl_assertions"
ENV_ONLY, COMMUNICATE_ONLY, ACTION_ONLY = "env", "communicate", "action"

_DEFAULT_BASIS = (DB, COMMUNICATE)

Judge = Callable[[Sequence[str]], Sequence[bool]]
"""Returns for each assertion in words whether the conversation fulfils it."""


class ReplayError(ValueError):
    """A recorded call that changes data answers otherwise when it is made again."""


@dataclass(frozen=True)
class Evaluation:
    """The verdict on a conversation."""

    reward: float
    breakdown: dict[str, float] = field(default_factory=dict)
    db_match: bool | None = None
    env_assertions: list[bool] = field(default_factory=list)
    action_checks: list[tuple[str, bool, str]] = field(default_factory=list)
    """Id of a gold action, whether it was made, and what it does to the data base."""
    communicate_checks: list[tuple[str, bool]] = field(default_factory=list)
    nl_assertions: list[bool] = field(default_factory=list)
    note: str | None = None

    @property
    def partial_action_reward(self) -> dict[str, Any] | None:
        """The share of gold actions that were made, in total, and of those that read and write; None without any."""
        if not self.action_checks:
            return None
        kinds = {"total": ("read", "write", "generic"), "read": ("read",), "write": ("write",)}
        return {
            name: _share([done for _, done, kind in self.action_checks if kind in of]) for name, of in kinds.items()
        }


def _share(values: Sequence[bool]) -> dict[str, Any] | None:
    correct = sum(values)
    return {"correct": correct, "count": len(values), "proportion": correct / len(values)} if values else None


def evaluate(
    new_domain: Callable[[], DataBases],
    task: Mapping[str, Any],
    messages: Sequence[Mapping[str, Any]],
    termination_reason: str,
    judge: Judge,
    parts: str = ALL,
) -> Evaluation:
    """Score a conversation.

    Args:
        new_domain: makes fresh data bases, before the initial state of the task. Each is closed before the next one is made.
        task: in the form of the data set.
        messages: of the whole conversation: `role`, `content`, `tool_calls`, and for results `id`, `requestor`, `error`.
        termination_reason: why it ended; only those that user or agent ended are scored.
        judge: of assertions in words.
        parts: what is computed, and counts for the reward.

    Raises:
        ReplayError: The recorded results of calls are not those of the tools.
    """
    if termination_reason not in (USER_STOP, AGENT_STOP):
        note = f"Simulation terminated prematurely. Termination reason: {termination_reason}"
        return Evaluation(0.0, note=note)
    criteria = task.get("evaluation_criteria")
    if criteria is None:
        return Evaluation(1.0, note="No evaluation criteria")
    basis = criteria.get("reward_basis") or _DEFAULT_BASIS
    if parts == COMMUNICATE_ONLY:
        checks = _check_texts(criteria, messages)
        reward = float(all(found for _, found in checks))
        return Evaluation(
            reward,
            {COMMUNICATE: reward},
            communicate_checks=checks,
            note=None if checks else "No communicate_info to evaluate",
        )
    if parts == ACTION_ONLY:
        with closing(new_domain()) as domain:
            actions = _check_actions(domain, criteria, messages)
        reward = float(all(done for _, done, _ in actions))
        return Evaluation(
            reward, {ACTION: reward}, action_checks=actions, note=None if actions else "No actions to evaluate"
        )

    with closing(new_domain()) as predicted:
        actions = _check_actions(predicted, criteria, messages)
        db_match, env_assertions = _check_environment(predicted, new_domain, task, criteria, messages)
    breakdown: dict[str, float] = {}
    has_environment = criteria.get("actions") is not None or criteria.get("env_assertions") is not None
    if has_environment and DB in basis:
        breakdown[DB] = float(db_match)
    if has_environment and ENV_ASSERTION in basis:
        breakdown[ENV_ASSERTION] = float(all(env_assertions))
    if parts == ENV_ONLY:
        return Evaluation(math.prod(breakdown.values()), breakdown, db_match, env_assertions)
    texts = _check_texts(criteria, messages)
    wanted = (ACTION, COMMUNICATE) if parts == ALL_IGNORE_BASIS else basis
    if ACTION in wanted:
        breakdown[ACTION] = float(all(done for _, done, _ in actions))
    judged: list[bool] = []
    if NL_ASSERTION in wanted or parts == ALL_WITH_NL:
        assertions = criteria.get("nl_assertions") or []
        judged = list(judge(assertions)) if assertions else []
    if NL_ASSERTION in wanted:
        breakdown[NL_ASSERTION] = float(all(judged))
    if COMMUNICATE in wanted:
        breakdown[COMMUNICATE] = float(all(found for _, found in texts))
    reward = math.prod(breakdown.values())
    return Evaluation(reward, breakdown, db_match, env_assertions, actions, texts, judged)


def _check_environment(
    predicted: DataBases,
    new_domain: Callable[[], DataBases],
    task: Mapping[str, Any],
    criteria: Mapping[str, Any],
    messages: Sequence[Mapping[str, Any]],
) -> tuple[bool, list[bool]]:
    """Return whether the data bases are as after the gold actions, and the values of the assertions on them."""
    actions, assertions = criteria.get("actions"), criteria.get("env_assertions")
    if actions is None and assertions is None:
        return True, []
    state = task.get("initial_state") or {}
    predicted.prepare(state)
    _replay(predicted, messages)
    found, reached = [predicted.fulfils(assertion) for assertion in assertions or []], predicted.hashes()
    predicted.close()  # before the next one is made
    with closing(new_domain()) as gold:
        gold.prepare(state)
        _replay(gold, state.get("message_history") or [])
        for action in actions or []:
            gold.respond(action.get("requestor") or ASSISTANT, action["name"], action["arguments"])
        return reached == gold.hashes(), found


def _replay(domain: DataBases, messages: Sequence[Mapping[str, Any]]) -> None:
    """Make the calls of a conversation again that change data."""
    results = {message.get("id"): message for message in messages if message["role"] == "tool"}
    for message in messages:
        for call in message.get("tool_calls") or []:
            requestor = call.get("requestor") or ASSISTANT
            called = domain.tool(requestor, call["name"])
            if called is None or not called.changes:
                continue
            content, _ = domain.respond(requestor, call["name"], call["arguments"])
            recorded = results.get(call["id"], {}).get("content")
            if _parsed(content) != _parsed(recorded):
                raise ReplayError(f"the call {call['name']} answered {recorded!r:.200}, and now {content!r:.200}")


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def _check_actions(
    domain: DataBases, criteria: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]
) -> list[tuple[str, bool, str]]:
    made = [call for message in messages for call in message.get("tool_calls") or []]
    checks = []
    for action in criteria.get("actions") or []:
        tool = domain.tool(action.get("requestor") or ASSISTANT, action["name"])
        kind = tool.kind if tool is not None else "generic"
        checks.append((action["action_id"], any(_is_made(action, call) for call in made), kind))
    return checks


def _is_made(action: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    if call["name"] != action["name"]:
        return False
    compared = action.get("compare_args")
    names = list(call["arguments"]) if compared is None else compared
    wanted = {name: value for name, value in action["arguments"].items() if name in names}
    return wanted == {name: value for name, value in call["arguments"].items() if name in names}


def _check_texts(criteria: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
    said = [str(m.get("content") or "").lower().replace(",", "") for m in messages if m["role"] == ASSISTANT]
    return [(text, any(text.lower() in one for one in said)) for text in criteria.get("communicate_info") or []]
