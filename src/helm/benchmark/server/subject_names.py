"""Names of subjects for readers, from the registry of models."""

import os
from dataclasses import dataclass
from functools import cache

from helm.benchmark.config_registry import MODEL_METADATA_FILE
from helm.benchmark.model_metadata_registry import (
    AUDIO_LANGUAGE_MODEL_TAG,
    MODEL_NAME_TO_MODEL_METADATA,
    TEXT_TO_IMAGE_MODEL_TAG,
    VISION_LANGUAGE_MODEL_TAG,
    ModelMetadata,
)
from helm.common.formats.json_lines_yaml import read_json_lines_yaml

_MODALITIES = {VISION_LANGUAGE_MODEL_TAG: "images", AUDIO_LANGUAGE_MODEL_TAG: "audio", TEXT_TO_IMAGE_MODEL_TAG: "draws"}
"""What models with these tags take besides text, or do."""


@dataclass(frozen=True)
class SubjectName:
    """How a page shows a subject."""

    id: str
    """Its name in run entries."""

    title: str
    """Its name for readers; the id if it has no other."""

    creator: str = ""

    access: str = ""
    """`open`, `limited` or `closed`; empty if unknown."""

    released: str = ""
    """The date of release, as `2026-01-31`; empty if unknown."""

    description: str = ""

    num_parameters: int | None = None
    """None if unknown."""

    reads: tuple[str, ...] = ()
    """What it takes besides text: `images`, `audio`; and `draws` if it makes images."""

    def has(self, text: str) -> bool:
        """Return whether any of the names contains a text, in any case."""
        return any(text.casefold() in name.casefold() for name in (self.id, self.title, self.creator))


def name_subject(subject: str) -> SubjectName:
    """Return the names of a subject, as registered, or as in the package's own list."""
    found = MODEL_NAME_TO_MODEL_METADATA.get(subject) or _own_list().get(subject)
    if found is None:
        return SubjectName(subject, subject)
    released = "" if found.release_date is None else found.release_date.isoformat()
    return SubjectName(
        subject,
        found.display_name,
        found.creator_organization_name,
        found.access,
        released,
        found.description,
        found.num_parameters,
        tuple(word for tag, word in _MODALITIES.items() if tag in found.tags),
    )


@cache
def _own_list() -> dict[str, ModelMetadata]:
    """Read the package's list without registering it: pages are also made where models are run."""
    import helm.config

    path = os.path.join(helm.config.__path__[0], MODEL_METADATA_FILE)
    return {model.name: model for model in read_json_lines_yaml(path, "models", ModelMetadata) or ()}
