"""The ``gradbench`` command, which runs an eval against a tool, acts as either, reads logs, and manages a repository."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager
from typing import IO, Any, NoReturn

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import HelmError, suggest


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="gradbench", description="Evaluate automatic-differentiation tools over the GradBench protocol."
    )
    parser.add_argument(
        "--plugins",
        action="append",
        default=[],
        metavar="PLUGIN",
        help="module, or path of a Python file, to import first, for evals of your own; may be repeated",
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    run = verbs.add_parser("run", help="run an eval against a tool and show what happens")
    run.add_argument("--eval", required=True, metavar="CMD", help="command of the eval; split into words, no shell")
    run.add_argument("--tool", required=True, metavar="CMD", help="command of the tool; split into words, no shell")
    run.add_argument("-o", "--output", metavar="FILE", help="write a log of all messages and responses")
    run.add_argument(
        "--timeout", type=_seconds, metavar="S", help="limit for each answer of the tool, in whole seconds"
    )
    _add_strictness(run)

    exit_code = verbs.add_parser("exit-code", help="exit with the code of an outcome")
    exit_code.add_argument("outcome", help="success, error, undefined, failure, invalid, timeout or interrupt")

    eval_ = verbs.add_parser("eval", help="be an eval: ask over standard output, read answers from standard input")
    eval_.add_argument("name", help="which eval, for example gmm")
    eval_.add_argument("arguments", nargs=argparse.REMAINDER, help="its flags; --help lists them")

    tool = verbs.add_parser("tool", help="be a tool: answer the messages on standard input")
    tool.add_argument("name", help="which built-in tool, for example numpy")
    tool.add_argument("--multithreaded", action="store_true", help="let numerical libraries use several threads")
    tool.add_argument("--device", metavar="DEVICE", help="where jax or pytorch computes, such as cuda; default: cpu")

    verbs.add_parser(
        "include", help='print the folder of gradbench.hpp, for tools in C++: c++ -I"$(gradbench include)"'
    )

    suite = verbs.add_parser("suite", help="run evals against tools in this Python; again runs only what is missing")
    suite.add_argument(
        "-e", "--eval", action="append", required=True, metavar="TEXT", help="NAME FLAGS... or $ COMMAND"
    )
    suite.add_argument(
        "-t", "--tool", action="append", required=True, metavar="TEXT", help="NAME FLAGS... or $ COMMAND"
    )
    suite.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for the logs, EVAL/TOOL.jsonl")
    suite.add_argument(
        "--timeout", type=_seconds, metavar="S", help="limit for each answer of a tool, in whole seconds"
    )

    suite.add_argument("--compat", action="store_true", help="judge and overlook as the original; otherwise strictly")

    nightly = verbs.add_parser(
        "nightly", help="run all evals against all tools in a time budget, and show what changed"
    )
    nightly.add_argument("folder", metavar="DIR", help="folder of the history and the site")
    nightly.add_argument(
        "-e", "--eval", action="append", default=[], metavar="TEXT", help="NAME FLAGS...; default: all"
    )
    nightly.add_argument(
        "-t",
        "--tool",
        action="append",
        default=[],
        metavar="TEXT",
        help="NAME or $ COMMAND; default: all that are installed",
    )
    nightly.add_argument(
        "--budget", type=_seconds, default=3600, metavar="S", help="seconds for all pairs; default 3600"
    )
    nightly.add_argument("--timeout", type=_seconds, metavar="S", help="limit for each answer, in whole seconds")
    nightly.add_argument(
        "--tolerance", type=float, default=0.1, metavar="X", help="slowdowns below this share pass; default 0.1"
    )

    check = verbs.add_parser("check", help="compare a tool's derivatives with differences of its own functions")
    check.add_argument("eval", nargs="*", metavar="EVAL", help="evals, on small workloads; by default all that can be")
    check.add_argument("--tool", required=True, metavar="CMD", help="command of the tool; split into words, no shell")
    check.add_argument(
        "--timeout", type=_seconds, metavar="S", help="limit for each answer of the tool, in whole seconds"
    )
    own = check.add_argument_group("a function that belongs to no eval")
    own.add_argument("--module", metavar="NAME", help="its module")
    own.add_argument("--primal", metavar="NAME", help="the function")
    own.add_argument("--derivative", metavar="NAME", help="its derivative")
    own.add_argument("--input", metavar="FILE", help="JSON file with the input of both")
    own.add_argument(
        "--by", action="append", default=[], metavar="FIELD", help="field of the input to differentiate by"
    )

    report = verbs.add_parser("report", help="compare tools: tables and curves as HTML, SVG and Markdown")
    report.add_argument("input", nargs="+", metavar="FOLDER", help="logs EVAL/TOOL.jsonl, or a suite of helm-run")
    report.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for the report")

    _add_log_verbs(verbs.add_parser("log", help="shorten, summarize or move logs of runs"))
    _add_repo_verbs(verbs.add_parser("repo", help="work on a repository of evals and tools, with Docker"))
    return parser


def _seconds(text: str) -> int:
    try:
        seconds = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a time limit must be a whole number of seconds, not '{text}'") from None
    if seconds < 0:
        raise argparse.ArgumentTypeError(f"a time limit must be 0 seconds or more, not {text}")
    return seconds


def _add_strictness(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how far to follow the original; the default differs only in time limits and unended lines."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--strict", action="store_true", help="a failing eval program and a response with another id are errors"
    )
    group.add_argument("--compat", action="store_true", help="as the original: the limit starts anew with every byte")


def _add_log_verbs(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="log_verb", required=True, metavar="VERB")
    trim = verbs.add_parser("trim", help="drop the inputs and outputs of evaluations")
    trim.add_argument("input", nargs="?", metavar="INPUT", help="log file; standard input by default")
    trim.add_argument("-o", "--output", metavar="FILE", help="where to write; standard output by default")
    summary = verbs.add_parser("summary", help="say what a log is about")
    summary.add_argument("input", nargs="?", metavar="INPUT", help="log file; standard input by default")
    flatten = verbs.add_parser("flatten", help="move INPUT/*/EVAL/FILE to OUTPUT/EVAL/FILE")
    flatten.add_argument("input", metavar="INPUT", help="folder of folders of runs")
    flatten.add_argument("-o", "--output", required=True, metavar="OUTPUT", help="folder for all logs")


def _add_repo_verbs(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="repo_verb", required=True, metavar="VERB")
    run = verbs.add_parser("run", help="run every eval against every tool")
    run.add_argument("-e", "--eval", action="append", default=[], metavar="TEXT", help="NAME ARGS... or $ COMMAND")
    run.add_argument("-t", "--tool", action="append", default=[], metavar="TEXT", help="NAME ARGS... or $ COMMAND")
    run.add_argument("--no-eval", action="append", default=[], metavar="NAME", help="all evals but this one")
    run.add_argument("--no-tool", action="append", default=[], metavar="NAME", help="all tools but this one")
    run.add_argument("-o", "--output", metavar="DIR", help="folder for the logs")
    run.add_argument("--timeout", type=_seconds, metavar="S", help="limit for each answer of a tool, in whole seconds")
    run.add_argument("--check", action="store_true", help="compare outcomes with each tool's evals.txt")
    run.add_argument("--download-github", metavar="RUN_ID", help="take images from a workflow run, instead of building")
    run.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    _add_strictness(run)
    verbs.add_parser("init", help="write Dockerfiles, evals.txt and workflows of our evals and tools")
    verbs.add_parser("lint", help="say what is wrong with Dockerfiles, lists of evals and scripts, without building")
    for kind in ("eval", "tool"):
        start = verbs.add_parser(kind, help=f"build one {kind} and run it")
        start.add_argument("-t", "--tag", help="tag of the image")
        start.add_argument("--platform", help="platform of the image, for example linux/amd64")
        start.add_argument("name")
        start.add_argument(
            "arguments",
            nargs=argparse.REMAINDER,
            help=f"[-t TAG] [--platform PLATFORM] [--] and flags of the {kind}; -- where these begin with the same letters",
        )
        build = verbs.add_parser(f"build-{kind}", help=f"build the image of one {kind}")
        build.add_argument("name")
        build.add_argument("-t", "--tag", default="latest", help="tag of the image")
        build.add_argument("--platform", help="platform of the image, for example linux/amd64")
    build_all = verbs.add_parser("build", help="build the images of several evals and tools, or of all")
    build_all.add_argument("names", nargs="*", metavar="NAME", help="evals and tools; by default all of the repository")
    build_all.add_argument("-t", "--tag", default="latest", help="tag of the images")
    build_all.add_argument("--platform", help="platform of the images, for example linux/amd64")
    matrix = verbs.add_parser("matrix", help="print what a CI system wants to know to run everything in parallel")
    matrix.add_argument("--date", help="date to print; today by default")
    stats = verbs.add_parser("stats", help="score all logs and write summary files")
    stats.add_argument("input", metavar="INPUT", help="folder of logs, EVAL/TOOL.jsonl")
    stats.add_argument("-o", "--output", required=True, metavar="OUTPUT", help="folder for the summaries")
    stats.add_argument("--date", help="date to write into the summary")
    stats.add_argument("--commit", help="commit to write into the summary")


def _run(arguments: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from helm.common.processes.line_process import describe_os_error
    from helm.gradbench.intermediary import run_exchange, split_command
    from helm.gradbench.terminal import Terminal, should_color

    eval_command = split_command("eval", arguments.eval)
    tool_command = split_command("tool", arguments.tool)
    _use_utf8(sys.stdout)
    with ExitStack() as stack:
        log = None
        if arguments.output is not None:
            try:
                log = stack.enter_context(open(arguments.output, "wb"))
            except OSError as error:
                raise HelmError(f"{describe_os_error(error)}\nThe log {arguments.output} cannot be written.") from error
        terminal = Terminal(sys.stdout, should_color(sys.stdout))
        outcome = run_exchange(
            eval_command, tool_command, terminal, log, arguments.timeout, arguments.strict, arguments.compat
        )
    return outcome.exit_code


def _use_utf8(stream: object) -> None:
    """Make a stream use UTF-8 whatever the locale, because the marks and names we print are not ASCII."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", newline="\n")


def _exit_code(arguments: argparse.Namespace) -> int:
    from helm.gradbench.protocol import Outcome

    try:
        return Outcome(arguments.outcome).exit_code
    except ValueError:
        hint = suggest(arguments.outcome, [outcome.value for outcome in Outcome]).strip()
        raise HelmError(f'unknown outcome name "{arguments.outcome}"' + (hint and f"\n{hint}")) from None


def _eval(arguments: argparse.Namespace) -> int:
    from helm.gradbench.evals.driver import run_eval

    flags = arguments.arguments
    run_eval(arguments.name, flags[1:] if flags[:1] == ["--"] else flags)
    return 0


def _tool(arguments: argparse.Namespace) -> int:
    from helm.gradbench.tools.registry import run_tool

    return run_tool(arguments.name, arguments.multithreaded, arguments.device)


def _whole_file(path: str) -> AbstractContextManager[IO[Any]]:
    """Open a file that appears only when it is complete, so it may replace one that is being read; links stay links.

    A device, or the target of a name such as ``/dev/stdout``, is written to directly.
    """
    import os
    from pathlib import Path

    from helm.common.files import open_atomically

    is_special = os.path.abspath(path).startswith(("/dev/", "/proc/")) or (
        Path(path).exists() and not Path(path).is_file()
    )
    return open(path, "wb") if is_special else open_atomically(os.path.realpath(path), binary=True)


def _log(arguments: argparse.Namespace) -> int:
    from contextlib import ExitStack
    from pathlib import Path

    from helm.common.processes.line_process import describe_os_error
    from helm.gradbench.log import flatten_logs, format_summary, summarize_log, trim_log
    from helm.gradbench.terminal import paint, should_color

    try:
        if arguments.log_verb == "flatten":
            flatten_logs(Path(arguments.input), Path(arguments.output))
            return 0
        with ExitStack() as stack:
            lines = sys.stdin.buffer if arguments.input is None else stack.enter_context(open(arguments.input, "rb"))
            if arguments.log_verb == "trim":
                trim_log(
                    lines,
                    sys.stdout.buffer
                    if arguments.output is None
                    else stack.enter_context(_whole_file(arguments.output)),
                )
                return 0
            summary = summarize_log(lines)
    except OSError as error:
        place = "" if error.filename is None else f"\n{error.filename}"
        raise HelmError(f"{describe_os_error(error)}{place}") from error
    _use_utf8(sys.stdout)
    colored = should_color(sys.stdout)
    print(format_summary(summary, lambda text, color: paint(text, color) if colored else text), end="")
    return 0


def _include(arguments: argparse.Namespace) -> int:
    from importlib.resources import files

    print(files("helm.gradbench") / "cpp")
    return 0


def _suite(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from helm.gradbench.suite import run_suite

    _use_utf8(sys.stdout)
    return run_suite(
        arguments.eval,
        arguments.tool,
        Path(arguments.output),
        arguments.timeout,
        arguments.compat,
        arguments.plugins,
    )


def _nightly(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from helm.gradbench.nightly import run_nightly

    _use_utf8(sys.stdout)
    return run_nightly(
        Path(arguments.folder),
        arguments.eval,
        arguments.tool,
        arguments.budget,
        arguments.timeout,
        arguments.tolerance,
    )


def _check(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from helm.gradbench.check import checked_evals, eval_check, read_check, run_checks
    from helm.gradbench.tool_client import ToolClient

    _use_utf8(sys.stdout)
    own = [arguments.module, arguments.primal, arguments.derivative, arguments.input]
    if any(own):
        if not all(own) or arguments.eval:
            raise HelmError("--module, --primal, --derivative and --input must be given together, and without evals.")
        names = arguments.module, arguments.primal, arguments.derivative
        checks = [read_check(*names, Path(arguments.input), arguments.by)]
    else:
        checks = [eval_check(name) for name in arguments.eval or checked_evals()]
    with ToolClient(arguments.tool) as tool:
        return run_checks(tool, checks, arguments.timeout)


def _report(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from helm.gradbench.report.pages import write_report

    for file in write_report([Path(folder) for folder in arguments.input], Path(arguments.output)):
        print(file.as_posix())
    return 0


def _repo(arguments: argparse.Namespace) -> int:
    from helm.gradbench import repo

    _use_utf8(sys.stdout)
    return repo.run_verb(arguments)


_VERBS = {
    "log": _log,
    "repo": _repo,
    "check": _check,
    "report": _report,
    "suite": _suite,
    "nightly": _nightly,
    "include": _include,
    "run": _run,
    "exit-code": _exit_code,
    "eval": _eval,
    "tool": _tool,
}


@command_main(build_parser, prefix="")
def main(arguments: argparse.Namespace) -> NoReturn:
    """Entry point of ``gradbench``; always ends with ``SystemExit``."""
    if arguments.plugins:
        from helm.common.commands.plugins import import_user_plugins

        import_user_plugins(arguments.plugins)
    code = _VERBS[arguments.verb](arguments)
    sys.stdout.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()
