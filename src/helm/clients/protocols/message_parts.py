"""Splits `Request.messages`, which are in OpenAI's format, into parts for providers with another format."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TEXT = "text"
IMAGE = "image"
AUDIO = "audio"
CALL = "call"
RESULT = "result"

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)\Z", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """One piece of a message."""

    kind: str
    """`text`, `image`, `audio`, `call` (of a tool, by the model) or `result` (of such a call)."""

    text: str = ""
    """The text of a text or a result."""

    mime_type: str = ""
    """The type of an image or audio part with inline content."""

    data: str | None = None
    """The content in base64; None if it is at `url`."""

    url: str = ""

    id: str = ""
    """The id of the call."""

    name: str = ""
    """The name of the tool."""

    arguments: Any = None
    """The arguments of the call, as an object."""


@dataclass(frozen=True)
class Message:
    role: str
    """`system`, `user` or `assistant`; results of tools belong to the user."""

    parts: Sequence[Part]


def is_plain(message: Mapping[str, Any]) -> bool:
    """Return whether a message consists of a role and a text, and nothing else."""
    return isinstance(message.get("content"), str) and message.get("role") != "tool" and not message.get("tool_calls")


def read_messages(messages: Sequence[Mapping[str, Any]], refuse: Callable[[str], Exception]) -> list[Message]:
    """Split messages into parts; consecutive results of calls become one message.

    Raises the exception that `refuse` makes of the cause if a part is of an unknown kind.
    """
    found: list[Message] = []
    tool_names: dict[str, str] = {}
    for message in messages:
        role = str(message.get("role"))
        if role == "tool":
            call_id = str(message.get("tool_call_id"))
            text = _text_of(message.get("content"), refuse)
            part = Part(RESULT, text=text, id=call_id, name=tool_names.get(call_id, str(message.get("name", ""))))
            if found and found[-1].parts and found[-1].parts[-1].kind == RESULT:
                found[-1] = Message("user", [*found[-1].parts, part])
            else:
                found.append(Message("user", [part]))
            continue
        parts = _content_parts(message.get("content"), refuse)
        if message.get("tool_calls"):
            parts = [part for part in parts if part.kind != TEXT or part.text]  # some send an empty text with calls
        for call in message.get("tool_calls") or []:
            function = call.get("function") or {}
            tool_names[str(call.get("id"))] = str(function.get("name"))
            arguments = _arguments(function.get("arguments"), refuse)
            parts.append(Part(CALL, id=str(call.get("id")), name=str(function.get("name")), arguments=arguments))
        found.append(Message("system" if role == "developer" else role, parts))
    return found


def _content_parts(content: Any, refuse: Callable[[str], Exception]) -> list[Part]:
    if content is None:
        return []
    if isinstance(content, str):
        return [Part(TEXT, text=content)]
    if not isinstance(content, list):
        raise refuse(f"the content of a message is a {type(content).__name__}, not a text or a list of parts")
    return [_part(part, refuse) for part in content]


def _part(part: Any, refuse: Callable[[str], Exception]) -> Part:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "text" and isinstance(part.get("text"), str):
        return Part(TEXT, text=part["text"])
    if kind == "image_url":
        image = part.get("image_url")
        url = image.get("url") if isinstance(image, dict) else image
        if isinstance(url, str):
            mime_type, data = split_data_url(url)
            return Part(IMAGE, mime_type=mime_type, data=data, url="" if data is not None else url)
    if kind == "input_audio":
        audio = part.get("input_audio")
        if isinstance(audio, dict) and isinstance(audio.get("data"), str):
            return Part(AUDIO, mime_type=f"audio/{audio.get('format', 'wav')}", data=audio["data"])
    raise refuse(f"a part of a message has the type {kind}, which cannot be sent there")


def split_data_url(url: str) -> tuple[str, str | None]:
    """Return the MIME type and the content of a `data:` URL; the content is None for any other URL."""
    match = _DATA_URL.match(url)
    return (match[1], match[2]) if match else ("", None)


def _text_of(content: Any, refuse: Callable[[str], Exception]) -> str:
    parts = _content_parts(content, refuse)
    if any(part.kind != TEXT for part in parts):
        raise refuse("a tool answered with something that is not a text")
    return "".join(part.text for part in parts)


def _arguments(arguments: Any, refuse: Callable[[str], Exception]) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError as e:
        raise refuse("the arguments of a tool call are not JSON") from e
