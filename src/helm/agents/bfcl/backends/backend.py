"""What the simulated programs have in common: data, and calls written as Python."""

import ast
import copy
import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from helm.agents.bfcl.backends.long_texts import LongTexts
from helm.agents.bfcl.decoding import calculate

_REFUSED = ("kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run")
"""Names that the leaderboard refuses to call, even if there is no such function."""

_PRIVATE = ("random_seed",)


class Backend:
    """A simulated program: `data` is its state by the names of the leaderboard, and its public methods are the functions.

    Args:
        config: a part of the state; what is missing has its default.
        long_texts: what lengthens states and answers; None for the categories without long contexts.
    """

    has_long_context = False
    """Whether its state names the setting `long_context`."""

    def __init__(self, config: Mapping[str, Any] | None = None, long_texts: LongTexts | None = None):
        self.long_texts = long_texts
        given = copy.deepcopy(dict(config or {}))
        defaults = copy.deepcopy(read_tables()["default_states"].get(type(self).__name__, {}))
        self.random = random.Random(given.get("random_seed", defaults.get("random_seed", 200191)))
        self.data: dict[str, Any] = {
            key: given.get(key, value) for key, value in defaults.items() if key not in _PRIVATE
        }
        self.load(given)

    def load(self, config: dict[str, Any]) -> None:
        """Complete `data` with what is special in the configuration."""

    def state(self) -> dict[str, Any]:
        """Return what is compared: the public attributes of the leaderboard's object."""
        public = {key: value for key, value in self.data.items() if not key.startswith("_")}
        return {**public, "long_context": self.long_texts is not None} if self.has_long_context else public

    def long_text(self, name: str) -> Any:
        """Return a copy of what lengthens an answer; None without long contexts."""
        return copy.deepcopy(self.long_texts[name]) if self.long_texts is not None else None

    @classmethod
    def functions(cls) -> dict[str, Callable[..., Any]]:
        """Return the functions by name, in the order of their definition."""
        return {name: value for name, value in vars(cls).items() if _is_function(name, value)}


def _is_function(name: str, value: Any) -> bool:
    return callable(value) and not name.startswith("_") and name not in ("load", "state", "long_text")


@cache
def read_tables() -> dict[str, Any]:
    """Return default states and fixed tables. They are shared: copy what you change."""
    return dict(json.loads(files(__package__).joinpath("tables.json").read_text(encoding="utf-8")))


def execute_calls(backends: Sequence[Backend], calls: Sequence[str]) -> list[str]:
    """Make calls that are written as Python, and return their results as the model sees them; errors are results.

    Nothing is evaluated but names of functions of the backends, literals, arithmetic, and calls within calls.
    """
    functions = {name: (backend, function) for backend in backends for name, function in backend.functions().items()}
    return [_execute(functions, call) for call in calls]


_Functions = Mapping[str, tuple[Backend, Callable[..., Any]]]


def _execute(functions: _Functions, text: str) -> str:
    name = text.partition("(")[0].strip().rpartition(".")[2]
    if name in _REFUSED:
        return f"Error during execution: Function call {name} is not allowed."
    try:
        value = _evaluate(functions, ast.parse(text.strip(), mode="eval").body)
    except Exception as e:  # what a simulated program raises is its answer
        return f"Error during execution: {e}"
    return to_text(value)


def to_text(value: Any) -> str:
    """Return a result as the model sees it."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        try:
            return json.dumps(value)
        except (TypeError, ValueError):
            return str(value)
    return str(value)


def _evaluate(functions: _Functions, node: ast.AST) -> Any:
    def value_of(inner: ast.AST) -> Any:
        return _evaluate(functions, inner)

    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float, bool, type(None))):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [value_of(item) for item in node.elts]
    if isinstance(node, ast.Dict) and None not in node.keys:
        return {value_of(key): value_of(item) for key, item in zip(node.keys, node.values, strict=True) if key}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return calculate(ast.Mult(), -1 if isinstance(node.op, ast.USub) else 1, value_of(node.operand))
    if isinstance(node, ast.BinOp):
        return calculate(node.op, value_of(node.left), value_of(node.right))
    if isinstance(node, ast.Name):
        raise NameError(f"name '{node.id}' is not defined")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id not in functions:
            raise NameError(f"name '{node.func.id}' is not defined")
        backend, function = functions[node.func.id]
        args = [value_of(arg) for arg in node.args]
        return function(backend, *args, **{str(keyword.arg): value_of(keyword.value) for keyword in node.keywords})
    raise ValueError(f"a {type(node).__name__} is no call and no value")
