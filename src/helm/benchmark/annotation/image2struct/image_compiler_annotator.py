"""The base of the annotators that turn completions into pictures."""

import hashlib
import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator, UnjudgedError
from helm.benchmark.scenarios.scenario import ASSET_NAME_TAG, ASSET_PATH_TAG, Instance
from helm.common.cache import Cache, CacheConfig
from helm.common.concurrency import parallel_map
from helm.common.files import open_atomically
from helm.common.rendering.contract import CompilationError, Rendering, RenderingError
from helm.common.request import RequestResult

_NUM_THREADS = 4


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

    @abstractmethod
    def check_programs(self) -> None:
        """Raise an error now, rather than after all requests are sent, if a program is not installed."""

    @abstractmethod
    def compile_code(self, text: str, assets: list[Asset]) -> Rendering:
        """Compile a completion. Raises: CompilationError; RenderingError and others that say nothing about it."""

    def annotate(self, request_state: RequestState) -> list[dict[str, Any]]:
        """Return an item for each completion. Raises: UnjudgedError if a program could not be run to its end."""
        assert isinstance(request_state.result, RequestResult)
        assets = assets_of(request_state.instance)
        return [self._annotate(completion.text.strip(), assets) for completion in request_state.result.completions]

    def annotate_all(self, request_states: list[RequestState]) -> list[Any]:
        """Annotate several requests, some at the same time."""
        return parallel_map(
            self.annotate, request_states, min(_NUM_THREADS, os.cpu_count() or 1), description="pictures"
        )

    def _annotate(self, text: str, assets: list[Asset]) -> dict[str, Any]:
        key: dict[str, Any] = {"completion": text}
        if assets:
            key["assets"] = [[asset.name, hashlib.sha256(asset.content).hexdigest()] for asset in assets]
        made: dict[str, Rendering] = {}

        def compile_code() -> dict[str, Any]:
            try:
                made["rendering"] = rendering = self.compile_code(text, assets)
            except CompilationError as e:
                return {"error": str(e).replace("\n", "")}
            return {"file": self._store(rendering), **rendering.infos}

        try:
            response, _ = self._cache.get(key, compile_code)
            if "error" in response:
                return {"error": response["error"]}
            path = os.path.join(self._folder, response["file"])
            if not os.path.exists(path):  # the cache was kept, but not the pictures
                self._store(made.get("rendering") or self.compile_code(text, assets), response["file"])
        except RenderingError as e:
            raise UnjudgedError(f"{self.name}: {e}") from e
        infos = {name: value for name, value in response.items() if name != "file"}
        return {"media_object": {"content_type": "image/png", "location": path}, **infos}

    def _store(self, rendering: Rendering, name: str | None = None) -> str:
        stream = BytesIO()
        rendering.picture.save(stream, format="PNG")
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
