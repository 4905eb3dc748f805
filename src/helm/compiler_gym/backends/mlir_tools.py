"""The programs of an installed MLIR: `mlir-opt`, which transforms modules, and `mlir-translate`, which makes LLVM IR of them."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.backends.mlir_actions import ACTIONS, LOWERING
from helm.compiler_gym.backends.tool_process import run_tool
from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceInitError, StatusError

VARIABLE = "HELM_MLIR_OPT"
"""Environment variable with the path or name of the mlir-opt to use."""

_OPT, _TRANSLATE = "mlir-opt", "mlir-translate"
_TIMEOUT_S = 60.0
_MAX_BYTES = 64 << 20  # a module that unrolling has made larger takes minutes to transform and to compile
_VERSION = re.compile(r"LLVM version (\d+)\S*")
_FLAG = re.compile(r"^\s+--([a-z][\w-]*)", re.MULTILINE)
_OPERATION = re.compile(r'^\s*(?:%[^=]*= )?"([\w.$-]+)"[(<]', re.MULTILINE)
_INSTALL = (
    f"Install it (Debian: apt-get install mlir-22-tools), or name it with {VARIABLE} or the backend mlir:COMMAND."
)


class MlirTools:
    """One installed MLIR."""

    def __init__(self, opt: str):
        """Find out what the programs support.

        Args:
            opt: name or path of `mlir-opt`. Its `mlir-translate` is looked for in the same folder.
        Raises: EnvironmentNotSupported when a program is missing or cannot be run; ServiceInitError for another program.
        """
        found = shutil.which(opt)
        if found is None:
            raise EnvironmentNotSupported(f"There is no program {opt}, which was to be used as {_OPT}. {_INSTALL}")
        self.opt = found
        self.translate = _find_translate(found)
        match = _VERSION.search(self._ask("--version"))
        if match is None:
            raise ServiceInitError(f"{found} is not MLIR's {_OPT}: its --version names no LLVM version.")
        self.version = match[0].removeprefix("LLVM version ")
        known = set(_FLAG.findall(self._ask("--help")))
        self.actions = [action for action in ACTIONS if _get_pass_name(action) in known]
        """The members of `ACTIONS` whose passes this MLIR has."""
        passes = [name for name in LOWERING if _get_pass_name(name) in known]
        self._lowering = [f"--{name}" for name in passes]

    def _ask(self, argument: str) -> str:
        try:
            done = subprocess.run(
                [self.opt, argument], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvironmentNotSupported(f"Cannot run {self.opt}: {error}") from error
        if done.returncode != 0:
            raise ServiceInitError(f"{self.opt} {argument} failed: {done.stderr.strip()}")
        return done.stdout

    def transform(self, text: str, flags: Sequence[str], folder: Path) -> str:
        """Run passes over a module.

        Args:
            text: the module.
            flags: of `mlir-opt`, one for each pass.
            folder: where to make a folder for the files.
        Raises: ToolFailure, whose status is 1 when MLIR refuses; TimeoutError; StatusError for a result above 64 MiB.
        """
        return self._run([self.opt, *flags], text, folder)

    def lower(self, text: str, folder: Path) -> str:
        """Translate a module to LLVM IR, as text; see `transform`."""
        return self._run([self.translate, "--mlir-to-llvmir"], self.transform(text, self._lowering, folder), folder)

    def count_operations(self, text: str, folder: Path) -> dict[str, int]:
        """Count the operations of a module: name -> number, sorted by name."""
        counts: dict[str, int] = {}
        for name in _OPERATION.findall(self.transform(text, ["--mlir-print-op-generic"], folder)):
            counts[name] = counts.get(name, 0) + 1
        return dict(sorted(counts.items()))

    @staticmethod
    def _run(command: Sequence[str], text: str, folder: Path) -> str:
        # A folder of its own, since a pass can be told to write files by relative names.
        with tempfile.TemporaryDirectory(prefix="mlir-", dir=folder) as own:
            source, target = Path(own) / "input.mlir", Path(own) / "output.mlir"
            source.write_text(text, encoding="utf-8")
            # A module is data. With one thread, the processor time is what the limit says.
            threads = ["--mlir-disable-threading"] if command[0].rpartition("/")[2].startswith(_OPT) else []
            run_tool([*command, *threads, source.name, "-o", target.name], Path(own), _TIMEOUT_S)
            size = target.stat().st_size
            if size > _MAX_BYTES:
                raise StatusError(
                    "RESOURCE_EXHAUSTED",
                    f"The module has grown to {size >> 20} MiB; the limit is {_MAX_BYTES >> 20} MiB.",
                )
            return target.read_text(encoding="utf-8")


def _get_pass_name(action: str) -> str:
    return action.lstrip("-").partition("=")[0]


def _find_translate(opt: str) -> str:
    """Return the `mlir-translate` that belongs to a `mlir-opt`.

    Raises: EnvironmentNotSupported when there is none.
    """
    paths = [Path(opt), Path(os.path.realpath(opt))]
    for path in paths:
        beside = path.with_name(path.name.replace(_OPT, _TRANSLATE))
        if beside != path and os.access(beside, os.X_OK):
            return str(beside)
    raise EnvironmentNotSupported(f"There is no {_TRANSLATE} beside {opt}. {_INSTALL}")


def get_mlir(command: str | None = None) -> MlirTools:
    """Return an installed MLIR; it is asked once what it supports.

    Args:
        command: name or path of `mlir-opt`. Default: what the environment variable HELM_MLIR_OPT names, else the newest
            one that is installed.
    Raises: EnvironmentNotSupported when there is none.
    """
    named = command or os.environ.get(VARIABLE) or find_llvm_tool(_OPT)
    if named is None:
        raise EnvironmentNotSupported(f"MLIR's program {_OPT} is missing. {_INSTALL}")
    return _get_tools(named)


@cache
def _get_tools(command: str) -> MlirTools:
    return MlirTools(command)
