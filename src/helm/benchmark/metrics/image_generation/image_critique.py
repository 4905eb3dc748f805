"""Base of the metrics that ask people, or a model in their place, about images that a model made."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.image_generation.image_answers import get_shown_locations
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, PerInstanceStats, add_context
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.clients.gcs_client import NoBucketError
from helm.common.concurrency import parallel_map
from helm.common.critique_request import (
    CritiqueQuestionTemplate,
    CritiqueRequest,
    CritiqueRequestResult,
    CritiqueTaskTemplate,
)
from helm.common.errors import MetricError
from helm.common.file_upload_request import FileUploadRequest

HUMAN = "_human"
_MODEL = "_model"


class ImageCritique(MetricInterface):
    """Asks about one image of each of some request states; a stat of a state has all answers to one question.

    States, images and references are drawn as HELM draws them. A state without an image that is not black has no stats.
    Answers that no option or no one gives leave their stat without a value. Where the service says that a model answered,
    the names of stats end in `_model` instead of `_human`.

    Args:
        num_examples: how many states are asked about; all if there are no more.
        num_respondents: how many answers each question gets.
        use_perturbed: ask about perturbed prompts only.
        critic: the deployment that answers, instead of the service that the credential `critiqueType` selects (`judges.yaml`).
    """

    asks_critics = True

    described_stats: Sequence[str] = ()

    def __init__(self, num_examples: int, num_respondents: int, use_perturbed: bool = False, critic: str | None = None):
        self._critic = critic
        self._num_examples = num_examples
        self._num_respondents = num_respondents
        self._use_perturbed = use_perturbed

    @abstractmethod
    def draw(self, request_state: RequestState, images: list[str], choose: Any) -> Any:
        """Return what is to be shown of a state; `choose` draws an item of a list."""

    @abstractmethod
    def ask(self, request_state: RequestState, drawn: Any, metric_service: MetricService) -> list[Stat]:
        """Return the stats of a state, without context, after asking about what was drawn."""

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        drawn = self._draw_all(scenario_state.request_states)
        found = parallel_map(
            lambda pair: [] if pair[1] is None else self.ask(*pair, metric_service),
            drawn,
            parallelism,
            description="critiques",
        )
        totals: dict[MetricName, Stat] = {}
        rows = []
        for (state, _), stats in zip(drawn, found, strict=True):
            instance = state.instance
            context = MetricContext.from_instance(instance)
            named = [add_context(stat, context) for stat in stats]
            rows.append(PerInstanceStats(instance.id or "", instance.perturbation, state.train_trial_index, named))
            for stat in named:
                merge_stat(totals, stat)
        return MetricResult(list(totals.values()), rows)

    def _draw_all(self, states: Sequence[RequestState]) -> list[tuple[RequestState, Any]]:
        """Return the states to ask about, each with what is to be shown; None if there is no image."""
        import numpy as np

        # HELM: numpy's generator of the process, which it seeds with 0 here.
        generator = np.random.RandomState(0)

        def choose(items: Sequence[Any]) -> Any:
            return items[int(generator.choice(len(items)))]

        chosen = [state for state in states if state.instance.perturbation] if self._use_perturbed else list(states)
        if len(chosen) > self._num_examples:
            chosen = [chosen[i] for i in generator.choice(len(chosen), self._num_examples, replace=False)]
        shown = [(state, get_shown_locations(state)) for state in chosen]
        return [(state, self.draw(state, images, choose) if images else None) for state, images in shown]

    def request(
        self,
        name: str,
        instructions: str,
        questions: list[CritiqueQuestionTemplate],
        fields: dict[str, str],
        metric_service: MetricService,
    ) -> CritiqueRequestResult:
        """Pose questions. Raises: MetricError if the service gives nothing."""
        template = CritiqueTaskTemplate(name, instructions, self._num_respondents, questions)
        result = metric_service.make_critique_request(CritiqueRequest(template, fields, self._critic))
        if result is None:
            raise MetricError(f"The critique service gave no result for '{name}'.")
        return result

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(self.described_stats)


def stat_name(name: str, result: CritiqueRequestResult) -> MetricName:
    """Return the name of a question's stat: that of the question, unless a model answered."""
    return MetricName(name.removesuffix(HUMAN) + _MODEL if result.is_by_model else name)


def address_of(location: str, metric_service: MetricService) -> str:
    """Return the address under which respondents see an image: where it was uploaded, or the file without a bucket.

    Raises: MetricError if the upload failed.
    """
    try:
        result = metric_service.upload(FileUploadRequest(location))
    except NoBucketError:
        return location
    if not result.success:
        raise MetricError(f"{location} could not be uploaded: {result.error}")
    return result.url
