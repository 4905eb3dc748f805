"""`ObjectSpec`: a class path with constructor arguments; and the `name:key=value,...` grammar of run entries."""

import importlib
import inspect
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar


@dataclass(frozen=True)
class ObjectSpec:
    """Specifies an object by the full name of its class (or of a function) and the keyword arguments."""

    class_name: str
    """Fully qualified, for example `helm.benchmark.scenarios.simple_scenarios.Simple1Scenario`."""

    args: dict[str, Any] = field(default_factory=dict)
    """Keyword arguments: plain JSON values."""

    def __hash__(self) -> int:
        args = ((key, value if isinstance(value, Hashable) else str(value)) for key, value in sorted(self.args.items()))
        return hash((self.class_name, tuple(args)))


def get_class_by_name(full_class_name: str) -> Any:
    """Import `package.module.Name` and return the attribute: a class or a plain function.

    Raises ValueError for a name without a dot, ModuleNotFoundError for the module, AttributeError for the attribute.
    """
    module_name, _, attribute = full_class_name.rpartition(".")
    return getattr(importlib.import_module(module_name), attribute)


def create_object(spec: ObjectSpec) -> Any:
    """Instantiate the class that the spec names."""
    return get_class_by_name(spec.class_name)(**spec.args)


def create_described_object(spec: ObjectSpec, base: type) -> Any:
    """Instantiate the class that a result file names, if it is a subclass of `base`.

    Result files may come from elsewhere. They may name any callable, `os.system` for example, which must not be called.

    Raises:
        TypeError: The name is not that of a subclass of `base`.
    """
    found = get_class_by_name(spec.class_name)
    if not (isinstance(found, type) and issubclass(found, base)):
        raise TypeError(f"{spec.class_name} is no {base.__name__}.")
    return found(**spec.args)


ObjectSpecT = TypeVar("ObjectSpecT", bound=ObjectSpec)


def inject_object_spec_args(
    spec: ObjectSpecT,
    constant_bindings: dict[str, Any] | None = None,
    provider_bindings: dict[str, Callable[[], Any]] | None = None,
) -> ObjectSpecT:
    """Fill constructor parameters that `spec.args` lacks, by parameter name.

    A constant is used as is (even None); a provider is called only if its name is needed and there is no constant for
    it. Explicit arguments are never overridden. Returns the spec with the injected arguments appended in signature order.
    """
    constants, providers = constant_bindings or {}, provider_bindings or {}
    args = dict(spec.args)
    for name, parameter in inspect.signature(get_class_by_name(spec.class_name).__init__).parameters.items():
        if name == "self" or name in args or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in constants:
            args[name] = constants[name]
        elif name in providers:
            args[name] = providers[name]()
    return replace(spec, args=args)


def parse_arg_value(text: str) -> Any:
    """Parse a value as an int if Python accepts it as one, else as a float, else as text.

    HELM: `nan`, `inf` and `1_000` become numbers; `True` and `None` stay text.
    """
    for parse in (int, float):
        try:
            return parse(text)
        except ValueError:
            continue
    return text


def parse_object_spec(description: str) -> ObjectSpec:
    r"""Parse `name:key=value,key=value`. A value may contain `:` and `=`, and a comma only if it is JSON.

    A value that is a whole JSON text, object or list extends to its end, and stays text. So that everything that HELM
    understands keeps its meaning, this holds only for descriptions that are wrong otherwise: a piece between commas lacks
    `=`, or what precedes it is no name. A comma in front of `name=` can be written `\u002c` in JSON.

    Raises ValueError if a piece between commas has no `=`.
    """
    name, pieces = split_description(description)
    return ObjectSpec(class_name=name, args={key: parse_arg_value(value) for key, value in pieces})


def split_description(description: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the name of a `name:key=value,key=value`, and its keys with their values as they are written.

    Raises: ValueError, as `parse_object_spec`.
    """
    name, colon, rest = description.partition(":")
    pieces = rest.split(",") if colon else []
    if not all("=" in piece and _KEY.fullmatch(piece.partition("=")[0]) for piece in pieces):
        pieces = _split_outside_json(rest) or pieces
    for piece in pieces:
        if "=" not in piece:
            raise ValueError(f"Expected <key>=<value>, got '{piece}'")
    return name, [(key, value) for key, _, value in (piece.partition("=") for piece in pieces)]


def render_json_value(value: Any) -> str:
    """Return a value as JSON that a run entry can hold: commas in texts are escaped.

    Raises: TypeError if JSON has no such value.
    """
    import json

    return _JSON_TEXT.sub(lambda found: found[0].replace(",", "\\u002c"), json.dumps(value, ensure_ascii=False))


_KEY = re.compile(r"[\w.-]*")
_BRACKETS = frozenset('"{}[]')
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def _split_outside_json(text: str) -> list[str] | None:
    """Split at the commas that are in no JSON value. None if a value only begins like JSON, or there is no such value."""
    import json

    pieces: list[str] = []
    start, has_json = 0, False
    while start <= len(text):
        value_start = text.find("=", start) + 1
        end = text.find(",", start)
        if value_start and text[value_start : value_start + 1] in ('"', "{", "[") and (end < 0 or value_start <= end):
            try:
                _, end = json.JSONDecoder().raw_decode(text, value_start)
            except ValueError:
                return None
            has_json = True
            if end < len(text) and text[end] != ",":
                return None
        end = len(text) if end < 0 else end
        pieces.append(text[start:end])
        start = end + 1
    return pieces if has_json else None


def render_object_spec(spec: ObjectSpec) -> str:
    """Render a spec as `name:key=value,key=value`, which `parse_object_spec` reads back as an equal spec.

    Raises ValueError if the grammar cannot express it: a value that is neither number nor text, a text with a comma that is
    not JSON or one that would be read as a number, a key with `=` or a comma, a name with a colon.
    """
    pieces = []
    for key, value in spec.args.items():
        text = value if isinstance(value, str) else repr(value)
        read = parse_arg_value(text)
        has_comma = "," in text and _split_outside_json(f"={text}") != [f"={text}"]
        if "=" in key or "," in key or has_comma or type(read) is not type(value) or repr(read) != repr(value):
            raise ValueError(f"'{spec.class_name}': no run entry can hold {key}={value!r}")
        pieces.append(f"{key}={text}")
    if ":" in spec.class_name:
        raise ValueError(f"'{spec.class_name}': the name in a run entry has no colon")
    entry = f"{spec.class_name}:{','.join(pieces)}" if pieces else spec.class_name
    if not _BRACKETS.isdisjoint(entry) and repr(parse_object_spec(entry)) != repr(spec):
        raise ValueError(f"'{spec.class_name}': no run entry can hold these values side by side: {entry}")
    return entry
