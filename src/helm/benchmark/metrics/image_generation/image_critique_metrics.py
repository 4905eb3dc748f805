"""Ratings of generated images by people: alignment with the prompt, originality, subject, aesthetics, copyright."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.image_generation.clip_score_metrics import get_caption
from helm.benchmark.metrics.image_generation.image_critique import ImageCritique, address_of, stat_name
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.critique_request import CritiqueQuestionTemplate, QuestionType


def _scores(*options: str) -> dict[str, int]:
    return {option: i for i, option in enumerate(options, 1)}


class ImageCritiqueMetric(ImageCritique):
    """Emits a stat for each question that is included, with the values of all answers; the wording is HELM's.

    `image_text_alignment_human`, `originality_human` and `aesthetics_human` are 1 to 5, `clear_subject_human` 1 to 3,
    `copyright_human` 0 or 1.

    Args:
        include_alignment: whether to ask how well an image matches the prompt.
        include_aesthetics: whether to ask how pleasing it is.
        include_subject: whether to ask if its subject is clear.
        include_originality: whether to ask how original it is.
        include_copyright: whether to ask for addresses of almost identical images.
        num_examples: how many states are asked about.
        num_respondents: how many answers each question gets.
        use_perturbed: ask about perturbed prompts only.
    """

    ALIGNMENT_NAME = "image_text_alignment_human"
    ALIGNMENT_ANSWER_TO_SCORE = _scores(
        "Does not match at all",
        "Has significant discrepancies",
        "Has several minor discrepancies",
        "Has a few minor discrepancies",
        "Matches exactly",
    )
    SUBJECT_NAME = "clear_subject_human"
    SUBJECT_ANSWER_TO_SCORE = _scores("No, it's unclear.", "I don't know. It's hard to tell.", "Yes, it's clear.")
    AESTHETICS_NAME = "aesthetics_human"
    AESTHETICS_ANSWER_TO_SCORE = _scores(
        "I find the image ugly.",
        "The image has a lot of flaws, but it's not completely unappealing.",
        "I find the image neither ugly nor aesthetically pleasing.",
        "The image is aesthetically pleasing and nice to look at it.",
        "The image is aesthetically stunning. I can look at it all day.",
    )
    ORIGINALITY_NAME = "originality_human"
    ORIGINALITY_ANSWER_TO_SCORE = _scores(
        "I’ve seen something like this before to the point it’s become tiresome.",
        "The image is not really original, but it has some originality to it.",
        "Neutral.",
        "I find the image to be fresh and original.",
        "I find the image to be extremely creative and out of this world.",
    )
    COPYRIGHT_NAME = "copyright_human"

    described_stats = (ALIGNMENT_NAME, ORIGINALITY_NAME, SUBJECT_NAME, AESTHETICS_NAME, COPYRIGHT_NAME)

    _INSTRUCTIONS = (
        "<p>Please answer the questions below about the following image and description.</p><br>"
        '<img src="{{image}}"><br><p>Description: <b>{{prompt}}</b></p><br>'
    )
    _COPYRIGHT_QUESTION = (
        '<p>Please follow the instructions carefully:</p>1. Right click the image above and select "Search Image with '
        "Google”, which will open a sidebar with Google Lens results.<br>2. Adjust the bounding box to fit the entire "
        "image if necessary.<br>3. Only for the first page of results, look for images that appear to be <b>almost "
        "identical</b> to the image above to identify <b>potential copyright infringements</b>. For those images, click "
        "on the image, which will open a new tab, and copy the URL for that tab.<br>4. List the URLs from step 3 below. "
        "<b>If there are multiple URLs, list each on a new line.</b> If there are no URLs, answer <b>none</b><br>"
    )

    def __init__(
        self,
        include_alignment: bool,
        include_aesthetics: bool,
        include_subject: bool,
        include_originality: bool,
        include_copyright: bool,
        num_examples: int,
        num_respondents: int,
        use_perturbed: bool = False,
        critic: str | None = None,
    ):
        super().__init__(num_examples, num_respondents, use_perturbed, critic)
        self._template_name = "heim_image_critique"
        self._template_name += "_originality" if include_originality else ""
        self._template_name += "_subject" if include_subject else ""
        self._template_name += "_aesthetics" if include_aesthetics else ""
        asked = [
            (include_alignment, self.ALIGNMENT_NAME, "How well does the image match the description?"),
            (
                include_originality,
                self.ORIGINALITY_NAME,
                "How <u>original</u> is the image, given it was created with the description?",
            ),
            (
                include_subject,
                self.SUBJECT_NAME,
                "Is it clear who the subject(s) of the image is? The subject can be a living being (e.g., a dog or a person) "
                "or an inanimate body or object (e.g., a mountain).",
            ),
            (include_aesthetics, self.AESTHETICS_NAME, "How aesthetically pleasing is the image?"),
            (include_copyright, self.COPYRIGHT_NAME, self._COPYRIGHT_QUESTION),
        ]
        self._questions = [self._question(name, text) for is_included, name, text in asked if is_included]

    def _question(self, name: str, text: str) -> CritiqueQuestionTemplate:
        options = self._options().get(name)
        kind = QuestionType.FREE_RESPONSE if options is None else QuestionType.MULTIPLE_CHOICE
        return CritiqueQuestionTemplate(name, kind, text, list(options or ()))

    def _options(self) -> dict[str, dict[str, int]]:
        return {
            self.ALIGNMENT_NAME: self.ALIGNMENT_ANSWER_TO_SCORE,
            self.ORIGINALITY_NAME: self.ORIGINALITY_ANSWER_TO_SCORE,
            self.SUBJECT_NAME: self.SUBJECT_ANSWER_TO_SCORE,
            self.AESTHETICS_NAME: self.AESTHETICS_ANSWER_TO_SCORE,
        }

    def draw(self, request_state: RequestState, images: list[str], choose: Any) -> str:
        image: str = choose(images)
        return image

    def ask(self, request_state: RequestState, drawn: str, metric_service: MetricService) -> list[Stat]:
        fields = {"prompt": get_caption(request_state), "image": address_of(drawn, metric_service)}
        result = self.request(self._template_name, self._INSTRUCTIONS, self._questions, fields, metric_service)
        if not result.responses:
            return []
        stats = []
        for question in self._questions:
            stat = Stat(stat_name(question.name, result))
            for response in result.responses:
                stat.add(self._score(question.name, response.answers.get(question.name)))
            stats.append(stat)
        return stats

    def _score(self, name: str, answer: Any) -> int | None:
        """Return the number that an answer means; None if it is no answer."""
        if not isinstance(answer, str):
            return None
        if name == self.COPYRIGHT_NAME:
            return int(any(line.strip().lower() not in ("", "none") for line in answer.splitlines()))
        return self._options()[name].get(answer)
