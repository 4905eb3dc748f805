"""Reads constants of Python source files without importing or running them: only literals are evaluated."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from helm.common.errors import HelmError


class LiteralError(HelmError):
    """A constant is missing or is no literal; the message names the file and the constant."""


def find_literals(text: str, name: str, where: str) -> list[Any]:
    """Return the values that a source file assigns to a name, in order; values that are no literals are left out.

    A literal may contain names of texts and numbers that the file assigns elsewhere, once.

    Args:
        text: the source file.
        name: `NAME`, `CLASS.NAME`, or `FUNCTION()/NAME` for a local variable.
        where: names the file in messages.

    Raises:
        LiteralError: The file is not Python, or has no such constant, or only others than literals.
    """
    where = f"{where}: {name}"
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise LiteralError(f"{where}: the file is not Python: {type(e).__name__}.") from e
    scopes: list[Any] = [module]
    *outer, last = name.replace("()/", ".").split(".")
    for part in outer:
        scopes = [inner for scope in scopes for inner in scope.body if getattr(inner, "name", None) == part]
    values = [value for scope in scopes for node in ast.walk(scope) if (value := _assigned(node, last)) is not None]
    if not values:
        raise LiteralError(f"{where} is not in the file.")
    literals = list(_literals(values, _Names(module)))
    if not literals:
        raise LiteralError(f"{where} is not a literal.")
    return literals


def _assigned(node: ast.AST, name: str) -> ast.expr | None:
    """Return what a statement assigns to a name; None if it assigns nothing to it."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return None
    return node.value if any(isinstance(target, ast.Name) and target.id == name for target in targets) else None


class _Names(ast.NodeTransformer):
    """Replaces names of texts and numbers that the file assigns once, so that a table may name its keys."""

    def __init__(self, module: ast.Module):
        assigned: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(module):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(getattr(node, "value", None))
        self._values = {
            name: values[0]
            for name, values in assigned.items()
            if len(values) == 1 and isinstance(values[0], ast.Constant)
        }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the constant that a name stands for, or the name itself."""
        return self._values.get(node.id, node)


def _literals(nodes: Iterable[ast.expr], names: _Names) -> Iterator[Any]:
    for node in nodes:
        try:
            yield ast.literal_eval(names.visit(node))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
