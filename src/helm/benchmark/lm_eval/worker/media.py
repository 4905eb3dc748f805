"""Pictures and sounds of documents: what task code sees, and what is sent."""

import base64
import io
import wave
from typing import Any

from .failures import TaskFailure

IMAGE, AUDIO = "image", "audio"

PLACEHOLDERS = {IMAGE: "<image>", AUDIO: "<audio>"}
"""What stands in a prompt where a picture or a sound goes."""

_PICTURE_HEADS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")


def is_content(value: Any) -> bool:
    """Whether a value of a column is a file as data sets store it: `{bytes, path}`."""
    return isinstance(value, dict) and set(value) == {"bytes", "path"}


def opened(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its pictures as Pillow's images, if that is installed, as task code expects them."""
    return {name: _opened(value) for name, value in row.items()}


def _opened(value: Any) -> Any:
    if isinstance(value, list):
        return [_opened(item) for item in value]
    content = value["bytes"] if is_content(value) else None
    if not isinstance(content, bytes) or not (content.startswith(_PICTURE_HEADS) or content[8:12] == b"WEBP"):
        return value
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return value
    picture = Image.open(io.BytesIO(content))
    vars(picture)["helm_content"] = content  # the same bytes are sent if nothing changes the picture
    return picture


def without_media(value: Any) -> Any:
    """Return a document without the contents of its files and its pictures, which scores do not need."""
    if is_content(value):
        return {"bytes": None, "path": value["path"]}
    if isinstance(value, dict):
        return {key: without_media(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_media(item) for item in value]
    return None if _is_picture(value) else value


def as_sent(value: Any, kind: str) -> list[dict[str, str]]:
    """Return pictures or sounds as `{kind, content}`, with the bytes of a file in base64.

    Args:
        value: one or a list of: bytes, `{bytes, path}`, a data URL, Pillow's image, `{array, sampling_rate}`. None is left out.

    Raises: TaskFailure for anything else.
    """
    if isinstance(value, (list, tuple)):
        return [item for one in value for item in as_sent(one, kind)]
    if value is None:
        return []
    content = _content_of(value, kind)
    return [{"kind": kind, "content": base64.b64encode(content).decode("ascii")}]


def _content_of(value: Any, kind: str) -> bytes:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, dict) and isinstance(value.get("bytes"), (bytes, bytearray)):
        return bytes(value["bytes"])
    if isinstance(value, str) and value.startswith(f"data:{kind}/") and ";base64," in value:
        return base64.b64decode(value.partition(",")[2])
    if kind == IMAGE and _is_picture(value):
        content = getattr(value, "helm_content", None)
        if content is not None:
            return bytes(content)
        written = io.BytesIO()
        value.save(written, format="PNG")
        return written.getvalue()
    if kind == AUDIO and isinstance(value, dict) and {"array", "sampling_rate"} <= set(value):
        return _wave(value["array"], int(value["sampling_rate"]))
    named = f" It names the file {value['path']!r} only." if is_content(value) else ""
    raise TaskFailure(f"a value of type {type(value).__name__} is no {kind} that can be sent.{named}")


def _is_picture(value: Any) -> bool:
    return hasattr(value, "save") and hasattr(value, "mode") and hasattr(value, "size")


def _wave(samples: Any, rate: int) -> bytes:
    """Return samples from -1 to 1 as a WAV file of 16 bits."""
    numbers = samples.tolist() if hasattr(samples, "tolist") else list(samples)
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        scaled = (max(-32768, min(32767, round(one * 32767))) for one in numbers)
        file.writeframes(b"".join(one.to_bytes(2, "little", signed=True) for one in scaled))
    return written.getvalue()
