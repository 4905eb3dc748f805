"""Function calls in the text of a model that has no tool calls of its own."""

import ast
import json
import operator
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from helm.agents.bfcl.call_check import Call
from helm.agents.bfcl.literals import JAVA, JAVASCRIPT

PYTHON, JSON, VERBOSE_XML, CONCISE_XML = "python", "json", "verbose_xml", "concise_xml"
FORMATS = (PYTHON, JSON, VERBOSE_XML, CONCISE_XML, JAVA, JAVASCRIPT)
"""How calls may be written."""

_TAG = re.compile(r"<TOOLCALL>(.*?)</TOOLCALL>", re.DOTALL)
_MOST_LETTERS = 100_000
_MOST_DIGITS = 400


class NoCallsError(ValueError):
    """A text that is not in the form of calls."""


def decode_calls(text: str, form: str, has_tag: bool = False) -> list[Call]:
    """Return the calls in a text; those whose arguments have no names lose them, as on the leaderboard.

    Args:
        text: what the model wrote.
        form: one of `FORMATS`.
        has_tag: whether calls are within `<TOOLCALL>...</TOOLCALL>`.

    Raises:
        NoCallsError: The text is not in this form.
    """
    if len(text) > _MOST_LETTERS:
        raise NoCallsError(f"the text has more than {_MOST_LETTERS} characters")
    if has_tag:
        match = _TAG.search(text)
        if match is None:
            raise NoCallsError("there is no <TOOLCALL>")
        text = match[1]
    try:
        return _DECODERS[form](text)
    except (SyntaxError, ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError) as e:
        raise NoCallsError(f"{type(e).__name__}: {e}") from e
    except ElementTree.ParseError as e:
        raise NoCallsError(str(e)) from e


def is_calls(calls: Any) -> bool:
    """Whether a decoded value is calls, at least one of them."""
    return isinstance(calls, list) and bool(calls) and all(isinstance(call, dict) and call for call in calls)


def _decode_python(text: str) -> list[Call]:
    text = text.strip().strip("'").strip()
    if not text.startswith(("[", "(")) and "(" in text:
        text = f"[{text}]"
    body = ast.parse(text, mode="eval").body
    items = body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body]
    if not isinstance(body, (ast.List, ast.Tuple, ast.Call)):
        raise NoCallsError("no list of calls")
    return [_read_call(item) for item in items]


def _read_call(node: ast.AST) -> dict[str, dict[str, Any]]:
    if not isinstance(node, ast.Call):
        raise NoCallsError("an item of the list is no call")
    return {_name_of(node.func): {str(word.arg): _read_value(word.value) for word in node.keywords}}


def _name_of(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise NoCallsError("a function without a name")
    return ".".join([node.id, *reversed(parts)])


_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def _read_value(node: ast.AST) -> Any:
    """Return the value of an argument. Arithmetic of numbers is done; nothing else is run."""
    if isinstance(node, ast.Constant):
        if node.value is Ellipsis:
            return "..."
        if isinstance(node.value, (bytes, complex)):
            raise NoCallsError(f"a {type(node.value).__name__} has no JSON")
        return node.value
    if isinstance(node, ast.UnaryOp):
        return -_read_value(node.operand)  # whatever the sign is, as on the leaderboard
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_read_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {_read_value(key): _read_value(item) for key, item in zip(node.keys, node.values, strict=True) if key}
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return calculate(node.op, _read_value(node.left), _read_value(node.right))
    if isinstance(node, ast.Call):
        return _read_call(node) if node.keywords else ast.unparse(node)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return ast.unparse(node)
    raise NoCallsError(f"an argument is a {type(node).__name__}")


def calculate(operation: ast.operator, left: Any, right: Any) -> Any:
    """Return the result of an operation on two numbers. Raises: NoCallsError for anything else, or if it is too large."""
    if type(operation) not in _OPERATIONS or not all(isinstance(value, (int, float)) for value in (left, right)):
        raise NoCallsError("arithmetic with something else than numbers")
    if isinstance(operation, ast.Pow) and (abs(right) > _MOST_DIGITS or abs(left) > 10**6):
        raise NoCallsError("a power that is too large")
    return _OPERATIONS[type(operation)](left, right)


_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)


def _decode_json(text: str) -> list[Call]:
    match = _FENCE.search(text)
    try:
        items = json.loads(match[1] if match else text)
    except ValueError:
        return []
    items = items if isinstance(items, list) else [items]
    return [{item["function"]: item["parameters"]} for item in items]


_FUNCTIONS = re.compile(r"<functions>.*?</functions>", re.DOTALL)


def _decode_xml(text: str) -> list[Call]:
    match = _FUNCTIONS.search(text)
    if match is None or "<!" in match[0]:  # a document type could define entities
        raise NoCallsError("there is no <functions>")
    calls: list[Call] = []
    for function in ElementTree.fromstring(match[0]).iter("function"):
        arguments = {}
        for parameter in function.iter("param"):
            value = parameter.get("value", parameter.text or "")
            arguments[str(parameter.get("name"))] = _typed(value, str(parameter.get("type")))
        calls.append({str(function.get("name")): arguments})
    return calls


def _typed(text: str, type_name: str) -> Any:
    return text if type_name == "string" else json.loads(text)


def _decode_javascript(text: str, brackets: str = "[]{}()") -> list[Call]:
    """Return calls `[name(parameter=EXPRESSION, ...)]`, with expressions as text."""
    inside = text.strip()
    if inside.startswith("[") and inside.endswith("]"):
        inside = inside[1:-1]
    calls: list[Call] = []
    for piece in _split(inside, brackets):
        match = _CALL.fullmatch(piece.strip())
        if match is None:
            raise NoCallsError("no call")
        arguments = {}
        for argument in _split(match["arguments"], brackets):
            name, equals, value = argument.partition("=")
            if equals and re.fullmatch(r"\w+", name.strip()):
                arguments[name.strip()] = _without_quotes(value.strip())
        calls.append({match["name"]: arguments})
    return calls


_CALL = re.compile(r"(?P<name>[\w.$]+)\((?P<arguments>.*)\)", re.DOTALL)


def _without_quotes(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _split(text: str, brackets: str) -> list[str]:
    """Split at commas outside of brackets (given in pairs) and quotes."""
    pieces, depth, quote, start = [], 0, "", 0
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`":
            quote = letter
        elif letter == "," and depth == 0:
            pieces.append(text[start:i])
            start = i + 1
        else:
            depth += (letter in brackets[::2]) - (letter in brackets[1::2])
    return [piece for piece in (*pieces, text[start:]) if piece.strip()]


_JAVA_VALUE = re.compile(r"\"[^\"]*\"|\d+|[A-Za-z_][\w.]*|new .*", re.DOTALL)
_JAVA_KEYWORDS = ("true", "false")


def _decode_java(text: str) -> list[Call]:
    """Return calls, with expressions as text; some expressions are errors, as for the parser of the leaderboard."""
    calls: list[Call] = []
    brackets = "[]{}()<>"
    for call in _decode_javascript(text, brackets):
        (name, arguments), *_ = call.items()
        raw = _split(text[text.index("(") + 1 : text.rindex(")")], brackets)
        if len(raw) != len(arguments):
            raise NoCallsError("an argument without a name")
        for piece in raw:
            value = piece.partition("=")[2].strip()
            if not _JAVA_VALUE.fullmatch(value) or value in _JAVA_KEYWORDS:
                raise NoCallsError(f"the argument {value}")
        calls.append({name: {key: _java_text(value) for key, value in arguments.items()}})
    return calls


def _java_text(value: str) -> str:
    """Return an expression as the parser of the leaderboard gives it: without the body of an anonymous class."""
    if value.startswith("new ") and "{{" in value:
        head = value.partition("{{")[0].strip()
        return re.sub(r",\s+", ",", head)
    return value


_DECODERS: dict[str, Callable[[str], list[Call]]] = {
    PYTHON: _decode_python,
    JSON: _decode_json,
    VERBOSE_XML: _decode_xml,
    CONCISE_XML: _decode_xml,
    JAVA: _decode_java,
    JAVASCRIPT: _decode_javascript,
}
