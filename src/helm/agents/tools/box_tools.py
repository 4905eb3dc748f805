"""Tools of environments with files: a shell, Python, viewing, editing and searching files.

What is wrong is told to the model as the tool's result. Contents are bytes of hostile programs; text that is no UTF-8 is shown
with replacement characters.
"""

import posixpath
from typing import TYPE_CHECKING

from helm.agents.errors import InfrastructureFailure, ToolFailure
from helm.agents.tools.tool import FunctionTool, Tool, ToolResult
from helm.common.agent_request import SANDBOX
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import CommandResult, Session, SessionRefused

if TYPE_CHECKING:
    from helm.agents.environments.box import Box

_OUTPUT_BYTES = 1 << 20
_MAX_FILE_BYTES = 4 << 20
_MAX_LISTED = 500
_WORDS = {
    "timeout": "[stopped after {seconds:g} s]",
    "timeout_ended": "[stopped after {seconds:g} s; the next command starts a new shell]",
    "memory": "[everything was killed: too much memory]",
    "processes": "[everything was killed: too many processes]",
    "ended": "[the shell has ended; the next command starts a new one]",
}


def box_tools(box: "Box", seconds: float = 120.0) -> list[Tool]:
    """Return the tools of a box. `seconds` is the longest time of a command."""
    tools = _BoxTools(box, seconds)
    methods = (
        tools.bash,
        tools.python,
        tools.view,
        tools.create,
        tools.replace,
        tools.insert,
        tools.list,
        tools.search,
    )
    return [FunctionTool(method) for method in methods]


class _BoxTools:
    def __init__(self, box: "Box", seconds: float):
        self._box, self._seconds = box, seconds

    def bash(self, command: str, restart: bool = False) -> ToolResult:
        """Run a command in a shell that keeps its folder, variables and background processes.

        Args:
            command: what to run. It gets no input.
            restart: start a new shell first.
        """
        session = self._session
        try:
            found = session.run_in_shell(command, wall_s=self._seconds, output_bytes=_OUTPUT_BYTES, restart=restart)
        except SandboxError as e:
            raise _as_failure(e) from e
        return self._describe(found)

    def python(self, code: str) -> ToolResult:
        """Run a Python program; what it prints is the result.

        Args:
            code: the program.
        """
        data = code.encode("utf-8", "surrogatepass")
        try:
            found = self._session.run(["python3", "-"], stdin=data, wall_s=self._seconds, output_bytes=_OUTPUT_BYTES)
        except SandboxError as e:
            raise _as_failure(e) from e
        return self._describe(found)

    def view(self, path: str, start: int = 1, end: int = -1) -> str:
        """Show a text file with the numbers of its lines.

        Args:
            path: the file.
            start: the first line to show, from 1.
            end: the last line to show; -1 shows all.
        """
        lines = self._read(path).splitlines()
        if start < 1 or start > max(1, len(lines)):
            raise ToolFailure(f"{path} has {len(lines)} lines; `start` is {start}.")
        last = len(lines) if end == -1 else end
        shown = [f"{number:6}\t{line}" for number, line in enumerate(lines, 1) if start <= number <= last]
        return "\n".join(shown) if lines else "(the file is empty)"

    def create(self, path: str, text: str) -> str:
        """Write a file, and replace it if it is there.

        Args:
            path: the file.
            text: its whole content.
        """
        self._write(path, text)
        return f"Wrote {path}."

    def replace(self, path: str, old: str, new: str) -> str:
        """Replace a text that stands exactly once in a file.

        Args:
            path: the file.
            old: the text to replace, with enough of its surroundings.
            new: what takes its place.
        """
        text = self._read(path)
        count = text.count(old) if old else 0
        if count != 1:
            raise ToolFailure(f"`old` stands {count} times in {path}; it has to stand there exactly once.")
        self._write(path, text.replace(old, new))
        return f"Changed {path}."

    def insert(self, path: str, line: int, text: str) -> str:
        """Insert lines into a file.

        Args:
            path: the file.
            line: the number of the line after which to insert; 0 inserts at the beginning.
            text: the lines.
        """
        lines = self._read(path).splitlines(keepends=True)
        if not 0 <= line <= len(lines):
            raise ToolFailure(f"{path} has {len(lines)} lines; `line` is {line}.")
        if line and not lines[line - 1].endswith("\n"):
            lines[line - 1] += "\n"
        lines.insert(line, text if text.endswith("\n") else text + "\n")
        self._write(path, "".join(lines))
        return f"Changed {path}."

    def list(self, path: str = ".") -> str:
        """List the files below a folder, with their sizes in bytes.

        Args:
            path: the folder.
        """
        try:
            found = self._session.list_files(self._resolve(path), _MAX_LISTED + 1)
        except SandboxError as e:
            raise _as_failure(e) from e
        lines = [f"{size:>9} {name}" for name, size in found[:_MAX_LISTED]]
        return "\n".join([*lines, *(["..."] if len(found) > _MAX_LISTED else [])]) or "(no files)"

    def search(self, pattern: str, path: str = ".") -> ToolResult:
        """Search the text files below a folder by a regular expression.

        Args:
            pattern: an extended regular expression, as of `grep -E`.
            path: the folder or file.
        """
        argv = ["grep", "-rnIE", "-m", "100", "-e", pattern, "--", self._resolve(path)]
        try:
            found = self._session.run(argv, wall_s=self._seconds, output_bytes=_OUTPUT_BYTES)
        except SandboxError as e:
            raise _as_failure(e) from e
        if found.status == "ok" and found.returncode == 1:
            return ToolResult("(nothing found)")
        return self._describe(found)

    @property
    def _session(self) -> Session:
        return self._box.session

    def _resolve(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._box.workdir, path))

    def _read(self, path: str) -> str:
        try:
            return self._session.read(self._resolve(path), _MAX_FILE_BYTES).decode("utf-8", "replace")
        except SandboxError as e:
            raise _as_failure(e) from e

    def _write(self, path: str, text: str) -> None:
        try:
            self._session.write(self._resolve(path), text.encode("utf-8", "replace"))
        except SandboxError as e:
            raise _as_failure(e) from e

    def _describe(self, found: CommandResult) -> ToolResult:
        text = found.output.decode("utf-8", "replace")
        if found.status == "ok":
            if found.returncode:
                text = f"{text.rstrip()}\n[exit status {found.returncode}]".lstrip()
            return ToolResult(text, returncode=found.returncode)
        words = _WORDS[found.status].format(seconds=self._seconds)
        kind = {"timeout_ended": "timeout", "processes": "limit", "ended": "tool"}.get(found.status, found.status)
        is_error = found.status != "ended"  # a command may end its shell
        return ToolResult(
            f"{text.rstrip()}\n{words}".lstrip(), is_error, kind if is_error else None, returncode=found.returncode
        )


def _as_failure(error: SandboxError) -> ToolFailure | InfrastructureFailure:
    """Return what is told to the model for what is not possible inside, and what ends the episode for a broken sandbox."""
    if isinstance(error, SessionRefused):
        return ToolFailure(
            str(error), "permission" if "ermission" in str(error) or "Read-only" in str(error) else "tool"
        )
    return InfrastructureFailure(SANDBOX, str(error))
