"""Tools that a model can call: the contract, and tools made from Python functions."""

import inspect
import json
import re
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from helm.agents.errors import AgentError, EpisodeEnd, InfrastructureFailure, ToolFailure
from helm.common.errors import suggest

NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What providers accept as the name of a function."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class ToolResult:
    """What a tool answers."""

    content: str

    is_error: bool = False

    error_kind: str | None = None
    """`timeout`, `output`, `memory`, `permission`, `tool` or `limit`; None without an error."""

    returncode: int | None = None
    """The exit status of a program; None if no program ran."""

    normalized: str | None = None
    """The content without what differs between two runs (times, process numbers), by which a resumed episode is compared;
    None if that is the content."""


class Tool(ABC):
    """A function that a model can call."""

    name: str

    description: str = ""

    parameters: Mapping[str, Any] = {"type": "object", "properties": {}}
    """The JSON schema of the arguments, which are an object."""

    @abstractmethod
    def call(self, arguments: dict[str, Any]) -> ToolResult:
        """Return the result for arguments that fit the schema.

        Raises:
            ToolFailure: The tool cannot do it; the model is told so.
            InfrastructureFailure: The environment does not work.
        """

    @property
    def function(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat protocol."""
        described = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": described}


class ToolSource(ABC):
    """Several tools that something else offers, such as a server. It is made for one episode, opened, and always closed."""

    @property
    def host_program(self) -> str | None:
        """The program that runs with the rights of this process, for people; None without one."""
        return None

    @abstractmethod
    def open(self) -> list[Tool]:
        """Start what offers the tools, and return them. Raises: InfrastructureFailure; AgentError for a wrong description."""

    def close(self) -> None:
        """Release everything. Called once, also when `open` has failed."""


class ToolSet:
    """The tools of an episode by name.

    Raises:
        AgentError: Two tools have one name, or a name that providers do not accept.
    """

    def __init__(self, tools: Iterable[Tool] = ()):
        self._tools: dict[str, Tool] = {}
        for tool_ in tools:
            self.add(tool_)

    def add(self, tool_: Tool) -> None:
        """Add a tool. Raises: AgentError."""
        if not NAME_PATTERN.fullmatch(tool_.name):
            raise AgentError(f"Tool '{tool_.name}': a name has 1 to 64 letters, digits, '_' and '-'.")
        if tool_.name in self._tools:
            raise AgentError(f"There are two tools named '{tool_.name}'.")
        self._tools[tool_.name] = tool_

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> Tool | None:
        """Return the tool with a name, or None."""
        return self._tools.get(name)

    @property
    def functions(self) -> list[dict[str, Any]]:
        """The tools in the form of OpenAI's chat protocol."""
        return [tool_.function for tool_ in self]

    def unknown(self, name: str) -> str:
        """Return what a model is told that called a tool which does not exist."""
        return f"There is no tool {name}.{suggest(name, self._tools)}"


def tool(function: F) -> F:
    """Mark a method as a tool of its class; see `FunctionTool`."""
    function.__dict__["is_agent_tool"] = True
    return function


class FunctionTool(Tool):
    """A Python function or bound method as a tool.

    The schema comes from its type hints, the description from its docstring: the text before `Args:`, and for each parameter
    its line there. An exception that it raises is told to the model as `Error: TEXT`.

    Args:
        function: takes keyword arguments that are JSON values, and returns a text or another JSON value.
        name: of the tool; None takes the function's.
        description: None takes the function's docstring.

    Raises:
        AgentError: A parameter has no type hint, or one that has no JSON schema.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None, description: str | None = None):
        self.name = name or function.__name__
        text, of_parameters = _read_docstring(inspect.getdoc(function) or "")
        self.description = text if description is None else description
        self.parameters = _schema_of(function, of_parameters)
        self._function = function

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        try:
            value = self._function(**arguments)
        except (ToolFailure, InfrastructureFailure, EpisodeEnd):
            raise
        except Exception as e:
            return ToolResult(f"Error: {e or type(e).__name__}", is_error=True, error_kind="tool")
        return value if isinstance(value, ToolResult) else ToolResult(to_text(value))


def tools_of(owner: Any) -> list[Tool]:
    """Return the tools of an object: its methods that are marked by `@tool`, in the order of their definition."""
    names: dict[str, None] = {}
    for parent in reversed(type(owner).__mro__):
        names.update(dict.fromkeys(key for key, value in vars(parent).items() if _is_marked(value)))
    return [FunctionTool(getattr(owner, name)) for name in names if _is_marked(getattr(type(owner), name))]


def to_text(value: Any) -> str:
    """Return a value as the text that a model sees: texts as they are, others as JSON.

    Raises: ToolFailure if it has no JSON.
    """
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError) as e:
        raise ToolFailure(f"The tool returned a value that cannot be shown: {e}") from e


def _is_marked(value: Any) -> bool:
    return bool(getattr(value, "is_agent_tool", False))


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return the description, and the texts of the parameters in Google's style."""
    head, _, rest = text.partition("\nArgs:\n")
    described: dict[str, str] = {}
    name = ""
    for line in rest.splitlines():
        if line and not line[0].isspace():
            break  # the next section
        match = re.match(r" {1,4}(\w+)(?: \([^)]*\))?: +(.*)", line)
        if match:
            name, described[match[1]] = match[1], match[2].strip()
        elif name and line.strip():
            described[name] += f" {line.strip()}"
    return re.split(r"\n(?:Returns|Raises):", head)[0].strip(), described


def _schema_of(function: Callable[..., Any], descriptions: Mapping[str, str]) -> dict[str, Any]:
    hints = get_type_hints(function)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise AgentError(f"Tool {function.__name__}: a tool has named parameters only, not *{name}.")
        if name not in hints:
            raise AgentError(f"Tool {function.__name__}: the parameter '{name}' needs a type hint.")
        schema = _schema_of_type(hints[name], f"Tool {function.__name__}, parameter '{name}'")
        if name in descriptions:
            schema = {**schema, "description": descriptions[name]}
        if parameter.default is parameter.empty:
            required.append(name)
        elif isinstance(parameter.default, (str, int, float, bool)):
            schema = {**schema, "default": parameter.default}
        properties[name] = schema
    found: dict[str, Any] = {"type": "object", "properties": properties}
    return {**found, **({"required": required} if required else {}), "additionalProperties": False}


_PLAIN_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}


def _schema_of_type(hint: Any, where: str) -> dict[str, Any]:
    if hint is Any:
        return {}
    if hint in _PLAIN_TYPES:
        return {"type": _PLAIN_TYPES[hint]}
    if hint is type(None):
        return {"type": "null"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (list, tuple) and args:
        return {"type": "array", "items": _schema_of_type(args[0], where)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema_of_type(args[1], where)}
    if origin in (Union, types.UnionType):
        options = [_schema_of_type(arg, where) for arg in args]
        if all(option.keys() == {"type"} for option in options):
            return {"type": [option["type"] for option in options]}
        return {"anyOf": options}
    raise AgentError(
        f"{where}: {hint} has no JSON schema; use str, int, float, bool, list, dict, Literal or unions of them."
    )
