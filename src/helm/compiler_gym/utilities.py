"""Small helpers that programs for CompilerGym import from its `util`."""

import contextlib
import io
import itertools
import logging
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from helm.compiler_gym.data_sets import get_site_data_path
from helm.compiler_gym.envs.statistics import truncate
from helm.compiler_gym.random_search import get_logs_path

ActionType = TypeVar("ActionType")
ObservationType = TypeVar("ObservationType")

AUTOPHASE_FEATURE_DIM = 56
"""Length of the observation `Autophase`."""

_CACHE_VARIABLE, _TRANSIENT_VARIABLE = "COMPILER_GYM_CACHE", "COMPILER_GYM_TRANSIENT_CACHE"
_RUNFILES_VARIABLE, _DEBUG_VARIABLE = "COMPILER_GYM_RUNFILES", "COMPILER_GYM_DEBUG"
_LOGGING_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
"""By level of messages."""


class Timer:
    """Measures wall-clock time, as a context manager or with `reset`."""

    def __init__(self, label: str | None = None, print_fn: Any = print):
        """Prepare a timer; with a `label`, it prints `label in TIME` at the end."""
        self.label, self._print = label, print_fn
        self._started: float | None = None
        self._elapsed: float | None = None

    def reset(self) -> "Timer":
        """Start, or start again."""
        self._started, self._elapsed = time.perf_counter(), None
        return self

    @property
    def time(self) -> float:
        """Seconds since the start, until now or the end; 0 before."""
        if self._elapsed is not None:
            return self._elapsed
        return 0.0 if self._started is None else time.perf_counter() - self._started

    def __enter__(self) -> "Timer":
        return self.reset()

    def __exit__(self, *exc_info: Any) -> None:
        self._elapsed = self.time
        if self.label:
            self._print(f"{self.label} in {self}")

    def __str__(self) -> str:
        return humanize_duration(self.time)


def humanize_duration(seconds: float) -> str:
    """Write a duration for people, such as `1.500s`, `2.5ms` or `1m 2.0s`."""
    if seconds < 0:
        return f"-{humanize_duration(-seconds)}"
    if seconds == 0:
        return "0s"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            if size == 1.0 and seconds >= 60:
                return f"{int(seconds // 60)}m {seconds % 60:.1f}s"
            return f"{seconds / size:.3f}s" if size == 1.0 else f"{seconds / size:.1f}{unit}"
    return f"{seconds / 1e-9:.1f}ns"


class _Captured:
    """What was written while output was captured."""

    def __init__(self) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()

    @property
    def stdout(self) -> str:
        """Everything written to `sys.stdout`."""
        return self._out.getvalue()

    @property
    def stderr(self) -> str:
        """Everything written to `sys.stderr`."""
        return self._err.getvalue()


@contextlib.contextmanager
def capture_output() -> Iterator[_Captured]:
    """Keep what Python code prints, instead of printing it."""
    captured = _Captured()
    with contextlib.redirect_stdout(captured._out), contextlib.redirect_stderr(captured._err):
        yield captured


@contextlib.contextmanager
def temporary_working_directory(directory: Path | None = None) -> Iterator[Path]:
    """Work in a folder for a while. Default: a new one, which is removed afterwards."""
    before = os.getcwd()
    with contextlib.ExitStack() as stack:
        folder = Path(directory or stack.enter_context(tempfile.TemporaryDirectory(prefix="compiler_gym-")))
        stack.callback(os.chdir, before)
        os.chdir(folder)
        yield folder


def cache_path(relpath: str) -> Path:
    """Return a path in the cache: below `$COMPILER_GYM_CACHE`, else in the user's cache."""
    named = os.environ.get(_CACHE_VARIABLE)
    return (Path(named) if named else Path("~/.cache/helm/compiler_gym").expanduser()) / relpath


def transient_cache_path(relpath: str) -> Path:
    """Return a path for files that need not survive: below `$COMPILER_GYM_TRANSIENT_CACHE`, else in the cache."""
    named = os.environ.get(_TRANSIENT_VARIABLE)
    return Path(named) / relpath if named else cache_path(relpath)


class ServiceCache:
    """A fresh folder for the files of a service, which `close` (or the end of a `with` block) removes."""

    def __init__(self) -> None:
        root = transient_cache_path("service")
        root.mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=datetime.now().strftime("%Y%m%dT%H%M%S-"), dir=root))

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def close(self) -> None:
        """Remove the folder with everything in it."""
        shutil.rmtree(self.path, ignore_errors=True)

    def __enter__(self) -> "ServiceCache":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()


_Item = TypeVar("_Item")


def thread_safe_tee(iterable: Iterable[_Item], n: int = 2) -> tuple[Iterator[_Item], ...]:
    """Return iterators over the items of one iterable, as `itertools.tee` does, that threads may use at the same time."""
    lock = threading.Lock()

    def take(iterator: Iterator[_Item]) -> Iterator[_Item]:
        while True:
            with lock:
                try:
                    item = next(iterator)
                except StopIteration:
                    return
            yield item

    return tuple(take(iterator) for iterator in itertools.tee(iterable, n))


def site_data_path(relpath: str) -> Path:
    """Return a path in the folder of the data sets."""
    return get_site_data_path() / relpath


def create_user_logs_dir(name: str, dir: Path | None = None) -> Path:
    """Create a new folder for logs, `NAME/DATE/TIME` below `dir` or the folder of the searches."""
    now = datetime.now()
    path = (dir or get_logs_path()) / name / now.strftime("%Y-%m-%d") / now.strftime("%H-%M-%S-%f")
    path.mkdir(parents=True)
    return path


def indent(string: str, n: int = 4) -> str:
    """Put `n` spaces before each line."""
    return "\n".join(" " * n + line for line in string.split("\n"))


def plural(quantity: int, singular: str, plural: str) -> str:
    """Write a number with the right form of a word."""
    return f"{quantity:,d} {singular if quantity == 1 else plural}"


def emph(stringable: Any) -> str:
    """Mark a text as bold for a terminal."""
    return f"\033[1m{stringable}\033[0m"


def truncate_lines(lines: Iterable[str], max_line_len: int = 60, max_lines: int = 1, tail: bool = False) -> str:
    """Shorten lines as `truncate` shortens a text."""
    return truncate("\n".join(lines), max_line_len=max_line_len, max_lines=max_lines, tail=tail)


def init_logging(level: int = logging.INFO, logger: logging.Logger | None = None) -> None:
    """Write log messages of at least this level to the terminal."""
    logging.basicConfig(format="%(asctime)s %(name)s] %(message)s", datefmt="%m%d %H:%M:%S")
    (logger or logging.getLogger()).setLevel(level)


@contextlib.contextmanager
def Popen(*args: Any, **kwargs: Any) -> Iterator[subprocess.Popen[Any]]:  # noqa: N802  # CompilerGym's name
    """Run a program for a while; it is killed afterwards if it still runs."""
    with subprocess.Popen(*args, **kwargs) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def communicate(process: subprocess.Popen[Any], input: Any = None, timeout: float | None = None) -> tuple[Any, Any]:
    """Send input to a program and read what it writes until it ends; it is killed after `timeout` seconds.

    Raises: subprocess.TimeoutExpired.
    """
    try:
        return process.communicate(input=input, timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


def run_command(cmd: Sequence[str], timeout: float) -> str:
    """Run a program and return its output.

    Raises: OSError when it fails, with what it wrote to stderr; subprocess.TimeoutExpired.
    """
    done = subprocess.run(cmd, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise OSError(f"{cmd[0]} failed with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def compute_observation(observation_space: Any, bitcode: Path, timeout: float = 300) -> Any:
    """Compute one observation of a bitcode file.

    Args:
        observation_space: an `ObservationSpaceSpec` of `LlvmEnv`, or its name.
        bitcode: the file.
        timeout: limit in seconds for reading the program.
    Raises: FileNotFoundError; ValueError for a file that is no bitcode; LookupError for an unknown observation.
    """
    from helm.compiler_gym.envs.llvm_env import LlvmEnv

    path = Path(bitcode)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    name = observation_space if isinstance(observation_space, str) else observation_space.id
    with LlvmEnv(benchmark=str(path), connection="in_process") as env:
        env.reset(timeout=timeout)
        return env.observation[name]


def get_system_library_flags(compiler: str | None = None) -> list[str]:
    """Return the options (`-isystem FOLDER`) for the folders in which a C++ compiler looks for headers.

    Args:
        compiler: name or path. Default: `$CXX`, else `c++`.
    Raises: OSError when it cannot be run.
    """
    command = [compiler or os.environ.get("CXX") or "c++", "-xc++", "-v", "-E", "-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    _, begin, rest = done.stderr.partition("#include <...> search starts here:\n")
    if not begin:
        raise OSError(f"{command[0]} does not say where it looks for headers: {done.stderr.strip()[-500:]}")
    folders = [line.strip() for line in rest.partition("End of search list")[0].splitlines()]
    return [word for folder in folders if folder for word in ("-isystem", folder)]


def runfiles_path(relpath: str) -> Path:
    """Return the path of a file that comes with this package: below `$COMPILER_GYM_RUNFILES`, else the package itself.

    Args:
        relpath: such as `compiler_gym/public_sets.json`.
    """
    named = os.environ.get(_RUNFILES_VARIABLE)
    return (Path(named) if named else Path(__file__).parents[1]) / relpath


def opt_path() -> Path:
    """Return the path of LLVM's `opt`.

    Raises: FileNotFoundError without one.
    """
    return _get_tool("opt")


def llvm_as_path() -> Path:
    """Return the path of `llvm-as`; see `opt_path`."""
    return _get_tool("llvm-as")


def llvm_dis_path() -> Path:
    """Return the path of `llvm-dis`; see `opt_path`."""
    return _get_tool("llvm-dis")


def llvm_link_path() -> Path:
    """Return the path of `llvm-link`; see `opt_path`."""
    return _get_tool("llvm-link")


def llvm_stress_path() -> Path:
    """Return the path of `llvm-stress`; see `opt_path`."""
    return _get_tool("llvm-stress")


def clang_path() -> Path:
    """Return the path of clang; see `opt_path`."""
    from helm.compiler_gym.benchmarks.clang import find_clang

    command = find_clang()
    if len(command) > 1:
        raise FileNotFoundError(f"The clang of this machine is no single program, but '{' '.join(command)}'.")
    return Path(command[0])


def _get_tool(name: str) -> Path:
    from helm.compiler_gym.backends.llvm_tools import find_llvm_tool

    found = find_llvm_tool(name)
    if found is None:
        raise FileNotFoundError(f"LLVM's program {name} is not on this machine.")
    return Path(found)


def get_debug_level() -> int:
    """Return the level of messages, `$COMPILER_GYM_DEBUG`: 0 errors only, 1 warnings, 2 what happens, 3 details."""
    text = os.environ.get(_DEBUG_VARIABLE, "0")
    return max(0, int(text)) if text.strip().isdigit() else 0


def get_logging_level() -> int:
    """Return the level of Python's logging that belongs to `get_debug_level`."""
    return _LOGGING_LEVELS[min(get_debug_level(), len(_LOGGING_LEVELS) - 1)]


def set_debug_level(level: int) -> None:
    """Set the level of messages, also for services that are started later; see `get_debug_level`."""
    os.environ[_DEBUG_VARIABLE] = str(int(level))
    logging.getLogger("helm.compiler_gym").setLevel(get_logging_level())


def download(urls: str | Sequence[str], sha256: str | None = None, max_retries: int = 5) -> bytes:
    """Download a file; one with a SHA-256 is kept in the cache and downloaded once.

    Args:
        urls: where it is, tried in order.
        sha256: its SHA-256, in hexadecimal.
        max_retries: not used: downloads are repeated as for all data.
    Raises: DownloadFailed when none of the URLs has it.
    """
    from helm.common.data.downloads import DownloadError, ensure_downloaded

    found = [urls] if isinstance(urls, str) else list(urls)
    if not found:
        raise ValueError("download() needs at least one URL.")
    with tempfile.TemporaryDirectory(prefix="helm-download-") as folder:
        suffix = Path(found[0]).suffix  # the same as at the source, so that the file is kept as it is
        path = cache_path(f"downloads/{sha256}{suffix}") if sha256 else Path(folder) / f"file{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            ensure_downloaded(found[0], str(path), sha256=sha256, mirrors=found[1:])
        except DownloadError as error:
            raise DownloadFailed(str(error)) from error
        return path.read_bytes()


class DownloadFailed(OSError):
    """A file cannot be downloaded."""


class TooManyRequests(DownloadFailed):
    """The server of a file answers no more questions for now."""


def tabulate(rows: Iterable[Sequence[Any]], headers: Sequence[str] = (), **kwargs: Any) -> str:
    """Make a table as text: as the package `tabulate` does, but floats have three digits at least."""
    from tabulate import tabulate as tabulate_with_package

    return tabulate_with_package(list(rows), headers=headers, **{"floatfmt": ".3f", **kwargs})


def extract_tar(archive: Path | str | bytes, directory: Path | str) -> None:
    """Unpack an archive into a folder, which it must not leave.

    Args:
        archive: its path, or its bytes.
        directory: the folder; it is made if necessary.
    Raises: ValueError or OSError when the archive cannot be read, or contains something dangerous.
    """
    import shutil

    from helm.common.data.archives import unpacked

    with tempfile.TemporaryDirectory(prefix="helm-extract-") as work:
        raw = Path(work) / "archive"
        raw.write_bytes(archive if isinstance(archive, bytes) else Path(archive).read_bytes())
        unpacked(str(raw), "untar", work)
        shutil.copytree(Path(work) / "unpacked", directory, symlinks=True, dirs_exist_ok=True)
