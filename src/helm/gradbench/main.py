"""The ``gradbench`` command: run an eval against a tool, or be one of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Optional

from helm.common.errors import HelmError


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gradbench", description="Evaluate automatic-differentiation tools over the GradBench protocol."
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    run = verbs.add_parser("run", help="run an eval against a tool and show what happens")
    run.add_argument("--eval", required=True, metavar="CMD", help="command of the eval; split into words, no shell")
    run.add_argument("--tool", required=True, metavar="CMD", help="command of the tool; split into words, no shell")
    run.add_argument("-o", "--output", metavar="FILE", help="write a log of all messages and responses")
    run.add_argument("--timeout", type=int, metavar="S", help="limit for each answer of the tool, in whole seconds")
    run.add_argument(
        "--strict", action="store_true", help="a failing eval program and a response with another id are errors"
    )

    exit_code = verbs.add_parser("exit-code", help="exit with the code of an outcome")
    exit_code.add_argument("outcome", help="success, error, undefined, failure, invalid, timeout or interrupt")

    eval_ = verbs.add_parser("eval", help="be an eval: ask over standard output, read answers from standard input")
    eval_.add_argument("name", help="which eval, for example gmm")
    eval_.add_argument("arguments", nargs=argparse.REMAINDER, help="its flags; --help lists them")

    tool = verbs.add_parser("tool", help="be a tool: answer the messages on standard input")
    tool.add_argument("name", help="which built-in tool, for example numpy")
    tool.add_argument("--multithreaded", action="store_true", help="let numerical libraries use several threads")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from helm.gradbench.intermediary import run_exchange, split_command
    from helm.gradbench.line_process import describe_os_error
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
                raise HelmError(describe_os_error(error)) from error
        terminal = Terminal(sys.stdout, should_color(sys.stdout))
        outcome = run_exchange(eval_command, tool_command, terminal, log, arguments.timeout, arguments.strict)
    return outcome.exit_code


def _use_utf8(stream: object) -> None:
    """The marks and names we print are not ASCII, whatever the locale says."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", newline="\n")


def _exit_code(arguments: argparse.Namespace) -> int:
    from helm.gradbench.protocol import Outcome

    try:
        return Outcome(arguments.outcome).exit_code
    except ValueError:
        raise HelmError(f'unknown outcome name "{arguments.outcome}"') from None


def _eval(arguments: argparse.Namespace) -> int:
    from helm.gradbench.evals.driver import run_eval

    flags = arguments.arguments
    run_eval(arguments.name, flags[1:] if flags[:1] == ["--"] else flags)
    return 0


def _tool(arguments: argparse.Namespace) -> int:
    from helm.gradbench.tools.registry import run_tool

    run_tool(arguments.name, arguments.multithreaded)
    return 0


_VERBS = {"run": _run, "exit-code": _exit_code, "eval": _eval, "tool": _tool}


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Entry point of ``gradbench``; always ends with ``SystemExit``."""
    from helm.common.distribution_check import check_sole_owner

    check_sole_owner()
    arguments = build_parser().parse_args(argv)
    try:
        code = _VERBS[arguments.verb](arguments)
    except HelmError as error:
        print(error, file=sys.stderr)
        code = 1
    except KeyboardInterrupt:  # an eval or a tool run by hand
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
