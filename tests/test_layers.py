"""Which way imports point: a module imports its own layer or a lower one, and parts of one family leave others alone."""

import pytest

from import_graph import CIRCLES, LAYERS, circles, imports_of, layer_of, modules, runs_up

# Parts of one family do not import those of another.
FAMILIES = [
    "helm.benchmark.scenarios",
    "helm.benchmark.adaptation",
    "helm.benchmark.augmentations",
    "helm.benchmark.metrics",
    "helm.benchmark.annotation",
    "helm.benchmark.run_specs",
    "helm.gradbench",
    "helm.compiler_gym",
    "helm.kernels",
]
ALLOWED = {
    ("helm.benchmark.run_spec", "helm.benchmark.run_specs"): "the package of the functions that it looks for",
    (
        "helm.benchmark.declarative.lm_eval_scenario",
        "helm.benchmark.lm_eval.scenario",
    ): "the class path of run specs of 0.2",
}
"""Imports that run up, each with its reason."""


def family(module):
    return next((prefix for prefix in FAMILIES if module.startswith(prefix)), None)


@pytest.fixture(scope="module")
def graph():
    known = modules()
    return {module: imports_of(path, known) - {module} for module, path in known.items()}


def test_a_module_imports_its_own_layer_or_a_lower_one(graph):
    wrong = [(a, b) for a, imported in graph.items() for b in imported if runs_up(a, b) and (a, b) not in ALLOWED]
    assert not wrong, "\n".join(f"{a} ({layer_of(a)}) imports {b} ({layer_of(b)})" for a, b in wrong)


def test_every_allowed_import_is_still_there(graph):
    assert not [(a, b) for a, b in ALLOWED if b not in graph[a]]


def test_parts_of_one_family_leave_other_families_alone(graph):
    wrong = []
    for module, imported in graph.items():
        if layer_of(module) != "parts" or not family(module):
            continue
        others = (m for m in imported if layer_of(m) == "parts" and family(m) and family(m) != family(module))
        wrong += [f"{module} imports {other}, a part of another family" for other in others]
    assert not wrong, "\n".join(wrong)


def test_results_are_below_what_shows_them(graph):
    shown = ("helm.benchmark.presentation", "helm.benchmark.server", "helm.benchmark.live")
    wrong = [
        (a, b) for a, imported in graph.items() if a.startswith("helm.results") for b in imported if b.startswith(shown)
    ]
    assert not wrong


def test_no_modules_need_each_other_to_load():
    known = modules()
    found = circles({m: imports_of(path, known, at_load=True) - {m} for m, path in known.items()})
    assert not found


def test_the_layers_name_only_modules_that_exist():
    known = modules()
    patterns = [pattern for patterns in LAYERS.values() for pattern in patterns.split()]
    assert not [p for p in patterns if "*" not in p and p not in known]


def test_every_circle_has_a_reason_and_every_reason_a_circle(graph):
    found = [set(group) for group in circles(graph)]
    assert not [group for group in found if not any(group.issuperset(pair) for pair in CIRCLES)]
    assert not [pair for pair in CIRCLES if not any(group.issuperset(pair) for group in found)]
