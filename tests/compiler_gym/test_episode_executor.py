"""Episodes through the parts of a run: adapter, executor, metric. Real services unless the name says otherwise."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from toy_compiler import TOY_BACKEND

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE, AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance
from helm.common.episode_request import EpisodeRequest
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from helm.compiler_gym import proto
from helm.compiler_gym.compiler_client import CompilerClient
from helm.compiler_gym.executor import EpisodeExecutor
from helm.compiler_gym.programs import PROGRAMS

_POLICIES = "helm.compiler_gym.policies"
_SPACES = ["IrInstructionCount", "IrInstructionCountOz", "ObjectTextSizeBytes", "ObjectTextSizeOz", "IrSha1"]


def _client(policy: str, backend: str = "llvm", **args) -> CompilerClient:
    return CompilerClient(policy={"class_name": policy, "args": args}, backend=backend)


def _request(client: CompilerClient, program: str = "bitcount", **overrides) -> EpisodeRequest:
    request = EpisodeRequest(
        benchmark=f"benchmark://helm-v0/{program}",
        policy=client.policy,
        reward_space="IrInstructionCountOz",
        observation_spaces=_SPACES,
        max_steps=10,
    )
    return replace(request, **overrides)


def _toy_request(client: CompilerClient, path: Path, **overrides) -> EpisodeRequest:
    path.write_text("hello")
    return _request(
        client, benchmark=path.as_uri(), reward_space="cost", observation_spaces=["cost", "features"], **overrides
    )


def _state(*requests: EpisodeRequest) -> ScenarioState:
    states = [
        new_request_state(Instance(Input(text=r.benchmark), [], split=TEST_SPLIT, id=f"id{i}"), r)
        for i, r in enumerate(requests)
    ]
    return ScenarioState(AdapterSpec(method=ADAPT_EPISODE), states)


def _without_time(result):
    return replace(result, elapsed_s=None, policy_s=None)


@pytest.mark.parametrize(
    ("policy", "args"),
    [
        ("DefaultPipeline", {"level": "-Oz"}),
        ("RandomSearch", {"episodes": 8, "episode_length": 8}),
        pytest.param("Greedy", {}, marks=pytest.mark.slow),
    ],
)
def test_in_process_and_over_grpc_every_result_is_equal(policy, args):
    client, results = _client(f"{_POLICIES}.{policy}", **args), []
    for connection in ("in_process", "local"):
        with EpisodeExecutor(client, parallelism=2, connection=connection) as executor:
            state = executor.execute(_state(_request(client, "crc32"), _request(client, "strsearch")))
        results.append([_without_time(s.result) for s in state.request_states])
    assert results[0] == results[1]
    assert all(result.success for result in results[0])


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_oz_is_as_good_as_oz(every):
    client = _client(f"{_POLICIES}.DefaultPipeline", level="-Oz")
    with EpisodeExecutor(client, connection="in_process") as executor:
        for program in list(PROGRAMS)[::every]:
            result = executor.run_episode(_request(client, program))
            assert result.actions == ["-Oz"]
            assert result.rewards == pytest.approx([1.0])
            assert result.observations["IrInstructionCount"] == result.observations["IrInstructionCountOz"]
            assert result.observations["ObjectTextSizeBytes"] == result.observations["ObjectTextSizeOz"]
            assert result.initial_observations["IrInstructionCount"] > result.observations["IrInstructionCount"]


def test_only_what_a_policy_returns_is_scored(tmp_path):
    client = _client("compiler_policies.SearchAndReset", TOY_BACKEND)
    with EpisodeExecutor(client, connection="in_process") as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll"))
    assert (result.actions, result.observations) == (["b"], {"cost": 99, "features": [0, 1, 0]})
    assert result.num_actions_tried == 1 + 3 + 1


@pytest.mark.parametrize(
    "policy, args, complaint",
    [
        ("compiler_policies.Raising", {}, "Policy Raising raised IndexError: list index out of range"),
        ("compiler_policies.Returning", {"value": "-sroa"}, "returned '-sroa'; expected a list of actions"),
        ("compiler_policies.Returning", {"value": None}, "returned None; expected a list of actions"),
        ("compiler_policies.Returning", {"value": ["-sroa"] * 11}, "returned 11 actions; max_steps is 10"),
        ("compiler_policies.Returning", {"value": ["-sora"]}, "Unknown LLVM pass '-sora'. Did you mean '-sroa'"),
        ("compiler_policies.Returning", {"value": ["-Oq"]}, "Invalid value for llvm.apply_baseline_optimizations: -Oq"),
    ],
    ids=["raises", "text", "none", "too-many", "unknown-pass", "unknown-pipeline"],
)
def test_what_a_policy_gets_wrong_is_a_failed_episode(policy, args, complaint):
    client = _client(policy, **args)
    with EpisodeExecutor(client, connection="in_process") as executor:
        result = executor.run_episode(_request(client))
        assert (result.success, result.status) == (False, "error")
        assert complaint in result.error


def test_a_service_killed_in_mid_episode_fails_that_episode_and_no_other():
    good = _client(f"{_POLICIES}.DefaultPipeline", level="-Oz")
    killer = _client("compiler_policies.KillingTheService")
    requests = [_request(good), _request(killer), _request(good), _request(killer), _request(good, "crc32")]
    with EpisodeExecutor(good, parallelism=2) as executor:
        state = executor.execute(_state(*requests))
    results = [s.result for s in state.request_states]
    assert [result.success for result in results] == [True, False, True, False, True]
    for result in (results[1], results[3]):
        assert result.status == "crashed"
        assert "SIGKILL" in result.error
        assert not result.rewards and not result.observations


def test_an_action_that_crashes_the_compiler_is_a_failed_episode(tmp_path):
    client = _client("compiler_policies.Returning", TOY_BACKEND, value=["0", "8"])
    other = _client("compiler_policies.Returning", TOY_BACKEND, value=["0"])
    with EpisodeExecutor(client) as executor:
        crashed = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
        fine = executor.run_episode(_toy_request(other, tmp_path / "p.ll", action_space="other"))
    assert (crashed.success, crashed.status) == (False, "crashed")
    assert "returncode: 7" in crashed.error
    assert (fine.success, fine.observations["cost"]) == (True, 90)


@pytest.mark.parametrize(
    "steps, sequences, failed",
    [
        ([], [["0"], ["0", "1", "8", "2"], ["8"]], ["0", "1", "8"]),
        (["0"], [["1"], ["8"]], ["0", "8"]),
        (["0", "8"], [], ["0", "8"]),
        ([], [["-1"], ["5"], ["4"], ["6"], ["3", "8"], ["8"]], ["8"]),
    ],
    ids=["in-a-sequence", "after-steps", "in-a-step", "after-other-failures"],
)
def test_what_crashed_the_compiler_during_the_search_is_recorded(tmp_path, steps, sequences, failed):
    client = _client("compiler_policies.Trying", TOY_BACKEND, sequences=sequences, steps=steps)
    with EpisodeExecutor(client) as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
    assert (result.status, result.failed_actions) == ("crashed", failed)


def test_what_hung_the_compiler_during_the_search_is_recorded(tmp_path):
    client = _client("compiler_policies.Trying", "toy_compiler.ToySessionThatHangs", sequences=[["0"], ["1", "7"]])
    with EpisodeExecutor(
        client, rpc_timeout_s=4
    ) as executor:  # on a busy machine half a second was too short for any call
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
    assert (result.status, result.failed_actions) == ("timeout", ["1", "7"])


def test_a_crash_that_no_sequence_repeats_is_told(tmp_path):
    client = _client("compiler_policies.CrashingOnce", TOY_BACKEND)
    with EpisodeExecutor(client) as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
    assert (result.status, result.failed_actions) == ("crashed", None)
    assert result.error.endswith("None of the 2 sequences that were being tried fails by itself.")


def test_failures_that_the_search_survives_are_recorded(tmp_path):
    """Action 6 is an INTERNAL error; -1 is refused, and 3 ends the session, which are none."""
    sequences = [["0", "6", "1"], ["-1"], ["3"], ["4"]]
    client = _client("compiler_policies.Trying", TOY_BACKEND, sequences=sequences, steps=["2"])
    with EpisodeExecutor(client) as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
    assert result.success and result.failed_actions is None
    assert result.failed_trials == [
        {"actions": ["2", "0", "6"], "error": "INTERNAL: os"},
        {"actions": ["2", "4"], "error": "DEADLINE_EXCEEDED: time"},
    ]


@pytest.mark.parametrize("connection", ["local", "in_process"])
def test_an_episode_has_limited_time(tmp_path, connection):
    client = _client("compiler_policies.Sleeping", TOY_BACKEND)
    with EpisodeExecutor(client, connection=connection, timeout_s=0.1) as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll"))
    assert (result.success, result.status, result.failed_actions) == (False, "timeout", None)
    assert "did not end within 0.1 seconds" in result.error


def test_a_compiler_that_hangs_is_killed_and_the_next_episode_has_a_new_one(tmp_path):
    hanging = _client("compiler_policies.Hanging", TOY_BACKEND)
    good = _client("compiler_policies.Returning", TOY_BACKEND, value=["a"])
    started = time.monotonic()
    with EpisodeExecutor(hanging, rpc_timeout_s=4) as executor:
        result = executor.run_episode(_toy_request(hanging, tmp_path / "p.ll"))
        assert (result.success, result.status) == (False, "timeout")
        assert executor.run_episode(_toy_request(good, tmp_path / "p.ll")).success
    assert time.monotonic() - started < 200


def test_a_reward_without_meaning_is_a_failed_episode(tmp_path):
    (tmp_path / "empty.ll").write_text("declare i32 @f()\n")
    client = _client("compiler_policies.Returning", value=["-sroa"])
    with EpisodeExecutor(client, connection="in_process") as executor:
        request = _request(client, benchmark=(tmp_path / "empty.ll").as_uri(), reward_space="IrInstructionCountNorm")
        result = executor.run_episode(request)
    assert (result.success, result.status) == (False, "error")
    assert "Reward IrInstructionCountNorm: IrInstructionCountO0 of file:" in result.error


def test_a_program_that_the_compiler_refuses_is_a_failed_episode(tmp_path):
    (tmp_path / "x.ll").write_text("define i32 @f() { ret i33 0 }")
    client = _client(f"{_POLICIES}.Greedy")
    with EpisodeExecutor(client, connection="in_process") as executor:
        result = executor.run_episode(_request(client, benchmark=(tmp_path / "x.ll").as_uri()))
    assert (result.success, result.status) == (False, "error")
    assert "Failed to parse LLVM IR" in result.error


def test_the_end_of_a_session_ends_the_answer(tmp_path):
    client = _client("compiler_policies.Returning", TOY_BACKEND, value=["0", "3", "0"])
    with EpisodeExecutor(client, connection="in_process") as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll", action_space="other"))
    assert (result.success, result.actions, result.observations["cost"]) == (True, ["0", "3"], 90)


def test_wrong_configuration_is_an_error_and_no_result():
    client = _client(f"{_POLICIES}.Greedy")
    with EpisodeExecutor(client, connection="in_process") as executor:
        for overrides, complaint in (
            ({"reward_space": "IrInstructionCountOx"}, "no reward 'IrInstructionCountOx'.*Did you mean"),
            ({"observation_spaces": ["IrSha2"]}, "no observation 'IrSha2'.*Did you mean 'IrSha1'"),
            ({"policy": ObjectSpec("no.such.Policy")}, "Cannot make the policy no.such.Policy"),
            ({"policy": ObjectSpec("json.JSONDecoder")}, "is not a policy"),
        ):
            with pytest.raises(ConfigError, match=complaint):
                executor.run_episode(_request(client, **overrides))


def test_a_service_that_cannot_be_reached_is_an_error_of_the_executor():
    client = CompilerClient({"class_name": f"{_POLICIES}.Greedy"}, options={"rpc_init_timeout_s": 0.2})
    with EpisodeExecutor(client, connection="127.0.0.1:1") as executor:
        with pytest.raises(ExecutorError, match="No compiler service answers at 127.0.0.1:1"):
            executor.run_episode(_request(client))
    with pytest.raises(ExecutorError, match="needs a CompilerClient, not a str"):
        EpisodeExecutor("llvm")  # type: ignore[arg-type]


def test_a_remote_service_serves_episodes(toy_process, tmp_path):
    client = _client(f"{_POLICIES}.FixedActions", TOY_BACKEND, actions=["a", "b"])
    with EpisodeExecutor(client, connection=toy_process.address) as executor:
        result = executor.run_episode(_toy_request(client, tmp_path / "p.ll"))
    assert (result.actions, result.observations["cost"]) == (["a", "b"], 89)


def test_a_failed_episode_leaves_no_session_on_a_remote_service(toy_process, tmp_path):
    client = _client("compiler_policies.Sleeping", TOY_BACKEND)
    with EpisodeExecutor(client, connection=toy_process.address, timeout_s=0.1) as executor:
        assert executor.run_episode(_toy_request(client, tmp_path / "p.ll")).status == "timeout"
    assert toy_process.call("EndSession", proto.EndSessionRequest(session_id=-1)).remaining_sessions == 0


def test_finished_episodes_are_not_run_again(tmp_path):
    client = _client(f"{_POLICIES}.DefaultPipeline", level="-Oz")
    state = _state(_request(client), _request(client, "crc32"))
    with EpisodeExecutor(client, connection="in_process") as executor:
        first = executor.execute(state, RequestJournal(str(tmp_path), "x"))
        runs: list = []
        executor.run_episode = lambda request: runs.append(request)  # type: ignore[method-assign,assignment,return-value]
        again = executor.execute(state, RequestJournal(str(tmp_path), "x"))
    assert not runs
    assert again.request_states == first.request_states


def test_a_policy_needs_a_class_path():
    with pytest.raises(ConfigError, match="needs class_name"):
        CompilerClient(policy={"class": "x"})


@pytest.mark.parametrize("by_trials", [False, True], ids=["steps", "trials"])
def test_what_was_best_when_the_budget_ends_is_the_answer(by_trials):
    client = _client("compiler_policies.SearchingForEver", actions=["-sroa", "-reg2mem"], by_trials=by_trials)
    with EpisodeExecutor(client, connection="in_process") as executor:
        found = executor.run_episode(_request(client, max_compilations=4))
    assert found.success and found.is_budget_used_up
    assert found.num_actions_tried == 4 + 1, "and the answer itself"
    assert found.actions == ["-sroa"] and sum(found.rewards) > 0
