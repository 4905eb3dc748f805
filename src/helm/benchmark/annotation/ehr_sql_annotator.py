"""Runs the SQL query of an answer to a question of EHRSQL."""

import os
import re
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.benchmark.annotation.bird_sql_annotator import annotate_with_results, find_tagged_query, get_only_text
from helm.common.commands.output_path import get_benchmark_output_path

_FENCED = re.compile(r"```(?:sql)?\s*(.*?)\s*(?:```)?", re.DOTALL | re.IGNORECASE)


class EhrSqlAnnotator(Annotator):
    """Runs the query between an answer's `<sql>` tags, else the answer itself, without its code fence if it has one.

    An empty answer means that the question cannot be answered; its `query_error` is `No query generated`.
    """

    name = "ehr_sql"

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        path = os.path.join(get_benchmark_output_path(), "scenarios", "ehr_sql", "eicu.sqlite")
        text = get_only_text(request_state)
        query = find_tagged_query(text)
        if query is None:
            fenced = _FENCED.fullmatch(text.strip())
            query = fenced.group(1) if fenced else text.strip()
        return annotate_with_results(path, query, request_state)
