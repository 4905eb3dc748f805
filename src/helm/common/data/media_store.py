"""Keeps images, sounds and videos of a data set as files, each content once, and checks files that a data set names."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import PurePosixPath

from helm.common.data import pictures, sounds
from helm.common.errors import HelmError
from helm.common.files import open_atomically
from helm.common.media_types import HEAD_SIZE, SUFFIXES, content_type_of, content_type_of_name

STORE = "media"
"""The folder of the kept files, below the folder of the data set."""

MAX_BYTES = 1 << 30
"""Larger files are refused."""

_MAX_NAME_BYTES = 255


class MediaError(HelmError):
    """A file is no image, sound or video, is too large, or has a name that would lie outside of its folder."""


def safe_path(folder: str, name: str) -> str:
    """Return the path of `name` below a folder. Raises: MediaError if the name is empty or leads elsewhere."""
    parts = name.split("/")
    if (
        any(part in ("", ".", "..") or len(os.fsencode(part)) > _MAX_NAME_BYTES for part in parts)
        or any(character in "\\\x7f" or ord(character) < 32 for character in name)
        or PurePosixPath(name).is_absolute()
        or os.path.splitdrive(name)[0]
    ):
        raise MediaError(f"'{name[:80]}' is not the name of a file below the scenario's folder.")
    return os.path.join(folder, *parts)


def checked_type(path: str) -> str:
    """Return the content type of a file by its first bytes. Raises: MediaError; OSError if it cannot be read."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        return _checked_type(file.read(HEAD_SIZE), size, path)


def _checked_type(head: bytes, size: int, what: str) -> str:
    if size == 0:
        raise MediaError(f"{what} is empty.")
    if size > MAX_BYTES:
        raise MediaError(f"{what} has {size:,} bytes, but at most {MAX_BYTES:,} are allowed.")
    content_type = content_type_of(head)
    if content_type is None:
        raise MediaError(
            f"{what} begins with {head[:12]!r}, which is no image, sound or video that is known: "
            f"{', '.join(sorted(SUFFIXES))}."
        )
    return content_type


class MediaStore:
    """The files of one data set: `media/<first digits>/<SHA-256>.<ending>` below its folder.

    Files are written under other names and then renamed, so a file that exists is complete, an interrupted run continues
    where it was, and several processes can write at the same time.
    """

    def __init__(self, folder: str):
        self._folder = folder

    def keep(
        self,
        content: bytes,
        name: str | Callable[["Content"], str] | None = None,
        rgb: bool = False,
        rate: int | None = None,
        segment: tuple[int, int] | None = None,
    ) -> str:
        """Keep one content; returns the path of its file.

        Args:
            content: the bytes of an encoded image, sound or video, which are kept as they are where that is possible.
            name: another path below the data set's folder for the same file, or a function that returns it. A picture or
                a sound is converted if the ending stands for another format; of a video, an ending of sounds keeps the sound.
            rgb: whether to convert pictures of other modes to RGB.
            rate: samples per second to which sounds are converted; None keeps the rate.
            segment: begin and end in milliseconds of the part of a sound to keep; None keeps everything.

        Raises: MediaError; PictureError or SoundError if it cannot be converted.
        """
        sha256 = hashlib.sha256(content).hexdigest()
        content_type = _checked_type(content[:HEAD_SIZE], len(content), "the content")
        shown = name(Content(content, sha256)) if callable(name) else name
        wanted = (content_type_of_name(shown) if shown else None) or content_type
        is_picture = content_type.startswith("image/")
        is_sound = wanted.startswith("audio/") and not is_picture
        if wanted != content_type and not is_sound and not (is_picture and wanted.startswith("image/")):
            raise MediaError(f"'{shown}' stands for {wanted}, but the content is {content_type}.")
        change = "-rgb" if rgb and is_picture else ""
        if is_sound:
            change = "".join(f"-{value}" for value in (rate, *(segment or ())) if value is not None)
        kept = os.path.join(self._folder, STORE, sha256[:2], f"{sha256}{change}{SUFFIXES[wanted]}")
        if not os.path.exists(kept):
            new: bytes | None = None
            if is_picture and (rgb or wanted != content_type):
                new = pictures.converted(content, wanted, rgb)
            elif is_sound and (rate or segment or wanted != content_type):
                new = sounds.converted(content, content_type, wanted, rate, segment)
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            with open_atomically(kept, binary=True) as file:
                file.write(content if new is None else new)
        if shown is None:
            return kept
        path = safe_path(self._folder, shown)
        if not (os.path.exists(path) and os.path.samefile(path, kept)):
            _link(kept, path)
        return path


class Content:
    """What a name may depend on: hashes, computed when they are needed."""

    def __init__(self, content: bytes, sha256: str):
        self._content = content
        self.sha256 = sha256

    def pixels_md5(self) -> str:
        """Return the MD5 of the decoded pixels of a picture. Raises: PictureError."""
        return pictures.md5_of_pixels(self._content)


def _link(kept: str, path: str) -> None:
    """Give a file a second name, or a copy where the file system has no hard links."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        os.link(kept, beside)
    except OSError:
        shutil.copyfile(kept, beside)
    os.replace(beside, path)
