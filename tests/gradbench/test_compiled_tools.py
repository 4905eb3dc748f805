"""Tools in C++: built where they run, against the recorded values; the header serves other tools too."""

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from helm.common.errors import HelmError
from helm.gradbench import cpp
from helm.gradbench.comparison import analyze
from helm.gradbench.tools.compiled import COMPILED_TOOLS, CompiledTool
from vectors_support import vector_cases

EVALS = ("det", "gmm", "hello", "llsq", "lse", "lstm", "ode")
INCLUDE = Path("/usr/include")
has_json = shutil.which("c++") and (INCLUDE / "nlohmann" / "json.hpp").exists()
needs_json = pytest.mark.skipif(not has_json, reason="needs a C++ compiler and nlohmann-json3-dev")
needs_adolc = pytest.mark.skipif(
    not (has_json and (INCLUDE / "adolc").exists()), reason="needs a C++ compiler, nlohmann-json3-dev and libadolc-dev"
)


def ask(program, messages, cwd):
    text = "".join(json.dumps(message) + "\n" for message in messages)
    process = subprocess.run([str(program)], input=text, capture_output=True, text=True, timeout=120, cwd=cwd)
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


has_cppad = (INCLUDE / "cppad").exists() or importlib.util.find_spec("cmeel") is not None
needs_cppad = pytest.mark.skipif(
    not (has_json and has_cppad), reason="needs a C++ compiler, nlohmann-json3-dev and cmeel-cppad"
)
TOOLS = [pytest.param("adol-c", marks=needs_adolc), pytest.param("cppad", marks=needs_cppad)]


@pytest.fixture(scope="session")
def adolc():
    return COMPILED_TOOLS["adol-c"].build()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("name", EVALS)
def test_vector_is_what_the_tool_returns(tool, name, tmp_path):
    messages, wanted = [], []
    for case in vector_cases(f"gradbench/eval_{name}.json"):
        value = case["input"]
        value = {**value, "min_runs": 2, "min_seconds": 0} if isinstance(value, dict) else value
        for function, expected in case["results"].items():
            messages.append(
                {"id": len(messages), "kind": "evaluate", "module": name, "function": function, "input": value}
            )
            wanted.append(expected.get("exact_gradient_of_primal", expected["output"]))
    answers = ask(COMPILED_TOOLS[tool].build(), messages, tmp_path)
    for message, answer, expected in zip(messages, answers, wanted, strict=True):
        assert answer["success"], answer
        if expected is None:  # where the original's own program overflowed, any finite number is better
            assert isinstance(answer["output"], float)
        else:
            assert analyze(expected, answer["output"], 1e-8).error is None, message
        names = [timing["name"] for timing in answer["timings"]]
        assert names.count("evaluate") == (1 if name == "hello" else 2)
        assert names.count("prepare") == (message["function"] in ("gradient", "double", "jacobian"))


@needs_adolc
def test_adolc_answers_what_it_cannot_do(adolc, tmp_path):
    start, module, function, bad = ask(
        adolc,
        [
            {"id": 7, "kind": "start", "eval": "ba"},
            {"id": 8, "kind": "define", "module": "ba"},
            {"id": 9, "kind": "evaluate", "module": "llsq", "function": "hessian", "input": {}},
            {"id": 10, "kind": "evaluate", "module": "llsq", "function": "primal", "input": {"x": "no", "n": 3}},
        ],
        tmp_path,
    )
    machine = start.pop("machine")
    assert start == {"id": 7, "tool": "adol-c"}
    assert set(machine) == {"cpu", "cores", "governor", "threads", "compiler"} and machine["cores"].isdecimal()
    assert (module["success"], module["error"]) == (False, "The tool adol-c has no module 'ba'.")
    assert (function["success"], function["error"]) == (False, "The tool adol-c has no function 'hessian'.")
    assert not bad["success"] and "type must be array" in bad["error"]


@needs_json
def test_the_example_in_the_header_is_a_tool(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    header = (Path(list(cpp.__path__)[0]) / "gradbench.hpp").read_text()
    lines = [
        line.removeprefix("//").removeprefix("     ") for line in header.splitlines() if line.startswith("//     ")
    ]
    source = tmp_path / "mytool.cpp"
    source.write_text("\n".join(lines))
    program = CompiledTool("mytool", source, ("-O0",), "g++").build()
    (answer,) = ask(
        program, [{"id": 0, "kind": "evaluate", "module": "hello", "function": "double", "input": 4.0}], tmp_path
    )
    assert (answer["success"], answer["output"]) == (True, 8.0)


def test_a_missing_compiler_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(HelmError, match="there is no no-such-compiler.*apt install g\\+\\+ libadolc-dev"):
        COMPILED_TOOLS["adol-c"].build()


@needs_json
def test_a_failed_build_shows_what_the_compiler_said(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "bad.cpp").write_text('#include "no_such_header.hpp"\n')
    with pytest.raises(HelmError, match="(?s)could not be built.*no_such_header.hpp"):
        CompiledTool("bad", tmp_path / "bad.cpp", (), "g++").build()
    assert not list(tmp_path.rglob("bad-*"))
