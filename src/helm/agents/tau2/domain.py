"""What the domains have in common: data bases, tools of agent and user, and results as texts."""

import ast
import copy
import hashlib
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from helm.agents.bfcl.decoding import calculate
from helm.agents.tools.tool import FunctionTool

ASSISTANT, USER = "assistant", "user"
READ, WRITE, GENERIC = "read", "write", "generic"

F = TypeVar("F", bound=Callable[..., Any])


def tool_kind(kind: str) -> Callable[[F], F]:
    """Mark a method as a tool that reads or writes the data base, or does neither."""

    def mark(function: F) -> F:
        function.__dict__["tau2_kind"] = kind
        return function

    return mark


class Tools:
    """The tools of one side, which act on its data base.

    Args:
        db: the data base, changed by the tools.
    """

    schemas: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Schemas of parameters that type hints do not say, by parameter."""

    def __init__(self, db: dict[str, Any]):
        self.db = db

    @classmethod
    def kinds(cls) -> dict[str, str]:
        """Return the tools by name, with what they do to the data base."""
        found: dict[str, str] = {}
        for parent in reversed(cls.__mro__):
            for name, value in vars(parent).items():
                if hasattr(value, "tau2_kind"):
                    found[name] = value.tau2_kind
        return found

    @tool_kind(GENERIC)
    def transfer_to_human_agents(self, summary: str) -> str:
        """Hand the user over to a person, if asked for, or if neither the policy nor the tools solve the problem.

        Args:
            summary: what the user wants.
        """
        return "Transfer successful"


class CompanyTools(Tools):
    """Tools that agents of a company have in several domains."""

    @tool_kind(GENERIC)
    def calculate(self, expression: str) -> str:
        """Compute a number.

        Args:
            expression: numbers, the operators + - * /, brackets and spaces.
        """
        if any(letter not in "0123456789+-*/(). " for letter in expression):
            raise ValueError("Invalid characters in expression")
        return str(round(float(_compute(ast.parse(expression, "<string>", "eval").body)), 2))


def _compute(node: ast.AST) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp):
        return calculate(node.op, _compute(node.left), _compute(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return calculate(ast.Mult(), -1 if isinstance(node.op, ast.USub) else 1, _compute(node.operand))
    raise ValueError("Invalid expression")


@dataclass(frozen=True)
class ToolDescription:
    """A tool as a model is shown it, and what it does to the data."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    kind: str
    changes: bool


class DataBases(ABC):
    """The data bases and tools of an episode, wherever they are."""

    name: str
    solo: bool

    @abstractmethod
    def prepare(self, initial_state: Mapping[str, Any] | None) -> None:
        """Bring the data bases to the initial state of a task, without its conversation."""

    @abstractmethod
    def described(self, requestor: str) -> list[ToolDescription]:
        """Return the tools that someone has."""

    @abstractmethod
    def respond(self, requestor: str, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Call a tool, and return what the caller sees, and whether it is an error."""

    @abstractmethod
    def fulfils(self, assertion: Mapping[str, Any]) -> bool:
        """Return whether the data bases are as an assertion of a task says."""

    @abstractmethod
    def hashes(self) -> tuple[str, str | None]:
        """Return the digests of the data bases of agent and user."""

    @abstractmethod
    def state(self) -> Any:
        """Return the data bases as a JSON value, a copy."""

    def describe(self) -> dict[str, Any]:
        """Return what a score depends on beside the name."""
        return {}

    def close(self) -> None:
        """Release everything. It may be called again."""

    @cached_property
    def _tools_by_requestor(self) -> dict[str, dict[str, ToolDescription]]:
        return {who: {tool.name: tool for tool in reversed(self.described(who))} for who in (ASSISTANT, USER)}

    def tool(self, requestor: str, name: str) -> ToolDescription | None:
        """Return a tool that someone has; None if there is no such one."""
        return self._tools_by_requestor.get(requestor, {}).get(name)


class Domain(DataBases):
    """The data bases and tools of an episode, in this process.

    Args:
        db: the agent's data base, as a JSON value, which the tools change.
        user_db: the user's; None if the user has no data.
        solo: whether the agent has the user's tools too.
    """

    tools_class: ClassVar[type[Tools]]
    user_tools_class: ClassVar[type[Tools] | None] = None

    def __init__(self, db: dict[str, Any], user_db: dict[str, Any] | None = None, solo: bool = False):
        self.tools = self.tools_class(self.typed(db))
        made = self.user_tools_class
        self.user_tools = made(user_db if user_db is not None else {}) if made is not None else None
        self.solo = solo

    def typed(self, db: dict[str, Any]) -> dict[str, Any]:
        """Return the data base as its schema reads it: absent fields are null, numbers have their type."""
        return db

    def prepare(self, initial_state: Mapping[str, Any] | None) -> None:
        state = initial_state or {}
        data = state.get("initialization_data") or {}
        for side, key in ((self.tools, "agent_data"), (self.user_tools, "user_data")):
            if side is not None and data.get(key):
                _merge(side.db, data[key])
        for action in state.get("initialization_actions") or []:
            self.side_of(action["env_type"], action["func_name"])(**action["arguments"])

    def side_of(self, requestor: str, name: str) -> Callable[..., Any]:
        """Return any public method of a side, tools and assertions. Raises: ValueError."""
        side = self.tools if requestor == ASSISTANT else self.user_tools
        found = getattr(type(side), name, None) if side is not None and not name.startswith("_") else None
        if not inspect.isfunction(found):
            raise ValueError(f"the domain {self.name} has no function '{name}' of the {requestor}")
        return found.__get__(side)

    def sides(self, requestor: str) -> list[Tools]:
        """Return the sides whose tools someone has."""
        if requestor == USER:
            return [self.user_tools] if self.user_tools is not None else []
        return [self.tools, self.user_tools] if self.solo and self.user_tools is not None else [self.tools]

    def described(self, requestor: str) -> list[ToolDescription]:
        found = []
        for side in self.sides(requestor):
            for name, kind in side.kinds().items():
                shown = FunctionTool(getattr(side, name))
                properties = shown.parameters["properties"]
                described = {key: {**value, **side.schemas.get(key, {})} for key, value in properties.items()}
                parameters = {**shown.parameters, "properties": described}
                found.append(ToolDescription(name, shown.description, parameters, kind, kind == WRITE))
        return found

    def fulfils(self, assertion: Mapping[str, Any]) -> bool:
        function = self.side_of(assertion["env_type"], assertion["func_name"])
        try:
            return bool(function(**assertion["arguments"]) == assertion.get("assert_value", True))
        except ValueError:
            return False

    def respond(self, requestor: str, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        for side in self.sides(requestor):
            if name in side.kinds():
                try:
                    return to_text(getattr(side, name)(**arguments)), False
                except Exception as e:  # whatever a tool says is its answer
                    return f"Error: {e}", True
        return f"Error: Tool '{name}' not found.", True

    def hashes(self) -> tuple[str, str | None]:
        return hash_of(self.tools.db), hash_of(self.user_tools.db) if self.user_tools is not None else None

    def state(self) -> Any:
        user = self.user_tools
        return json.loads(json.dumps({"agent": self.tools.db, **({"user": user.db} if user is not None else {})}))


def hash_of(db: Any) -> str:
    """Return the digest of a data base, as the original computes it."""
    return hashlib.sha256(json.dumps(db, sort_keys=True).encode()).hexdigest()


def to_text(value: Any) -> str:
    """Return a tool's value as text: numbers outside of records become texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return json.dumps([item if isinstance(item, (dict, list)) else str(item) for item in value])
    return json.dumps(value) if isinstance(value, dict) else str(value)


def _merge(target: dict[str, Any], data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            _merge(target[key], value)
        else:
            target[key] = copy.deepcopy(value)
