"""Logging with nested, timed blocks on top of `logging`, by the logger `helm`, to standard output by default.

Nesting is kept in a context variable, so the indentation of one thread never mixes with another's.
"""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

_depth: ContextVar[int] = ContextVar("helm_log_depth", default=0)
_logger = logging.getLogger("helm")
_progress_logger = logging.getLogger("helm.progress")
_COLORS = {
    logging.DEBUG: "\033[36m",
    logging.WARNING: "\033[33m",
    logging.ERROR: "\033[31m",
    logging.CRITICAL: "\033[31m",
}

F = TypeVar("F", bound=Callable[..., Any])


def format_time(s: float) -> str:
    """Format `s` seconds like `1h2m5.25s`: hours and minutes only if not zero, seconds truncated to milliseconds."""
    minutes, seconds = divmod(s, 60)
    hours, minutes = divmod(int(minutes), 60)
    text = f"{int(seconds * 1000) / 1000}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return f"{hours}h{text}" if hours else text


def _log(level: int, message: Any, logger: logging.Logger = _logger, **kwargs: Any) -> None:
    if logger.isEnabledFor(level):
        indent = "  " * _depth.get() if _logger.isEnabledFor(logging.INFO) else ""
        logger.log(level, "%s", "\n".join(indent + line for line in str(message).split("\n")), **kwargs)


def hlog(x: Any, **kwargs: Any) -> None:
    """Log a stage or a count."""
    _log(logging.INFO, x, **kwargs)


def hprogress(x: Any, **kwargs: Any) -> None:
    """Log something that people wait for; commands that are otherwise quiet show it, too."""
    _log(logging.INFO, x, _progress_logger, **kwargs)


_told: set[str] = set()


def tell_once(line: str) -> None:
    """Log a line that people wait for, unless this process did so before."""
    if line not in _told:
        _told.add(line)
        hprogress(line)


def hdebug(x: Any, **kwargs: Any) -> None:
    """Log a single item."""
    _log(logging.DEBUG, x, **kwargs)


def hwarn(x: Any, **kwargs: Any) -> None:
    """Log something that the user should change."""
    _log(logging.WARNING, x, **kwargs)


def herror(x: Any, **kwargs: Any) -> None:
    _log(logging.ERROR, x, **kwargs)


def hexception(x: Any, **kwargs: Any) -> None:
    """Log an error with the traceback of the exception being handled."""
    _log(logging.ERROR, x, exc_info=True, **kwargs)


class htrack_block:
    """Context manager that prints `title {`, indents what is logged inside, and prints `} [seconds]`.

    Args:
        x: the title.
        stacklevel: how many callers further up the record's place is, for handlers that show it.
    """

    def __init__(self, x: Any, stacklevel: int = 1):
        self._title, self._stacklevel = x, stacklevel

    def __enter__(self) -> None:
        hlog(f"{self._title} {{", stacklevel=self._stacklevel)
        self._token = _depth.set(_depth.get() + 1)
        self._start = time.monotonic()

    def __exit__(self, *exc_info: Any) -> None:
        _depth.reset(self._token)
        hlog(f"}} [{format_time(time.monotonic() - self._start)}]", stacklevel=self._stacklevel)


class htrack:
    """Decorator that runs a function inside an `htrack_block`.

    Args:
        spec: what follows the function's name in the title; `$name` is an argument's value.
    """

    def __init__(self, spec: str | None = None):
        self._spec = spec

    def __call__(self, function: F) -> F:
        @wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with htrack_block(_title(function, self._spec, args, kwargs)):
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


def _title(function: Callable[..., Any], spec: str | None, args: Any, kwargs: Any) -> str:
    if not spec:
        return function.__qualname__
    import inspect
    import string

    bound = inspect.signature(function).bind(*args, **kwargs)
    return f"{function.__qualname__}: {string.Template(spec).safe_substitute(bound.arguments)}"


class _Formatter(logging.Formatter):
    def __init__(self, colored: bool):
        super().__init__("%(asctime)s %(levelname)-8s %(message)s", "%Y-%m-%dT%H:%M:%S")
        self._colored = colored

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        color = _COLORS.get(record.levelno) if self._colored else None
        return f"{color}{text}\033[0m" if color else text


_printer: Callable[[str], None] | None = None


@contextmanager
def print_above(printer: Callable[[str], None]) -> Iterator[None]:
    """Send lines for a terminal to `printer`, which knows what else is on the screen."""
    global _printer
    saved, _printer = _printer, printer
    try:
        yield
    finally:
        _printer = saved


class _StandardHandler(logging.StreamHandler):
    """Writes to the current `sys.stdout` (or `stderr`) without disturbing a progress bar or panel on the screen."""

    def __init__(self, stream_name: str) -> None:
        self._stream_name = stream_name
        super().__init__(getattr(sys, stream_name))

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = getattr(sys, self._stream_name)
        tqdm = sys.modules.get("tqdm")
        if _printer is not None and self.stream.isatty():
            _printer(self.format(record))
        elif tqdm is not None and self.stream.isatty():
            tqdm.tqdm.write(self.format(record), file=self.stream)
        else:
            super().emit(record)


def setup_default_logging(config_path: str | None = None, is_quiet: bool = False, stream_name: str = "stdout") -> None:
    """Set up the logger `helm` from a YAML file for `logging.config.dictConfig`, or for a standard stream.

    The level is `HELM_LOG_LEVEL`, else `LOG_LEVEL`, else INFO. With `is_quiet`, the last default is WARNING, except INFO for
    `hprogress`.
    """
    _progress_logger.setLevel(logging.NOTSET)
    if config_path and os.path.exists(config_path):
        from logging.config import dictConfig

        from helm.common.files import load_yaml

        dictConfig(load_yaml(config_path))
        return
    name = os.environ.get("HELM_LOG_LEVEL") or os.environ.get("LOG_LEVEL")
    level = logging.getLevelName(name.upper()) if name else logging.WARNING if is_quiet else logging.INFO
    _logger.setLevel(level if isinstance(level, int) else logging.INFO)
    if is_quiet and not name:
        _progress_logger.setLevel(logging.INFO)
    _logger.propagate = False
    for handler in list(_logger.handlers):
        _logger.removeHandler(handler)
    handler = _StandardHandler(stream_name)
    handler.setFormatter(_Formatter(colored=getattr(sys, stream_name).isatty() and "NO_COLOR" not in os.environ))
    _logger.addHandler(handler)
    if config_path:
        hwarn(f"There is no file {config_path} to configure logging with; the default configuration is used.")


@contextmanager
def log_level(level: int) -> Iterator[None]:
    """Log only from `level` up inside the block."""
    saved = _logger.level
    _logger.setLevel(level)
    try:
        yield
    finally:
        _logger.setLevel(saved)
