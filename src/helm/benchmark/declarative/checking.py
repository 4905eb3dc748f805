"""Checks that types cannot express: names that must exist, mutually exclusive keys, texts that must be parsable."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from helm.benchmark.declarative.conditions import equal
from helm.benchmark.declarative.entry import (
    Answers,
    Correct,
    Entry,
    Metric,
    Options,
    PassageQuestion,
    Run,
    SplitBy,
)
from helm.benchmark.declarative.entry_parts import Let, LetCall, LetCase, LetText
from helm.benchmark.declarative.entry_rows import Field, Filter, Media, Step, Test, When
from helm.benchmark.declarative.json_paths import select_records
from helm.benchmark.declarative.parameters import SCENARIO_KEYS, convert_argument, names_used
from helm.benchmark.declarative.reading import EntryFile, Path
from helm.benchmark.declarative.templates import TemplateError, columns_of
from helm.benchmark.declarative.value_functions import check_functions
from helm.common.errors import ConfigError, suggest

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_SPLITS = ("train", "valid", "test")
_STEP_KEYS = tuple(
    field.encode_name for field in msgspec.structs.fields(Step) if field.name not in ("splits", "when", "unless")
)


def check_entry(file: EntryFile) -> None:
    """Check an entry. Raises: EntryError for the first error found."""
    entry = file.entry
    if not _NAME.fullmatch(entry.name):
        raise file.error(("name",), f"'{entry.name}' is not a valid name: use only letters, digits, '_', '-' and '.'.")
    if entry.run is None and entry.source is None and not entry.unavailable:
        raise file.error((), "an entry needs `run` (a run spec function), `source` (a scenario) or both.")
    _check_params(file)
    _check_variables(file)
    if entry.source is not None:
        _check_source(file)
        _check_instances(file)
    elif any(key in file.data for key in ("input", "references", "fields", "filter", "steps")):
        raise file.error((), "`input`, `references`, ... need a `source` of rows.")
    if entry.run is not None:
        _check_run(file, entry.run)


# ---- Parameters and `${...}`


def _check_params(file: EntryFile) -> None:
    own = file.entry.scenario.params if file.entry.scenario is not None else {}
    for name, param in own.items():
        if param.default is UNSET or name in file.entry.params:
            why = "needs a default" if param.default is UNSET else "is a parameter of the run already"
            raise file.error(("scenario", "params", name), f"'{name}' {why}.", at_key=True)
    for name, param in file.entry.params.items():
        if not name.isidentifier():
            raise file.error(("params", name), f"'{name}' is not a valid name for an argument.", at_key=True)
        if isinstance(param.choices, str):
            file.table(param.choices, ("params", name, "choices"))
        if param.table is not None:
            file.table(param.table, ("params", name, "table"))
        if param.default is not UNSET and param.default is not None:
            try:
                converted = convert_argument(file, name, param.default, "The default")
            except ConfigError as e:
                raise file.error(("params", name, "default"), str(e)) from e
            if param.type != "any" and not equal(converted, param.default):
                raise file.error(("params", name, "default"), f"{param.default!r} is no {param.type}.")


def _check_variables(file: EntryFile) -> None:
    """Check that every `${name}` and every `when` refers to an existing name."""
    entry = file.entry
    for name in entry.let:
        if name in entry.params:
            raise file.error(("let", name), f"'{name}' is already a parameter.", at_key=True)
        _check_let(file, name, entry.let[name])
    shared = {*entry.let, *entry.tables, *entry.fetched}
    run_names = {*entry.params, *shared}
    own_args = entry.scenario.args if entry.scenario is not None else None
    own_params = entry.scenario.params if entry.scenario is not None else {}
    scenario_names = {*(own_args if own_args is not None else entry.params), *own_params, *shared}
    each = {name for _, names in _each_names(file.data) for name in names}
    for key, value in file.data.items():
        known = (
            scenario_names | each if key in SCENARIO_KEYS else run_names | (scenario_names if key == "let" else set())
        )
        for path, name in _variables(value, (key,)):
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise file.error(
                    path, f"'${{{name}}}': there is no '{name}'. Known here: {listed}.{suggest(name, known)}"
                )


def _check_let(file: EntryFile, name: str, rule: Any) -> None:
    path: Path = ("let", name)
    if isinstance(rule, list):
        for i, item in enumerate(rule):
            case = file.convert(item, LetCase, path + (i,))
            if (case.else_ is UNSET) == (case.when is None) or (case.when is not None and case.then is UNSET):
                raise file.error(
                    path + (i,), "a case has the form `{when: {name: value}, then: value}` or `{else: value}`."
                )
    elif isinstance(rule, Mapping) and "table" in rule:
        file.table(file.convert(rule, Let, path).table, path + ("table",))
    elif isinstance(rule, Mapping) and "call" in rule:
        file.convert(rule, LetCall, path)
    elif isinstance(rule, Mapping) and "do" in rule:
        _check_do(file, file.convert(rule, LetText, path).do, path)


def _each_names(data: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    source = data.get("source")
    for i, item in enumerate(source.get("files") or [] if isinstance(source, Mapping) else []):
        if isinstance(item, Mapping) and isinstance(item.get("each"), Mapping):
            yield i, [str(name) for name in item["each"]]


def _variables(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield (where, name) for each `${name}` and each name in `when` and `unless`."""
    if isinstance(value, str):
        for name in names_used(value):
            yield path, name
        if value.count("${") and value.count("${") > value.count("}"):
            yield path, value  # a brace that is not closed is reported as an unknown name
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _variables(item, path + (key,))
        for key in ("when", "unless"):
            condition = value.get(key)
            if isinstance(condition, Mapping):
                for name in [condition["param"]] if "param" in condition else condition:
                    yield path + (key,), str(name)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _variables(item, path + (i,))


# ---- Rows


def _one_of(file: EntryFile, path: Path, given: Mapping[str, Any], keys: Sequence[str], what: str) -> str:
    found = [key for key in keys if given.get(key) not in (None, UNSET)]
    if len(found) != 1:
        raise file.error(path, f"{what} has exactly one of {', '.join(keys)}, not {', '.join(found) or 'none'}.")
    return found[0]


def _names(part: msgspec.Struct) -> dict[str, Any]:
    """Return the values of a part by the keys of the file."""
    return {
        key: getattr(part, name)
        for key, name in zip(part.__struct_encode_fields__, part.__struct_fields__, strict=True)
    }


def _check_source(file: EntryFile) -> None:
    entry = file.entry
    source = entry.source
    assert source is not None
    _one_of(file, ("source",), _names(source), ("files", "folders", "hf", "rows"), "a source")
    for path, records in _records(entry):
        try:
            select_records(None, records)
        except ValueError as e:
            raise file.error(path, f"{e}. Expected a path such as $.data[*].") from e
        except LookupError:
            pass
    for i, one in enumerate(source.files or []):
        where: Path = ("source", "files", i)
        if bool(one.file) == (one.path is not None):
            raise file.error(
                where, "a file needs `file` (inside the scenario's cache folder) or `path` (on this machine)."
            )
        _check_split_name(file, where + ("split",), one.split)
        if one.each is not None and len(one.each) != 1:
            raise file.error(where + ("each",), "`each` has one name.")
    for hub in source.hf if isinstance(source.hf, list) else [source.hf] if source.hf else []:
        for key, split in hub.splits.items() if isinstance(hub.splits, dict) else []:
            _check_split_name(file, ("source", "hf", "splits", key), split)


def _records(entry: Entry) -> Iterator[tuple[Path, str]]:
    if entry.records is not None and "${" not in entry.records:
        yield ("records",), entry.records
    for i, one in enumerate((entry.source.files or []) if entry.source else []):
        if one.records is not None and "${" not in one.records:
            yield ("source", "files", i, "records"), one.records


def _check_split_name(file: EntryFile, path: Path, split: str | None) -> None:
    if split is not None and "${" not in split and split not in _SPLITS:
        raise file.error(path, f"a split must be train, valid or test, not '{split}'.{suggest(split, _SPLITS)}")


# ---- Instances


def _check_instances(file: EntryFile) -> None:
    entry = file.entry
    if entry.input is None and entry.messages is None:
        raise file.error((), "the key 'input' is missing (a text over columns), or 'messages'.")
    if isinstance(entry.input, PassageQuestion):
        if entry.messages is not None:
            raise file.error(("input",), "together with 'messages' it must be a text.")
        for key in ("passage", "question", "passage_prefix", "question_prefix"):
            _check_text(file, ("input", key), getattr(entry.input, key))
    elif isinstance(entry.input, list):
        for i, part in enumerate(entry.input):
            _check_text(file, ("input", i), part)
    else:
        _check_text(file, ("input",), entry.input)
    for key in ("sub_split", "id"):
        _check_text(file, (key,), getattr(entry, key))
    if isinstance(entry.split, SplitBy):
        for value, split in (entry.split.map or {}).items():
            _check_split_name(file, ("split", "map", value), split)
        _check_split_name(file, ("split", "default"), entry.split.default)
    else:
        _check_split_name(file, ("split",), entry.split)
    for i, step in enumerate(entry.steps):
        _check_step(file, step, ("steps", i))
    _check_filters(file, entry.filter, ("filter",))
    for name, field in entry.fields.items():
        _check_field(file, field, ("fields", name))
    for name, media in entry.media.items():
        _check_media(file, media, ("media", name))
    for name, extra in (entry.extra_data or {}).items():
        if isinstance(extra, Field):
            _check_field(file, extra, ("extra_data", name))
    _check_references(file, entry)


def _check_step(file: EntryFile, step: Step, path: Path) -> None:
    kind = _one_of(file, path, _names(step), _STEP_KEYS, "a step")
    if kind == "filter" and step.filter is not None:
        _check_filters(file, step.filter, path + ("filter",))
    if step.fields is not None:
        for name, field in step.fields.items():
            _check_field(file, field, path + ("fields", name))
    for name, media in (step.media or {}).items():
        _check_media(file, media, path + ("media", name))
    if step.unnest is not None:
        _one_of(file, path + ("unnest",), _names(step.unnest), ("list", "dict"), "unnest")
    if step.sample is not None:
        _one_of(file, path + ("sample",), _names(step.sample), ("n", "fraction"), "a sample")
    if step.assign_split is not None:
        keys = ("fraction", "first", "last", "rows", "sampled", "train_test_split")
        rule = _one_of(file, path + ("assign_split",), _names(step.assign_split), keys, "assign_split")
        if rule != "train_test_split":
            for split in getattr(step.assign_split, rule):
                if split != "seed":
                    _check_split_name(file, path + ("assign_split", rule, split), split)
        _check_split_name(file, path + ("assign_split", "rest"), step.assign_split.rest)


def _check_filters(file: EntryFile, filters: Any, path: Path) -> None:
    if isinstance(filters, Filter):
        _check_filter(file, filters, path)
    else:
        for i, rule in enumerate(filters):
            _check_filter(file, rule, path + (i,))


def _check_filter(file: EntryFile, rule: Filter, path: Path) -> None:
    if rule.any is not None:
        for i, test in enumerate(rule.any):
            _check_test(file, test, path + ("any", i), needs_field=True)
    else:
        _check_test(file, rule, path, needs_field=True)


_CONDITIONS = (
    "eq", "ne", "in", "not_in", "gte", "gt", "lte", "lt", "not_null", "not_empty", "not_blank", "starts_with",
    "contains", "not_contains", "matches",
)  # fmt: skip


def _check_test(file: EntryFile, test: Test, path: Path, needs_field: bool) -> None:
    if needs_field and test.field is None:
        raise file.error(path, "the key 'field' is missing: the column that the condition checks.")
    values = _names(test)
    if all(values[key] in (None, UNSET) for key in _CONDITIONS) and test.eq is UNSET:
        raise file.error(path, f"a condition is missing: one of {', '.join(_CONDITIONS)}.")
    for key in ("gte", "gt", "lte", "lt"):
        bound = values[key]
        if isinstance(bound, str) and "${" not in bound:
            raise file.error(path + (key,), f"expected a number, got '{bound}'.")
    for key in ("in", "not_in"):
        if isinstance(values[key], str) and "${" not in values[key]:
            file.table(values[key], path + (key,))
    _check_pattern(file, path + ("matches",), test.matches)
    _check_do(file, test.do, path)


def _check_pattern(file: EntryFile, path: Path, pattern: str | None) -> None:
    if pattern is None or "${" in pattern:
        return
    try:
        re.compile(pattern)
    except re.error as e:
        raise file.error(path, f"'{pattern}' is not a regular expression: {e}.") from e


_FIELD_STARTS = ("from", "text", "value", "labelled")


def _check_field(file: EntryFile, field: Any, path: Path) -> None:
    if not isinstance(field, Field):
        _check_text(file, path, str(field))
        return
    given = _names(field)
    if field.when is None or any(given[key] not in (None, UNSET) for key in _FIELD_STARTS):
        _one_of(file, path, given, _FIELD_STARTS, "a field")
    _check_text(file, path + ("text",), field.text)
    _check_do(file, field.do, path)
    for i, case in enumerate(field.when or []):
        _check_case(file, case, path + ("when", i))


def _check_media(file: EntryFile, media: Media, path: Path) -> None:
    if media.from_ is None:
        _one_of(file, path, _names(media), ("file", "path"), "media without `from` (a column with content)")
    if (media.from_ is not None or media.path is not None) and (media.url is not None or media.restricted):
        raise file.error(path, "`url` and `restricted` are for `file` alone, a path in the scenario's cache folder.")
    if media.from_ is not None and media.path is not None:
        raise file.error(path, "a content has `from`, and `file` for its name, but no `path`.")
    if media.convert is not None and (media.from_ is not None or media.path is not None):
        raise file.error(
            path, "`convert` names the file from which `file` is made; it goes with neither `from` nor `path`."
        )
    if media.segment is not None and len(media.segment) != 2:
        raise file.error(path + ("segment",), "a segment has a begin and an end, in milliseconds.")
    for key in ("file", "path", "url", "type", "convert"):
        _check_text(file, path + (key,), getattr(media, key))
    for i, text in enumerate(media.segment or []):
        _check_text(file, path + ("segment", i), text)


def _check_case(file: EntryFile, case: When, path: Path) -> None:
    if case.else_ is not UNSET:
        if isinstance(case.else_, str):
            _check_text(file, path + ("else",), case.else_)
        return
    if case.then is UNSET:
        raise file.error(path, "the key 'then' is missing (or 'else').")
    _check_test(file, case, path, needs_field=False)
    if isinstance(case.then, str):
        _check_text(file, path + ("then",), case.then)


def _check_do(file: EntryFile, functions: Sequence[Any], path: Path) -> None:
    problem = check_functions(functions)
    if problem is not None:
        raise file.error(path + ("do", problem[0]), problem[1])


def _check_text(file: EntryFile, path: Path, text: str | None) -> None:
    if text is None:
        return
    try:
        columns_of(re.sub(r"\$\{[^{}]*\}", "", text))
    except TemplateError as e:
        raise file.error(path, str(e)) from e


def _check_references(file: EntryFile, entry: Entry) -> None:
    rules = entry.references
    if rules is None:
        if entry.correct is not None:
            raise file.error(("correct",), "`correct` says which option is correct, but there are no `references`.")
        return
    some = [key for key in ("options", "answers", "carriers", "tagged") if getattr(rules, key) is not None]
    if rules.none == bool(some):
        raise file.error(("references",), "references need options, answers, carriers or tagged, or `none: true`.")
    if rules.options is not None:
        _check_options(file, rules.options)
    if isinstance(rules.answers, Answers):
        if rules.answers.from_ is None and rules.answers.texts is None:
            raise file.error(("references", "answers"), "answers need `from` (columns) or `texts`.")
        _check_do(file, rules.answers.do, ("references", "answers"))
        for i, text in enumerate(rules.answers.texts or []):
            _check_text(file, ("references", "answers", "texts", i), text)
    if rules.carriers is not None:
        _check_do(file, rules.carriers.do, ("references", "carriers"))
        for i, text in enumerate(rules.carriers.texts or []):
            _check_text(file, ("references", "carriers", "texts", i), text)
    if entry.correct is not None:
        _check_correct(file, entry.correct, rules.options)


def _check_options(file: EntryFile, options: Options) -> None:
    path: Path = ("references", "options")
    _one_of(file, path, _names(options), ("from", "list", "dict", "slice", "texts"), "options")
    if options.slice is not None and len(options.slice) != 2:
        raise file.error(path + ("slice",), "a slice is [first, end].")
    for i, text in enumerate(options.texts if isinstance(options.texts, list) else []):
        _check_text(file, path + ("texts", i), text)
    _check_do(file, options.do, path)


def _check_correct(file: EntryFile, correct: Correct, options: Options | None) -> None:
    if options is None:
        raise file.error(("correct",), "`correct` says which option is correct, but there are no `references.options`.")
    if (correct.field is None) == (correct.value is UNSET):
        raise file.error(("correct",), "`correct` needs `field` (a column) or `value`.")
    _check_do(file, correct.do, ("correct",))


# ---- The run


def _check_run(file: EntryFile, run: Run) -> None:
    entry = file.entry
    cases: list[tuple[Path, Any]] = [(("run", "cases", i), case) for i, case in enumerate(run.cases)]
    classes = [
        part for part in (entry.scenario, run.scenario, *(case.scenario for _, case in cases)) if part is not None
    ]
    if entry.source is None and not entry.unavailable and not any(part.class_ for part in classes):
        raise file.error(
            ("run",), "an entry without `source` must name the class of its scenario: `scenario: {class: ...}`."
        )
    _check_adapter(file, ("run", "adapter"), run.adapter, str(run.adapter.get("preset", "none")))
    preset = str(run.adapter.get("preset", "none"))
    for path, case in cases:
        if (case.when is None) == (case.unless is None):
            raise file.error(path, "a case needs `when` or `unless`: the values of parameters for which it applies.")
    for path, part in [(("run",), run), *cases]:
        if path != ("run",) and part.adapter is not None:
            _check_adapter(file, path + ("adapter",), part.adapter, str(part.adapter.get("preset", preset)))
        for i, metric in enumerate(part.metrics or []):
            _check_metric(file, path + ("metrics", i), metric)


def _check_adapter(file: EntryFile, path: Path, adapter: Mapping[str, Any], preset: str) -> None:
    from helm.benchmark.declarative.recipe import PRESETS, adapter_arguments

    if "${" in preset:
        return
    if preset not in PRESETS:
        known = ", ".join(PRESETS)
        raise file.error(
            path + ("preset",), f"there is no preset '{preset}'. Presets: {known}.{suggest(preset, PRESETS)}"
        )
    known_arguments = adapter_arguments(preset)
    for key in adapter:
        if key != "preset" and key not in known_arguments:
            raise file.error(
                path + (key,),
                f"the preset '{preset}' has no argument '{key}', and AdapterSpec has no such field."
                f"{suggest(key, known_arguments)}",
                at_key=True,
            )


def _check_metric(file: EntryFile, path: Path, metric: Any) -> None:
    from helm.benchmark.declarative.recipe import METRIC_BUNDLES

    if isinstance(metric, Metric):
        _one_of(file, path, _names(metric), ("class", "basic", "basic_generation", "bundle"), "a metric")
    name = metric.bundle if isinstance(metric, Metric) else metric
    if name is not None and name not in METRIC_BUNDLES and "${" not in name:
        raise file.error(
            path,
            f"there is no bundle of metrics '{name}'. Bundles: {', '.join(METRIC_BUNDLES)}. "
            f"A single metric is {{class: ...}}.{suggest(name, METRIC_BUNDLES)}",
        )
