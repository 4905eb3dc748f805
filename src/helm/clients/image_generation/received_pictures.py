"""Pictures as answers contain them: base64, addresses, or a refusal. Nothing in an answer is trusted."""

import base64
import binascii
from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import urlsplit

from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.common.answer_limits import max_answer_bytes
from helm.common.errors import ConfigError
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.inside_addresses import is_inside
from helm.common.media_types import HEAD_SIZE, SUFFIXES, content_type_of
from helm.common.request import MALFORMED

_ENDS = {"image/png": b"IEND", "image/jpeg": b"\xff\xd9"}
"""What a complete file of a type contains."""


class Received(NamedTuple):
    """One picture of an answer; exactly one of `data`, `url` and `reason` is not None."""

    data: bytes | None = None

    url: str | None = None

    reason: str | None = None
    """Why there is none: the provider's words for a refusal."""

    text: str = ""
    """The prompt as the model rewrote it."""


def from_base64(text: str) -> bytes:
    """Decode a picture. Raises: ValueError if it is not base64, or no complete picture."""
    if not isinstance(text, str):
        raise ValueError("a picture is not a text in base64")
    if text.startswith("data:"):
        head, _, text = text.partition(",")
        if not head.endswith(";base64"):
            raise ValueError("a data URL is not in base64")
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as e:
        raise ValueError(f"a picture is not in base64: {e}") from e
    checked_extension(data)
    return data


def from_base64_or_url(value: str) -> Received:
    """Read a picture that is given as an address, which may hold the data itself. Raises: ValueError."""
    if not isinstance(value, str):
        raise ValueError("the address of a picture is not a text")
    return Received(data=from_base64(value)) if value.startswith("data:") else Received(url=value)


def checked_extension(data: bytes) -> str:
    """Return the ending of names for a picture, by its first bytes, without the dot.

    Raises: ValueError if the bytes are no picture, or the end is missing.
    """
    content_type = content_type_of(data[:HEAD_SIZE])
    if content_type is None or not content_type.startswith("image/"):
        raise ValueError(f"{len(data)} bytes that begin with {data[:12]!r} are no picture")
    if _ENDS.get(content_type, b"") not in data:
        raise ValueError(f"a picture ({content_type}) is cut off after {len(data)} bytes")
    return SUFFIXES[content_type].removeprefix(".")


def download(url: str, asked: HTTPEndpoint) -> bytes:
    """Return the picture at an address in an answer of the endpoint `asked`. The endpoint's key is not sent there.

    Redirects are not followed.

    Raises: RequestFailure if there is no picture, or if the address, or one of those of its name, is inside a network and
        the endpoint's is not.
    """
    where = url.partition("?")[0]  # what follows may be a signature
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        parts.port  # noqa: B018 (raises ValueError unless it is a number)
    except ValueError:
        parts, host = None, ""
    if parts is None or parts.scheme not in ("http", "https") or not host:
        raise RequestFailure(
            MALFORMED, f"{asked.public_url}: the address of a picture is {where[:80]!r}.", is_retriable=False
        )
    is_provider_inside = is_inside(urlsplit(asked.public_url).hostname or "")
    if not is_provider_inside and is_inside(host):
        raise RequestFailure(
            MALFORMED, f"{where}: a server outside names this address inside the network.", is_retriable=False
        )
    target = f"{parts.path.lstrip('/')}?{parts.query}" if parts.query else parts.path.lstrip("/")
    endpoint = HTTPEndpoint(
        f"{parts.scheme}://{parts.netloc}",
        {"Accept": "image/*"},
        timeout_s=asked.timeout_s,
        only_outside=not is_provider_inside,  # should the name have another address when it is resolved again
    )

    def check(data: bytes) -> None:
        try:
            checked_extension(data)
        except ValueError as e:
            raise RequestFailure(MALFORMED, f"{where}: {e}.") from e

    try:
        sent = endpoint.send(
            "GET", target, check=check, read=lambda data, _: data, is_paid=False, max_bytes=max_answer_bytes()
        )
    except RequestFailure as failure:
        failure.message = failure.message.replace(url, where)
        raise
    return sent.value


def size_of(parameters: ImageGenerationParameters | None) -> tuple[int, int] | None:
    """Return width and height that a request asks for; None leaves them to the model.

    Raises: ConfigError if only one is given, or one is not positive.
    """
    width = parameters.output_image_width if parameters else None
    height = parameters.output_image_height if parameters else None
    if width is None and height is None:
        return None
    if not width or not height or width < 0 or height < 0:
        raise ConfigError(
            f"output_image_width and output_image_height are given together, in pixels, not {width} and {height}."
        )
    return width, height


def aspect_ratio_of(parameters: ImageGenerationParameters | None, ratios: Collection[str], model: str) -> str | None:
    """Return the ratio `W:H` of the size that a request asks for, for protocols that take no size.

    Raises: ConfigError if the size has none of the `ratios` exactly.
    """
    size = size_of(parameters)
    if size is None:
        return None
    for ratio in ratios:
        width, _, height = ratio.partition(":")
        if Fraction(int(width), int(height)) == Fraction(*size):
            return ratio
    raise ConfigError(
        f"{model} makes pictures of the proportions {', '.join(ratios)}, and {size[0]} x {size[1]} pixels are none of them."
    )
