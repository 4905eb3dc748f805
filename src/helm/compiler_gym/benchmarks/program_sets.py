"""The meaning of `benchmarks=...` in a run entry."""

from pathlib import Path

from helm.common.errors import ScenarioError, suggest
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.loop_nests import LOOP_TOOL
from helm.compiler_gym.benchmarks.mlir_programs import MLIR
from helm.compiler_gym.data_sets import list_uris, suggest_data_set
from helm.compiler_gym.programs import C_DATASET, DATASET, PROGRAMS, get_program_uri

EMBEDDED = "embedded"
_ALL = "all"
_SUFFIXES = {"llvm": (".ll", ".bc", ".c"), "gcc": (".c",), "mlir": (".mlir",)}
_OWN_SETS = {"mlir": MLIR, "loop_tool": LOOP_TOOL}
"""Family of compilers -> the data set that `embedded` means, for those that take no C or LLVM IR."""
_MAX_LABEL = 80


def list_program_uris(benchmarks: str, family: str, max_programs: int | None = None) -> list[str]:
    """List the URIs of the programs that `benchmarks` names.

    Args:
        benchmarks: `embedded` (all of `PROGRAMS`), one of their names, a URI of a program or of a data set, the name of a
            data set, a file, or a folder, whose files with fitting suffixes are taken, sorted.
        family: `llvm` (`.ll`, `.bc`, `.c`), `gcc` (`.c`), `mlir` (`.mlir`), or another one, which accepts any file.
        max_programs: the largest number of programs, from the first on.
    Raises: ScenarioError, with the nearest name, when nothing has that name, or it contains no program.
    """
    if max_programs is not None and max_programs < 1:
        raise ScenarioError(f"max_programs must be at least 1, not {max_programs}.")
    uris = _list_all(str(benchmarks), family, max_programs)
    if not uris:
        raise ScenarioError(f"benchmarks={benchmarks} has no program for {family}.")
    return uris[:max_programs]


def _list_all(benchmarks: str, family: str, max_programs: int | None) -> list[str]:
    if family in _OWN_SETS:
        benchmarks = _OWN_SETS[family] if benchmarks in (EMBEDDED, _ALL) else benchmarks
        return _list_others(benchmarks, family, max_programs)
    embedded = C_DATASET if family == "gcc" else DATASET
    if benchmarks in (EMBEDDED, _ALL) or benchmarks == embedded.rstrip("/"):
        return [embedded + name for name in PROGRAMS]
    if benchmarks in PROGRAMS:
        return [embedded + benchmarks]
    return _list_others(benchmarks, family, max_programs)


def _list_others(benchmarks: str, family: str, max_programs: int | None) -> list[str]:
    """List what is not one of our programs for LLVM and GCC."""
    if benchmarks.startswith("file://"):
        from urllib.parse import unquote, urlparse

        return _list_files(Path(unquote(urlparse(benchmarks).path)), family)
    if "://" in benchmarks:
        uri = BenchmarkUri.from_string(benchmarks)
        if uri.path.strip("/"):
            return [get_program_uri(benchmarks)]
    uris = list_uris(benchmarks, family, max_programs)
    if uris is not None:
        return uris
    path = Path(benchmarks).expanduser()
    if path.exists():
        return _list_files(path, family)
    hint = suggest(benchmarks, [EMBEDDED, *PROGRAMS]) or suggest_data_set(benchmarks)
    raise ScenarioError(
        f"benchmarks={benchmarks} is neither a file, a folder, a data set for {family} nor one of our programs. It takes: "
        f"embedded, the name of one program, a URI, the name of a data set, a folder or a file.{hint}"
    )


def _list_files(path: Path, family: str) -> list[str]:
    if path.is_file():
        suffixes = _SUFFIXES.get(family)
        if suffixes and path.suffix not in suffixes:
            raise ScenarioError(
                f"{path} is not a program for {family}, which takes files that end in {', '.join(suffixes)}."
            )
        return [path.absolute().as_uri()]
    if not path.is_dir():
        raise ScenarioError(f"There is no file or folder {path}.")
    suffixes = _SUFFIXES.get(family)
    files = sorted(file for file in path.rglob("*") if file.is_file() and (suffixes is None or file.suffix in suffixes))
    if not files:
        wanted = f" that end in {', '.join(suffixes)}" if suffixes else ""
        raise ScenarioError(f"The folder {path} holds no files{wanted}.")
    return [file.absolute().as_uri() for file in files]


def make_labels(uris: list[str]) -> list[str]:
    """Return a short, unique name for each program: the shortest end of its URI that distinguishes it."""
    parts = [[part for part in BenchmarkUri.from_string(uri).path.split("/") if part] or [uri] for uri in uris]
    labels = ["/".join(words[-1:]) for words in parts]
    depth = 1
    while len(set(labels)) < len(labels) and depth < max(len(words) for words in parts):
        depth += 1
        labels = ["/".join(words[-depth:]) for words in parts]
    if len(set(labels)) < len(labels):
        labels = list(uris)
    stems = [label.removesuffix(".ll").removesuffix(".bc").removesuffix(".c").removesuffix(".mlir") for label in labels]
    labels = stems if len(set(stems)) == len(labels) else labels
    cut = [label[-_MAX_LABEL:] for label in labels]
    return cut if len(set(cut)) == len(cut) else labels
