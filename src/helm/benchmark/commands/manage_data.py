"""`helm-data`: manages the data of run entries without running them: lists, downloads, and moves them between machines."""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.commands.data_options import add_data_lock_option, add_trust_option
from helm.common.errors import ConfigError, HelmError
from helm.common.formats.number_text import format_size

if TYPE_CHECKING:
    from helm.benchmark.catalogue.scenario_data import ScenarioData
    from helm.benchmark.run_spec import RunSpec
    from helm.common.data.data_lock import DataLock
    from helm.common.data.data_session import BlockedFetch, SourceLog
    from helm.common.object_spec import ObjectSpec


HELM_PROMPTS = "helm-prompts"
"""Stands among entries for the texts of HELM in `helm.common.data.helm_prompts`."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-data`."""
    parser = SuggestingArgumentParser(
        prog="helm-data",
        description="The data of run entries, without running them. Entries are written as for helm-run; models are ignored.",
        epilog="Example: helm-data fetch gsm mmlu:subject=anatomy. Then, for a machine without a network: "
        "helm-data export data.tar gsm mmlu:subject=anatomy there, and helm-data import data.tar here.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add_command(name: str, text: str, entries: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        add = command.add_argument
        if name in ("export", "import"):
            add("bundle", metavar="FILE", help="the bundle, a tar file; compressed when it ends in .gz")
        if entries:
            add(
                "entries",
                nargs="*",
                default=[],
                metavar="ENTRY",
                help=f"run entries, for example mmlu:subject=anatomy; or {HELM_PROMPTS}: the texts for judges=helm",
            )
            add(
                "-c",
                "--conf-paths",
                nargs="+",
                default=[],
                metavar="FILE",
                help="files of run entries, or names of suites",
            )
            add(
                "--plugins",
                nargs="+",
                metavar="PLUGIN",
                help="modules or files that register run specs, as for helm-run",
            )
            add(
                "--offline",
                action="store_true",
                help="download nothing, and name what is missing (or set HELM_OFFLINE=1); check never downloads",
            )
            add("--local-path", default="prod_env", metavar="FOLDER", help="folder with credentials (%(default)s)")
            add_trust_option(command)
        add(
            "-o",
            "--output-path",
            default="benchmark_output",
            metavar="FOLDER",
            help="where data are kept (%(default)s)",
        )
        add_data_lock_option(command)
        return command

    add_command("list", "list the sources of entries, or all of the lock file")
    add_command("check", "say whether all data are here, and are those of the lock file; fetch nothing")
    fetch = add_command("fetch", "fetch what is missing")
    fetch.add_argument(
        "--update", action="store_true", help="download again, and accept what differs from the lock file"
    )
    add_command("export", "pack the data of entries into one file")
    add_command("import", "unpack such a file, checking every byte", entries=False)
    return parser


# ---- Entries


@dataclass(frozen=True)
class _Recipe:
    name: str
    """The entry, without its model arguments."""
    run_spec: "RunSpec | None"
    """The run spec. None if it cannot be built without missing texts."""
    sources: "SourceLog"
    missing: "list[BlockedFetch]"
    """Texts that it needs but that may not be downloaded."""


def _recipes(args: argparse.Namespace, may_fetch: bool) -> list[_Recipe]:
    """Return the recipe of one entry per distinct scenario. Raises: ConfigError for an invalid entry."""
    from helm.benchmark.catalogue.names import expand_names
    from helm.benchmark.presentation.run_entry import read_run_entries
    from helm.common.commands.plugins import load_entry_point_plugins
    from helm.common.object_spec import parse_object_spec

    load_entry_point_plugins()
    if args.plugins:
        from helm.benchmark.declarative.plugins import load_plugins

        load_plugins(args.plugins)
    texts = [entry.description for entry in read_run_entries(args.conf_paths).entries] if args.conf_paths else []
    found: dict[str, _Recipe] = {}
    for text in [*texts, *args.entries]:
        if text == HELM_PROMPTS:
            found[text] = _helm_prompts(may_fetch)
            continue
        try:
            for spec in expand_names(parse_object_spec(text)):
                recipe = _recipe(spec, may_fetch)
                key = repr(recipe.run_spec.scenario_spec) if recipe.run_spec else recipe.name
                found.setdefault(key, recipe)
        except Exception as e:
            e.add_note(f"(In the run entry '{text}'.)")
            raise
    if not found:
        raise ConfigError(
            f"helm-data {args.command} needs run entries, for example gsm, or a file of them (--conf-paths)."
        )
    return list(found.values())


def _helm_prompts(may_fetch: bool) -> _Recipe:
    """Return the texts of HELM, as if they were an entry. Raises: HelmError."""
    from helm.common.data.data_session import log_sources
    from helm.common.data.helm_prompts import fetch_helm_prompts, missing_helm_prompts

    with log_sources() as sources:
        if may_fetch:
            fetch_helm_prompts()
        return _Recipe(HELM_PROMPTS, None, sources, missing_helm_prompts())


def _recipe(spec: "ObjectSpec", may_fetch: bool) -> _Recipe:
    from helm.benchmark.catalogue.scenario_data import make_offline
    from helm.benchmark.run_spec_factory import construct_recipe
    from helm.common.data.data_session import log_sources

    run_spec: RunSpec | None
    missing: list[BlockedFetch] = []
    with log_sources() as sources:
        if may_fetch:
            run_spec = construct_recipe(spec)
        else:
            run_spec, missing = make_offline(lambda: construct_recipe(spec))
    return _Recipe(_name(spec), run_spec, sources, missing)


def _name(spec: "ObjectSpec") -> str:
    """Return an entry without its model arguments."""
    from helm.benchmark.run_expander import RUN_EXPANDERS
    from helm.benchmark.run_spec_factory import subject_synonyms

    about_models = (*RUN_EXPANDERS, *subject_synonyms())
    kept = [f"{key}={value}" for key, value in spec.args.items() if key not in about_models]
    return spec.class_name + (f":{','.join(kept)}" if kept else "")


# ---- Commands


def run_list(args: argparse.Namespace, lock: "DataLock", stream: TextIO) -> bool:
    """List the data; returns True."""
    if not (args.entries or args.conf_paths):
        for url, file in sorted(lock.files().items()):
            stream.write(_source_line(url, file.size_bytes, file.sha256, file.license))
        return True
    for scenario in _survey(args):
        stream.write(f"{scenario.name}\n")
        for used in scenario.sources.data_sets.values():
            where = f" ({used.configuration})" if used.configuration else ""
            license = f", {used.license}" if used.license else ""
            stream.write(
                f"  {used.name}{where} {used.split}: {used.num_rows} rows at commit {used.commit[:12]}{license}\n"
            )
        for used_file in scenario.sources.files.values():
            stream.write("  " + _source_line(used_file.url, used_file.size_bytes, used_file.sha256, used_file.license))
        for fetch in scenario.missing:
            stream.write(f"  missing: {fetch.url}\n")
    return True


def _source_line(url: str, size_bytes: int | None, sha256: str | None, license: str | None) -> str:
    parts = [format_size(size_bytes) if size_bytes is not None else "size not known"]
    parts.append(f"sha256 {sha256[:12]}" if sha256 else "not checked: it was here before")
    return f"{url}: {', '.join([*parts, *([license] if license else [])])}\n"


def _survey(args: argparse.Namespace) -> "Iterator[ScenarioData]":
    from dataclasses import replace

    from helm.benchmark.catalogue.scenario_data import ScenarioData, survey_scenario
    from helm.common.data.data_session import SourceLog

    for recipe in _recipes(args, may_fetch=False):
        data = ScenarioData(recipe.name, SourceLog())
        if recipe.run_spec is not None:
            data = survey_scenario(recipe.name, recipe.run_spec, args.output_path)
        sources = SourceLog()
        sources.add(recipe.sources)
        sources.add(data.sources)
        yield replace(data, sources=sources, missing=[*recipe.missing, *data.missing])


def run_check(args: argparse.Namespace, lock: "DataLock", stream: TextIO) -> bool:
    """Check the data; returns whether everything is present and correct."""
    ready = total = 0
    for scenario in _survey(args):
        total += 1
        ready += scenario.is_ready
        if scenario.missing:
            stream.write(f"{scenario.name}: {len(scenario.missing)} to fetch\n")
            for fetch in scenario.missing:
                stream.write(f"  {fetch.url} -> {fetch.path}\n")
            stream.write(_gate_note(scenario.name))
        elif scenario.error is not None:
            stream.write(f"{scenario.name}: {_reason(scenario.error)}\n")
        else:
            stream.write(f"{scenario.name}: ready, {_contents(scenario)}\n{_size_note(scenario)}")
    stream.write(f"{ready} of {total} ready.\n")
    return ready == total


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, HelmError) else f"{type(error).__name__}: {error}"


def _contents(scenario: "ScenarioData") -> str:
    instances = ", ".join(f"{count} {split}" for split, count in scenario.num_instances.items()) or "no"
    if scenario.name == HELM_PROMPTS:
        return _files(scenario.sources)
    if not scenario.sources.files:
        return f"{instances} instances, nothing to fetch"
    return f"{instances} instances from {_files(scenario.sources)}"


def _files(sources: "SourceLog") -> str:
    size = sum(used.size_bytes or 0 for used in sources.files.values())
    number = len(sources.files)
    return f"{number} {'files' if number > 1 else 'file'} ({format_size(size)})"


def _size_note(scenario: "ScenarioData") -> str:
    """Return a line if the catalogue expects other numbers, which it knows for entries without arguments."""
    entry = _catalogue_entry(scenario.name) if ":" not in scenario.name else None
    if entry is None or entry.size is None or scenario.num_instances == entry.size:
        return ""
    expected = ", ".join(f"{count} {split}" for split, count in sorted(entry.size.items()))
    return f"  The catalogue expects {expected}.\n"


def _gate_note(name: str) -> str:
    """Return a line if the data are only given on request, and there is no token."""
    from helm.common.data.data_addresses import hub_token

    entry = _catalogue_entry(name.partition(":")[0])
    if entry is None or entry.gated is None or hub_token() is not None:
        return ""
    return (
        f"  Gated: accept the terms at {entry.gated.page}, and give a token (HF_TOKEN, or {entry.gated.credential}).\n"
    )


def _catalogue_entry(name: str) -> Any:
    from helm.benchmark.declarative import catalogue

    found = catalogue.find(name)
    return found.entry if found else None


def run_fetch(args: argparse.Namespace, lock: "DataLock", stream: TextIO) -> bool:
    """Download the data; returns whether everything could be downloaded."""
    from helm.benchmark.catalogue.scenario_data import fetch_scenario
    from helm.common.data.data_session import current_session

    complete = True
    for recipe in _recipes(args, may_fetch=True):
        if recipe.run_spec is None:  # only the texts of HELM have none, since nothing was disabled
            stream.write(f"{recipe.name}: {_files(recipe.sources)}\n")
            continue
        try:
            scenario = fetch_scenario(recipe.name, recipe.run_spec, args.output_path)
            stream.write(f"{recipe.name}: {_contents(scenario)}\n{_size_note(scenario)}")
        except Exception as e:
            if os.environ.get("HELM_DEBUG") == "1":
                raise
            complete = False
            stream.write(f"{recipe.name}: failed. {_reason(e)}\n")
    if current_session().blocked:
        stream.write(current_session().describe_blocked() + "\n")
    stream.write(f"What was used is noted in {lock.path}.\n")
    return complete


def run_export(args: argparse.Namespace, lock: "DataLock", stream: TextIO) -> bool:
    """Export the data; returns True."""
    from helm.benchmark.catalogue.scenario_data import export_data

    scenarios = list(_survey(args))
    outside = export_data(scenarios, args.output_path, args.bundle, lock)
    stream.write(
        f"{len(scenarios)} scenarios packed into {args.bundle} ({format_size(os.path.getsize(args.bundle))}).\n"
    )
    for path in outside:
        stream.write(f"  not in it, because it is not in {args.output_path}: {path}\n")
    return True


def run_import(args: argparse.Namespace, lock: "DataLock", stream: TextIO) -> bool:
    """Import the data; returns True."""
    from helm.benchmark.catalogue.scenario_data import import_data

    written, present = import_data(args.bundle, args.output_path, lock)
    stream.write(f"{written} files unpacked into {args.output_path}, {present} were there already.\n")
    return True


_COMMANDS = {
    "list": run_list,
    "check": run_check,
    "fetch": run_fetch,
    "export": run_export,
    "import": run_import,
}


@command_main(build_parser, interrupted="Fetched data is kept; the same command continues from there.")
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 success; 1 failed or missing; 2 bad arguments; 130 interrupted."""
    from helm.common.commands.output_path import benchmark_output_path
    from helm.common.data.data_lock import DataLock, check_digests
    from helm.common.data.data_session import data_session, default_lock_path, forbid_fetching
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging()
    lock = DataLock(args.data_lock or default_lock_path(args.output_path), getattr(args, "update", False))
    trusted = getattr(args, "trust_task_code", [])
    check_digests(trusted)
    session = data_session(lock, getattr(args, "local_path", "prod_env"), trusted)
    with forbid_fetching(getattr(args, "offline", False)), session, benchmark_output_path(args.output_path):
        return 0 if _COMMANDS[args.command](args, lock, sys.stdout) else 1


if __name__ == "__main__":
    main()
