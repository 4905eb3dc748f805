"""Runs one read-only query on an SQLite file. It is started as a separate program, and imports no other module of ours.

Arguments: the file, and the largest number of rows. Standard input: the query. Standard output: JSON, `{"rows": [...]}`,
`{"error": ...}` if the query is at fault, or `{"no_database": ...}`. A blob is `{"hex": ...}`.
"""

import json
import os
import sqlite3
import sys
import urllib.parse
from typing import Any

_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
_FORBIDDEN_FUNCTIONS = {"load_extension", "fts3_tokenizer", "edit", "readfile", "writefile"}
_ALLOWED_PRAGMAS = {
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
}
# Keeps a query such as `SELECT zeroblob(...)` far below the memory limit of this process.
_MAX_VALUE_BYTES = 50_000_000


def authorize(action: int, first: str | None, second: str | None, database: str | None, source: Any) -> int:
    """Allow only operations that read this one database."""
    if action in _ALLOWED:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _ALLOWED_PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def encode(value: Any) -> Any:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def answer(path: str, query: str, max_rows: int) -> Any:
    try:
        if not os.path.isfile(path):
            raise sqlite3.OperationalError("no such file")
        connection = sqlite3.connect(f"file:{urllib.parse.quote(os.path.abspath(path))}?mode=ro", uri=True)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return {"no_database": str(error)}
    connection.execute("PRAGMA temp_store = MEMORY")  # memory is limited, the disk is not
    connection.execute("PRAGMA query_only = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(authorize)
    try:
        cursor = connection.execute(query)
        rows = cursor.fetchmany(max_rows + 1)
    except (sqlite3.Error, sqlite3.Warning, ValueError, UnicodeError) as error:
        return {"error": str(error)}
    if len(rows) > max_rows:
        return {"error": f"more than {max_rows} rows"}
    return {"rows": [[encode(value) for value in row] for row in rows]}


def main() -> None:
    query = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    print(json.dumps(answer(sys.argv[1], query, int(sys.argv[2]))))


if __name__ == "__main__":
    main()
