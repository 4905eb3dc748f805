"""Tools in C++, OCaml and JavaScript: built where they run, against the recorded values; the header serves other tools too."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helm.common.errors import HelmError
from helm.gradbench import cpp
from helm.gradbench import main as gradbench
from helm.gradbench.comparison import analyze
from helm.gradbench.evals.registry import EVAL_NAMES
from helm.gradbench.tools.programs import PROGRAM_TOOLS, CompiledTool, NodeTool, OCamlTool
from helm.gradbench.tools.registry import supported_evals
from vectors_support import vector_cases

UNRECORDED = ("square", "primal", "objective", "cost")
INCLUDE = Path("/usr/include")
has_json = shutil.which("c++") and (INCLUDE / "nlohmann" / "json.hpp").exists()
needs_json = pytest.mark.skipif(not has_json, reason="needs a C++ compiler and nlohmann-json3-dev")
needs_adolc = pytest.mark.skipif(
    not (has_json and (INCLUDE / "adolc").exists()), reason="needs a C++ compiler, nlohmann-json3-dev and libadolc-dev"
)


def ask(words, messages, cwd):
    text = "".join(json.dumps(message) + "\n" for message in messages)
    process = subprocess.run(words, input=text, capture_output=True, text=True, timeout=120, cwd=cwd)
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


has_cppad = (INCLUDE / "cppad").exists() or importlib.util.find_spec("cmeel") is not None
needs_cppad = pytest.mark.skipif(
    not (has_json and has_cppad), reason="needs a C++ compiler, nlohmann-json3-dev and cmeel-cppad"
)


def _has_ocaml():
    find = ["ocamlfind", "query", "yojson"]
    return shutil.which(find[0]) is not None and subprocess.run(find, capture_output=True).returncode == 0


needs_ocaml = pytest.mark.skipif(not _has_ocaml(), reason="needs ocaml-nox, ocaml-findlib and libyojson-ocaml-dev")
TOOLS = [
    pytest.param("adol-c", marks=[needs_adolc, pytest.mark.slow]),  # each of the two takes about a minute to build
    pytest.param("cppad", marks=[needs_cppad, pytest.mark.slow]),
    pytest.param("ocaml", marks=needs_ocaml),
]


def _has_tfjs():
    find = ["node", "-e", "require.resolve('@tensorflow/tfjs')"]
    return shutil.which(find[0]) is not None and subprocess.run(find, capture_output=True).returncode == 0


needs_tfjs = pytest.mark.skipif(not _has_tfjs(), reason="needs Node.js, and @tensorflow/tfjs in NODE_PATH")
SINGLE_PRECISION = [pytest.param("tfjs", marks=[pytest.mark.slow, needs_tfjs])]
UNTAPED = ("ocaml", "tfjs")  # they record while they compute
HEADERS = {
    "boost": INCLUDE / "boost" / "math" / "differentiation" / "autodiff.hpp",
    "ceres": INCLUDE / "ceres" / "jet.h",
    "eigen": INCLUDE / "eigen3" / "unsupported" / "Eigen" / "AutoDiff",
    "sacado": INCLUDE / "trilinos" / "Sacado_No_Kokkos.hpp",
}
FORWARD_TOOLS = [  # each takes half a minute to build
    pytest.param(
        name,
        marks=[
            pytest.mark.slow,
            pytest.mark.skipif(not (has_json and path.exists()), reason=f"needs the header files of {name}"),
        ],
    )
    for name, path in HEADERS.items()
]


@pytest.fixture(scope="session")
def adolc():
    return PROGRAM_TOOLS["adol-c"].words()


def _tools_and_evals():
    for tool in TOOLS + FORWARD_TOOLS + SINGLE_PRECISION:
        for name in EVAL_NAMES:
            takes_seconds = tool.values == ("ocaml",) and name in ("particle", "saddle")  # half a second a descent
            yield pytest.param(*tool.values, name, marks=[*tool.marks, *([pytest.mark.slow] if takes_seconds else [])])


@pytest.mark.parametrize(("tool", "name"), list(_tools_and_evals()))
def test_vector_is_what_the_tool_returns(tool, name, tmp_path):
    if name not in supported_evals(tool):
        (answer,) = ask(PROGRAM_TOOLS[tool].words(), [{"id": 1, "kind": "define", "module": name}], tmp_path)
        assert not answer["success"] and f"has no module '{name}'" in answer["error"]
        return
    messages, wanted = [], []
    runs = 1 if name in ("hello", "particle", "saddle") else 2  # a descent takes up to half a second
    for case in vector_cases(f"gradbench/eval_{name}.json"):
        value = case["input"]
        value = {**value, "min_runs": runs, "min_seconds": 0} if isinstance(value, dict) else value
        for function, expected in case["results"].items():
            messages.append(
                {"id": len(messages), "kind": "evaluate", "module": name, "function": function, "input": value}
            )
            wanted.append(expected.get("exact_gradient_of_primal", expected["output"]))
    answers = ask(PROGRAM_TOOLS[tool].words(), messages, tmp_path)
    for message, answer, expected in zip(messages, answers, wanted, strict=True):
        assert answer["success"], answer
        if expected is None:  # where the original's own program overflowed, any finite number is better
            assert isinstance(answer["output"], float)
        else:
            tolerance = 1e-4 if tool == "tfjs" else 1e-8  # as the evals demand
            assert analyze(expected, answer["output"], tolerance).error is None, message
        names = [timing["name"] for timing in answer["timings"]]
        assert names.count("evaluate") == runs
        assert names.count("prepare") == (tool not in UNTAPED and message["function"] not in UNRECORDED)


@needs_adolc
@pytest.mark.slow
def test_adolc_answers_what_it_cannot_do(adolc, tmp_path):
    start, module, function, bad = ask(
        adolc,
        [
            {"id": 7, "kind": "start", "eval": "bar"},
            {"id": 8, "kind": "define", "module": "bar"},
            {"id": 9, "kind": "evaluate", "module": "llsq", "function": "hessian", "input": {}},
            {"id": 10, "kind": "evaluate", "module": "llsq", "function": "primal", "input": {"x": "no", "n": 3}},
        ],
        tmp_path,
    )
    machine = start.pop("machine")
    assert start == {"id": 7, "tool": "adol-c"}
    assert set(machine) == {"cpu", "cores", "governor", "threads", "compiler"} and machine["cores"].isdecimal()
    known = ", ".join(sorted(EVAL_NAMES))
    assert (module["success"], module["error"]) == (False, f"The tool adol-c has no module 'bar', only {known}.")
    assert not function["success"]
    assert function["error"] == "The tool adol-c has no function 'hessian', only gradient, primal."
    assert not bad["success"] and "type must be array" in bad["error"]


@needs_ocaml
def test_ocaml_answers_what_it_cannot_do(tmp_path):
    start, module, function, bad, none = ask(
        PROGRAM_TOOLS["ocaml"].words(),
        [
            {"id": 7, "kind": "start", "eval": "bar"},
            {"id": 8, "kind": "define", "module": "bar"},
            {"id": 9, "kind": "evaluate", "module": "llsq", "function": "hessian", "input": {}},
            {"id": 10, "kind": "evaluate", "module": "llsq", "function": "primal", "input": {"x": "no", "n": 3}},
            {
                "id": 11,
                "kind": "evaluate",
                "module": "hello",
                "function": "square",
                "input": {"min_runs": 0, "min_seconds": 0},
            },
        ],
        tmp_path,
    )
    machine = start.pop("machine")
    assert start == {"id": 7, "tool": "ocaml"}
    assert machine["compiler"].startswith("OCaml ") and machine["cores"].isdecimal()
    known = ", ".join(sorted(EVAL_NAMES))
    assert (module["success"], module["error"]) == (False, f"The tool ocaml has no module 'bar', only {known}.")
    assert function["error"] == "The tool ocaml has no function 'hessian', only gradient, primal."
    assert (bad["success"], bad["error"]) == (False, "a number was expected")
    assert none["error"] == "min_runs and min_seconds ask for no run at all"


@needs_ocaml
def test_the_example_in_the_library_of_ocaml_is_a_tool(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    own = PROGRAM_TOOLS["ocaml"]
    comment = (own.folder / "gradbench.ml").read_text().split("*)")[0]
    lines = [line for line in comment.splitlines() if line.startswith("     ")]
    for name in own.order[:2]:
        shutil.copy(own.folder / name, tmp_path)
    (tmp_path / "mytool.ml").write_text("\n".join(lines))
    program = OCamlTool("mytool", tmp_path, (*own.order[:2], "mytool.ml")).words()
    (answer,) = ask(
        program, [{"id": 0, "kind": "evaluate", "module": "hello", "function": "double", "input": 4.0}], tmp_path
    )
    assert (answer["success"], answer["output"]) == (True, 8.0)


@needs_ocaml
def test_another_release_of_the_compiler_builds_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = PROGRAM_TOOLS["ocaml"]
    first = own.build()
    (tmp_path / "bin").mkdir()
    other = tmp_path / "bin" / "ocamlfind"
    real = shutil.which("ocamlfind")
    other.write_text(f'#!/bin/sh\n[ "$2" = -version ] && echo 99 && exit\nexec {real} "$@"\n')
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert own.build() != first and own.build() == own.build()


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_example_in_the_library_of_javascript_is_a_tool(tmp_path):
    library = PROGRAM_TOOLS["tfjs"].script.parent / "gradbench.mjs"
    shutil.copy(library, tmp_path)
    lines = [line[7:] for line in library.read_text().splitlines() if line.startswith("//     ")]
    (tmp_path / "mytool.mjs").write_text("\n".join(lines))
    start, define, double, unknown = ask(
        ["node", str(tmp_path / "mytool.mjs")],
        [
            {"id": 0, "kind": "start"},
            {"id": 1, "kind": "define", "module": "gmm"},
            {"id": 2, "kind": "evaluate", "module": "hello", "function": "double", "input": 4.0},
            {"id": 3, "kind": "evaluate", "module": "hello", "function": "half", "input": 4.0},
        ],
        tmp_path,
    )
    assert start["tool"] == "mytool" and start["machine"]["cores"].isdecimal()
    assert define == {"id": 1, "success": False, "error": "The tool mytool has no module 'gmm', only hello."}
    assert (double["success"], double["output"], len(double["timings"])) == (True, 8.0, 1)
    assert unknown["error"] == "The tool mytool has no function 'half', only double, square."


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_a_missing_package_of_npm_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NODE_PATH", raising=False)
    script = PROGRAM_TOOLS["tfjs"].script
    shutil.copytree(script.parent, tmp_path / "tool")
    changed = (tmp_path / "tool" / script.name).read_text().replace('"@tensorflow/tfjs"', '"no-such-package"')
    (tmp_path / "tool" / script.name).write_text(changed)
    with pytest.raises(HelmError, match="npm install no-such-package"):
        NodeTool("tfjs", tmp_path / "tool" / script.name, "no-such-package").words()


def test_a_missing_interpreter_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "/no-such-folder")
    with pytest.raises(HelmError, match="there is no node.*apt install nodejs npm"):
        PROGRAM_TOOLS["tfjs"].words()


@pytest.mark.slow  # for seconds the compiler reads the header files of a library for JSON
@needs_json
def test_the_example_in_the_header_is_a_tool(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    header = (Path(list(cpp.__path__)[0]) / "gradbench.hpp").read_text()
    lines = [
        line.removeprefix("//").removeprefix("     ") for line in header.splitlines() if line.startswith("//     ")
    ]
    source = tmp_path / "mytool.cpp"
    source.write_text("\n".join(lines))
    program = CompiledTool("mytool", source, ("-O0",), "g++").words()
    (answer,) = ask(
        program, [{"id": 0, "kind": "evaluate", "module": "hello", "function": "double", "input": 4.0}], tmp_path
    )
    assert (answer["success"], answer["output"]) == (True, 8.0)


def test_a_missing_compiler_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(HelmError, match="there is no no-such-compiler.*apt install g\\+\\+ libadolc-dev"):
        PROGRAM_TOOLS["adol-c"].build()


@needs_json
def test_a_failed_build_shows_what_the_compiler_said(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "bad.cpp").write_text('#include "no_such_header.hpp"\n')
    with pytest.raises(HelmError, match="(?s)could not be built.*no_such_header.hpp"):
        CompiledTool("bad", tmp_path / "bad.cpp", (), "g++").build()
    assert not list(tmp_path.rglob("bad-*"))


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("flags", "count"),
    [
        ("ba --min 1 --max 1", 2),
        ("ht --min 1 --max 2 --model small", 4),
        ("ht --min 1 --max 1 --model small --variant simple", 2),
        ("kmeans -k 10 -n 100 -d 8", 2),
    ],
)
def test_a_run_of_an_eval_is_valid(tool, flags, count, capsys):
    tool_command = shlex.join(PROGRAM_TOOLS[tool].words())
    eval_command = f"{shlex.join([sys.executable, '-m', 'helm.gradbench.main'])} eval {flags} --min-seconds 0"
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["run", "--strict", "--eval", eval_command, "--tool", tool_command])
    out = capsys.readouterr().out
    assert (exit_.value.code, out.count("\u2713")) == (0, count + 1), out


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("module", "function", "change", "error"),
    [
        ("ba", "jacobian", {"cam": [1.0, 2.0]}, "ba needs cameras of 11 numbers, points of 3 and features of 2"),
        ("ba", "objective", {"n": -1}, "ba (is too large|needs cameras)"),
        ("ht", "jacobian", {"theta": [0.0] * 25}, "ht needs 26 parameters and at least 21 bones"),
        ("ht", "objective", {"us": [[0.1, 0.2]]}, "ht needs three coordinates for each correspondence"),
        ("kmeans", "dir", {"centroids": [[0.5]]}, "kmeans needs points and centroids of the same dimension"),
        ("kmeans", "cost", {"points": []}, "kmeans needs points and centroids of the same dimension"),
        ("saddle", "ff", {"start": [1.0]}, "saddle needs a start of 2 numbers"),
    ],
)
def test_a_bad_input_is_answered(tool, module, function, change, error, tmp_path):
    value = {**vector_cases(f"gradbench/eval_{module}.json")[0]["input"], **change}
    message = {"id": 0, "kind": "evaluate", "module": module, "function": function, "input": value}
    (answer,) = ask(PROGRAM_TOOLS[tool].words(), [message], tmp_path)
    assert not answer["success"] and re.search(error, answer["error"])


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("vertex", [None, -1, 10**6], ids=["one_too_far", "negative", "far"])
def test_a_point_on_no_vertex_is_an_error(tool, vertex, tmp_path):
    value = json.loads(json.dumps(vector_cases("gradbench/eval_ht.json")[0]["input"]))
    num_vertices = len(value["data"]["model"]["base_positions"])
    value["data"]["correspondences"][-1] = num_vertices if vertex is None else vertex
    message = {"id": 0, "kind": "evaluate", "module": "ht", "function": "jacobian", "input": value}
    (answer,) = ask(PROGRAM_TOOLS[tool].words(), [message], tmp_path)
    assert not answer["success"] and "a vertex that the model does not have" in answer["error"]
