"""Which way imports point: a module imports its own layer or a lower one, and parts of one family leave others alone."""

import ast
import fnmatch
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"

# First match wins. Layer 5 commands, 4 assembly, 3 parts, 2 contracts, 1 connections, 0 common.
LAYERS = [
    ("helm.benchmark.run", 5),
    ("helm.benchmark.presentation.summarize", 5),
    ("helm.benchmark.presentation.torr_robustness_summarizer", 5),
    ("helm.benchmark.presentation.create_plots", 5),
    ("helm.benchmark.presentation.compare", 5),
    ("helm.benchmark.presentation.gate", 5),
    ("helm.benchmark.presentation.export", 5),
    ("helm.benchmark.server.*", 5),
    ("helm.benchmark.rescore", 5),
    ("helm.benchmark.manage_cache", 5),
    ("helm.benchmark.manage_batches", 5),
    ("helm.benchmark.probe", 5),
    ("helm.benchmark.watch", 5),
    ("helm.benchmark.manage_runs", 5),
    ("helm.benchmark.manage_data", 5),
    ("helm.gradbench.main", 5),
    ("helm.compiler_gym.service_main", 5),
    ("helm.compiler_gym.validate_main", 5),
    ("helm.benchmark.presentation.taxonomy_info", 0),  # the path that HELM's scenarios import
    ("helm.benchmark.presentation.*", 4),
    ("helm.benchmark.runner", 4),
    ("helm.benchmark.ray_runner", 4),
    ("helm.benchmark.slurm_runner", 4),
    ("helm.benchmark.cluster.*", 4),
    ("helm.benchmark.catalogue_setup", 4),
    ("helm.benchmark.run_writer", 4),
    ("helm.benchmark.run_lock", 4),
    ("helm.benchmark.run_collisions", 4),
    ("helm.benchmark.run_entries", 4),
    ("helm.benchmark.run_arguments", 4),
    ("helm.benchmark.run_spec_factory", 4),
    ("helm.benchmark.run_listing", 4),
    ("helm.benchmark.catalogue_page", 4),
    ("helm.benchmark.run_expander", 4),
    ("helm.benchmark.data_preprocessor", 4),
    ("helm.benchmark.scoring", 4),
    ("helm.benchmark.estimate", 4),
    ("helm.benchmark.live.*", 4),
    ("helm.results.run_folder", 2),
    ("helm.results.run_schema", 2),
    ("helm.results.json_items", 2),
    ("helm.results.*", 4),
    ("helm.benchmark.huggingface_registration", 1),
    ("helm.benchmark.adaptation.adapters.adapter_factory", 4),
    ("helm.common.local_context", 1),
    ("helm.common.remote_context", 1),
    ("helm.common.*", 0),
    ("helm.config", 0),
    ("helm.proxy.*", 1),
    ("helm.clients.*", 1),
    ("helm.tokenizers.*", 1),
    ("helm.benchmark.*_registry", 1),
    ("helm.benchmark.model_deployments.*", 1),
    ("helm.benchmark.run_settings", 2),
    ("helm.benchmark.run_spec", 2),
    ("helm.benchmark.specs", 2),
    ("helm.benchmark.subjects", 2),
    ("helm.benchmark.run_specs", 2),
    ("helm.benchmark.declarative.*", 2),
    ("helm.benchmark.execution", 2),
    ("helm.benchmark.request_journal", 2),
    ("helm.benchmark.prefix_order", 2),
    ("helm.benchmark.scenarios.scenario", 2),
    ("helm.benchmark.adaptation.adapters.adapter", 2),
    ("helm.benchmark.adaptation.adapters.*", 3),
    ("helm.benchmark.adaptation.*", 2),
    ("helm.benchmark.metrics.metric", 2),
    ("helm.benchmark.metrics.metric_name", 2),
    ("helm.benchmark.metrics.trial_stats", 2),
    ("helm.benchmark.metrics.worst_case", 2),
    ("helm.benchmark.metrics.metric_service", 2),
    ("helm.benchmark.metrics.statistic", 2),
    ("helm.benchmark.metrics.common_metric_specs", 2),
    ("helm.benchmark.annotation.annotator", 2),
    ("helm.benchmark.augmentations.perturbation", 2),
    ("helm.benchmark.augmentations.perturbation_description", 2),
    ("helm.benchmark.augmentations.data_augmenter", 2),
    ("helm.benchmark.window_services.*", 2),
    ("helm.benchmark.*", 3),
    ("helm.gradbench.*", 3),
    ("helm.compiler_gym.*", 3),
    ("helm.*", 0),
]

# Layer 3 modules of one family do not import those of another.
FAMILIES = [
    "helm.benchmark.scenarios",
    "helm.benchmark.adaptation",
    "helm.benchmark.augmentations",
    "helm.benchmark.metrics",
    "helm.benchmark.annotation",
    "helm.benchmark.run_specs",
    "helm.gradbench",
    "helm.compiler_gym",
]


def layer(module: str) -> int:
    for pattern, number in LAYERS:
        if fnmatch.fnmatchcase(module, pattern) or (pattern.endswith(".*") and module == pattern[:-2]):
            return number
    return 0


def family(module: str) -> str | None:
    return next((prefix for prefix in FAMILIES if module.startswith(prefix)), None)


def modules() -> dict:
    result = {}
    for path in sorted((SOURCE / "helm").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        result[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return result


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports_of(path: Path, known: dict) -> set:
    """Modules of this package that a file imports, inside functions too, but not those only for type checking."""
    found = set()
    pending = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if is_type_checking(node):
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(
                f"{node.module}.{a.name}" if f"{node.module}.{a.name}" in known else node.module for a in node.names
            )
        pending.extend(ast.iter_child_nodes(node))
    return {name for name in found if name in known}


def test_a_module_imports_its_own_layer_or_a_lower_one():
    known = modules()
    wrong = []
    for module, path in known.items():
        for imported in imports_of(path, known):
            if layer(imported) > layer(module):
                wrong.append(f"{module} (layer {layer(module)}) imports {imported} (layer {layer(imported)})")
    assert not wrong, "\n".join(wrong)


def test_parts_of_one_family_leave_other_families_alone():
    known = modules()
    wrong = []
    for module, path in known.items():
        for imported in imports_of(path, known):
            both = layer(module) == 3 and layer(imported) == 3 and family(module) and family(imported)
            if both and family(module) != family(imported):
                wrong.append(f"{module} imports {imported}, a part of another family")
    assert not wrong, "\n".join(wrong)


def test_results_are_below_what_shows_them():
    known = modules()
    shown = ("helm.benchmark.presentation", "helm.benchmark.server", "helm.benchmark.live")
    wrong = [
        f"{module} imports {imported}"
        for module, path in known.items()
        if module.startswith("helm.results")
        for imported in imports_of(path, known)
        if imported.startswith(shown)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_table_of_layers_names_only_modules_that_exist():
    known = modules()
    absent = [p for p, _ in LAYERS if "*" not in p and p not in known]
    assert not absent
