"""Metrics of summaries: overlap with references, copying, and on a GPU faithfulness and semantic similarity."""

from functools import lru_cache
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.evaluate_reference_metrics import get_rouge_function
from helm.benchmark.metrics.extractiveness import compute_extractiveness
from helm.benchmark.metrics.metric import MetricMetadata, MetricResult, get_completions
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.summac import compute_summac, load_judge
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.hierarchical_logger import hwarn
from helm.common.optional_dependencies import OptionalDependencyNotInstalled, needs_extra

_ROUGE_TYPES = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
_HUMAN_EVAL_TASKS = ("cnndm", "xsum")


class SummarizationMetric(StateMetric):
    """Scores summaries by overlap, copying and, with a model, faithfulness.

    Emits for every summary, in this order:

    - `rouge_1`, `rouge_2`, `rouge_l`: the best over all references;
    - `summarization_coverage`, `summarization_density`, `summarization_compression`: see `extractiveness`; omitted,
      with one warning, without the package spacy;
    - unless `device` is `cpu`: `summac` (consistency with the article, -1 to 1) and `BERTScore-P`, `BERTScore-R`,
      `BERTScore-F` (the best F over the references). They need the extra `faithfulness` and download models.

    A brace at the beginning and one at the end are removed from all texts. The first completion counts.

    HELM also adds published judgments (`HumanEval-...`, for tasks with `cnndm` or `xsum` in their name) and
    `QAFactEval` scores of models of 2022. They are omitted here, with one warning: the former require a login, the
    latter are a pickle, which could execute anything.

    Args:
        task: name of the scenario.
        language: language of the texts, for BERTScore.
        device: where the models run, for example `cuda`.
        bertscore_model: model of BERTScore.
        rescale_with_baseline: passed to BERTScore.
        summac_new_line_split: whether SummaC splits articles and summaries at newlines instead of sentences.
    """

    def __init__(
        self,
        task: str,
        language: str = "en",
        device: str = "cpu",
        bertscore_model: str = "microsoft/deberta-large-mnli",
        rescale_with_baseline: bool = True,
        summac_new_line_split: bool = False,
    ):
        self.task = task
        self.language = language
        self.device = device
        self.bertscore_model = bertscore_model
        self.rescale_with_baseline = rescale_with_baseline
        self.summac_new_line_split = summac_new_line_split
        self._has_spacy = True

    @property
    def _uses_models(self) -> bool:
        return self.device != "cpu"

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        left_out = ["QAFactEval"] + ["HumanEval"] * any(name in self.task for name in _HUMAN_EVAL_TASKS)
        hwarn(f"SummarizationMetric leaves out the published scores of old models: {', '.join(left_out)}.")
        if self._uses_models:
            load_judge(self.device)  # fail with a clear message before the first summary
            _load_bert_scorer(self.bertscore_model, self.language, self.rescale_with_baseline, self.device)
            parallelism = 1
        return super().evaluate(scenario_state, metric_service, eval_cache_path, parallelism)

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        completions = get_completions(request_state)
        if not completions or not instance.references:
            missing = "reference" if completions else "completion"
            raise ValueError(f"A summary needs a {missing}, but there is none.")
        references = [remove_braces(reference.output.text) for reference in instance.references]
        article = remove_braces(instance.input.text)
        summary = remove_braces(completions[0].text.strip())
        values: NamedValues = []
        for name, rouge_type in _ROUGE_TYPES.items():
            rouge = get_rouge_function(rouge_type)
            values.append((name, max(rouge(reference, summary) for reference in references)))
        values += self._compute_extractiveness(article, summary)
        if self._uses_models:
            values += self._compute_model_scores(article, summary, references)
        return values

    def _compute_extractiveness(self, article: str, summary: str) -> NamedValues:
        if not self._has_spacy:
            return []
        try:
            values = compute_extractiveness(article, summary)
        except OptionalDependencyNotInstalled as error:
            hwarn(f"SummarizationMetric leaves out coverage, density and compression. {error}")
            self._has_spacy = False
            return []
        return [
            ("summarization_coverage", values.coverage),
            ("summarization_density", values.density),
            ("summarization_compression", values.compression),
        ]

    def _compute_model_scores(self, article: str, summary: str, references: list[str]) -> NamedValues:
        summac = compute_summac(article, summary, load_judge(self.device), self.summac_new_line_split)
        scorer = _load_bert_scorer(self.bertscore_model, self.language, self.rescale_with_baseline, self.device)
        precision, recall, f1 = scorer.score([summary], [references])
        return [
            ("summac", summac),
            ("BERTScore-P", float(precision[0])),
            ("BERTScore-R", float(recall[0])),
            ("BERTScore-F", float(f1[0])),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        names = [*_ROUGE_TYPES, "summarization_coverage", "summarization_density", "summarization_compression"]
        if self._uses_models:
            names += ["summac", "BERTScore-P", "BERTScore-R", "BERTScore-F"]
        return [_METADATA[name] for name in names]


def remove_braces(text: str) -> str:
    """Remove one `{` at the beginning and one `}` at the end."""
    return text.removeprefix("{").removesuffix("}")


@lru_cache(maxsize=1)
def _load_bert_scorer(model: str, language: str, rescale_with_baseline: bool, device: str) -> Any:
    with needs_extra("faithfulness"):
        from bert_score import BERTScorer
    return BERTScorer(model_type=model, lang=language, rescale_with_baseline=rescale_with_baseline, device=device)


def _metadata(name: str, display_name: str, description: str, lower_is_better: bool | None) -> MetricMetadata:
    return MetricMetadata(
        name=name,
        display_name=display_name,
        description=description,
        lower_is_better=lower_is_better,
        group="summarization_metrics",
    )


_METADATA: dict[str, MetricMetadata] = {
    metadata.name: metadata
    for metadata in [
        _metadata("rouge_1", "ROUGE-1", "F-measure of common words.", False),
        _metadata("rouge_2", "ROUGE-2", "F-measure of common pairs of words.", False),
        _metadata("rouge_l", "ROUGE-L", "F-measure of the longest common subsequence of words.", False),
        _metadata("summarization_coverage", "Coverage", "Share of the words that are copied from the article.", None),
        _metadata("summarization_density", "Density", "Mean length of the copied fragment of a word.", None),
        _metadata("summarization_compression", "Compression", "Words of the article per word of the summary.", None),
        _metadata("summac", "SummaC", "Consistency with the article, by a model of entailment.", False),
        _metadata("BERTScore-P", "BERTScore (P)", "Precision of the best matches of embedded words.", False),
        _metadata("BERTScore-R", "BERTScore (R)", "Recall of the best matches of embedded words.", False),
        _metadata("BERTScore-F", "BERTScore (F1)", "F1 of the best matches of embedded words.", False),
    ]
}
