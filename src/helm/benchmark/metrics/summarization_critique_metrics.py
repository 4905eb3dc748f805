"""Ratings of summaries by people, or by a model in their place."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.critique_request import (
    CritiqueQuestionTemplate,
    CritiqueRequest,
    CritiqueTaskTemplate,
)

_YES_OR_NO = {"Yes": 1.0, "No": 0.0}
_ONE_TO_FIVE = {str(i): (i - 1) / 4 for i in range(1, 6)}

_QUESTIONS: dict[str, tuple[str, dict[str, float]]] = {
    "faithfulness": ("Does everything that the summary says follow from the article?", _YES_OR_NO),
    "relevance": (
        "How far is the summary limited to what is important in the article? (1 = not at all, 5 = completely)",
        _ONE_TO_FIVE,
    ),
    "coherence": (
        "How well is the summary put together as a text of its own? (1 = not at all, 5 = very well)",
        _ONE_TO_FIVE,
    ),
}
"""Text of each question, and the values of its options."""


class SummarizationCritiqueMetric(Metric):
    """Emits `faithfulness`, `relevance` and `coherence`, each 0 to 1, with one value per respondent.

    Emits nothing while fewer than `num_respondents` have answered. An answer that is not one of the options is ignored
    and counted in `num_unreadable_answers`. The wording of the questions is ours, so answers are not comparable with
    HELM's.
    """

    waits_on_io = True
    asks_critics = True

    def __init__(self, num_respondents: int, critic: str | None = None):
        self.critic = critic
        self.num_respondents = num_respondents

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        completions = get_completions(request_state)
        if not completions:
            raise ValueError("A critique needs a completion, but there is none.")
        fields = {"original_text": request_state.instance.input.text, "summary": completions[0].text}
        result = metric_service.make_critique_request(CritiqueRequest(self._get_template(), fields, self.critic))
        if not result or len(result.responses) < self.num_respondents:
            return []
        stats = {name: Stat(MetricName(name)) for name in _QUESTIONS}
        num_unreadable = 0
        for response in result.responses:
            for name, (_, values) in _QUESTIONS.items():
                answer = response.answers.get(name)
                value = values.get(answer.strip()) if isinstance(answer, str) else None
                num_unreadable += value is None
                stats[name].add(value)
        unreadable = [Stat(MetricName("num_unreadable_answers")).add(num_unreadable)] if num_unreadable else []
        return [*stats.values(), *unreadable]

    def _get_template(self) -> CritiqueTaskTemplate:
        return CritiqueTaskTemplate(
            name="summarization_critique",
            instructions=(
                "<p>Please judge the summary of this article.</p>"
                '<h4>Article</h4><p style="white-space: pre-wrap;">{{original_text}}</p>'
                '<h4>Summary</h4><p style="white-space: pre-wrap;">{{summary}}</p>'
            ),
            num_respondents=self.num_respondents,
            questions=[
                CritiqueQuestionTemplate(name, "multiple_choice", text, list(values))
                for name, (text, values) in _QUESTIONS.items()
            ],
        )

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(
                name=name,
                display_name=name.capitalize(),
                description=text.partition(" (")[0],
                lower_is_better=False,
                group="summarization_metrics",
            )
            for name, (text, _) in _QUESTIONS.items()
        ]
