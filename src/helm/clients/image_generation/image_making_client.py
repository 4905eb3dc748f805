"""The base of clients that ask a hosted model for pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from helm.clients.http.http_client import Answer, Call, HTTPClient, Reading
from helm.clients.http.request_failure import RequestFailure
from helm.clients.image_generation.image_generation_client_utils import is_refused, picture_output, refused_output
from helm.clients.image_generation.received_pictures import Received, checked_extension, download
from helm.clients.protocols.openai_usage import read_usage
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.key_value_store import request_to_key
from helm.common.request import FILTERED, GeneratedOutput, Request, RequestResult, Usage
from helm.common.request_options import EXTRA_BODY, SEED
from helm.common.sending import BatchSlot, Sent

_KEPT_FIELDS = ("usage", "usageMetadata", "seed", "id")
"""What is cached of an answer beside its pictures."""

GUIDANCE = "guidance_scale"
STEPS = "diffusion_denoising_steps"


class ImageMakingClient(HTTPClient):
    """Asks for pictures, keeps their files, and caches answers that name the files.

    A subclass defines what is sent (`_path`, `_raw_request`) and which pictures an answer holds (`_received`); it sets
    `file_cache` in its constructor. A refusal is a completion without media whose finish reason is the provider's, in a
    successful result with the outcome `filtered`. An answer whose files are gone is asked for again.

    For the arguments, see the subclasses.
    """

    TAKES_TOOLS = False
    takes_options = frozenset((SEED, EXTRA_BODY))

    MOST_IMAGES: ClassVar[int] = 1
    """How many pictures one request may ask for."""

    PARAMETER_FIELDS: Mapping[str, str] = {}
    """Maps `guidance_scale` and `diffusion_denoising_steps` to fields of the body, as far as the protocol has them."""

    KEEPS_ROUTE: ClassVar[bool] = True
    """Whether cache keys name the route, which may stand for the model."""

    file_cache: FileCache

    # --- what a subclass defines --------------------------------------------------------------------------------------

    def _path(self, request: Request) -> str:
        raise NotImplementedError

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        """Return what to send for so many pictures. Raises: ConfigError for parameters that the protocol does not have."""
        raise NotImplementedError

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        """Return the pictures and refusals of an answer.

        An answer of an unexpected shape may raise TypeError, KeyError, ValueError, IndexError or AttributeError.
        """
        raise NotImplementedError

    def _usage(self, answer: Mapping[str, Any]) -> Usage | None:
        return read_usage(answer)

    def _cached_form(self, answer: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what is cached; `kept` has `file_path` or `reason` of each picture, and `text` if there is one."""
        return {"images": list(kept), **{name: answer[name] for name in _KEPT_FIELDS if name in answer}}

    def _read_cached(self, response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return `kept` of a cached answer."""
        return response["images"]

    # --- the request's path -------------------------------------------------------------------------------------------

    def _complete(self, request: Request) -> RequestResult:
        self._check_request(request)
        result = self._collect(request, self._ask)
        return replace(result, outcome=FILTERED) if any(map(is_refused, result.completions)) else result

    def _check_request(self, request: Request) -> None:
        if request.messages or request.multimodal_prompt is not None:
            raise self._refusal("a model that makes pictures takes a text, not messages or media")

    def _ask(self, request: Request, num_missing: int, num_there: int) -> Answer:
        number = min(num_missing, self.MOST_IMAGES)
        try:
            return self._exchange(request, self._call(request, number, num_there))
        except RequestFailure as failure:
            if failure.outcome != FILTERED:
                raise
            refused = [refused_output(failure.message)] * number
            return Answer({"request_time": 0, "request_datetime": None}, False, refused, None)

    def _call(self, request: Request, num_images: int, num_there: int) -> Call:
        path = self._path(request)
        raw = self._add_options(self._raw_request(request, num_images), request, num_there)
        key = self._cache_key(raw, request, num_there)
        if self.MOST_IMAGES == 1:
            key["completion_index"] = num_there
        if self.KEEPS_ROUTE:
            key["route"] = path
        return Call(path, raw, key, partial(self._check, path, num_images), self._read)

    def _check(self, path: str, num_images: int, answer: Any) -> None:
        try:
            received = self._received(answer)
            for picture in received:
                if picture.data is not None:
                    checked_extension(picture.data)
        except RequestFailure:
            raise
        except (TypeError, KeyError, ValueError, IndexError, AttributeError) as e:
            raise self._malformed(
                path, f"the answer holds no pictures ({type(e).__name__}: {e})", _shape(answer)
            ) from e
        if not received:
            raise self._malformed(path, f"the answer holds none of {num_images} pictures", _shape(answer))

    def _send(self, call: Call, slot: BatchSlot | None) -> Sent:
        sent = super()._send(call, slot)
        return Sent(self._kept(call, sent.value), sent.began_at, sent.seconds)

    def _kept(self, call: Call, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Store the pictures of an answer, and return the answer to cache."""
        key = request_to_key(call.key) if self.cache.is_enabled else None
        kept = []
        for index, picture in enumerate(self._received(answer)):
            row: dict[str, Any] = {"text": picture.text} if picture.text else {}
            if picture.reason is not None:
                row["reason"] = picture.reason
            else:
                data = picture.data if picture.data is not None else download(str(picture.url), self.endpoint)
                row["file_path"] = keep_picture(self.file_cache, data, key, index)
            kept.append(row)
        return self._cached_form(answer, kept)

    def is_answer(self, response: Mapping[str, Any]) -> bool:
        if not super().is_answer(response):
            return False
        try:
            rows = self._read_cached(response)
            return bool(rows) and all(
                "reason" in row or find_picture(self.file_cache, row["file_path"]) for row in rows
            )
        except (TypeError, KeyError):
            return False

    def _read(self, response: Mapping[str, Any]) -> Reading:
        return [self._output(row) for row in self._read_cached(response)], self._usage(response)

    def _output(self, row: Mapping[str, Any]) -> GeneratedOutput:
        if "reason" in row:
            return refused_output(row["reason"])
        path = row["file_path"]
        return picture_output(find_picture(self.file_cache, path) or path, row.get("text") or "")

    # --- for subclasses -----------------------------------------------------------------------------------------------

    def _parameter_values(self, parameters: ImageGenerationParameters | None) -> dict[str, Any]:
        """Return the fields for guidance and steps. Raises: ConfigError if the protocol has none."""
        fields = {}
        for name in (GUIDANCE, STEPS):
            value = getattr(parameters, name) if parameters is not None else None
            if value is None:
                continue
            if name not in self.PARAMETER_FIELDS:
                raise ConfigError(f"{self.endpoint.public_url} takes no {name}; leave it out of the run.")
            fields[self.PARAMETER_FIELDS[name]] = value
        return fields


def keep_picture(file_cache: FileCache, data: bytes, key: str | None, index: int) -> str:
    """Store a picture of an answer; its name ends like that of its type, and depends on the request that `key` stands for."""
    if isinstance(file_cache, LocalFileCache):
        return file_cache.keep(data, None if key is None else f"{index} {key}", checked_extension(data))
    return file_cache.store(lambda: data)


def find_picture(file_cache: FileCache, path: str) -> str | None:
    """Return where a stored picture is now; None if it is gone. Locations that are no files of this machine are trusted."""
    return file_cache.find(path) if isinstance(file_cache, LocalFileCache) else path


def _shape(answer: Any) -> Any:
    """Return an answer with its long texts cut, for quoting."""
    if isinstance(answer, str):
        return answer if len(answer) <= 100 else f"{answer[:100]}..."
    if isinstance(answer, dict):
        return {name: _shape(value) for name, value in answer.items()}
    return [_shape(value) for value in answer[:3]] if isinstance(answer, list) else answer
