"""The imports of the package as a graph: `python tests/import_graph.py` prints it by folder.

    modules in a folder | which folders it imports, and how often | imports that run up the layers | circles

An import inside a function counts; one for type checking does not, but under `circles`.
"""

import ast
import fnmatch
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"

# Circles that only imports inside functions close: two of their modules, and the reason.
CIRCLES = {
    (
        "helm.benchmark.adaptation.adapter_spec",
        "helm.benchmark.subjects",
    ): "a specification says of which kind its subject is",
    (
        "helm.common.telemetry.progress",
        "helm.common.telemetry.progress_report",
    ): "reports, which say how runs progress, are imported when one is made",
    (
        "helm.common.data.downloads",
        "helm.common.general",
    ): "HELM's module of helpers has one for downloads, and one for credentials",
    (
        "helm.benchmark.augmentations.perturbation",
        "helm.benchmark.specs",
    ): "HELM's specification makes its perturbations",
    (
        "helm.benchmark.declarative.recipe",
        "helm.benchmark.run_spec",
    ): "entries are run spec functions, and make run specs",
    (
        "helm.benchmark.declarative.hooks",
        "helm.benchmark.declarative.row_operations",
    ): "the operations that ship register when one is asked for",
    (
        "helm.benchmark.live.panel",
        "helm.benchmark.live.views",
    ): "the panel, which needs rich, is imported when it is shown",
    (
        "helm.compiler_gym.checks.program_check",
        "helm.compiler_gym.programs",
    ): "a program may be named by its data set, whose programs are checked by running programs",
    ("helm.gradbench.evals.eval", "helm.gradbench.scoring"): "an eval names its scorer, which reads logs of any eval",
    ("helm.results.rows", "helm.results.run_results"): "the results of a run give their rows, as a method",
    (
        "helm.gradbench.report.helm_runs",
        "helm.gradbench.report.measurements",
    ): "folders of runs are read like those of logs",
}

# From the top down. A module belongs to the layer whose pattern fits it closest: the longest one.
LAYERS = {
    "commands": """
        helm.api  helm.benchmark.run  helm.benchmark.reeval_run  helm.benchmark.commands  helm.benchmark.server
        helm.gradbench.main
        helm.benchmark.presentation.summarize  helm.benchmark.presentation.create_plots
        helm.benchmark.presentation.torr_robustness_summarizer
        helm.compiler_gym.runtime.service_main  helm.compiler_gym.checks.validate_main
        helm.compiler_gym.checks.find_failures  helm.compiler_gym.bin""",
    "assembly": """
        helm.benchmark.assembly  helm.benchmark.running  helm.benchmark.cluster  helm.benchmark.live  helm.results
        helm.benchmark.presentation  helm.benchmark.runner  helm.benchmark.slurm_runner  helm.benchmark.run_expander
        helm.benchmark.multi_gpu_runner  helm.benchmark.reeval_runner  helm.benchmark.slurm_jobs
        helm.benchmark.run_spec_factory  helm.benchmark.data_preprocessor  helm.benchmark.catalogue
        helm.benchmark.adaptation.adapters.adapter_factory  helm.gradbench.nightly""",
    "parts": """
        helm.benchmark  helm.benchmark.adaptation.adapters  helm.benchmark.metrics.ifeval  helm.gradbench
        helm.compiler_gym  helm.agents  helm.kernels""",
    "contracts": """
        helm.benchmark.run_spec  helm.benchmark.run_settings  helm.benchmark.specs  helm.benchmark.subjects
        helm.results.run_files  helm.benchmark.declarative
        helm.benchmark.executing  helm.benchmark.adaptation  helm.benchmark.adaptation.adapters.adapter
        helm.benchmark.scenarios.scenario  helm.benchmark.window_services  helm.benchmark.annotation.annotator
        helm.benchmark.metrics.metric  helm.benchmark.metrics.metric_name  helm.benchmark.metrics.metric_service
        helm.benchmark.metrics.trial_stats  helm.benchmark.metrics.worst_case  helm.benchmark.metrics.statistic
        helm.benchmark.metrics.display_data  helm.benchmark.metrics.common_metric_specs
        helm.benchmark.metrics.heim_metric_specs
        helm.benchmark.augmentations.data_augmenter
        helm.benchmark.augmentations.perturbation  helm.benchmark.augmentations.perturbation_description""",
    "connections": """
        helm.clients  helm.tokenizers  helm.proxy  helm.benchmark.*_registry  helm.benchmark.model_deployments
        helm.benchmark.huggingface_registration  helm.common.local_context  helm.common.remote_context""",
    "common": "helm  helm.benchmark.presentation.taxonomy_info",
}

NAMES = list(LAYERS)[::-1]
"""The layers from the bottom up."""

_PATTERNS = {pattern: layer for layer, patterns in LAYERS.items() for pattern in patterns.split()}


def layer_of(module: str) -> str:
    """The layer of a module; a pattern stands for a module, or for a package with all below it."""
    fitting = [p for p in _PATTERNS if fnmatch.fnmatchcase(module, p) or module.startswith(p + ".")]
    return _PATTERNS[max(fitting, key=len)] if fitting else "common"


def runs_up(importing: str, imported: str) -> bool:
    return NAMES.index(layer_of(imported)) > NAMES.index(layer_of(importing))


def modules() -> dict[str, Path]:
    """Module -> its file; a package is called by its own name."""
    result = {}
    for path in sorted((SOURCE / "helm").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        result[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return result


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


@dataclass(frozen=True)
class _Import:
    module: str
    name: str
    """What is imported from the module; empty: the module itself."""
    in_function: bool
    for_types: bool


@cache
def _imports(path: Path) -> tuple[_Import, ...]:
    """All imports of a file. The syntax trees of the package have a million nodes, so they are not kept."""
    found: list[_Import] = []
    pending: list[tuple[ast.AST, bool, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), False, False)]
    while pending:
        node, in_function, for_types = pending.pop()
        if isinstance(node, ast.expr):
            continue
        for_types |= is_type_checking(node)
        in_function |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.Import):
            found += (_Import(alias.name, "", in_function, for_types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += (_Import(node.module, alias.name, in_function, for_types) for alias in node.names)
        pending.extend((child, in_function, for_types) for child in ast.iter_child_nodes(node))
    return tuple(found)


def imports_of(path: Path, known: Iterable[str], at_load: bool = False, for_types: bool = False) -> set[str]:
    """Modules of this package that a file imports: inside functions too, unless only those `at_load` are asked for."""
    found: set[str] = set()
    for one in _imports(path):
        if (at_load and one.in_function) or (one.for_types and not for_types):
            continue
        part = f"{one.module}.{one.name}"
        found.add(part if one.name and part in known else one.module)
    return {name for name in found if name in known}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, by Tarjan's algorithm."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(start: str) -> None:
        pending = [(start, iter(sorted(graph[start])))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        while pending:
            module, rest = pending[-1]
            following = next(rest, None)
            if following is None:
                pending.pop()
                if pending:
                    lowest[pending[-1][0]] = min(lowest[pending[-1][0]], lowest[module])
                if lowest[module] == order[module]:
                    group = stack[stack.index(module) :]
                    del stack[stack.index(module) :]
                    if len(group) > 1:
                        found.append(sorted(group))
            elif following not in order:
                order[following] = lowest[following] = len(order)
                stack.append(following)
                pending.append((following, iter(sorted(graph[following]))))
            elif following in stack:
                lowest[module] = min(lowest[module], order[following])

    for module in graph:
        if module not in order:
            visit(module)
    return found


def folder_of(module: str, known: dict[str, Path]) -> str:
    return module if known[module].name == "__init__.py" else module.rpartition(".")[0]


def main() -> None:
    known = modules()
    graph = {module: imports_of(path, known) - {module} for module, path in known.items()}
    sizes = Counter(folder_of(module, known) for module in known)
    lines: Counter[str] = Counter()
    for module, path in known.items():
        lines[folder_of(module, known)] += len(path.read_text(encoding="utf-8").splitlines())
    edges: dict[str, Counter[str]] = {}
    for module, imported in graph.items():
        here = folder_of(module, known)
        edges.setdefault(here, Counter()).update(folder_of(i, known) for i in imported if folder_of(i, known) != here)
    for folder in sorted(sizes):
        print(f"{folder}: {sizes[folder]} modules, {lines[folder]} lines")
        for other, count in sorted(edges.get(folder, {}).items()):
            print(f"    {count:4} {other}")
    up = sorted((a, b) for a, imported in graph.items() for b in imported if runs_up(a, b))
    print(f"\nImports that run up the layers: {len(up)}")
    for a, b in up:
        print(f"    {a} ({layer_of(a)}) -> {b} ({layer_of(b)})")
    at_load = {m: imports_of(path, known, at_load=True) - {m} for m, path in known.items()}
    for what, found in {"when modules load": circles(at_load), "with those inside functions": circles(graph)}.items():
        print(f"\nCircles {what}: {len(found)}")
        for group in found:
            print(f"    {len(group)}: {' '.join(group[:12])}{' ...' if len(group) > 12 else ''}")
            reasons = [reason for pair, reason in CIRCLES.items() if set(pair) <= set(group)]
            print(f"       {'; '.join(reasons) or 'without a reason'}")


if __name__ == "__main__":
    main()
