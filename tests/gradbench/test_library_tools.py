"""The tools around AD libraries, on every eval that each declares."""

import importlib.util
import json
import math
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helm.common.errors import ConfigError
from helm.common.object_spec import get_class_by_name
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.gradbench import main as gradbench
from helm.gradbench.comparison import analyze
from helm.gradbench.tools.array_libraries import library as library_module
from helm.gradbench.tools.array_libraries.optimization import Particle
from helm.gradbench.tools.numpy_derivatives import descent, particle
from helm.gradbench.tools.registry import BUILTIN_NAMES, LIBRARY_TOOL_NAMES, LIBRARY_TOOLS, get_tool, supported_evals
from helm.gradbench.tools.server import ToolError, answer, evaluate
from vectors_support import vector_cases

PACKAGES = {"pytorch": "torch", "enzyme": "enzyme_ad"}
EVALS = {tool: supported_evals(tool) for tool in LIBRARY_TOOL_NAMES}
ALL_EVALS = ("ba", "det", "gmm", "hello", "ht", "kmeans", "llsq", "lse", "lstm", "ode", "particle", "saddle")


def package_of(tool):
    return PACKAGES.get(tool, tool)


def installed_tool(name):
    if importlib.util.find_spec(package_of(name)) is None:
        pytest.skip(f"{package_of(name)} is not installed")
    return get_tool(name)


DESCENTS = ("particle", "saddle")
RECORDING_TOOLS = ("autograd", "pytorch")


def cases():
    """All cases of all evals; where a library compiles, traces or records for seconds, one of them stands for all by default."""
    for tool in LIBRARY_TOOL_NAMES:
        for name in EVALS[tool]:
            is_descent = name in DESCENTS and tool != "casadi"
            is_heavy = is_descent or (tool == "jax" and name in ("ba", "det", "ht", "lstm")) or tool == "enzyme"
            for i, case in enumerate(vector_cases(f"gradbench/eval_{name}.json")):
                if name == "particle" and tool in RECORDING_TOOLS:
                    continue  # minutes: test_a_derivative_of_a_motion_by_a_gradient is about a single step of the descent
                marks = pytest.mark.slow if is_heavy and (i or is_descent or (tool, name) == ("enzyme", "ba")) else ()
                yield pytest.param(tool, name, case, id=f"{tool}-{name}-{case['name']}", marks=marks)


@pytest.mark.parametrize(("tool", "name", "case"), list(cases()))
def test_vector_is_what_the_library_returns(tool, name, case):
    functions = installed_tool(tool).find_module(name)
    value, runs = case["input"], 1 if name in ("hello", *DESCENTS) else 2
    if isinstance(value, dict):
        value = {**value, "min_runs": runs, "min_seconds": 0}
    for function, expected in case["results"].items():
        output, timings = evaluate(functions[function], value)
        # The recorded gradient of an ode is that of the exact solution; beside it stands that of the function itself.
        wanted = expected.get("exact_gradient_of_primal", expected["output"])
        if wanted is None:  # where the original's own program overflowed, any finite number is better
            assert math.isfinite(output)
        else:
            assert analyze(wanted, output, 1e-8).error is None, function
        assert [kind for kind, _ in timings].count("evaluate") == runs


@pytest.mark.parametrize("tool", [*RECORDING_TOOLS, pytest.param("jax", marks=pytest.mark.slow)])
@pytest.mark.parametrize("inner", ["f", "r"])
@pytest.mark.parametrize("outer", ["f", "r"])
def test_a_derivative_of_a_motion_by_a_gradient(tool, outer, inner):
    installed_tool(tool)
    library = get_class_by_name(LIBRARY_TOOLS[tool].class_path)()
    problem = Particle(library, {"w": 0.25})
    gradient = library.derivative_in_mode(problem.landing(inner), outer)(*problem.parameters)
    assert library.numpy(gradient).tolist() == pytest.approx([particle.landing_reverse(0.25)], rel=1e-12)


@pytest.mark.parametrize("tool", RECORDING_TOOLS)
@pytest.mark.parametrize("modes", ["rr", "ff", "fr", "rf"])
def test_a_derivative_of_a_descent(tool, modes, monkeypatch):
    """With long steps, of which a few reach the end."""
    installed_tool(tool)
    for module in (library_module, descent):
        monkeypatch.setattr(module, "FIRST_STEP", 0.3)
    value = {"start": [1.0, -0.5], "min_runs": 1, "min_seconds": 0}
    expected, output = (evaluate(get_tool(name).find_module("saddle")[modes], value)[0] for name in ("numpy", tool))
    assert output == pytest.approx(expected, rel=1e-12) and max(map(abs, output)) < 1e-4


@pytest.mark.parametrize("tool", RECORDING_TOOLS)
def test_a_descent_that_does_not_end_is_an_error(tool, monkeypatch):
    installed_tool(tool)
    monkeypatch.setattr(library_module, "_MAX_ROUNDS", 3)
    with pytest.raises(ToolError, match="did not end within the rounds"):
        evaluate(get_tool(tool).find_module("saddle")["rr"], {"start": [1.0, 1.0]})


@pytest.mark.parametrize("tool", LIBRARY_TOOL_NAMES)
def test_a_tool_declares_what_it_supports(tool):
    find = installed_tool(tool).find_module
    assert tuple(name for name in ALL_EVALS if find(name) is not None) == EVALS[tool]


def test_the_documentation_says_what_each_tool_supports():
    page = (Path(__file__).parents[2] / "docs" / "reference-commands.md").read_text()
    table = page.split("| tool | what it is | evals | needs |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in table.splitlines()[2:]]
    documented = {name.strip("`"): ALL_EVALS if evals == "all" else tuple(evals.split()) for name, _, evals in rows}
    assert documented == {name: supported_evals(name) for name in BUILTIN_NAMES}


def test_an_undeclared_eval_is_answered_with_the_declared_ones():
    message = {"id": 3, "kind": "define", "module": "kmeans"}
    error = json.loads(answer(installed_tool("mygrad"), message))["error"]
    assert error == "The tool mygrad has no module 'kmeans', only ba, det, gmm, hello, llsq, lse, lstm, ode."


@pytest.mark.parametrize("tool", LIBRARY_TOOL_NAMES)
def test_a_missing_library_says_what_to_install(tool, monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == package_of(tool)]:
        monkeypatch.delitem(sys.modules, module)

    class Hidden:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] == package_of(tool):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(sys, "meta_path", [Hidden(), *sys.meta_path])
    with pytest.raises(OptionalDependencyNotInstalled, match=rf"helm-evals\[{tool}\]"):
        get_tool(tool)


def test_compilation_is_no_evaluation():
    functions = installed_tool("jax").find_module("lse")
    _, timings = evaluate(functions["gradient"], {"x": [1.0, 2.0], "min_runs": 3, "min_seconds": 0})
    assert [name for name, _ in timings] == ["compile", "evaluate", "evaluate", "evaluate"]


@pytest.mark.parametrize("name", ["primal", "gradient"])
def test_jax_compiles_nothing_while_it_is_timed(name):
    functions = installed_tool("jax").find_module("lse")
    from jax import monitoring

    ends = []

    def listen(event, seconds, **_):
        if event == "/jax/core/compile/backend_compile_duration":
            ends.append(time.perf_counter_ns())

    monitoring.register_event_duration_secs_listener(listen)
    try:
        numbers = [float(number) for number in range(17)]  # a shape that no other test has, so that nothing is kept
        _, timings = evaluate(functions[name], {"x": numbers, "min_runs": 5, "min_seconds": 0})
        end = time.perf_counter_ns()
    finally:
        monitoring.unregister_event_duration_listener(listen)
    first_evaluation = end - sum(nanoseconds for title, nanoseconds in timings if title == "evaluate")  # or before
    assert ends and max(ends) < first_evaluation


def test_the_first_run_with_pytorch_is_apart_from_the_evaluations():
    _, timings = evaluate(
        installed_tool("pytorch").find_module("lse")["gradient"],
        {"x": [1.0, 2.0, 3.0], "min_runs": 3, "min_seconds": 0},
    )
    assert [title for title, _ in timings] == ["first_run", "evaluate", "evaluate", "evaluate"]


@pytest.mark.parametrize(
    ("tool", "flags"),
    [
        # Starting these libraries takes seconds, so one eval of each stands for all by default.
        pytest.param(tool, flags, marks=() if flags.startswith("gmm") else pytest.mark.slow)
        for tool in LIBRARY_TOOL_NAMES
        for flags in (
            *("gmm -d 2 -k 3 -n 20", "kmeans -k 3 -n 30 -d 2", "llsq -n 9 -m 4", "lse -n 50", "ode -n 20 -s 5"),
            *("det -l 4", "lstm -l 2 -c 12", "ba --min 1 --max 1", "ht --min 1 --max 1 --model small"),
        )
        if flags.split()[0] in EVALS[tool]
    ],
)
def test_every_declared_eval_runs_against_the_tool(tool, flags, capsys):
    installed_tool(tool)
    command = shlex.join([sys.executable, "-m", "helm.gradbench.main"])
    eval_command = f"{command} eval {flags} --min-runs 1 --min-seconds 0"
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["run", "--strict", "--eval", eval_command, "--tool", f"{command} tool {tool}"])
    out = capsys.readouterr().out
    assert (exit_.value.code, out.count("\u2713")) == (0, 3), out


def test_a_device_is_in_the_facts_and_other_tools_have_none():
    installed_tool("pytorch")
    start = json.loads(answer(get_tool("pytorch", "cpu"), {"id": 0, "kind": "start"}))
    assert (start["machine"]["device"], start["machine"]["clock"]) == ("cpu", "perf_counter")
    with pytest.raises(ConfigError, match=r"autograd runs on the CPU only, not on 'cuda'. Tools with devices: jax, "):
        get_tool("autograd", "cuda")


@pytest.mark.parametrize(("tool", "device"), [("pytorch", "cuda:77"), ("pytorch", "abacus"), ("jax", "abacus")])
def test_a_device_that_is_not_there_is_an_error(tool, device):
    if importlib.util.find_spec(package_of(tool)) is None:
        pytest.skip(f"{package_of(tool)} is not installed")
    command = [sys.executable, "-m", "helm.gradbench.main", "tool", tool, "--device", device]
    process = subprocess.run(command, input="", capture_output=True, text=True, timeout=100)
    assert process.returncode == 1 and f"cannot use the device '{device}'" in process.stderr
    assert "Traceback" not in process.stderr


def accelerator():
    """Return a device of PyTorch other than the CPU; skip the test where there is none."""
    torch = pytest.importorskip("torch")
    if not torch.accelerator.is_available():
        pytest.skip("there is no accelerator")
    return str(torch.accelerator.current_accelerator())


@pytest.mark.parametrize("name", ["gmm", "kmeans", "lse", "llsq", "lstm", "ode"])
def test_results_of_an_accelerator_are_waited_for(name):
    tool = get_tool("pytorch", accelerator())
    case = next(iter(vector_cases(f"gradbench/eval_{name}.json")))
    for function, expected in case["results"].items():
        assert tool.find_module(name)[function].wait is not None
        output, _ = evaluate(tool.find_module(name)[function], {**case["input"], "min_runs": 2, "min_seconds": 0})
        assert analyze(expected.get("exact_gradient_of_primal", expected["output"]), output, 1e-8).error is None
