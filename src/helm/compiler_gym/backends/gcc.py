"""The GCC backend: the options of an installed gcc are the actions, its output for a C source the observations."""

import hashlib
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.backends.gcc_command import make_command
from helm.compiler_gym.backends.gcc_options import (
    ABSENT,
    GccOption,
    IncrementAction,
    SimpleAction,
    get_option_words,
    make_actions,
    parse_options,
)
from helm.compiler_gym.backends.tool_process import run_tool
from helm.compiler_gym.benchmarks.program_files import path_in_uri, read_program_file
from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceInitError, StatusError
from helm.compiler_gym.runtime.session import ActionResult, CompilationSession

_SOURCE, _OBJECT, _ASSEMBLY, _RTL = "src.c", "obj.o", "asm.s", "rtl.lsp"
OBJECT_WORDS = ("-w", "-c", _SOURCE, "-o", _OBJECT)
"""The end of the command line that makes the object file."""
_ASSEMBLY_WORDS = ("-w", "-S", _SOURCE, "-o", _ASSEMBLY)
_RTL_WORDS = ("-w", "-S", _SOURCE, f"-fdump-rtl-dfinish={_RTL}", "-o", _ASSEMBLY)

_HELP_TIMEOUT_S = 60.0
_HASH_LENGTH = 200  # not the length of a hash, but the limit that the original's spaces declare
_DIRECTIVE = re.compile(r"^\t([A-Za-z0-9.-]+)", re.MULTILINE)


class GccProgram:
    """A gcc-like compiler: its version, its options and the actions that change them."""

    def __init__(self, command: str):
        """Find the compiler and read its version.

        Args:
            command: name or path of the compiler, or `docker:IMAGE`.
        Raises: ServiceInitError when it cannot be run or is no gcc.
        """
        self.command = command
        self.version = self._ask("--version").partition("\n")[0]
        if "gcc" not in self.version:
            raise ServiceInitError(f"{command} is not a gcc: its version is '{self.version}'.")
        self.options: list[GccOption] = parse_options(
            self._ask("--help=optimize", "-Q"), self._ask("--help=param", "-Q")
        )
        self.actions: list[SimpleAction | IncrementAction] = make_actions(self.options)
        self.index_by_name = {action.name: index for index, action in enumerate(self.actions)}

    def _ask(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                make_command(self.command, arguments),
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_HELP_TIMEOUT_S,
                stdin=subprocess.DEVNULL,
                env={
                    **os.environ,
                    "LC_ALL": "C",
                },  # gcc's help is parsed, so its language must not depend on the user's locale
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvironmentNotSupported(f"Cannot run the compiler {self.command}: {error}") from error
        if done.returncode != 0:
            raise ServiceInitError(f"{self.command} {' '.join(arguments)} failed: {done.stderr.strip()}")
        return done.stdout


@cache
def get_gcc(command: str) -> GccProgram:
    """Return the compiler of a name or path; its options are read once."""
    return GccProgram(command)


class GccSession(CompilationSession):
    """One C source under compilation.

    The state is one choice for each option (-1: absent). Actions only change choices; gcc runs when an observation needs
    it, and its output is kept until a choice changes. Each session has its own folder.

    The class attribute `command` names the compiler (see `make_gcc_session_class`); by default it is the one that the
    environment variable CC names, else `gcc`.
    """

    command: str | None = None
    _numbers = itertools.count()

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self._gcc = get_gcc(self.get_command())
        self._source = _read_source(benchmark)
        self._start([ABSENT] * len(self._gcc.options), timeout_s=None)

    def _start(self, choices: list[int], timeout_s: float | None) -> None:
        self._choices = choices
        self._timeout_s = timeout_s
        self._made: dict[str, bytes] = {}
        self._folder = Path(tempfile.mkdtemp(prefix=f"gcc-{next(self._numbers)}-", dir=self.working_dir))
        (self._folder / _SOURCE).write_bytes(self._source + b"\n")

    @classmethod
    def get_command(cls) -> str:
        return cls.command or os.environ.get("CC") or "gcc"

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        gcc = get_gcc(cls.get_command())
        names = proto.NamedDiscreteSpace(name=[action.name for action in gcc.actions])
        action_space = proto.ActionSpace(name="default", space=proto.Space(named_discrete=names))
        return [action_space], _make_observation_spaces(gcc.options), gcc.version

    def fork(self) -> "GccSession":
        forked = object.__new__(type(self))
        CompilationSession.__init__(forked, self.working_dir, self.action_space, self.benchmark)
        forked._gcc, forked._source = self._gcc, self._source
        forked._start(list(self._choices), self._timeout_s)
        forked._made = dict(self._made)
        return forked

    def close(self) -> None:
        """Remove the session's folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def __del__(self) -> None:
        if hasattr(self, "_folder"):
            self.close()

    def apply_action(self, action: Any) -> ActionResult:
        chosen = self._parse_action(action)
        index = chosen.option_index
        self._set_choices({index: chosen.apply(self._choices[index], len(self._gcc.options[index]))})
        return False, None, False

    def _parse_action(self, action: Any) -> SimpleAction | IncrementAction:
        if action.WhichOneof("value") != "int64_value":
            raise ValueError("Invalid action, int64_value expected.")
        if not 0 <= action.int64_value < len(self._gcc.actions):
            raise ValueError(f"Action {action.int64_value} is not in range [0, {len(self._gcc.actions)}).")
        return self._gcc.actions[action.int64_value]

    def _set_choices(self, changes: dict[int, int]) -> None:
        for index, choice in changes.items():
            if self._choices[index] != choice:
                self._choices[index] = choice
                self._made.clear()

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Set `choices` (separated by commas) or `timeout` (seconds for one run of gcc, empty for no limit)."""
        if key == "choices":
            self._set_choices(dict(enumerate(_parse_choices(value, self._gcc.options))))
            return ""
        if key == "timeout":
            self._timeout_s = _parse_timeout(value)
            return ""
        return None

    def get_observation(self, observation_space: Any) -> Any:
        try:
            observe = _OBSERVATIONS[observation_space.name]
        except KeyError:
            name = observation_space.name
            raise LookupError(f"No observation '{name}'.{suggest(name, _OBSERVATIONS)}") from None
        return observe(self)

    # What gcc makes -------------------------------------------------------------------------------------------------

    def get_choices(self) -> list[int]:
        return list(self._choices)

    def get_source(self) -> bytes:
        return self._source

    def get_command_line(self) -> str:
        return " ".join(self._get_command(OBJECT_WORDS))

    def get_object(self) -> bytes:
        return self._make(_OBJECT, OBJECT_WORDS)

    def get_assembly(self) -> bytes:
        return self._make(_ASSEMBLY, _ASSEMBLY_WORDS)

    def get_rtl(self) -> bytes:
        return self._make(_RTL, _RTL_WORDS)

    def measure_runtime(self) -> float | None:
        """Measure one run of the linked program in the sandbox, in seconds, including the start of the sandbox.

        Returns None when it cannot be linked, like a source without main, or there is no sandbox.

        Raises: StatusError INTERNAL when the program does not exit by itself with status 0.
        """
        from helm.compiler_gym.checks.program_runner import LinkError, NotRunnableError, link_object, run_executable

        try:
            run = run_executable(link_object(self._get_command(()), self.get_object()))
        except (NotRunnableError, LinkError):
            return None
        if run.error is not None or run.returncode != 0:
            what = run.error or f"status {run.returncode}"
            raise StatusError("INTERNAL", f"The program ended with: {what}. {run.details}".strip())
        return run.elapsed_s

    def _get_command(self, words: Sequence[str]) -> list[str]:
        return [self._gcc.command, *get_option_words(self._gcc.options, self._choices), *words]

    def _make(self, name: str, words: Sequence[str]) -> bytes:
        if name not in self._made:
            path = self._folder / name
            path.unlink(missing_ok=True)
            command, *arguments = self._get_command(words)
            run_tool(make_command(command, arguments, self._folder.absolute()), self._folder, self._timeout_s)
            try:
                self._made[name] = path.read_bytes()
            except FileNotFoundError:
                raise StatusError("INTERNAL", f"{self._gcc.command} succeeded but wrote no {name}.") from None
        return self._made[name]


@cache
def make_gcc_session_class(command: str) -> type[GccSession]:
    """Create a session class whose compiler is `command`, a name or a path."""
    return type("GccSession", (GccSession,), {"command": command, "__module__": __name__})


def _read_source(benchmark: Any) -> bytes:
    source = benchmark.program.WhichOneof("data")
    if source == "contents":
        return benchmark.program.contents
    if source is None:
        raise StatusError("INVALID_ARGUMENT", f"No program set in Benchmark: {benchmark.uri}")
    return read_program_file(Path("/" + path_in_uri(benchmark.program.uri).lstrip("/")))


def _parse_choices(text: str, options: Sequence[GccOption]) -> list[int]:
    try:
        choices = [int(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"Parameter choices takes whole numbers separated by commas, not '{text[:80]}'.") from None
    if len(choices) != len(options):
        raise ValueError(f"Parameter choices takes {len(options)} numbers, one for each option, not {len(choices)}.")
    for choice, option in zip(choices, options, strict=True):
        if not ABSENT <= choice < len(option):
            raise ValueError(f"Choice {choice} of option {option} is not in range [-1, {len(option)}).")
    return choices


def _parse_timeout(text: str) -> float | None:
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"Parameter timeout takes seconds, more than 0, or nothing; not '{text}'.")
    return seconds


# Observations -------------------------------------------------------------------------------------------------------


def count_instructions(assembly: str) -> dict[str, int]:
    """Count the words that begin a line of assembly after a tab, directives included, cut at the first other character."""
    return dict(Counter(_DIRECTIVE.findall(assembly)))


def _text(value: bytes) -> Any:
    return proto.Event(string_value=value.decode("utf-8", "replace"))


def _md5(value: bytes) -> Any:
    return proto.Event(string_value=hashlib.md5(value, usedforsecurity=False).hexdigest())


def _size(value: bytes) -> Any:
    return proto.Event(int64_value=len(value))


def _bytes(value: bytes) -> Any:
    return proto.Event(byte_tensor=proto.ByteTensor(shape=[len(value)], value=value))


def _numbers(values: list[int]) -> Any:
    return proto.Event(int64_tensor=proto.Int64Tensor(shape=[len(values)], value=values))


def _seconds(value: float | None) -> Any:
    """Make the event of a time; an event without a value means that there is none."""
    return proto.Event() if value is None else proto.Event(double_tensor=proto.DoubleTensor(shape=[1], value=[value]))


def _instruction_counts(assembly: bytes) -> Any:
    return proto.Event(string_value=json.dumps(count_instructions(assembly.decode("utf-8", "replace"))))


_OBSERVATIONS: dict[str, Callable[[GccSession], Any]] = {
    "source": lambda session: _text(session.get_source()),
    "rtl": lambda session: _text(session.get_rtl()),
    "asm": lambda session: _text(session.get_assembly()),
    "asm_size": lambda session: _size(session.get_assembly()),
    "asm_hash": lambda session: _md5(session.get_assembly()),
    "instruction_counts": lambda session: _instruction_counts(session.get_assembly()),
    "obj": lambda session: _bytes(session.get_object()),
    "obj_size": lambda session: _size(session.get_object()),
    "obj_hash": lambda session: _md5(session.get_object()),
    "choices": lambda session: _numbers(session.get_choices()),
    "command_line": lambda session: proto.Event(string_value=session.get_command_line()),
    "runtime": lambda session: _seconds(session.measure_runtime()),
}
"""Name -> value, in the order of their indices. CompilerGym has all except `runtime`."""


def _make_observation_spaces(options: Sequence[GccOption]) -> list[Any]:
    def text(max_length: int | None = None) -> Any:
        return proto.Space(
            string_value=proto.StringSpace(length_range=proto.Int64Range(min=0, max=max_length))
        ), proto.Event(string_value="")

    number = proto.Space(int64_value=proto.Int64Range(min=-1)), proto.Event(int64_value=-1)
    empty = proto.Event(byte_tensor=proto.ByteTensor(shape=[0]))
    blob = proto.Space(byte_sequence=proto.ByteSequenceSpace(length_range=proto.Int64Range(min=0))), empty
    ranges = [proto.Space(int64_value=proto.Int64Range(min=0, max=len(option) - 1)) for option in options]
    kinds = {
        "source": text(),
        "rtl": text(),
        "asm": text(),
        "asm_size": number,
        "asm_hash": text(_HASH_LENGTH),
        "instruction_counts": text(),
        "obj": blob,
        "obj_size": number,
        "obj_hash": text(_HASH_LENGTH),
        "choices": (proto.Space(space_list=proto.ListSpace(space=ranges)), None),
        "command_line": text(_HASH_LENGTH),
        "runtime": (
            proto.Space(
                double_sequence=proto.DoubleSequenceSpace(
                    length_range=proto.Int64Range(min=0), scalar_range=proto.DoubleRange(min=0)
                )
            ),
            None,
        ),
    }
    return [
        proto.ObservationSpace(
            name=name,
            space=kinds[name][0],
            deterministic=name not in ("choices", "runtime"),
            platform_dependent=name not in ("source", "obj", "choices"),
            default_observation=kinds[name][1],
        )
        for name in _OBSERVATIONS
    ]
