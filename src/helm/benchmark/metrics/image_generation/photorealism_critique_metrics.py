"""Whether people take generated images, and the real ones beside them, for photographs."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.image_generation.image_critique import ImageCritique, address_of, stat_name
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.critique_request import CritiqueQuestionTemplate, QuestionType
from helm.common.errors import MetricError


class PhotorealismCritiqueMetric(ImageCritique):
    """Emits `photorealism_generated_human` and `photorealism_real_human`, 1 (looks made) to 5 (looks real).

    One image and one reference of each state are shown, each alone. The wording is HELM's.

    Args:
        num_examples: how many states are asked about.
        num_respondents: how many answers each question gets.
        use_perturbed: ask about perturbed prompts only.
    """

    PHOTOREALISM_NAME = "photorealism_human"
    PHOTOREALISM_ANSWER_TO_SCORE = {
        "AI-generated photo": 1,
        "Probably an AI-generated photo, but photorealistic": 2,
        "Neutral": 3,
        "Probably a real photo, but with irregular textures and shapes": 4,
        "Real photo": 5,
    }

    described_stats = ("photorealism_generated_human", "photorealism_real_human")

    _INSTRUCTIONS = '<p>Determine if the following image is AI-generated or real.</p><br><img src="{{image}}"><br>'

    def __init__(self, num_examples: int, num_respondents: int, use_perturbed: bool = False, critic: str | None = None):
        super().__init__(num_examples, num_respondents, use_perturbed, critic)
        text = "Does the image look like an AI-generated photo or a real photo?"
        options = list(self.PHOTOREALISM_ANSWER_TO_SCORE)
        self._question = CritiqueQuestionTemplate(self.PHOTOREALISM_NAME, QuestionType.MULTIPLE_CHOICE, text, options)

    def draw(self, request_state: RequestState, images: list[str], choose: Any) -> tuple[str, str]:
        """Return an image and a reference. Raises: MetricError without a reference that is a picture."""
        image = choose(images)
        references = request_state.instance.references
        content = choose(references).output.multimedia_content if references else None
        if not content or not content.media_objects or not content.media_objects[0].location:
            raise MetricError(f"Instance {request_state.instance.id}: photorealism needs a picture as a reference.")
        return image, content.media_objects[0].location

    def ask(self, request_state: RequestState, drawn: tuple[str, str], metric_service: MetricService) -> list[Stat]:
        stats = []
        for name, location in zip(self.described_stats, drawn, strict=True):
            fields = {"image": address_of(location, metric_service)}
            result = self.request("heim_photorealism", self._INSTRUCTIONS, [self._question], fields, metric_service)
            stat = Stat(stat_name(name, result))
            for response in result.responses:
                answer = response.answers.get(self.PHOTOREALISM_NAME)
                stat.add(self.PHOTOREALISM_ANSWER_TO_SCORE.get(answer) if isinstance(answer, str) else None)
            stats.append(stat)
        return stats
