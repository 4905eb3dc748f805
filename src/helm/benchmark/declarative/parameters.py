"""Parameters of an entry: their values, converted and checked; and everything that `${...}` may refer to."""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET

from helm.benchmark.declarative.conditions import as_bool, equal, matches_parameters
from helm.benchmark.declarative.entry_parts import Fetched, Let, LetCall, LetCase, LetText, Param
from helm.benchmark.declarative.reading import EntryFile
from helm.benchmark.declarative.templates import Placeholder, TemplateError, Variables
from helm.benchmark.declarative.value_functions import Context, compile_functions
from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name

_ROOT = re.compile(r"\$\{\s*([^${}.\s]+)")
_ANNOTATIONS: dict[str, Any] = {"str": str, "int": int, "float": float, "bool": bool, "any": Any}


def signature_of(names: Iterable[str], params: Mapping[str, Param], return_type: Any) -> inspect.Signature:
    """Return the signature of a function with these parameters; those without a default come first."""
    parameters = [_parameter(name, params.get(name, Param(type="any"))) for name in names]
    parameters.sort(key=lambda parameter: parameter.default is not inspect.Parameter.empty)
    return inspect.Signature(parameters, return_annotation=return_type)


def _parameter(name: str, param: Param) -> inspect.Parameter:
    default = inspect.Parameter.empty if param.default is UNSET else param.default
    annotation = _ANNOTATIONS[param.type]
    if default is None and annotation is not Any:
        annotation = annotation | None
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)


def all_params(file: EntryFile) -> dict[str, Param]:
    """Return the parameters of the run and those that only the scenario's constructor has."""
    scenario = file.entry.scenario
    return {**(scenario.params if scenario is not None else {}), **file.entry.params}


def choices_of(file: EntryFile, name: str) -> list[Any] | None:
    """Return the allowed values of a parameter. None means any."""
    choices = all_params(file)[name].choices
    if isinstance(choices, str):
        return list(file.table(choices, ("params", name, "choices")))
    return choices


def convert_argument(file: EntryFile, name: str, value: Any, what: str) -> Any:
    """Convert a value to the parameter's type. Raises: ConfigError that names `what` takes it."""
    param = all_params(file).get(name)
    if param is None:
        return value
    if value is None and (param.default is None or param.default is UNSET):
        return None
    converted = _convert(param.type, value)
    if converted is None:
        wanted = {"int": "a whole number", "float": "a number", "bool": "true or false"}.get(param.type, "a text")
        raise ConfigError(f"{what}: argument '{name}' takes {wanted}, not {value!r}.")
    if isinstance(converted, str) and "${" in converted:
        raise ConfigError(f"{what}: argument '{name}' must not contain '${{'.")
    choices = choices_of(file, name)
    if choices is not None and not any(equal(converted, choice) for choice in choices):
        texts = [str(choice) for choice in choices]
        shown = ", ".join(texts[:20]) + (f" ... ({len(texts)} values)" if len(texts) > 20 else "")
        raise ConfigError(
            f"{what}: argument '{name}' takes {shown}, not '{converted}'.{suggest(str(converted), texts)}"
        )
    return converted


def shown_argument(param: Param, value: Any, converted: Any) -> Any:
    """Return how a RunSpec shows an argument; see `Param.as_given`."""
    if isinstance(value, str):
        return value if "text" in param.as_given and converted is True else converted
    return value if "number" in param.as_given else converted


def _convert(kind: str, value: Any) -> Any:
    """Return the value as a str, int, float or bool; None if it cannot be converted."""
    if kind == "any":
        return value
    if kind == "str":
        return value if isinstance(value, str) else str(value)
    if kind == "bool":
        return as_bool(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if kind == "float":
        return value if type(value) in (int, float) else number
    if isinstance(value, bool) or number != number or number in (float("inf"), float("-inf")) or number != int(number):
        return None
    return int(value) if not isinstance(value, float) else int(number)


# ---- Everything that `${...}` may refer to


def make_variables(file: EntryFile, values: Mapping[str, Any], fetch_text: Callable[[str, Fetched], str]) -> Variables:
    """Collect the values of parameters, and those defined by `let`, `tables` and `fetched`.

    `fetch_text(name, fetched)` returns the path of a downloaded file, or a Placeholder.
    """
    entry = file.entry

    def lookup(name: str, value: Any) -> Any:
        param = all_params(file).get(name)
        if param is None or param.table is None:
            raise TemplateError(f"'${{{name}.lookup}}': the parameter '{name}' names no table.")
        table = file.table(param.table, ("params", name, "table"))
        if str(value) not in table:
            raise TemplateError(
                f"the table '{param.table}' has no '{value}'.{suggest(str(value), [str(key) for key in table])}"
            )
        return table[str(value)]

    deferred: dict[str, Callable[[], Any]] = {}
    for name in entry.tables:
        deferred[name] = lambda name=name: file.table(name, ("tables", name))  # type: ignore[misc]
    for name, fetched in entry.fetched.items():
        deferred[name] = lambda name=name, fetched=fetched: _parsed(fetch_text(name, fetched), name, fetched)  # type: ignore[misc]
    variables = Variables(values, lookup, deferred)
    for name, rule in entry.let.items():
        if name not in values:
            variables.defer(name, lambda name=name, rule=rule: _let(file, name, rule, variables))  # type: ignore[misc]
    return variables


def _parsed(path: str, name: str, fetched: Fetched) -> Any:
    if isinstance(path, Placeholder):
        return path
    from helm.common.data.tables import read_table
    from helm.common.files import load_yaml

    if fetched.format == "yaml":
        return load_yaml(path)
    return read_table(path, fetched.format)


def _let(file: EntryFile, name: str, rule: Any, variables: Variables) -> Any:
    """Compute the value of a derived name."""
    path = ("let", name)
    if isinstance(rule, list):
        for i, item in enumerate(rule):
            case = file.convert(item, LetCase, path + (i,))
            if case.else_ is not UNSET:
                return variables.fill_all(case.else_)
            if case.when is not None and matches_parameters(case.when, variables):
                return variables.fill_all(case.then)
        raise TemplateError(f"'{name}': no case of `let` fits, and there is no `else`.")
    if isinstance(rule, Mapping) and "table" in rule:
        let = file.convert(rule, Let, path)
        table, key = file.table(let.table, path + ("table",)), str(variables.fill(let.key))
        by_text = {str(item): value for item, value in table.items()}
        if key in by_text:
            return variables.fill_all(by_text[key])
        if let.default is UNSET:
            raise TemplateError(f"the table '{let.table}' has no '{key}'.{suggest(key, by_text)}")
        return variables.fill_all(let.default)
    if isinstance(rule, Mapping) and "call" in rule:
        called = file.convert(rule, LetCall, path)
        return get_class_by_name(called.call)(**variables.fill_all(called.args))
    if isinstance(rule, Mapping) and "do" in rule:
        derived = file.convert(rule, LetText, path)
        context = Context({}, lambda table: file.table(table, path))
        return compile_functions(derived.do, context)(variables.fill(derived.text))
    return variables.fill_all(rule)


def names_used(value: Any) -> set[str]:
    """Return the names in `${...}`, anywhere in a value, and the parameters in `when` and `unless`."""
    found: set[str] = set()
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if "${" in item:
                found.update(_ROOT.findall(item))
        elif isinstance(item, Mapping):
            pending.extend(item.values())
            pending.extend(key for key in item if isinstance(key, str))
            for key in ("when", "unless"):
                condition = item.get(key)
                if isinstance(condition, Mapping):
                    found.update([str(condition["param"])] if "param" in condition else map(str, condition))
        elif isinstance(item, list):
            pending.extend(item)
    return found


SCENARIO_KEYS = (
    "source", "records", "steps", "filter", "fields", "media", "input", "messages", "references", "correct", "split", "sub_split",
    "id", "extra_data", "extra_data_splits", "metadata",
)  # fmt: skip
"""The keys of an entry that describe the instances."""


def scenario_argument_names(file: EntryFile) -> list[str]:
    """Return the names of the scenario constructor's arguments.

    These are those of `scenario.args`; else all parameters of an entry without a run, or those that the scenario's part
    uses.
    """
    own = list(file.entry.scenario.params) if file.entry.scenario is not None else []
    return [*run_argument_names(file), *own]


def run_argument_names(file: EntryFile) -> list[str]:
    """Return the constructor arguments that run specs contain."""
    entry = file.entry
    if entry.scenario is not None and entry.scenario.args is not None:
        return list(entry.scenario.args)
    if entry.run is None:
        return list(entry.params)
    used = names_used({key: file.data.get(key) for key in SCENARIO_KEYS})
    pending = list(used)
    while pending:
        name = pending.pop()
        more = names_used({"let": entry.let.get(name), "fetched": file.data.get("fetched", {}).get(name)})
        pending.extend(more - used)
        used |= more
    return [name for name in entry.params if name in used]


def fetch_to(folder: str, scenario_part: bool) -> Callable[[str, Fetched], str]:
    """Return a `fetch_text` for `make_variables` that keeps files in a scenario's cache folder."""

    def fetch(name: str, fetched: Fetched) -> str:
        from helm.common.data.data_session import current_survey
        from helm.common.data.downloads import ensure_downloaded

        file_name = fetched.file or os.path.basename(fetched.url.partition("?")[0])
        if scenario_part and fetched.scenario_file is not None:
            file_name = fetched.scenario_file
        path = os.path.join(folder, file_name)
        ensure_downloaded(fetched.url, path, sha256=fetched.sha256, mirrors=fetched.mirrors)
        survey = current_survey()
        if survey is not None and survey.is_empty(path):  # a survey only records what is missing
            return Placeholder(f"<{name}: {fetched.url}>")
        return path

    return fetch
