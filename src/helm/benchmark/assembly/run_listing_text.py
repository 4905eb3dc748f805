"""The texts of `helm-run --list [TEXT]` and `helm-run --describe NAME`."""

import inspect
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from helm.benchmark.assembly.run_listing import NO, TEXT, Argument, RunDescription, describe, example_arguments, look_up
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.benchmark.catalogue.names import Alias

# Wider than 80 because names of run specs are long; still fits half of a common screen.
_WIDTH = 110
_SHORTEST_VALUE = 3
_MOST_VALUES = 5


def list_run_specs(text: str = "", modality: str | None = None) -> str:
    """Format a table of the run specs that have `text` in their name, suite, description or a value of an argument.

    Aliases and suites that have it follow. Case is ignored, and so is punctuation in names. `suites` stands for all suites.

    Args:
        text: part of what is looked for.
        modality: one of MODALITIES, which the prompts must hold; then there are only run specs in the table.

    Raises: ConfigError when there is none.
    """
    from tabulate import tabulate

    from helm.benchmark.catalogue.names import suggest_run_spec
    from helm.benchmark.run_expander import RUN_EXPANDERS
    from helm.benchmark.run_spec import get_run_spec_function_names

    if text.casefold() == "suites" and modality is None:
        return _all_suites()
    names = get_run_spec_function_names()
    matching = _matching_aliases(text) if modality is None else []
    named = {alias.target.class_name for alias in matching} if text else set()
    rows: dict[str, list[list[str]]] = {}
    for name in names:
        found = look_up(name)
        if modality is not None and modality not in (found.modalities or {TEXT}):
            continue
        where = "" if name in named else _where(text, found)
        if where is not None:
            arguments = _arguments_text(found.arguments)
            first = "".join(found.text.splitlines()[:1])
            why = f" ({found.reasons[0]})" if found.status == NO else ""
            rows.setdefault(found.suite, []).append([name + arguments, first + where, found.status + why])
    if not rows and modality is not None:
        raise ConfigError(f"No run spec with {modality} in its prompts has '{text}' in its name or description.")
    others = [*_alias_lines(text, matching), *_suite_lines(text)] if modality is None else []
    if not rows and not others:
        raise ConfigError(f"No run spec has '{text}' in its name or description.{suggest_run_spec(text)}")
    blocks = []
    for suite in sorted(rows):
        header = [suite, "", "runs here"]
        blocks.append(tabulate(rows[suite], headers=header, tablefmt="plain", maxcolwidths=[44, 50, 44]))
    number = sum(len(block) for block in rows.values())
    return "\n\n".join(
        [
            *blocks,
            *others,
            textwrap.fill(f"Every run entry also takes: {', '.join(RUN_EXPANDERS)}", _WIDTH),
            f"{number} run spec{'' if number == 1 else 's'}. More about one: helm-run --describe NAME",
        ]
    )


def _where(text: str, found: RunDescription) -> str | None:
    """Return None if nothing about a run spec has `text`, else what to say beside its description."""
    from helm.benchmark.catalogue.names import fold

    folded = fold(text)
    if text.lower() in f"{found.name} {found.suite} {found.text}".lower() or folded in fold(found.name):
        return ""
    if len(folded) < _SHORTEST_VALUE:  # nearly all short texts are part of some value
        return None
    for argument in found.arguments:
        values = [str(choice) for choice in argument.choices if folded in fold(str(choice))]
        if values:
            more = ", ..." if len(values) > _MOST_VALUES else ""
            return f" ({argument.name}={', '.join(values[:_MOST_VALUES])}{more})"
    return None


def _matching_aliases(text: str) -> "list[Alias]":
    from helm.benchmark.catalogue.names import aliases, fold

    return [alias for alias in aliases() if any(fold(text) in fold(name) for name in (*alias.names(), alias.entry()))]


def _alias_lines(text: str, matching: "list[Alias]") -> list[str]:
    """Return a table of the aliases, and a paragraph about common names that have `text` but no scenario."""
    from tabulate import tabulate

    from helm.benchmark.catalogue.names import fold, names_without_scenario, why_missing

    rows = [
        [", ".join(alias.names()), alias.entry() + (f" ({alias.note})" if alias.note else "")] for alias in matching
    ]
    blocks = (
        [tabulate(rows, headers=["other names", "stand for"], tablefmt="plain", maxcolwidths=[44, 64])] if rows else []
    )
    missing = [name for name in names_without_scenario() if text and fold(text) in fold(name)]
    if missing:
        blocks.append(textwrap.fill(f"No scenario yet: {', '.join(missing)}. {why_missing(missing[0])}", _WIDTH))
    return blocks


def _suite_lines(text: str) -> list[str]:
    """Return a table of the suites that have `text` in their name; of all, if it is empty, only the names by group."""
    from tabulate import tabulate

    from helm.benchmark.catalogue.names import fold
    from helm.benchmark.catalogue.suites import describe_suite, suite_names, suites_by_group

    if not text:
        rows = [[group, ", ".join(names)] for group, names in suites_by_group().items()]
        headers = ["suites (-c NAME)", "more: helm-run --list suites"]
        return [tabulate(rows, headers=headers, tablefmt="plain", maxcolwidths=[30, 78])]
    rows = [[f"-c {name}", describe_suite(name)] for name in suite_names() if fold(text) in fold(name)]
    return [tabulate(rows, headers=["suites", ""], tablefmt="plain", maxcolwidths=[44, 64])] if rows else []


def _all_suites() -> str:
    """Return a table of all suites with their descriptions, for each group."""
    from tabulate import tabulate

    from helm.benchmark.catalogue.suites import describe_suite, suite_entries, suites_by_group

    blocks = []
    for group, names in suites_by_group().items():
        rows = [[f"-c {name}", len(suite_entries(name)), describe_suite(name)] for name in names]
        blocks.append(tabulate(rows, headers=[group, "entries", ""], tablefmt="plain", maxcolwidths=[44, None, 54]))
    return "\n\n".join(blocks)


def _arguments_text(arguments: list[Argument]) -> str:
    """Return `:a,b [c,d]`; arguments in brackets have defaults."""
    required = [argument.name for argument in arguments if argument.default is inspect.Parameter.empty]
    others = [argument.name for argument in arguments if argument.default is not inspect.Parameter.empty]
    text = f":{','.join(required)}" if required else ""
    return text + (f" [{','.join(others)}]" if others else "")


def describe_run_spec(name: str) -> str:
    """Return the text of `--describe`. Raises: ConfigError for an unknown name."""
    found = describe(name)
    lines = [found.name, "=" * len(found.name), *found.text.splitlines(), ""]
    if found.stands_for:
        lines[2:2] = [_stands_for(found), ""]
    for argument in found.arguments:
        lines += textwrap.wrap(_argument_line(argument), _WIDTH, initial_indent="  ", subsequent_indent="      ")
    lines += [""] if found.arguments else []
    table = dict(_facts(found))
    width = max(len(key) for key in table) + 2
    for key, values in table.items():
        for i, value in enumerate(values):
            lines += textwrap.wrap(
                value,
                _WIDTH,
                initial_indent=(key if i == 0 else "").ljust(width),
                subsequent_indent=" " * width,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)


def _stands_for(found: RunDescription) -> str:
    from helm.benchmark.catalogue.names import find_alias

    alias = find_alias(found.stands_for)
    entry = alias.entry() if alias else found.name
    number = f" ({found.num_entries} runs for each model)" if found.num_entries > 1 else ""
    return f"{found.stands_for} stands for {entry}{number}."


def _argument_line(argument: Argument) -> str:
    text = f"{argument}" + (f" ({argument.type})" if argument.type else "")
    if argument.choices:
        shown = ", ".join(str(choice) for choice in argument.choices[:60])
        text += f": one of {shown}{' ...' if len(argument.choices) > 60 else ''}"
    return f"{text}. {argument.doc}" if argument.doc else text


def _facts(found: RunDescription) -> Iterator[tuple[str, list[str]]]:
    entry = found.entry
    yield "example", [f"helm-run -r {_example_entry(found)} -m 10 --suite try"]
    yield "runs here", [found.status, *found.reasons]
    if found.modalities:
        yield "prompts", [f"texts and media: {', '.join(sorted(found.modalities))}"]
    if entry is not None:
        if entry.size:
            yield "size", [", ".join(f"{split} {number}" for split, number in entry.size.items())]
        yield "licence", [entry.license or "not stated"]
        if entry.homepage:
            yield "homepage", [entry.homepage]
    if found.data:
        yield "data", found.data
    run_spec = found.run_spec
    if run_spec is not None:
        adapter = run_spec.adapter_spec
        yield "scenario", [run_spec.scenario_spec.class_name]
        yield "adapter", [f"{adapter.method}, {adapter.max_train_instances} examples, {adapter.max_tokens} tokens"]
        yield "metrics", [_spec_text(spec.class_name, spec.args) for spec in run_spec.metric_specs]
        if run_spec.annotators:
            yield "annotators", [spec.class_name for spec in run_spec.annotators]
        if found.judges:
            yield "judges", [f"{judge} (judges.yaml can name another)" for judge in dict.fromkeys(found.judges)]
        yield "groups", [", ".join(run_spec.groups)]
    if entry is not None and entry.metadata is not None:
        yield "main metric", [f"{entry.metadata.main_metric} on {entry.metadata.main_split}"]
    yield "defined in", [found.where]


def _spec_text(class_name: str, args: dict[str, Any]) -> str:
    names = args.get("names")
    return class_name + (f": {', '.join(names)}" if names else "")


def _example_entry(found: RunDescription) -> str:
    from helm.benchmark.subjects import LANGUAGE_MODEL, named_kind_of_method

    name = found.stands_for or found.name
    arguments = [] if found.stands_for else [f"{key}={value}" for key, value in example_arguments(found).items()]
    spec = found.run_spec
    kind = LANGUAGE_MODEL if spec is None else named_kind_of_method(spec.adapter_spec.method)
    subject = "gcc/Os" if found.name == "gcc" else kind.example
    return f"{name}:{','.join([*arguments, f'model={subject}'])}"
