"""The scenario, the annotator, the metric and a whole run with the package's own kernels."""

import json
import shutil

import numpy as np
import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.presentation import summarize
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.errors import ConfigError, HelmError, MetricError
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.sandbox import SandboxError
from helm.kernels import sandboxed
from helm.kernels.annotator import KernelAnnotator
from helm.kernels.baselines import KernelBaselineClient
from helm.kernels.catalogue import DTYPES, LANGUAGES, OPERATIONS
from helm.kernels.embedded import embedded_kernel, reference_kernel
from helm.kernels.metrics import KernelProgrammingMetric
from helm.kernels.reference import REFERENCES
from helm.kernels.sandboxed import OUTCOMES, extract_kernel
from helm.kernels.scenario import KernelProgrammingScenario
from metrics_support import make_metric_service
from results_support import helm_run

DOT = "import numpy as np\ndef kernel(x, y, out):\n    out[0] = np.dot(x, y)\n"


# --- operations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_reference_kernel_is_within_the_allowed_error(name, dtype):
    operation, reference = OPERATIONS[name], REFERENCES[name]
    names = {}
    exec(reference_kernel(name), names)
    random = np.random.default_rng(7)
    parameters = [(array.name, array.dimensions) for array in operation.inputs]
    cases = [(reference.usual, sizes) for sizes in [reference.example, *reference.shapes]] + list(reference.special)
    for kind, sizes in cases:
        inputs = reference.make_inputs(random, parameters, sizes, dtype, kind)
        exact, bound = reference.judge(inputs, sizes, dtype)
        out = np.empty(exact.shape, np.int64 if operation.output.is_count else dtype)
        assert exact.shape == tuple(sizes.get(d) or int(d) for d in operation.output.dimensions)
        with np.errstate(all="ignore"):
            names["kernel"](*inputs, out)
        if bound is None:
            np.testing.assert_array_equal(out, exact)
        else:
            assert (np.abs(out - exact) <= bound).all(), (kind, sizes)


def test_every_operation_has_a_reference_and_a_plain_kernel():
    assert set(REFERENCES) == set(OPERATIONS) and len(OPERATIONS) >= 10
    for name in OPERATIONS:
        for language in ("c", "cpp", "numpy", "torch"):
            assert extract_kernel(f"```\n{embedded_kernel(name, language, 'float32')}```", language)


# --- prompts and answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_says_what_is_wanted(language):
    instances = KernelProgrammingScenario(language=language, dtype="float64").get_instances("")
    assert [instance.extra_data["operation"] for instance in instances] == list(OPERATIONS)
    for instance in instances:
        operation = OPERATIONS[instance.extra_data["operation"]]
        assert operation.definition in instance.input.text
        assert operation.declaration(language, "float64") in instance.input.text
        assert "float32" not in instance.input.text


def test_unknown_names_are_told_with_the_nearest():
    with pytest.raises(ConfigError, match="Did you mean 'softmax'"):
        KernelProgrammingScenario(["sofmax"])
    with pytest.raises(ConfigError, match="language must be one of c, cpp"):
        KernelProgrammingScenario(language="rust")
    with pytest.raises(ConfigError, match="Did you mean 'float64'"):
        KernelProgrammingScenario(dtype="float65")
    with pytest.raises(ConfigError, match="min_runs must be at least 1"):
        get_run_spec_function("kernel_programming")(min_runs=0)


def test_what_differs_from_the_defaults_is_in_the_name_of_the_run():
    make = get_run_spec_function("kernel_programming")
    assert make().name == "kernel_programming:operation=all,language=c,dtype=float32"
    spec = make(operation="dot+sort", language="cpp", dtype="float64", timeout_s=9.0, seed=3)
    assert spec.name == "kernel_programming:operation=dot+sort,language=cpp,dtype=float64,timeout_s=9.0,seed=3"
    assert spec.scenario_spec.args["operations"] == ["dot", "sort"]
    assert spec.annotators[0].args["seed"] == 3 and "seed" not in make().annotators[0].args


@pytest.mark.parametrize(
    ("language", "answer", "found"),
    [
        ("c", "Yes:\n```c\nvoid kernel(const float *x) {}\n```\nDone.", "void kernel(const float *x) {}\n"),
        ("c", "```c\nint other;\n```\n```c\nvoid  kernel (float *x) {}\n```", "void  kernel (float *x) {}\n"),
        ("c", "void kernel(float *x) {}", "void kernel(float *x) {}"),
        ("c", "```c\nvoid kernels(float *x) {}\n```", None),
        ("cpp", '```\nextern "C" void kernel(float *x) {}\n```', 'extern "C" void kernel(float *x) {}\n'),
        ("numpy", "```python\ndef kernel(x, out):\n    pass\n```", "def kernel(x, out):\n    pass\n"),
        ("numba", "I cannot.", None),
    ],
)
def test_the_kernel_of_an_answer(language, answer, found):
    program = extract_kernel(answer, language)
    assert (program and program.strip()) == (found and found.strip())


# --- outcomes ---------------------------------------------------------------------------------------------------------


def make_state(text, operation="dot", language="numpy", success=True):
    data = {"operation": operation, "language": language, "dtype": "float32"}
    instance = Instance(Input("q"), [], split="test", id="id0", extra_data=data)
    result = RequestResult(success, [], [GeneratedOutput(text, 0.0, [])], False, error=None if success else "tired")
    return RequestState(instance, None, None, 0, None, Request(), result, 0, False)


def stats_of(state, annotation=None):
    annotation = annotation or KernelAnnotator(timeout_s=20, min_runs=3, min_seconds=0).annotate(state)
    state = RequestState(**{**state.__dict__, "annotations": {"kernel": annotation}})
    stats = KernelProgrammingMetric().evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
    return {stat.name.name: stat.mean for stat in stats}


@pytest.fixture
def reference_times(monkeypatch):
    monkeypatch.setattr(sandboxed, "run_reference", lambda *args: [1e6, 1e6])


@pytest.mark.sandbox
def test_a_right_kernel_is_timed_beside_the_reference():
    stats = stats_of(make_state(f"```\n{DOT}```"))
    assert (stats["correct"], stats["ran"], stats["cheats"]) == (1, 1, 0)
    assert 0 < stats["speedup"] < 100 and stats["kernel_time_s"] > 0 and stats["reference_kernel_time_s"] > 0
    assert stats["fast_1"] >= stats["fast_2"] >= stats["fast_4"]


FAILING = [
    ("raises", "def kernel(x, y, out):\n    raise ValueError('no idea')", "failed", "ValueError: no idea"),
    ("dies", "import os\ndef kernel(x, y, out):\n    os._exit(0)", "failed", "ended its process"),
    ("killed", "import os\ndef kernel(x, y, out):\n    os.kill(os.getpid(), 9)", "failed", "signal 9"),
    ("changes_input", DOT.replace("out[0]", "x[0] = 5; out[0]"), "failed", "changed its input"),
    ("endless", "def kernel(x, y, out):\n    while True:\n        pass", "timed_out", "longer than 1 s"),
    ("wrong", "def kernel(x, y, out):\n    out[0] = 2 * (x * y).sum()", "wrong", "numbers are wrong"),
    ("zeros", "def kernel(x, y, out):\n    out[0] = 0", "wrong", "numbers are wrong"),
    ("prints", "import sys\nsys.stdout.write('{}')\nsys.stderr.write('x' * 9999)\n" + DOT.replace("np.dot(x, y)", "3 * x[0]"),
     "wrong", "numbers are wrong"),
    ("no_kernel", "def kernels(x, y, out):\n    pass", "no_program", "no code that defines kernel"),
]  # fmt: skip


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("program", "outcome", "reason"), [row[1:] for row in FAILING], ids=[row[0] for row in FAILING]
)
def test_what_becomes_of_a_kernel_that_is_not_right(reference_times, program, outcome, reason):
    trial = sandboxed.try_kernel(
        OPERATIONS["dot"], "numpy", "float32", f"```\n{program}\n```", 1.0 if outcome == "timed_out" else 20.0, 3, 0.0
    )
    assert (trial.outcome, trial.cheats) == (outcome, {}), trial
    assert reason in trial.error


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_that_does_not_compile_has_failed_and_a_missing_compiler_is_not_the_kernels_fault(
    reference_times, monkeypatch
):
    trial = sandboxed.try_kernel(OPERATIONS["dot"], "c", "float32", "```c\nvoid kernel( {\n```", 20.0, 3, 0.0)
    assert trial.outcome == "failed" and "does not compile" in trial.error
    monkeypatch.setattr(sandboxed, "COMPILERS", {"c": ["no-such-cc"]})
    state = make_state(f"```\n{embedded_kernel('dot', 'c', 'float32')}```", language="c")
    annotation = KernelAnnotator(timeout_s=20, min_runs=3, min_seconds=0).annotate(state)
    assert annotation["outcome"] == "unavailable" and "no-such-cc" in annotation["error"]
    assert stats_of(state, annotation) == {"unanswered": 0, "unavailable": 1}


@pytest.mark.sandbox
def test_a_failed_request_is_no_wrong_answer():
    assert stats_of(make_state("", success=False)) == {"unanswered": 1, "unavailable": 0}


@pytest.mark.sandbox
def test_a_reference_that_does_not_run_is_an_error_and_no_result(monkeypatch):
    monkeypatch.setattr(sandboxed, "reference_kernel", lambda name: "def kernel(x, y, out):\n    out[0] = 1.0\n")
    with pytest.raises(SandboxError, match="reference of dot"):
        sandboxed.run_reference(OPERATIONS["dot"], "float32", 3, 0.0)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_only_kernels_that_were_judged_are_right_or_wrong(outcome):
    timings = [{"kernel_ns": 1e6, "inside_ns": 1e6, "reference_ns": 3e6}]
    annotation = {"outcome": outcome, "cheats": {"stale_output": "..."} if outcome == "cheated" else {}}
    stats = stats_of(make_state(""), {**annotation, "timings": timings, "speedup": 3.0})
    assert ("correct" in stats) == (outcome in ("correct", "wrong"))
    assert stats.get("fast_2", 0) == stats.get("fast_1", 0) == (outcome == "correct") and not stats.get("fast_4")
    assert ("speedup" in stats) == (outcome == "correct")
    assert stats.get("cheat_stale_output", 0) == stats.get("cheats", 0) == (outcome == "cheated")


def test_states_of_another_kind_are_an_error():
    with pytest.raises(MetricError, match="KernelAnnotator"):
        KernelProgrammingMetric().evaluate_generation(AdapterSpec(), make_state(""), make_metric_service(), "")


@pytest.mark.sandbox
def test_instances_of_another_scenario_are_an_error():
    state = make_state("")
    other = RequestState(**{**state.__dict__, "instance": Instance(Input("q"), [], id="id3")})
    with pytest.raises(HelmError, match="id3 has no 'operation'"):
        KernelAnnotator().annotate(other)


# --- a whole run ------------------------------------------------------------------------------------------------------


def test_the_baseline_answers_only_prompts_of_the_scenario():
    client = KernelBaselineClient()
    (instance,) = KernelProgrammingScenario(["sort"], "cpp").get_instances("")
    answer = client.make_request(Request(prompt=instance.input.text))
    assert 'extern "C" void kernel(' in answer.completions[0].text
    assert "only answers the prompts" in client.make_request(Request(prompt="Hello")).error
    (instance,) = KernelProgrammingScenario(["sort"], "numba").get_instances("")
    assert "no kernel in Numba for sort" in client.make_request(Request(prompt=instance.input.text)).error


@pytest.mark.sandbox
def test_a_run_with_the_kernels_of_the_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = "kernel_programming:operation=dot+gelu,language=numpy,min_runs=3,min_seconds=0,model=baseline/kernels"
    suite = helm_run(entry)
    (folder,) = suite.glob("kernel_programming*")
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert [state["annotations"]["kernel"]["outcome"] for state in states] == ["correct", "correct"]
    assert states[0]["annotations"]["kernel"]["seed"] != states[1]["annotations"]["kernel"]["seed"]
    summarize.main(["--suite", suite.name])
    (programs,) = json.loads((suite / "groups/kernel_programming.json").read_text())[:1]
    titles = [cell["value"] for cell in programs["header"]]
    row = [cell.get("value") for cell in programs["rows"][0]]
    assert row[titles.index("Correct")] == 1 and row[titles.index("Speedup")] > 0
