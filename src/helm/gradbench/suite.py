"""The ``gradbench suite`` verb: our evals against our tools in this Python, one log each, and again only what is missing."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from helm.common.errors import HelmError
from helm.gradbench.intermediary import run_exchange, split_command
from helm.gradbench.line_process import describe_os_error
from helm.gradbench.protocol import Outcome
from helm.gradbench.terminal import Terminal, should_color

_OURS = [sys.executable, "-m", "helm.gradbench.main"]
_UNFINISHED = ".part"


def run_suite(
    evals: Sequence[str], tools: Sequence[str], output: Path, timeout_s: Optional[int] = None, strict: bool = True
) -> int:
    """Run every eval against every tool, one after another; the exit code.

    A pair whose log is there is not run again. A log gets its name when its run has come to an outcome other than an
    interrupt, so what was broken off is run anew. Bad outcomes are results and exit with 0.

    Args:
        evals, tools: names with flags (``gmm -d 2``), or ``$`` and a command.
        output: logs are ``output/EVAL/TOOL.jsonl``.
        timeout_s: limit for each answer of a tool.
    Raises: HelmError for a text without words, a command that cannot be started and a log that cannot be written.
    """
    terminal = Terminal(sys.stdout, should_color(sys.stdout))
    for eval_text in evals:
        for tool_text in tools:
            log = output / _file_name(eval_text) / f"{_file_name(tool_text)}.jsonl"
            if log.exists():
                print(f"{eval_text} with {tool_text}: there already", flush=True)
                continue
            print(f"{eval_text} with {tool_text}:", flush=True)
            unfinished = log.with_name(log.name + _UNFINISHED)
            commands = _command("eval", eval_text), _command("tool", tool_text)
            try:
                log.parent.mkdir(parents=True, exist_ok=True)
                with open(unfinished, "wb") as file:
                    outcome = run_exchange(*commands, terminal, file, timeout_s, strict=strict)
                if outcome is Outcome.INTERRUPT:
                    return outcome.exit_code
                os.replace(unfinished, log)
            except OSError as error:
                raise HelmError(f"{log}: {describe_os_error(error)}") from error
            print(f"{outcome.value}\n", flush=True)
    return 0


def _command(kind: str, text: str) -> list[str]:
    words = split_command(kind, text)
    if words[0] != "$":
        return [*_OURS, kind, *words]
    if len(words) == 1:
        raise HelmError(f"{kind}: empty command")
    return words[1:]


def _file_name(text: str) -> str:
    """Letters and digits stay; the name of an eval or tool without flags is its own."""
    return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(shlex.split(text))).strip("-")
