"""The ``gradbench suite`` verb, which runs our evals against our tools in this Python and writes the missing logs.

The original has no such verb, so there is nothing to be compatible with: evals judge strictly, and a crashing eval is an
error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from helm.common.errors import HelmError
from helm.common.processes.line_process import describe_os_error
from helm.gradbench.evals.driver import parse_eval
from helm.gradbench.intermediary import run_exchange, split_command
from helm.gradbench.protocol import Outcome
from helm.gradbench.terminal import Terminal, should_color
from helm.gradbench.tools.registry import check_tool

_OURS = [sys.executable, "-m", "helm.gradbench.main"]
_UNFINISHED = ".part"


def run_suite(
    evals: Sequence[str],
    tools: Sequence[str],
    output: Path,
    timeout_s: int | None = None,
    compat: bool = False,
    plugins: Sequence[str] = (),
) -> int:
    """Run every eval against every tool, one after another; returns the exit code.

    A pair with an existing log is not run again. A log gets its name when its run has ended with an outcome other than an
    interrupt, so interrupted runs are repeated. Bad outcomes are results and do not change the exit code 0.

    Args:
        evals: names with flags (``gmm -d 2``), or ``$`` and a command.
        tools: as for ``evals``.
        output: logs are ``output/EVAL/TOOL.jsonl``.
        timeout_s: limit for each answer of a tool, in seconds.
        compat: whether to judge, and to ignore errors, as the original does.
        plugins: modules and files that the evals import first; they are already imported here.
    Raises: HelmError before anything is run for a text without words, an unknown name, a tool whose library is missing
        and two texts whose logs would be one file; later for a command that cannot be started and a log that cannot be
        written. Usage errors in the flags of an eval exit with code 2.
    """
    for kind, texts in (("eval", evals), ("tool", tools)):
        _check_texts(kind, texts)
    terminal = Terminal(sys.stdout, should_color(sys.stdout))
    for eval_text in evals:
        for tool_text in tools:
            log = output / log_name(eval_text) / f"{log_name(tool_text)}.jsonl"
            if log.exists():
                print(f"{eval_text} with {tool_text}: exists already", flush=True)
                continue
            print(f"{eval_text} with {tool_text}:", flush=True)
            unfinished = log.with_name(log.name + _UNFINISHED)
            eval_command = _command("eval", eval_text, plugins, [] if compat else ["--strict"])
            commands = eval_command, _command("tool", tool_text)
            try:
                log.parent.mkdir(parents=True, exist_ok=True)
                with open(unfinished, "wb") as file:
                    outcome = run_exchange(*commands, terminal, file, timeout_s, strict=not compat, compat=compat)
                if outcome is Outcome.INTERRUPT:
                    return outcome.exit_code
                os.replace(unfinished, log)
            except OSError as error:
                raise HelmError(f"{log}: {describe_os_error(error)}") from error
            print(f"{outcome.value}\n", flush=True)
    return 0


def _check_texts(kind: str, texts: Sequence[str]) -> None:
    """Raise ``HelmError`` at the first text that obviously cannot be run."""
    seen: dict[str, str] = {}
    for text in texts:
        name = log_name(text)
        if name in seen:
            raise HelmError(f"{kind}: the logs of '{seen[name]}' and '{text}' would have the same name {name}.")
        seen[name] = text
        words = split_command(kind, text)
        if words == ["$"]:
            raise HelmError(f"{kind}: empty command")
        if words[0] == "$":
            continue
        if kind == "eval":
            parse_eval(words[0], words[2:] if words[1:2] == ["--"] else words[1:])
        else:
            check_tool(words[0])


def _command(kind: str, text: str, plugins: Sequence[str] = (), more: Sequence[str] = ()) -> list[str]:
    words = split_command(kind, text)
    if words[0] == "$":
        return words[1:]
    return [*_OURS, *(f"--plugins={plugin}" for plugin in plugins), kind, *words, *more]


def log_name(text: str) -> str:
    """Return the name of a log, without its ending: letters and digits stay; a text without flags stays as it is."""
    return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(split_command("eval or tool", text))).strip("-")
