"""Episodes as records of program, command line and reward, in CSV and JSON."""

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from helm.common.errors import HelmError
from helm.compiler_gym.records import Record

CSV_COLUMNS = ("benchmark", "reward", "walltime", "commandline")
_REWARD_TOLERANCE = 1e-5  # CompilerGym's; CSV files of its leaderboards have rounded rewards


class StateValidationError(HelmError, ValueError):
    """The fields of a state are of a wrong type or out of range."""


@dataclass(frozen=True, eq=False)
class CompilerEnvState(Record):
    """The outcome of an episode, enough to repeat it."""

    benchmark: str
    """URI of the program."""

    commandline: str
    """The actions, as the environment writes them."""

    walltime: float
    """Time spent on it, in seconds; >= 0."""

    reward: float | None = None
    """Reward of the episode; None without a reward space."""

    def __post_init__(self) -> None:
        for name in ("benchmark", "commandline"):
            if not isinstance(getattr(self, name), str):
                raise StateValidationError(f"{name} of a state must be a text, not {getattr(self, name)!r}.")
        object.__setattr__(self, "walltime", _read_float("walltime", self.walltime))
        if self.walltime < 0:
            raise StateValidationError(
                f"The walltime of a state must not be negative: {self.walltime} ({self.benchmark})."
            )
        if self.reward is not None:
            object.__setattr__(self, "reward", _read_float("reward", self.reward))

    @property
    def has_reward(self) -> bool:
        return self.reward is not None

    def __eq__(self, other: object) -> bool:
        """Compare programs, command lines and, with a tolerance of 1e-5, rewards if both are known. Times do not matter."""
        if not isinstance(other, CompilerEnvState):
            return False
        if (self.benchmark, self.commandline) != (other.benchmark, other.commandline):
            return False
        if self.reward is None or other.reward is None:
            return True
        return abs(self.reward - other.reward) < _REWARD_TOLERANCE

    __hash__ = None  # type: ignore[assignment]  # equality within a tolerance has no fitting hash


def _read_float(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise StateValidationError(f"{name} of a state must be a number, not {value!r}.") from None


class CompilerEnvStateWriter:
    """Writes states as CSV, one per line."""

    def __init__(self, f: TextIO, header: bool = True):
        """Write to an open file; the header follows with the first state.

        Args:
            f: a file open for writing; open a file on disk with `newline=""`.
            header: whether to write a header.
        """
        self._file = f
        self._writer = csv.writer(f, lineterminator="\n")
        self._is_header_due = header

    def write_state(self, state: CompilerEnvState, flush: bool = False) -> None:
        if self._is_header_due:
            self._writer.writerow(CSV_COLUMNS)
            self._is_header_due = False
        reward = "" if state.reward is None else repr(state.reward)
        self._writer.writerow([state.benchmark, reward, repr(state.walltime), state.commandline])
        if flush:
            self._file.flush()

    def __enter__(self) -> "CompilerEnvStateWriter":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self._file.close()


class CompilerEnvStateReader:
    """Reads states from CSV, with or without a header; a header may name the columns in any order."""

    def __init__(self, f: TextIO):
        self._file = f

    def __iter__(self) -> Iterator[CompilerEnvState]:
        """Yield the states.

        Raises: ValueError for a first line without four cells, or for cells that cannot be read.
        """
        rows = csv.reader(self._file)
        columns: list[int] = []
        for number, row in enumerate(rows):
            if number == 0:
                if len(row) != len(CSV_COLUMNS):
                    raise ValueError(f"A state has the columns {', '.join(CSV_COLUMNS)}; the file begins with {row}.")
                header = [cell.lower() for cell in row]
                if sorted(header) == sorted(CSV_COLUMNS):
                    columns = [header.index(name) for name in CSV_COLUMNS]
                    continue
            if columns and len(row) >= len(CSV_COLUMNS):
                row = [row[column] for column in columns]
            if len(row) != len(CSV_COLUMNS):
                raise ValueError(f"Line {rows.line_num} has {len(row)} cells; a state has {len(CSV_COLUMNS)}: {row}.")
            benchmark, reward, walltime, commandline = row
            try:
                yield CompilerEnvState(
                    benchmark=benchmark,
                    commandline=commandline,
                    walltime=float(walltime) if walltime else 0.0,
                    reward=float(reward) if reward else None,
                )
            except ValueError as error:
                if isinstance(error, StateValidationError):
                    raise
                raise ValueError(f"Line {rows.line_num}: {error}.") from error

    @staticmethod
    def read_paths(paths: Iterable[str | Path]) -> Iterator[CompilerEnvState]:
        """Yield the states of several files; `-` is standard input, and an HTTP URL that ends in `.csv` is downloaded."""
        for path in paths:
            if str(path) == "-":
                yield from CompilerEnvStateReader(sys.stdin)
            elif str(path).startswith(("http://", "https://")) and str(path).endswith(".csv"):
                yield from _read_url(str(path))
            else:
                with open(path, newline="", encoding="utf-8") as file:
                    yield from CompilerEnvStateReader(file)


def _read_url(url: str) -> Iterator[CompilerEnvState]:
    import io

    import urllib3

    response = urllib3.PoolManager().request("GET", url, timeout=60.0)
    if response.status != 200:
        raise OSError(f"GET {url} answered with status {response.status}.")
    yield from CompilerEnvStateReader(io.StringIO(response.data.decode("utf-8"), newline=""))
