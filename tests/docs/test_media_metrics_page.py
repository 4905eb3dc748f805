"""The page of metrics of pictures and sounds against the code: classes, weights and tests that it names."""

import ast
import inspect
import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import helm.benchmark.metrics.image_generation as image_generation
from helm.benchmark.metrics.metric import MetricInterface
from helm.benchmark.metrics.vision_language.image_metrics import MEASURES
from helm.common.networks.weights import get_rows
from helm.common.object_spec import get_class_by_name

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/reference-media-metrics.md").read_text(encoding="utf-8")
ABBREVIATIONS = {"I.": "helm.benchmark.metrics.image_generation.", "M.": "helm.benchmark.metrics."}
SECTIONS = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", TEXT, re.MULTILINE))
GENERATED, RENDERED, JUDGED, WEIGHTS, DEVIATIONS = SECTIONS.values()


def rows(section: str) -> list[list[str]]:
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines[2:]]


def names_in(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def class_paths(section: str) -> set[str]:
    found = [name for name in names_in(section) if name[:2] in ABBREVIATIONS]
    return {ABBREVIATIONS[name[:2]] + name[2:] for name in found}


@cache
def functions_of(name: str) -> set[str]:
    (path,) = (ROOT / "tests").rglob(name)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("path", sorted(class_paths(TEXT)))
def test_each_class_is_a_metric(path: str) -> None:
    assert issubclass(get_class_by_name(path), MetricInterface)


def test_no_metric_of_generated_pictures_is_left_out() -> None:
    found = set()
    for module in pkgutil.iter_modules(image_generation.__path__, f"{image_generation.__name__}."):
        if not module.ispkg:
            for name, value in vars(import_module(module.name)).items():
                is_own = inspect.isclass(value) and value.__module__ == module.name
                if is_own and issubclass(value, MetricInterface) and not inspect.isabstract(value):
                    found.add(f"{module.name}.{name}")
    assert class_paths(GENERATED) == found


def test_no_measure_of_rendered_pages_is_left_out() -> None:
    assert {name for row in rows(RENDERED) for name in names_in(row[0])} == {*MEASURES, "edit_similarity"}


def test_the_weights_are_those_that_are_fetched() -> None:
    known = get_rows()
    expected = []
    for name, row in known.items():
        source = f"`{row['hub']}` of the Hub" if "hub" in row else f"<{row['url']}>"
        if "hub" in row:
            pin = f"revision `{row['revision']}`" if row["revision"] else "no revision: the newest version"
        else:
            pin = (
                f"SHA-256 `{row['sha256']}`" if row["sha256"] else "no digest is published: that of the first download"
            )
            pin += "..." if row["sha256"] and len(row["sha256"]) < 64 else ""
        expected.append([f"`{name}`", source, pin])
    assert rows(WEIGHTS) == expected
    used = {name for section in (GENERATED, RENDERED) for row in rows(section) for name in names_in(row[-2])}
    assert {name for name in used if name[:2] not in ABBREVIATIONS} == set(known)


def test_each_row_names_tests_that_exist() -> None:
    for section in (GENERATED, RENDERED, JUDGED, DEVIATIONS):
        for row in rows(section):
            tests = names_in(row[-1])
            assert tests, row
            for test in tests:
                file, _, function = test.partition("::")
                assert functions_of(file) and (not function or function in functions_of(file)), test
    assert len(rows(DEVIATIONS)) == 16
