"""What a budget lets a search do, and what it remembers. The toy's actions earn: a 10, b 1, c 0."""

from types import SimpleNamespace

import pytest
from toy_compiler import TOY_BACKEND

from helm.compiler_gym import budget, proto
from helm.compiler_gym.budget import BudgetedEnvironment, BudgetUsedUp
from helm.compiler_gym.rewards import CostFunctionReward
from helm.compiler_gym.runtime.service_client import InProcessConnection


class _CostReward(CostFunctionReward):
    def __init__(self):
        super().__init__(name="fall", cost_function="cost", init_cost_function="init")

    def reset(self, benchmark, observation_view):
        self._previous = 100


@pytest.fixture
def make():
    with InProcessConnection(TOY_BACKEND) as connection:

        def make(**more):
            message = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"hello"))
            env = BudgetedEnvironment(connection, message, _CostReward(), **more)
            env.reset()
            return env

        yield make


def test_without_a_limit_nothing_ends_it(make):
    env = make()
    assert not env.has_budget and not env.is_over_time()
    assert [trial.rewards for trial in env.try_actions([["a"], ["b", "c"], []])] == [[10], [1, 0], []]
    assert env.step("b") == 1
    assert (env.best_actions, env.best_reward) == (["a"], 10)


def test_steps_count_until_the_last_one(make):
    env = make(max_compilations=2)
    assert env.has_budget
    env.step("a")
    env.step("b")
    with pytest.raises(BudgetUsedUp, match="2 actions were applied"):
        env.step("b")
    with pytest.raises(BudgetUsedUp):
        env.try_actions([["b"]])
    assert env.try_actions([]) == []
    env.end_search()
    assert env.step("a") == 10, "the answer is not limited"
    assert [trial.rewards for trial in env.try_actions([["a"]])] == [[10]]
    assert (env.best_actions, env.best_reward) == (["a", "b"], 11), "and is not what was found"


def test_trials_that_the_budget_suffices_for_are_tried(make):
    env = make(max_compilations=3)
    assert [trial.rewards for trial in env.try_actions([["a"], ["b", "c"]])] == [[10], [1, 0]]
    assert env.num_actions_tried == 3
    env = make(max_compilations=3)
    with pytest.raises(BudgetUsedUp, match="3 actions were applied"):
        env.try_actions([["b"], ["a", "b"], ["c"]])
    assert (env.num_actions_tried, env.best_actions, env.best_reward) == (3, ["a", "b"], 11)
    env = make(max_compilations=3)
    with pytest.raises(BudgetUsedUp, match="longer than what is left of 3 actions"):
        env.try_actions([["b", "b"], ["a", "a"]])
    assert (env.num_actions_tried, env.best_reward) == (2, 2)


def test_many_trials_are_tried_in_pieces(make):
    env = make(max_compilations=7)
    env._batch = 2
    assert [trial.rewards for trial in env.try_actions([["a"], ["b"], ["c"], ["a", "a"], ["b"]])] == [
        [10],
        [1],
        [0],
        [10, 10],
        [1],
    ]


def test_seconds(make):
    env = make(max_seconds=0)
    assert env.has_budget
    with pytest.raises(BudgetUsedUp, match="The time for the search is over"):
        env.step("a")
    with pytest.raises(BudgetUsedUp):
        env.try_actions([["a"]])
    env.end_search()
    assert env.step("a") == 10
    long = make(max_seconds=3600)
    assert long.step("a") == 10 and len(long.try_actions([["a"], ["b"]])) == 2


@pytest.fixture
def clock(monkeypatch):
    """The seconds that a budget sees; `step` is what passes with each look."""
    clock = SimpleNamespace(now=1000.0, step=0.0)

    def monotonic():
        clock.now += clock.step
        return clock.now

    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=monotonic))
    return clock


def test_the_search_and_the_episode_end_in_the_second_that_was_set(make, clock):
    env = make(max_seconds=10)
    clock.now = 1009.0
    assert env.step("b") == 1
    clock.now = 1010.0
    with pytest.raises(BudgetUsedUp):
        env.step("b")
    for clock.now, is_over in ((env._deadline - 1, False), (env._deadline, True), (env._deadline + 1, True)):
        assert env.is_over_time() is is_over


def test_the_clock_is_looked_at_between_the_pieces(make, clock):
    env = make(max_seconds=3)
    env._batch, clock.step = 2, 1.0
    with pytest.raises(BudgetUsedUp):
        env.try_actions([["b"], ["a"], *[["b"]] * 18])
    assert env.num_actions_tried < 20 and env.best_reward == 10


def test_the_best_beginning_is_remembered(make):
    env = make()
    env.step("c")
    assert (env.best_actions, env.best_reward) == ([], 0), "what earns nothing is no better than nothing"
    env.try_actions([["b", "a", "c"]])
    assert (env.best_actions, env.best_reward) == (["c", "b", "a"], 11)
    env.try_actions([["a", "b"]])
    assert env.best_actions == ["c", "b", "a"], "as good is not better"
    env.step("a")
    env.step("a")
    assert (env.best_actions, env.best_reward) == (["c", "a", "a"], 20)
    env.try_actions([[], [0]])
    assert (env.best_actions, env.best_reward) == (["c", "a", "a", "a"], 30), "names, whatever was given"
    env.reset()
    env.step("b")
    assert env.best_reward == 30


def test_no_more_than_the_steps_that_an_answer_may_have(make):
    env = make(max_steps=2)
    env.try_actions([["b", "b", "a"]])
    assert (env.best_actions, env.best_reward) == (["b", "b"], 2)
    env.try_actions([["b", "a"]])
    assert (env.best_actions, env.best_reward) == (["b", "a"], 11)


def test_the_program_as_it_was_given(make):
    env = make()
    assert env.get_program() == b"hello" and env.get_message().uri == "benchmark://x-v0/1"
