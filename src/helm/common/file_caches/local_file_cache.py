"""A store of files in a local folder."""

import os
import tempfile
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from helm.common.file_caches.file_cache import FileCache
from helm.common.general import generate_unique_id

if TYPE_CHECKING:
    from PIL.Image import Image


class LocalFileCache(FileCache):
    """Stores each text or bytes value under a new name with the given extension."""

    def __init__(self, base_path: str, file_extension: str):
        os.makedirs(base_path, exist_ok=True)
        self.base_path = base_path
        self._extension = file_extension

    def generate_unique_new_file_path(self) -> str:
        return os.path.join(self.base_path, f"{generate_unique_id()}.{self._extension}")

    def store(self, compute: Callable[[], Any]) -> str:
        path = self.generate_unique_new_file_path()
        content = compute()
        data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
        handle, temporary = tempfile.mkstemp(dir=self.base_path, suffix=".tmp")
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        return path

    def get_size(self, location: str) -> tuple[int, int]:
        """Return width and height. Raises OptionalDependencyNotInstalled without Pillow."""
        from helm.common.optional_dependencies import needs_extra

        with needs_extra("images"):
            from PIL import Image
        with Image.open(location) as image:
            return image.size


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
        from helm.common.optional_dependencies import needs_extra

        with needs_extra("images"):
            from PIL import Image
        with Image.open(file_path) as image:
            return image.convert("RGB")
