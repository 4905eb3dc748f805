"""Base of the metrics that ask people, or a model in their place, about a completion."""

from abc import abstractmethod
from typing import ClassVar

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError
from helm.benchmark.metrics.metric import MetricResult, PerInstanceStats, Processor, add_context
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.benchmark.scenarios.scenario import Instance
from helm.common.critique_request import CritiqueQuestionTemplate, CritiqueRequest, CritiqueTaskTemplate, QuestionType
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request, RequestResult

Answer = str | list[str]


class CritiqueMetric(JudgedMetric):
    """Asks the critique service about every completion; emits one stat per question, with its name.

    The credential `critiqueType`, or `critique` in `judges.yaml`, selects the service. A stat has one value per respondent
    whose answer could be parsed. If some could not, or some respondents did not answer, the stat `success_name` gives the
    fraction that could. The wording of the questions is this package's own, so scores are not comparable with HELM's.

    Args:
        num_respondents: number of respondents.
        max_tokens: maximum length of a model's answer. None uses the service's own limit.
        critic: the deployment that answers in place of the service (`judges.yaml`).
    """

    waits_on_io = True
    asks_critics = True

    template_name: ClassVar[str]

    instructions: ClassVar[str]
    """The question's text, with `{{field}}` placeholders."""

    def __init__(self, num_respondents: int, max_tokens: int | None = None, critic: str | None = None):
        self.critic = critic
        self.num_respondents = num_respondents
        self.max_tokens = max_tokens
        self.success_name = f"{self.template_name}_annotator_success"

    @abstractmethod
    def get_questions(self, request_state: RequestState) -> list[CritiqueQuestionTemplate]:
        """Return the questions about a completion."""

    @abstractmethod
    def get_fields(self, request_state: RequestState) -> dict[str, str]:
        """Return the values of the placeholders."""

    @abstractmethod
    def rate(self, question: CritiqueQuestionTemplate, answer: Answer) -> float | None:
        """Return the number that an answer means; None if it cannot be parsed."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Score a generation. Raises: UnjudgedInstanceError if no answer can be parsed."""
        questions = self.get_questions(request_state)
        template = CritiqueTaskTemplate(
            self.template_name, self.instructions, self.num_respondents, questions, self.max_tokens
        )
        request = CritiqueRequest(template, self.get_fields(request_state), self.critic)
        stats = {question.name: Stat(MetricName(question.name)) for question in questions}
        num_understood = 0
        for response in metric_service.make_critique_request(request).responses:
            for question in questions:
                answer = response.answers.get(question.name)
                value = None if answer is None else self.rate(question, answer)
                stats[question.name].add(value)
                num_understood += value is not None
        if not num_understood:
            raise UnjudgedInstanceError(f"instance {request_state.instance.id}: no answer could be understood")
        result = list(stats.values())
        share = num_understood / (len(questions) * self.num_respondents)
        if share < 1 and self.success_name:
            result.append(Stat(MetricName(self.success_name)).add(share))
        return result


class PooledCritiqueMetric(CritiqueMetric):
    """Treats every answer as a value of the aggregated stat.

    So `count` is the number of answers, and there are neither means of trials nor worst cases.
    """

    # HELM: these metrics are not subclasses of `Metric`, and are merged in this simple way.

    def _evaluate_all(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        processor = Processor(self, metric_service, eval_cache_path, scenario_state.adapter_spec)
        totals: dict[MetricName, Stat] = {}
        rows: list[PerInstanceStats] = []
        for trial in range(scenario_state.adapter_spec.num_train_trials):
            by_context: dict[MetricContext, dict[Instance, list[Stat]]] = {}
            for instance, scores in self._iterate_scores(processor, scenario_state, trial, parallelism):
                context = MetricContext.from_instance(instance)
                stats = by_context.setdefault(context, {})[instance] = [add_context(stat, context) for stat in scores]
                rows.append(PerInstanceStats(instance.id or "", instance.perturbation, trial, stats))
                for stat in stats:
                    merge_stat(totals, stat)
            for context, per_instance_stats in by_context.items():
                for stat in self.derive_per_instance_stats(per_instance_stats):
                    merge_stat(totals, add_context(stat, context))
        return MetricResult(list(totals.values()), rows)


def rate_option(question: CritiqueQuestionTemplate, answer: Answer) -> float | None:
    """Return the position of the chosen option, from 1."""
    return question.options.index(answer) + 1 if isinstance(answer, str) and answer in question.options else None


def scale(name: str, text: str, options: list[str], media: MediaObject | None = None) -> CritiqueQuestionTemplate:
    """Return a question with options from worst to best."""
    return CritiqueQuestionTemplate(name, QuestionType.MULTIPLE_CHOICE, text, options, media)


def free_response(name: str, text: str = "", media: MediaObject | None = None) -> CritiqueQuestionTemplate:
    return CritiqueQuestionTemplate(name, QuestionType.FREE_RESPONSE, text, [], media)


def get_response_text(request_state: RequestState) -> str:
    """Return the text of the first completion; as in HELM, others are not judged. Raises: ValueError if there is none."""
    result = request_state.result
    if not isinstance(result, RequestResult) or not result.completions:
        raise ValueError(f"Instance {request_state.instance.id}: a critique needs a completion")
    return result.completions[0].text


def get_input(request_state: RequestState) -> tuple[str, MediaObject | None]:
    """Return the first text of the prompt, and its first picture or sound."""
    request = request_state.request
    if not isinstance(request, Request) or request.multimodal_prompt is None:
        return request_state.instance.input.text, None
    objects = request.multimodal_prompt.media_objects
    texts = [item.text for item in objects if item.is_type(TEXT_TYPE) and item.text]
    media = [item for item in objects if not item.is_type(TEXT_TYPE)]
    return texts[0] if texts else request_state.instance.input.text, media[0] if media else None


def get_reference_text(request_state: RequestState) -> str:
    """Return the first correct reference. Raises: ValueError without one."""
    reference = request_state.instance.first_correct_reference
    if reference is None:
        raise ValueError(f"Instance {request_state.instance.id}: a critique by a reference needs a correct one")
    return reference.output.text
