"""Command lines of C compilers as programs: what they compile becomes bitcode, and the rest is done after optimising."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.clang import FLAGS, find_clang
from helm.compiler_gym.benchmarks.linking import link_bitcode
from helm.compiler_gym.errors import BenchmarkInitError

_WITH_ARGUMENT = """
    -o -I -L -l -D -U -x -u -z -T -include -imacros -isystem -iquote -idirafter -isysroot -MF -MT -MQ -Xlinker -Xclang
    -Xassembler -Xpreprocessor -target -arch --param
    """.split()
"""Options whose argument may be the next word."""

_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot")
_OF_LINKING = ("-l", "-L", "-Wl,", "-Xlinker", "-T", "-u", "-z", "-shared", "-static", "-rdynamic", "-pie", "-no-pie")
_NOT_FOR_BITCODE = ("-o", "-c", "-S", "-E", "-emit-llvm", "-MF", "-MT", "-MQ", "-MD", "-MMD", "-MP", "-M", "-MM")
_SOURCE_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".C", ".c++")


def cmdline_to_argv(cmdline: str) -> list[str]:
    """Split a command line into words as a shell does."""
    return shlex.split(cmdline)


class GccInvocation:
    """The parts of a command line of gcc, or of another compiler that takes its options."""

    def __init__(self, argv: Sequence[str]):
        """Read the command line.

        Args:
            argv: its words, the compiler first.
        Raises: ValueError without a word.
        """
        if not argv:
            raise ValueError("A command line needs at least the name of a compiler.")
        self.argv = list(argv)
        self.executable = self.argv[0]
        self.progname = os.path.basename(self.executable)
        self.sources: list[str] = []
        """The source files."""
        self.inputs: list[str] = []
        """All other files: objects, libraries."""
        self.options: list[list[str]] = []
        """All options, each with its argument if it is a word of its own."""
        words = iter(self.argv[1:])
        for word in words:
            if word in _WITH_ARGUMENT:
                self.options.append([word, *([argument] if (argument := next(words, None)) is not None else [])])
            elif word.startswith("-") and word != "-":
                self.options.append([word])
            elif word.endswith(_SOURCE_SUFFIXES) or word == "-":
                self.sources.append(word)
            else:
                self.inputs.append(word)

    @classmethod
    def from_cmdline(cls, cmdline: str) -> "GccInvocation":
        """Read a command line that is one text."""
        return cls(cmdline_to_argv(cmdline))

    @property
    def output_path(self) -> Path:
        """The file that the command writes: that of `-o`, else the one that compilers choose."""
        for option in self.options:
            if option[0] == "-o" and len(option) > 1:
                return Path(option[1])
        if self.is_compilation and self.sources:
            return Path(Path(self.sources[0]).stem + ".o")
        return Path("a.out")

    @property
    def is_compilation(self) -> bool:
        """Whether the command ends with an object file, and links nothing."""
        return ["-c"] in self.options

    @property
    def is_cplusplus(self) -> bool:
        """Whether the compiler or a source is one of C++."""
        return "++" in self.progname or any(not source.endswith(".c") for source in self.sources)

    def get_compile_options(self) -> list[str]:
        """Return the words of the options that matter for compiling, with absolute paths."""
        words: list[str] = []
        for option in self.options:
            if option[0] in _NOT_FOR_BITCODE or option[0].startswith(_OF_LINKING):
                continue
            words += _make_absolute(option)
        return words

    def get_link_words(self) -> list[str]:
        """Return the words that matter for linking, other than the sources and the output."""
        kept = [option for option in self.options if option[0] not in _NOT_FOR_BITCODE and option[0] != "-x"]
        return [*(word for option in kept for word in option if not option[0].startswith("-l")), *self.inputs] + [
            word for option in kept for word in option if option[0].startswith("-l")
        ]


def _make_absolute(option: list[str]) -> list[str]:
    if option[0] in _FOLDER_OPTIONS and len(option) > 1:
        return [option[0], os.path.abspath(option[1])]
    for name in _FOLDER_OPTIONS:
        if (
            option[0].startswith(name)
            and option[0] != name
            and len(option) == 1
            and not option[0].startswith("-include")
        ):
            return [name + os.path.abspath(option[0][len(name) :])]
    return option


class ClangInvocation:
    """A call of clang that makes bitcode."""

    def __init__(self, args: Sequence[str], system_includes: bool = True, timeout: float = 600):
        """Keep the arguments.

        Args:
            args: arguments of clang: options and one source.
            system_includes: whether sources can include the headers of the system.
            timeout: limit in seconds.
        """
        self.args, self.system_includes, self.timeout = list(args), system_includes, timeout

    def command(self, outpath: str | Path) -> list[str]:
        """Return the words of the command that writes the bitcode to a file.

        Raises: ScenarioError without a clang.
        """
        no_headers = [] if self.system_includes else ["-nostdinc"]
        return [*find_clang(), "-c", "-emit-llvm", "-o", str(outpath), *no_headers, *self.args]

    @classmethod
    def from_c_file(
        cls, path: str | Path, copt: Sequence[str] | None = None, system_includes: bool = True, timeout: float = 600
    ) -> "ClangInvocation":
        """Make the call that translates a file without optimising it.

        Args:
            path: the source.
            copt: further options.
            system_includes: see the constructor.
            timeout: see the constructor.
        """
        return cls([*FLAGS, *(copt or ()), str(path)], system_includes, timeout)

    def run(self) -> bytes:
        """Run the command and return the bitcode.

        Raises: BenchmarkInitError when it fails.
        """
        with tempfile.TemporaryDirectory(prefix="helm-clang-") as folder:
            target = Path(folder) / "program.bc"
            words = self.command(target)
            try:
                done = subprocess.run(
                    words,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=self.timeout,
                    env={**os.environ, "ZIG_LOCAL_CACHE_DIR": folder},
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise BenchmarkInitError(f"Cannot run {shlex.join(words)}: {error}") from error
            if done.returncode != 0 or not target.is_file():
                complaint = done.stderr.decode("utf-8", "replace").strip()[-2000:]
                raise BenchmarkInitError(f"{shlex.join(words)} failed: {complaint}")
            return target.read_bytes()


class BenchmarkFromCommandLine(Benchmark):
    """A program that a command line compiles; `compile` does the rest of the command with an optimised module."""

    __slots__ = ("invocation", "timeout")

    def __init__(self, invocation: GccInvocation, bitcode: bytes, timeout: float):
        """Wrap the bitcode.

        Args:
            invocation: the command.
            bitcode: what it compiles.
            timeout: limit for the rest of the command, in seconds.
        """
        output = invocation.output_path.absolute()
        program = proto.Benchmark(uri=f"{USER_DATASET}{output}", program=proto.File(contents=bitcode))
        sources = [(Path(source).name, Path(source).read_bytes()) for source in invocation.sources]
        super().__init__(program, sources=sources)
        self.invocation, self.timeout = invocation, timeout

    def compile(self, env: Any, timeout: float | None = None) -> None:
        """Write what the command writes, with the module of an environment in place of the compiled sources.

        Args:
            env: an LLVM environment in an episode on this program.
            timeout: limit for linking, in seconds. Default: that of the constructor.
        Raises: BenchmarkInitError when it cannot be linked.
        """
        from helm.compiler_gym.backends.llvm_module import parse_bitcode
        from helm.compiler_gym.backends.llvm_passes import get_target_machine

        contents = get_target_machine().emit_object(parse_bitcode(env.observation["Bitcode"].tobytes()))
        output = self.invocation.output_path
        if self.invocation.is_compilation:
            output.write_bytes(contents)
            return
        driver = "c++" if self.invocation.is_cplusplus else "cc"
        with tempfile.TemporaryDirectory(prefix="helm-link-") as folder:
            path = Path(folder) / "program.o"
            path.write_bytes(contents)
            words = [driver, str(path), *self.invocation.get_link_words(), "-o", str(output)]
            if shutil.which(driver) is None:
                raise BenchmarkInitError(f"Linking {output} needs the program {driver}, which is not on this machine.")
            try:
                done = subprocess.run(
                    words, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout or self.timeout
                )
            except subprocess.TimeoutExpired as error:
                raise BenchmarkInitError(f"{shlex.join(words)}: {error}") from error
        if done.returncode != 0:
            complaint = done.stderr.decode("utf-8", "replace").strip()[-2000:]
            raise BenchmarkInitError(f"{shlex.join(words)} failed: {complaint}")


def make_benchmark_from_command_line(
    cmd: str | Sequence[str], replace_driver: bool = True, system_includes: bool = True, timeout: float = 600
) -> BenchmarkFromCommandLine:
    """Make a program of what a command line compiles.

    Args:
        cmd: the command of a C or C++ compiler, as a text or as words; it is not run itself.
        replace_driver: whether clang takes the place of the compiler; otherwise the compiler has to be a clang.
        system_includes: whether sources can include the headers of the system.
        timeout: limit for each translation and for linking, in seconds.
    Raises: ValueError without a source file; FileNotFoundError; BenchmarkInitError when one cannot be translated.
    """
    invocation = GccInvocation(cmdline_to_argv(cmd) if isinstance(cmd, str) else cmd)
    if not invocation.sources or "-" in invocation.sources:
        raise ValueError(f"The command line '{shlex.join(invocation.argv)}' names no source file.")
    if not replace_driver and "clang" not in invocation.progname:
        raise ValueError(f"Without replace_driver, the compiler must be a clang, not {invocation.executable}.")
    contents = []
    for source in invocation.sources:
        if not Path(source).is_file():
            raise FileNotFoundError(f"There is no file {source}, which the command line compiles.")
        made = ClangInvocation.from_c_file(
            Path(source).absolute(), ["-w", *invocation.get_compile_options()], system_includes, timeout
        )
        contents.append((Path(source), made.run()))
    bitcode = contents[0][1] if len(contents) == 1 else link_bitcode(contents)
    return BenchmarkFromCommandLine(invocation, bitcode, timeout)
