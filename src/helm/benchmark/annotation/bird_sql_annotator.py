"""Runs the SQL query of an answer, and the correct one, on the question's database."""

import os
import re
from typing import Any, ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.sqlite_queries import QueryResult, run_query
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.request import RequestResult

_TAGGED = re.compile(r"<\s*sql\s*>(.*?)</?\s*sql\s*>", re.DOTALL | re.IGNORECASE)

NO_QUERY = "No query generated"


class SqlAnnotationError(HelmError):
    """A question lacks what is needed to run a query."""


def find_tagged_query(text: str) -> str | None:
    """Return the text between the first `<sql>` and `</sql>`; None without them."""
    match = _TAGGED.search(text)
    return match.group(1).strip() if match else None


def annotate_with_results(database_path: str, query: str | None, request_state: RequestState) -> dict[str, Any]:
    """Return `predicted_result` and `ground_truth_result` (rows), and `query_error` (None if the query ran).

    `ground_truth_error` is there when the right query itself failed or is missing.
    Raises: DatabaseError when the database cannot be opened.
    """
    instance = request_state.instance
    predicted = run_query(database_path, query) if query else QueryResult(error=NO_QUERY)
    if instance.references:
        gold_query = instance.references[0].output.text.strip()
        gold = run_query(database_path, gold_query) if gold_query else QueryResult()
    else:
        gold = QueryResult(error="there is no reference")
    annotation: dict[str, Any] = {
        "predicted_result": predicted.rows,
        "ground_truth_result": gold.rows,
        "query_error": predicted.error,
    }
    if gold.error is not None:
        hwarn(f"Instance {instance.id}: the correct query gave no result: {gold.error}")
        annotation["ground_truth_error"] = gold.error
    return annotation


def get_only_text(request_state: RequestState) -> str:
    """Return the text of the only completion. Raises: SqlAnnotationError if there is not exactly one."""
    result = request_state.result
    completions = result.completions if isinstance(result, RequestResult) else []
    if len(completions) != 1:
        raise SqlAnnotationError(f"One completion is expected (num_outputs=1), there are {len(completions)}.")
    return completions[0].text


class BirdSQLAnnotator(Annotator):
    """Runs the query between an answer's `<sql>` tags on the database named by `db_id` in the instance's extra data."""

    name = "bird_sql"

    database_folder: ClassVar[str] = "bird_sql/dev/unzipped_dev_databases/dev_databases"
    """Where the scenario has put its databases, below the folder of all scenarios."""

    def get_database_path(self, database_name: str) -> str:
        folder = os.path.join(get_benchmark_output_path(), "scenarios", self.database_folder)
        return os.path.join(folder, database_name, f"{database_name}.sqlite")

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        database_name = (request_state.instance.extra_data or {}).get("db_id")
        if not isinstance(database_name, str) or not re.fullmatch(r"[\w.-]+", database_name):
            raise SqlAnnotationError(f"extra_data['db_id'] must be the name of a database, not {database_name!r}.")
        query = find_tagged_query(get_only_text(request_state))
        return annotate_with_results(self.get_database_path(database_name), query, request_state)
