"""Runs the SQL query of an answer about the Czech bank, and the correct one."""

import os
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.benchmark.annotation.bird_sql_annotator import NO_QUERY, get_only_text
from helm.common.data.sqlite_queries import QueryResult, run_query
from helm.common.general import ensure_file_downloaded


class CzechBankQAAnnotator(Annotator):
    """Runs the answer, without code fences, on the bank's database, which is downloaded once.

    Returns `query`, `result` and `gold_result` (the rows formatted as a Python list of tuples; None if the query
    failed), `error` and `gold_error` (None if it ran). An empty answer has the error `No query generated` (HELM counts
    it as a query that ran).
    """

    name = "czech_bank_qa"

    DATABASE_SOURCE_URL = (
        "https://huggingface.co/datasets/yifanmai/czech_bank_qa/resolve/main/czech_bank.db?download=true"
    )

    def __init__(self, file_storage_path: str):
        folder = os.path.join(file_storage_path, "data")
        os.makedirs(folder, exist_ok=True)
        self._database_path = os.path.join(folder, "czech_bank.db")
        ensure_file_downloaded(source_url=self.DATABASE_SOURCE_URL, target_path=self._database_path)

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        query = get_only_text(request_state).replace("```sql", "").replace("```", "")
        result, error = self.get_result(query)
        references = request_state.instance.references
        gold_query = references[0].output.text if references else ""
        gold_result, gold_error = self.get_result(gold_query) if gold_query else (None, "there is no reference")
        return {
            "query": query,
            "result": result,
            "error": error,
            "gold_result": gold_result,
            "gold_error": gold_error,
        }

    def get_result(self, query: str) -> tuple[str | None, str | None]:
        """Return the rows of a query as text and None, or None and what is wrong with it."""
        found = run_query(self._database_path, query) if query.strip() else QueryResult(error=NO_QUERY)
        return _shown(found), found.error


def _shown(result: QueryResult) -> str | None:
    if result.error is not None:
        return None
    return str([tuple(bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row) for row in result.rows])
