"""Workloads, golden values and tools of each eval, against the original programs."""

import hashlib
import io
import json
import shlex
from functools import lru_cache

import numpy as np
import pytest

from helm.gradbench.comparison import analyze
from helm.gradbench.evals import particle, saddle
from helm.gradbench.evals.driver import EvalDriver, parse_eval
from helm.gradbench.evals.gmm import GmmEval, golden_jacobian, golden_objective
from helm.gradbench.evals.registry import EVAL_NAMES, get_eval_class
from helm.gradbench.protocol import DefineMessage, EvaluateMessage, parse_message
from helm.gradbench.tools.registry import get_tool
from helm.gradbench.tools.server import evaluate
from vectors_support import load_vectors, vector_cases, vectors_dir

RUN_FIELDS = ("min_runs", "min_seconds")
CONSTANTS = {"particle": particle.EXPECTED, "saddle": saddle.EXPECTED}


def cases_of_our_evals(relative_path, key, name):
    cases = [case for case in vector_cases(relative_path, key) if case[name] in EVAL_NAMES]
    assert cases, f"{relative_path} holds no case of {EVAL_NAMES}"
    return cases


class FailingTool(io.RawIOBase):
    """Standard input of a driver whose tool defines everything and fails every evaluation."""

    def __init__(self):
        self.lines = []

    def write(self, data):
        self.lines.append(bytes(data))
        return len(data)

    def readline(self, size=-1):
        message = parse_message(self.lines[-1])
        answer = {"id": message.id}
        if isinstance(message, (DefineMessage, EvaluateMessage)):
            answer["success"] = isinstance(message, DefineMessage)
        return json.dumps(answer).encode() + b"\n"


def workload_key():
    return next(key for key, value in load_vectors("gradbench/workloads.json").items() if isinstance(value, list))


WORKLOADS = cases_of_our_evals("gradbench/workloads.json", workload_key(), "eval")


def is_large(case):
    """Whether the numbers of its workloads take seconds to draw and to read."""
    return sum(expected["line_bytes"] for expected in case["evaluate"]) > 40_000_000


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.slow] if is_large(case) else []) for case in WORKLOADS],
    ids=lambda case: f"{case['eval']} {case['flags']}",
)
def test_vector_of_the_workloads(case):
    tool = FailingTool()
    EvalDriver(parse_eval(case["eval"], shlex.split(case["flags"])), tool, tool).run()
    assert json.loads(tool.lines[0]) == {"id": 0, "kind": "start", **case["start"]}
    assert json.loads(tool.lines[1]) == {"id": 1, "kind": "define", "module": case["define"][0]}
    evaluations = [parse_message(line) for line in tool.lines[2:]]
    assert len(evaluations) == len(case["evaluate"])
    read_input = lru_cache(maxsize=1)(value_and_digest)  # both evaluations of a workload have the same input
    for line, message, expected in zip(tool.lines[2:], evaluations, case["evaluate"], strict=True):
        assert (message.id, message.function) == (expected["id"], expected["function"])
        assert message.description == expected["description"]
        assert len(line) == expected["line_bytes"]
        value, bare_value, digest = read_input(bytes(message.input))
        if isinstance(value, dict):
            assert list(value) == expected["keys"]
            for field in RUN_FIELDS:
                assert (value[field], type(value[field])) == (expected[field], type(expected[field]))
        if "digest" in expected:
            assert digest == expected["digest"]
        if "input" in expected:
            assert bare_value == expected["input"]


def value_and_digest(raw):
    """The value of a raw input, the same without how often to run, and the digest of that."""
    value = json.loads(raw)
    bare = value
    if isinstance(value, dict):
        bare = {key: item for key, item in value.items() if key not in RUN_FIELDS}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"))
    return value, bare, hashlib.sha256(text.encode()).hexdigest()


def test_the_sizes_of_large_workloads_are_those_of_the_vectors():
    """Their numbers are compared by the slow cases of the test above."""
    described = {
        case["eval"]: [e["description"] for e in case["evaluate"][::2]] for case in WORKLOADS if is_large(case)
    }
    assert described.keys() == {"gmm", "lse"}
    assert described["lse"] == [f"n={n}" for n in parse_eval("lse", []).n]
    gmm = parse_eval("gmm", [])
    assert sorted(described["gmm"]) == sorted(f"{d}_{k}_{gmm.n}" for d in gmm.d for k in gmm.k)


def eval_cases():
    for name in EVAL_NAMES:
        for case in vector_cases(f"gradbench/eval_{name}.json"):
            for function in case["results"]:
                yield pytest.param(name, case, function, id=f"{name}-{case['name']}-{function}")


def largest_difference(expected, actual):
    """Largest |a - b| / max(1, |a| + |b|) over two equally shaped values.

    Null is how the originals print what is no number. Ours has to have nothing there as well, or a number of its own:
    the log of a sum that underflows in the original has one.
    """
    if expected is None:
        assert actual is None or isinstance(actual, float)
        return 0.0
    if isinstance(expected, dict):
        assert expected.keys() == actual.keys()
        return max(largest_difference(expected[key], actual[key]) for key in expected)
    if isinstance(expected, list):
        assert len(expected) == len(actual)
        return max((largest_difference(e, a) for e, a in zip(expected, actual, strict=True)), default=0.0)
    return abs(expected - actual) / max(1.0, abs(expected) + abs(actual))


@pytest.mark.parametrize(("name", "case", "function"), list(eval_cases()))
def test_vector_is_what_the_golden_function_returns(name, case, function):
    result = case["results"][function]
    verdict = get_eval_class(name)().analyze(function, case["input"], result["output"])
    if name in CONSTANTS:  # these evals expect the same of every input
        assert verdict == analyze(CONSTANTS[name], result["output"])
    elif result["agree"].get("manual") == "failed" and not verdict.valid:  # the original's golden program died
        assert verdict.error.startswith("golden implementation failed with error:\n")
    else:
        assert verdict.error is None


@lru_cache(maxsize=4)
def evaluated_once(function, text):
    """Some functions of a tool are the same one by several names."""
    return evaluate(function, json.loads(text))


@pytest.mark.parametrize("tool", ["numpy", "finite"])
@pytest.mark.parametrize(("name", "case", "function"), list(eval_cases()))
def test_vector_is_what_the_tools_return(name, case, function, tool):
    value = case["input"]
    if isinstance(value, dict):
        value = {**value, "min_runs": 1, "min_seconds": 0}
    output, times = evaluated_once(get_tool(tool).find_module(name)[function], json.dumps(value))
    result = case["results"][function]
    # The golden gradient of ode is not that of its primal.
    expected = result.get("exact_gradient_of_primal", result["output"])
    is_exact = tool == "numpy" and result["source"] != "finite"
    assert largest_difference(expected, output) < (1e-10 if is_exact else 1e-5)
    assert len(times) == 1


def test_every_eval_has_vectors():
    assert {f"eval_{name}.json" for name in EVAL_NAMES} <= {
        path.name for path in (vectors_dir() / "gradbench").iterdir()
    }


@pytest.mark.parametrize("flags", ["-d 2 -k 2 -n 3", "-d 3 -k 2 -n 4 -m 2 --gamma 0.5", "-d 1 -k 3 -n 2"])
def test_the_densities_multiplied_out_give_the_same_objective(flags):
    eval_ = parse_eval("gmm", [*flags.split(), "--validate-naive"])
    objective, jacobian = eval_.evaluations()
    assert eval_.analyze("objective", objective.input, golden_objective(objective.input)).valid
    assert not eval_.analyze("objective", objective.input, 1.01 * golden_objective(objective.input) + 1).valid
    assert eval_.analyze("jacobian", jacobian.input, "anything").valid


def test_without_validation_everything_is_approved():
    eval_ = parse_eval("gmm", ["-d", "2", "-k", "2", "-n", "3", "--no-validation"])
    assert eval_.analyze("objective", next(eval_.evaluations()).input, None).valid


@pytest.mark.parametrize("seed", range(5))
def test_the_golden_gradient_is_that_of_the_golden_objective(seed):
    """By differences of the golden objective itself, so that neither formula can be wrong alone."""
    (value, _) = (evaluation.input for evaluation in GmmEval(d=(3,), k=(2,), n=6, m=1, seed=seed).evaluations())
    gradient = golden_jacobian(value)
    for name in ("alpha", "mu", "q", "l"):
        shape = np.shape(value[name])
        for index in np.ndindex(shape):
            moved = []
            for step in (1e-6, -1e-6):
                array = np.array(value[name])
                array[index] += step
                moved.append(golden_objective({**value, name: array.tolist()}))
            slope = (moved[0] - moved[1]) / 2e-6
            assert np.array(gradient[name])[index] == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_functions_that_an_eval_does_not_have_are_invalid():
    verdict = get_eval_class("llsq")().analyze("hessian", {"x": [1.0], "n": 3}, 1.0)
    assert not verdict.valid and "hessian" in verdict.error
