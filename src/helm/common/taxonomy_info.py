from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class TaxonomyInfo:
    """Where a scenario stands in the taxonomy of scenarios; None means unknown."""

    task: Optional[str] = None
    """What is to be done, for example "question answering"."""

    what: Optional[str] = None
    """The domain or genre of the texts."""

    when: Optional[str] = None
    """The time the texts are from."""

    who: Optional[str] = None
    """The authors of the texts."""

    language: Optional[str] = None
