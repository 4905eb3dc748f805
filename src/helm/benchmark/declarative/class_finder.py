"""Imports modules without a file, whose classes come from the catalogue.

`helm.benchmark.scenarios.med_mcqa_scenario` is imported from the entry that declares it, and
`helm.benchmark.annotation.aci_bench_annotator` from a row of `annotation/classes.yaml`. So class paths in old run specs
resolve, plugins can subclass, and no code depends on which scenarios are data.
"""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from helm.benchmark.declarative import class_rows

PACKAGE = "helm.benchmark.scenarios."

_ALSO = {
    f"helm.benchmark.annotation.{name}_annotator.AnnotatorResponseParseFailure": (
        "helm.benchmark.annotation.model_as_judge.AnnotatorResponseParseFailure"
    )
    for name in ("arabic_finance_calculation", "arabic_legal", "autobencher_capabilities", "autobencher_safety")
} | {
    "helm.benchmark.annotation.autobencher_safety_annotator.AutoBencherCapabilitiesAnnotator": (
        "helm.benchmark.annotation.autobencher_safety_annotator.AutoBencherSafetyAnnotator"
    ),
    "helm.benchmark.scenarios.autobencher_safety_scenario.AutobencherSafetyScenario": (
        "helm.benchmark.scenarios.autobencher_safety_scenario.AutoBencherSafetyScenario"
    ),
}
"""Further names that HELM's modules have, and where they are here."""


class DeclaredModuleFinder:
    """Finds modules whose classes exist only as entries or rows. It is consulted last, so a file wins.

    It has no base class, because importing `importlib.abc` takes longer than the rest of this module.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package = fullname.rpartition(".")[0]
        if package in class_rows.PACKAGES:
            is_declared = bool(class_rows.class_paths(fullname))
        elif f"{package}.".startswith(PACKAGE):
            from helm.benchmark.declarative import catalogue

            is_declared = catalogue.has_module(fullname)
        else:
            return None
        return ModuleSpec(fullname, _DeclaredModuleLoader()) if is_declared else None  # type: ignore[arg-type]


class _DeclaredModuleLoader:
    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, which selects the default module type."""

    def exec_module(self, module: ModuleType) -> None:
        module.__doc__ = "Classes that entries of the catalogue, or rows of classes.yaml, declare."
        module.__getattr__ = declared_attributes(module.__name__)  # type: ignore[method-assign]
        module.__dir__ = lambda: _names(module.__name__)  # type: ignore[method-assign]


def _names(module: str) -> list[str]:
    if module.rpartition(".")[0] in class_rows.PACKAGES:
        return [path.rpartition(".")[2] for path in class_rows.class_paths(module)]
    from helm.benchmark.declarative import catalogue, declared_names

    return [*(name for name, _ in catalogue.declared_names(module)), *sorted(declared_names.declared_names(module))]


def declared_attributes(module: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module in which some scenarios are entries.

    The module says `__getattr__ = declared_attributes(__name__)`.
    """

    def __getattr__(name: str) -> Any:
        row_class = class_rows.row_class(f"{module}.{name}")
        if row_class is not None:
            return row_class
        constant = (
            class_rows.module_constant(module, name) if module.rpartition(".")[0] in class_rows.PACKAGES else None
        )
        if constant is not None:
            return constant
        if not name.startswith("_"):
            from helm.benchmark.declarative import catalogue, declared_names
            from helm.benchmark.declarative.declarative_scenario import scenario_class

            file = catalogue.find_class(f"{module}.{name}")
            if file is not None:
                return scenario_class(file)
            if name in declared_names.declared_names(module):
                return declared_names.module_value(module, name)
        if f"{module}.{name}" in _ALSO:
            owner, _, found = _ALSO[f"{module}.{name}"].rpartition(".")
            return getattr(import_module(owner), found)
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return __getattr__


def install() -> None:
    """Make declared modules importable; repeated calls have no effect."""
    if not any(isinstance(finder, DeclaredModuleFinder) for finder in sys.meta_path):
        sys.meta_path.append(DeclaredModuleFinder())
