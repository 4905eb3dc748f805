"""The ``gradbench repo`` verbs, which run a folder of evals and tools with Dockerfiles against each other.

The working directory is the root of the repository: ``evals/<eval>/``, ``tools/<tool>/`` and ``tools/<tool>/evals.txt``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError, suggest
from helm.common.processes.line_process import describe_os_error
from helm.gradbench.containers import LATEST, REGISTRY_VARIABLE, engine, image_name, run_command
from helm.gradbench.intermediary import run_exchange
from helm.gradbench.protocol import Outcome
from helm.gradbench.scoring import read_supported_evals, write_stats
from helm.gradbench.terminal import GREEN, RED, YELLOW, Terminal, paint, should_color

_BLUE, _MAGENTA = "34", "35"
_KIND_COLORS = {"eval": _BLUE, "tool": _MAGENTA}
_FOLDERS = {"eval": "evals", "tool": "tools"}
# Matches a step of a build that did some work instead of finding its result in the cache.
_WORKED = re.compile(r"^#\d+ (\d|sha256)", re.MULTILINE)


def build_command(kind: str, name: str, tag: str = LATEST, platform: str | None = None) -> list[str]:
    """The words of the command that builds the image of an eval or a tool."""
    options = ["--platform", platform] if platform else []
    file = f"{_FOLDERS[kind]}/{name}/Dockerfile"
    return [engine(), "build", ".", *options, "--file", file, "--tag", image_name(kind, name, tag)]


def mangle(words: Iterable[str]) -> str:
    """Make a file name of words: ASCII letters and digits stay, everything between them becomes one ``-``."""
    return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(words)).strip("-")


@dataclass(frozen=True)
class Side:
    """One eval or tool to run."""

    kind: str
    """``eval`` or ``tool``."""

    text: str
    """The text as the user wrote it."""

    words: tuple[str, ...]
    """Name and arguments, or the words of the command after a ``$``."""

    is_command: bool

    @property
    def name(self) -> str | None:
        """Its folder's name; None for a command."""
        return None if self.is_command else self.words[0]

    @property
    def is_plain(self) -> bool:
        """Whether it is a name without arguments, so that the facts about the name apply."""
        return not self.is_command and len(self.words) == 1

    @property
    def file_name(self) -> str:
        return mangle(self.words)

    @property
    def command(self) -> list[str]:
        return list(self.words) if self.is_command else run_command(self.kind, self.words[0], self.words[1:])


def parse_side(kind: str, text: str) -> Side:
    """Read the text of an eval or a tool.

    Raises: HelmError when the text has an open quote or no words.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        raise HelmError(f"failed to split `--{kind}`: {_quoted(text)}") from None
    if not words:
        raise HelmError(f"empty `--{kind}` after splitting: {_quoted(text)}")
    is_command = words[0] == "$"
    if is_command:
        words = words[1:]
        if not words:
            raise HelmError(f"empty `--{kind}` after `$`: {_quoted(text)}")
    return Side(kind, text, tuple(words), is_command)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _names(kind: str) -> list[str]:
    """Folders of the evals or tools of the repository, sorted."""
    folder = Path(_FOLDERS[kind])
    return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def choose_sides(kind: str, texts: Sequence[str], excluded: Sequence[str]) -> list[Side]:
    """Return the evals or tools that the flags select: those named, or all of the repository except the excluded.

    Raises: HelmError when flags contradict each other or two texts would share a file.
    """
    if texts and excluded:
        raise HelmError(f"`--no-{kind}` cannot be used together with `--{kind}`")
    known = _names(kind)
    for name in excluded:
        if name not in known:
            raise HelmError(f'{kind} "{name}" not found{_hint(name, known)}')
    sides = [parse_side(kind, text) for text in texts or [name for name in known if name not in excluded]]
    seen: set[str] = set()
    for side in sides:
        if side.file_name in seen:
            raise HelmError(f"another `--{kind}` got the same mangled name {side.file_name}: {_quoted(side.text)}")
        seen.add(side.file_name)
    return sides


@dataclass(frozen=True)
class Suite:
    """All evals against all tools, with the settings they share."""

    evals: list[Side]
    tools: list[Side]
    output: str | None = None
    timeout_s: int | None = None
    github_run: str | None = None
    """Number of the workflow run from which to take the images instead of building them."""

    strict: bool = False
    compat: bool = False
    """As for ``run_exchange``."""

    def built(self) -> list[tuple[str, str]]:
        """Return kind and name of every required image, once each: evals, then tools, sorted."""
        return [
            (kind, name)
            for kind, sides in (("eval", self.evals), ("tool", self.tools))
            for name in sorted({side.name for side in sides if side.name is not None})
        ]

    def log_path(self, eval_: Side, tool: Side) -> str | None:
        return None if self.output is None else f"{self.output}/{eval_.file_name}/{tool.file_name}.jsonl"

    def image_commands(self) -> list[list[str]]:
        """Return the commands that make the images, without their settings for output."""
        if self.github_run is None:
            return [build_command(kind, name) for kind, name in self.built()]
        if not self.built():
            return []
        names = [f"{kind}-{name}" for kind, name in self.built()]
        download = ["gh", "run", "download", self.github_run]
        for name in names:
            download += ["--name", name]
        return [download, *([engine(), "load", "--input", f"{name}/{name}.tar"] for name in names)]

    def commands(self) -> list[list[str]]:
        """Return everything that a run does as commands."""
        result = self.image_commands()
        if self.output is not None:
            result.append(["mkdir", "-p", *(f"{self.output}/{side.file_name}" for side in self.evals)])
        limit = [] if self.timeout_s is None else ["--timeout", str(self.timeout_s)]
        limit += ["--strict"] * self.strict + ["--compat"] * self.compat
        for eval_ in self.evals:
            for tool in self.tools:
                path = self.log_path(eval_, tool)
                sides = ["--eval", shlex.join(eval_.command), "--tool", shlex.join(tool.command)]
                result.append(["gradbench", "run", *limit, *sides, *([] if path is None else ["-o", path])])
        return result


class _Screen:
    """Coloured lines on standard output."""

    def __init__(self) -> None:
        self._colored = should_color(sys.stdout)

    def paint(self, text: str, color: str) -> str:
        return paint(text, color) if self._colored else text

    def terminal(self) -> Terminal:
        return Terminal(sys.stdout, self._colored)


def run_suite(suite: Suite, check: bool) -> int:
    """Make the images and run every pair; returns the exit code.

    Bad outcomes are results, so the exit code is 0, unless ``check`` is set and one is not among the accepted outcomes.
    An interrupt ends everything with its own exit code.
    """
    screen = _Screen()
    _make_images(suite, screen)
    supported = _supported() if check else {}
    all_expected = True
    pairs = [(eval_, tool) for eval_ in suite.evals for tool in suite.tools]
    for i, (eval_, tool) in enumerate(pairs):
        if i:
            print()
        print(f"running eval {screen.paint(eval_.text, _BLUE)}")
        print(f"   with tool {screen.paint(tool.text, _MAGENTA)}", flush=True)
        outcome = _run_pair(suite, eval_, tool, screen)
        color = GREEN if outcome is Outcome.SUCCESS else RED
        print(f" outcome {screen.paint(outcome.value, color)}", flush=True)
        if outcome is Outcome.INTERRUPT:
            return Outcome.INTERRUPT.exit_code
        if check:
            all_expected &= _check(eval_, tool, outcome, supported, screen)
    return 0 if all_expected else 1


def _run_pair(suite: Suite, eval_: Side, tool: Side, screen: _Screen) -> Outcome:
    path = suite.log_path(eval_, tool)
    try:
        if path is None:
            return run_exchange(
                eval_.command, tool.command, screen.terminal(), None, suite.timeout_s, suite.strict, suite.compat
            )
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as log:
            return run_exchange(
                eval_.command, tool.command, screen.terminal(), log, suite.timeout_s, suite.strict, suite.compat
            )
    except OSError as error:
        print(describe_os_error(error), file=sys.stderr)
    except HelmError as error:  # a command that cannot be started affects only this pair
        print(error, file=sys.stderr)
    return Outcome.ERROR


_SHORT_EVALS = ("hello", "llsq", "lstm", "particle", "saddle")
_MAX_RUNS = 256  # GitHub's limit for the jobs of a matrix
_FIXED_PLATFORM = re.compile(r"^FROM\s+--platform=", re.MULTILINE)


def matrix(date: str) -> dict[str, Any]:
    """Return what a CI system needs to run everything in parallel.

    The result has ``date``; ``eval``, names; ``tool``, each with its name and whether its image can be built for any
    platform (``cross``), that is, whether its Dockerfile names none; ``run``, one for each tool and eval that it supports,
    the short evals of a tool together, each with arguments of ``repo run`` and a name for the log (``artifact``).

    Raises: HelmError for more runs than such systems accept.
    """
    evals, supported = _names("eval"), _supported()
    runs: list[list[str]] = []
    for tool, outcomes in supported.items():
        listed = [name for name in evals if name in outcomes]
        short = [name for name in listed if name in _SHORT_EVALS]
        groups = [[name] for name in listed if name not in short] + ([short] if short else [])
        runs += [[word for name in group for word in ("--eval", name)] + ["--tool", tool] for group in groups]
    if len(runs) > _MAX_RUNS:
        raise HelmError(f"{len(runs)} runs are more than the {_MAX_RUNS} that a matrix may have.")
    return {
        "date": date,
        "eval": evals,
        "tool": [{"tool": tool, "cross": _is_for_any_platform(tool)} for tool in supported],
        "run": [{"args": shlex.join(words), "artifact": mangle(words)} for words in runs],
    }


def _is_for_any_platform(tool: str) -> bool:
    file = Path("tools", tool, "Dockerfile")
    return not file.is_file() or _FIXED_PLATFORM.search(file.read_text(encoding="utf-8")) is None


def _supported() -> dict[str, dict[str, tuple[Outcome, ...]]]:
    evals = _names("eval")
    return {tool: read_supported_evals(Path("tools", tool, "evals.txt"), evals) for tool in _names("tool")}


def _check(
    eval_: Side,
    tool: Side,
    outcome: Outcome,
    supported: dict[str, dict[str, tuple[Outcome, ...]]],
    screen: _Screen,
) -> bool:
    """Print which outcomes were expected; returns whether this is one of them."""
    is_known = eval_.is_plain and tool.is_plain and tool.name in supported and eval_.name in _names("eval")
    if not is_known:
        print(f"expected {screen.paint('unknown', YELLOW)}")
        return False
    assert tool.name is not None and eval_.name is not None
    accepted = supported[tool.name].get(eval_.name, (Outcome.UNDEFINED,)) or (Outcome.SUCCESS,)
    is_expected = outcome in accepted
    text = "+".join(word.value for word in accepted)
    print(f"expected {screen.paint(text, GREEN if is_expected else RED)}")
    return is_expected


def _make_images(suite: Suite, screen: _Screen) -> None:
    if suite.github_run is not None:
        for command in suite.image_commands():
            if _call(command) != 0:
                raise HelmError(f"failed: {shlex.join(command)}")
        return
    for kind, name in suite.built():  # all of them, before the first build
        _check_folder(kind, name)
    for kind, name in suite.built():
        print(f"building {kind} {screen.paint(name, _KIND_COLORS[kind])}", flush=True)
        _build_quietly(kind, name, LATEST, None, screen)
    if suite.built():
        print()


def _hint(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence, and another sentence with the nearest name, if there is one."""
    hint = suggest(name, known)
    return hint and "." + hint


def _check_folder(kind: str, name: str) -> None:
    if not Path(_FOLDERS[kind], name).is_dir():
        raise HelmError(f"can't find {kind} to build: {_quoted(name)}{_hint(name, _names(kind))}")


def _build_quietly(kind: str, name: str, tag: str, platform: str | None, screen: _Screen) -> None:
    """Build an image; show the output only if the build did some work. Raises ``HelmError`` when it fails."""
    _check_folder(kind, name)
    command = [*build_command(kind, name, tag, platform), "--progress=plain"]
    try:
        process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError as error:
        raise HelmError(f"{command[0]}: {describe_os_error(error)}") from error
    if process.returncode or _WORKED.search(process.stdout):
        print(screen.paint(process.stdout.rstrip("\n"), _KIND_COLORS[kind]), file=sys.stderr)
    if process.returncode:
        raise HelmError(f"failed to build {kind} {name}: {command[0]} ended with exit code {process.returncode}")


def _call(command: Sequence[str]) -> int:
    """Run a command on our own standard streams; returns its exit code."""
    try:
        code = subprocess.run(list(command), check=False).returncode
    except OSError as error:
        raise HelmError(f"{command[0]}: {describe_os_error(error)}") from error
    return code if code >= 0 else 128 - code


def run_verb(arguments: argparse.Namespace) -> int:
    """Run one ``gradbench repo`` verb with its parsed flags; returns the exit code."""
    if not Path(".git").exists():
        raise HelmError("error running a repo subcommand: current working directory is not a Git repository root")
    verb = arguments.repo_verb
    if verb == "run":
        evals = choose_sides("eval", arguments.eval, arguments.no_eval)
        tools = choose_sides("tool", arguments.tool, arguments.no_tool)
        suite = Suite(
            evals,
            tools,
            arguments.output,
            arguments.timeout,
            arguments.download_github,
            arguments.strict,
            arguments.compat,
        )
        if arguments.dry_run:
            for command in suite.commands():
                print(shlex.join(command))
            return 0
        return run_suite(suite, arguments.check)
    if verb == "init":
        from helm.gradbench.images import write_image_folders

        for path in write_image_folders(Path()):
            print(path.as_posix())
        return 0
    if verb == "lint":
        from helm.gradbench.lint import lint

        findings = lint(Path())
        for finding in findings:
            print(finding)
        return 1 if findings else 0
    if verb == "matrix":
        today = arguments.date or datetime.now(UTC).date().isoformat()
        for key, value in matrix(today).items():
            print(f"{key}={json.dumps(value, separators=(',', ':'), ensure_ascii=False)}")
        return 0
    if verb == "stats":
        logs, output = Path(arguments.input), Path(arguments.output)
        write_stats(logs, output, _supported(), _names("eval"), arguments.date, arguments.commit)
        return 0
    if verb == "build":
        return _build_all(arguments.names, arguments.tag, arguments.platform)
    kind = verb.removeprefix("build-")
    if verb.startswith("build-"):
        return _call(build_command(kind, arguments.name, arguments.tag, arguments.platform))
    image, flags = _split_arguments(arguments.arguments)
    tag = image.tag or arguments.tag or LATEST
    platform = image.platform or arguments.platform
    _build_quietly(kind, arguments.name, tag, platform, _Screen())
    return _call(run_command(kind, arguments.name, flags, tag, platform))


def _split_arguments(words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Split the words after an image's name into tag, platform, and the program's arguments; all after ``--`` are the latter."""
    end = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="gradbench repo", add_help=False, allow_abbrev=False)
    parser.add_argument("-t", "--tag")
    parser.add_argument("--platform")
    image, flags = parser.parse_known_args(list(words[:end]))
    return image, [*flags, *words[end + 1 :]]


def _build_all(names: Sequence[str], tag: str, platform: str | None) -> int:
    """Build the images of the named evals and tools, or of all; returns the exit code of the first build that fails."""
    known = {kind: _names(kind) for kind in _FOLDERS}
    every_name = [name for folder in known.values() for name in folder]
    for name in names:
        if name not in every_name:
            raise HelmError(f"can't find eval or tool to build: {_quoted(name)}{_hint(name, every_name)}")
    for kind, folder in known.items():
        for name in folder:
            if not names or name in names:
                print(f"building {kind} {_Screen().paint(name, _KIND_COLORS[kind])}", flush=True)
                code = _call(build_command(kind, name, tag, platform))
                if code:
                    return code
    return 0


__all__ = [
    "REGISTRY_VARIABLE",
    "Side",
    "Suite",
    "build_command",
    "choose_sides",
    "image_name",
    "mangle",
    "matrix",
    "parse_side",
    "run_command",
    "run_suite",
    "run_verb",
]
