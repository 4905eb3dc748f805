"""What commands load before they do anything: the time of a short run is the time of its imports.

No test here looks at a clock. A module that fails a bound is one more thing that every start pays for: import it where it is
used, or raise the bound and say why in the commit.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

MEASURE = """
import dataclasses, json, sys
from importlib import import_module

main = import_module(sys.argv[1]).main
sys.argv = sys.argv[1:]
try:
    main()
except SystemExit as e:
    assert not e.code, e.code
own = {name: module for name, module in sys.modules.items() if name == "helm" or name.startswith("helm.")}
classes = {
    value
    for name, module in own.items()
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__ == name and dataclasses.is_dataclass(value)
}
json.dump([sorted(sys.modules), len(own), len(classes)], open("loaded.json", "w"))
"""

RUN = ["helm.benchmark.run", "-r", "simple_mcqa:model=simple/model1", "-m", "2", "--suite", "x"]
NO_RUN = ["helm.benchmark.run", "-m", "1", "--models-to-run", "simple/model1", "--suite", "x"]

THIRD_PARTY = {
    "numpy",
    "yaml",
    "dacite",
    "pyhocon",
    "pyparsing",
    "urllib3",
    "llvmlite",
    "grpc",
    "nltk",
    "tqdm",
    "tabulate",
}
OF_PYTHON = {
    "asyncio", "ctypes", "difflib", "email", "html", "http", "importlib.metadata", "importlib.resources", "multiprocessing",
    "socket", "ssl", "subprocess", "tarfile", "xml", "zipfile",
}  # fmt: skip

OTHER_PARTS = {
    "helm.gradbench", "helm.compiler_gym", "helm.agents", "helm.kernels",
    "helm.benchmark.cluster", "helm.benchmark.commands", "helm.benchmark.medhelm_config",
    "helm.benchmark.declarative.reading", "helm.benchmark.presentation.contamination", "helm.benchmark.presentation.summary",
    "helm.benchmark.server", "helm.clients.batch", "helm.clients.capabilities", "helm.clients.http.http_client",
    "helm.common.data.archives", "helm.common.data.downloads", "helm.common.data.http_transfer", "helm.common.sandbox",
    "helm.common.caching.shared_key_value_stores", "helm.results.index", "helm.results.schema",
}  # fmt: skip
"""Of kinds of subjects, formats and commands that a run of a language model in this process has nothing to do with."""


def loaded_by(arguments: list[str], folder: Any) -> tuple[set[str], int, int]:
    """The modules in memory when a command ends, and how many are ours and how many dataclasses these have."""
    done = subprocess.run([sys.executable, "-c", MEASURE, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules, own, classes = json.loads((folder / "loaded.json").read_text())
    return set(modules), own, classes


@pytest.mark.parametrize(
    "arguments, unwanted, most_modules, most_dataclasses",
    [
        (["helm.benchmark.run", "--help"], THIRD_PARTY | {"msgspec", "sqlite3"} | OF_PYTHON | OTHER_PARTS, 20, 2),
        (NO_RUN, THIRD_PARTY | OF_PYTHON | OTHER_PARTS, 140, 125),
        (RUN, THIRD_PARTY | OF_PYTHON | OTHER_PARTS, 231, 147),
    ],
    ids=["help", "no run", "two instances"],
)
def test_a_start_loads_what_it_needs(tmp_path, arguments, unwanted, most_modules, most_dataclasses):
    modules, own, classes = loaded_by(arguments, tmp_path)
    assert modules & unwanted == set()
    assert own <= most_modules and classes <= most_dataclasses, (own, classes)


def test_a_summary_loads_no_more_than_tables_need(tmp_path):
    loaded_by(RUN, tmp_path)
    modules, own, classes = loaded_by(["helm.benchmark.presentation.summarize", "--suite", "x"], tmp_path)
    unwanted = {
        "numpy",
        "urllib3",
        "pyhocon",
        "helm.gradbench",
        "helm.compiler_gym",
        "helm.benchmark.runner",
    }
    assert modules & unwanted == set()
    assert own <= 135 and classes <= 121, (own, classes)


def test_a_kind_of_subject_loads_its_own_recipes_only(tmp_path):
    modules, _, _ = loaded_by(RUN, tmp_path)
    package = "helm.benchmark.run_specs"
    assert {name for name in modules if name.startswith(f"{package}.")} == {f"{package}.simple_run_specs"}


IMPORT = """
import json, sys
before = set(sys.modules)
import helm
json.dump(sorted(set(sys.modules) - before), open("loaded.json", "w"))
"""


def test_import_helm_loads_next_to_nothing(tmp_path):
    subprocess.run([sys.executable, "-c", IMPORT], cwd=tmp_path, check=True)
    loaded = set(json.loads((tmp_path / "loaded.json").read_text()))
    assert {name for name in loaded if name.startswith("helm")} == {"helm"}
    assert len(loaded) <= 20 and not loaded & (THIRD_PARTY | OF_PYTHON | {"inspect", "logging"})


EVALUATE = """
import json, sys
import helm
helm.evaluate("simple_mcqa", "simple/model1", limit=2, suite="x", progress="none")
json.dump(sorted(sys.modules), open("loaded.json", "w"))
"""


def test_an_evaluation_from_python_loads_what_the_command_does(tmp_path):
    command, own, _ = loaded_by(RUN, tmp_path)
    subprocess.run([sys.executable, "-c", EVALUATE], cwd=tmp_path, check=True)
    modules = set(json.loads((tmp_path / "loaded.json").read_text()))
    more = {name for name in modules - command if name.startswith("helm.") and not name.startswith("helm.api")}
    assert not modules & (OTHER_PARTS | {"numpy", "pandas", "yaml", "dacite", "urllib3"})
    assert len(more) <= 25, sorted(more)
