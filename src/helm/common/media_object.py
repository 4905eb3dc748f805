"""Prompts and answers with images, audio or video in addition to text."""

import os
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlparse

IMAGE_TYPE = "image"
AUDIO_TYPE = "audio"
VIDEO_TYPE = "video"
TEXT_TYPE = "text"


@dataclass(frozen=True)
class MediaObject:
    """One piece of content: a text, or a file or URL of another media type."""

    content_type: str
    """MIME type such as `image/png`; `text/...` objects carry `text`, all others `location`."""

    text: str | None = None

    location: str | None = None
    """An existing local path, or an http(s) URL."""

    def __post_init__(self) -> None:
        assert self.content_type.count("/") == 1, f"Invalid MIME type: {self.content_type}"
        if self.is_type(TEXT_TYPE):
            assert self.text is not None and self.location is None, "A text object has a text and no location"
        else:
            assert self.location is not None and self.text is None, f"A {self.type} object has a location and no text"
            if self.is_local_file:
                assert os.path.exists(self.location), f"Local file does not exist at path: {self.location}"

    @property
    def type(self) -> str:
        return self.content_type.split("/")[0]

    @property
    def subtype(self) -> str:
        return self.content_type.split("/")[1]

    @property
    def is_local_file(self) -> bool:
        return self.location is not None and urlparse(self.location).scheme not in ("http", "https")

    def is_type(self, media_type: str) -> bool:
        return self.type == media_type

    def to_dict(self) -> dict[str, Any]:
        fields = {"content_type": self.content_type, "text": self.text, "location": self.location}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class MultimediaObject:
    """A sequence of media objects."""

    media_objects: list[MediaObject] = field(default_factory=list)

    def _with_text(self, position: int, text: str, prepend: bool) -> "MultimediaObject":
        objects = list(self.media_objects)
        if not text:
            return MultimediaObject(objects)
        current = objects[position]
        if current.is_type(TEXT_TYPE) and current.text:
            objects[position] = replace(current, text=text + current.text if prepend else current.text + text)
        else:
            objects.insert(0 if prepend else len(objects), MediaObject(content_type="text/plain", text=text))
        return MultimediaObject(objects)

    def add_textual_prefix(self, prefix: str) -> "MultimediaObject":
        """Prepend text to the first object if it is a text, else as a new object. Raises IndexError if there is none."""
        return self._with_text(0, prefix, prepend=True)

    def add_textual_suffix(self, suffix: str) -> "MultimediaObject":
        """Append text to the last object if it is a text, else as a new object. Raises IndexError if there is none."""
        return self._with_text(-1, suffix, prepend=False)

    def combine(self, other: "MultimediaObject") -> "MultimediaObject":
        return MultimediaObject(self.media_objects + other.media_objects)

    @property
    def size(self) -> int:
        return len(self.media_objects)

    @property
    def text(self) -> str:
        return "".join(item.text or "" for item in self.media_objects if item.is_type(TEXT_TYPE))
