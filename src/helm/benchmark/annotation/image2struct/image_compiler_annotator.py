"""The base of the annotators that turn completions into pictures."""

import hashlib
import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator, UnjudgedError
from helm.benchmark.scenarios.scenario import ASSET_NAME_TAG, ASSET_PATH_TAG, Instance
from helm.common.cache import Cache, CacheConfig
from helm.common.files import open_atomically
from helm.common.rendering.contract import CompilationError, RenderingError
from helm.common.request import RequestResult

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Asset", "CompilationError", "ImageCompilerAnnotator", "assets_of"]


@dataclass(frozen=True)
class Asset:
    """A file that completions may use."""

    name: str
    """The path by which they name it."""

    content: bytes


class ImageCompilerAnnotator(Annotator):
    """Compiles each completion. Its annotation has an item for each one: `media_object` and what else is known, or `error`.

    Pictures are kept below `file_storage_path` under the hash of their content. What does not compile is cached, too; if a
    program cannot be run to its end, the request counts as unjudged, since that says nothing about the completion.

    Args:
        cache_config: where renderings are cached.
        file_storage_path: the folder of the pictures.
    """

    def __init__(self, cache_config: CacheConfig, file_storage_path: str):
        self._cache = Cache(cache_config)
        self._folder = file_storage_path
        self.check_programs()

    def check_programs(self) -> None:  # noqa: B027 - there is nothing to check where no program is needed
        """Raise an error now, rather than after all requests are sent, if a program is not installed."""

    @abstractmethod
    def compile_completion_into_image(
        self, request_state: RequestState, completion_text: str
    ) -> "tuple[Image, dict[str, Any]]":
        """Return the picture of a completion, and plain JSON data about it for the annotation.

        Raises: CompilationError; RenderingError and others that say nothing about the completion.
        """

    def postprocess_infos(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Return what the annotation says beside the picture. `infos` may come from the cache."""
        return infos

    def annotate(self, request_state: RequestState) -> list[dict[str, Any]]:
        """Return an item for each completion. Raises: UnjudgedError if a program could not be run to its end."""
        assert isinstance(request_state.result, RequestResult)
        texts = [completion.text.strip() for completion in request_state.result.completions]
        return [self._annotate(request_state, text) for text in texts]

    def _annotate(self, request_state: RequestState, text: str) -> dict[str, Any]:
        key: dict[str, Any] = {"completion": text}
        assets = assets_of(request_state.instance)
        if assets:
            key["assets"] = [[asset.name, hashlib.sha256(asset.content).hexdigest()] for asset in assets]

        def compile_code() -> dict[str, Any]:
            try:
                picture, infos = self.compile_completion_into_image(request_state, text)
            except CompilationError as e:
                return {"error": str(e).replace("\n", "")}
            return {"file": self._store(picture), "infos": infos}

        try:
            response, _ = self._cache.get(key, compile_code)
            if "error" in response:
                return {"error": response["error"]}
            path = os.path.join(self._folder, response["file"])
            if not os.path.exists(path):  # the cache was kept, but not the pictures
                self._store(self.compile_completion_into_image(request_state, text)[0], response["file"])
        except RenderingError as e:
            raise UnjudgedError(f"{self.name}: {e}") from e
        media = {"content_type": "image/png", "location": path}
        return {"media_object": media, **self.postprocess_infos(dict(response["infos"]))}

    def _store(self, picture: "Image", name: str | None = None) -> str:
        stream = BytesIO()
        picture.save(stream, format="PNG")
        content = stream.getvalue()
        name = name or f"{hashlib.sha256(content).hexdigest()}.png"
        os.makedirs(self._folder, exist_ok=True)
        with open_atomically(os.path.join(self._folder, name), binary=True) as file:
            file.write(content)
        return name


def assets_of(instance: Instance) -> list[Asset]:
    """Return the files that an instance gives to the author of its answer: names and paths are two of its references."""
    found: Mapping[str, list[Any]] = {
        tag: [
            media
            for reference in instance.references
            if tag in reference.tags and reference.output.multimedia_content is not None
            for media in reference.output.multimedia_content.media_objects
        ]
        for tag in (ASSET_NAME_TAG, ASSET_PATH_TAG)
    }
    assets = []
    for name, file in zip(found[ASSET_NAME_TAG], found[ASSET_PATH_TAG], strict=True):
        with open(file.location, "rb") as stream:
            assets.append(Asset(name.text, stream.read()))
    return assets
