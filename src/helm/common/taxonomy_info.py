from dataclasses import dataclass


@dataclass(frozen=True)
class TaxonomyInfo:
    """A scenario's place in the taxonomy of scenarios; None means unknown."""

    task: str | None = None
    """The task, for example "question answering"."""

    what: str | None = None
    """The domain or genre of the texts."""

    when: str | None = None
    """The time the texts are from."""

    who: str | None = None
    """The authors of the texts."""

    language: str | None = None
