"""An eval is one module: registering its class is all that run entries, commands, checks, scores, tables and pages need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs_support import DOCS, read_blocks
from helm.common.errors import ConfigError
from helm.gradbench.evals.registry import ad_eval, eval_names, find_eval_class, get_eval_class, package_eval_names

FILES = {block.file_name: block.text for block in read_blocks(DOCS / "howto-ad-eval.md") if block.file_name}
"""`cubes.py`, an eval, and `cubetool.py`, a tool that answers it, as the page shows them."""

ORIGINALS = ("ba", "det", "gmm", "hello", "ht", "kmeans", "llsq", "lse", "lstm", "ode", "particle", "saddle")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, module: str, *arguments: str, expected: int = 0) -> str:
    process = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=300,
        check=False,
    )
    assert process.returncode == expected, process.stdout + process.stderr
    return process.stdout + process.stderr


def gradbench(folder: Path, *arguments: str, expected: int = 0) -> str:
    return run(folder, "helm.gradbench.main", *arguments, expected=expected)


def test_evals_of_the_package_are_found_by_their_files():
    assert package_eval_names() == ORIGINALS
    assert eval_names()[: len(ORIGINALS)] == ORIGINALS
    assert get_eval_class("gmm").__module__ == "helm.gradbench.evals.gmm"
    assert find_eval_class("driver") is None and find_eval_class("nothing") is None


def test_an_eval_in_one_module_goes_through_helm_run_to_the_tables(folder: Path):
    entry = "gradbench_cubes:n=4-16,min_seconds=0,model=tool/cubetool.py"
    run(folder, "helm.benchmark.run", "--plugins", "cubes.py", "-r", entry, "-m", "100", "--suite", "mine")
    (run_folder,) = (folder / "benchmark_output/runs/mine").glob("gradbench_cubes*")
    assert run_folder.name == "gradbench_cubes:n=4-16,min_seconds=0,model=tool_cubetool.py"
    stats = {stat["name"]["name"]: stat for stat in json.loads((run_folder / "stats.json").read_text())}
    assert stats["solved"]["mean"] == 1 and stats["score"]["mean"] > 0 and stats["derivative_over_primal"]["mean"] > 0
    states = json.loads((run_folder / "scenario_state.json").read_text())["request_states"]
    assert [state["request"]["description"] for state in states] == ["n=4", "n=4", "n=8", "n=8", "n=16", "n=16"]
    printed = run(folder, "helm.benchmark.presentation.summarize", "--suite", "mine")
    assert "tool/cubetool.py" in printed and "cubes" in printed
    spec = json.loads((run_folder / "run_spec.json").read_text())
    assert spec["scenario_spec"]["args"] == {"eval_name": "cubes", "n": [4, 8, 16], "min_runs": 1, "min_seconds": 0}


def test_a_wrong_answer_to_it_is_judged_wrong(folder: Path):
    tool = folder / "cubetool.py"
    tool.write_text(tool.read_text().replace("3 * x**2", "2 * x**2"))
    entry = "gradbench:eval=cubes,n=4,min_seconds=0,model=tool/cubetool.py"
    run(folder, "helm.benchmark.run", "--plugins", "cubes.py", "-r", entry, "-m", "100", "--suite", "mine")
    (file,) = (folder / "benchmark_output/runs/mine").glob("gradbench_cubes*/stats.json")
    stats = {stat["name"]["name"]: stat for stat in json.loads(file.read_text())}
    assert stats["solved"]["mean"] == 0.5 and "score" not in stats
    printed = gradbench(
        folder, "--plugins", "cubes.py", "check", "cubes", "--tool", f"{sys.executable} cubetool.py", expected=4
    )
    assert "cubes::gradient      ✗ invalid" in printed and "by x[2]: the tool says" in printed


def test_the_gradbench_commands_know_it(folder: Path):
    tool = f"{sys.executable} cubetool.py"
    own = f"{sys.executable} -m helm.gradbench.main --plugins cubes.py eval cubes -n 4 --min-seconds 0"
    printed = gradbench(folder, "run", "--eval", own, "--tool", tool)
    assert printed.count("✓") == 3 and "start cubes (cubetool)" in printed
    suite = ("--plugins", "cubes.py", "suite", "-e", "cubes --min-seconds 0", "-t", f"$ {tool}", "-o", "logs")
    assert "success" in gradbench(folder, *suite)
    gradbench(folder, "--plugins", "cubes.py", "report", "logs", "-o", "report")
    assert "cubes" in (folder / "report/overview.md").read_text()
    assert "The sum of the cubes of n numbers" in gradbench(folder, "--plugins", "cubes.py", "eval", "cubes", "--help")
    nearest = gradbench(folder, "--plugins", "cubes.py", "eval", "cube", expected=1)
    assert nearest.strip().endswith("particle, saddle, cubes. Did you mean 'cubes'?")


def test_a_file_in_the_folder_of_the_package_needs_no_list(folder: Path):
    """In a copy of the package, whose `helm` comes first on the path."""
    import shutil

    import helm

    source = Path(helm.__file__).parent
    shutil.copytree(source, folder / "src/helm", ignore=shutil.ignore_patterns("__pycache__", "static_build"))
    (folder / "src/helm/gradbench/evals/cubes.py").write_text((folder / "cubes.py").read_text())
    program = (
        "import sys; sys.path.insert(0, 'src')\n"
        "from helm.gradbench import evals_page\n"
        "from helm.benchmark.run_spec import get_run_spec_function\n"
        "from helm.gradbench.check import checked_evals\n"
        "from helm.gradbench.scoring import create_scorer\n"
        "page = evals_page.with_tables('<!-- begin: evals -->\\n<!-- end: evals -->\\n')\n"
        "assert '| `cubes` | `total`, `gradient` | `-n` (4 16) |' in page, page\n"
        "assert 'cubes' in checked_evals()\n"
        "assert type(create_scorer('cubes')).__name__ == 'ClassicScorer'\n"
        "print(get_run_spec_function('gradbench_cubes')().name)\n"
    )
    (folder / "try.py").write_text(program)
    process = subprocess.run(
        [sys.executable, "try.py"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert process.stdout == "gradbench_cubes:n=4+16\n", process.stderr


BASE = '''
from dataclasses import dataclass
from helm.gradbench.evals.eval import Eval, RepeatedEval

@dataclass(frozen=True)
class MadeUp(RepeatedEval):
    """What is asked."""

    n: int = 1
    name = "made_up"

    def evaluations(self):
        return iter(())

    def analyze(self, function, value, output, strict=False):
        raise NotImplementedError
'''


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("class MadeUp(RepeatedEval)", "class MadeUp", "must be a subclass of"),
        ('name = "made_up"', "", "needs a name of letters"),
        ('name = "made_up"', 'name = "made up"', "it has 'made up'"),
        ('name = "made_up"', 'name = "gmm"', "There is already an AD eval 'gmm'"),
        ('name = "made_up"', 'name = "made_up"\n    primal = "f"', "only one of primal and derivative"),
        ("def evaluations", "def evaluation", "does not define evaluations."),
        ('"""What is asked."""', "", "needs a docstring"),
        ("@dataclass(frozen=True)\n", "", "must be a dataclass"),
    ],
)
def test_what_a_class_lacks_is_said_in_a_line(old: str, new: str, message: str):
    assert old in BASE
    namespace: dict = {"__name__": "plugin"}
    exec(BASE.replace(old, new), namespace)
    with pytest.raises(ConfigError, match=message) as caught:
        ad_eval(namespace["MadeUp"])
    assert "\n" not in str(caught.value) and "plugin.MadeUp" in str(caught.value)
