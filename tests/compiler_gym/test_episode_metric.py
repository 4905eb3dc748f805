import pytest

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE, AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance
from helm.common.episode_request import EpisodeRequest, EpisodeResult
from helm.common.errors import MetricError
from helm.compiler_gym.metrics import EpisodeMetric


def _evaluate(*results: EpisodeResult, metric: EpisodeMetric | None = None):
    states = [
        new_request_state(Instance(Input(text="p"), [], split=TEST_SPLIT, id=f"id{i}"), EpisodeRequest(), result=result)
        for i, result in enumerate(results)
    ]
    return (metric or EpisodeMetric()).evaluate(ScenarioState(AdapterSpec(method=ADAPT_EPISODE), states), None, "", 1)


def _means(stats):
    return {stat.name.name: stat.mean for stat in stats}


_GOOD = EpisodeResult(
    success=True,
    actions=["-sroa", "-adce"],
    rewards=[0.75, 0.5],
    observations={
        "IrInstructionCount": 80,
        "IrInstructionCountOz": 100,
        "ObjectTextSizeBytes": 500,
        "ObjectTextSizeOz": 400,
        "ObjectTextSizeO3": 900,
    },
    num_actions_tried=40,
    elapsed_s=0.5,
)
_FAILED = EpisodeResult(success=False, status="crashed", error="gone", elapsed_s=1.0, num_actions_tried=7)


def test_the_figures_of_an_episode():
    (stats,) = _evaluate(_GOOD).per_instance_stats
    assert (stats.instance_id, stats.train_trial_index) == ("id0", 0)
    assert _means(stats.stats) == {
        "episode_failed": 0,
        "episode_reward": 1.25,
        "num_actions": 2,
        "num_actions_tried": 40,
        "episode_elapsed_s": 0.5,
        "instruction_count": 80,
        "instruction_count_reduction_oz": 1.25,
        "object_text_size_bytes": 500,
        "object_text_size_reduction_oz": 0.8,
        "object_text_size_reduction_o3": 1.8,
    }


def test_a_failed_episode_is_counted_and_not_scored():
    result = _evaluate(_GOOD, _FAILED)
    assert _means(result.per_instance_stats[1].stats) == {"episode_failed": 1}
    means = _means(result.aggregated_stats)
    assert means["episode_failed"] == 0.5
    assert means["instruction_count"] == 80
    assert means["num_instances"] == 2
    assert {stat.name.split for stat in result.aggregated_stats} == {TEST_SPLIT}


def test_nothing_is_divided_by_nothing():
    empty = EpisodeResult(success=True, observations={"IrInstructionCount": 0, "IrInstructionCountOz": 0})
    assert "instruction_count_reduction_oz" not in _means(_evaluate(empty).aggregated_stats)


def test_further_observations_are_reported_by_name():
    metric = EpisodeMetric(observations=["ObjectTextSizeO3"])
    assert _means(_evaluate(_GOOD, metric=metric).aggregated_stats)["ObjectTextSizeO3"] == 900
    with pytest.raises(MetricError, match="instance id0: .* 'ObjectTextSizeO2'.* Did you mean 'ObjectTextSizeO"):
        _evaluate(_GOOD, metric=EpisodeMetric(observations=["ObjectTextSizeO2"]))


def test_every_figure_is_described():
    described = {metadata.name for metadata in EpisodeMetric().get_metadata()}
    emitted = {stat.name.name for stat in _evaluate(_GOOD).per_instance_stats[0].stats}
    assert emitted <= described


@pytest.mark.parametrize("name", ["crc32", "sha256"])
def test_scenario_instances_carry_the_request(name):
    from helm.compiler_gym.programs import PROGRAMS
    from helm.compiler_gym.scenarios.llvm_program_scenario import LlvmProgramScenario

    (instance,) = LlvmProgramScenario(program=name, seed=3, max_steps=7).get_instances("")
    assert instance.extra_data["benchmark"] == f"benchmark://helm-v0/{name}"
    assert (instance.extra_data["seed"], instance.extra_data["max_steps"], instance.split) == (3, 7, TEST_SPLIT)
    assert len(LlvmProgramScenario().get_instances("")) == len(PROGRAMS)
    assert len(LlvmProgramScenario(program="embedded").get_instances("")) == len(PROGRAMS)
