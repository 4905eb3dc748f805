"""`helm-cache`: inspects response caches, imports those of HELM, exports entries, deletes old ones."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TextIO

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.common.caching.cache_files import CacheSurvey, ImportReport, Problem

_SHOWN_PROBLEMS = 10
_UNITS = {"d": timedelta(days=1), "w": timedelta(weeks=1), "h": timedelta(hours=1)}


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-cache`."""
    parser = SuggestingArgumentParser(
        prog="helm-cache", description="Look into response caches, take over those of HELM, throw old entries away."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add_command(name: str, text: str, paths: str, needs_path: bool) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.add_argument("paths", nargs="+" if needs_path else "*", metavar="PATH", help=paths)
        command.add_argument(
            "--local-path", default="prod_env", metavar="FOLDER", help="the folder whose cache is meant (%(default)s)"
        )
        return command

    some = "cache files, or folders of them (the cache of --local-path)"
    add = add_command(
        "import",
        "add the entries of other caches, HELM's pickled ones included",
        "cache files, or folders of them",
        True,
    ).add_argument
    add("--replace", action="store_true", help="where both have an answer, take the other one")
    add("--dry-run", action="store_true", help="write nothing, say what would be done")
    add_command("inspect", "show entries, size, models and dates", some, False)
    add = add_command("export", "print every entry as a line of JSON", some, False).add_argument
    add("--output", metavar="FILE", help="write into this file instead")
    add = add_command("prune", "delete entries", some, False).add_argument
    add("--older-than", metavar="AGE", help="answers given before: 30d, 2w, 12h, or a date such as 2026-01-31")
    add("--model", action="append", default=[], metavar="PATTERN", help="of this model or tokenizer; may be repeated")
    add("--dry-run", action="store_true", help="delete nothing, say how many there are")
    add("--compact", action="store_true", help="give the space back; the cache is locked meanwhile")
    add_command("repair", "put damaged files aside, and save what can be read of them", some, False)
    return parser


def parse_age(text: str, now: datetime) -> int:
    """Parse `30d`, `2w`, `12h` or a date into seconds since 1970. Raises: ConfigError."""
    match = re.fullmatch(r"(\d{1,6})([dwh])", text)
    try:
        moment = now - int(match[1]) * _UNITS[match[2]] if match else datetime.fromisoformat(text)
    except (ValueError, OverflowError) as e:
        raise ConfigError(
            f"--older-than takes an age (30d, 2w, 12h) or a date (2026-01-31, 2026-01-31T12:00), not '{text}'."
        ) from e
    return int((moment if moment.tzinfo else moment.astimezone()).timestamp())


def _find_files(args: argparse.Namespace) -> list[str]:
    from helm.common.caching.cache_files import find_cache_files

    paths = args.paths or [os.path.join(args.local_path, "cache")]
    return list(dict.fromkeys(file for path in paths for file in find_cache_files(path)))


def run_import(args: argparse.Namespace, stream: TextIO) -> bool:
    """Import entries; returns whether everything could be read."""
    from helm.common.caching.cache_files import import_cache
    from helm.common.concurrency import progress

    folder = os.path.join(args.local_path, "cache")
    complete = True
    for source in _find_files(args):
        target = os.path.join(folder, os.path.basename(source))
        with progress(os.path.basename(source), None) as advance:
            report = import_cache(source, target, args.replace, args.dry_run, advance)
        _print_report(report, args.dry_run, stream)
        complete = complete and not report.refused
    return complete


def _print_report(report: "ImportReport", dry_run: bool, stream: TextIO) -> None:
    parts = [
        (report.added, "added"),
        (report.converted, "converted to JSON"),
        (report.replaced, "replaced"),
        (report.same, "there already"),
        (len(report.conflicts), "in conflict and left as they were"),
        (len(report.refused), "refused"),
    ]
    shown = ", ".join(f"{count} {word}" for count, word in parts if count) or "nothing to do"
    would = " (dry run)" if dry_run else ""
    stream.write(f"{report.source} -> {report.target}{would}: {report.read} read: {shown}\n")
    _print_problems("conflict", report.conflicts, stream)
    _print_problems("refused", report.refused, stream)


def _print_problems(word: str, problems: "Sequence[Problem]", stream: TextIO) -> None:
    for problem in problems[:_SHOWN_PROBLEMS]:
        stream.write(f"  {word}: {problem.describe()}\n")
    if len(problems) > _SHOWN_PROBLEMS:
        stream.write(f"  and {len(problems) - _SHOWN_PROBLEMS} more\n")


def run_inspect(args: argparse.Namespace, stream: TextIO) -> bool:
    """Inspect caches; returns whether everything could be read."""
    from helm.common.caching.cache_files import survey_cache

    surveys = [survey_cache(path) for path in _find_files(args)]
    for survey in surveys:
        _print_survey(survey, stream)
    return not any(survey.refused for survey in surveys)


def _print_survey(survey: "CacheSurvey", stream: TextIO) -> None:
    pickled = f", {survey.pickled} of them pickled by HELM" if survey.pickled else ""
    stream.write(f"{survey.path}: {survey.entries} entries{pickled}, {survey.size_bytes / 1e6:.1f} MB")
    if survey.first_date is not None and survey.last_date is not None:
        stream.write(f", {_date_text(survey.first_date)} to {_date_text(survey.last_date)}")
    stream.write("\n")
    for model, count in sorted(survey.models.items()):
        stream.write(f"  {count:>9}  {model}\n")
    _print_problems("refused", survey.refused, stream)


def _date_text(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s"


def run_export(args: argparse.Namespace, stream: TextIO) -> bool:
    """Export entries; returns whether everything could be read."""
    from helm.common.caching.cache_files import export_cache
    from helm.common.files import open_atomically

    files = _find_files(args)
    if not args.output:
        results = [export_cache(path, stream) for path in files]
    else:
        with open_atomically(args.output) as file:
            results = [export_cache(path, file) for path in files]
        stream.write(f"{sum(count for count, _ in results)} entries written to {args.output}.\n")
    refused = [problem for _, problems in results for problem in problems]
    _print_problems("refused", refused, sys.stderr)
    return not refused


def run_prune(args: argparse.Namespace, stream: TextIO) -> bool:
    """Delete entries; returns True. Raises: ConfigError without a condition."""
    from helm.common.caching.cache_files import prune_cache

    if args.older_than is None and not args.model:
        raise ConfigError("helm-cache prune deletes nothing without --older-than or --model.")
    before = None if args.older_than is None else parse_age(args.older_than, datetime.now(UTC))
    for path in _find_files(args):
        deleted, undated = prune_cache(path, before, args.model, args.dry_run, args.compact)
        verb = "would be deleted" if args.dry_run else "deleted"
        kept = f"; {undated} without a date kept" if undated else ""
        stream.write(f"{path}: {deleted} entries {verb}{kept}\n")
    return True


def run_repair(args: argparse.Namespace, stream: TextIO) -> bool:
    """Repair caches; returns whether everything that could be read was an entry."""
    from helm.common.caching.cache_repair import repair_cache

    reports = [repair_cache(path) for path in _find_files(args)]
    for report in reports:
        if report.aside is None:
            stream.write(f"{report.path}: whole\n")
        else:
            stream.write(f"{report.path}: {report.saved} entries saved; the damaged file is {report.aside}\n")
        _print_problems("refused", report.refused, stream)
    return not any(report.refused for report in reports)


_COMMANDS = {
    "import": run_import,
    "inspect": run_inspect,
    "export": run_export,
    "prune": run_prune,
    "repair": run_repair,
}


@command_main(build_parser, interrupted="What was done is kept; the same command does the rest.")
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 success; 1 failed or refused; 2 bad arguments; 130 interrupted."""
    return 0 if _COMMANDS[args.command](args, sys.stdout) else 1


if __name__ == "__main__":
    main()
