"""Tools in other languages: built where they run, once for each version of source and compiler, or run by an interpreter."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shlex
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from helm.common.errors import HelmError

_GRADBENCH = Path(__file__).parent.parent
_HEADERS = _GRADBENCH / "cpp"
_FLAGS = ("-std=c++17", "-O3", "-DNDEBUG", "-Wall", "-march=native")  # CppAD checks every number without NDEBUG
_SHOWN_CHARACTERS = 4000


class ProgramTool(ABC):
    """A tool that is a program in another language than Python."""

    name: str
    language: str
    requirements: str
    """What to install, for the message about a failed build: the rest of an ``apt install``."""

    lacks: tuple[str, ...]
    """Evals that the library cannot do."""

    package: str | None = None
    """A Python package that the tool is built with."""

    npm_package: str | None = None
    """A package of npm that the tool needs."""

    @abstractmethod
    def words(self) -> list[str]:
        """Return the words that start the tool. Raises HelmError if something is missing."""

    def run(self) -> int:
        """Serve standard input and output; return the program's exit code.

        The program works in its own folder, because libraries write there what does not fit into memory.
        """
        words = self.words()
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(words, cwd=folder, check=False).returncode

    @property
    def _advice(self) -> str:
        package = "" if self.package is None else f" and pip install {self.package}"
        return f"Install what it needs, on Debian with: apt install {self.requirements}{package}."


class BuiltTool(ProgramTool):
    """A tool in a language that is compiled. A subclass says how; all are built, cached and run in the same way."""

    builds_beside_sources: ClassVar[bool] = False
    """Whether the compiler writes beside the sources, which are then copied."""

    version_flag: ClassVar[str] = "--version"
    """The flag with which the compiler says its release."""

    @property
    @abstractmethod
    def compiler(self) -> list[str]:
        """The words that start the compiler."""

    @property
    @abstractmethod
    def files(self) -> list[Path]:
        """All sources."""

    @abstractmethod
    def command(self, output: Path) -> list[str]:
        """Return the words of the command that builds the tool."""

    def build(self) -> Path:
        """Return the program, built unless there is an earlier build of the same source by the same compiler.

        Raises: HelmError when the compiler is missing or refuses the source.
        """
        if shutil.which(self.compiler[0]) is None:
            raise HelmError(
                f"The tool {self.name} needs a compiler of {self.language}, but there is no {self.compiler[0]}. {self._advice}"
            )
        # Another release of the compiler is another tool, whose times are others.
        release = subprocess.run([*self.compiler, self.version_flag], capture_output=True, check=False).stdout
        texts = [*(path.read_bytes() for path in self.files), release, "\0".join(self.command(Path("tool"))).encode()]
        key = hashlib.sha256(b"\0".join(texts)).hexdigest()
        program = _cache_folder() / f"{self.name}-{key[:16]}"
        if program.exists():
            return program
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            built = Path(folder) / "tool"
            if self.builds_beside_sources:
                for path in self.files:
                    shutil.copy(path, folder)
            self._compile(built)
            os.replace(built, program)  # two processes may build at once; both results are good
        return program

    def _compile(self, output: Path) -> None:
        process = subprocess.run(
            self.command(output), capture_output=True, text=True, errors="replace", check=False, cwd=output.parent
        )
        if process.returncode:
            raise HelmError(
                f"The tool {self.name} could not be built. {self._advice} The compiler said:\n"
                f"{process.stderr[:_SHOWN_CHARACTERS]}"
            )

    def words(self) -> list[str]:
        return [str(self.build())]


@dataclass(frozen=True)
class CompiledTool(BuiltTool):
    """A tool in one source file of C++ that includes ``gradbench.hpp``; the compiler is ``$CXX``, by default ``c++``."""

    name: str
    source: Path
    libraries: tuple[str, ...]
    """Flags of the linker."""

    requirements: str
    lacks: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    """Folders of the system that hold the library's header files, apart from the usual ones."""

    package: str | None = None
    """A Python package that may hold the library's header files, instead of the system."""

    language = "C++"

    @property
    def compiler(self) -> list[str]:
        return shlex.split(os.environ.get("CXX", "")) or ["c++"]

    @property
    def files(self) -> list[Path]:
        return [self.source, *sorted(_HEADERS.glob("*.hpp"))]

    def command(self, output: Path) -> list[str]:
        return [
            *self.compiler,
            *_FLAGS,
            f"-I{_HEADERS}",
            *(f"-isystem{folder}" for folder in self.includes),
            *self._package_flags(),
            "-o",
            str(output),
            str(self.source),
            *self.libraries,
        ]

    def _package_flags(self) -> list[str]:
        if self.package is None:
            return []
        try:
            files = importlib.metadata.files(self.package) or []
        except importlib.metadata.PackageNotFoundError:
            return []
        located = [str(file.locate()) for file in files if "/include/" in file.as_posix()]
        if not located:
            return []
        folder = os.path.commonpath([path.rpartition("/include/")[0] for path in located])
        # -isystem: warnings about these headers are not shown, as for system headers.
        return [f"-isystem{folder}/include", f"-L{folder}/lib", f"-Wl,-rpath,{folder}/lib"]


@dataclass(frozen=True)
class OCamlTool(BuiltTool):
    """A tool in OCaml: the sources of a folder, of which ``order`` names those before the last one."""

    name: str
    folder: Path
    order: tuple[str, ...]
    """Names of the sources, each after those that it uses."""

    requirements: str = "ocaml-nox ocaml-findlib libyojson-ocaml-dev"
    lacks: tuple[str, ...] = ()
    language = "OCaml"
    builds_beside_sources = True
    version_flag = "-version"

    @property
    def compiler(self) -> list[str]:
        return ["ocamlfind", "ocamlopt"]

    @property
    def files(self) -> list[Path]:
        return [self.folder / name for name in self.order]

    def command(self, output: Path) -> list[str]:
        flags = ["-package", "yojson", "-linkpkg", "-O3", "-unsafe", "-inline", "200"]
        return [*self.compiler, *flags, "-o", str(output), *self.order]


@dataclass(frozen=True)
class NodeTool(ProgramTool):
    """A tool in JavaScript, run by Node.js in the caller's folder, where ``npm install`` puts packages."""

    name: str
    script: Path
    npm_package: str
    requirements: str = "nodejs npm"
    lacks: tuple[str, ...] = ()
    language = "JavaScript"

    def words(self) -> list[str]:
        words = ["node", str(self.script)]
        if shutil.which(words[0]) is None:
            raise HelmError(f"The tool {self.name} needs Node.js, but there is no {words[0]}. {self._advice}")
        tried = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if tried.returncode:
            raise HelmError(tried.stderr.strip()[:_SHOWN_CHARACTERS])
        return words

    def run(self) -> int:
        return subprocess.run(self.words(), check=False).returncode


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "helm-evals" / "gradbench"


_DESCENTS = ("particle", "saddle")


def _forward_tool(
    name: str,
    package: str,
    includes: tuple[str, ...] = (),
    lacks: tuple[str, ...] = ("kmeans", *_DESCENTS),
    libraries: tuple[str, ...] = (),
) -> CompiledTool:
    source = Path(__file__).parent / name / f"{name}_tool.cpp"
    return CompiledTool(name, source, libraries, f"g++ {package} nlohmann-json3-dev", lacks, includes)


PROGRAM_TOOLS: dict[str, ProgramTool] = {
    "adol-c": CompiledTool(
        "adol-c",
        Path(__file__).parent / "adolc" / "adolc_tool.cpp",
        ("-ladolc",),
        "g++ libadolc-dev nlohmann-json3-dev",
    ),
    "cppad": CompiledTool(
        "cppad",
        Path(__file__).parent / "cppad" / "cppad_tool.cpp",
        ("-lcppad_lib",),
        "g++ nlohmann-json3-dev",
        package="cmeel-cppad",
    ),
    "eigen": _forward_tool("eigen", "libeigen3-dev", ("/usr/include/eigen3",)),
    "ceres": _forward_tool("ceres", "libceres-dev", ("/usr/include/eigen3",)),
    "boost": _forward_tool("boost", "libboost-dev"),
    "sacado": _forward_tool(
        "sacado",
        # Its headers include those of the packages below, which it does not depend on.
        "libtrilinos-sacado-dev libtrilinos-kokkos-dev libtrilinos-teuchos-dev libopenmpi-dev",
        ("/usr/include/trilinos", "/usr/lib/x86_64-linux-gnu/openmpi/include"),
        lacks=_DESCENTS,
        libraries=("-ltrilinos_teuchoscomm", "-ltrilinos_teuchoscore", "-ltrilinos_kokkoscore", "-lmpi"),
    ),
    "tfjs": NodeTool(
        "tfjs",
        Path(__file__).parent / "javascript" / "tfjs_tool.mjs",
        "@tensorflow/tfjs",
        lacks=("ba", "det", "ht", *_DESCENTS),
    ),
    "ocaml": OCamlTool(
        "ocaml",
        Path(__file__).parent / "ocaml",
        ("clock_stubs.c", "gradbench.ml", "numbers.ml", "problems.ml", "hand.ml", "ocaml_tool.ml"),
    ),
}
