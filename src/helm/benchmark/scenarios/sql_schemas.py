"""What text-to-SQL prompts contain about a database, and how they request the query."""

import re
from collections.abc import Callable

from helm.common.data.sqlite_queries import run_query
from helm.common.errors import ScenarioError

ANSWER_FORMAT = """
Think step by step, then generate a single SQL query in valid SQLite syntax. Respond with only your reasoning and SQL query \
in the following tag-delimited format:

<reasoning>
INSERT_YOUR_REASONING_HERE
</reasoning>
<sql>
INSERT_YOUR_SQL_QUERY_HERE
</sql>"""

_TABLES = "SELECT sql FROM sqlite_master WHERE type = 'table'"
_DATABASE_NAME = re.compile(r"[\w.-]+")


class Schemas:
    """The `CREATE` statements of databases; each database is read once.

    Args:
        path_of: the SQLite file of a database.
    """

    def __init__(self, path_of: Callable[[str], str]):
        self._path_of = path_of
        self._texts: dict[str, str] = {}

    def of(self, database: str) -> str:
        """Return the statements of a database's tables, separated by blank lines.

        Raises: ValueError for an invalid name, ScenarioError or DatabaseError for a file that cannot be read.
        """
        if database not in self._texts:
            if not _DATABASE_NAME.fullmatch(database):
                raise ValueError(f"{database!r} is not the name of a database")
            path = self._path_of(database)
            result = run_query(path, _TABLES)
            if result.error is not None:
                raise ScenarioError(f"The tables of {path} could not be listed: {result.error}")
            self._texts[database] = "\n\n".join(row[0] for row in result.rows if row[0] is not None)
        return self._texts[database]
