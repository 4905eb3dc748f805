"""Episodes: loops, tools, limits, failures, and resuming."""

import gc
import io
import weakref

import pytest

from agent_support import SHOP, Deadly, Dice, Faulty, ScriptedModel, call, executor, kinds, request, run_episode
from helm.agents.console import Approver, Console
from helm.agents.errors import AgentError
from helm.agents.events import EpisodeJournal, read_events, sha256_of
from helm.agents.executor import AgentExecutor
from helm.agents.replay import replay
from helm.agents.tools.tool import FunctionTool, tools_of
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.run_settings import RunSettings
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from helm.common.request import RequestResult

SELL = [call("sell", {"item": "apple", "number": 2}, "c1")]
SUBMIT = [call("submit", {"answer": "done"}, "c2")]


def failed(outcome="server"):
    return RequestResult(False, [], [], False, error="no", outcome=outcome)


def test_a_loop_calls_tools_until_it_submits():
    result, model = run_episode(request(), SELL, SUBMIT)
    assert (result.success, result.outcome, result.answer) == (True, "submitted", "done")
    assert (result.reward, result.rewards) == (1.0, {"reward": 1.0, "left": 3.0})
    assert result.state["changes"] == [["/stock/apple", 3]]
    assert (result.counts.turns, result.counts.tool_calls, result.counts.tool_errors) == (2, 2, 0)
    assert (result.usage["agent"].prompt_tokens, result.usage["agent"].calls) == (20, 2)
    assert kinds(result) == [
        "message", "environment", "model", "tool_call", "tool_result", "model", "tool_call", "submit", "tool_result", "score",
    ]  # fmt: skip
    assert [event["n"] for event in result.events] == list(range(10))
    second = model.requests[1].messages
    assert second[1]["tool_calls"][0]["function"] == {"name": "sell", "arguments": '{"item": "apple", "number": 2}'}
    assert second[2] == {"role": "tool", "tool_call_id": "c1", "content": "sold"}
    assert [tool["function"]["name"] for tool in model.requests[0].tools] == ["count", "sell", "submit"]


@pytest.mark.parametrize(
    ("made", "problem", "words"),
    [
        (call("sel", {}), "unknown_tool", "There is no tool sel. Did you mean 'sell'?"),
        (call("sell", "{bad"), "no_json", "no JSON object"),
        (call("sell", {"number": 1}), "schema", "arguments lacks 'item'"),
        (call("sell", {"item": 3}), "schema", "arguments.item must be string, not integer"),
        (call("sell", {"item": "apple", "amount": 1}), "schema", "unknown 'amount'"),
        (call("sell", {"item": "apple", "number": 9}), None, "Error: not enough"),
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_counted(made, problem, words):
    result, model = run_episode(request(), [made], SUBMIT)
    made_events = [event for event in result.events if event["kind"] == "tool_call"]
    assert (made_events[0]["problem"], made_events[0]["valid"]) == (problem, problem is None)
    assert words in model.requests[1].messages[-1]["content"]
    assert (result.counts.invalid_tool_calls, result.counts.tool_errors) == (int(problem is not None), 1)
    assert result.success and result.reward == 0.0


def test_nothing_of_a_finished_episode_waits_for_the_garbage_collector(monkeypatch):
    seen = []
    begin = AgentExecutor._begin

    def watch(self, *args):
        episode, agent = begin(self, *args)
        seen.extend(weakref.ref(one) for one in (episode, episode.log, episode.tools))
        return episode, agent

    monkeypatch.setattr(AgentExecutor, "_begin", watch)
    gc.collect()
    gc.disable()
    try:
        result, _ = run_episode(request(), SELL, SUBMIT)
        assert len(seen) == 3 and [one() for one in seen] == [None, None, None]
    finally:
        gc.enable()
    assert result.reward == 1.0


def test_calls_after_a_submission_are_answered_but_not_made():
    result, _ = run_episode(request(), [*SUBMIT, *SELL])
    assert result.outcome == "submitted" and result.counts.tool_calls == 1 and result.reward == 0.0


def test_a_model_that_says_nothing_useful_is_reminded_three_times():
    result, model = run_episode(request(), "a", "b", "c", "d")
    assert (result.outcome, result.answer, len(model.requests)) == ("stopped", "d", 4)
    assert model.requests[1].messages[-1]["role"] == "user" and "submit" in model.requests[1].messages[-1]["content"]


def test_a_second_attempt_after_a_wrong_answer():
    result, model = run_episode(request(args={"attempts": 2}), SUBMIT, SELL, SUBMIT)
    assert result.reward == 1.0 and "not right" in model.requests[1].messages[-1]["content"]


@pytest.mark.parametrize(
    ("limits", "name"),
    [(EpisodeLimits(turns=2), "turns"), (EpisodeLimits(tool_calls=1), "tool_calls"), (EpisodeLimits(tokens=20), "tokens"),
     (EpisodeLimits(seconds=1e-9), "seconds")],
)  # fmt: skip
def test_a_limit_ends_the_episode_and_what_was_done_is_scored(limits, name):
    result, _ = run_episode(request(limits=limits), SELL, [call("count", {"item": "pear"})], SUBMIT)
    assert (result.success, result.outcome, result.limit.name) == (True, "limit", name)
    assert result.reward == (0.0 if name == "seconds" else 1.0)
    assert "limit" in kinds(result)


def test_a_failure_that_is_not_the_agents_is_tried_again_without_paying_twice():
    result, model = run_episode(request(), SELL, failed(), SUBMIT)
    assert (result.success, result.reward) == (True, 1.0)
    assert len(model.requests) == 3  # the first answer was used again
    assert result.counts.turns == 2 and result.state["changes"] == [["/stock/apple", 3]]


def test_a_failure_for_good_is_never_scored():
    with pytest.raises(ExecutorError, match="Task t: the model failed: no"):
        run_episode(request(), failed(), failed())
    result, _ = run_episode(request(), failed(), failed(), on_failure="exclude")
    assert (result.success, result.outcome, result.cause, result.reward) == (False, "infrastructure", "model", None)
    assert result.events[-1]["kind"] == "error"
    with pytest.raises(ConfigError, match="never scored"):
        executor(ScriptedModel(), on_failure="count-as-wrong")


def test_a_withheld_answer_is_the_models_doing():
    result, _ = run_episode(request(), SELL, failed("filtered"))
    assert (result.success, result.outcome, result.reward) == (True, "refused", 1.0)


def test_a_rejected_key_ends_the_run():
    with pytest.raises(ExecutorError):
        run_episode(request(), failed("auth"), on_failure="exclude")


def test_a_broken_check_is_no_score():
    check = ObjectSpec("helm.agents.checks.DomainCheck", {"method": "missing"})
    result, _ = run_episode(request(check=check), SUBMIT, on_failure="exclude", retries=0)
    assert (result.success, result.cause) == (False, "verifier") and "no method 'missing'" in result.error


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"agent": "helm.agents.agents.Nope"}, "Cannot make the agent"),
        ({"agent": "agent_support.Shop", "args": {"stock": {}}}, "is no agent"),
        (
            {"environment": ObjectSpec(SHOP.class_name, {"class_name": "agent_support.Nope"})},
            "Cannot make the environment",
        ),
    ],
)
def test_a_wrong_description_ends_the_run(fields, words):
    with pytest.raises(AgentError, match=words):
        run_episode(request(**fields), SUBMIT)


def test_one_command_per_turn_needs_no_tool_calls():
    tools = [ObjectSpec("agent_support.Bash")]
    asked = request("helm.agents.agents.OneCommandPerTurn", tools=tools, environment=None, check=None)
    result, model = run_episode(asked, "I look.\n```sh\nls\n```", "hm", "DONE")
    assert (result.outcome, result.counts.tool_calls) == ("stopped", 1)
    assert model.requests[1].messages[-1]["content"] == "ran ls"
    assert model.requests[0].tools is None
    assert "no command in a fenced block" in model.requests[2].messages[-1]["content"]


def test_a_conversation_with_a_user():
    user = ObjectSpec("helm.agents.users.user.ScriptedUser", {"replies": ["Sell two apples.", "Thanks. ###STOP###"]})
    asked = request("helm.agents.agents.ConversationLoop", {"greeting": "Hello."}, user=user, messages=[])
    result, model = run_episode(asked, SELL, "Sold.")
    assert (result.reward, result.counts.user_turns, result.outcome) == (1.0, 2, "stopped")
    assert [m["role"] for m in model.requests[1].messages] == ["assistant", "user", "assistant", "tool"]
    assert [event["stop"] for event in result.events if event["kind"] == "user"] == [None, "###STOP###"]


def test_a_user_who_is_asked_by_a_tool():
    user = ObjectSpec("helm.agents.users.user.ScriptedUser", {"replies": ["Two.", "Bye. ###STOP###"]})
    ask = [call("ask_user", {"question": "How many apples?"})]
    result, model = run_episode(request(user=user), ask, ask, ask, SELL, SUBMIT)
    assert "ask_user" in [tool["function"]["name"] for tool in model.requests[0].tools]
    told = [message["content"] for message in model.requests[3].messages if message["role"] == "tool"]
    assert told == ["Two.", "Bye.\n(The user has left.)", "The user has left."]
    assert (result.reward, result.counts.user_turns, result.counts.tool_errors) == (1.0, 2, 1)
    assert kinds(result)[1:6] == ["environment", "model", "tool_call", "user", "tool_result"]
    _, model = run_episode(request(), SUBMIT)
    assert "ask_user" not in [tool["function"]["name"] for tool in model.requests[0].tools]


def test_baselines():
    asked = request(
        "helm.agents.agents.OracleAgent", {"solution": {"calls": [call("sell", {"item": "apple", "number": 2})]}}
    )
    assert run_episode(asked)[0].reward == 1.0
    assert run_episode(request("helm.agents.agents.NothingAgent"))[0].reward == 0.0
    random = [run_episode(request("helm.agents.agents.RandomAgent", seed=seed))[0] for seed in (1, 1, 2)]
    answers = [[(e["name"], e["arguments"]) for e in r.events if e["kind"] == "tool_call"] for r in random]
    assert answers[0] == answers[1] != answers[2]
    assert random[0].counts.invalid_tool_calls == 0


def test_a_long_result_is_cut_in_the_middle():
    asked = request(tools=[ObjectSpec("agent_support.Long")], limits=EpisodeLimits(result_bytes=100))
    result, model = run_episode(asked, [call("long", {})], SUBMIT)
    content = model.requests[1].messages[-1]["content"]
    assert content == "a" * 50 + "\n[... 9900 bytes left out ...]\n" + "b" * 50
    event = next(event for event in result.events if event["kind"] == "tool_result")
    assert event["cut_bytes"] == 9900 and event["sha256"] == sha256_of("a" * 5000 + "b" * 5000)


def test_epochs_are_separate_draws():
    _, model = run_episode(request(epoch=2), SUBMIT)
    assert model.requests[0].random == "0:2"
    assert run_episode(request(), SUBMIT)[1].requests[0].random is None


# Resuming


class Killed(BaseException):
    """Stands for the end of the process: nothing after it is written."""


def die(asked):
    raise Killed


def interrupted(path, asked, *answers):
    model = ScriptedModel(*answers, die)
    with pytest.raises(Killed):
        executor(model).run_episode(asked, path)
    return model


def test_a_killed_episode_goes_on_and_nothing_is_asked_twice(tmp_path):
    path, asked = str(tmp_path / "episodes" / "0.journal"), request()
    interrupted(path, asked, SELL)
    assert [event["kind"] for event in read_events(path)][-1] == "tool_result"
    interrupted(path, asked, [call("count", {"item": "pear"})])
    model = ScriptedModel(SUBMIT)
    result = executor(model).run_episode(asked, path)
    plain, _ = run_episode(asked, SELL, [call("count", {"item": "pear"})], SUBMIT)
    assert len(model.requests) == 1
    assert (result.reward, result.divergence, result.resumed_at) == (1.0, False, 8)
    assert (result.state, result.usage, result.counts) == (plain.state, plain.usage, plain.counts)
    assert kinds(result) == kinds(plain)


def test_dying_again_while_repeating_loses_nothing(tmp_path):
    path, asked = str(tmp_path / "0.journal"), request()
    interrupted(path, asked, SELL, [call("count", {"item": "pear"})])
    EpisodeJournal(path, sha256_of(_as_json(asked))).close()  # died at once
    model = ScriptedModel(SUBMIT)
    assert executor(model).run_episode(asked, path).reward == 1.0
    assert len(model.requests) == 1


def test_an_answer_after_a_failure_survives_the_next_death(tmp_path):
    """The attempt that failed has more events than the shorter one that died as soon as it had the answer."""
    path, asked = str(tmp_path / "0.journal"), request(tools=[ObjectSpec("agent_support.Deadly")])
    Deadly.error = Killed
    model = ScriptedModel(SELL, failed(), [call("deadly", {})])
    with pytest.raises(Killed):
        executor(model).run_episode(asked, path)
    lines = open(path, "rb").read().split(b"\n")
    assert b'"tool_call"' in lines[-2] and b"deadly" in lines[-2]
    open(path, "wb").write(b"\n".join([*lines[:-2], b""]))  # it died one line earlier
    Deadly.error = None
    model = ScriptedModel(SUBMIT)
    result = executor(model).run_episode(asked, path)
    assert len(model.requests) == 1 and result.reward == 1.0 and result.divergence is False
    assert result.counts.tool_calls == 3


def test_an_answer_of_an_earlier_try_is_used_when_the_one_in_between_went_less_far():
    """Without a journal as well: the second try fails at its tool, and the third is given the answers of the first."""
    Faulty.bad_openings = [2]
    model = ScriptedModel(SELL, [call("count", {"item": "pear"})], failed(), SUBMIT)
    result = executor(model, retries=2).run_episode(request(tools=[ObjectSpec("agent_support.Faulty")]))
    assert len(model.requests) == 4 and result.reward == 1.0


def _as_json(asked):
    from dataclasses import asdict

    return asdict(asked)


def test_another_request_starts_over(tmp_path):
    path = str(tmp_path / "0.journal")
    interrupted(path, request(), SELL)
    model = ScriptedModel(SELL, SUBMIT)
    result = executor(model).run_episode(request(epoch=1), path)
    assert len(model.requests) == 2 and result.divergence is None


def test_a_divergence_is_recorded(tmp_path):
    Dice.rolls[:] = [1, 2]
    path, asked = str(tmp_path / "0.journal"), request(tools=[ObjectSpec("agent_support.Dice")])
    interrupted(path, asked, [call("dice", {})])
    model = ScriptedModel(SELL, SUBMIT)
    result = executor(model).run_episode(asked, path)
    assert (result.divergence, result.success, result.reward) == (True, True, 1.0)
    event = next(event for event in result.events if event["kind"] == "divergence")
    assert (event["expected_sha256"], event["sha256"]) == (sha256_of("1"), sha256_of("2"))


def test_a_damaged_journal_loses_only_what_follows(tmp_path):
    path, asked = str(tmp_path / "0.journal"), request()
    interrupted(path, asked, SELL, [call("count", {"item": "pear"})])
    lines = open(path, "rb").read().split(b"\n")
    lines[-4] = lines[-4].replace(b"count", b"cuont")
    open(path, "wb").write(b"\n".join(lines))
    model = ScriptedModel([call("count", {"item": "pear"})], SUBMIT)
    assert executor(model).run_episode(asked, path).reward == 1.0
    assert not model.answers


# Tools


def test_the_schema_of_a_function():
    def find(name: str, kinds: list[str] | None = None, most: int = 3) -> str:
        """Find something.

        Args:
            name: what to look for,
                in any case.
            most: at most so many.

        Returns: text.
        """
        return f"{name}{kinds}{most}"

    made = FunctionTool(find)
    assert made.description == "Find something."
    assert made.parameters == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "what to look for, in any case."},
            "kinds": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
            "most": {"type": "integer", "description": "at most so many.", "default": 3},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    with pytest.raises(AgentError, match="'x' needs a type hint"):
        FunctionTool(lambda x: x)


def test_tools_are_only_what_is_marked():
    from agent_support import Shop

    assert [made.name for made in tools_of(Shop({}))] == ["count", "sell"]


def test_an_agent_of_ones_own():
    result, _ = run_episode(request("agent_support.Own"), '{"item": "apple", "number": 2}')
    assert result.reward == 1.0


def console(*lines):
    """A console whose person types prepared lines, and what it shows."""
    typed, shown = list(lines), []

    def read(prompt):
        shown.append(prompt)
        if not typed:
            raise EOFError
        return typed.pop(0)

    return Console(read, shown.append), shown


def test_a_person_is_asked_before_calls():
    made, shown = console("what", "n too many", "y")
    runner = executor(ScriptedModel(SELL, SELL, SUBMIT), retries=0)
    runner._approve = Approver((), made)
    result = runner.run_episode(request())
    told = [event["content"] for event in result.events if event["kind"] == "tool_result"]
    assert told == ["A person did not allow this call: too many.", "sold", "Submitted."]
    assert (result.counts.invalid_tool_calls, result.counts.tool_errors, result.reward) == (0, 1, 1.0)
    assert "Task t calls sell:\n    item: apple\n    number: 2" in shown[0]


def test_always_is_for_one_tool_and_the_end_of_input_ends_the_command():
    made, shown = console("a")
    approve = Approver((), made)
    assert approve("t", "sell", {}) is None and approve("t", "sell", {}) is None
    assert approve("t", "submit", {}) is None
    assert Approver(["bash"], made)("t", "sell", {}) is None
    with pytest.raises(AgentError, match="terminal was closed"):
        approve("t", "count", {"item": "\x1b[2Jx"})
    assert not any("\x1b" in line for line in shown)
    quitting = Approver((), console("q")[0])
    with pytest.raises(AgentError, match="A person has ended the command"):
        quitting("t", "sell", {})


def test_without_a_terminal_nobody_can_be_asked(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(ConfigError, match="--approve needs a terminal"):
        AgentExecutor(ScriptedModel(), RunSettings(approve=[])).check_machine([request()])
    with pytest.raises(ConfigError, match="agents/human needs a terminal"):
        executor(ScriptedModel()).check_machine([request("helm.agents.agents.HumanAgent")])


def test_a_person_does_the_task(monkeypatch):
    made, shown = console(
        "/tools", "ls", "/call sell {bad", '/call sell {"item": "apple", "number": 2}', "/submit done"
    )
    monkeypatch.setattr("helm.agents.agents.human._TERMINAL", made)
    result, _ = run_episode(request("helm.agents.agents.HumanAgent"))
    assert (result.outcome, result.answer, result.reward) == ("submitted", "done", 1.0)
    text = "\n".join(shown)
    assert "Sell two apples." in text and "count: Count an item." in text and "no shell" in text and "no JSON" in text
    assert kinds(result) == ["message", "environment", "tool_call", "tool_result", "submit", "score"]


def test_a_replay_goes_the_same_way_without_a_model():
    result, _ = run_episode(request(), [call("count", {"item": "pear"})], SELL, SUBMIT)
    again = replay(request(), result)
    assert again.is_same and again.result.reward == 1.0 and again.first_difference is None
    other = ObjectSpec(SHOP.class_name, {**SHOP.args, "data": {"stock": {"apple": 5, "pear": 3}}})
    changed = replay(request(environment=other), result)
    assert not changed.is_same and changed.result.outcome == "infrastructure"
    event = changed.result.events[changed.first_difference]
    assert (event["kind"], event["content"]) == ("tool_result", "3")
