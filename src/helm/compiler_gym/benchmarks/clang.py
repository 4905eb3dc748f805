"""Translation of C sources to LLVM bitcode, by an installed clang or the one in the package `ziglang`."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from helm.common.errors import ScenarioError
from helm.compiler_gym.errors import BenchmarkInitError

VARIABLE = "HELM_CLANG"
"""Environment variable with the path or name of the clang to use."""

FLAGS = ("-O1", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-llvm-optzns", "-g0")
"""-O1 without passes: the attributes of an optimising build. -O0 would mark every function as `noinline`."""

_ZIG_C = "cc"

_TIMEOUT_S = 600.0
_MAX_ERROR_CHARACTERS = 2000  # enough for the first errors; clang may print thousands of lines
_NUMBERED = re.compile(r"clang-(\d+)$")


@cache
def find_clang() -> tuple[str, ...]:
    """Return the first words of clang's command line.

    The candidates are, in this order, the environment variable HELM_CLANG, `clang`, the newest `clang-NN`, and the package
    `ziglang`.

    Raises: ScenarioError when there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise ScenarioError(f"{VARIABLE} names '{named}', which is not a program on this machine.")
        return (found,)
    if found := shutil.which("clang") or _find_numbered():
        return (found,)
    if importlib.util.find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", _ZIG_C)
    raise ScenarioError(
        "Translating C for LLVM needs clang. Install it, name it with the environment variable "
        f"{VARIABLE}, or: pip install 'helm-evals[clang]'."
    )


def has_clang() -> bool:
    """Return whether C can be translated here."""
    try:
        return bool(find_clang())
    except ScenarioError:
        return False


def _find_numbered() -> str | None:
    found: list[tuple[int, str]] = []
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for path in Path(folder or ".").glob("clang-*"):
            match = _NUMBERED.fullmatch(path.name)
            if match and os.access(path, os.X_OK):
                found.append((int(match[1]), str(path)))
    return max(found)[1] if found else None


def compile_to_bitcode(
    source: bytes,
    name: str = "program.c",
    flags: Sequence[str] = (),
    language: str = "c",
    timeout_s: float = _TIMEOUT_S,
) -> bytes:
    """Translate one source to bitcode, without optimising it.

    The result is bitcode rather than text, because LLVM can read the bitcode of older versions, but often not their text.

    Args:
        source: the text of the source.
        name: name of the source, for messages.
        flags: options of clang in addition to `FLAGS`.
        language: `c` or `c++`.
        timeout_s: limit for the translation, in seconds.
    Raises: ScenarioError without a clang; BenchmarkInitError with clang's message when it fails.
    """
    command = find_clang()
    with tempfile.TemporaryDirectory(prefix="helm-clang-") as folder:
        source_path, target = Path(folder) / "program.c", Path(folder) / "program.bc"
        source_path.write_bytes(source)
        if command[-1] == _ZIG_C and language == "c++":
            command = (*command[:-1], "c++")  # a clang++ knows where its C++ headers are
        words = [
            *command,
            f"-x{language}",
            *FLAGS,
            "-w",
            *flags,
            "-emit-llvm",
            "-c",
            source_path.name,
            "-o",
            target.name,
        ]
        environment = {**os.environ, "ZIG_LOCAL_CACHE_DIR": folder}
        try:
            done = subprocess.run(
                words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BenchmarkInitError(f"Cannot translate {name} with {command[0]}: {error}") from error
        if done.returncode != 0 or not target.is_file():
            words_of_clang = done.stderr.decode("utf-8", "replace").strip()[-_MAX_ERROR_CHARACTERS:]
            raise BenchmarkInitError(f"Cannot translate {name} with {' '.join(command)}: {words_of_clang}")
        return target.read_bytes()
