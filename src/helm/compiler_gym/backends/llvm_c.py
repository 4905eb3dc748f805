"""LLVM's C interface (LLVM-C) in a shared library of this machine: how it is found and loaded.

One library may serve many threads at once, because every module has its own context, and every thread its own target
machine.
"""

import ctypes
import os
import platform
import re
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

from helm.compiler_gym.backends.llvm_passes import get_triple, import_llvmlite
from helm.compiler_gym.backends.llvm_runner import CHANGED, REFUSED, PassRunner, find_runner
from helm.compiler_gym.errors import ServiceInitError

VARIABLE = "HELM_LLVM"
"""Environment variable with the path of the libLLVM to use, or `embedded` for llvmlite's own LLVM."""

EMBEDDED = "embedded"

OLDEST_MAJOR = 17
"""The first release whose C interface has everything that is used here."""

_FOLDERS = (
    "/usr/lib/llvm-*/lib",
    "/usr/lib/*-linux-gnu*",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/opt/llvm*/lib",
)
_FILE_NAME = re.compile(r"libLLVM(?:-|\.so\.|\.)(\d+)\S*")

_ADDRESS, _TEXT, _SIZE, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
_PLACE = ctypes.POINTER(ctypes.c_void_p)
_ERROR_SEVERITY = 0
_PIC, _DEFAULT_CODE_MODEL, _OBJECT_FILE = 2, 0, 1
_PROCESSORS = {"x86_64": "X86", "AMD64": "X86", "aarch64": "AArch64", "arm64": "AArch64", "ppc64le": "PowerPC"}
_PROCESSORS |= {"riscv64": "RISCV", "s390x": "SystemZ", "loongarch64": "LoongArch"}

_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "LLVMGetVersion": ([_PLACE, _PLACE, _PLACE], None),
    "LLVMContextCreate": ([], _ADDRESS),
    "LLVMContextDispose": ([_ADDRESS], None),
    "LLVMContextSetDiagnosticHandler": ([_ADDRESS, _ADDRESS, _ADDRESS], None),
    "LLVMGetDiagInfoSeverity": ([_ADDRESS], _NUMBER),
    "LLVMGetDiagInfoDescription": ([_ADDRESS], _ADDRESS),
    "LLVMDisposeMessage": ([_ADDRESS], None),
    "LLVMGetErrorMessage": ([_ADDRESS], _ADDRESS),
    "LLVMDisposeErrorMessage": ([_ADDRESS], None),
    "LLVMCreateMemoryBufferWithMemoryRangeCopy": ([_TEXT, _SIZE, _TEXT], _ADDRESS),
    "LLVMGetBufferStart": ([_ADDRESS], _ADDRESS),
    "LLVMGetBufferSize": ([_ADDRESS], _SIZE),
    "LLVMDisposeMemoryBuffer": ([_ADDRESS], None),
    "LLVMParseIRInContext": ([_ADDRESS, _ADDRESS, _PLACE, _PLACE], _NUMBER),
    "LLVMDisposeModule": ([_ADDRESS], None),
    "LLVMCloneModule": ([_ADDRESS], _ADDRESS),
    "LLVMSetModuleIdentifier": ([_ADDRESS, _TEXT, _SIZE], None),
    "LLVMGetTarget": ([_ADDRESS], _TEXT),
    "LLVMSetTarget": ([_ADDRESS, _TEXT], None),
    "LLVMGetDataLayoutStr": ([_ADDRESS], _TEXT),
    "LLVMSetDataLayout": ([_ADDRESS, _TEXT], None),
    "LLVMVerifyModule": ([_ADDRESS, _NUMBER, _PLACE], _NUMBER),
    "LLVMWriteBitcodeToMemoryBuffer": ([_ADDRESS], _ADDRESS),
    "LLVMPrintModuleToString": ([_ADDRESS], _ADDRESS),
    "LLVMPrintValueToString": ([_ADDRESS], _ADDRESS),
    "LLVMGetFirstFunction": ([_ADDRESS], _ADDRESS),
    "LLVMGetNextFunction": ([_ADDRESS], _ADDRESS),
    "LLVMGetNamedFunction": ([_ADDRESS, _TEXT], _ADDRESS),
    "LLVMIsDeclaration": ([_ADDRESS], _NUMBER),
    "LLVMGetValueName2": ([_ADDRESS, ctypes.POINTER(_SIZE)], _ADDRESS),
    "LLVMGetFirstBasicBlock": ([_ADDRESS], _ADDRESS),
    "LLVMGetNextBasicBlock": ([_ADDRESS], _ADDRESS),
    "LLVMGetFirstInstruction": ([_ADDRESS], _ADDRESS),
    "LLVMGetNextInstruction": ([_ADDRESS], _ADDRESS),
    "LLVMGetInstructionOpcode": ([_ADDRESS], _NUMBER),
    "LLVMGetNumOperands": ([_ADDRESS], _NUMBER),
    "LLVMGetOperand": ([_ADDRESS, ctypes.c_uint], _ADDRESS),
    "LLVMGetValueKind": ([_ADDRESS], _NUMBER),
    "LLVMIsConstant": ([_ADDRESS], _NUMBER),
    "LLVMTypeOf": ([_ADDRESS], _ADDRESS),
    "LLVMGetTypeKind": ([_ADDRESS], _NUMBER),
    "LLVMGetIntTypeWidth": ([_ADDRESS], ctypes.c_uint),
    "LLVMConstIntGetZExtValue": ([_ADDRESS], ctypes.c_ulonglong),
    "LLVMConstInt": ([_ADDRESS, ctypes.c_ulonglong, _NUMBER], _ADDRESS),
    "LLVMGetModuleContext": ([_ADDRESS], _ADDRESS),
    "LLVMGetEnumAttributeKindForName": ([_TEXT, _SIZE], ctypes.c_uint),
    "LLVMCreateEnumAttribute": ([_ADDRESS, ctypes.c_uint, ctypes.c_uint64], _ADDRESS),
    "LLVMAddAttributeAtIndex": ([_ADDRESS, ctypes.c_uint, _ADDRESS], None),
    "LLVMGetTargetFromTriple": ([_TEXT, _PLACE, _PLACE], _NUMBER),
    "LLVMCreateTargetMachine": ([_ADDRESS, _TEXT, _TEXT, _TEXT, _NUMBER, _NUMBER, _NUMBER], _ADDRESS),
    "LLVMCreateTargetDataLayout": ([_ADDRESS], _ADDRESS),
    "LLVMCopyStringRepOfTargetData": ([_ADDRESS], _ADDRESS),
    "LLVMDisposeTargetData": ([_ADDRESS], None),
    "LLVMTargetMachineEmitToMemoryBuffer": ([_ADDRESS, _ADDRESS, _NUMBER, _PLACE, _PLACE], _NUMBER),
    "LLVMCreatePassBuilderOptions": ([], _ADDRESS),
    "LLVMPassBuilderOptionsSetSLPVectorization": ([_ADDRESS, _NUMBER], None),
    "LLVMPassBuilderOptionsSetInlinerThreshold": ([_ADDRESS, _NUMBER], None),
    "LLVMRunPasses": ([_ADDRESS, _TEXT, _ADDRESS, _ADDRESS], _ADDRESS),
}
"""Name -> (types of the arguments, type of the result)."""

_QUICK = frozenset(
    name for name in _FUNCTIONS if name.startswith(("LLVMGet", "LLVMIs", "LLVMTypeOf", "LLVMConst", "LLVMDisposeMes"))
)
"""Functions that take under a microsecond. They keep the interpreter lock."""

OPCODES = dict(
    enumerate(
        """ret br switch indirectbr invoke - unreachable add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr
        ashr and or xor alloca load store getelementptr trunc zext sext fptoui fptosi uitofp sitofp fptrunc fpext ptrtoint
        inttoptr bitcast icmp fcmp phi call select - - va_arg extractelement insertelement shufflevector extractvalue
        insertvalue fence cmpxchg atomicrmw resume landingpad addrspacecast cleanupret catchret catchpad cleanuppad
        catchswitch fneg callbr freeze ptrtoaddr""".split(),
        start=1,
    )
)
"""Number of an opcode in the C interface -> its name in textual IR."""


class PassError(ValueError):
    """LLVM refused the text of a pipeline, or a pass reported an error."""


class LlvmLibrary:
    """A loaded libLLVM."""

    def __init__(self, path: str):
        """Load a library.

        Args:
            path: of the file, or a name that the system's loader finds.
        Raises: ServiceInitError when it cannot be used.
        """
        self.path = path
        try:
            quick, slow = ctypes.PyDLL(path), ctypes.CDLL(path)
        except OSError as error:
            raise ServiceInitError(f"Cannot load the LLVM library {path}: {error}") from error
        self.version = _read_version(quick, path)
        """For example `22.1.8`."""
        for name, (arguments, result) in _FUNCTIONS.items():
            function = getattr(quick if name in _QUICK else slow, name, None)
            if function is None:
                raise ServiceInitError(f"{path} (LLVM {self.version}) lacks the function {name} of LLVM's C interface.")
            function.argtypes, function.restype = arguments, result
            setattr(self, name, function)
        # A const method of no arguments is called like a C function. LLVM-C has no such count, and walking takes 3 x as long.
        count = getattr(quick, "_ZNK4llvm6Module19getInstructionCountEv", None)
        if count is not None:
            count.argtypes, count.restype = [_ADDRESS], ctypes.c_uint
        self.count_instructions: Any = count
        """Counts the instructions of a module, or None where the library does not export it."""
        self.triple = get_triple()
        self._target = self._find_target(quick)
        self._local = threading.local()
        self.runner: PassRunner | None = find_runner(self.version, path)
        """Runs the passes and says whether they changed the module, where the user has built it."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"LLVM's C interface has no function {name} here.")

    @property
    def major(self) -> int:
        return int(self.version.partition(".")[0])

    @property
    def name(self) -> str:
        """The file's name, for example `libLLVM.so.22.1`."""
        return Path(os.path.realpath(self.path) if os.path.exists(self.path) else self.path).name

    def _find_target(self, quick: Any) -> Any:
        processor = _PROCESSORS.get(platform.machine())
        for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter"):
            initialise = getattr(quick, f"LLVMInitialize{processor}{part}", None)
            if initialise is None:
                raise ServiceInitError(f"{self.path} makes no code for this machine ({platform.machine()}).")
            initialise()
        target, message = _ADDRESS(), _ADDRESS()
        if self.LLVMGetTargetFromTriple(self.triple.encode(), target, message):
            raise ServiceInitError(f"{self.path}: {self.take_text(message.value).decode(errors='replace')}")
        return target

    def get_target_machine(self, level: int) -> Any:
        """Return this thread's target machine of a code-generation level; for which processor, says `get_triple`."""
        machines = self._local.__dict__.setdefault("machines", {})
        if level not in machines:
            machines[level] = self.LLVMCreateTargetMachine(
                self._target, self.triple.encode(), b"", b"", level, _PIC, _DEFAULT_CODE_MODEL
            )
        return machines[level]

    @property
    def data_layout(self) -> str:
        layout = self.LLVMCreateTargetDataLayout(self.get_target_machine(0))
        try:
            return self.take_text(self.LLVMCopyStringRepOfTargetData(layout)).decode()
        finally:
            self.LLVMDisposeTargetData(layout)

    def take_text(self, address: int | None) -> bytes:
        """Read a text that LLVM made, and free it."""
        if not address:
            return b""
        try:
            return ctypes.string_at(address)
        finally:
            self.LLVMDisposeMessage(address)

    def take_buffer(self, buffer: int) -> bytes:
        """Read a memory buffer, and free it."""
        try:
            return ctypes.string_at(self.LLVMGetBufferStart(buffer), self.LLVMGetBufferSize(buffer))
        finally:
            self.LLVMDisposeMemoryBuffer(buffer)

    def emit_object(self, module: int) -> bytes:
        """Compile a module, which this changes, at code-generation level 0."""
        buffer, message = _ADDRESS(), _ADDRESS()
        machine = self.get_target_machine(0)
        if self.LLVMTargetMachineEmitToMemoryBuffer(machine, module, _OBJECT_FILE, message, buffer):
            raise RuntimeError(self.take_text(message.value).decode(errors="replace"))
        return self.take_buffer(buffer.value or 0)

    def run_passes(self, module: int, pipeline: bytes, inlining_threshold: int | None = None) -> None:
        """Run the passes of a textual pipeline over a module.

        Raises: PassError; if the text is wrong, no pass has been run.
        """
        error = self.LLVMRunPasses(module, pipeline, self.get_target_machine(2), self._get_options(inlining_threshold))
        if error:
            message = self.LLVMGetErrorMessage(error)
            try:
                raise PassError(ctypes.string_at(message).decode(errors="replace"))
            finally:
                self.LLVMDisposeErrorMessage(message)

    def run_watched(
        self, runner: PassRunner, module: int, watch: int, pipeline: bytes, threshold: int | None = None
    ) -> bool:
        """Like `run_passes`, with a runner. Returns what LLVM says, whether one of the passes changed the module.

        Args:
            watch: of the module; see `PassRunner.create_watch`.
            threshold: of the inliner.
        """
        made = self._local.__dict__.setdefault("runners", {})
        key = (runner, threshold, self.LLVMGetTarget(module))  # what is known of a target's library functions is kept
        if key not in made:
            made[key] = runner.make(self.get_target_machine(2), threshold)
        message = _ADDRESS()
        answer = runner.run(made[key], module, watch, pipeline, message)
        if answer == REFUSED:
            raise PassError(self.take_text(message.value).decode(errors="replace"))
        return answer == CHANGED

    def _get_options(self, inlining_threshold: int | None) -> Any:
        options = self._local.__dict__.setdefault("options", {})
        if inlining_threshold not in options:
            made = self.LLVMCreatePassBuilderOptions()
            self.LLVMPassBuilderOptionsSetSLPVectorization(made, 1)  # off in LLVM-C, on in clang
            if inlining_threshold is not None:
                self.LLVMPassBuilderOptionsSetInlinerThreshold(made, inlining_threshold)
            options[inlining_threshold] = made
        return options[inlining_threshold]

    @property
    def keep_diagnostic(self) -> Any:
        """The diagnostic handler of contexts. LLVM's own would end the process at an error, and write warnings."""
        if "handler" not in self.__dict__:
            self.handler = ctypes.CFUNCTYPE(None, _ADDRESS, _ADDRESS)(self._keep_diagnostic)
        return self.handler

    def _keep_diagnostic(self, info: int, _context: int) -> None:
        if self.LLVMGetDiagInfoSeverity(info) == _ERROR_SEVERITY:
            text = self.take_text(self.LLVMGetDiagInfoDescription(info))
            self._local.__dict__.setdefault("errors", []).append(text.decode(errors="replace"))

    def take_errors(self) -> list[str]:
        """Return the errors that LLVM has reported in this thread since the last call."""
        return self._local.__dict__.pop("errors", [])


def _read_version(library: Any, path: str) -> str:
    """Ask a library for its version.

    Raises: ServiceInitError when it is no LLVM, or one that is too old or newer than llvmlite's.
    """
    get_version = getattr(library, "LLVMGetVersion", None)
    if get_version is None:
        what = "an LLVM before 16" if hasattr(library, "LLVMContextCreate") else "no LLVM"
        raise ServiceInitError(f"{path} is {what}; needed is a libLLVM of LLVM {OLDEST_MAJOR} or newer.")
    parts = [ctypes.c_uint() for _ in range(3)]
    get_version(*(ctypes.byref(part) for part in parts))
    version = ".".join(str(part.value) for part in parts)
    newest = import_llvmlite().llvm_version_info[0]
    if not OLDEST_MAJOR <= parts[0].value <= newest:
        raise ServiceInitError(
            f"{path} is of LLVM {version}; needed is LLVM {OLDEST_MAJOR} to {newest}, because llvmlite's LLVM {newest} reads "
            "what it writes."
        )
    return version


def find_library_paths() -> list[str]:
    """List the libLLVM files in the usual folders and in the conda environment whose version can be used, newest first."""
    prefixes = dict.fromkeys(filter(None, (os.environ.get("CONDA_PREFIX"), sys.prefix)))
    folders = [Path(prefix) / "lib" for prefix in prefixes]
    for pattern in _FOLDERS:
        folders += sorted(Path("/").glob(pattern.lstrip("/")))
    newest = import_llvmlite().llvm_version_info[0]
    found: dict[str, int] = {}
    for folder in folders:
        for path in sorted(folder.glob("libLLVM*")):
            real = path.resolve()
            named = _FILE_NAME.fullmatch(real.name)
            if named and ".so" in real.name and OLDEST_MAJOR <= int(named[1]) <= newest and real.is_file():
                found.setdefault(str(real), int(named[1]))
    return sorted(found, key=lambda path: -found[path])


def load_llvm(path: str | None = None) -> LlvmLibrary:
    """Load a libLLVM once.

    Args:
        path: of the file. Default: what the environment variable HELM_LLVM names, else the newest that is found.
    Raises: ServiceInitError when there is none, or it cannot be used.
    """
    return _load(path)


@cache
def _load(path: str | None) -> LlvmLibrary:
    named = path or os.environ.get(VARIABLE)
    if named and named != EMBEDDED:
        return LlvmLibrary(named)
    complaints = []
    for candidate in find_library_paths():
        try:
            return LlvmLibrary(candidate)
        except ServiceInitError as error:
            complaints.append(str(error))
    newest = import_llvmlite().llvm_version_info[0]
    raise ServiceInitError(
        " ".join(complaints)
        or f"There is no libLLVM of LLVM {OLDEST_MAJOR} to {newest} in the usual folders."
        f" Install one (Debian: apt-get install libllvm{newest}), or name its file with {VARIABLE} or the backend "
        "llvm-library:PATH."
    )


def get_best_backend() -> str:
    """Return the backend of `llvm-v0`: `llvm-library` where there is a libLLVM, else `llvm`, which is llvmlite.

    Raises: ServiceInitError when HELM_LLVM names a library that cannot be used.
    """
    named = os.environ.get(VARIABLE)
    if named == EMBEDDED:
        return "llvm"
    if named:
        load_llvm()
        return "llvm-library"
    try:
        load_llvm()
    except ServiceInitError:
        return "llvm"
    return "llvm-library"
