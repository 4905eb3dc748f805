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


class Module:
    def __init__(self, name: str, source: str):
        self.name = name
        self.tree = ast.parse(source)
        self.values = dict(_assigned(self.tree.body))
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.imports = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }


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


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """The values that a function changes in place."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
            yield part.func.value
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, (ast.Store, ast.Del)):
            yield part.value
        elif isinstance(part, ast.AugAssign):
            yield part.target


def _locals(function: ast.AST) -> set[str]:
    names, outer = set(), set()
    for part in ast.walk(function):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, (ast.Global, ast.Nonlocal)):
            outer.update(part.names)
    return names - outer


def _own_attributes(node: ast.ClassDef) -> set[str]:
    """Those that a method assigns, so that each object has its own."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and getattr(part.value, "id", "") == "self"
    }


def _changes_itself(node: ast.ClassDef) -> bool:
    """Whether methods other than the constructor change an object."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
            stored = [p for p in ast.walk(method) if isinstance(p, ast.Attribute) and isinstance(p.ctx, ast.Store)]
            for part in [*stored, *_changed(method)]:
                if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "self":
                    return True
    return False


def _class_of(module: Module, name: str, modules: dict[str, Module]) -> ast.ClassDef | None:
    if name in module.classes:
        return module.classes[name]
    origin, original = module.imports.get(name, ("", ""))
    return modules[origin].classes.get(original) if origin in modules else None


def ambient_state(modules: dict[str, Module]) -> dict[str, str]:
    """Full name -> kind."""
    found: dict[str, str] = {}
    for module in modules.values():
        for name, value in module.values.items():
            kind = _called(value)
            if kind == "ContextVar":
                found[f"{module.name}.{name}"] = CONTEXT_VARIABLE
            elif kind == "local":
                found[f"{module.name}.{name}"] = THREAD_LOCAL
            elif kind:
                made = _class_of(module, kind, modules)
                if made is not None and _changes_itself(made):
                    found[f"{module.name}.{name}"] = MODULE_VALUE
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Global):
                found.update((f"{module.name}.{name}", MODULE_VALUE) for name in node.names)
            elif isinstance(node, Functions):
                changed = [part for part in _changed(node) if isinstance(part, ast.Name)]
                own = _locals(node) if changed else set()
                for part in changed:
                    if part.id in own:
                        continue
                    origin, original = module.imports.get(part.id, (module.name, part.id))
                    if origin in modules and original in modules[origin].values:
                        found.setdefault(f"{origin}.{original}", MODULE_VALUE)
            elif isinstance(node, ast.ClassDef):
                found.update(_of_class(module, node))
    return found


def _of_class(module: Module, node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    attributes = {
        name for name, value in _assigned(node.body) if _called(value) != "field"
    }  # of dataclasses: per object
    own = _own_attributes(node)
    for method in node.body:
        if not isinstance(method, Functions):
            continue
        for part in _changed(method):
            is_attribute = isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
            if is_attribute and part.value.id in ("self", "cls", node.name) and part.attr in attributes:
                if part.value.id != "self" or part.attr not in own:
                    yield f"{module.name}.{node.name}.{part.attr}", CLASS_VALUE
        for part in ast.walk(method):
            if isinstance(part, ast.Assign) and _called(part.value) == "local":
                for target in part.targets:
                    if isinstance(target, ast.Attribute):
                        yield f"{module.name}.{node.name}.{target.attr}", THREAD_LOCAL


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
