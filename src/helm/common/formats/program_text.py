"""Extracts the program from an answer of a language model."""

from __future__ import annotations

import ast
import re
import warnings

MAX_ANSWER = 200_000
"""In characters; a longer answer contains no program that is worth running."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_FIRST_LINE = re.compile(r"^(?:import |from |def |class |@)", re.MULTILINE)
_MAX_STARTS, _MAX_ENDS = 6, 12


def extract_program(text: str, function: str) -> str | None:
    """Return the code in an answer that defines a function; None if there is none.

    If there are code blocks, the result is all of them together if they parse and define it, otherwise the last one that
    does; without blocks it is the whole answer, or the longest part that begins with an import or a definition.
    """
    if len(text) > MAX_ANSWER or function not in text:
        return None
    blocks = [match.group(1) for match in _FENCE.finditer(text + "\n")]
    candidates = ["\n".join(blocks), *reversed(blocks)] if blocks else [text, *_parts(text)]
    return next((candidate for candidate in candidates if _defines(candidate, function)), None)


def _parts(text: str) -> list[str]:
    """Return the text from each of the first lines of code to the end, or to where prose begins; few, as each is parsed."""
    parts = []
    for match in list(_FIRST_LINE.finditer(text))[:_MAX_STARTS]:
        lines = text[match.start() :].split("\n")
        ends = [i for i, line in enumerate(lines) if i and line and not line[0].isspace()]
        parts += ["\n".join(lines[:end]) for end in [len(lines), *reversed(ends[-_MAX_ENDS:])]]
    return parts


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _defines(source: str, function: str) -> bool:
    """Return whether it parses and gives the name a value, at any indentation except in functions and classes."""
    module = _parsed(source)
    if module is None:
        return False
    pending: list[ast.AST] = list(module.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == function:
                return True
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == function:
            return True
        elif isinstance(node, ast.alias) and (node.asname or node.name) == function:
            return True
        else:
            pending.extend(ast.iter_child_nodes(node))
    return False


def extract_source(text: str, pattern: str) -> str | None:
    """Return the code in an answer that matches a pattern, in any language; None if there is none.

    If there are code blocks, the result is the last one that matches; otherwise it is the whole answer.
    """
    if len(text) > MAX_ANSWER:
        return None
    blocks = [match.group(1) for match in _FENCE.finditer(text + "\n")]
    return next((block for block in [*reversed(blocks)] or [text] if re.search(pattern, block)), None)
