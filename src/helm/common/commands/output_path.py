"""The output folder of the running command, for code that does not get it as an argument."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

RUNS_FOLDER = "runs"
RELEASES_FOLDER = "releases"
EVAL_CACHE_FOLDER = "eval_cache"
GROUPS_FOLDER = "groups"
PLOTS_FOLDER = "plots"
INDEX_FOLDER = ".helm-index"
"""What commands remember of the results, next to them; it may be deleted at any time."""
NAMES_IN_SUITES = (EVAL_CACHE_FOLDER, GROUPS_FOLDER, PLOTS_FOLDER)
"""Folders in the folder of a suite that are not runs."""

_benchmark_output_path: ContextVar[str] = ContextVar("helm_benchmark_output_path", default="benchmark_output")


def get_benchmark_output_path() -> str:
    """Return the output folder of the running command; by default `benchmark_output`."""
    return _benchmark_output_path.get()


def set_benchmark_output_path(benchmark_output_path: str) -> None:
    _benchmark_output_path.set(benchmark_output_path)


def get_cached_models_path() -> str:
    """Return the folder for downloaded models, creating it if necessary."""
    path = os.path.join(get_benchmark_output_path(), "models")
    os.makedirs(path, exist_ok=True)
    return path


@contextmanager
def benchmark_output_path(path: str) -> Iterator[None]:
    """Make `get_benchmark_output_path` return `path` inside the block."""
    token = _benchmark_output_path.set(path)
    try:
        yield
    finally:
        _benchmark_output_path.reset(token)


_MAX_NAME_BYTES = 255
"""The limit for names of files and folders in all common file systems."""


def check_folder_name(name: str, what: str, max_bytes: int = _MAX_NAME_BYTES) -> None:
    """Raise ConfigError if `name` cannot be a folder's name; `what` begins the message, like "The name of run 'x'"."""
    from helm.common.errors import ConfigError

    size = len(name.encode("utf-8", "surrogateescape"))
    if size > max_bytes:
        raise ConfigError(
            f"{what} is {size} bytes long, and a folder's name can have {max_bytes}. Give shorter values."
        )
    if name in ("", ".", "..") or os.sep in name or "\0" in name:
        raise ConfigError(f"{what} cannot be that of a folder. Give other values.")


def check_suite_name(suite: str, flag: str = "--suite") -> None:
    """Raise ConfigError if a suite, which may contain slashes, would be outside of `runs/` or cannot be a folder."""
    from helm.common.errors import ConfigError

    parts = [part for part in suite.split("/") if part]
    if not parts or suite.startswith("/") or any(part in (".", "..") for part in parts):
        raise ConfigError(
            f"{flag} takes the name of a folder in the output folder, such as mine or mine/first, not '{suite}'. Another output "
            "folder is named by --output-path."
        )
    for part in parts:
        check_folder_name(part, f"{flag}: the name '{_shortened(part)}'")


def get_suite_path(output_path: str, suite: str, flag: str = "--suite") -> str:
    """Return the folder of a suite. Raises ConfigError like `check_suite_name`."""
    check_suite_name(suite, flag)
    return os.path.join(output_path, RUNS_FOLDER, suite)


def check_run_name(name: str, max_bytes: int = _MAX_NAME_BYTES) -> None:
    """Raise ConfigError if a run of this name cannot have a folder of its own in its suite."""
    from helm.common.errors import ConfigError

    check_folder_name(name, f"The name of the run '{_shortened(name)}'", max_bytes)
    if name in NAMES_IN_SUITES:
        raise ConfigError(f"A run cannot be named '{name}': a suite uses this name for something else.")


def _shortened(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:60]}...{text[-30:]}"


def is_address(output_path: str) -> bool:
    """Return whether results go to an object store instead of a folder."""
    return "://" in output_path


def staging_path(output_path: str, local_path: str | None) -> str:
    """Return the local folder for runs that go to an object store; for a folder, the folder itself."""
    if not is_address(output_path):
        return output_path
    import hashlib

    return os.path.join(local_path or "prod_env", "staging", hashlib.sha256(output_path.encode()).hexdigest()[:16])
