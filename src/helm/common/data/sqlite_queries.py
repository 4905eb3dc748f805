"""Runs untrusted queries on SQLite files."""

import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any

from helm.common.data import sqlite_harness
from helm.common.errors import HelmError
from helm.common.sandbox.contract import SandboxLimits
from helm.common.sandbox.unprotected import UnprotectedSandbox


class DatabaseError(HelmError):
    """A database cannot be opened, independent of the query."""


@dataclass(frozen=True)
class QueryResult:
    """The result of a query."""

    rows: list[list[Any]] = field(default_factory=list)
    """Numbers, texts, None; a blob is `{"hex": ...}`. Empty when the query failed."""

    error: str | None = None
    """Why it failed: SQLite's message, or the limit that it exceeded."""


def run_query(database_path: str, query: str, timeout_s: float = 30.0, max_rows: int = 100_000) -> QueryResult:
    """Run one read-only statement.

    It runs in a process of its own, which is ended after `timeout_s` seconds or when it uses more than a gigabyte of memory.
    SQLite opens the file read-only and refuses everything except reading this one database: no ATTACH, no writing, no
    settings, no extensions. Therefore no sandbox is needed.

    Raises DatabaseError if the file is missing or is not a database.
    """
    limits = SandboxLimits(wall_s=timeout_s, memory_bytes=1 << 30, output_bytes=64 << 20)
    argv = [
        sys.executable,
        "-I",
        os.path.abspath(sqlite_harness.__file__),
        os.path.abspath(database_path),
        str(max_rows),
    ]
    text = query.encode("utf-8", "surrogatepass")
    outcome = UnprotectedSandbox().run(argv, text, {}, limits, {})
    if outcome.status == "timeout":
        return QueryResult(error=f"took longer than {timeout_s:g} s")
    if outcome.status in ("memory", "output"):
        return QueryResult(error=f"went beyond the limit of {outcome.status}")
    if not outcome.is_success:
        said = outcome.stderr.decode(errors="replace").strip()[-500:]
        return QueryResult(error=f"ended with status {outcome.returncode}: {said}")
    answer = json.loads(outcome.stdout)
    if "no_database" in answer:
        raise DatabaseError(f"The database '{database_path}' cannot be opened: {answer['no_database']}.")
    return QueryResult(answer.get("rows", []), answer.get("error"))
