"""SciCode: made-up problems in its layout, asked step by step, and tested in the sandbox against an HDF5 file."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from helm.agents.scicode.checks import PASSED, read_targets, run_step
from helm.agents.scicode.problem import SciCodeProblem, find_step_code, without_imports
from helm.agents.scicode.scicode_scenario import SciCodeScenario
from helm.benchmark import run
from helm.common.errors import ConfigError, ScenarioError
from helm.results import load

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
pytest.importorskip("sympy")
pytestmark = pytest.mark.sandbox

STEPS = [
    {
        "step_number": "901.1",
        "step_description_prompt": "Double each number of the made-up list.",
        "step_background": "Doubling is addition.",
        "ground_truth_code": "def double(x):\n    return 2 * np.asarray(x)",
        "function_header": "def double(x):\n    '''Double x.'''",
        "test_cases": ["assert np.allclose(double([1, 2]), target)", "assert np.allclose(double([0.5]), target)"],
        "return_line": "    return y",
    },
    {
        "step_number": "901.2",
        "step_description_prompt": "Sum the doubled numbers.",
        "step_background": "",
        "ground_truth_code": "def total(x):\n    return double(x).sum()",
        "function_header": "def total(x):\n    '''Sum of the doubles.'''",
        "test_cases": ["assert np.allclose(total([1, 2]), target)"],
        "return_line": "    return s",
    },
]
ROW = {
    "problem_name": "doubles",
    "problem_id": "901",
    "problem_description_main": "A made-up problem about doubles.",
    "problem_background_main": "",
    "problem_io": "",
    "required_dependencies": "import numpy as np",
    "sub_steps": STEPS,
    "general_solution": None,
    "general_tests": [],
}


def write_targets(path):
    with h5py.File(path, "w") as file:
        file["901.1/test1/var1"] = np.array([2.0, 4.0])
        file["901.1/test2/var1"] = np.array([1.0])
        file["901.2/test1/var1"] = 6.0
        file["905.1/test1/var1"] = np.array([1.0, 2.0])
        file["905.1/test1/var2"] = 3.0
        for name, value in {"data": [5.0], "indices": [0], "indptr": [0, 1, 1], "shape": [2, 2]}.items():
            file[f"905.2/test1/var1/sparse_matrix/{name}"] = value
        file["905.3/test1/var1"] = "a + b"
        file["905.4/test1/var1/0"] = 1.5
        file["905.4/test1/var1/north"] = np.array([1.0])
        file["905.5/test1/var1/list/var1"] = 1.0
        file["905.5/test1/var1/list/var2"] = np.array([2.0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_targets("test_data.h5")
    (tmp_path / "problems.jsonl").write_text(json.dumps(ROW) + "\n")
    return tmp_path


def test_rows_become_problems(folder):
    (instance,) = SciCodeScenario(path="problems.jsonl", targets="test_data.h5").get_instances(str(folder))
    assert instance.id == "scicode901" and instance.input.text == ROW["problem_description_main"]
    args = instance.extra_data["environment"]["args"]
    first = SciCodeProblem(**args).prompt("901.1")
    assert "Double each" in first and "def double(x)" in first and "return y" in first and "import numpy as np" in first
    assert "addition" not in first and "return 2 *" not in first
    problem = SciCodeProblem(**{**args, "background": True})
    problem.codes["901.1"] = "def double(x): mine"
    asked = problem.prompt("901.2")
    assert "Doubling is addition." in asked and "def double(x): mine" in asked and "def total(x)" in asked


def test_given_steps_are_not_asked_nor_scored(folder, monkeypatch):
    given = {**STEPS[0], "step_number": "13.6"}
    (folder / "problems.jsonl").write_text(json.dumps({**ROW, "sub_steps": [given, STEPS[1]]}) + "\n")
    monkeypatch.setattr(SciCodeScenario, "_given", lambda self, number, where: f"# {number}")
    (instance,) = SciCodeScenario(path="problems.jsonl", targets="test_data.h5").get_instances(str(folder))
    assert list(instance.extra_data["check"]["args"]["tests"]) == ["901.2"]
    assert SciCodeProblem(**instance.extra_data["environment"]["args"]).codes == {"13.6": "# 13.6"}


def test_mistakes_in_arguments_are_named(folder):
    with pytest.raises(ScenarioError, match="split is one of test, validation"):
        SciCodeScenario(split="dev")
    with pytest.raises(ScenarioError, match="no file none.h5"):
        SciCodeScenario(path="problems.jsonl", targets="none.h5").get_instances(str(folder))


def play(model):
    entry = f"scicode:path=problems.jsonl,targets=test_data.h5,model={model}"
    run.main(["-r", entry, "-m", "9", "--suite", "s", "--disable-cache"])
    (found,) = load("benchmark_output/runs/s")
    return {stat.name.name: stat.mean for stat in found.stats()}


def test_the_code_of_the_data_passes(folder):
    stats = play("agents/oracle")
    assert stats["scicode_step_rate"] == stats["scicode_problem_rate"] == stats["agent_success"] == 1.0


PLAYER = """
def answer(messages: list[dict]) -> str:
    text = messages[-1]["content"]
    assert len(messages) == 1
    if "Write this function:" in text and "def total" in text.partition("Write this function:")[2]:
        assert "return 2 * np.asarray(x)" in text
        return "```python\\nimport os\\ndef total(x):\\n    return double(x).max()\\n```"
    return "Here:\\n```python\\nimport numpy as np\\n\\ndef double(x):\\n    return 2 * np.asarray(x)\\n```\\nDone."
"""


def test_steps_see_the_code_of_earlier_ones(folder, monkeypatch):
    (folder / "scicode_player.py").write_text(PLAYER)
    monkeypatch.syspath_prepend(str(folder))
    stats = play("python/scicode_player.answer")
    assert stats["scicode_step_rate"] == 0.5
    assert stats["scicode_problem_rate"] == 0.0 == stats["agent_success"]
    assert stats["agent_turns"] == 2


DOUBLE = ("901.1", STEPS[0]["test_cases"])
PAIR = ("905.1", ["from scicode.compare.cmp import cmp_tuple_or_list\nassert cmp_tuple_or_list(f(), target)"])
MATRIX = ("905.2", ["from scicode.compare.cmp import are_csc_matrix_close\nassert are_csc_matrix_close(f(), target)"])
TEXT = ("905.3", ["assert str(f()) == target"])
NAMED = ("905.4", ["from scicode.compare.cmp import are_dicts_close\nassert are_dicts_close(f(), target)"])
LIST = ("905.5", ["from scicode.compare.cmp import cmp_tuple_or_list\nassert cmp_tuple_or_list(f(), target)"])

REFERENCE_ANSWERS = [
    (DOUBLE, "def double(x): return 2 * np.asarray(x)", True),
    (DOUBLE, "def double(x): return [a + a for a in x]", True),
    (DOUBLE, "def double(x): return 2 * np.asarray(x) + 1e-9", True),
    (DOUBLE, "def double(x): return 2.000001 * np.asarray(x)", True),
    (DOUBLE, "def double(x): return 2.001 * np.asarray(x)", False),
    (DOUBLE, "def double(x): return 2 * x", False),
    (DOUBLE, "def double(x): return np.asarray(x) ** 2", False),
    (DOUBLE, "def double(x): return [2, 4]", False),
    (DOUBLE, "def double(x): pass", False),
    (DOUBLE, "", False),
    (DOUBLE, "def double(x) return 2", False),
    (DOUBLE, "import sys\nsys.exit(0)", False),
    (DOUBLE, "import os\nos._exit(0)", False),
    (DOUBLE, "def double(x):\n    raise SystemExit(0)", False),
    (DOUBLE, "print('passed')\ndef double(x): return 0", False),
    (DOUBLE, "def double(x): return np.nan * np.asarray(x)", False),
    (DOUBLE, "np.allclose = lambda *a, **k: False\ndef double(x): return 2 * np.asarray(x)", False),
    (DOUBLE, "def double(x): return 2 * np.asarray(x, dtype=complex)", True),
    (PAIR, "def f(): return np.array([1, 2]), 3", True),
    (PAIR, "def f(): return [np.array([1.0, 2.0]), 3.0]", True),
    (PAIR, "def f(): return np.array([1, 2]), 4", False),
    (PAIR, "def f(): return (np.array([1, 2]),)", False),
    (MATRIX, "from scipy.sparse import csc_matrix\ndef f(): return csc_matrix([[5, 0], [0, 0]])", True),
    (MATRIX, "def f(): return np.array([[5, 0], [0, 0]])", True),
    (MATRIX, "def f(): return np.array([[0, 5], [0, 0]])", False),
    (TEXT, "import sympy\ndef f(): return sympy.Symbol('a') + sympy.Symbol('b')", True),
    (TEXT, "def f(): return 'a+b'", False),
    (NAMED, "def f(): return {0: 1.5, 'north': np.array([1.0])}", True),
    (NAMED, "def f(): return {0: 1.5}", False),
    (NAMED, "def f(): return {0: 1.6, 'north': np.array([1.0])}", False),
    (LIST, "def f(): return [1, [2]]", True),
    (LIST, "def f(): return [1, [3]]", False),
]


@pytest.mark.parametrize(
    "answers",
    [REFERENCE_ANSWERS[::5], pytest.param(REFERENCE_ANSWERS, marks=pytest.mark.slow)],  # each is a process with numpy
    ids=["some", "all"],
)
def test_reference_answers(answers, tmp_path):
    path = str(tmp_path / "test_data.h5")
    write_targets(path)

    def verdict(case):
        (number, tests), code, _ = case
        said = run_step(f"import numpy as np\n\n{code}", tests, number, read_targets(path, number), 60.0)
        return said == PASSED

    with ThreadPoolExecutor(2) as threads:
        verdicts = list(threads.map(verdict, answers))
    assert [code for (_, code, expected), got in zip(answers, verdicts, strict=True) if got is not expected] == []


def test_values_of_the_file(tmp_path):
    """What the reader of inspect_evals gives for the same files."""
    from helm.agents.scicode.scicode_harness import value_of

    rows = {"data": [1.0, 2.0, 3.0], "indices": [1, 0, 2], "indptr": [0, 1, 3], "shape": [2, 3]}
    places = {"data": [1.0, 2.0, 3.0], "row": [0, 1, 1], "col": [1, 0, 2], "shape": [2, 3]}
    blocks = {"data": np.ones((1, 1, 3)), "indices": [0], "indptr": [0, 0, 1], "shape": [2, 3], "blocksize": [1, 3]}
    dense = [[0, 1, 0], [2, 0, 3]]
    expected = {"rows": ("csr", dense), "places": ("coo", dense), "blocks": ("bsr", [[0, 0, 0], [1, 1, 1]])}
    with h5py.File(tmp_path / "values.h5", "w") as file:
        for name, parts in {"rows": rows, "places": places, "blocks": blocks}.items():
            for key, value in parts.items():
                file[f"{name}/sparse_matrix/{key}"] = value
        for key in ("-3", "0.5", "1e3", "north"):
            file[f"mapping/{key}"] = 1.0
        for name, (kind, matrix) in expected.items():
            found = value_of(file[name])
            assert (found.format, found.toarray().tolist()) == (kind, matrix)
        assert value_of(file["mapping"]) == {-3.0: 1.0, 0.5: 1.0, 1000.0: 1.0, "north": 1.0}


def test_comparisons_that_tests_import():
    """Verdicts are those of inspect_evals on the same values."""
    import sympy

    from helm.agents.scicode.scicode_harness import are_dicts_close

    x = sympy.Symbol("x")
    for one, other, verdict in (
        ({1.0: 2.0}, {1: 2.0}, True),
        ({x: 1.0}, {"x": 1.0}, True),
        ({"a": x}, {"a": x}, True),
        ({"a": sympy.Float(1)}, {"a": 1.0}, True),
        ({"a": sympy.Float(1)}, {"a": 1.1}, False),
        ({"a": 1.0}, {"a": 1.0000001}, True),
        ({"a": 1.0}, {"a": 1.0, "b": 2}, False),
        ({"a": "s"}, {"a": "t"}, False),
    ):
        assert are_dicts_close(one, other) is verdict, (one, other)


def test_an_endless_step_fails_by_time(tmp_path):
    write_targets(tmp_path / "test_data.h5")
    targets = read_targets(str(tmp_path / "test_data.h5"), "901.1")
    assert run_step("while True: pass", STEPS[0]["test_cases"], "901.1", targets, 1.0) == "timeout"


def test_missing_targets_are_no_verdict(folder):
    (folder / "problems.jsonl").write_text(
        json.dumps({**ROW, "sub_steps": [{**STEPS[0], "step_number": "902.1"}]}) + "\n"
    )
    with pytest.raises(SystemExit):
        play("agents/oracle")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```python\nx = 1\n```", "x = 1\n"),
        ("Text\n```\ny = 2\n```\n```python\nz\n```", "y = 2\n"),
        (
            "```python\nimport a\nfrom b import (\n    c,\n    d,\n)\ndef f():\n    import e\n```",
            "def f():\n    import e\n",
        ),
        ("x = 1", "x = 1"),
        ("```python\nnot python(\n```", "not python(\n"),
    ],
)
def test_code_of_an_answer(text, code):
    assert find_step_code(text) == code
    assert without_imports(code) == code


def test_missing_packages_are_named_before_anything_is_sent(monkeypatch):
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "h5py" else find(name, *a))
    with pytest.raises(ConfigError, match=r"SciCode needs h5py.*helm-evals\[scicode\]"):
        SciCodeProblem.check_machine()
