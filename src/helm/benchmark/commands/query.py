"""`helm-query`: SQL over everything that runs recorded."""

import argparse
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError, HelmError

if TYPE_CHECKING:
    from helm.results.lake.lake import Lake, QueryResult

LAKE_FOLDER = ".helm-lake"
"""Beside the results, like their index; it may be deleted at any time."""

_MAX_CELL = 60


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-query`."""
    parser = SuggestingArgumentParser(
        prog="helm-query",
        description="Answer SQL (DuckDB's) over the tables runs, scores, instances and responses. Without --lake, they have all "
        "runs of --output-path as they are now.",
        epilog="Example: helm-query \"SELECT model, avg(value) FROM scores WHERE metric = 'exact_match' GROUP BY model\"",
    )
    add = parser.add_argument
    add(
        "sql",
        nargs="?",
        metavar="SQL",
        help="the query; '-' reads it from standard input; without one, tables are listed",
    )
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results are (%(default)s)")
    add(
        "--lake",
        metavar="PATH",
        help="a data set of helm-export --what all, as it is: a folder, or an fsspec URL such as s3://bucket/lake",
    )
    add("--format", choices=["table", "markdown", "csv", "jsonl"], help="(table on a terminal, else csv)")
    add("--to", metavar="FILE", help="the file to write (default: standard output)")
    add(
        "--max-rows",
        type=int,
        default=100,
        metavar="N",
        help="rows of a table, then their number; 0: all (%(default)s)",
    )
    return parser


def _open_lake(args: argparse.Namespace) -> "Lake":
    from helm.results.lake.lake import Lake

    if args.lake is not None:
        return Lake(args.lake)
    from helm.results.lake.update import update_lake
    from helm.results.run_results import load

    runs_folder = os.path.join(args.output_path, "runs")
    if not os.path.isdir(runs_folder):
        raise ConfigError(
            f"There are no results in {args.output_path}: there is no folder {runs_folder}. -o says where they are."
        )
    address = os.path.join(args.output_path, LAKE_FOLDER)
    try:
        change = update_lake(address, load(args.output_path), None)
    except PermissionError as e:
        raise ConfigError(
            f"{address} cannot be written ({e.strerror}). Make a data set elsewhere with helm-export --what all, and "
            "name it with --lake."
        ) from e
    if change.added or change.changed or change.removed:
        print(change.describe(), file=sys.stderr)
    for folder, problem in change.problems:
        print(f"only its name is in the tables: {folder}: {problem}", file=sys.stderr)
    return Lake(address)


def _print_tables(lake: "Lake") -> None:
    from helm.results.lake.lake import SYNONYMS

    for table, columns in lake.tables.items():
        names = [synonym for synonym, meant in SYNONYMS.items() if meant == table]
        print(f"{table}{f' (also {names[0]})' if names else ''}: {lake.num_rows(table):,} rows")
        for name, kind in columns.items():
            print(f"    {name:<24}{kind}")


def _plain(value: Any) -> Any:
    """Convert a value of DuckDB to one of JSON."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    from decimal import Decimal

    return float(value) if isinstance(value, Decimal) else value.hex() if isinstance(value, bytes) else str(value)


def _rows(result: "QueryResult", columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    for row in result.rows():
        yield dict(zip(columns, map(_plain, row), strict=True))


def _unique(columns: Iterable[str]) -> list[str]:
    """Number columns of the same name, which a join has."""
    found: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in found:
            number += 1
            name = f"{column}_{number}"
        found.append(name)
    return found


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    from helm.common.formats.terminal_text import read_spans

    text = " ".join("".join(span.text for span in read_spans(str(value))).split())
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"


def _show(result: "QueryResult", columns: Sequence[str], file_format: str, max_rows: int) -> tuple[str, int]:
    """Return a table for people, and how many rows it leaves out."""
    from tabulate import tabulate

    shown: list[list[str]] = []
    more = 0
    for row in result.rows():
        if max_rows and len(shown) == max_rows:
            more += 1
            continue
        shown.append([_cell(_plain(value)) for value in row])
    numeric = ["right" if _is_number_column(shown, i) else "left" for i in range(len(columns))]
    style = "pipe" if file_format == "markdown" else "simple"
    return tabulate(
        shown, list(columns), tablefmt=style, colalign=numeric if shown else None, disable_numparse=True
    ), more


def _is_number_column(rows: Sequence[Sequence[str]], position: int) -> bool:
    cells = [row[position] for row in rows if row[position]]
    try:
        return bool([float(cell) for cell in cells])
    except ValueError:
        return False


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 if there is no lake, or the query is wrong."""
    from helm.common.files import write_text_atomically
    from helm.common.hierarchical_logger import setup_default_logging
    from helm.results.row_files import write_csv, write_json_lines

    setup_default_logging(None, stream_name="stderr")
    sql = sys.stdin.read() if args.sql == "-" else args.sql
    lake = _open_lake(args)
    if not sql or not sql.strip():
        _print_tables(lake)
        return 0
    result = lake.query(sql)
    columns = _unique(result.columns)
    file_format = args.format or ("table" if args.to is None and sys.stdout.isatty() else "csv")
    try:
        if file_format == "csv":
            write_csv(_rows(result, columns), columns, args.to)
        elif file_format == "jsonl":
            write_json_lines(_rows(result, columns), columns, args.to)
        else:
            text, more = _show(result, columns, file_format, args.max_rows)
            if args.to is None:
                print(text)
            else:
                os.makedirs(os.path.dirname(os.path.abspath(args.to)), exist_ok=True)
                write_text_atomically(args.to, text + "\n")
            if more:
                print(f"{more:,} more rows; --max-rows 0 shows all.", file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise HelmError(f"Cannot write {e.filename or args.to}: {e.strerror or e}") from e
    return 0


if __name__ == "__main__":
    main()
