"""A call of a moderation service, which decides whether a text violates its usage policies, and which."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModerationAPIRequest:
    text: str

    use_latest_model: bool = False
    """Whether to use the newest model instead of the newest stable one."""


@dataclass(frozen=True)
class ModerationCategoryFlaggedResults:
    """The verdicts by category."""

    hate_flagged: bool
    hate_threatening_flagged: bool
    self_harm_flagged: bool
    sexual_flagged: bool
    sexual_minors_flagged: bool
    violence_flagged: bool
    violence_graphic_flagged: bool


@dataclass(frozen=True)
class ModerationCategoryScores:
    """The scores by category, from 0 to 1."""

    hate_score: float
    hate_threatening_score: float
    self_harm_score: float
    sexual_score: float
    sexual_minors_score: float
    violence_score: float
    violence_graphic_score: float


@dataclass(frozen=True)
class ModerationAPIRequestResult:
    success: bool

    cached: bool

    flagged: bool | None
    """Whether any category is flagged; None if the request failed, like the next two fields."""

    flagged_results: ModerationCategoryFlaggedResults | None

    scores: ModerationCategoryScores | None

    error: str | None = None
    """Why it failed, when `success` is false."""
