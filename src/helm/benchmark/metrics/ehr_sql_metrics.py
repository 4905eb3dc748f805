"""Scores SQL queries for questions about health records, some of which cannot be answered."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.bird_sql_metrics import as_set, get_annotation
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.request import RequestResult

_ROWS = {
    "ehr_sql_execution_accuracy": ("Execution accuracy", "EX", "The query gives the rows of the right query."),
    "ehr_sql_query_validity": ("Query validity", "Valid", "There is a query, and it runs without an error."),
    "ehr_sql_precision_answerable": ("Precision, answerable", "Precision", "Answered, and answerable."),
    "ehr_sql_recall_answerable": ("Recall, answerable", "Recall", "Answerable, and answered."),
    "ehr_sql_total_predicted_answerable": ("Answered", "Answered", "The model gave a query."),
    "ehr_sql_total_ground_truth_answerable": ("Answerable", "Answerable", "The question has a right query."),
}


class EhrSqlMetric(StateMetric):
    """Emits six indicators, 0 or 1, for each question.

    A question is answerable if it has a correct query, and answered if the completion is not blank.

    - `ehr_sql_execution_accuracy`: answerable, and both queries return the same set of rows. HELM: two empty sets count
      only if the question was not answered.
    - `ehr_sql_query_validity`: answered, and the query ran.
    - `ehr_sql_precision_answerable`, `ehr_sql_recall_answerable`: answered and answerable. To be divided by the next
      two.
    - `ehr_sql_total_predicted_answerable`: answered.
    - `ehr_sql_total_ground_truth_answerable`: answerable.

    Nothing is emitted without a reference.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance, result = request_state.instance, request_state.result
        if not instance.references:
            return []
        keys = ["predicted_result", "ground_truth_result", "query_error"]
        annotation = get_annotation(request_state, "ehr_sql", keys)
        assert isinstance(result, RequestResult) and result.completions  # guaranteed by the annotator
        is_answerable = bool(instance.references[0].output.text.strip())
        is_answered = bool(result.completions[0].text.strip())
        predicted, right = as_set(annotation["predicted_result"]), as_set(annotation["ground_truth_result"])
        is_right = is_answerable and predicted == right and (bool(predicted) or not is_answered)
        values = [
            is_right,
            is_answered and annotation["query_error"] is None,
            is_answered and is_answerable,
            is_answered and is_answerable,
            is_answered,
            is_answerable,
        ]
        return [(name, int(value)) for name, value in zip(_ROWS, values, strict=True)]

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(name, display_name, short_name, description, False)
            for name, (display_name, short_name, description) in _ROWS.items()
        ]
