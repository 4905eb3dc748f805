"""Functions of the leaderboard as tools of a model."""

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.agents.bfcl.literals import JAVA, JAVASCRIPT
from helm.agents.tools.tool import Tool, ToolResult

_JSON_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string"}
_LANGUAGES = {JAVA: "Java 8", JAVASCRIPT: "JavaScript"}
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def tool_name(name: str) -> str:
    """Return the name of a function as providers accept it."""
    return _NOT_IN_NAMES.sub("_", name)


def tool_parameters(document: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the JSON schema of a function's arguments; in other languages than Python they are texts with expressions."""
    schema = _as_json_schema(copy.deepcopy(document.get("parameters") or {}))
    schema = {**schema, "type": "object", "properties": schema.get("properties") or {}}
    if language in _LANGUAGES:
        for name, described in schema["properties"].items():
            text = f"{described.get('description', '')} Give a {_LANGUAGES[language]} expression of type {described.get('type')}."
            schema["properties"][name] = {"type": "string", "description": text.strip()}
    return schema


def _as_json_schema(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_json_schema(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: _as_json_schema(item) for key, item in value.items()}
    if isinstance(found.get("type"), str):
        found["type"] = _JSON_TYPES.get(found["type"], found["type"])
    return found


class BfclFunction(Tool):
    """A documented function.

    Its arguments are not checked against the schema that the model is shown: the leaderboard judges them.

    Args:
        document: the documentation: `name`, `description`, `parameters`.
        language: `python`, `java` or `javascript`.
        execute: runs a call that is written as Python; None only notes calls.
    """

    parameters = {"type": "object"}

    def __init__(
        self, document: Mapping[str, Any], language: str = "python", execute: Callable[[str], str] | None = None
    ):
        self.name = tool_name(str(document["name"]))
        self.description = str(document.get("description", ""))
        self._shown, self._execute = tool_parameters(document, language), execute

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        if self._execute is None:
            return ToolResult("Noted.")
        text = self._execute(call_text(self.name, arguments))
        is_error = text.startswith("Error during execution:")
        return ToolResult(text, is_error, "tool" if is_error else None)

    @property
    def function(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat protocol."""
        described = {"name": self.name, "description": self.description, "parameters": self._shown}
        return {"type": "function", "function": described}


def call_text(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as Python."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def functions_prompt(functions: Sequence[Mapping[str, Any]]) -> str:
    """Return the system message for a model without tool calls."""
    return (
        "You are given functions, each as a JSON object with its name, description and parameters. Decide which have to be "
        "called for what the user asks, and answer with these calls alone, as a list in Python's syntax, with named arguments:\n"
        "[first_function(name=value), second_function(name=value)]\n"
        "If no function fits, or a required argument is not known, say so in a sentence and make no call.\n\nFunctions:\n"
        + "\n".join(json.dumps(function) for function in functions)
    )
