"""Agents that need further packages: nevergrad's search, and an agent of Stable-Baselines3."""

import runpy
from pathlib import Path

import pytest

from helm.common.episode_request import EpisodeRequest
from helm.compiler_gym.compiler_client import CompilerClient
from helm.compiler_gym.executor import EpisodeExecutor
from helm.compiler_gym.replay import list_recorded_programs, make_commandline, parse_commandline, read_states

_EXAMPLE = Path(__file__).parents[2] / "examples" / "compiler_agent" / "train_ppo.py"


def _run_nevergrad(**args):
    policy = {"class_name": "helm.compiler_gym.nevergrad_policy.Nevergrad", "args": args}
    client = CompilerClient(policy)
    request = EpisodeRequest(
        benchmark="benchmark://helm-v0/bitcount",
        policy=client.policy,
        reward_space="IrInstructionCountOz",
        observation_spaces=["IrInstructionCount"],
        max_steps=8,
        seed=3,
    )
    with EpisodeExecutor(client, connection="in_process") as executor:
        return executor.run_episode(request)


def test_nevergrad_finds_the_same_with_the_same_seed():
    pytest.importorskip("nevergrad")
    one, other = (_run_nevergrad(budget=48, episode_length=12, batch=8) for _ in range(2))
    assert one.success and sum(one.rewards) > 0 and len(one.actions) <= 8
    assert (one.actions, one.rewards) == (other.actions, other.rewards)
    assert _run_nevergrad(optimizer="RandomSearch", budget=4, batch=4).success


def test_an_unknown_optimizer_is_named():
    pytest.importorskip("nevergrad")
    from helm.common.errors import ConfigError

    with pytest.raises(ConfigError, match="nevergrad has no optimizer 'DiscretOnePlusOne'. Did you mean"):
        _run_nevergrad(optimizer="DiscretOnePlusOne")


@pytest.mark.slow
def test_an_agent_learns_and_its_episodes_can_be_replayed(tmp_path):
    """Needs stable-baselines3, which brings torch."""
    pytest.importorskip("stable_baselines3")
    output = tmp_path / "agent.csv"
    runpy.run_path(str(_EXAMPLE))["main"](["--timesteps", "256", "--episode-length", "8", "--output", str(output)])
    programs = [f"benchmark://helm-v0/{name}" for name in ("crc32", "bitcount", "quicksort", "sha256")]
    assert sorted(list_recorded_programs(str(output))) == sorted(programs), "32 episodes, in turn"
    states = read_states(str(output))
    assert max(state.reward for state in states) > 0
    client = CompilerClient({"class_name": "helm.compiler_gym.replay.Replay", "args": {"states": str(output)}})
    with EpisodeExecutor(client, connection="in_process") as executor:
        for state in states:
            found = executor.run_episode(
                EpisodeRequest(state.benchmark, client.policy, "IrInstructionCountOz", max_steps=8)
            )
            assert found.success and sum(found.rewards) == pytest.approx(state.reward)


@pytest.mark.parametrize("actions", [[], ["-sroa"], ["-Oz"], ["-sroa", "-gvn", "-sroa"]])
@pytest.mark.parametrize("family", ["llvm", "gcc"])
def test_a_command_line_and_back(actions, family):
    assert parse_commandline(make_commandline(actions, family)) == actions
