"""A program as the LLVM backend loads it, with the costs of its default pipelines."""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helm.compiler_gym.backends.baseline_cache import add_baseline, read_baselines
from helm.compiler_gym.backends.llvm_c_module import LibraryModule
from helm.compiler_gym.backends.llvm_module import parse_bitcode, parse_text
from helm.compiler_gym.backends.llvm_object import get_text_size_bytes
from helm.compiler_gym.backends.llvm_passes import get_target_machine, get_triple, run_pipeline
from helm.compiler_gym.backends.llvm_walk import count_instructions
from helm.compiler_gym.benchmarks.program_files import path_in_uri, read_program_file
from helm.compiler_gym.errors import StatusError

_MAX_PROGRAMS = 128
BITCODE_MAGICS = (
    b"BC\xc0\xde",
    b"\xde\xc0\x17\x0b",
)  # raw bitcode, and bitcode in the wrapper that Apple's tools write
_SOURCE_NAME = re.compile(r'^source_filename = ".*"$', re.MULTILINE)
_NAMED_METADATA = re.compile(r"^!(?:[-a-zA-Z$._]|\\[0-9a-fA-F]{2})\S* = !\{.*\}\n?", re.MULTILINE)


def measure_instruction_count(module: Any) -> int:
    """Count the instructions in all functions."""
    return count_instructions(module)


def measure_object_text_size(module: Any) -> int:
    """Measure the bytes of code, constants and unwind tables when the module is compiled at code-generation level 0.

    It compiles a copy, because code generation changes the module.

    Raises: ValueError when the module was made for another architecture.
    """
    wanted = get_triple()
    if module.triple.split("-")[0] != wanted.split("-")[0]:
        raise ValueError(
            f"Failed to compute .text size cost: the module is for {module.triple}, this service compiles for {wanted}."
        )
    if isinstance(module, LibraryModule):
        return get_text_size_bytes(module.emit_object())
    with module.clone() as copy:
        return get_text_size_bytes(get_target_machine(codegen_level=0).emit_object(copy))


COSTS: dict[str, Callable[[Any], int]] = {
    "IrInstructionCount": measure_instruction_count,
    "ObjectTextSize": measure_object_text_size,
}


class EmbeddedLlvm:
    """llvmlite's LLVM: what a program needs of an LLVM."""

    name = ""
    """Tells apart what several LLVMs know of a program."""

    def parse(self, source: bytes) -> Any:
        """Read bitcode or textual IR.

        Raises: RuntimeError when LLVM cannot read it; ValueError for text that is not UTF-8.
        """
        if source.startswith(BITCODE_MAGICS):
            return parse_bitcode(source)
        return parse_text(source.decode("utf-8"))

    def get_data_layout(self) -> str:
        """Return sizes and alignments of the target."""
        return str(get_target_machine().target_data)

    def run_pipeline(self, module: Any, name: str) -> None:
        """Run one of `PIPELINES` over a module, in place."""
        run_pipeline(module, name, get_target_machine(codegen_level=2))


EMBEDDED_LLVM = EmbeddedLlvm()


class LlvmProgram:
    """One benchmark, normalised: no debug info, no named metadata, identifier and source name `-`."""

    def __init__(self, bitcode: bytes, llvm: EmbeddedLlvm = EMBEDDED_LLVM):
        self.bitcode = bitcode
        self._llvm = llvm
        self.bitcode_as_read: bytes | None = None
        """The bitcode that LLVM writes of a module which it has read from `bitcode`; None if not known yet."""
        self.observed: dict[str, Any] = {}
        """Observations of the untouched program that all sessions share: name -> `proto.Event`."""
        self._optimised: dict[str, bytes] = {}
        self._costs: dict[str, int] | None = None  # not read from disk yet
        self._lock = threading.Lock()

    def parse(self) -> Any:
        """Create a fresh module in its own context."""
        return self._llvm.parse(self.bitcode)

    def get_baseline(self, cost: str, level: str) -> int:
        """Return a cost (a name of `COSTS`) after a default pipeline such as `-Oz`.

        Each is measured once and kept on disk for other processes; see `baseline_cache`.
        """
        name = f"{cost}{level}"
        with self._lock:
            if self._costs is None:
                self._costs = read_baselines(self.bitcode, self._llvm.name)
            costs = self._costs
        if name in costs:
            return costs[name]
        costs[name] = value = COSTS[cost](self._llvm.parse(self.get_optimised(level)))
        if level != "-O0":  # `-O0` needs no pipeline
            add_baseline(self.bitcode, name, value, self._llvm.name)
        return value

    def get_optimised(self, level: str) -> bytes:
        """Return the bitcode after a default pipeline; it is made once."""
        with self._lock:
            if level not in self._optimised:
                module = self.parse()
                self._llvm.run_pipeline(module, level)
                self._optimised[level] = module.as_bitcode()
            return self._optimised[level]


_programs: "OrderedDict[tuple[str, bytes], LlvmProgram]" = OrderedDict()
_programs_lock = threading.Lock()


def load_program(benchmark: Any, llvm: EmbeddedLlvm = EMBEDDED_LLVM) -> LlvmProgram:
    """Load the program of a `proto.Benchmark`: bitcode or textual IR, inline or in a file.

    The last 128 programs and their baselines are kept by content.

    Raises: StatusError, with the texts that clients of the original service expect.
    """
    contents = _read_contents(benchmark)
    digest = (llvm.name, hashlib.sha1(contents).digest())
    with _programs_lock:
        if digest in _programs:
            _programs.move_to_end(digest)
            return _programs[digest]
    program = LlvmProgram(_normalise(contents, benchmark.uri, llvm), llvm)
    with _programs_lock:
        program = _programs.setdefault(digest, program)
        while len(_programs) > _MAX_PROGRAMS:
            _programs.popitem(last=False)
    return program


def _read_contents(benchmark: Any) -> bytes:
    source = benchmark.program.WhichOneof("data")
    if source == "contents":
        return benchmark.program.contents
    if source is None:
        raise StatusError("INVALID_ARGUMENT", f"No program set in Benchmark:\n{benchmark}")
    path = Path(path_in_uri(benchmark.program.uri))
    contents = read_program_file(path)
    if not contents:
        raise StatusError("INVALID_ARGUMENT", f'File is empty: "{path}"')
    return contents


def _normalise(contents: bytes, uri: str, llvm: EmbeddedLlvm) -> bytes:
    """Return the program's bitcode without debug info and names of files; LLVM's verifier checks it."""
    try:
        if contents.startswith(BITCODE_MAGICS):
            text = str(llvm.parse(contents))
        else:
            text = contents.decode("utf-8")
            if not text.strip():
                raise ValueError("the program is empty")
        # Without its module flags, debug info has no version, so LLVM drops it while parsing.
        text = 'source_filename = "-"\n' + _NAMED_METADATA.sub("", _SOURCE_NAME.sub("", text))
        module = llvm.parse(text.encode())
        module.verify()
    except (RuntimeError, ValueError) as error:
        if contents.startswith(BITCODE_MAGICS) or not _looks_like_text(contents):
            raise StatusError("INVALID_ARGUMENT", f'Failed to parse LLVM bitcode: "{uri}"') from error
        raise StatusError("INVALID_ARGUMENT", f'Failed to parse LLVM IR: "{uri}": {str(error).strip()}') from error
    module.name = "-"
    if not module.triple:
        module.triple = get_triple()
    if not module.data_layout:
        module.data_layout = llvm.get_data_layout()
    return module.as_bitcode()


def _looks_like_text(contents: bytes) -> bool:
    """Return whether the bytes are probably meant as textual IR, so that the parser's message helps."""
    try:
        text = contents.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return "define" in text or "declare" in text or "; ModuleID" in text
