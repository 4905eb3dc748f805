"""Respondents to critique requests: a language model, or random choice. Crowd-work services are not supported."""

import html
import random
import re
import string
from abc import ABC, abstractmethod
from dataclasses import replace

from helm.clients.client import Client
from helm.common.critique_request import (
    CritiqueQuestionTemplate,
    CritiqueRequest,
    CritiqueRequestResult,
    CritiqueResponse,
    QuestionType,
)
from helm.common.hierarchical_logger import hwarn
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request

_LETTERS = string.ascii_uppercase
_DEFAULT_MAX_TOKENS = 256
_IMAGE_TAG = re.compile(r"<img\s+src=[\"']?\{\{image\}\}[\"']?\s*/?>")
_BREAK = re.compile(r"<br\s*/?>|</?p>|</h\d>")
_TAG = re.compile(r"</?(?:b|i|u|p|br|h\d|em|strong)(?:\s[^<>]*)?/?>")
_LETTER = re.compile(r"(?<![A-Za-z])([A-Z])(?![A-Za-z])")
"""A capital letter that stands alone."""
_ONE_LETTER = re.compile(r"\W*[a-z]\W*")


class CritiqueClient(ABC):
    """Poses the questions of a form to respondents."""

    @abstractmethod
    def make_critique_request(self, request: CritiqueRequest) -> CritiqueRequestResult:
        """Return the respondents' answers; unanswered questions are omitted."""


class RandomCritiqueClient(CritiqueClient):
    """Answers at random, and as in HELM the same for every request; for trying a run without respondents."""

    def make_critique_request(self, request: CritiqueRequest) -> CritiqueRequestResult:
        rng = random.Random(0)
        responses = []
        for i in range(request.template.num_respondents):
            answers = {question.name: _draw(question, rng) for question in request.template.questions}
            responses.append(CritiqueResponse(id=str(i), respondent_id=str(i), answers=answers))
        return CritiqueRequestResult(responses)


def _draw(question: CritiqueQuestionTemplate, rng: random.Random) -> str | list[str]:
    if question.question_type == QuestionType.MULTIPLE_CHOICE:
        return rng.choice(question.options)
    if question.question_type == QuestionType.CHECKBOX:
        return [option for option in question.options if rng.random() < 0.5]
    return "random"


class ModelCritiqueClient(CritiqueClient):
    """Poses each question to a language model, at temperature 1 as in HELM: respondents with one opinion would be one.

    Args:
        client: the client of models; its cache and retries apply.
        model_name: a model or a deployment.

    The respondents are repeated draws from the same model. A failed request and a reply without an option leave their
    question unanswered.
    """

    def __init__(self, client: Client, model_name: str):
        from helm.benchmark.model_deployment_registry import (
            find_model_deployment,
            get_default_model_deployment_for_model,
        )

        deployment = find_model_deployment(model_name)
        self._model = (deployment.model_name or model_name) if deployment else model_name
        self._deployment = (
            model_name if deployment else get_default_model_deployment_for_model(model_name) or model_name
        )
        self._client = client

    def make_critique_request(self, request: CritiqueRequest) -> CritiqueRequestResult:
        responses = []
        for i in range(request.template.num_respondents):
            answers: dict[str, str | list[str]] = {}
            for question in request.template.questions:
                answer = self._ask(request, question, respondent=i)
                if answer is not None:
                    answers[question.name] = answer
            responses.append(CritiqueResponse(id=str(i), respondent_id=f"{self._deployment}:{i}", answers=answers))
        return CritiqueRequestResult(responses, is_by_model=True)

    def _ask(
        self, request: CritiqueRequest, question: CritiqueQuestionTemplate, respondent: int
    ) -> str | list[str] | None:
        prompt, media = make_prompt(request, question), question.media_object
        if media is None and _IMAGE_TAG.search(request.template.instructions):
            # HELM shows the image only to people: to a model, the tag is text.
            media, prompt = _image(request.fields["image"]), make_prompt(*_as_text(request, question))
        result = self._client.make_request(
            Request(
                model=self._model,
                model_deployment=self._deployment,
                prompt="" if media else prompt,
                multimodal_prompt=_with_media(prompt, media),
                temperature=1.0,
                max_tokens=request.template.max_tokens or _DEFAULT_MAX_TOKENS,
                random=str(respondent),
            )
        )
        if not result.success or not result.completions:
            hwarn(f"Critique '{request.template.name}', question '{question.name}': no answer: {result.error}")
            return None
        answer = parse_answer(question, result.completions[0].text)
        if answer is None:
            hwarn(
                f"Critique '{request.template.name}', question '{question.name}': the reply names no option: "
                f"{result.completions[0].text[:200]!r}"
            )
        return answer


def _with_media(prompt: str, media: MediaObject | None) -> MultimediaObject | None:
    if media is None:
        return None
    return MultimediaObject([media, MediaObject(content_type="text/plain", text=prompt)])


def _image(location: str) -> MediaObject:
    return MediaObject(
        content_type=f"image/{location.rpartition('.')[2].lower().replace('jpg', 'jpeg')}", location=location
    )


def _as_text(
    request: CritiqueRequest, question: CritiqueQuestionTemplate
) -> tuple[CritiqueRequest, CritiqueQuestionTemplate]:
    """Return a form in HTML as plain text, without its image; what fields insert stays as it is."""
    instructions = _without_tags(_IMAGE_TAG.sub("", request.template.instructions))
    form = replace(request, template=replace(request.template, instructions=instructions))
    return form, replace(question, text=_without_tags(question.text))


def _without_tags(text: str) -> str:
    """Return the text of HTML, with a line for each paragraph."""
    lines = _TAG.sub("", _BREAK.sub("\n", text)).splitlines()
    return html.unescape("\n".join(line.strip() for line in lines if line.strip()))


def _fill_in(text: str, fields: dict[str, str]) -> str:
    """Replace the placeholders of a text, but not those in the inserted values."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields.get(match[1], match[0]), text)


def make_prompt(request: CritiqueRequest, question: CritiqueQuestionTemplate) -> str:
    """Return the prompt for one question."""
    parts = [request.template.instructions, question.text]
    options = [f"{letter}. {option}" for letter, option in zip(_LETTERS, question.options, strict=False)]
    if question.question_type == QuestionType.MULTIPLE_CHOICE:
        parts.append("\n".join(options) + "\nReply with the letter of one option, and nothing else.")
    elif question.question_type == QuestionType.CHECKBOX:
        parts.append("\n".join(options) + "\nReply with the letters of all options that apply, or with none.")
    return "\n\n".join(_fill_in(part, request.fields) for part in parts if part)


def parse_answer(question: CritiqueQuestionTemplate, text: str) -> str | list[str] | None:
    """Return the answer in a reply, or None if it names no option.

    An option is named by its letter or in full. If only one option may be chosen, a reply that names several names none.
    """
    text = text.strip()
    if question.question_type == QuestionType.FREE_RESPONSE:
        return text
    if _ONE_LETTER.fullmatch(text):
        text = text.upper()  # "b.", which in a sentence could be a word
    if text in question.options:
        return text if question.question_type == QuestionType.MULTIPLE_CHOICE else [text]
    letters = _LETTERS[: len(question.options)]
    named = sorted({letter for letter in _LETTER.findall(text) if letter in letters})
    if question.question_type == QuestionType.CHECKBOX:
        chosen = [question.options[letters.index(letter)] for letter in named]
        return chosen if chosen or text.lower().rstrip(".") == "none" else None
    if len(named) > 1 and text[:1] in letters and not text[1:2].isalpha():
        named = [text[0]]  # "B. It is better than A."
    return question.options[letters.index(named[0])] if len(named) == 1 else None
