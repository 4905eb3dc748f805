"""Values that a model has written as text in Java or JavaScript, as the leaderboard reads them.

What cannot be read stays a text, which then has the wrong type. Some readings are those of the original, though they are
wrong, because they decide verdicts.
"""

import json
import re
from collections.abc import Callable
from typing import Any

JAVA, JAVASCRIPT = "java", "javascript"

_INTEGER = re.compile(r"-?\d+")
_JAVA_LONG = re.compile(r"-?\d+L")
_JAVA_FLOAT = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]")
_JAVA_DOUBLE = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_JS_FLOAT = re.compile(r"-?\d+(\.\d+)?")
_JS_BIGINT = re.compile(r"-?\d+n")
_QUOTES = "\"'"
_NO_SUCH_TYPE = ("Set", "Queue", "Stack", "Hashtable")

JAVA_TYPES: dict[str, type] = {
    **dict.fromkeys(("byte", "short", "integer", "long"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": bool,
    **dict.fromkeys(("char", "String", "any"), str),
    **dict.fromkeys(("Array", "ArrayList", "Set", "Queue", "Stack"), list),
    **dict.fromkeys(("HashMap", "Hashtable"), dict),
}
JAVASCRIPT_TYPES: dict[str, type] = {
    "String": str,
    "any": str,
    "integer": int,
    "float": float,
    "Bigint": int,
    "Boolean": bool,
    "dict": dict,
    "array": list,
}


class UnknownTypeError(ValueError):
    """The type of a documented parameter is none that the leaderboard reads."""


def read_java(text: str, type_name: str, item_type: str | None = None) -> Any:
    """Return the value of a Java expression of a type, or its text if it is no such value.

    Raises: UnknownTypeError.
    """
    if type_name in _NO_SUCH_TYPE or type_name not in JAVA_TYPES:
        raise UnknownTypeError(f"Java type '{type_name}'")
    kind = JAVA_TYPES[type_name]
    if type_name == "long":
        return int(text[:-1]) if _JAVA_LONG.fullmatch(text) else text
    if kind is int:
        return int(text) if _INTEGER.fullmatch(text) else text
    if type_name == "float":
        return float(text[:-1]) if _JAVA_FLOAT.fullmatch(text) else text
    if type_name == "double":
        return float(text) if _JAVA_DOUBLE.fullmatch(text) else text
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if kind is list:
        return _read_java_list(text, type_name, item_type)
    return _read_java_map(text) if kind is dict else text


_JAVA_MAP = re.compile(r"new HashMap<.*?>\s*\(\s*\)\s*(?:\{\{?(?P<body>.*?)\}?\}\s*;?)?", re.DOTALL)
_PUT = re.compile(r"put\(\s*\"(?P<key>[^\"]*)\"\s*,\s*(?P<value>.*?)\s*\)\s*;", re.DOTALL)
_JAVA_ARRAY = re.compile(r"new\s+\w+\[\]\s*\{(?P<items>.*)\}", re.DOTALL)
_JAVA_ARRAY_LIST = re.compile(r"new\s+ArrayList<\w*>\(\s*(?:Arrays\.asList\((?P<items>.*)\))?\s*\)", re.DOTALL)


def _read_java_map(text: str) -> Any:
    match = _JAVA_MAP.fullmatch(text.strip())
    if match is None:
        return text
    return {put["key"]: _read_java_word(put["value"]) for put in _PUT.finditer(match["body"] or "")}


def _read_java_list(text: str, type_name: str, item_type: str | None) -> Any:
    match = (_JAVA_ARRAY if type_name == "Array" else _JAVA_ARRAY_LIST).fullmatch(text.strip())
    if match is None:
        return text
    items = [item.strip() for item in (match["items"] or "").split(",")] if (match["items"] or "").strip() else []
    if item_type is None:
        return [_read_java_word(item) for item in items]
    if type_name == "ArrayList" and item_type in ("String", "char"):
        return [
            item[1:-1] for item in items
        ]  # so one that is not quoted loses letters, and those of an array keep quotes
    return [read_java(item, item_type) for item in items]


def _read_java_word(word: str) -> Any:
    """Return a value whose type nobody has documented."""
    if len(word) > 1 and word[0] == word[-1] and word[0] in _QUOTES:
        return word[1:-1]
    for type_name in ("integer", "long", "double", "float", "boolean"):
        value = read_java(word, type_name)
        if not isinstance(value, str):
            return value
    return word


def read_javascript(text: str, type_name: str, item_type: str | None = None) -> Any:
    """Return the value of a JavaScript expression of a type, or its text if it is no such value.

    Raises: UnknownTypeError.
    """
    if type_name not in JAVASCRIPT_TYPES:
        raise UnknownTypeError(f"JavaScript type '{type_name}'")
    text = text.strip() if type_name in ("dict", "array") else text
    if type_name == "String":
        return _unquoted(text)
    if type_name == "integer":
        return int(text) if _INTEGER.fullmatch(text) else text
    if type_name == "float":
        return float(text) if _JS_FLOAT.fullmatch(text) else text
    if type_name == "Bigint":
        return int(text[:-1]) if _JS_BIGINT.fullmatch(text) else text
    if type_name == "Boolean":
        return {"true": True, "false": False}.get(text, text)
    if type_name == "dict":
        return _read_js_object(text)
    return _read_js_array(text, item_type) if type_name == "array" else text


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in _QUOTES else text


_JS_OBJECT = re.compile(r"\{(.*?)\}", re.DOTALL)  # up to the first closing bracket, whatever comes after it
_JS_ARRAY = re.compile(r"\[(.*)\]|new Array\((.*)\)", re.DOTALL)
_JS_KEY = re.compile(r"'?(\w+)'?")


def _read_js_object(text: str) -> Any:
    match = _JS_OBJECT.match(text)
    if match is None:
        return text
    for whole in (text, match[0]):
        try:
            found = json.loads(whole)
            return found if isinstance(found, dict) else text
        except ValueError:
            pass
    pairs: dict[str, Any] = {}
    for pair in _split_outside(match[1]):
        key, colon, value = pair.partition(":")
        name = _JS_KEY.fullmatch(key.strip())
        if colon and name:
            pairs[name[1]] = _read_js_word(value.strip())
    return pairs


def _read_js_array(text: str, item_type: str | None) -> Any:
    match = _JS_ARRAY.match(text)
    if match is None:
        return text
    inside = (match[1] if match[1] is not None else match[2]).strip()
    if not inside:
        return []
    if item_type is None:
        return [_read_js_word(item.strip()) for item in inside.split(",")]
    if item_type == "array":
        return [_read_js_array(item, None) for item in re.findall(r"\[.*?\]", inside)]
    if item_type == "dict":
        return [_read_js_object(item) for item in re.findall(r"\{.*?\}", inside)]
    return [read_javascript(item.strip(), item_type) for item in inside.split(",")]


def _read_js_word(word: str) -> Any:
    if word.startswith("["):
        return _read_js_array(word, None)
    for type_name in ("integer", "float", "Bigint", "Boolean"):
        value = read_javascript(word, type_name)
        if not isinstance(value, str):
            return value
    return _unquoted(word)


def _split_outside(text: str) -> list[str]:
    """Split at commas that are outside of brackets."""
    pieces, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            pieces.append(text[start:i])
            start = i + 1
    return [piece for piece in (*pieces, text[start:]) if piece.strip()]


READERS: dict[str, tuple[dict[str, type], Callable[..., Any]]] = {
    JAVA: (JAVA_TYPES, read_java),
    JAVASCRIPT: (JAVASCRIPT_TYPES, read_javascript),
}
"""Language -> Python types of its documented types, and the reader of values."""
