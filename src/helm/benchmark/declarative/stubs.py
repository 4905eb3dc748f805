"""Writes type stubs for modules without a file, for editors and mypy: `python -m helm.benchmark.declarative.stubs`.

They are `.pyi` files in the place of the modules, which Python itself does not read.
"""

import importlib
import inspect
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from helm.benchmark.declarative import catalogue, class_rows, declared_names
from helm.benchmark.declarative.class_paths import declared_class

HEADER = "# Written by `make stubs` from the entries and rows that declare these classes; do not edit."


def declared_classes() -> dict[str, list[type[Any]]]:
    """Map each module to its classes, sorted by name."""
    paths = {path for package in class_rows.PACKAGES for path in class_rows.rows(package)}
    paths |= {path for path in map(declared_class, catalogue.entries()) if path}
    found: dict[str, list[type[Any]]] = defaultdict(list)
    for path in sorted(paths):
        module, _, name = path.rpartition(".")
        found[module].append(getattr(importlib.import_module(module), name))
    return dict(found)


def stub(classes: list[type[Any]]) -> str:
    """Return the text of one stub."""
    bases = sorted({(cls.__base__.__module__, cls.__base__.__name__) for cls in classes if cls.__base__})
    texts = [_class_text(cls) for cls in classes]
    module_names = sorted(declared_names.declared_names(classes[0].__module__))
    if module_names:
        texts.insert(0, "".join(f"{name}: Any\n" for name in module_names))
    imports = [f"from {module} import {name}" for module, name in bases]
    needed = [name for name in ("Any", "Optional") if any(f"{name}" in text.split('"""')[-1] for text in texts)]
    if needed:
        imports.insert(0, f"from typing import {', '.join(needed)}\n")
    return "\n".join([HEADER, *imports, "", *texts]).rstrip() + "\n"


def _class_text(cls: type[Any]) -> str:
    lines = [f"class {cls.__name__}({cls.__base__.__name__ if cls.__base__ else 'object'}):"]
    if cls.__doc__:
        lines.append(f'    """{_one_line(cls.__doc__)}"""')
    if "__init__" in vars(cls):
        lines.append(f"    def __init__({_parameters(cls, '__init__')}) -> None: ...")
    if "file" in vars(cls):
        constants = declared_names.class_constants(cls.__module__, cls.__name__, vars(cls)["file"])
        lines += [f"    {name}: Any" for name in constants]
    for name in declared_names.class_methods(cls.__module__, cls.__name__):
        lines += ["    @classmethod"] if isinstance(vars(cls)[name], classmethod) else []
        lines.append(f"    def {name}({_parameters(cls, name)}) -> Any: ...")
    return "\n".join(lines if len(lines) > 1 else [f"{lines[0]} ..."]) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")


def _parameters(cls: type[Any], method: str) -> str:
    parts = ["self"]
    function = vars(cls)[method]
    for parameter in list(inspect.signature(getattr(function, "__func__", function)).parameters.values())[1:]:
        default = "" if parameter.default is parameter.empty else " = ..."
        parts.append(f"{parameter.name}: {_annotation(parameter.annotation)}{default}")
    return ", ".join(parts)


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return "Any"
    return inspect.formatannotation(annotation).replace("typing.", "")


def stubs() -> dict[str, str]:
    """Map each path, relative to the folder that contains `helm`, to its text."""
    return {f"{module.replace('.', '/')}.pyi": stub(classes) for module, classes in declared_classes().items()}


def written(root: Path) -> list[Path]:
    """Return the existing stubs."""
    packages = [*class_rows.PACKAGES, "helm.benchmark.scenarios"]
    return sorted(path for package in packages for path in (root / package.replace(".", "/")).rglob("*.pyi"))


def main() -> None:
    import helm

    root = Path(helm.__file__ or "").parents[1]
    texts = {root / path: text for path, text in stubs().items()}
    for path in written(root):
        if path not in texts:
            path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(texts)} stubs", file=sys.stderr)


if __name__ == "__main__":
    main()
