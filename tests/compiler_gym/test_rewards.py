import pytest
from toy_compiler import ToySession

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.rewards import (
    BaselineImprovementNormalizedReward,
    CostFunctionReward,
    DefaultRewardFromObservation,
    FirstUpdateReward,
    NormalizedReward,
    Reward,
    create_reward,
)
from vectors_support import vector_cases


def _make_reward(case: dict) -> Reward:
    costs = {"cost_function": "cost", "init_cost_function": "init"}
    formula = case["formula"]
    if formula == "cost":
        return CostFunctionReward(name="r", **costs)
    if formula == "norm":
        return NormalizedReward(name="r", **costs)
    if formula == "baseline":
        return BaselineImprovementNormalizedReward(name="r", baseline_cost_function="baseline", **costs)
    if formula == "default_from_observation":
        return DefaultRewardFromObservation("cost")
    assert formula == "gcc_size", case
    return FirstUpdateReward(case["name"], "cost")


def test_vector_rewards_follow_the_formulas():
    for case in vector_cases("compiler-gym/rewards.json"):
        if case["kind"] != "reward":
            continue
        view = {"init": case.get("init_cost"), "baseline": case.get("baseline_cost")}
        reward = _make_reward(case)
        reward.reset("benchmark://a/b", view)
        if "error" in case:
            with pytest.raises(ZeroDivisionError):
                [reward.update([0], [cost], view) for cost in case["costs"]]
            continue
        assert [reward.update([0], [cost], view) for cost in case["costs"]] == pytest.approx(case["output"]), case["id"]


def test_vector_rewards_on_error():
    for case in vector_cases("compiler-gym/rewards.json"):
        if case["kind"] != "reward_on_error":
            continue
        reward = Reward(
            "r", default_value=case["default_value"], default_negates_returns=case["default_negates_returns"]
        )
        assert reward.reward_on_error(case["episode_reward"]) == pytest.approx(case["output"]), case["id"]


def test_the_divisor_is_kept_until_the_program_changes():
    reward = NormalizedReward(name="r", cost_function="cost", init_cost_function="init")
    reward.reset("a", {})
    assert reward.update([0], [50], {"init": 100}) == 0.5
    reward.reset("a", {})
    assert reward.update([0], [100], {"init": 200}) == 1.0  # previous cost asked anew, divisor still 100
    reward.reset("b", {})
    assert reward.update([0], [100], {"init": 200}) == 0.5


def test_a_scalar_observation_is_a_reward_by_default():
    assert create_reward("cost", ToySession.observation_spaces).observation_spaces == ["cost"]


def test_an_unknown_reward_names_the_nearest():
    with pytest.raises(ConfigError, match="no reward 'cst'. It has: cost. Did you mean 'cost'"):
        create_reward("cst", ToySession.observation_spaces)


def test_the_llvm_rewards_need_their_observations():
    from helm.compiler_gym.backends.llvm import LlvmSession

    spaces = LlvmSession.describe()[1]
    for name in ("IrInstructionCount", "IrInstructionCountNorm", "IrInstructionCountO3", "ObjectTextSizeOz"):
        assert create_reward(name, spaces).name == name
    assert create_reward("IrInstructionCountOz", spaces).success_threshold == 1
    assert create_reward("TextSizeOz", spaces).name == "TextSizeOz"
    others = [space for space in spaces if not space.name.startswith("TextSize")]
    with pytest.raises(ConfigError, match="no reward 'TextSizeOz'"):
        create_reward("TextSizeOz", others)


def test_vector_llvm_traces_earn_what_the_original_says():
    for case in vector_cases("compiler-gym/llvm_traces.json"):
        names = ["IrInstructionCount", *(f"IrInstructionCount{level}" for level in case["baselines"])]
        spaces = [proto.ObservationSpace(name=name) for name in names]
        view = {f"IrInstructionCount{level}": cost for level, cost in case["baselines"].items()}
        rewards = {name: create_reward(name, spaces) for step in case["trace"] for name in step["rewards"]}
        for reward in rewards.values():
            reward.reset(f"benchmark://test-v0/{case['module']}", view)
        for step in case["trace"]:
            for name, expected in step["rewards"].items():
                found = rewards[name].update([step["action"]], [step["ir_instruction_count"]], view)
                assert found == pytest.approx(expected), (case["id"], step["action"], name)
