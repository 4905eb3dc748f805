"""Documentation pages as programs: their files are written and their commands are run, in order.

In a page

* a block in python, yaml, conf, toml or json whose first line is a comment with a file name (`# folder/name.py`) is a
  file;
* a block in `console` is an exchange: lines with `$ ` in front are commands, what follows them is what they print;
* a block in `sh` is a script that prints nothing of interest.

Shown output is compared unless there is none. `...` stands for any text in a line, and alone on a line for any lines;
times of day and durations may differ. A command may fail only when the next one is `echo $?`. Commands that end in `&`
are servers on port 8000, which becomes a free port.
"""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PORT = "8000"
TIMEOUT_S = 120

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_LANGUAGES = ("python", "yaml", "conf", "toml", "json")
_FILE_COMMENT = re.compile(r"# ([\w./-]+\.\w+)\n")
_PROGRAM = re.compile(r"(?:[A-Z_]+=\S* +)*([\w./-]+)")
_SHELL_WORDS = {
    "cd",
    "echo",
    "export",
    "unset",
    "kill",
    "wait",
    "source",
    "for",
    "if",
    "while",
    "test",
    "true",
    "false",
    "set",
}
_MARK = "@@@ end of command"
_VARIABLE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"  # when it was logged
    r"|(?<=\[)\d+(?:\.\d+)?(?:m \d+(?:\.\d+)?)?s(?=\])"  # how long it took
)


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int

    @property
    def file_name(self) -> str | None:
        match = _FILE_COMMENT.match(self.text) if self.language in _FILE_LANGUAGES else None
        return match[1] if match else None


@dataclass(frozen=True)
class Command:
    text: str
    shown: str | None
    """None: anything may be printed."""
    may_fail: bool
    line: int


def read_blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in _FENCE.finditer(text)]


def read_commands(block: Block) -> list[Command]:
    if block.language == "sh":
        return [Command(block.text, None, False, block.line)]
    found: list[tuple[str, list[str], int]] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            found.append((line[2:], [], number))
        else:
            assert found, f"line {number}: output without a command"
            found[-1][1].append(line)
    commands = []
    for i, (text, shown, number) in enumerate(found):
        may_fail = i + 1 < len(found) and found[i + 1][0] == "echo $?"
        commands.append(Command(text, "\n".join(shown) if shown else None, may_fail, number))
    return commands


# Long work says now and then how far it is: on a slow machine more often.
_PROGRESS = re.compile(r"<varies> INFO +(Progress: .*|[\w ]+: \d+( of \d+)?)")


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in _VARIABLE.sub("<varies>", text).strip("\n").splitlines()]
    return "\n".join(line for line in lines if not _PROGRESS.fullmatch(line))


def is_shown(shown: str, printed: str) -> bool:
    """Whether the output of a command is what the page shows."""
    lines = []
    for line in _tidy(shown).splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*?".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.fullmatch("".join(lines), _tidy(printed) + "\n") is not None


def _write_programs(folder: Path) -> None:
    """Our commands and `python`, all of this interpreter."""
    folder.mkdir()
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    for line in config["options.entry_points"]["console_scripts"].split("\n"):
        if line.strip():
            name, target = (part.strip() for part in line.split("="))
            module, function = target.split(":")
            program = f"from {module} import {function}; {function}()"
            text = f"#!{sys.executable}\nimport sys\nsys.argv[0] = {name!r}\n{program}\n"
            (folder / name).write_text(text)
    (folder / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    for path in folder.iterdir():
        path.chmod(0o755)


def _free_port() -> str:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def _script(blocks: list[Block], files: Path) -> tuple[str, list[Command]]:
    """One script for the page, so that variables and the exit status live on; it marks where each command ends."""
    lines, commands = [], []
    for number, block in enumerate(blocks):
        if block.file_name:
            stored = files / str(number)
            stored.write_text(block.text, encoding="utf-8")
            name = shlex.quote(block.file_name)
            lines.append(f"mkdir -p $(dirname {name}) && cp {shlex.quote(str(stored))} {name}")
        elif block.language in ("console", "sh"):
            for command in read_commands(block):
                commands.append(command)
                lines += [command.text, "__status=$?"]
                if command.text.rstrip().endswith("&"):
                    probe = f"(: > /dev/tcp/127.0.0.1/{PORT}) 2> /dev/null"
                    lines.append(f"for i in $(seq 200); do {probe} && break; sleep 0.05; done")
                lines += [f'printf "\\n{_MARK} $__status\\n"', "(exit $__status)"]
    return "\n".join(lines) + "\n", commands


def describe_missing(output: str, commands: list[str], path: str) -> str:
    """What this machine lacks of what the commands need: programs that are not on `path`, packages that Python did not find;
    empty when nothing is known to be missing.
    """
    programs = {match[1] for text in commands if (match := _PROGRAM.match(text))}
    missing = [
        f"the program {name}"
        for name in sorted(programs - _SHELL_WORDS)
        if "/" not in name and shutil.which(name, path=path) is None
    ]
    missing += [f"the program {name}" for name in re.findall(r"(?:line \d+: )(\S+): command not found", output)]
    missing += [f"the package {name}" for name in re.findall(r"No module named '([\w.]+)'", output)]
    missing += [f"the package {name}" for name in re.findall(r"pip install '?([\w.\[\],-]*[\w\]])'?", output)]
    return f" This machine lacks {', '.join(dict.fromkeys(missing))}." if missing else ""


def check_page(page: Path, folder: Path, in_checkout: bool = False) -> int:
    """Do what the page says, in an empty folder; returns how many commands it has. Raises AssertionError.

    With `in_checkout` the folder holds a copy of `src`, which the commands use.
    """
    work, files, programs = folder / "work", folder / "files", folder / "bin"
    work.mkdir()
    files.mkdir()
    if in_checkout:
        shutil.copytree(ROOT / "src", work / "src", ignore=shutil.ignore_patterns("*.pyc.*", "*.egg-info"))
    _write_programs(programs)
    script, commands = _script(read_blocks(page), files)
    port = _free_port()
    for path in files.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace(PORT, port), encoding="utf-8")
    (folder / "script.sh").write_text(script.replace(PORT, port), encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not re.match("HELM_|OPENAI_|COLUMNS", key)}
    environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment["PYTHONUTF8"] = "1"
    if in_checkout:
        environment["PYTHONPATH"] = str(work / "src")
    with open(folder / "printed", "w+b") as printed:
        process = subprocess.Popen(
            ["bash", str(folder / "script.sh")],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(timeout=TIMEOUT_S)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # with the servers that it started
            except ProcessLookupError:
                pass
            process.wait()
    output = (folder / "printed").read_text(encoding="utf-8", errors="replace").replace(port, PORT)
    results = re.split(rf"\n?{_MARK} (\d+)\n", output)
    lacking = describe_missing(output, [command.text for command in commands], environment["PATH"])
    assert len(results) == 2 * len(commands) + 1, f"{page.name}: not all commands were run.{lacking}\n{output}"
    for command, text, status in zip(commands, results[::2], results[1::2], strict=False):
        where = f"{page.name}, line {command.line}: $ {command.text}\n"
        assert status == "0" or command.may_fail, f"{where}ended with status {status}.{lacking}\n{text}"
        if command.shown is not None:
            assert is_shown(command.shown, text), (
                f"{where}printed{lacking}\n{_tidy(text)}\n\nbut the page shows\n{_tidy(command.shown)}"
            )
    return len(commands)
