"""IR2Vec: vectors of numbers that describe a module, by LLVM's own analysis (program `llvm-ir2vec`, LLVM 22 or later).

The vectors are sums of those of a vocabulary, which is data: that of the package `IR2Vec` (extra `ir2vec`), or a file in the
JSON format of LLVM, such as its `seedEmbeddingVocab75D.json`.
"""

import hashlib
import importlib.util
import json
import math
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from helm.common.files import write_text_atomically
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.errors import StatusError

VARIABLE = "HELM_IR2VEC_VOCABULARY"
"""Environment variable with the path of a vocabulary."""

KINDS = ("symbolic", "flow-aware")
"""Kinds of vectors: of the instructions by themselves, or with those that make their operands."""

_TOOL, _FIRST_VERSION = "llvm-ir2vec", 22
_TIMEOUT_S = 120.0
_SCALE = 1e6
"""Factor of the vocabulary, because the program prints two places after the point, and its vectors are sums of these."""

_PACKAGED = "seedEmbeddingVocab.txt"
_MISSING_TOOL = (
    f"needs the program {_TOOL} of LLVM {_FIRST_VERSION} or later (Debian: apt-get install llvm-{_FIRST_VERSION}), and there "
    "is none."
)
_MISSING_VOCABULARY = (
    "needs a vocabulary: pip install 'helm-evals[ir2vec]' (Python up to 3.11), or name a file in LLVM's format with "
    + VARIABLE
    + "."
)

_SECTIONS = {
    "Opcodes": """
        Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd Sub FSub Mul
        FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store GetElementPtr Fence AtomicCmpXchg
        AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt PtrToInt PtrToAddr IntToPtr BitCast AddrSpaceCast
        CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 VAArg ExtractElement InsertElement ShuffleVector
        ExtractValue InsertValue LandingPad Freeze
    """.split(),
    "Types": """
        FloatTy VoidTy LabelTy MetadataTy VectorTy TokenTy IntegerTy FunctionTy PointerTy StructTy ArrayTy UnknownTy
    """.split(),
    "Arguments": "Function Pointer Constant Variable".split(),
}
"""Section of LLVM's format -> the names that it may have. Names that a vocabulary lacks are zeros."""


@dataclass(frozen=True)
class Vocabulary:
    """Vectors of the names of `_SECTIONS`, in LLVM's format and multiplied by `_SCALE`."""

    text: str
    dimension: int

    def write(self, folder: Path) -> Path:
        """Write it to a file of that folder, unless it is there."""
        path = folder / f"ir2vec-{hashlib.sha256(self.text.encode()).hexdigest()[:16]}.json"
        if not path.exists():
            write_text_atomically(str(path), self.text)
        return path


def get_vectors(bitcode: bytes, kind: str, folder: Path) -> dict[str, list[float]]:
    """Compute the vector of each function of a module that has a body.

    Args:
        bitcode: the module.
        kind: one of `KINDS`.
        folder: for scratch files.
    Raises: StatusError UNIMPLEMENTED without program or vocabulary, INTERNAL when the program fails; ValueError for a wrong
        vocabulary.
    """
    tool = find_llvm_tool(_TOOL)
    if tool is None:
        raise StatusError("UNIMPLEMENTED", f"Ir2Vec {_MISSING_TOOL}")
    vocabulary = get_vocabulary().write(folder)
    with tempfile.NamedTemporaryFile(prefix="ir2vec-", suffix=".bc", dir=folder) as program:
        program.write(bitcode)
        program.flush()
        command = [tool, "embeddings", "--mode=llvm", "--level=func", f"--ir2vec-kind={kind}"]
        command += [f"--ir2vec-vocab-path={vocabulary}", program.name]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_TIMEOUT_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise StatusError("INTERNAL", f"{tool} cannot be run: {error}") from error
    if done.returncode != 0:
        raise StatusError("INTERNAL", f"{tool} failed with status {done.returncode}: {done.stderr.strip()[-1000:]}")
    return _parse(done.stdout)


def get_module_vector(bitcode: bytes, kind: str, folder: Path) -> list[float]:
    """Compute the vector of a module, the sum of those of its functions; see `get_vectors`."""
    vectors = list(get_vectors(bitcode, kind, folder).values())
    if not vectors:
        return [0.0] * get_vocabulary().dimension
    return [math.fsum(column) for column in zip(*vectors, strict=True)]


def _parse(output: str) -> dict[str, list[float]]:
    vectors: dict[str, list[float]] = {}
    name = ""
    for line in output.splitlines():
        if line.startswith("Function: "):
            name = line.removeprefix("Function: ").strip()
        elif line.lstrip().startswith("[") and line.rstrip().endswith("]"):
            vectors[name] = [float(word) / _SCALE for word in line.strip().strip("[]").split()]
    return vectors


def get_vocabulary() -> Vocabulary:
    """Return the vocabulary that HELM_IR2VEC_VOCABULARY names, else that of the package `IR2Vec`.

    Raises: StatusError UNIMPLEMENTED when there is none; ValueError for a file that is no vocabulary.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return _read_vocabulary(named)
    found = importlib.util.find_spec("ir2vec")
    path = Path(found.origin).with_name(_PACKAGED) if found is not None and found.origin else None
    if path is None or not path.is_file():
        raise StatusError("UNIMPLEMENTED", f"Ir2Vec {_MISSING_VOCABULARY}")
    return _read_vocabulary(str(path))


@cache
def _read_vocabulary(path: str) -> Vocabulary:
    try:
        text = Path(path).read_text(encoding="utf-8")
        sections = json.loads(text) if text.lstrip().startswith("{") else _parse_packaged(text)
    except (OSError, ValueError) as error:
        raise ValueError(f"The vocabulary of IR2Vec {path} cannot be read: {error}") from error
    return _make_vocabulary(sections, path)


def _parse_packaged(text: str) -> dict[str, Any]:
    """Read the text of the package, lines `NAME:[NUMBER, ...],`, whose names differ from LLVM's in upper and lower case."""
    rows = {}
    for line in text.splitlines():
        name, colon, numbers = line.partition(":")
        if colon:
            rows[name.strip().lower()] = json.loads(numbers.strip().rstrip(","))
    return {
        section: {name: rows[name.lower()] for name in names if name.lower() in rows}
        for section, names in _SECTIONS.items()
    }


def _make_vocabulary(sections: Any, path: str) -> Vocabulary:
    def refuse(why: str) -> ValueError:
        return ValueError(f"The vocabulary of IR2Vec {path} {why}.")

    if not isinstance(sections, Mapping) or not all(
        isinstance(sections.get(section), Mapping) for section in _SECTIONS
    ):
        raise refuse(f"must be an object with the members {', '.join(_SECTIONS)}")
    vectors: list[Sequence[float]] = [vector for section in _SECTIONS for vector in sections[section].values()]
    if not all(isinstance(vector, list) and all(isinstance(x, (int, float)) for x in vector) for vector in vectors):
        raise refuse("has a member that is no list of numbers")
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) != 1 or lengths[0] == 0:
        raise refuse(f"must have vectors of one length, and has those of {', '.join(map(str, lengths)) or 'none'}")
    zeros = [0.0] * lengths[0]
    scaled = {
        section: {name: [x * _SCALE for x in sections[section].get(name, zeros)] for name in names}
        for section, names in _SECTIONS.items()
    }
    return Vocabulary(json.dumps(scaled), lengths[0])
