import pytest
from toy_compiler import TOY_BACKEND

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceTimeoutError, SessionNotFound
from helm.compiler_gym.policies import (
    BeamSearch,
    DefaultPipeline,
    EpsilonGreedy,
    Evolution,
    FixedActions,
    Greedy,
    RandomSearch,
)
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.rewards import CostFunctionReward, create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection


class _CostReward(CostFunctionReward):
    """The fall of the toy's cost; 100 before the first action."""

    def __init__(self):
        super().__init__(name="fall", cost_function="cost", init_cost_function="init")

    def reset(self, benchmark, observation_view):
        self._previous = 100


def _make_env(connection, **kwargs) -> CompilerEnvironment:
    benchmark = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"hello"))
    env = CompilerEnvironment(connection, benchmark, _CostReward(), **kwargs)
    env.reset()
    return env


@pytest.fixture(params=["in_process", "grpc", "no-fork", "without-batches"])
def env(request, toy_process):
    if request.param == "grpc":
        env = _make_env(toy_process)
        yield env
        env.close()
        return
    backend = TOY_BACKEND + ("WithoutFork" if request.param == "no-fork" else "")
    with InProcessConnection(backend) as connection:
        env = _make_env(connection)
        env._can_try_in_one_call = request.param != "without-batches"
        yield env


def test_steps_are_rewarded_and_counted(env):
    assert [env.step("a"), env.step("b"), env.step(0)] == [10, 1, 10]
    assert (env.actions, env.rewards, env.episode_reward) == (["a", "b", "a"], [10, 1, 10], 21)
    assert env["cost"] == 79
    assert env.observe(["source", "cost"]) == {"source": "hello", "cost": 79}
    env.reset()
    assert (env.actions, env.episode_reward, env["cost"], env.num_actions_tried) == ([], 0, 100, 3)


def test_trying_actions_leaves_the_program_alone_whatever_the_service_offers(env):
    env.step("a")
    trials = env.try_actions([["a", "b"], ["b"], ["c"], []])
    assert [trial.rewards for trial in trials] == [[10, 1], [1], [0], []]
    assert [trial.error for trial in trials] == [None] * 4
    assert (env["cost"], env.actions, env.num_actions_tried) == (90, ["a"], 5)


def test_a_refused_action_ends_a_trial(env):
    (trial,) = env.try_actions([["a", "33", "a"]])
    assert trial.rewards == [10]
    assert "Out-of-range" in trial.error
    assert env["cost"] == 100


def test_a_refused_action_is_not_listed(env):
    env.step("a")
    with pytest.raises(ValueError, match="Out-of-range"):
        env.step("44")
    assert env.actions == ["a"]
    assert env.step("b") == 1


def test_greedy_takes_the_best_action_as_often_as_it_may(env):
    env.max_steps = 12
    assert Greedy().run(env) == ["a"] * 10 + []
    env.max_steps = 3
    env.reset()
    assert Greedy().run(env) == ["a"] * 3


def test_greedy_stops_when_nothing_earns_anything(env):
    env.max_steps = None
    assert Greedy().run(env) == ["a"] * 10  # the cost cannot fall below 0


def test_random_search_is_cut_where_it_was_best(env):
    env.seed, env.max_steps = 3, 5
    best = RandomSearch(episodes=20, episode_length=9).run(env)
    assert 0 < len(best) <= 5 and best[-1] != "c"
    env.reset()
    assert RandomSearch(episodes=20, episode_length=9, seed=3).run(env) == best
    assert sum(env.step(action) for action in best) == max(trial.total for trial in env_trials(env, 3, 20, 5))


def env_trials(env, seed, episodes, length):
    """What the search saw, drawn again."""
    import random

    rng = random.Random(seed)
    env.reset()
    return env.try_actions([rng.choices(env.action_names, k=length) for _ in range(episodes)])


def test_random_search_refuses_to_search_nothing():
    with pytest.raises(ValueError, match="episodes and episode_length >= 1"):
        RandomSearch(episodes=0)


def test_beam_search_finds_what_greedy_finds_and_keeps_to_max_steps(env):
    env.max_steps = 3
    assert BeamSearch(width=2).run(env) == ["a"] * 3
    env.max_steps = None
    assert BeamSearch(width=1, patience=1).run(env) == ["a"] * 10
    env.max_steps = 0
    assert BeamSearch().run(env) == []


def test_epsilon_greedy_without_chance_is_greedy_and_is_cut_where_it_was_best(env):
    env.max_steps = 12
    assert EpsilonGreedy(epsilon=0).run(env) == ["a"] * 10
    env.reset()
    found = EpsilonGreedy(epsilon=0.5, seed=1).run(env)
    env.reset()
    assert EpsilonGreedy(epsilon=0.5, seed=1).run(env) == found
    assert 0 < len(found) <= 12 and found[-1] != "c"


def test_evolution_never_gets_worse_with_more_rounds(env):
    env.max_steps, env.seed = 6, 4
    totals = []
    for rounds in (0, 2, 8):
        found = Evolution(population=6, rounds=rounds).run(env)
        assert len(found) <= 6
        totals.append(env.try_actions([found])[0].total)
    assert totals == sorted(totals) and totals[-1] > 0
    assert Evolution(population=6, rounds=8).run(env) == found
    env.max_steps = 0
    assert Evolution().run(env) == []


@pytest.mark.parametrize(
    "policy, args",
    [
        (BeamSearch, {"width": 0}),
        (BeamSearch, {"patience": 0}),
        (EpsilonGreedy, {"epsilon": 1.5}),
        (EpsilonGreedy, {"episode_length": 0}),
        (Evolution, {"population": 3}),
        (Evolution, {"rounds": -1}),
    ],
)
def test_policies_refuse_impossible_settings(policy, args):
    with pytest.raises(ValueError, match=f"{policy.__name__} needs"):
        policy(**args)


def test_fixed_answers(env):
    assert FixedActions(["a", "b"]).run(env) == ["a", "b"]
    assert DefaultPipeline("-Oz").run(env) == ["-Oz"]
    assert DefaultPipeline("-O0").run(env) == []


def test_the_end_of_a_session_is_seen(env):
    env._space_index, env.action_names = 1, []
    env.reset()
    env.step("3")
    assert env.is_done
    with pytest.raises(RuntimeError, match="reset"):
        env.step("0")


def test_a_compiler_without_pipelines_says_so(env):
    with pytest.raises(ValueError, match="Unknown parameter: llvm.apply_baseline_optimizations"):
        env.step("-Oz")


def test_unknown_names_are_answered_with_the_nearest(toy_service):
    env = _make_env(toy_service)
    with pytest.raises(ConfigError, match="no observation 'features2'. It has: .*Did you mean 'features'"):
        env["features2"]
    with pytest.raises(ConfigError, match="no action space 'defualt'.*Did you mean 'default'"):
        _make_env(toy_service, action_space="defualt")
    with pytest.raises(ValueError, match="Action 3 is not in range"):
        env.step(3)


def test_nothing_works_before_the_first_reset(toy_service):
    env = CompilerEnvironment(toy_service, proto.Benchmark(uri="benchmark://x-v0/1"), _CostReward())
    with pytest.raises(SessionNotFound):
        env.step("a")


def test_a_program_sent_once_is_sent_again_when_the_service_forgot_it(toy_service):
    env = _make_env(toy_service)
    toy_service._service._benchmarks.max_size_in_bytes = 0
    env.reset()
    assert env["source"] == "hello"


def test_the_time_of_an_episode_is_limited(toy_service):
    env = _make_env(toy_service, timeout_s=0.05)
    with pytest.raises(ServiceTimeoutError, match="did not end within 0.05 seconds"):
        for _ in range(100_000):
            env["cost"]
            env._observed.clear()


@pytest.mark.parametrize("reward", ["IrInstructionCountOz", "ObjectTextSizeOz"])
def test_searching_llvm_passes_beats_doing_nothing(reward):
    with InProcessConnection("llvm") as connection:
        benchmark = load_benchmark("benchmark://helm-v0/crc32")
        env = CompilerEnvironment(
            connection, benchmark, create_reward(reward, connection.observation_spaces), max_steps=8
        )
        env.reset()
        greedy = Greedy().run(env)
        earned = env.episode_reward
        env.reset()
        assert 0.5 < sum(env.step(action) for action in greedy) == pytest.approx(earned)
        env.reset()
        found = RandomSearch(episodes=8, episode_length=8).run(env)
        env.reset()
        assert sum(env.step(action) for action in found) > 0.3
