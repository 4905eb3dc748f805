"""The LLVM backend with an installed `opt`: nearly all of CompilerGym's passes, and any textual pipeline."""

import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym.backends.llvm import LlvmSession, make_pass_space
from helm.compiler_gym.backends.llvm_actions import ACTION_FLAGS, PIPELINE_BY_FLAG
from helm.compiler_gym.backends.llvm_module import parse_bitcode
from helm.compiler_gym.backends.llvm_observations import get_observations
from helm.compiler_gym.backends.llvm_passes import (
    PIPELINES,
    get_triple,
    import_llvmlite,
)
from helm.compiler_gym.backends.tool_process import ToolFailure, run_tool
from helm.compiler_gym.errors import ServiceInitError, StatusError

VARIABLE = "HELM_OPT"
"""Environment variable with the path or name of the opt to use."""

_TIMEOUT_S = 60.0
_VERSION = re.compile(r"LLVM version (\d+)\.\S+")
_PASS_NAME = re.compile(r"[a-z][\w-]*")
PIPELINE_TEXT = re.compile(r"[A-Za-z0-9_<>(),;=-]{1,10000}")
"""Excludes dots and slashes, so that no pass can be given the name of a file to read or write."""


class Opt:
    """An `opt`, with its version and the flags for which it has passes."""

    def __init__(self, command: str):
        """Find out what the program supports.

        Raises: ServiceInitError when it cannot be run, or its version is not that of llvmlite's LLVM.
        """
        self.command = command
        found = _VERSION.search(self._ask("--version"))
        if found is None:
            raise ServiceInitError(f"{command} is not LLVM's opt: its --version names no LLVM version.")
        self.version = found[0].removeprefix("LLVM version ")
        wanted = get_wanted_version()
        if int(found[1]) != wanted:
            raise ServiceInitError(
                f"{command} is of LLVM {self.version}, but llvmlite is of LLVM {wanted}, so neither reads what the other "
                f"writes. {_INSTALL.format(wanted=wanted)}"
            )
        known = {
            match[0] for line in self._ask("-print-passes").splitlines() if (match := _PASS_NAME.match(line.strip()))
        }
        self.pipelines: dict[str, str] = {}
        """Flag -> text, in alphabetical order."""
        for name in sorted(flag.lstrip("-") for flag in ACTION_FLAGS):
            text = PIPELINE_BY_FLAG.get(name, name)
            if set(_PASS_NAME.findall(re.sub(r"<[^>]*>", "", text))) <= known | {"function", "loop", "loop-mssa"}:
                self.pipelines["-" + name] = text

    def _ask(self, argument: str) -> str:
        try:
            done = subprocess.run(
                [self.command, argument], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ServiceInitError(f"Cannot run {self.command}: {error}") from error
        if done.returncode != 0:
            raise ServiceInitError(f"{self.command} {argument} failed: {done.stderr.strip()}")
        return done.stdout


_INSTALL = (
    "Install it (Debian: apt-get install llvm-{wanted}), or name one with "
    + VARIABLE
    + " or the backend llvm-opt:COMMAND."
)


def get_wanted_version() -> int:
    """Return the major version of llvmlite's LLVM."""
    return import_llvmlite().llvm_version_info[0]


@cache
def get_opt(command: str | None = None) -> Opt:
    """Find an `opt` and read its version.

    Args:
        command: name or path. Default: what the environment variable HELM_OPT names, else `opt-NN` for llvmlite's version
            NN of LLVM, else `opt`.
    Raises: ServiceInitError when there is none.
    """
    named = command or os.environ.get(VARIABLE)
    if named:
        if shutil.which(named) is None:
            raise ServiceInitError(f"There is no program {named}, which was to be used as opt.")
        return Opt(named)
    wanted = get_wanted_version()
    for name in (f"opt-{wanted}", "opt"):
        if shutil.which(name):
            return Opt(name)
    raise ServiceInitError(
        f"The backend llvm-opt needs the program opt of LLVM {wanted}. {_INSTALL.format(wanted=wanted)}"
    )


class LlvmOptSession(LlvmSession):
    """An `LlvmSession` that runs passes with `opt`, in a process for each action, so that a crash or hang is only an error.

    Actions are those of CompilerGym's flags that this opt supports, and, as text, any textual pipeline such as
    `function(sroa,gvn<no-pre>)`. The default pipelines (`-Oz`) are llvmlite's, so that baselines are those of `LlvmSession`.
    """

    command: str | None = None
    can_tell_effects_late = False  # repeating actions is expensive with a process for each, and may fail

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        opt = get_opt(cls.command)
        spaces = [make_pass_space(list(opt.pipelines))]
        return spaces, [o.make_space() for o in get_observations().values()], f"{opt.version} {get_triple()} opt"

    def get_action_name(self, action: Any) -> str:
        pipelines = get_opt(self.command).pipelines
        if action.WhichOneof("value") != "string_value":
            return self.choose_flag(action, list(pipelines))
        name = action.string_value
        if name in PIPELINES or name in pipelines:
            return name
        if name.startswith("-"):
            raise ValueError(f"Unknown LLVM pass '{name}'.{suggest(name, [*pipelines, *PIPELINES])}")
        if not PIPELINE_TEXT.fullmatch(name):
            raise ValueError(
                f"'{name[:80]}' is not a textual pipeline: it may have at most 10,000 letters, digits and _<>(),;=-."
            )
        return name

    def run_action(self, name: str) -> bool | None:
        if name in PIPELINES:
            return super().run_action(name)
        opt = get_opt(self.command)
        text = opt.pipelines.get(name, name)
        with tempfile.TemporaryDirectory(prefix="opt-", dir=self.working_dir) as folder:
            source, target = Path(folder) / "in.bc", Path(folder) / "out.bc"
            source.write_bytes(self.get_bitcode())
            try:
                run_tool([opt.command, f"-passes={text}", source.name, "-o", target.name], Path(folder), _TIMEOUT_S)
            except ToolFailure as failure:
                if failure.returncode == 1 and name not in opt.pipelines:  # opt rejects the text with 1
                    raise ValueError(f"opt refuses the pipeline '{text[:200]}': {failure.complaint}") from None
                raise
            bitcode = target.read_bytes()
        try:
            module = parse_bitcode(bitcode)
        except RuntimeError as error:
            raise StatusError(
                "DATA_LOSS", f"Failed to read what {opt.command} -passes={text} wrote: {error}"
            ) from error
        module.name = "-"
        self.replace_module(module)
        return None


@cache
def make_opt_session_class(command: str) -> type[LlvmOptSession]:
    """Create a session class whose opt is `command`, a name or a path."""
    return type("LlvmOptSession", (LlvmOptSession,), {"command": command, "__module__": __name__})
