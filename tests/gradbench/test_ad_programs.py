"""Derivatives as models write them, run in a real sandbox, and the functions that the models are given."""

import importlib
import math
import re
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.errors import ConfigError, MetricError
from helm.common.formats.program_text import MAX_ANSWER, extract_program
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.sandbox import SandboxError
from helm.gradbench.evals.driver import parse_eval
from helm.gradbench.evals.registry import EVAL_NAMES
from helm.gradbench.programming import harness
from helm.gradbench.programming.annotator import ADProgramAnnotator
from helm.gradbench.programming.metrics import ADProgrammingMetric
from helm.gradbench.programming.native import cpp_declaration
from helm.gradbench.programming.problems import LIBRARIES, PROBLEMS, Plain, get_problem
from helm.gradbench.programming.sandboxed import try_answer
from metrics_support import make_metric_service
from process_support import command_lines

RIGHT = "import numpy as np\n\ndef gradient(x):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n"

BY_AUTOGRAD = {
    "hello": "import autograd\ndouble = autograd.grad(square)",
    "lse": "import autograd\ngradient = autograd.grad(primal)",
    "llsq": "import autograd\ngradient = autograd.grad(primal)",
    "det": "import autograd\ngradient = autograd.grad(primal)",
    "ode": "import autograd\ndef gradient(x, steps):\n    return autograd.grad(lambda x: primal(x, steps)[-1])(x)",
    "kmeans": "import autograd\nimport numpy as np\ndef dir(points, centroids):\n"
    "    g = autograd.grad(cost, 1)\n"
    "    return g(points, centroids) / autograd.grad(lambda c: xp.sum(g(points, c)))(centroids)",
    "gmm": "import autograd\ndef jacobian(*args):\n    return autograd.grad(objective, (0, 1, 2, 3))(*args)",
    "lstm": "import autograd\ndef jacobian(*args):\n    return autograd.grad(objective, (0, 1))(*args)",
    "ba": "import autograd\ndef jacobian(cameras, points, weights, features, camera_of, point_of):\n"
    "    def own(z, f):\n        return error(z[:11], z[11:14], z[14], f)\n"
    "    rows = []\n"
    "    for i in range(len(weights)):\n"
    "        z = xp.concatenate([cameras[camera_of[i]], points[point_of[i]], weights[i : i + 1]])\n"
    "        rows.append(autograd.jacobian(own)(z, features[i]))\n"
    "    return xp.stack(rows)",
    "ht": "import autograd\ndef jacobian(theta, shares, *rest):\n"
    "    by_theta = autograd.jacobian(lambda t: objective(t, shares, *rest))(theta)\n"
    "    columns = []\n"
    "    for i in range(2):\n"
    "        unit = xp.zeros(shares.shape)\n        unit[:, i] = 1.0\n"
    "        moved = lambda s, unit=unit: objective(theta, shares + s * unit, *rest)\n"
    "        columns.append(autograd.jacobian(moved)(0.0)[..., None])\n"
    "    return xp.concatenate([*columns, by_theta], 2).reshape((-1, 28))",
    "particle": "import autograd\ndef rr(w):\n"
    "    def acceleration(x, y, w):\n"
    "        powers = [((x - 10) ** 2 + (y - c) ** 2) ** 1.5 for c in (10 - w, 0.0)]\n"
    "        return sum((x - 10) / p for p in powers), (y - 10 + w) / powers[0] + y / powers[1]\n"
    "    value = lambda p: landing(p, acceleration)\n"
    "    return float(minimize(lambda p: value(p[0]), lambda p: [(value(p[0] + 1e-5) - value(p[0] - 1e-5)) / 2e-5], [w])[0])",
    "saddle": "def rr(start):\n"
    "    best = lambda x: minimize(lambda y: -function(x, y), lambda y: [2 * y[0], 2 * y[1]], start)\n"
    "    x = minimize(lambda x: function(x, best(x)), lambda x: [2 * x[0], 2 * x[1]], start)\n"
    "    return x + best(x)",
}


def fenced(code, before="Here is the function:\n\n"):
    return f"{before}```python\n{code}\n```\n\nIt uses the chain rule."


def attempt(answer, eval_name="lse", library="numpy", timeout_s=20.0):
    return try_answer(get_problem(eval_name), library, answer, timeout_s, 3, 0.0)


# --- the functions ----------------------------------------------------------------------------------------------------

MODULES = {"numpy": "numpy", "autograd": "autograd", "pytorch": "torch", "jax": "jax"}


# JAX compiles every operation of every function on its own, for seconds.
FUNCTIONS = [
    pytest.param(name, library, marks=[pytest.mark.slow] if library == "jax" and name not in ("lse", "gmm") else [])
    for name in PROBLEMS
    for library in LIBRARIES
    if name not in ("particle", "saddle") and library in MODULES
]


@pytest.mark.parametrize(("eval_name", "library"), FUNCTIONS)
def test_the_functions_are_those_of_the_evals(eval_name, library):
    pytest.importorskip(MODULES[library])
    problem, eval_ = get_problem(eval_name), parse_eval(eval_name, [])
    for value in problem.inputs():
        names = {}
        exec(problem.source(library), names)
        arguments = [
            harness.to_argument(library, {"plain": argument.value} if isinstance(argument, Plain) else argument)
            for argument in problem.arguments(value)
        ]
        output = harness.to_lists(names[eval_.primal](*arguments))
        if eval_name == "ba":
            weight_error = {"element": 1 - value["w"] ** 2, "repeated": value["p"]}
            output = {"reproj_error": {"elements": output[0], "repeated": value["p"]}, "w_err": weight_error}
        elif eval_name == "ht":
            output = [number for row in output for number in row]
        analysis = eval_.analyze(eval_.primal, value, output, strict=True)
        assert analysis.valid, analysis.error


def test_there_is_a_problem_for_each_eval_and_its_prompt_says_what_is_wanted():
    assert set(PROBLEMS) == set(EVAL_NAMES)
    for problem in PROBLEMS.values():
        for library, start in LIBRARIES.items():
            prompt = problem.prompt(library)
            if library == "ocaml":
                assert f"val {problem.eval_name}_{problem.function} : " in prompt
            if library == "cpp":
                assert f"void {problem.eval_name}_{problem.function}(" in prompt
            assert start in prompt and f"`{problem.function}({problem.signature})`" in prompt and "noqa" not in prompt


def test_unknown_names_are_told_with_the_nearest():
    with pytest.raises(ConfigError, match="gmm"):
        get_problem("gmn")
    with pytest.raises(ConfigError, match="Did you mean 'pytorch'"):
        get_problem("gmm").prompt("pytorsh")


# --- programs in answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (RIGHT, RIGHT),
        (fenced(RIGHT), RIGHT + "\n"),
        (f"Sure!\n{RIGHT}\nThis is the softmax.", RIGHT),
        ("```\nimport numpy as np\n```\nthen\n```\ndef gradient(x):\n    return x\n```",
         "import numpy as np\n\ndef gradient(x):\n    return x\n"),
        ("```\nnot python at all\n```\n```\ndef gradient(x):\n    return x\n```", "def gradient(x):\n    return x\n"),
        ("```\ngradient = max\n```", "gradient = max\n"),
        ("```\ntry:\n    from a import b as gradient\nexcept ImportError:\n    raise\n```",
         "try:\n    from a import b as gradient\nexcept ImportError:\n    raise\n"),
        ("```\ndef other(x):\n    return x\n```", None),
        ("```\nclass A:\n    def gradient(self):\n        pass\n```", None),
        ("```python\ndef gradient(x):\n    return (x", None),
        ("```python\ndef gradient(x):\n    return x", "def gradient(x):\n    return x\n"),
        ("The gradient is the softmax.", None),
        ("", None),
        ("\0", None),
        ("def gradient(x): return " + "(" * 5000 + ")" * 5000, None),
        ("x = 1\n" * (MAX_ANSWER // 6 + 1) + "def gradient(x): return x", None),
    ],
)  # fmt: skip  # noqa: E501
def test_the_program_of_an_answer(answer, found):
    program = extract_program(answer, "gradient")
    assert (program and program.strip()) == (found and found.strip())


def test_prose_without_end_is_searched_quickly():
    start = time.monotonic()
    assert extract_program("import of goods\nand the gradient\n" * 5000, "gradient") is None
    assert time.monotonic() - start < 10


# --- in the sandbox ---------------------------------------------------------------------------------------------------


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "eval_name", [pytest.param(name, marks=[pytest.mark.slow] if name == "ht" else []) for name in PROBLEMS]
)
def test_right_programs_are_valid_and_timed(eval_name):
    pytest.importorskip("autograd")
    trial = attempt(fenced(BY_AUTOGRAD[eval_name]), eval_name, "autograd", 60.0)
    assert trial.outcome == "valid", trial.error
    assert len(trial.workloads) == len(get_problem(eval_name).inputs())
    assert all(item.num_runs >= 3 and item.time_ns > 0 and item.reference_ns > 0 for item in trial.workloads)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("library", "program"),
    [
        ("numpy", RIGHT),
        ("jax", "gradient = jax.jit(jax.grad(primal))"),
        (
            "pytorch",
            "import torch\ndef gradient(x):\n    x = x.clone().requires_grad_()\n    primal(x).backward()\n"
            "    return x.grad",
        ),
    ],
)
def test_each_library_works(library, program):
    pytest.importorskip(MODULES[library])
    trial = attempt(fenced(program), library=library)
    assert trial.outcome == "valid", trial.error


IN_CPP = {
    "hello": """
extern "C" void hello_double(double x, double *out) { *out = 2 * x; }
""",
    "lse": """
#include <algorithm>
#include <cmath>
#include <cstdint>
extern "C" void lse_gradient(const double *x, int64_t n, double *out) {
  double top = *std::max_element(x, x + n), sum = 0;
  for (int64_t i = 0; i < n; i++) sum += out[i] = std::exp(x[i] - top);
  for (int64_t i = 0; i < n; i++) out[i] /= sum;
}
""",
    "ode": """
#include <cstdint>
extern "C" void ode_gradient(const double *x, int64_t n, int64_t steps, double *out) {
  for (int64_t i = 0; i < n; i++) out[i] = 0;
}
""",
    "kmeans": """
#include <cstdint>
#include <vector>
extern "C" void kmeans_dir(const double *p, int64_t n, int64_t d, const double *c, int64_t k, int64_t, double *out) {
  std::vector<double> count(k);
  for (int64_t i = 0; i < k * d; i++) out[i] = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t best = 0; double least = 1e300;
    for (int64_t j = 0; j < k; j++) {
      double distance = 0;
      for (int64_t l = 0; l < d; l++) distance += (p[i * d + l] - c[j * d + l]) * (p[i * d + l] - c[j * d + l]);
      if (distance < least) { least = distance; best = j; }
    }
    count[best] += 2;
    for (int64_t l = 0; l < d; l++) out[best * d + l] += 2 * (c[best * d + l] - p[i * d + l]);
  }
  for (int64_t j = 0; j < k; j++) for (int64_t l = 0; l < d; l++) out[j * d + l] /= count[j];
}
""",
}
NO_COMPILER = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")


@NO_COMPILER
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("eval_name", "outcome"), [("hello", "valid"), ("lse", "valid"), ("kmeans", "valid"), ("ode", "invalid")]
)
def test_programs_in_cpp_are_compiled_judged_and_timed(eval_name, outcome):
    trial = attempt(f"```cpp\n{IN_CPP[eval_name]}```", eval_name, "cpp")
    assert trial.outcome == outcome, trial.error
    assert all(item.num_runs >= 3 and item.time_ns > 0 and item.reference_ns > 0 for item in trial.workloads)


@NO_COMPILER
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("program", "outcome", "reason"),
    [
        (
            'extern "C" void lse_gradient(const double *x, long n, double *out) { out = ; }',
            "failed",
            "does not compile",
        ),
        ("void lse_gradient(const double *x, long n, double *out) {}", "failed", "undefined symbol"),
        ('extern "C" void lse_gradient(const double *x, long n, double *out) {}', "invalid", "mismatches"),
        (
            'extern "C" void lse_gradient(const double *x, long n, double *out) { *(int *)8 = 1; }',
            "failed",
            "signal 11",
        ),
        (
            'extern "C" void lse_gradient(const double *x, long n, double *out) { for (;;) out[0] = 1; }',
            "timed_out",
            "2 s",
        ),
        ('extern "C" void gradient(const double *x, long n, double *out) {}', "no_program", "lse_gradient"),
    ],
)
def test_programs_in_cpp_that_are_not_right(program, outcome, reason):
    trial = attempt(f"```cpp\n{program}\n```", "lse", "cpp", 2.0)
    assert trial.outcome == outcome and reason in trial.error


IN_OCAML = {
    "hello": """
open Bigarray
let hello_double x (out : (float, float64_elt, c_layout) Array1.t) = out.{0} <- 2. *. x
""",
    "lse": """
open Bigarray
let lse_gradient (x : (float, float64_elt, c_layout) Array1.t) (out : (float, float64_elt, c_layout) Array1.t) =
  let n = Array1.dim x in
  let largest = ref neg_infinity and total = ref 0. in
  for i = 0 to n - 1 do if x.{i} > !largest then largest := x.{i} done;
  for i = 0 to n - 1 do out.{i} <- exp (x.{i} -. !largest); total := !total +. out.{i} done;
  for i = 0 to n - 1 do out.{i} <- out.{i} /. !total done
""",
    "ode": "let ode_gradient x steps out = if steps > 0 then Bigarray.Array1.fill out 0.\n",
    "kmeans": """
open Bigarray
type table = (float, float64_elt, c_layout) Array2.t
let kmeans_dir (points : table) (centroids : table) (out : table) =
  let k = Array2.dim1 centroids and d = Array2.dim2 centroids in
  let count = Array.make k 0. in
  Array2.fill out 0.;
  for i = 0 to Array2.dim1 points - 1 do
    let best = ref 0 and least = ref infinity in
    for j = 0 to k - 1 do
      let distance = ref 0. in
      for l = 0 to d - 1 do distance := !distance +. (points.{i, l} -. centroids.{j, l}) ** 2. done;
      if !distance < !least then (least := !distance; best := j)
    done;
    count.(!best) <- count.(!best) +. 2.;
    for l = 0 to d - 1 do out.{!best, l} <- out.{!best, l} +. 2. *. (centroids.{!best, l} -. points.{i, l}) done
  done;
  for j = 0 to k - 1 do for l = 0 to d - 1 do out.{j, l} <- out.{j, l} /. count.(j) done done
""",
}
NO_OCAML = pytest.mark.skipif(shutil.which("ocamlopt") is None, reason="there is no compiler of OCaml")


@NO_OCAML
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("eval_name", "outcome"), [("hello", "valid"), ("lse", "valid"), ("kmeans", "valid"), ("ode", "invalid")]
)
def test_programs_in_ocaml_are_compiled_judged_and_timed(eval_name, outcome):
    trial = attempt(f"```ocaml\n{IN_OCAML[eval_name]}```", eval_name, "ocaml")
    assert trial.outcome == outcome, trial.error
    assert all(item.num_runs >= 3 and item.time_ns > 0 and item.reference_ns > 0 for item in trial.workloads)


@NO_OCAML
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("program", "outcome", "reason"),
    [
        ("let lse_gradient x out = ;", "failed", "does not compile"),
        ("let lse_gradient x = x + 1", "failed", "does not compile"),
        ('let lse_gradient _ _ = failwith "no idea"', "failed", 'Failure("no idea")'),
        ('let () = failwith "too early"\nlet lse_gradient _ _ = ()', "failed", "its beginning failed"),
        ("let lse_gradient _ _ = ()", "invalid", "mismatches"),
        ("let lse_gradient _ _ = while true do () done", "timed_out", "2 s"),
        ("let gradient _ _ = ()", "no_program", "lse_gradient"),
    ],
)
def test_programs_in_ocaml_that_are_not_right(program, outcome, reason):
    trial = attempt(f"```ocaml\n{program}\n```", "lse", "ocaml", 2.0)
    assert trial.outcome == outcome and reason in trial.error, trial.error


@NO_OCAML
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize("eval_name", PROBLEMS)
def test_every_function_can_be_written_in_ocaml(eval_name):
    """Of the type that is asked for; it writes nothing."""
    problem = get_problem(eval_name)
    name, count = problem.name_in("ocaml"), len(problem.parameters())
    trial = attempt(f"```ocaml\nlet {name} {' '.join('_' * count)} = ()\n```", eval_name, "ocaml")
    assert trial.outcome == "invalid", trial.error


def test_a_program_in_cpp_gets_what_it_declares_and_has_room_for_what_it_returns():
    declarations = {
        name: cpp_declaration(problem.name_in("cpp"), problem.parameters()) for name, problem in PROBLEMS.items()
    }
    assert declarations["hello"] == "void hello_double(double x, double *out)"
    assert declarations["ode"] == "void ode_gradient(const double *x, int64_t x_size0, int64_t steps, double *out)"
    assert "const int64_t *camera_of, int64_t camera_of_size0, const int64_t *point_of" in declarations["ba"]
    for problem in PROBLEMS.values():
        for value in problem.inputs():
            arguments = [
                harness.to_argument("cpp", {"plain": argument.value} if isinstance(argument, Plain) else argument)
                for argument in problem.arguments(value)
            ]
            function = harness.CompiledFunction(SimpleNamespace(f=lambda: None), "f")
            words, outputs, _ = function.prepare(arguments, problem.shapes(value))
            assert len(words) == declarations[problem.eval_name].count(",") + 1
            returned = harness.to_lists(outputs if len(outputs) > 1 else outputs[0])
            assert (
                problem.analyze(value, returned).error is None or "form" not in problem.analyze(value, returned).error
            )


WRONG = [
    ("numpy.ones", "import numpy\ndef gradient(x):\n    return numpy.ones(len(x))", "mismatches"),
    ("zeros", "def gradient(x):\n    return 0 * x", "mismatches"),
    ("nan", "def gradient(x):\n    return x * float('nan')", "mismatches"),
    ("shape", "def gradient(x):\n    return x[:3]", "shape"),
    ("scalar", "def gradient(x):\n    return 1.0", "shape"),
    ("ragged", "def gradient(x):\n    return [[1.0], 2.0]", "several lengths"),
    ("bools", "def gradient(x):\n    return x > 0", "number"),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("program", "reason"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_wrong_programs_are_invalid(program, reason):
    trial = attempt(fenced(program))
    assert trial.outcome == "invalid"
    assert reason in trial.error


FAILING = [
    ("raises", "def gradient(x):\n    raise ValueError('no idea')", "ValueError: no idea"),
    ("raises_at_once", "1 / 0\ndef gradient(x):\n    return x", "ZeroDivisionError"),
    ("exits", "import sys\ndef gradient(x):\n    sys.exit(0)", "SystemExit"),
    ("dies", "import os\ndef gradient(x):\n    os._exit(0)", "ended its process"),
    ("is_killed", "import os\ndef gradient(x):\n    os.kill(os.getpid(), 9)", "killed"),
    ("none", "def gradient(x):\n    pass", "NoneType"),
    ("other_library", "import torch\ndef gradient(x):\n    return x", "may not be used"),
    ("our_reference", "import helm.gradbench\ndef gradient(x):\n    return x", "may not be used"),
    (
        "network",
        "import urllib.request\ndef gradient(x):\n    urllib.request.urlopen('http://127.0.0.1:9', timeout=3)",
        "URLError",
    ),
    (
        "memory",
        "def gradient(x):\n    a = bytearray(8 << 30)\n    a[::4096] = b'x' * len(a[::4096])\n    return a",
        "emory",
    ),
    ("huge_output", "import numpy\ndef gradient(x):\n    return numpy.ones(10_000_000)", "output"),
    ("not_callable", "gradient = 3", "TypeError"),
    (
        "forged",
        'import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, b\'{"outputs": [1], "times_ns": [[1]]}\')\n'
        "    except OSError:\n        pass\nos._exit(0)\ndef gradient(x):\n    return x",
        "something else",
    ),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("program", "reason"), [row[1:] for row in FAILING], ids=[row[0] for row in FAILING])
def test_programs_that_cannot_be_run_through_have_failed(program, reason):
    trial = attempt(fenced(program))
    assert trial.outcome == "failed"
    assert reason in trial.error


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "program",
    [
        "def gradient(x):\n    while True:\n        pass",
        "while True:\n    pass\ndef gradient(x):\n    return x",
        "def gradient(x):\n    while True:\n        try:\n            while True:\n                pass\n"
        "        except Exception:\n            pass",
        "import time\ndef gradient(x):\n    time.sleep(60)",
    ],
)
def test_programs_without_end_time_out(program):
    start = time.monotonic()
    trial = attempt(fenced(program), timeout_s=1.0)
    assert trial.outcome == "timed_out"
    assert "1 s" in trial.error
    assert time.monotonic() - start < 30


@pytest.mark.sandbox
def test_nothing_of_a_program_stays(tmp_path):
    target = tmp_path / "written"
    program = (
        f"import os\ntry:\n    open({str(target)!r}, 'w').write('x')\nexcept OSError:\n    pass\n"
        f"if os.fork() == 0:\n    os.execvp('sleep', ['sleep', '98765'])\n{RIGHT}"
    )
    trial = attempt(fenced(program))
    assert trial.outcome == "valid", trial.error
    assert not target.exists()
    assert not any(b"98765" in words for _, words in command_lines())


@pytest.mark.sandbox
def test_a_program_that_prints_much_and_changes_its_input_is_judged_by_its_value():
    program = f"import sys\nprint('x' * 50_000_000)\nsys.stderr.write('y' * 1000)\n{RIGHT}" + (
        "own = gradient\ndef gradient(x):\n    value = own(x)\n    x[:] = 0\n    return value\n"
    )
    assert attempt(fenced(program)).outcome == "valid"


def test_without_a_sandbox_the_run_stops_before_it_asks(monkeypatch):
    monkeypatch.setenv("HELM_SANDBOX", "no_such")
    with pytest.raises(SandboxError, match="HELM_SANDBOX"):
        ADProgramAnnotator()


# --- annotator and metric ---------------------------------------------------------------------------------------------


def make_state(text, eval_name="lse", library="numpy", success=True):
    data = {"eval": eval_name, "library": library}
    instance = Instance(Input("q"), [], split="test", id="id0", extra_data=data)
    completions = [GeneratedOutput(text, 0.0, [])]
    result = RequestResult(success, [], completions, False, error=None if success else "tired")
    return RequestState(instance, None, None, 0, None, Request(), result, 0, False)


def stats_of(state, annotator=None):
    annotation = (annotator or ADProgramAnnotator(timeout_s=20, min_runs=5, min_seconds=0)).annotate(state)
    state = RequestState(**{**state.__dict__, "annotations": {"ad_program": annotation}})
    stats = ADProgrammingMetric().evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
    return {stat.name.name: stat.mean for stat in stats}


@pytest.mark.sandbox
def test_stats_of_a_right_program():
    stats = stats_of(make_state(fenced(RIGHT)))
    assert (stats["solved"], stats["valid"], stats["ran"]) == (1, 1, 1)
    assert (stats["failed"], stats["timed_out"], stats["no_program"], stats["unanswered"]) == (0, 0, 0, 0)
    assert stats["relative_error"] < 1e-12
    assert stats["num_timed_runs"] == 5
    assert math.isfinite(stats["speed_over_reference"]) and stats["speed_over_reference"] > 0
    assert stats["derivative_time_s"] > 0 and stats["reference_time_s"] > 0


@pytest.mark.sandbox
def test_slower_programs_are_slower():
    slow = "import time\nimport numpy as np\n" + RIGHT.replace("    e =", "    time.sleep(0.01)\n    e =")
    assert stats_of(make_state(fenced(slow)))["speed_over_reference"] < 0.1


FORGED = {
    "its_clock": "import time\ntime.perf_counter_ns = iter(range(10**9)).__next__\n",
    "its_frames": "import sys\nclass Clock:\n    now = 0\n    def __call__(self):\n        self.now += 1\n"
    "        return self.now\n"
    "frame = sys._getframe()\nwhile frame.f_code.co_name != 'run_program':\n    frame = frame.f_back\n"
    "frame.f_globals['time'].perf_counter_ns = Clock()\n",
}


@pytest.mark.sandbox
@pytest.mark.parametrize("before", FORGED.values(), ids=FORGED)
def test_forged_times_are_not_believed(before):
    slow = RIGHT.replace("    e =", "    time.sleep(0.002)\n    e =")
    stats = stats_of(make_state(fenced("import time\n" + before + slow)))
    assert (stats["solved"], stats["times_disagree"]) == (1, 1)
    assert stats["derivative_time_s"] > 0.002


@pytest.mark.sandbox
def test_honest_times_are_believed():
    stats = stats_of(make_state(fenced(RIGHT)))
    assert stats["times_disagree"] == 0


@pytest.mark.sandbox
def test_results_of_earlier_calls_are_of_no_use():
    program = (
        f"{RIGHT}import time\nown, known = gradient, {{}}\ndef gradient(x):\n    key = x.tobytes()\n"
        "    if key not in known:\n        time.sleep(0.002)\n        known[key] = own(x)\n    return known[key]\n"
    )
    assert stats_of(make_state(fenced(program)))["derivative_time_s"] > 0.002


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I do not know.", {"no_program": 1, "ran": 0}),
        ("", {"no_program": 1, "ran": 0}),
        (fenced("def gradient(x):\n    return 0 * x"), {"ran": 1, "valid": 0}),
        (fenced("def gradient(x):\n    return y"), {"failed": 1, "ran": 0}),
    ],
)
def test_stats_of_answers_that_are_not_right(answer, expected):
    stats = stats_of(make_state(answer))
    assert stats["solved"] == 0 and stats["unanswered"] == 0
    assert {name: stats[name] for name in expected} == expected
    assert not {"speed_over_reference", "derivative_time_s"} & set(stats)


@pytest.mark.sandbox
def test_a_failed_request_is_no_wrong_answer():
    assert stats_of(make_state("", success=False)) == {"unanswered": 1}


def test_states_without_annotation_are_an_error():
    with pytest.raises(MetricError, match="ADProgramAnnotator"):
        ADProgrammingMetric().evaluate_generation(AdapterSpec(), make_state(""), make_metric_service(), "")


def test_the_harness_imports_nothing_of_ours_but_what_is_sent_along():
    source = Path(importlib.import_module("helm.gradbench.programming.harness").__file__).read_text()
    ours = re.findall(r"^\s*(?:import|from) (helm[.\w]*)", source, re.MULTILINE)
    assert ours == ["helm.common.sandbox.program_process"]
    sent_along = Path(importlib.import_module(ours[0]).__file__).read_text()
    assert "import helm" not in sent_along and "from helm" not in sent_along
