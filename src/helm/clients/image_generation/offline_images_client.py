"""The base of clients of models that nobody can ask any more: they answer from the cache."""

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from helm.clients.client import CachingClient
from helm.clients.image_generation.image_generation_client_utils import picture_output
from helm.clients.image_generation.image_making_client import find_picture
from helm.common.cache import CacheConfig
from helm.common.file_caches.file_cache import FileCache
from helm.common.hierarchical_logger import tell_once
from helm.common.request import EMBEDDING_UNAVAILABLE_REQUEST_RESULT, OK, REFUSED, ErrorFlags, Request, RequestResult

TODAY = "docs/howto-image-models.md names models that can be asked today."


class NotInCacheError(RuntimeError):
    """A picture is not in the cache, and there is nobody to make it."""


class OfflineImagesClient(CachingClient):
    """Answers from the cache; a picture that is not there is an error that says since when, and what to use instead.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
    """

    NAME: ClassVar[str] = ""
    """What errors begin with."""
    ENDED: ClassVar[str] = ""
    """Since when the model cannot be asked, and what to use instead."""
    LOCATIONS: ClassVar[str] = "images"
    """The field of a cached answer with the paths of its pictures."""

    def __init__(self, cache_config: CacheConfig, file_cache: FileCache | None = None):
        super().__init__(cache_config)
        self.file_cache = file_cache

    @abstractmethod
    def _raw_request(self, request: Request) -> dict[str, Any]:
        """Return the key of a request, without `random`. Raises: ConfigError for another model."""

    def _compute(self, request: Request, key: Mapping[str, Any]) -> dict[str, Any]:
        """Make the pictures. Raises: RuntimeError."""
        raise NotInCacheError(f"The result has not been uploaded to the cache for the following request: {key}")

    def _locations(self, response: Mapping[str, Any]) -> Sequence[str]:
        return [self._find(path) or path for path in response[self.LOCATIONS]]

    def _find(self, path: str) -> str | None:
        if self.file_cache is not None:
            return find_picture(self.file_cache, path)
        return path if os.path.isfile(path) else None

    def _is_answer(self, response: Mapping[str, Any]) -> bool:
        paths = response.get(self.LOCATIONS)
        return isinstance(paths, list) and bool(paths) and all(self._find(path) for path in paths)

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        key = self.make_cache_key(self._raw_request(request), request)
        try:
            response, cached = self.cache.get(key, lambda: self._compute(request, key), is_answer=self._is_answer)
        except RuntimeError as e:
            if self.ENDED not in str(e):
                tell_once(f"{request.model_deployment}: {self.ENDED}")
            return RequestResult(
                success=False,
                cached=False,
                completions=[],
                embedding=[],
                error=f"{self.NAME} error: {e}",
                error_flags=ErrorFlags(is_retriable=False, is_fatal=True),
                outcome=REFUSED,
            )
        seconds = response.get("request_time", response.get("total_inference_time"))
        return RequestResult(
            success=True,
            cached=cached,
            request_time=seconds,
            request_datetime=response.get("request_datetime"),
            completions=[picture_output(path) for path in self._locations(response)],
            embedding=[],
            outcome=OK,
        )


class OldModelClient(OfflineImagesClient):
    """Answers from a cache of HELM, which ran the model in its own process with packages that do not run any more."""

    LOCATIONS = "file_locations"

    def _get_model(self, model_engine: str) -> NoReturn:
        """Raise the error of a model that cannot be loaded."""
        raise NotInCacheError(self.ENDED)

    def _compute(self, request: Request, key: Mapping[str, Any]) -> dict[str, Any]:
        self._get_model(request.model_engine)
