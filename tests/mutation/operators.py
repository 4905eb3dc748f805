"""Changes of one place in a module that a test should notice."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
_FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min"}
# Calls whose absence changes what is said, not what is done.
_TALK = frozenset(
    {"hlog", "hwarn", "herror", "htrack", "htrack_block", "print", "debug", "info", "warning", "write_line"}
)


@dataclass(frozen=True)
class Mutant:
    """One change: the module's path from the project's root, its place, and the text that stands there then."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    """Columns count bytes of UTF-8, as `ast` does."""
    operator: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.operator}"

    def apply(self, source: str) -> str:
        """`source` with this change."""
        lines = source.encode().splitlines(keepends=True)
        head = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        tail = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (head + self.text.encode() + tail).decode()


def mutants_of(path: str, source: str) -> list[Mutant]:
    """All changes of a module in order of their places."""
    found = [
        Mutant(path, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, operator, text)
        for node, operator, text in _changes(ast.parse(source))
    ]
    return sorted(found, key=lambda mutant: (mutant.line, mutant.column, mutant.operator, mutant.text))


def _changes(tree: ast.Module) -> Iterator[tuple]:
    """Node, operator and new text of each change. Annotations, messages, logging and constants' docstrings are left alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield from _changes_of(node)
        waiting.extend(_parts(node))


def _parts(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Raise | ast.JoinedStr) or (isinstance(node, ast.Expr) and _is_talk(node)):
        return []
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value else []
    if isinstance(node, ast.arguments):
        return [default for default in (*node.defaults, *node.kw_defaults) if default]
    if isinstance(node, ast.ClassDef):  # without decorators, as functions: `frozen=True` is a guard, not what it does
        return [*node.bases, *node.keywords, *node.body]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [] if node.name == "__repr__" else [node.args, *node.body]
    if _is_for_types(node):
        return []
    return list(ast.iter_child_nodes(node))


def _is_for_types(node: ast.AST) -> bool:
    """Whether a statement is for type checkers only."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_talk(node: ast.Expr) -> bool:
    """Whether a statement is a text (a docstring) or only says something."""
    if isinstance(node.value, ast.Constant):
        return True
    if not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in _TALK


def _changes_of(node: ast.AST) -> Iterator[tuple]:
    match node:
        case ast.If() if _is_for_types(node):
            return
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)) and not isinstance(
                test, ast.Constant
            ):
                yield test, "condition negated", f"(not ({ast.unparse(test)}))"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, "not removed", f"({ast.unparse(operand)})"
        case ast.Compare(ops=[only]) if type(only) in _COMPARISONS:
            changed = ast.Compare(node.left, [_COMPARISONS[type(only)]()], node.comparators)
            yield node, "comparison", f"({ast.unparse(changed)})"
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, "and/or", f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC and not _is_text(left, right):
            yield node, "arithmetic", f"({ast.unparse(ast.BinOp(left, _ARITHMETIC[type(op)](), right))})"
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            yield node.func, "function", _FUNCTIONS[name]
        case ast.Constant(value=bool() as value):
            yield node, "constant", str(not value)
        case ast.Constant(value=int() | float() as value):
            yield node, "constant", f"({value + 1!r})"
        case ast.Return(value=value) if value is not None and not (
            isinstance(value, ast.Constant) and value.value is None
        ):
            yield value, "nothing returned", "None"
        case ast.Expr(value=ast.Call()) if not _is_talk(node):
            yield node, "call removed", "pass"
        case ast.Raise():
            yield node, "no error", "pass"
        case ast.Continue():
            yield node, "continue removed", "pass"
        case ast.Break():
            yield node, "break removed", "pass"


def _is_text(*nodes: ast.expr) -> bool:
    return any(
        isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in nodes
    )
