"""Compares the calls that CompilerGym documents with ours: names, parameters and members."""

import ast
import importlib
import inspect
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[1] / "vectors" / "compiler-gym" / "python_api.txt"

UNCHANGED, CHANGED, MISSING = "unchanged", "changed", "not"

_BOUND_BY_PYTHON = ("__pydantic_self__", "self", "/")
_MADE_BY_FIELDS = ("**data", "*args", "(self)")
"""Marks of signatures that do not show what has to be given: of records, tuples with names, and abstract classes."""
_CHECKS_OF_PYDANTIC = ("validate_benchmark", "walltime_nonnegative")
"""Functions that pydantic calls when a record is made; programs do not call them."""


@dataclass(frozen=True)
class DocumentedCall:
    """A row of the table."""

    module: str
    name: str
    kind: str
    signature: str
    members: tuple[str, ...]

    @property
    def is_method(self) -> bool:
        """Whether it belongs to the class in the row before."""
        return self.name.startswith("__") and self.name != "__version__"


@dataclass(frozen=True)
class Comparison:
    """What became of a documented call."""

    call: DocumentedCall
    owner: str
    """The class of a method, else the name itself."""
    status: str
    difference: str = ""

    @property
    def label(self) -> str:
        path = self.owner if self.owner == self.call.name else f"{self.owner}.{self.call.name}"
        return f"{self.call.module}.{path}".removesuffix(".(module)")


def read_calls() -> list[DocumentedCall]:
    calls = []
    for line in TABLE.read_text().splitlines():
        if "|" in line:
            module, name, kind, *signature, members = (cell.strip() for cell in line.split(" |"))
            found = tuple(word for word in members.split(", ") if word)
            calls.append(DocumentedCall(module, name, kind, " |".join(signature), found))
    return calls


def compare_all(root: str = "helm.compiler_gym") -> list[Comparison]:
    """Compare every row; `root` is the package that stands for `compiler_gym`."""
    comparisons: list[Comparison] = []
    owner: DocumentedCall | None = None
    for call in read_calls():
        if not call.is_method and call.name not in _HOOKS:
            owner = call
        assert owner is not None
        comparisons.append(_compare(call, owner, root))
    return comparisons


_HOOKS = ("action", "reverse_action", "observation", "reward", "undo", "flush")
"""Methods of the wrapper in the row before."""


def _compare(call: DocumentedCall, owner: DocumentedCall, root: str) -> Comparison:
    try:
        found = importlib.import_module(call.module.replace("compiler_gym", root, 1))
        if owner.name != "(module)":
            found = getattr(found, owner.name)
    except (ImportError, AttributeError) as error:
        return Comparison(call, owner.name, MISSING, str(error))
    if call is not owner:
        if call.name != "__init__" and not _has_member(found, call.name):
            return Comparison(call, owner.name, MISSING, f"no {call.name}")
        signature = owner.signature if call.name == "__init__" else ""
        difference = _compare_parameters(signature, found)
        return Comparison(call, owner.name, CHANGED if difference else UNCHANGED, difference)
    lacking = [name for name in call.members if name not in _CHECKS_OF_PYDANTIC and not _has_member(found, name)]
    differences = [_compare_parameters(call.signature, found), _compare_answers(call, found, root)]
    differences += [f"lacks {', '.join(lacking)}"] if lacking else []
    difference = "; ".join(filter(None, differences))
    return Comparison(call, owner.name, CHANGED if difference else UNCHANGED, difference)


def _compare_answers(call: DocumentedCall, found: Any, root: str) -> str:
    """Say what a call answers that it does not answer in CompilerGym, where names and parameters do not show it."""
    if root.endswith(".legacy"):
        return ""
    if isinstance(found, type) and any(cls.__module__.startswith("gymnasium") for cls in found.__mro__[1:-1]):
        return "answers as Gymnasium does" if hasattr(found, "step") else ""
    return "returns a record" if call.name == "random_search" else ""


def _has_member(found: Any, name: str) -> bool:
    if hasattr(found, name) or not isinstance(found, type):
        return hasattr(found, name)
    if any(name in vars(cls).get("__annotations__", {}) or name in _find_assigned(cls) for cls in found.__mro__):
        return True
    if "__getattr__" in {key for cls in found.__mro__ for key in vars(cls)} and "Wrapper" in str(found.__mro__):
        envs = importlib.import_module("helm.compiler_gym.envs")
        return _has_member(envs.LlvmEnv, name)
    return False


@cache  # to find the source of a class, Python parses its module
def _find_assigned(cls: type) -> set[str]:
    """The attributes that the methods of a class assign to `self`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError):
        return set()
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    return {node.attr for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self"}


def _compare_parameters(signature: str, found: Any) -> str:
    """Say which documented parameters cannot be passed, by position or by name."""
    if not signature or not callable(found) or (isinstance(found, type) and issubclass(found, BaseException)):
        return ""
    positional, by_name = _read_parameters(signature)
    parameters = list(inspect.signature(found).parameters.values())
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY)]
    known = {p.name for p in parameters} | _find_passed_on(found)
    takes_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    needed = [
        p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    differences = [f"no parameter {name}" for name in [*positional, *by_name] if name not in known and not takes_any]
    if names[: len(positional)] != positional and not takes_any and not differences:
        differences.append(f"parameters ({', '.join(names)})")
    if not any(mark in signature for mark in _MADE_BY_FIELDS):
        differences += [f"needs {name}" for name in needed if name not in [*positional, *by_name]]
    return "; ".join(differences)


def _find_passed_on(found: Any) -> set[str]:
    """The parameters that a class with `**kwargs` passes on to its bases."""
    if not isinstance(found, type):
        return set()
    names: set[str] = set()
    for cls in found.__mro__:
        if "__init__" not in vars(cls) or cls is object:
            continue
        parameters = inspect.signature(vars(cls)["__init__"]).parameters.values()
        names |= {p.name for p in parameters}
        if not any(p.kind is p.VAR_KEYWORD for p in parameters):
            break
    return names


def _read_parameters(signature: str) -> tuple[list[str], list[str]]:
    """Return the names of the parameters: those that may be passed by position, and those after `*args`."""
    text = signature[1 : signature.rindex(")", 0, (signature.find(" -> ") + 1) or None)] if signature else ""
    depth, words, current = 0, [], ""
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            words.append(current)
            current = ""
        else:
            current += character
    names = [word.split(":")[0].split("=")[0].strip() for word in [*words, current]]
    if "*args" in names:
        start = names.index("*args")
        return _drop_python(names[:start]), _drop_python(names[start:])
    return _drop_python(names), []


def _drop_python(names: list[str]) -> list[str]:
    return [name for name in names if name and not name.startswith("*") and name not in _BOUND_BY_PYTHON]
