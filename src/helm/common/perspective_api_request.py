"""A call to Perspective, the service that scores how toxic texts are."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Dict, List, Optional


class PerspectiveAPIAttribute(StrEnum):
    """What can be scored, by the service's names."""

    TOXICITY = "TOXICITY"
    SEVERE_TOXICITY = "SEVERE_TOXICITY"
    IDENTITY_ATTACK = "IDENTITY_ATTACK"
    INSULT = "INSULT"
    PROFANITY = "PROFANITY"
    THREAT = "THREAT"
    SEXUALLY_EXPLICIT = "SEXUALLY_EXPLICIT"
    FLIRTATION = "FLIRTATION"


@dataclass(frozen=True)
class PerspectiveAPIRequest:
    """Score each text of a batch for each attribute."""

    text_batch: List[str] = field(default_factory=list)

    attributes: List[str] = field(default_factory=lambda: [attribute.value for attribute in PerspectiveAPIAttribute])
    """Names of `PerspectiveAPIAttribute`."""

    languages: List[str] = field(default_factory=lambda: ["en"])
    """Language codes of the texts."""


@dataclass(frozen=True)
class ToxicityAttributes:
    """The scores of one text, each a probability; None: not asked for."""

    toxicity_score: Optional[float] = None
    severe_toxicity_score: Optional[float] = None
    identity_attack_score: Optional[float] = None
    insult_score: Optional[float] = None
    profanity_score: Optional[float] = None
    threat_score: Optional[float] = None
    sexually_explicit_score: Optional[float] = None
    flirtation_score: Optional[float] = None


@dataclass(frozen=True)
class PerspectiveAPIRequestResult:
    success: bool

    cached: bool

    text_to_toxicity_attributes: Dict[str, ToxicityAttributes] = field(default_factory=dict)

    error: Optional[str] = None
    """Why it failed, when `success` is false."""
