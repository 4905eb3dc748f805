"""Editors and mypy see the classes that entries and rows declare."""

import configparser
import subprocess
import sys
from pathlib import Path

import helm
from helm.benchmark.declarative.stubs import declared_classes, stubs, written

ROOT = Path(helm.__file__).parents[1]

SAMPLE = """\
from helm.benchmark.annotation.arabic_legal_annotator import ArabicLegalAnnotator
from helm.benchmark.metrics.alrage_metric import ALRAGEMetric
from helm.benchmark.scenarios.gsm_scenario import GSM8KScenario
from helm.benchmark.scenarios.med_mcqa_scenario import MedMCQAScenario
from helm.benchmark.scenarios.mmlu_scenario import MMLUScenario


class Own(GSM8KScenario):
    pass


scenarios = [GSM8KScenario(), Own(), MedMCQAScenario(), MMLUScenario("anatomy"), MMLUScenario(subject="anatomy")]
classes: list[type] = [ArabicLegalAnnotator, ALRAGEMetric]
"""

MODULES = [line.split()[1] for line in SAMPLE.splitlines() if line.startswith("from ")]


def mypy(folder: Path, text: str) -> subprocess.CompletedProcess:
    """Only the stubs themselves are followed: all that they import would take long, and is checked by `make check`."""
    followed = "".join(f"[mypy-{module}]\nfollow_imports = normal\n" for module in MODULES)
    (folder / "mypy.ini").write_text(f"[mypy]\nfollow_imports = skip\nwarn_unused_ignores = True\n{followed}")
    (folder / "sample.py").write_text(text)
    environment = {"MYPYPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--namespace-packages", "--explicit-package-bases", "sample.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_the_stubs_are_those_of_the_entries_and_rows():
    texts = stubs()
    assert len(texts) > 100
    assert {path.relative_to(ROOT).as_posix() for path in written(ROOT)} == set(texts), "make stubs"
    stale = [path for path, text in texts.items() if (ROOT / path).read_text(encoding="utf-8") != text]
    assert not stale, "make stubs"


def test_a_stub_stands_only_where_no_module_is():
    assert not [path for path in written(ROOT) if path.with_suffix(".py").exists()]
    assert all(module in declared_classes() for module in MODULES)


def test_stubs_are_valid_python():
    for path, text in stubs().items():
        compile(text, path, "exec")


def test_mypy_sees_the_classes(tmp_path: Path):
    process = mypy(tmp_path, SAMPLE)
    assert process.returncode == 0, process.stdout + process.stderr


def test_mypy_refuses_a_class_and_an_argument_that_do_not_exist(tmp_path: Path):
    wrong = SAMPLE.replace("import GSM8KScenario", "import GSM8KScenario, GSM9KScenario") + 'MMLUScenario(subjct="x")\n'
    process = mypy(tmp_path, wrong)
    assert 'has no attribute "GSM9KScenario"' in process.stdout
    assert 'Unexpected keyword argument "subjct" for "MMLUScenario"' in process.stdout


def test_stubs_and_the_mark_of_types_are_in_the_wheel():
    config = configparser.ConfigParser()
    config.read(ROOT.parent / "setup.cfg")
    data = config["options.package_data"]
    assert "*.pyi" in data["*"] and "py.typed" in data["helm"]
    assert (ROOT / "helm/py.typed").is_file()
