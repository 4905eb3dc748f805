"""Questions about outputs put to people, or to a model in their place."""

from dataclasses import dataclass
from enum import StrEnum

from helm.common.media_object import MediaObject


class QuestionType(StrEnum):
    """How a question is answered; equal to, and written as, its plain text."""

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
    """May hold `{{field}}` placeholders, as may the options."""

    options: list[str]
    """What can be chosen; empty for `free_response`."""

    media_object: MediaObject | None = None
    """An image or the like that the question is about."""


@dataclass(frozen=True)
class CritiqueTaskTemplate:
    """A form with questions, to be filled in by several respondents."""

    name: str

    instructions: str
    """May hold `{{field}}` placeholders."""

    num_respondents: int

    questions: list[CritiqueQuestionTemplate]

    max_tokens: int | None = None
    """Longest answer of a model that stands in for people, in tokens."""


@dataclass(frozen=True)
class CritiqueRequest:
    template: CritiqueTaskTemplate

    fields: dict[str, str]
    """What replaces the placeholders."""


@dataclass(frozen=True)
class CritiqueResponse:
    """What one respondent answered."""

    id: str

    respondent_id: str

    answers: dict[str, str | list[str]]
    """Name of the question -> chosen option or text; a list for `checkbox`."""


@dataclass(frozen=True)
class CritiqueRequestResult:
    responses: list[CritiqueResponse]
    """Fewer than `num_respondents` while some have not answered yet."""
