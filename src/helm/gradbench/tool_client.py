"""A connection to one AD tool, which runs as a process and is restarted when it hangs or dies."""

from __future__ import annotations

import copy
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import IO, Any

from helm.benchmark.executing.execution import ExecutorError
from helm.common.errors import ConfigError
from helm.common.evaluate_request import (
    STATUS_ERROR,
    STATUS_FAILURE,
    STATUS_TIMEOUT,
    STATUS_UNDEFINED,
    EvaluateRequest,
    EvaluateResult,
)
from helm.common.formats.json_reading import check_depth
from helm.common.processes.line_process import LineProcess, StartError, describe_os_error
from helm.gradbench.containers import tool_command
from helm.gradbench.intermediary import split_command
from helm.gradbench.machine import machine_facts, one_thread_environment
from helm.gradbench.protocol import (
    DefineResponse,
    EvaluateResponse,
    Line,
    ProtocolError,
    Response,
    StartResponse,
    check_response,
    decode_value,
    encode_message,
    parse_message,
    parse_response,
)

# How long a tool may take to end once its input has ended; one that takes longer is killed.
_CLOSE_GRACE_S = 2.0
_STDERR_TAIL_BYTES = 4000
_SHOWN_LINE_BYTES = 200


class _Broken(Exception):
    """Communication with the tool has failed: ``status`` is the result of the evaluation, the text the reason."""

    def __init__(self, status: str, text: str):
        super().__init__(text)
        self.status = status


@dataclass
class _Session:
    """One process of the tool."""

    process: LineProcess
    stderr: IO[bytes]
    next_id: int = 0
    last_evaluation: int | None = None

    def stderr_tail(self) -> str:
        """Return the end of the process's standard error after a line break; empty if there is none."""
        size = self.stderr.seek(0, 2)
        self.stderr.seek(max(0, size - _STDERR_TAIL_BYTES))
        text = self.stderr.read().decode("utf-8", errors="replace").strip()
        return f"\n{text}" if text else ""


class ToolClient:
    """Talks the GradBench protocol to one AD tool.

    The process starts with the first message. A process that hangs, dies or breaks the protocol is killed with its whole
    process group, and the next message starts a new one. The process does not outlive this interpreter. Not safe for
    use from several threads at once; timed evaluations should run one after another anyway.

    Args:
        command: words of the tool's command, or one text that is split by the shell's quoting rules (no shell runs).
        builtin: the name of a tool that ships with this package, instead of a command.
        image: a tool in its image, as for ``containers.tool_command``, instead of a command.
        name: the tool's name in errors. Default: the command or the built-in name.
        multithreaded: whether numerical libraries may use as many threads as they like. By default the environment of the
            process asks them to use one each, unless ours already says otherwise.
        device: where a built-in tool of arrays runs, such as ``cuda``. None: the CPU.
    Raises: ConfigError unless exactly one of ``command``, ``builtin`` and ``image`` is given, if the tool has no devices, or
        if nothing runs images here.
    """

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        builtin: str | None = None,
        name: str | None = None,
        multithreaded: bool = False,
        device: str | None = None,
        image: str | None = None,
    ):
        if [command, builtin, image].count(None) != 2:
            raise ConfigError("A ToolClient takes either a command, the name of a builtin tool, or an image.")
        if builtin is not None:
            from helm.gradbench.tools.registry import check_device, check_tool

            check_tool(builtin)  # reports a wrong name before anything runs
            check_device(builtin, device)
            words = [sys.executable, "-m", "helm.gradbench.main", "tool", builtin]
            words += ["--multithreaded"] * multithreaded
            words += [] if device is None else ["--device", device]
        elif image is not None:
            words = tool_command(image)
        elif isinstance(command, str):
            words = split_command("tool", command)
        else:
            assert command is not None
            words = list(command)
            if not words:
                raise ConfigError("A ToolClient needs a command of at least one word.")
        self._command = words
        self.name = name or builtin or image or words[0]
        self.reported_name: str | None = None
        """The tool's own name; None before it has started, and if it has not sent one."""

        self._environment = dict(os.environ) if multithreaded else one_thread_environment()
        self.machine = machine_facts(self._environment)
        """Facts about the machine on which the timings depend; recorded with every evaluation."""

        if builtin is not None:
            from helm.gradbench.tools.registry import library_version

            self.machine.update(library_version(builtin))
        if device is not None:
            self.machine["device"] = device
        self._session: _Session | None = None

    def another(self) -> ToolClient:
        """Create a client of the same tool that starts its own process."""
        other = copy.copy(self)
        other._session = None
        return other

    @property
    def is_running(self) -> bool:
        """Return whether there is a process that has answered everything so far. False before the first message."""
        return self._session is not None

    def start(self, timeout_s: float | None = None, eval_name: str | None = None) -> None:
        """Start a process, unless one is running, and wait until it answers.

        Raises: ExecutorError when the command cannot be started, or the program does not answer as a tool does.
        """
        if self._session is not None:
            return
        stderr = tempfile.TemporaryFile()
        try:
            process = LineProcess(
                self._command, stderr=stderr, guarded=True, environment=self._environment, name="tool"
            )
        except StartError as error:
            stderr.close()
            raise ExecutorError(
                f"Cannot start the tool {self.name} with the command {self._command}: {error}"
            ) from error
        self._session = _Session(process, stderr)
        try:
            response = self._ask(timeout_s, "start", **({} if eval_name is None else {"eval": eval_name}))
        except _Broken as broken:
            raise ExecutorError(f"The tool {self.name} ({self._command}) does not start: {broken}") from None
        assert isinstance(response, StartResponse)
        self.reported_name = response.tool

    def define(self, module: str, timeout_s: float | None = None) -> EvaluateResult:
        """Ask the tool to prepare ``module``; the result is ``undefined`` when it says that it cannot.

        Args:
            module: name of the module.
            timeout_s: limit for the answer in seconds, from sending the message.
        """
        start_ns = time.monotonic_ns()
        try:
            self.start(timeout_s, module)
            start_ns = time.monotonic_ns()
            response = self._ask(timeout_s, "define", module=module)
        except _Broken as broken:
            return _unanswered(broken, start_ns)
        assert isinstance(response, DefineResponse)
        elapsed_ns = time.monotonic_ns() - start_ns
        if response.success:
            return EvaluateResult(success=True, timings=response.timings or None, elapsed_ns=elapsed_ns)
        error = response.error or f"The tool {self.name} does not define the module {module}."
        return EvaluateResult(success=False, status=STATUS_UNDEFINED, error=error, elapsed_ns=elapsed_ns)

    def evaluate(self, request: EvaluateRequest, timeout_s: float | None = None) -> EvaluateResult:
        """Ask for one evaluation. Any failure is a result, whose ``status`` names its kind.

        Args:
            request: the evaluation.
            timeout_s: limit for the answer in seconds, from sending the message; None means no limit.
        """
        start_ns = time.monotonic_ns()
        optional = {} if request.description is None else {"description": request.description}
        try:
            self.start(timeout_s, request.module)
            start_ns = time.monotonic_ns()
            response = self._ask(
                timeout_s,
                "evaluate",
                module=request.module,
                function=request.function,
                input=request.input,
                **optional,
            )
        except _Broken as broken:
            return _unanswered(broken, start_ns)
        assert isinstance(response, EvaluateResponse)
        result = EvaluateResult(
            success=response.success,
            timings=response.timings or None,
            error=response.error,
            elapsed_ns=time.monotonic_ns() - start_ns,
            machine=self.machine,
        )
        if response.success:
            assert response.output is not None  # checked with the response
            try:
                output = decode_value(response.output)
                check_depth(output, bytes(response.output))
            except ValueError as e:
                return replace(result, success=False, status=STATUS_ERROR, error=f"the output cannot be read: {e}")
            return replace(result, output=output)
        error = response.error or "The tool gave no reason."
        return replace(result, status=STATUS_FAILURE, error=error)

    def analyze(self, valid: bool, error: str | None = None, timeout_s: float | None = None) -> None:
        """Tell the tool whether its last output was right. Does nothing when no process has evaluated anything.

        Raises: ExecutorError when the tool does not acknowledge it as the protocol requires.
        """
        if self._session is None or self._session.last_evaluation is None:
            return
        optional = {} if error is None else {"error": error}
        try:
            self._ask(timeout_s, "analysis", of=self._session.last_evaluation, valid=valid, **optional)
        except _Broken as broken:
            raise ExecutorError(f"The tool {self.name} did not answer an analysis: {broken}") from None

    def close(self) -> None:
        """End the process and everything in its group. The client can be used again; it then starts a new process."""
        if self._session is not None:
            session, self._session = self._session, None
            session.process.finish(_CLOSE_GRACE_S)
            session.stderr.close()

    def __enter__(self) -> ToolClient:
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    # --- one message -----------------------------------------------------------------------------------------------

    def _ask(self, timeout_s: float | None, kind: str, **fields: Any) -> Response:
        """Send one message and return its response. Without one, kill the process and raise ``_Broken``."""
        session = self._session
        assert session is not None
        message_id = session.next_id
        session.next_id += 1
        line = encode_message(message_id, kind, **fields)
        try:
            answer = self._exchange(session, line, timeout_s)
            response = _read_response(answer, line, message_id)
        except _Broken as broken:
            raise _Broken(broken.status, f"{broken}{self._abandon(session)}") from None
        except BaseException:  # an interrupt, so the state of the process is unknown
            self._abandon(session)
            raise
        if kind == "evaluate":
            session.last_evaluation = message_id
        return response

    def _abandon(self, session: _Session) -> str:
        """Kill the process; what it last wrote to standard error."""
        self._session = None
        session.process.kill()
        session.process.close_pipes()
        with session.stderr:
            return session.stderr_tail()

    def _exchange(self, session: _Session, line: bytes, timeout_s: float | None) -> Line:
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        try:
            session.process.write(line, deadline)
            answer = session.process.read_line(deadline)
        except TimeoutError:
            raise _Broken(STATUS_TIMEOUT, f"no answer within {timeout_s:g} s") from None
        except BrokenPipeError:
            answer = b""
        except OSError as error:
            raise _Broken(STATUS_ERROR, describe_os_error(error)) from None
        if not answer:
            raise _Broken(STATUS_ERROR, f"the tool ended without an answer{_ending(session.process)}")
        return answer


def _ending(process: LineProcess) -> str:
    """Describe how a process that closed its output ended, if it ended within a moment."""
    process.close_pipes()
    for _ in range(20):
        if not process.is_running():
            code = process.returncode
            assert code is not None
            return f" (killed by signal {-code})" if code < 0 else f" (exit code {code})"
        time.sleep(0.005)
    return ""


def _read_response(answer: Line, line: bytes, message_id: int) -> Response:
    try:
        response = parse_response(answer, parse_message(line))
        check_response(response)
        if response.id != message_id:
            raise ProtocolError(f"the response to message {message_id} has the id {response.id}")
        return response
    except ProtocolError as error:
        shown = answer.strip()[:_SHOWN_LINE_BYTES].decode("utf-8", errors="replace")
        raise _Broken(STATUS_ERROR, f"the tool broke the protocol: {error}. Its answer begins with: {shown}") from None


def _unanswered(broken: _Broken, start_ns: int) -> EvaluateResult:
    elapsed_ns = time.monotonic_ns() - start_ns
    return EvaluateResult(success=False, status=broken.status, error=str(broken), elapsed_ns=elapsed_ns)
