"""The program between an eval and a tool, which forwards every line, measures, shows, logs, and reports the outcome."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from helm.common.errors import HelmError
from helm.common.processes.line_process import Interrupted, LineProcess, StartError, describe_os_error
from helm.gradbench.protocol import (
    AnalysisMessage,
    AnalysisResponse,
    DefineMessage,
    DefineResponse,
    EvaluateMessage,
    EvaluateResponse,
    Line,
    Message,
    Outcome,
    ProtocolError,
    Response,
    StartMessage,
    StartResponse,
    check_response,
    check_utf8,
    parse_message,
    parse_response,
)
from helm.gradbench.terminal import Terminal, format_workload

# A process that ignores the end of its input would keep us waiting for ever; this is ample time for a clean exit.
GRACE_S = 10.0

# Lines of at least this length are written to the log in the background, while the other side already reads them.
_LONG_BYTES = 1 << 22


class _Stop(Exception):
    """The exchange cannot continue: ``outcome`` says how it ended, ``message`` (None if already printed) says why."""

    def __init__(self, outcome: Outcome, message: str | None = None):
        super().__init__(message)
        self.outcome, self.message = outcome, message


def split_command(name: str, text: str) -> list[str]:
    """Split a command into words by the shell's quoting rules, without any other feature of a shell.

    Raises: HelmError, beginning with ``name``, when there are no words or a quote is not closed.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        raise HelmError(f"{name}: failed to split command") from None
    if not words:
        raise HelmError(f"{name}: empty command")
    return words


@contextmanager
def _signals_as_descriptor() -> Iterator[int | None]:
    """Yield a descriptor that becomes readable on SIGINT, SIGTERM or SIGHUP, instead of an exception at any moment.

    A hang-up that our caller ignores, as ``nohup`` does, stays ignored. Outside of the main thread, where handlers cannot
    be set, it yields None.
    """
    if threading.current_thread() is not threading.main_thread():
        yield None
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    old_descriptor = signal.set_wakeup_fd(write_end)
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    old_handlers = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        yield read_end
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(old_descriptor)
        os.close(read_end)
        os.close(write_end)


def run_exchange(
    eval_command: Sequence[str],
    tool_command: Sequence[str],
    terminal: Terminal,
    log: BinaryIO | None = None,
    timeout_s: float | None = None,
    strict: bool = False,
    compat: bool = False,
) -> Outcome:
    """Start an eval and a tool, forward their messages to the end, and return the outcome.

    Args:
        eval_command: words of the eval's command.
        tool_command: words of the tool's command.
        terminal: shows the progress.
        log: receives every message and answer at once, one JSON line each.
        timeout_s: limit in seconds for each answer of the tool, from the moment its message is forwarded.
        strict: whether an eval's exit code other than 0, and an answer whose id is not its message's, are errors.
            The original ignores both, and so does the default.
        compat: whether to restart the time limit with every piece of output, and to forward a last line without a newline
            unchanged, as the original does.
    Raises: HelmError when a command cannot be started.
    """
    with _signals_as_descriptor() as interrupt_fd:
        eval_process = _start("eval", eval_command, interrupt_fd)
        try:
            tool_process = _start("tool", tool_command, interrupt_fd)
        except HelmError:
            eval_process.finish(GRACE_S)
            raise
        exchange = _Exchange(eval_process, tool_process, terminal, log, timeout_s, strict, compat)
        return exchange.run()


def _start(name: str, command: Sequence[str], interrupt_fd: int | None) -> LineProcess:
    try:
        return LineProcess(command, interrupt_fd, name=name)
    except StartError as error:
        raise HelmError(f"{name}: {error}") from error


class _Exchange:
    """The state of one exchange: both processes, the clock and what went wrong so far."""

    def __init__(
        self,
        eval_process: LineProcess,
        tool_process: LineProcess,
        terminal: Terminal,
        log: BinaryIO | None,
        timeout_s: float | None,
        strict: bool,
        compat: bool,
    ):
        self._eval, self._tool, self._terminal = eval_process, tool_process, terminal
        self._log = _Log(log)
        self._timeout_s, self._strict = timeout_s, strict
        self._restart_s = timeout_s if compat else None
        self._complete = _as_it_is if compat else _with_newline
        self._start_ns = time.monotonic_ns()
        self._seen: set[Outcome] = set()
        self._message: Message | None = None
        self._message_ns = 0

    def run(self) -> Outcome:
        outcome: Outcome | None = None
        try:
            while self._pass_message():
                pass
        except _Stop as stop:
            outcome = stop.outcome
            if stop.message is not None:
                self._say(stop.message)
        except Interrupted:
            outcome = Outcome.INTERRUPT
        except OSError as error:
            outcome = Outcome.ERROR
            self._say(describe_os_error(error))
        finally:
            if outcome in (Outcome.TIMEOUT, Outcome.INTERRUPT):
                self._tool.kill()
            if outcome is Outcome.INTERRUPT:
                self._eval.kill()
            outcome = self._finish(outcome)
        return outcome

    def _finish(self, outcome: Outcome | None) -> Outcome:
        """Let both processes end; returns the final outcome."""
        try:
            # Both, before waiting for either process, because one may wait for the other.
            self._eval.close_pipes()
            self._tool.close_pipes()
            self._eval.finish(GRACE_S)
            self._tool.finish(GRACE_S)
        except Interrupted:
            self._eval.kill()
            self._tool.kill()
            return Outcome.INTERRUPT
        if outcome is not None:
            return outcome
        if self._strict and self._eval.returncode != 0:
            self._say(f"eval ended with exit code {self._eval.returncode}")
            return Outcome.ERROR
        order = (Outcome.UNDEFINED, Outcome.FAILURE, Outcome.INVALID)
        return next((bad for bad in order if bad in self._seen), Outcome.SUCCESS)

    def _say(self, text: str) -> None:
        """Report an error, on standard error if the terminal's own output is broken."""
        try:
            self._terminal.error(text)
        except OSError:
            print(text, file=sys.stderr)

    def _elapsed_ns(self) -> int:
        return time.monotonic_ns() - self._start_ns

    def _pass_message(self) -> bool:
        """Forward one message and its answer; returns False at the end of the eval's output."""
        line = self._eval.read_line()
        if not line:
            return False
        self._message_ns = self._elapsed_ns()
        try:
            check_utf8(line)
            self._log.begin("message", self._message_ns, line)
            try:
                message = parse_message(line)
            finally:
                self._log.end()  # before the tool sees the line
        except (UnicodeDecodeError, ProtocolError) as error:
            raise self._unreadable(line, "eval", error) from error
        self._begin(message)
        deadline = None if self._timeout_s is None else time.monotonic() + self._timeout_s
        try:
            self._tool.write(self._complete(line), deadline)
            answer = self._tool.read_line(deadline, self._restart_s)
        except TimeoutError:
            self._terminal.timeout(self._elapsed_ns() - self._message_ns)
            raise _Stop(Outcome.TIMEOUT) from None
        except Interrupted:
            self._print_time(message, self._elapsed_ns())
            self._terminal.bad_line("", None)
            raise _Stop(Outcome.INTERRUPT) from None
        elapsed_ns = self._elapsed_ns()
        try:
            response = self._read_answer(answer, message)
        except (UnicodeDecodeError, ProtocolError) as error:
            self._print_time(message, elapsed_ns)
            raise self._unreadable(answer, "tool", error) from error
        try:
            if _is_consistent(response):
                self._eval.write(self._complete(answer))  # before printing, so that the eval works meanwhile
        finally:
            self._print_time(message, elapsed_ns)
            self._end(message, response)
            self._log.begin("response", elapsed_ns, answer)
            self._log.end()
        return True

    def _read_answer(self, answer: Line, message: Message) -> Response:
        check_utf8(answer)
        if not answer:
            raise ProtocolError("EOF while parsing a value at line 1 column 0")
        response = parse_response(answer, message)
        if self._strict and response.id != message.id:
            raise ProtocolError(f"the answer to message {message.id} has the id {response.id}")
        return response

    def _unreadable(self, line: Line, sender: str, error: ValueError) -> _Stop:
        if isinstance(error, UnicodeDecodeError):
            return _Stop(Outcome.ERROR, "stream did not contain valid UTF-8")
        self._terminal.bad_line(line.decode("utf-8"), f"invalid JSON from {sender}: {error}")
        return _Stop(Outcome.ERROR)

    def _begin(self, message: Message) -> None:
        """Print the beginning of the line for a message."""
        if isinstance(message, DefineMessage):
            self._terminal.begin_define(message.id, message.module)
        elif isinstance(message, EvaluateMessage):
            workload = format_workload(message.description, message.input)
            self._terminal.begin_evaluate(message.id, f"{message.module}::{message.function}", workload)
        elif isinstance(message, AnalysisMessage):
            if not message.valid:
                self._seen.add(Outcome.INVALID)
            self._terminal.analysis(message.of, message.valid, message.error)

    def _print_time(self, message: Message, elapsed_ns: int) -> None:
        if isinstance(message, DefineMessage):
            self._terminal.define_time(elapsed_ns - self._message_ns)
        elif isinstance(message, EvaluateMessage):
            self._terminal.evaluate_time(elapsed_ns - self._message_ns)

    def _end(self, message: Message, response: Response) -> None:
        """Print the rest of the line for an answered message and count failures."""
        if isinstance(message, StartMessage) and isinstance(response, StartResponse):
            self._terminal.start(message.id, message.eval, response.tool)
        elif isinstance(response, DefineResponse):
            self._terminal.end_define(response.timings, response.success, response.error)
            if not response.success:
                self._seen.add(Outcome.UNDEFINED)
            _check(response)
        elif isinstance(response, EvaluateResponse):
            self._end_evaluate(message.id, response)
        else:
            assert isinstance(response, AnalysisResponse)

    def _end_evaluate(self, message_id: int, response: EvaluateResponse) -> None:
        if not response.success:
            self._seen.add(Outcome.FAILURE)
            self._terminal.fail_evaluate(response.timings, response.error)
            return
        try:
            check_response(response)
        except ProtocolError as error:
            self._terminal.break_evaluate(response.timings, response.error, str(error))
            raise _Stop(Outcome.ERROR) from error
        self._terminal.leave_evaluate_open(message_id, response.timings)


class _Log:
    """Writes one JSON line for each message and answer."""

    def __init__(self, stream: BinaryIO | None):
        self._stream = stream
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None

    def begin(self, key: str, elapsed_ns: int, line: Line) -> None:
        """Write a line; a long one is written in the background until ``end``. Both methods raise OSError."""
        if self._stream is None:
            return
        if len(line) < _LONG_BYTES:
            self._write(self._stream, key, elapsed_ns, line)
        else:
            self._thread = threading.Thread(target=self._write_aside, args=(self._stream, key, elapsed_ns, line))
            self._thread.start()

    def end(self) -> None:
        """Wait until the line is in the log."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            if self._error is not None:
                raise self._error

    def _write_aside(self, stream: BinaryIO, key: str, elapsed_ns: int, line: Line) -> None:
        try:
            self._write(stream, key, elapsed_ns, line)
        except OSError as error:
            self._error = error

    @staticmethod
    def _write(stream: BinaryIO, key: str, elapsed_ns: int, line: Line) -> None:
        stream.write(b'{ "elapsed": { "nanoseconds": %d }, "%s": ' % (elapsed_ns, key.encode("ascii")))
        stream.write(_stripped(line))
        stream.write(b" }\n")
        stream.flush()


def _check(response: Response) -> None:
    try:
        check_response(response)
    except ProtocolError as error:
        raise _Stop(Outcome.ERROR, str(error)) from error


def _is_consistent(response: Response) -> bool:
    try:
        check_response(response)
    except ProtocolError:
        return False
    return True


def _stripped(line: Line) -> memoryview:
    """Return the line without white space at its ends, without the copy that ``strip`` would make of a long line."""
    start, end = 0, len(line)
    while end > start and line[end - 1 : end].isspace():
        end -= 1
    while start < end and line[start : start + 1].isspace():
        start += 1
    return memoryview(line)[start:end]


def _as_it_is(line: Line) -> Line:
    return line


def _with_newline(line: Line) -> Line:
    """Add a missing newline to the last line of a process, because the other side would wait for it for ever."""
    return line if line.endswith(b"\n") else line + b"\n"
