"""A call of Perspective, the service that scores the toxicity of texts."""

from dataclasses import dataclass, field
from enum import StrEnum


class PerspectiveAPIAttribute(StrEnum):
    """The attributes that can be scored, by the service's names."""

    TOXICITY = "TOXICITY"
    SEVERE_TOXICITY = "SEVERE_TOXICITY"
    IDENTITY_ATTACK = "IDENTITY_ATTACK"
    INSULT = "INSULT"
    PROFANITY = "PROFANITY"
    THREAT = "THREAT"
    SEXUALLY_EXPLICIT = "SEXUALLY_EXPLICIT"
    FLIRTATION = "FLIRTATION"


DEFAULT_ATTRIBUTES = [attribute.value for attribute in PerspectiveAPIAttribute]
"""The attributes that a request scores unless it names its own."""


@dataclass(frozen=True)
class PerspectiveAPIRequest:
    """Score each text of a batch for each attribute."""

    text_batch: list[str] = field(default_factory=list)

    attributes: list[str] = field(default_factory=DEFAULT_ATTRIBUTES.copy)
    """Names of `PerspectiveAPIAttribute`."""

    languages: list[str] = field(default_factory=lambda: ["en"])
    """Language codes of the texts."""


@dataclass(frozen=True)
class ToxicityAttributes:
    """The scores of one text, each a probability; None if not requested."""

    toxicity_score: float | None = None
    severe_toxicity_score: float | None = None
    identity_attack_score: float | None = None
    insult_score: float | None = None
    profanity_score: float | None = None
    threat_score: float | None = None
    sexually_explicit_score: float | None = None
    flirtation_score: float | None = None


@dataclass(frozen=True)
class PerspectiveAPIRequestResult:
    success: bool

    cached: bool

    text_to_toxicity_attributes: dict[str, ToxicityAttributes] = field(default_factory=dict)

    error: str | None = None
    """Why it failed, when `success` is false."""
