"""State that belongs to a process or a thread instead of an argument: the table in docs/design.md is all of it.

Found in the source, without running it: context variables, thread-locals, module values that a function assigns with
`global` or changes in place, class attributes that methods change in place, and module values whose class changes itself.
Not found, and not listed: functions with `functools.cache`, which keep what depends on their arguments and the installation
alone, and locks, which hold no value.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
SOURCE = REPOSITORY / "src"
CONTEXT_VARIABLE, THREAD_LOCAL, MODULE_VALUE, CLASS_VALUE = "context variable", "thread-local", "module", "class"
CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem", "popleft",
    "remove", "setdefault", "sort", "update",
}  # fmt: skip
Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MATTERING = {
    ast.arg, ast.Assign, ast.Attribute, ast.AugAssign, ast.Call, ast.ClassDef, ast.Global, ast.ImportFrom, ast.Name,
    ast.Nonlocal, ast.Subscript, *Functions,
}  # fmt: skip


class Module:
    """What its source says about state. The syntax tree is looked through once and not kept: the package has a million nodes."""

    def __init__(self, name: str, source: str):
        self.name = name
        tree = ast.parse(source)
        parts = Parts(tree)
        self.values = {name: _called(value) for name, value in _assigned(tree.body)}
        """Name -> what the value is made by; empty: by no call."""
        self.imports = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in parts.within(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        self.classes = {node.name: _changes_itself(node, parts) for node in tree.body if isinstance(node, ast.ClassDef)}
        """Name -> whether its methods change an object."""
        self.assigned_globally = {
            name for node in parts.within(tree) if isinstance(node, ast.Global) for name in node.names
        }
        self.changed = {
            name for node in parts.within(tree) if isinstance(node, Functions) for name in _changed_outside(node, parts)
        }
        """Names that a function changes in place and that are not its own."""
        self.of_classes = dict(
            found for node in parts.within(tree) if isinstance(node, ast.ClassDef) for found in _of_class(node, parts)
        )
        """`Class.attribute` -> kind."""


class Parts:
    """The nodes of a tree that may matter, and which of them are within a function or class."""

    def __init__(self, tree: ast.Module):
        self._nodes: list[ast.AST] = []
        self._spans: dict[ast.AST, tuple[int, int]] = {}
        self._add(tree)

    def within(self, node: ast.AST) -> list[ast.AST]:
        """The node itself, if it may matter, and those below it."""
        start, end = self._spans[node]
        return self._nodes[start:end]

    def _add(self, node: ast.AST) -> None:
        start = len(self._nodes)
        if type(node) in MATTERING:
            self._nodes.append(node)
        for value in node.__dict__.values():
            if isinstance(value, ast.AST):
                if value._fields:
                    self._add(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self._add(item)
        if isinstance(node, (*Functions, ast.ClassDef, ast.Module)):
            self._spans[node] = start, len(self._nodes)


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
            yield node.target.id, node.value


def _called(value: ast.AST) -> str:
    """`ContextVar` of `contextvars.ContextVar[int](...)`; empty: it is no call."""
    if not isinstance(value, ast.Call):
        return ""
    function = value.func.value if isinstance(value.func, ast.Subscript) else value.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _changed(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The values that are changed in place."""
    for part in nodes:
        if isinstance(part, ast.Call):
            if isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
                yield part.func.value
        elif isinstance(part, ast.Subscript):
            if isinstance(part.ctx, (ast.Store, ast.Del)):
                yield part.value
        elif isinstance(part, ast.AugAssign):
            yield part.target


def _changed_outside(function: ast.AST, parts: Parts) -> set[str]:
    nodes = parts.within(function)
    changed = {part.id for part in _changed(nodes) if isinstance(part, ast.Name)}
    return changed - _locals(nodes) if changed else changed


def _locals(nodes: list[ast.AST]) -> set[str]:
    names, outer = set(), set()
    for part in nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, (ast.Global, ast.Nonlocal)):
            outer.update(part.names)
    return names - outer


def _stored(nodes: list[ast.AST]) -> list[ast.Attribute]:
    return [part for part in nodes if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)]


def _is_of_self(part: ast.expr) -> bool:
    return isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "self"


def _changes_itself(node: ast.ClassDef, parts: Parts) -> bool:
    """Whether methods other than the constructor change an object."""
    return any(
        _is_of_self(part)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__")
        for part in [*_stored(parts.within(method)), *_changed(parts.within(method))]
    )


def _is_changing(module: Module, name: str, modules: dict[str, Module]) -> bool:
    """Whether objects of the class of this name, defined here or imported, change themselves."""
    if name in module.classes:
        return module.classes[name]
    origin, original = module.imports.get(name, ("", ""))
    return origin in modules and modules[origin].classes.get(original, False)


def ambient_state(modules: dict[str, Module]) -> dict[str, str]:
    """Full name -> kind."""
    found: dict[str, str] = {}
    for module in modules.values():
        for name, kind in module.values.items():
            if kind == "ContextVar":
                found[f"{module.name}.{name}"] = CONTEXT_VARIABLE
            elif kind == "local":
                found[f"{module.name}.{name}"] = THREAD_LOCAL
            elif kind and _is_changing(module, kind, modules):
                found[f"{module.name}.{name}"] = MODULE_VALUE
        found.update((f"{module.name}.{name}", MODULE_VALUE) for name in module.assigned_globally)
        for name in module.changed:
            origin, original = module.imports.get(name, (module.name, name))
            if origin in modules and original in modules[origin].values:
                found.setdefault(f"{origin}.{original}", MODULE_VALUE)
        found.update((f"{module.name}.{name}", kind) for name, kind in module.of_classes.items())
    return found


def _of_class(node: ast.ClassDef, parts: Parts) -> Iterator[tuple[str, str]]:
    attributes = {
        name for name, value in _assigned(node.body) if _called(value) != "field"
    }  # of dataclasses: per object
    # Those that a method assigns, so that each object has its own.
    own = {part.attr for part in _stored(parts.within(node)) if _is_of_self(part)}
    for method in node.body:
        if not isinstance(method, Functions):
            continue
        for part in _changed(parts.within(method)):
            is_attribute = isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
            if is_attribute and part.value.id in ("self", "cls", node.name) and part.attr in attributes:
                if part.value.id != "self" or part.attr not in own:
                    yield f"{node.name}.{part.attr}", CLASS_VALUE
        for part in parts.within(method):
            if isinstance(part, ast.Assign) and _called(part.value) == "local":
                for target in part.targets:
                    if isinstance(target, ast.Attribute):
                        yield f"{node.name}.{target.attr}", THREAD_LOCAL


def read_modules() -> dict[str, Module]:
    found = {}
    for path in sorted((SOURCE / "helm").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = Module(name, path.read_text(encoding="utf-8"))
    return found


def read_table() -> list[tuple[list[str], str, str]]:
    """The rows of the table: names, kind, reason."""
    text = (REPOSITORY / "docs" / "design.md").read_text(encoding="utf-8")
    section = text.partition("\n## Ambient state\n")[2].partition("\n## ")[0]
    rows = [line.strip("| \n").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", names), kind, reason) for names, kind, reason in rows]


def test_the_table_of_ambient_state_is_all_of_it():
    listed = {f"helm.{name}": kind for names, kind, _ in read_table() for name in names}
    found = ambient_state(read_modules())
    unlisted = {name: kind for name, kind in found.items() if name not in listed}
    assert not unlisted, "Pass it as an argument, or add it to 'Ambient state' in docs/design.md with the reason."
    gone = sorted(set(listed) - set(found))
    assert not gone, "These are listed in docs/design.md, and are no ambient state (any more)."
    assert listed == found, "The kind in docs/design.md is another one."


def test_every_row_of_the_table_has_a_reason_and_every_name_is_there_once():
    rows = read_table()
    assert rows and all(len(reason.split()) >= 5 for _, _, reason in rows)
    names = [name for listed, _, _ in rows for name in listed]
    assert len(names) == len(set(names))


SAMPLE = """
import threading
from contextvars import ContextVar
from functools import cache
from helm.elsewhere import SHARED, Counter

CONSTANT = {"a": 1}
TABLE = {}
_number = 0
_current = ContextVar("current", default=None)
_local = threading.local()
_lock = threading.Lock()
_counter = Counter()


class Keeper:
    shared = {}
    defaults = {}

    def __init__(self):
        self.mine = {}
        self.defaults = dict(self.defaults)
        self.thread = threading.local()

    def keep(self, key):
        self.mine[key] = self.shared[key] = self.defaults[key] = 1


@cache
def pure(key):
    CONSTANT.get(key)
    TABLE = {}
    TABLE[key] = 1
    return TABLE


def change(key, CONSTANT):
    global _number
    _number += 1
    CONSTANT[key] = 1
    SHARED.append(key)


def fill(key):
    TABLE.setdefault(key, 1)
"""
ELSEWHERE = "SHARED = []\n\nclass Counter:\n    def up(self):\n        self.number = 1\n"


def test_what_is_found_in_a_source():
    modules = {
        "helm.sample": Module("helm.sample", SAMPLE),
        "helm.elsewhere": Module("helm.elsewhere", ELSEWHERE),
    }
    assert ambient_state(modules) == {
        "helm.sample.TABLE": MODULE_VALUE,
        "helm.sample._number": MODULE_VALUE,
        "helm.sample._current": CONTEXT_VARIABLE,
        "helm.sample._local": THREAD_LOCAL,
        "helm.sample._counter": MODULE_VALUE,
        "helm.sample.Keeper.shared": CLASS_VALUE,
        "helm.sample.Keeper.thread": THREAD_LOCAL,
        "helm.elsewhere.SHARED": MODULE_VALUE,
    }
