"""The pass runner: a small library in C++ that a user builds against the headers of a libLLVM, for speed.

LLVM-C runs passes (`LLVMRunPasses`), but drops what they answer: whether they changed the module. The runner returns it,
and does not set up LLVM's pass builder anew for each call. It also notes which functions were changed, so that only these are
verified and counted again. The modules, and what the verifier finds, are the same with and without it.
"""

import ctypes
import hashlib
import logging
import os
import shlex
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError
from helm.compiler_gym.backends.baseline_cache import BASELINE_CACHE_VARIABLE, get_cache_folder
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool

BUILD_COMMAND = "python -m helm.compiler_gym.bin.build_runner"
"""Builds the runner."""

REFUSED, UNCHANGED, CHANGED = -1, 0, 1
"""What `PassRunner.run` returns."""

_DEFAULT_THRESHOLD = -1
_SOURCE = "llvm_runner.cpp"
_FLAGS = ("-O2", "-fPIC", "-shared", "-fno-rtti", "-fno-exceptions")  # as LLVM itself is built
_MAX_SECONDS = 900
_SHOWN_CHARACTERS = 4000

_logger = logging.getLogger(__name__)


class PassRunner:
    """A loaded runner."""

    def __init__(self, path: Path):
        """Load it.

        Raises: OSError when the file is no such library.
        """
        self.path = path
        library, quick = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))  # the second keeps the interpreter lock
        try:
            self.count = quick.helm_runner_count
            self.create, self.create_watch, self.dispose_watch, self.run, self.verify, version = (
                getattr(library, f"helm_runner_{name}")
                for name in ("create", "create_watch", "dispose_watch", "run", "verify", "llvm_version")
            )
        except AttributeError as error:
            raise OSError(f"{path} is no pass runner: {error}") from error
        version.restype = ctypes.c_char_p
        self.version: str = version().decode()
        """The version of the LLVM that it was built for, such as `22.1.8`."""
        self.create.argtypes, self.create.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_void_p
        self.count.argtypes, self.count.restype = [ctypes.c_void_p, ctypes.c_void_p], ctypes.c_uint
        self.create_watch.argtypes, self.create_watch.restype = [], ctypes.c_void_p
        self.dispose_watch.argtypes, self.dispose_watch.restype = [ctypes.c_void_p], None
        place = ctypes.POINTER(ctypes.c_void_p)
        self.run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, place]
        self.verify.argtypes = [ctypes.c_void_p, ctypes.c_void_p, place]
        self.run.restype = self.verify.restype = ctypes.c_int

    def make(self, target_machine: Any, inlining_threshold: int | None) -> Any:
        """Create what `run` takes first. It serves one thread, and lives as long as the process."""
        threshold = _DEFAULT_THRESHOLD if inlining_threshold is None else inlining_threshold
        return self.create(target_machine, threshold)


def _get_path(version: str, library_path: str) -> Path | None:
    folder = get_cache_folder("runners")
    if folder is None:
        return None
    key = "\0".join([_read_source(), version, os.path.realpath(library_path)])
    return folder / f"llvm-{version}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.so"


def _read_source() -> str:
    return resources.files(__package__).joinpath(_SOURCE).read_text(encoding="utf-8")


def find_runner(version: str, library_path: str) -> PassRunner | None:
    """Return the runner that was built for a libLLVM, or None.

    Args:
        version: of the libLLVM, for example `22.1.8`.
        library_path: its file.
    """
    path = _get_path(version, library_path)
    if path is None or not path.is_file():
        return None
    try:
        runner = PassRunner(path)
    except OSError as error:
        _logger.warning("The pass runner cannot be used, so passes are run without it: %s", error)
        return None
    return runner if runner.version == version else None


def build_runner(version: str, library_path: str) -> Path:
    """Build the runner for a libLLVM with the compiler `$CXX`, by default `c++`, unless it is there; returns its file.

    Args: as of `find_runner`.
    Raises: HelmError when a compiler, or the header files of exactly this LLVM, are missing, or it cannot be built.
    """
    path = _get_path(version, library_path)
    if path is None:
        raise HelmError(f"There is no folder to keep the pass runner in: {BASELINE_CACHE_VARIABLE} turns it off.")
    if path.exists():
        return path
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    if shutil.which(compiler[0]) is None:
        raise HelmError(
            f"The pass runner needs a compiler of C++, but there is no {compiler[0]} (Debian: apt-get install g++)."
        )
    flags = _get_header_flags(version)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source, built = Path(folder) / _SOURCE, Path(folder) / path.name
        source.write_text(_read_source(), encoding="utf-8")
        command = [*compiler, *flags, *_FLAGS, "-o", str(built), str(source), os.path.realpath(library_path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_MAX_SECONDS)
        except subprocess.TimeoutExpired:
            raise HelmError(f"The pass runner was not built within {_MAX_SECONDS} seconds.") from None
        if done.returncode:
            raise HelmError(
                f"The pass runner could not be built. The compiler said:\n{done.stderr[:_SHOWN_CHARACTERS]}"
            )
        runner = PassRunner(built)
        if runner.version != version:
            raise HelmError(f"The header files are of LLVM {runner.version}, but the library is {version}.")
        os.replace(built, path)
    return path


def _get_header_flags(version: str) -> list[str]:
    """Ask `llvm-config` of that LLVM how to compile with its header files."""
    major = int(version.partition(".")[0])
    config = find_llvm_tool("llvm-config", major) or shutil.which("llvm-config")
    advice = f"Install them (Debian: apt-get install llvm-{major}-dev; conda: llvmdev={version})."
    if config is None:
        raise HelmError(
            f"The pass runner needs the header files of LLVM {version}, but there is no llvm-config-{major}. {advice}"
        )
    asked = {
        flag: subprocess.run([config, flag], capture_output=True, text=True, check=False).stdout.strip()
        for flag in ("--version", "--includedir", "--cxxflags")
    }
    if asked["--version"] != version:
        raise HelmError(
            f"The pass runner needs the header files of LLVM {version}, but {config} is of LLVM {asked['--version']}. {advice}"
        )
    if not (Path(asked["--includedir"]) / "llvm" / "Passes" / "PassBuilder.h").exists():
        raise HelmError(f"The header files of LLVM {version} are not in {asked['--includedir']}. {advice}")
    return shlex.split(asked["--cxxflags"])
