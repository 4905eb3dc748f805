"""The main metric of a run is the one that its scenario declares, for every built-in run spec that declares one."""

import json
from pathlib import Path

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import structure
from helm.results.headline import compute_outcome
from helm.results.main_metric import find_declared_metric, iterate_main_metrics
from helm.results.metric_choice import MetricCatalogue

VECTORS = Path(__file__).parent.parent / "vectors/helm-scenarios"


def specs_in(value):
    if isinstance(value, dict):
        if "adapter_spec" in value and "metric_specs" in value:
            yield structure(value, RunSpec)
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from specs_in(item)


@pytest.fixture(scope="module")
def run_specs():
    """The run specs of the vectors, one of each scenario class and recipe."""
    found = {}
    for path in sorted(VECTORS.glob("*.json")):
        for run_spec in specs_in(json.loads(path.read_text(encoding="utf-8"))):
            found.setdefault((run_spec.scenario_spec.class_name, run_spec.name.partition(":")[0]), run_spec)
    return list(found.values())


class FakeRun:
    """What `MetricCatalogue.choose` reads of a run."""

    def __init__(self, run_spec):
        self.run_spec, self.name = run_spec, run_spec.name


def test_the_terminal_and_the_pages_show_the_declared_metric(run_specs):
    catalogue = MetricCatalogue()
    declared = [
        (spec, metric) for spec in run_specs if (metric := find_declared_metric(spec.scenario_spec)) is not None
    ]
    assert len(declared) > 100
    wrong = []
    for run_spec, (name, split) in declared:
        others = [
            "exact_match",
            "quasi_exact_match",
            "exact_match_indicator",
            "f1_score",
            "num_output_tokens",
            "math_equiv",
        ]
        stats = [Stat(MetricName(metric, split or "test")).add(0.5) for metric in dict.fromkeys([*others, name])]
        (score,) = compute_outcome(run_spec, stats).scores
        (choice,) = catalogue.choose(FakeRun(run_spec), [stat.name.name for stat in stats])
        wrong += [
            f"{run_spec.name}: {found} instead of {name}" for found in (score.metric, choice.name) if found != name
        ]
    assert not wrong, "\n".join(wrong)


def test_grade_school_problems_are_scored_by_their_final_number(run_specs):
    (gsm,) = [spec for spec in run_specs if spec.name.startswith("gsm")]
    assert find_declared_metric(gsm.scenario_spec) == ("final_number_exact_match", "test")


def test_a_schema_that_the_user_gives_comes_first(run_specs):
    (gsm,) = [spec for spec in run_specs if spec.name.startswith("gsm")]

    def environment(group):
        return {"main_name": "exact_match_indicator", "main_split": "test"}

    assert next(iterate_main_metrics(gsm, environment, is_schema_given=True))[0] == "exact_match_indicator"
    assert next(iterate_main_metrics(gsm, environment))[0] == "final_number_exact_match"


def test_a_scenario_that_cannot_be_made_declares_nothing():
    from helm.benchmark.specs import ScenarioSpec

    assert find_declared_metric(ScenarioSpec("no_such_module.Scenario")) is None
