from typing import Any

import gymnasium
import numpy as np
import pytest
from toy_compiler import TOY_BACKEND

from helm.compiler_gym import make, wrappers
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.checks.validation import ValidationError
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.envs.gym_spaces import Commandline
from helm.compiler_gym.errors import BenchmarkInitError
from helm.compiler_gym.wrappers import (
    ActionWrapper,
    CommandlineWithTerminalAction,
    CompilerEnvWrapper,
    ConstrainedCommandline,
    Counter,
    CycleOverBenchmarks,
    CycleOverBenchmarksIterator,
    ForkOnStep,
    IterateOverBenchmarks,
    ObservationWrapper,
    RandomOrderBenchmarks,
    RewardWrapper,
    RuntimePointEstimateReward,
    TimeLimit,
    ValidateBenchmarkAfterEveryStep,
)


def _make_program(number: int) -> Benchmark:
    return Benchmark.from_file_contents(f"benchmark://x-v0/{number}", b"program %d" % number)


def _make(backend: str = TOY_BACKEND + "WithFlags", **kwargs: Any) -> CompilerEnv:
    arguments: dict[str, Any] = {"benchmark": _make_program(0), "observation_space": "features"}
    return CompilerEnv(backend, reward_space="cost", connection="in_process", **{**arguments, **kwargs})


@pytest.fixture
def env():
    with _make() as env:
        yield env


def test_a_wrapper_hands_everything_on(env):
    wrapper = CompilerEnvWrapper(CompilerEnvWrapper(env))
    wrapper.reset()
    assert wrapper.step(0)[1] == 90.0
    assert (wrapper.episode_reward, wrapper.actions, wrapper.in_episode) == (90.0, [0], True)
    assert wrapper.action_space is env.action_space and wrapper.observation_space == env.observation_space
    wrapper.observation_space = "cost"
    assert env.observation_space_spec.id == "cost"
    assert wrapper.state == env.state and wrapper.validate().okay()
    with wrapper.fork() as fork:
        assert type(fork) is CompilerEnvWrapper and type(fork.env) is CompilerEnvWrapper
        fork.step(0)
        assert (fork.observation["cost"], wrapper.observation["cost"]) == (80, 90)
    assert wrapper.unwrapped is env
    with pytest.raises(AttributeError):
        _ = wrapper.nothing


def test_hooks_for_actions_observations_and_rewards(env):
    class Next(ActionWrapper):
        def action(self, action):
            return action + 1

    class Total(ObservationWrapper):
        def convert_observation(self, observation):
            return int(observation.sum())

    class Tenth(RewardWrapper):
        def convert_reward(self, reward):
            return reward / 10

    wrapper = Tenth(Total(Next(env)))
    assert wrapper.reset()[0] == 0
    observation, reward, *_ = wrapper.step(0)
    assert (observation, reward, wrapper.episode_reward) == (1, pytest.approx(9.9), pytest.approx(9.9))
    assert wrapper.step(0, observation_spaces=["cost"], reward_spaces=["cost"])[:2] == ([98], [-1.0])


def test_time_limit(env):
    wrapper = TimeLimit(env, max_episode_steps=3)
    wrapper.reset()
    assert wrapper.multistep([0, 0])[2:4] == (False, False)
    with wrapper.fork() as fork:
        assert fork.step(0)[3] is True
    *_, terminated, truncated, info = wrapper.step(0)
    assert (terminated, truncated, info["TimeLimit.truncated"]) == (False, True, True)
    wrapper.reset()
    assert wrapper.step(0)[3] is False
    *_, terminated, truncated, info = wrapper.multistep([0, 3])
    assert (terminated, truncated, info["TimeLimit.truncated"]) == (True, False, False)
    with pytest.raises(ValueError, match="at least 1"):
        TimeLimit(env, 0)


def test_a_terminal_action_ends_the_episode(env):
    wrapper = CommandlineWithTerminalAction(env)
    assert wrapper.action_space.flags == ["-a", "-b", "-c", "# end-of-episode"]
    wrapper.reset()
    assert wrapper.step(0)[2] is False
    observation, _, terminated, _, info = wrapper.multistep([1, 3, 0])
    assert (observation.tolist(), terminated, info["terminal_action"]) == ([1, 1, 0], True, True)
    assert wrapper.actions == [0, 1]
    wrapper.reset()
    assert wrapper.step("# end-of-episode")[2] is True
    with pytest.raises(TypeError, match="flags of a command line"):
        CommandlineWithTerminalAction(_make(TOY_BACKEND))


def test_some_of_the_flags(env):
    wrapper = ConstrainedCommandline(env, ["-c", "-a"])
    assert isinstance(wrapper.action_space, Commandline) and wrapper.action_space.n == 2
    wrapper.reset()
    assert wrapper.step(1)[0].tolist() == [1, 0, 0]
    assert wrapper.step("-c")[0].tolist() == [1, 0, 1]
    assert (wrapper.actions, env.actions) == ([1, 0], [0, 2])
    with pytest.raises(ValueError, match="not in range"):
        wrapper.step(2)
    with pytest.raises(ValueError, match="'-b' is not an action"):
        wrapper.step("-b")
    with pytest.raises(ValueError):
        ConstrainedCommandline(env, ["-z"])


def _play(wrapper: Any, num_episodes: int) -> list[str]:
    uris = []
    for _ in range(num_episodes):
        wrapper.reset()
        uris.append(str(wrapper.benchmark)[-1])
    return uris


def test_programs_in_turn(env):
    programs = [_make_program(number) for number in range(3)]
    wrapper = IterateOverBenchmarks(env, programs)
    assert _play(wrapper, 2) == ["0", "1"]
    with wrapper.fork() as fork:
        assert _play(fork, 3) == ["0", "1", "2"]
    assert _play(wrapper, 1) == ["2"]
    with pytest.raises(StopIteration):
        wrapper.reset()
    with pytest.raises(TypeError, match="chooses the benchmark"):
        wrapper.reset(benchmark=programs[0])
    assert _play(CycleOverBenchmarks(env, programs), 5) == ["0", "1", "2", "0", "1"]
    assert _play(CycleOverBenchmarksIterator(env, lambda: iter(programs)), 4) == ["0", "1", "2", "0"]
    shared = IterateOverBenchmarks(env, programs, fork_shares_iterator=True)
    assert _play(shared, 1) == ["0"]
    with shared.fork() as fork:
        assert _play(fork, 1) == ["1"]
    assert _play(shared, 1) == ["2"]


def test_programs_at_random(env):
    programs = [_make_program(number) for number in range(5)]
    drawn = _play(RandomOrderBenchmarks(env, programs, np.random.default_rng(1)), 30)
    assert drawn == _play(RandomOrderBenchmarks(env, programs, np.random.default_rng(1)), 30)
    assert set(drawn) == set("01234")
    wrapper = RandomOrderBenchmarks(env, programs)
    seeded = []
    for _ in range(2):
        wrapper.reset(seed=7)
        seeded.append([str(wrapper.benchmark), *_play(wrapper, 5)])
    assert seeded[0] == seeded[1]


def test_counter(env):
    wrapper = Counter(env)
    wrapper.reset()
    wrapper.step(0)
    wrapper.multistep([0, 1])
    wrapper.reset()
    with wrapper.fork() as fork:
        assert sum(fork.counters.values()) == 0
    assert wrapper.counters == {"close": 0, "reset": 2, "step": 2, "fork": 1}


def test_steps_are_undone(env):
    wrapper = ForkOnStep(env)
    wrapper.reset()
    wrapper.step(0)
    wrapper.step(1)
    with pytest.raises(ValueError):
        wrapper.step(33)
    assert len(wrapper.stack) == 2
    wrapper.undo()
    assert (wrapper.actions, wrapper.observation["cost"]) == ([0], 90)
    wrapper.undo()
    wrapper.undo()
    assert (wrapper.actions, wrapper.observation["cost"]) == ([], 100)
    wrapper.close()


def test_the_checks_of_the_program_after_every_step(env):
    program = _make_program(9)
    program.add_validation_callback(
        lambda env: [ValidationError("Wrong output")] if env.observation["cost"] < 90 else []
    )
    wrapper = ValidateBenchmarkAfterEveryStep(env, reward_penalty=-5)
    wrapper.reset(benchmark=program)
    assert wrapper.step(0)[1:3] == (90.0, False)
    _, reward, terminated, _, info = wrapper.step(0)
    assert (reward, terminated, info["error_details"]) == (-5, True, "Wrong output")


def test_running_time_as_reward(env):
    wrapper = RuntimePointEstimateReward(env, runtime_count=3)
    wrapper.reset()
    assert wrapper.step(0)[1] == pytest.approx(0.1)
    assert wrapper.multistep([0, 0])[1] == pytest.approx(0.2)
    with pytest.raises(BenchmarkInitError, match="not runnable"):
        wrapper.reset(benchmark=Benchmark.from_file_contents("benchmark://x-v0/lib", b"library"))


def test_many_environments_at_once():
    envs = gymnasium.vector.SyncVectorEnv([lambda: TimeLimit(_make(TOY_BACKEND), 2)] * 3)
    try:
        observations, _ = envs.reset(seed=1)
        assert observations.shape == (3, 3)
        observations, rewards, terminated, truncated, _ = envs.step(np.array([0, 1, 2]))
        assert observations.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        assert rewards.tolist() == [90, 99, 100] and not terminated.any()
        assert envs.step(np.array([0, 0, 0]))[3].all()
    finally:
        envs.close()


def test_many_environments_in_processes_of_their_own():
    """Every worker has its environment, and that environment its service."""
    envs = gymnasium.vector.AsyncVectorEnv([_make_toy_process] * 2, context="spawn", shared_memory=False)
    try:
        envs.reset(seed=1)
        assert envs.step(np.array([0, 1]))[1].tolist() == [90, 99]
    finally:
        envs.close()


def _make_toy_process() -> Any:
    return CompilerEnv(
        TOY_BACKEND, benchmark=_make_program(0), observation_space="features", reward_space="cost", connection="local"
    )


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_a_seed_begins_the_cycle_again():
    from gymnasium.utils.env_checker import check_env

    programs = ["helm-v0/crc32", "helm-v0/fft"]
    for wrap in (
        lambda env: wrappers.CycleOverBenchmarks(env, programs),
        lambda env: wrappers.CycleOverBenchmarksIterator(env, lambda: iter(programs)),
    ):
        env = wrap(make("llvm-autophase-ic-v0", connection="in_process"))
        env.reset(seed=1), env.reset()
        assert str(env.benchmark) == "benchmark://helm-v0/fft"
        env.reset(seed=1)
        assert str(env.benchmark) == "benchmark://helm-v0/crc32"
        check_env(env, skip_render_check=True)
        env.close()
