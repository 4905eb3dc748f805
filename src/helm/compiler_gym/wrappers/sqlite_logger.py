"""A log of all states that an LLVM environment reaches, as training data."""

import sqlite3
import time
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from helm.compiler_gym.envs.compiler_env import StepResult
from helm.compiler_gym.wrappers.core import CompilerEnvWrapper

_TABLES = """
CREATE TABLE IF NOT EXISTS States (
  benchmark_uri TEXT NOT NULL,
  done INTEGER NOT NULL,
  ir_instruction_count_oz_reward REAL NULLABLE,
  state_id TEXT NOT NULL,
  actions TEXT NOT NULL,
  PRIMARY KEY (benchmark_uri, actions)
);
CREATE TABLE IF NOT EXISTS Observations (
  state_id TEXT NOT NULL,
  ir_instruction_count INTEGER NOT NULL,
  compressed_llvm_ir BLOB NOT NULL,
  pickled_compressed_programl BLOB NOT NULL,
  autophase TEXT NOT NULL,
  instcount TEXT NOT NULL,
  PRIMARY KEY (state_id)
);
"""

_OBSERVATIONS = ("IrSha1", "IrInstructionCount", "Ir", "Autophase", "InstCount")


class SynchronousSqliteLogger(CompilerEnvWrapper):
    """Writes the state after every reset and step to a database, in the tables of the original.

    A state is written once for each program and sequence of actions, an observation once for each module (`state_id` is
    the SHA-1 of its IR). Lists of numbers are texts separated by spaces; the IR is compressed with zlib. The column
    `pickled_compressed_programl` stays empty: we neither write nor read pickles.
    """

    def __init__(
        self,
        env: Any,
        db_path: str | Path,
        commit_frequency_in_seconds: float = 300,
        max_step_buffer_length: int = 5000,
    ):
        """Open the database.

        Args:
            env: the environment.
            db_path: path of the database, created if necessary; several loggers of one process, such as those of forks,
                share it.
            commit_frequency_in_seconds: the longest time that states stay in memory.
            max_step_buffer_length: the largest number of states in memory.
        Raises: KeyError when the environment lacks a logged observation, which only LLVM has.
        """
        super().__init__(env)
        for name in _OBSERVATIONS:
            env.unwrapped.observation.get_spec(name)
        env.unwrapped.reward.get_space("IrInstructionCountOz")
        self._path = Path(db_path)
        self._frequency_s, self._max_length = commit_frequency_in_seconds, max_step_buffer_length
        self._states: list[tuple[Any, ...]] = []
        self._observed: list[tuple[Any, ...]] = []
        self._last_flush = time.monotonic()
        self._reward = 0.0
        with self._connect() as connection:
            connection.executescript(_TABLES)
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60.0)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        result = self.env.reset(*args, **kwargs)
        self._reward = 0.0
        self._log(terminated=False, reward=None)
        return result

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        result = self.env.multistep(actions, *args, **kwargs)
        if self.unwrapped.in_episode:  # there is no state to log after a failure of the service
            default = self.unwrapped.reward_space
            if default is not None and default.name == "IrInstructionCountOz":
                self._reward = self.unwrapped.episode_reward
            else:
                self._reward += self.unwrapped.reward["IrInstructionCountOz"]
            self._log(result[2], self._reward)
        return result

    def _log(self, terminated: bool, reward: float | None) -> None:
        env = self.unwrapped
        observed = {name: env.observation[name] for name in _OBSERVATIONS}
        codes = " ".join(str(int(env._get_code(action))) for action in env.actions)
        self._states.append((str(env.benchmark), int(terminated), reward, observed["IrSha1"], codes))
        self._observed.append(
            (
                observed["IrSha1"],
                int(observed["IrInstructionCount"]),
                zlib.compress(observed["Ir"].encode("utf-8")),
                b"",
                " ".join(str(value) for value in observed["Autophase"].tolist()),
                " ".join(str(value) for value in observed["InstCount"].tolist()),
            )
        )
        is_due = time.monotonic() - self._last_flush >= self._frequency_s
        if is_due or len(self._states) >= self._max_length:
            self.flush()

    def flush(self) -> None:
        """Write the states that are in memory."""
        connection = self._connect()
        try:
            with connection:
                connection.executemany("INSERT OR IGNORE INTO States VALUES (?, ?, ?, ?, ?)", self._states)
                connection.executemany("INSERT OR IGNORE INTO Observations VALUES (?, ?, ?, ?, ?, ?)", self._observed)
        finally:
            connection.close()
        self._states, self._observed = [], []
        self._last_flush = time.monotonic()

    def close(self) -> None:
        self.flush()
        self.env.close()

    def fork(self) -> Any:
        forked = super().fork()
        forked._states, forked._observed = [], []
        return forked
