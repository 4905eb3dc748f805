"""The names that people type, and the run entries that they stand for: `aliases.yaml`.

The file is read when a name is not that of a run spec, or when names are searched or suggested.
"""

import itertools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from helm.common.errors import ConfigError, nearest, suggest
from helm.common.object_spec import ObjectSpec, parse_arg_value, parse_object_spec

_LIKE_A_VALUE = 0.8
"""Share of characters that an argument's value has to have in common with a mistyped name: values are many and short."""

_PUNCTUATION = str.maketrans("", "", "-_. ")


@dataclass(frozen=True)
class Alias:
    """One name of `aliases.yaml`."""

    name: str
    target: ObjectSpec
    """The run spec and its arguments; the user's arguments replace them."""

    also: tuple[str, ...] = ()
    """Further names."""

    all_of: tuple[str, ...] = ()
    """Parameters of the run spec for which every choice is run unless the user names a value."""

    note: str = ""

    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)

    def entry(self) -> str:
        """Return the run entry that the name stands for; `*` is every value of an argument."""
        args = [f"{key}={value}" for key, value in self.target.args.items()]
        args += [f"{key}=*" for key in self.all_of]
        return self.target.class_name + (f":{','.join(args)}" if args else "")


@dataclass(frozen=True)
class _Table:
    by_folded: dict[str, Alias] = field(default_factory=dict)
    aliases: tuple[Alias, ...] = ()
    missing: tuple[str, ...] = ()
    why_missing: str = ""


def fold(name: str) -> str:
    """Return a name without the differences in spelling that do not matter: `MMLU-Pro` and `mmlu_pro` are one name."""
    folded = name.casefold().translate(_PUNCTUATION)
    return f"{folded[:-1]}plus" if folded.endswith("+") else folded


@cache
def _table() -> _Table:
    from helm.common.files import load_yaml

    path = os.path.join(os.path.dirname(__file__), "aliases.yaml")
    raw = load_yaml(path)
    aliases = tuple(_read_alias(name, value) for name, value in raw["aliases"].items())
    by_folded: dict[str, Alias] = {}
    for alias in aliases:
        for name in alias.names():
            other = by_folded.setdefault(fold(name), alias)
            if other is not alias:
                raise ConfigError(f"{path}: '{name}' is a name of both {other.name} and {alias.name}.")
    missing = raw["no_scenario"]
    return _Table(by_folded, aliases, tuple(missing["names"]), missing["reason"])


def _read_alias(name: str, raw: str | dict[str, Any]) -> Alias:
    if isinstance(raw, str):
        return Alias(name, parse_object_spec(raw))
    return Alias(
        name,
        parse_object_spec(raw["entry"]),
        tuple(raw.get("also", ())),
        tuple(raw.get("all_of", ())),
        raw.get("note", ""),
    )


def aliases() -> tuple[Alias, ...]:
    """Return all aliases, in the order of the file."""
    return _table().aliases


def names_without_scenario() -> tuple[str, ...]:
    """Return common names of data sets that this package cannot run."""
    return _table().missing


def find_alias(name: str) -> Alias | None:
    """Return the alias of that name in any spelling, or None; names of run specs are not looked at."""
    return _table().by_folded.get(fold(name))


def why_missing(name: str) -> str | None:
    """Return what to do without the data set of a common name, or None for any other name."""
    table = _table()
    folded = fold(name)
    return table.why_missing if any(fold(missing) == folded for missing in table.missing) else None


def expand_names(spec: ObjectSpec) -> list[ObjectSpec]:
    """Return the run entries that a run entry stands for: itself, unless its name is an alias or another spelling.

    A name of a run spec, including those of plugins, stands for itself. Arguments of the entry replace those of the alias. An
    unknown name is returned as it is.
    """
    from helm.benchmark.run_spec import get_run_spec_function

    if spec.class_name == "lm_eval" and spec.args.get("task") and not spec.args.get("group"):
        return _expand_library_tasks(spec)
    if get_run_spec_function(spec.class_name, search_all=False) is not None:
        return [spec]
    alias = find_alias(spec.class_name)
    if alias is None:
        if get_run_spec_function(spec.class_name) is not None:
            return [spec]
        name = _respelled(spec.class_name)
        return [replace(spec, class_name=name) if name else spec]
    target = alias.target
    fixed = {**target.args, **spec.args}
    open_names = [name for name in alias.all_of if name not in spec.args]
    choices = [_choices(target.class_name, name) for name in open_names]
    return [
        ObjectSpec(target.class_name, {**dict(zip(open_names, values, strict=True)), **fixed})
        for values in itertools.product(*choices)
    ]


def _expand_library_tasks(spec: ObjectSpec) -> list[ObjectSpec]:
    """Return an entry for each task that a group, tag or pattern of lm-evaluation-harness stands for."""
    from helm.benchmark.lm_eval.task_library import find_library

    name = str(spec.args["task"])
    return [
        replace(spec, args={**spec.args, "task": one.name, **({"group": name} if one.changes else {})})
        for one in find_library().expand(name)
    ]


def _respelled(name: str) -> str | None:
    """Return the run spec whose name differs from `name` in spelling only; None if there is none, or several."""
    from helm.benchmark.run_spec import get_run_spec_function_names

    folded = fold(name)
    found = [known for known in get_run_spec_function_names() if fold(known) == folded]
    return found[0] if len(found) == 1 else None


def _choices(run_spec_name: str, parameter: str) -> list[Any]:
    from helm.benchmark.declarative import catalogue
    from helm.benchmark.declarative.parameters import choices_of

    choices = choices_of(catalogue.entry(run_spec_name), parameter)
    if not choices:
        raise ConfigError(f"aliases.yaml: {parameter} of {run_spec_name} has no choices.")
    return [parse_arg_value(str(choice)) for choice in choices]  # as a run entry gives them


# ---- Suggestions


def argument_values() -> Iterator[tuple[str, str]]:
    """Yield each value that an argument of an entry may have, with the entry `NAME:ARGUMENT=VALUE`.

    Reads all files of the catalogue that mention choices.
    """
    from helm.benchmark.declarative import catalogue
    from helm.benchmark.declarative.parameters import choices_of

    for file in catalogue.entries(naming="choices"):
        if file.entry.run is None:
            continue
        for name in file.entry.params:
            for value in choices_of(file, name) or ():
                if isinstance(value, str) and not value.isdigit():
                    yield value, f"{file.name}:{name}={value}"


def suggest_run_spec(name: str) -> str:
    """Return what a user who typed an unknown name may have meant, as a sentence, or an empty string.

    Names of run specs, aliases and values of arguments are candidates, in this order of preference.
    """
    from helm.benchmark.run_spec import get_run_spec_function_names

    folded = fold(name)
    values: dict[str, str] = {}
    for value, entry in argument_values():
        values.setdefault(fold(value), entry)
    if folded in values:
        return f" Did you mean '{values[folded]}'?"
    known: Mapping[str, None] = dict.fromkeys(
        [*get_run_spec_function_names(), *(other for alias in aliases() for other in alias.names())]
    )
    close = nearest(name, known, cutoff=_LIKE_A_VALUE)
    if close is None:
        like = nearest(folded, values, cutoff=_LIKE_A_VALUE)
        if like is not None:
            return f" Did you mean '{values[like]}'?"
    return suggest(name, known)
