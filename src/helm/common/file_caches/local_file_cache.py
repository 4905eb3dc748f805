"""A store of files in a local folder."""

import os
from collections.abc import Callable
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, Any

from helm.common.file_caches.file_cache import FileCache
from helm.common.files import open_atomically
from helm.common.general import generate_unique_id

if TYPE_CHECKING:
    from PIL.Image import Image


class LocalFileCache(FileCache):
    """Stores files in one folder. A file appears under its name only when it is complete, whatever interrupts the writing.

    Args:
        base_path: the folder, which is made.
        file_extension: what the names of `store` end with.
    """

    def __init__(self, base_path: str, file_extension: str):
        os.makedirs(base_path, exist_ok=True)
        self._location = base_path
        self._file_extension = file_extension

    @property
    def base_path(self) -> str:
        """The folder."""
        return self._location

    def generate_unique_new_file_path(self) -> str:
        """Return a path at which there is no file."""
        while True:
            path = os.path.join(self._location, f"{generate_unique_id()}.{self._file_extension}")
            if not os.path.exists(path):
                return path

    def store(self, compute: Callable[[], Any]) -> str:
        """Store the text or bytes that `compute` returns under a new name, and return the path.

        Equal contents are stored each time. If `compute` raises an exception, there is no file.
        """
        content = compute()
        data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
        path = self.generate_unique_new_file_path()
        self._write(path, data)
        return path

    def keep(self, data: bytes, key: str | None, extension: str | None = None) -> str:
        """Store one part of an answer, and return the path, which is always the same for the same key and content.

        So an answer that is read again after its process was killed takes no second file, two processes may store it at the
        same time, and no file ever gets another content.

        Args:
            data: the content.
            key: what the content answers; None stores it under a new name each time.
            extension: what the name ends with, without the dot; None means that of the store.
        """
        if key is None:
            path = os.path.splitext(self.generate_unique_new_file_path())[0]
        else:
            digest = blake2b(data, digest_size=16, key=blake2b(key.encode()).digest()[:64])
            path = os.path.join(self._location, digest.hexdigest())
        path = f"{path}.{extension or self._file_extension}"
        if key is None or not os.path.exists(path):
            self._write(path, data)
        return path

    def find(self, path: str) -> str | None:
        """Return the path of a stored file: as it was, or in this folder, should that have been moved. None if it is gone."""
        moved = os.path.join(self._location, os.path.basename(path))
        return next((place for place in (path, moved) if os.path.isfile(place)), None)

    def get_size(self, location: str) -> tuple[int, int]:
        """Return width and height of a picture. Raises OptionalDependencyNotInstalled without Pillow."""
        from helm.common.images_utils import get_dimensions

        return get_dimensions(location)

    def _write(self, path: str, data: bytes) -> None:
        os.makedirs(self._location, exist_ok=True)  # someone may have removed it meanwhile
        with open_atomically(path, binary=True) as file:
            file.write(data)


class LocalPILFileCache(LocalFileCache):
    """Stores Pillow's images as PNG."""

    def __init__(self, base_path: str):
        super().__init__(base_path, "png")

    def store_image(self, compute: "Callable[[], Image]") -> str:
        """Store the image that `compute` returns, and return its path."""

        def encode() -> bytes:
            data = BytesIO()
            compute().save(data, format="PNG")
            return data.getvalue()

        return self.store(encode)

    def load_image(self, file_path: str) -> "Image":
        """Return a stored image in RGB. Raises: OSError; OptionalDependencyNotInstalled without Pillow."""
        from helm.common.images_utils import open_image

        return open_image(file_path)
