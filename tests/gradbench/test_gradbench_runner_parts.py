"""Adapter, executor and metrics of AD tools, without the Runner around them."""

import random
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from helm.benchmark.adaptation.adapter_spec import ADAPT_EVALUATE, AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.errors import ConfigError, MetricError, ScenarioError
from helm.common.evaluate_request import EvaluateRequest, EvaluateResult, Timing
from helm.common.object_spec import ObjectSpec, create_object
from helm.gradbench.adapter import EvaluateAdapter
from helm.gradbench.executor import ToolExecutor
from helm.gradbench.metrics import TimingMetric, ValidityMetric
from helm.gradbench.scenarios.gradbench_scenario import GradbenchScenario
from helm.gradbench.tool_client import ToolClient
from helm.gradbench.tools.registry import get_tool
from turns_support import by_turns

STUB = Path(__file__).with_name("stub_tool.py")
SPEC = AdapterSpec(method=ADAPT_EVALUATE, model="gradbench/stub", model_deployment="gradbench/stub")


def instances_of(*data):
    return [
        Instance(Input(text=""), [], split="test", id=f"id{i}", extra_data=extra_data)
        for i, extra_data in enumerate(data)
    ]


def adapted(*data):
    return ScenarioState(SPEC, EvaluateAdapter(SPEC, None).adapt(instances_of(*data), 1))


def call(function, value=1.0, **more):
    return {"module": "toy", "function": function, "input": value, **more}


def stub(mode, tmp_path):
    return ToolClient([sys.executable, "-S", str(STUB), mode, str(tmp_path / "log")])


def started(tmp_path):
    return [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()].count("started")


# --- adapter -------------------------------------------------------------------------------------------------------


def test_evaluation_instances_become_requests_and_training_instances_do_not():
    instances = instances_of(call("f", [1, 2], description="two"), call("g"))
    instances[1] = replace(instances[1], split="train")
    (state,) = EvaluateAdapter(SPEC, None).adapt(instances, 1)
    assert state.request == EvaluateRequest(module="toy", function="f", input=[1, 2], description="two")
    assert (state.result, state.num_train_instances, state.prompt_truncated) == (None, 0, False)


def test_a_null_input_is_an_input():
    assert adapted(call("f", None)).request_states[0].request.input is None


@pytest.mark.parametrize("missing", ["module", "function", "input"])
def test_what_an_instance_lacks_is_named(missing):
    data = {key: value for key, value in call("f").items() if key != missing}
    with pytest.raises(ScenarioError, match=f"Instance id0: extra_data lacks {missing}"):
        adapted(data)


def test_an_input_from_an_instance_outside_the_run_is_refused():
    with pytest.raises(ScenarioError, match="id0 takes its input from the output of instance id7"):
        adapted({"module": "toy", "function": "f", "input_from": "id7"})


# --- executor ------------------------------------------------------------------------------------------------------


def test_requests_are_answered_in_order_by_one_process(tmp_path):
    with ToolExecutor(stub("fail", tmp_path)) as executor:
        state = executor.execute(adapted(call("f", 1.0), call("f", 2.0), call("f", 4.0)))
    assert [s.result.output for s in state.request_states] == [2.0, 4.0, 8.0]
    kinds = [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()]
    assert kinds == ["started", "start", "define", "evaluate", "evaluate", "evaluate"]


def test_an_input_that_is_an_earlier_output_is_filled_in_and_recorded(tmp_path):
    with ToolExecutor(stub("fail", tmp_path)) as executor:
        state = executor.execute(
            adapted(call("f", 3.0), {"module": "toy", "function": "f", "input_from": "id0"}, call("bad"))
        )
    second = state.request_states[1]
    assert (second.request.input, second.result.resolved_input, second.result.output) == (None, 6.0, 12.0)


def test_what_continues_a_failed_evaluation_gets_null(tmp_path):
    with ToolExecutor(stub("fail", tmp_path)) as executor:
        state = executor.execute(adapted(call("bad"), {"module": "toy", "function": "f", "input_from": "id0"}))
    assert [s.result.success for s in state.request_states] == [False, True]
    assert state.request_states[1].result.output is None  # the stub's answer to null


def test_processes_of_a_tool_take_turns_and_all_their_runs_count(tmp_path):
    states = adapted(call("f"), call("f", 2.0), call("bad"))
    with ToolExecutor(stub("fail", tmp_path), repeats=3, warmups=1) as executor:
        first, second, third = executor.execute(states).request_states
    assert started(tmp_path) == 3
    assert (first.result.output, second.result.output) == (2.0, 4.0)
    assert [timing.nanoseconds for timing in first.result.timings if timing.name == "evaluate"] == [
        3000,
        1000,
        2000,
    ] * 3
    assert first.result.runs_by_process == [3, 3, 3]
    assert not third.result.success and third.result.runs_by_process is None
    assert (tmp_path / "log").read_text().split().count("evaluate") == 3 * 2 * 2 + 1


def test_a_number_of_processes_that_is_none_is_refused(tmp_path):
    with pytest.raises(ExecutorError, match="repeats must be at least 1"):
        ToolExecutor(stub("fail", tmp_path), repeats=0)


def test_a_tool_that_hangs_is_restarted_for_the_next_evaluation(tmp_path):
    with ToolExecutor(stub("hang", tmp_path), timeout_s=1.5) as executor:
        state = executor.execute(adapted(call("f"), call("bad"), call("f"), call("bad"), call("f")))
    assert [s.result.status for s in state.request_states] == ["ok", "timeout", "ok", "timeout", "ok"]
    assert started(tmp_path) == 3


def test_a_module_the_tool_lacks_is_asked_for_once(tmp_path):
    other = {"module": "other", "function": "f", "input": 1}
    with ToolExecutor(stub("fail", tmp_path)) as executor:
        state = executor.execute(adapted(other, call("f"), other))
    assert [s.result.status for s in state.request_states] == ["undefined", "ok", "undefined"]
    assert (tmp_path / "log").read_text().split().count("define") == 2


def test_a_definition_that_hangs_is_not_waited_for_twice(tmp_path):
    bad = {"module": "bad", "function": "f", "input": 1}
    with ToolExecutor(stub("slow_define", tmp_path), timeout_s=1.0) as executor:
        state = executor.execute(adapted(bad, call("f"), bad))
    assert [s.result.status for s in state.request_states] == ["timeout", "ok", "timeout"]
    assert started(tmp_path) == 2


def test_an_interrupted_run_goes_on_where_it_was(tmp_path):
    chain = [call("f", 1.0)] + [{"module": "toy", "function": "f", "input_from": f"id{i}"} for i in range(3)]
    journal_folder = tmp_path / "run"
    journal_folder.mkdir()
    states = adapted(*chain)

    class Interrupted(Exception):
        pass

    class TwoEvaluations(ToolClient):
        left = 2

        def evaluate(self, request, timeout_s=None):
            if self.left == 0:
                raise Interrupted
            self.left -= 1
            return super().evaluate(request, timeout_s)

    command = [sys.executable, "-S", str(STUB), "fail", str(tmp_path / "log")]
    with pytest.raises(Interrupted), ToolExecutor(TwoEvaluations(command)) as executor:
        executor.execute(states, RequestJournal(str(journal_folder), "x"))
    with ToolExecutor(ToolClient(command)) as executor:
        state = executor.execute(states, RequestJournal(str(journal_folder), "x"))
    assert [s.result.output for s in state.request_states] == [2.0, 4.0, 8.0, 16.0]
    assert (tmp_path / "log").read_text().split().count("evaluate") == 4


def test_a_subject_that_is_no_tool_is_refused():
    with pytest.raises(ExecutorError, match="made by dict.*model=gradbench/numpy"):
        ToolExecutor({})


# --- metrics -------------------------------------------------------------------------------------------------------


def finished(data, result):
    (instance,) = instances_of(data)
    request = EvaluateRequest(**{key: data[key] for key in data if key not in ("expected",)})
    return new_request_state(instance, request, result=result)


def stats_of(metric, *states):
    states = [replace(s, instance=replace(s.instance, id=f"id{i}")) for i, s in enumerate(states)]
    result = metric.evaluate(ScenarioState(SPEC, states), None, "", 1)
    per_instance = [{stat.name.name: stat.mean for stat in stats.stats} for stats in result.per_instance_stats]
    return per_instance, {stat.name.name: stat for stat in result.aggregated_stats}


def hello(function, value, output):
    data = {"module": "hello", "function": function, "input": value}
    return finished(data, EvaluateResult(success=True, output=output))


def test_right_and_wrong_outputs_are_told_apart():
    per_instance, total = stats_of(ValidityMetric(), hello("square", 3.0, 9.0), hello("double", 3.0, 9.0))
    assert [stats["valid"] for stats in per_instance] == [1, 0]
    assert (total["valid"].mean, total["solved"].mean, total["failed"].mean) == (0.5, 0.5, 0.0)


@pytest.mark.parametrize(
    ("status", "name"),
    [("undefined", "undefined"), ("failure", "failed"), ("timeout", "timed_out"), ("error", "crashed")],
)
def test_an_evaluation_without_output_is_counted_and_never_called_invalid(status, name):
    state = finished(call("f"), EvaluateResult(success=False, status=status, error="why"))
    (stats,), _ = stats_of(ValidityMetric(), state)
    assert stats == {"solved": 0, "undefined": 0, "failed": 0, "timed_out": 0, "crashed": 0, name: 1}
    assert stats_of(TimingMetric(), state)[0] == [{}]


def test_an_expected_output_of_the_instance_is_what_counts():
    right = finished(call("f", expected=[1.0, 2.0]), EvaluateResult(success=True, output=[1.0, 2.0]))
    wrong = finished(call("f", expected=[1.0, 2.0]), EvaluateResult(success=True, output=[0.0, 9.0]))
    per_instance, _ = stats_of(ValidityMetric(), right, wrong)
    assert [(stats["valid"], stats["num_mismatches"]) for stats in per_instance] == [(1, 0), (0, 2)]


def test_an_output_that_nothing_can_judge_is_an_error_that_says_what_to_do():
    state = finished(call("f"), EvaluateResult(success=True, output=1.0))
    with pytest.raises(MetricError, match=r"Instance id0.*toy::f.*extra_data\['expected'\]"):
        stats_of(ValidityMetric(), state)


def scored(*states, compat=False):
    """The score of a run, or None."""
    stat = stats_of(ValidityMetric(compat), *states)[1].get("score")
    return None if stat is None else stat.mean


def run_of(function, workload, output, *nanoseconds, module="lse", value=None):
    data = {"module": module, "function": function, "input": value or {"x": [0.0]}, "description": workload}
    timings = [Timing("compile", 10**9), *(Timing("evaluate", time_ns) for time_ns in nanoseconds)]
    return finished(data, EvaluateResult(success=True, output=output, timings=timings))


def test_the_score_is_that_of_the_original_and_only_for_a_run_that_is_all_right():
    right = [run_of("primal", "n=1", 0.0, 1_000_000, 3_000_000), run_of("gradient", "n=1", [1.0], 8_000_001)]
    assert scored(*right) == pytest.approx(1 / 10.000001e-3)
    wrong = [*right, run_of("primal", "n=2", 5.0, 1_000)]
    assert scored(*wrong) is None
    assert scored(*wrong, compat=True) == pytest.approx(1 / 10.001001e-3)
    failed = finished(call("f"), EvaluateResult(success=False, status="failure", error="why"))
    assert scored(failed, compat=True) is None


def test_the_score_of_equal_functions_is_that_of_the_fastest_and_of_hello_one():
    value = 0.2071918746486116
    states = [run_of(f, "w=0", value, t, module="particle", value={"w": 0.0}) for f, t in (("rr", 2_000), ("ff", 500))]
    assert scored(*states) == pytest.approx(2e6)
    assert scored(hello("square", 3.0, 9.0)) == 1.0


def timed(function, *nanoseconds, description="w", module="llsq"):
    timings = [
        Timing("prepare", 7000),
        Timing("compile", 5000),
        Timing("compile", 1000),
        Timing("first_run", 900),
        *(Timing("evaluate", value) for value in nanoseconds),
    ]
    data = {"module": module, "function": function, "input": 1, "description": description}
    return finished(data, EvaluateResult(success=True, output=1, timings=timings, elapsed_ns=10**9))


def test_times_are_those_that_the_tool_reported():
    (stats,), _ = stats_of(TimingMetric(), timed("primal", 3000, 1000, 8000))
    assert stats == pytest.approx(
        {
            "evaluate_time_s": 3e-6,
            "evaluate_time_min_s": 1e-6,
            "evaluate_time_max_s": 8e-6,
            "num_timed_runs": 3,
            "primal_time_s": 3e-6,
            "round_trip_time_s": 1.0,
            "prepare_time_s": 7e-6,
            "compilation_time_s": 6e-6,
            "first_run_time_s": 9e-7,
        }
    )


def test_the_median_of_several_processes_is_that_of_their_medians():
    state = timed("primal", *[10, 20, 30, 11, 21, 31, 500, 600, 700])
    state = replace(state, result=replace(state.result, runs_by_process=[3, 3, 3]))
    (stats,), _ = stats_of(TimingMetric(), state)
    assert stats["evaluate_time_s"] == pytest.approx(21e-9)
    assert (stats["num_processes"], stats["num_timed_runs"]) == (3, 9)
    assert stats["evaluate_time_low_s"] <= 20e-9 and stats["evaluate_time_high_s"] >= 600e-9


def test_a_derivative_is_compared_with_the_function_of_the_same_workload():
    states = [timed("primal", 1000), timed("gradient", 5000), timed("primal", 2000, description="v")]
    per_instance, total = stats_of(TimingMetric(), *states, timed("gradient", 4000, description="v"))
    assert [stats.get("derivative_over_primal") for stats in per_instance] == [
        None,
        pytest.approx(5.0),
        None,
        pytest.approx(2.0),
    ]
    assert total["derivative_over_primal"].mean == pytest.approx(3.5)
    assert total["derivative_time_s"].mean == pytest.approx(4.5e-6)


def test_a_function_of_an_unknown_module_is_timed_under_its_own_name():
    (stats,), _ = stats_of(TimingMetric(), timed("thrust", 1000, module="rocket"))
    assert stats["thrust_time_s"] == pytest.approx(1e-6)


def test_every_statistic_but_those_of_unknown_functions_has_metadata():
    several = timed("primal", *[1000] * 6)
    several = replace(several, result=replace(several.result, runs_by_process=[3, 3]))
    for metric, states in (
        (ValidityMetric(), [run_of("primal", "n=1", 0.0, 1)]),
        (TimingMetric(), [several, timed("gradient", 1000)]),
    ):
        names = set(stats_of(metric, *states)[1])
        described = [metadata.name for metadata in metric.get_metadata()]
        assert all(any(fnmatchcase(name, pattern) for pattern in described) for name in names)
        assert {pattern for pattern in described if "*" not in pattern} <= names


def test_six_runs_have_an_interval_around_their_median():
    (stats,), _ = stats_of(TimingMetric(), timed("primal", 3000, 1000, 8000, 2000, 5000, 4000))
    assert (stats["evaluate_time_low_s"], stats["evaluate_time_high_s"]) == (1e-6, 8e-6)


def test_the_reported_interval_contains_the_true_median():
    """A synthetic tool: most runs take about 1 ms, log-normally, and one in ten is interrupted."""
    generator, covered = random.Random(20), 0
    for _ in range(1000):
        times = [int(1e6 * generator.lognormvariate(0, 0.3)) for _ in range(30)]
        (stats,), _ = stats_of(TimingMetric(), timed("primal", *times))
        covered += stats["evaluate_time_low_s"] <= 1e-3 <= stats["evaluate_time_high_s"]
    assert covered >= 930


# --- strict and lenient judgement ----------------------------------------------------------------------------------


def verdicts(expected, actual):
    """Valid, judged strictly and as the original judges."""
    state = finished(call("f", expected=expected), EvaluateResult(success=True, output=actual))
    return tuple(bool(stats_of(metric, state)[0][0]["valid"]) for metric in (ValidityMetric(), ValidityMetric(True)))


@pytest.mark.parametrize(
    ("expected", "actual", "both"),
    [
        ([1e-6, 2e-6], [0.0, 0.0], (False, True)),
        ({"a": [5.0], "b": [1e-6] * 100}, {"a": [5.0], "b": [0.0] * 100}, (False, True)),
        ([[1e-9]], [[0]], (False, True)),
        ([1e-6, 2e-6], [1e-6, 2.0001e-6], (True, True)),
        ([2.0, 1e-6], [2.0, 0.0], (True, True)),  # small beside its neighbours
        ([0.0, 0.0], [1e-13, 0.0], (True, True)),
        ([0.0, 0.0], [1e-6, 0.0], (False, True)),
        ([1.0, 3.0], [1.0, 3.1], (False, False)),
        (float("nan"), 1.0, (False, True)),
        ([10**400], [10**400], (True, True)),
        ([1.0], [10**400], (False, False)),
        ([float("nan")] * 100, [1.0] * 100, (False, True)),
        ([float("inf")], [1.0], (False, True)),
    ],
)
def test_zeros_and_nan_pass_only_where_the_original_lets_them(expected, actual, both):
    assert verdicts(expected, actual) == both


def test_the_error_is_relative_to_the_largest_number_of_each_key():
    state = finished(
        call("f", expected={"a": [10.0, 1.0], "b": 1e-3}),
        EvaluateResult(success=True, output={"a": [10.0, 1.5], "b": 1.1e-3}),
    )
    assert stats_of(ValidityMetric(), state)[0][0]["relative_error"] == pytest.approx(0.1)


def test_strictly_the_gradient_of_ode_is_that_of_what_primal_returns():
    value = {"x": [0.3, 0.4, 0.5, 0.6, 0.7, 0.8], "s": 1}
    gradient = get_tool("numpy").find_module("ode")["gradient"]
    output = gradient.finish(gradient.evaluate(gradient.prepare(value)))
    data = {"module": "ode", "function": "gradient", "input": value}
    state = finished(data, EvaluateResult(success=True, output=output))
    found = [stats_of(metric, state)[0][0]["valid"] for metric in (ValidityMetric(), ValidityMetric(compat=True))]
    assert found == [1, 0]


# --- scenarios and run specs ---------------------------------------------------------------------------------------


def run_spec(name, **arguments):
    return get_run_spec_function(name)(**arguments)


def test_a_run_spec_says_everything_that_can_change_a_number():
    spec = run_spec("gradbench_llsq", n="16-64+100", m=8, min_runs=2, min_seconds=0.5, timeout_s=9)
    assert spec.name == "gradbench_llsq:n=16-64+100,m=8,min_runs=2,min_seconds=0.5,timeout_s=9"
    assert spec.scenario_spec.args == {"n": [16, 32, 64, 100], "m": [8], "min_runs": 2, "min_seconds": 0.5}
    assert spec.executor_spec.args == {"timeout_s": 9}
    assert spec.groups == ["gradbench", "gradbench_llsq"]
    assert spec.adapter_spec.method == ADAPT_EVALUATE


@pytest.mark.parametrize("sizes", ["abc", "0", "16-", "-16", "32-16", "1++2", "", "1.5"])
def test_sizes_that_are_none_are_refused(sizes):
    with pytest.raises(ConfigError, match="gradbench_llsq: n takes a positive whole number"):
        run_spec("gradbench_llsq", n=sizes)


RECIPES = [
    ("gradbench_hello", {}, 8),
    ("gradbench_llsq", {"n": "16-64", "m": 9, "min_runs": 3, "min_seconds": 0}, 6),
    ("gradbench_gmm", {"d": "2+3", "k": 2, "n": 20, "min_seconds": 0}, 4),
    ("gradbench_lse", {"n": "3+40", "min_seconds": 0}, 4),
    ("gradbench_kmeans", {"k": "2+3", "n": 20, "d": 2, "min_seconds": 0}, 4),
    ("gradbench_det", {"l": "2+5", "min_seconds": 0}, 4),
    ("gradbench_ode", {"n": 4, "s": "1+10", "min_seconds": 0}, 4),
    ("gradbench_lstm", {"l": "1+2", "c": 20, "min_seconds": 0}, 4),
    ("gradbench_ba", {"min": 1, "max": 1, "min_seconds": 0}, 2),
    ("gradbench_ht", {"min": 1, "max": 1, "min_seconds": 0}, 2),
    ("gradbench_particle", {"min_seconds": 0}, 4),
    ("gradbench_saddle", {"min_seconds": 0}, 4),
    ("gradbench", {"eval": "kmeans", "k": 2, "n": 6, "d": 1, "min_seconds": 0}, 2),
]


@pytest.mark.parametrize(("name", "arguments", "count"), RECIPES)
def test_a_scenario_has_one_instance_for_each_evaluation(name, arguments, count, tmp_path):
    scenario = create_object(run_spec(name, **arguments).scenario_spec)
    instances = scenario.get_instances(str(tmp_path))
    assert len(instances) == count
    assert [i.extra_data for i in instances] == [i.extra_data for i in scenario.get_instances(str(tmp_path))]
    numbered = [replace(instance, id=f"id{i}") for i, instance in enumerate(instances)]
    assert len(EvaluateAdapter(SPEC, None).adapt(numbered, 1)) == count


# The other half of the pairs is run by `gradbench` in test_session_vectors.py.
@pytest.mark.parametrize(("recipe", "tool"), by_turns(RECIPES, ["numpy", "finite"]))
def test_the_builtin_tools_solve_the_evals(recipe, tool, tmp_path):
    name, arguments, _ = recipe
    spec = run_spec(name, **arguments)
    instances = create_object(spec.scenario_spec).get_instances(str(tmp_path))
    numbered = [replace(instance, id=f"id{i}") for i, instance in enumerate(instances)]
    states = ScenarioState(spec.adapter_spec, EvaluateAdapter(spec.adapter_spec, None).adapt(numbered, 1))
    with ToolExecutor(ToolClient(builtin=tool), **spec.executor_spec.args) as executor:
        states = executor.execute(states)
    results = [create_object(metric).evaluate(states, None, "", 1) for metric in spec.metric_specs]
    stats = {stat.name.name: stat for result in results for stat in result.aggregated_stats}
    assert stats["solved"].mean == stats["valid"].mean == 1.0
    assert stats["evaluate_time_s"].name.split == "test"
    has_ratio = name not in ("gradbench_particle", "gradbench_saddle")
    assert ("derivative_over_primal" in stats) == (has_ratio and stats["primal_time_s"].mean > 0)
    assert stats["num_timed_runs"].mean == arguments.get("min_runs", 1)


def test_an_eval_by_its_name_is_the_same_run():
    arguments = {"k": 2, "n": "4-8", "min_seconds": 0}
    assert run_spec("gradbench", eval="kmeans", **arguments) == run_spec("gradbench_kmeans", **arguments)


def test_all_evals_take_what_says_how_to_measure_and_to_judge():
    spec = run_spec("gradbench_lse", n=16, repeats=3, warmups=1, compat="true")
    assert spec.name == "gradbench_lse:n=16,repeats=3,warmups=1,compat=true"
    assert spec.executor_spec.args == {"timeout_s": 600.0, "repeats": 3, "warmups": 1}
    assert spec == run_spec("gradbench", eval="lse", n=16, repeats=3, warmups=1, compat=True)
    with pytest.raises(ConfigError, match="repeats takes a whole number"):
        run_spec("gradbench_hello", repeats=0)


def test_evals_and_settings_that_do_not_exist_are_named():
    with pytest.raises(ConfigError, match="unknown eval 'kmean'.*Did you mean 'kmeans'"):
        run_spec("gradbench", eval="kmean")
    with pytest.raises(ConfigError, match="eval=kmeans has no argument 'q'"):
        run_spec("gradbench", eval="kmeans", q=1)
    with pytest.raises(ConfigError, match="eval kmeans has no setting 'q'"):
        GradbenchScenario("kmeans", q=1)


@pytest.mark.parametrize("tool", ["numpy", "gradbench/numpy"])
def test_a_builtin_tool_goes_by_its_short_name_too(tool, isolated_registries):
    register_builtin_configs_from_helm_package()
    (spec,) = construct_run_specs(ObjectSpec("gradbench", {"eval": "hello", "tool": tool}), as_command=True)
    assert spec.adapter_spec.model_deployment == "gradbench/numpy"
    assert spec.name == "gradbench_hello:model=gradbench_numpy"


def test_an_entry_asks_for_the_judgement_of_the_original():
    strict, compat = (
        get_run_spec_function("gradbench")(eval="lse", n="8", compat=compat) for compat in ("false", "true")
    )
    assert compat.name == f"{strict.name},compat=true"
    assert [spec.args for spec in strict.metric_specs[:2]] == [{}, {}]
    assert [spec.args for spec in compat.metric_specs[:2]] == [{"compat": True}, {}]
    with pytest.raises(ConfigError, match="compat takes true or false, not 'yes'"):
        get_run_spec_function("gradbench")(eval="lse", compat="yes")
