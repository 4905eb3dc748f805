"""Questions about outputs, for people or for a model in their place."""

from dataclasses import dataclass
from enum import StrEnum

from helm.common.media_object import MediaObject


class QuestionType(StrEnum):
    """How a question is answered. Members equal, and are written as, their text."""

    MULTIPLE_CHOICE = "multiple_choice"
    CHECKBOX = "checkbox"
    FREE_RESPONSE = "free_response"


@dataclass(frozen=True)
class CritiqueQuestionTemplate:
    name: str
    """The key of its answer."""

    question_type: str
    """`multiple_choice` (one option), `checkbox` (any number of them) or `free_response` (text)."""

    text: str
    """The question, which may contain `{{field}}` placeholders, like the options."""

    options: list[str]
    """The possible answers; empty for `free_response`."""

    media_object: MediaObject | None = None
    """An image or the like that the question is about."""


@dataclass(frozen=True)
class CritiqueTaskTemplate:
    """A form with questions, to be filled in by several respondents."""

    name: str

    instructions: str
    """The instructions, which may contain `{{field}}` placeholders."""

    num_respondents: int

    questions: list[CritiqueQuestionTemplate]

    max_tokens: int | None = None
    """The longest answer of a model that answers in place of people, in tokens."""


@dataclass(frozen=True)
class CritiqueRequest:
    template: CritiqueTaskTemplate

    fields: dict[str, str]
    """The values of the placeholders."""

    model: str | None = None
    """The deployment that answers, whatever the credential `critiqueType` says; None leaves it to that."""


@dataclass(frozen=True)
class CritiqueResponse:
    """The answers of one respondent."""

    id: str

    respondent_id: str

    answers: dict[str, str | list[str]]
    """The chosen option or text by the name of the question; a list for `checkbox`."""


@dataclass(frozen=True)
class CritiqueRequestResult:
    responses: list[CritiqueResponse]
    """The responses so far; fewer than `num_respondents` while some have not answered yet."""

    is_by_model: bool = False
    """Whether a model answered in place of people."""
