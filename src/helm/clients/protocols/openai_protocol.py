"""OpenAI's chat and completions protocol, which many servers implement: requests and responses."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import shortened
from helm.clients.protocols.openai_usage import read_usage as read_usage
from helm.common.formats.json_reading import read_json
from helm.common.media_object import AUDIO_TYPE, IMAGE_TYPE, TEXT_TYPE, MediaObject, MultimediaObject
from helm.common.media_types import HEAD_SIZE, content_type_of
from helm.common.request import FILTERED, MALFORMED, REFUSED, GeneratedOutput, Thinking, Token, start_of_ending

CHAT_ROUTE = "chat/completions"
COMPLETIONS_ROUTE = "completions"

_THINKING = re.compile(r"\A\s*(?:<think>)?(.*?)</think>\s*", re.DOTALL)
_LINE_END = re.compile(r"\r\n|\n|\r")
_UNFINISHED_THINKING = re.compile(r"\A\s*<think>(.*)\Z", re.DOTALL)
_TEXT = frozenset((str,))
_NUMBERS = frozenset((float, int, type(None)))


# --- what is sent -----------------------------------------------------------------------------------------------------


def content_parts(prompt: MultimediaObject, endpoint: HTTPEndpoint) -> list[dict[str, Any]]:
    """Convert texts, images and audio to parts of a chat message; local files are sent inline."""
    parts: list[dict[str, Any]] = []
    for media in prompt.media_objects:
        if media.is_type(TEXT_TYPE):
            parts.append({"type": "text", "text": media.text})
        elif media.is_type(IMAGE_TYPE):
            parts.append({"type": "image_url", "image_url": {"url": image_url(media)}})
        elif media.is_type(AUDIO_TYPE) and media.is_local_file:
            audio_format = {"mpeg": "mp3", "x-wav": "wav"}.get(media.subtype, media.subtype)
            audio = {"data": base64_of(media), "format": audio_format}
            parts.append({"type": "input_audio", "input_audio": audio})
        else:
            raise endpoint.failure(REFUSED, "", f"the prompt holds {media.content_type}, which cannot be sent there.")
    return parts


def image_url(media: MediaObject) -> str:
    """Return the URL of a remote image, or a local image as a `data:` URL."""
    if not media.is_local_file:
        return str(media.location)
    return f"data:{mime_type(media)};base64,{base64_of(media)}"


def mime_type(media: MediaObject) -> str:
    """Return the MIME type; for images by the file's first bytes, since datasets often label all of them alike."""
    with open(str(media.location), "rb") as file:
        found = content_type_of(file.read(HEAD_SIZE))
    if found in ("image/jpeg", "image/png", "image/webp"):  # others as told, so that cached answers are found again
        return found
    return {"image/jpg": "image/jpeg"}.get(media.content_type, media.content_type)


def base64_of(media: MediaObject) -> str:
    """Return the content of a local file in base64."""
    import base64

    with open(str(media.location), "rb") as file:
        return base64.b64encode(file.read()).decode("ascii")


def json_schema_format(schema: Mapping[str, Any], strict: bool) -> dict[str, Any]:
    """Return the `response_format` for a schema; the provider's strict mode requires all properties to be required."""
    if strict:
        schema = {"additionalProperties": False, "required": list(schema.get("properties") or {}), **schema}
        described = {"name": "response", "description": "", "schema": schema, "strict": True}
    else:
        described = {"name": "response", "schema": schema, "strict": True}
    return {"type": "json_schema", "json_schema": described}


# --- what comes back --------------------------------------------------------------------------------------------------


def check_choices(endpoint: HTTPEndpoint, route: str, response: Any) -> None:
    """Check a response before it is cached. Raises RequestFailure if it does not have the shape of an answer."""
    choices = response.get("choices") if isinstance(response, dict) else None
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, dict) for choice in choices):
        quoted = shortened(json.dumps(response), endpoint.secret)
        raise endpoint.failure(MALFORMED, route, f"the answer holds no list of choices: {quoted}")
    for choice in choices:
        _check_choice(endpoint, route, choice)


def _check_choice(endpoint: HTTPEndpoint, route: str, choice: Mapping[str, Any]) -> None:
    reason = choice.get("finish_reason")
    if route == CHAT_ROUTE:
        message = choice.get("message")
        text = message_text(message) if isinstance(message, dict) else None
        if not text and reason == "content_filter":
            raise endpoint.failure(FILTERED, route, "the server's content filter withheld the answer.")
        # A model that spends its whole budget on reasoning has given an answer, though an empty one.
        is_answer = text is not None or (
            isinstance(message, dict) and (reason == "length" or bool(message.get("tool_calls")) or _reasoning(message))
        )
    else:
        is_answer = isinstance(choice.get("text"), str)
        if not choice.get("text") and reason == "content_filter":
            raise endpoint.failure(FILTERED, route, "the server's content filter withheld the answer.")
    if not is_answer:
        quoted = shortened(json.dumps(choice), endpoint.secret)
        raise endpoint.failure(MALFORMED, route, f"a choice of the answer holds no text: {quoted}")
    try:
        _token_columns(route, choice)
    except (TypeError, KeyError, ValueError, AttributeError) as e:
        quoted = shortened(json.dumps(choice["logprobs"]), endpoint.secret)
        raise endpoint.failure(MALFORMED, route, f"the answer's logprobs are malformed: {quoted}") from e


def message_text(message: Mapping[str, Any]) -> str | None:
    """Return the text of a chat message: plain, in parts, or a refusal; None if it has none."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join([part for part in parts if isinstance(part, str)]) if parts else None
    if content is None:
        content = message.get("refusal")
    return content if isinstance(content, str) else None


def _reasoning(message: Mapping[str, Any]) -> str | None:
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(key), str) and message[key]:
            return message[key]
    content = message.get("content")
    if isinstance(content, list):  # Mistral's Magistral models return it as parts
        texts = []
        for part in content:
            if isinstance(part, dict) and part.get("type") == "thinking":
                inner = part.get("thinking")
                texts += (
                    [p.get("text", "") for p in inner if isinstance(p, dict)] if isinstance(inner, list) else [inner]
                )
        return "".join(text for text in texts if isinstance(text, str)) or None
    return None


def read_tokens(route: str, choice: Mapping[str, Any]) -> list[Token]:
    """Return the tokens with log-probabilities (0.0 where the server has none, as for the first token of a prompt)."""
    return _as_tokens(*_token_columns(route, choice))


def _as_tokens(texts: Sequence[str], logprobs: Sequence[float | None]) -> list[Token]:
    return [
        Token(text=text, logprob=float(logprob) if logprob is not None else 0.0)
        for text, logprob in zip(texts, logprobs, strict=True)
    ]


def _token_columns(route: str, choice: Mapping[str, Any]) -> tuple[list[str], list[float | None]]:
    """Return texts and log-probabilities of the tokens.

    Raises: TypeError, KeyError, ValueError or AttributeError if they are malformed.
    """
    logprobs = choice.get("logprobs")
    if not logprobs:
        return [], []
    if logprobs.get("content") is not None:
        texts = [entry["token"] for entry in logprobs["content"]]
        values = [entry["logprob"] for entry in logprobs["content"]]
    elif route == CHAT_ROUTE and "tokens" not in logprobs:
        return [], []
    else:
        texts, values = list(logprobs["tokens"]), list(logprobs["token_logprobs"])
    if len(texts) != len(values):
        raise ValueError(f"there are {len(texts)} tokens and {len(values)} log-probabilities")
    if not _TEXT >= set(map(type, texts)):
        raise TypeError("tokens must be texts")
    if not _NUMBERS >= set(map(type, values)):
        values = [float(value) if value is not None else 0.0 for value in values]
    return texts, values


def read_tool_calls(message: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the tool calls of a message, with arguments decoded if they are JSON."""
    calls = []
    for call in message.get("tool_calls") or []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            arguments = function.get("arguments")
            try:
                arguments = read_json(arguments) if isinstance(arguments, str) else arguments
            except ValueError:
                pass  # kept as text
            calls.append({"id": call.get("id"), "name": function.get("name"), "arguments": arguments})
    return calls or None


def read_chat_choice(choice: Mapping[str, Any], splits_thinking: bool) -> GeneratedOutput:
    """Return the answer of one choice with its reasoning separate, including `<think>` tags with `splits_thinking`."""
    message, tokens = choice["message"], read_tokens(CHAT_ROUTE, choice)
    text, thinking = message_text(message) or "", _reasoning(message)
    if splits_thinking and thinking is None:
        text, thinking = split_thinking(text)
        if thinking is not None:
            tokens = _last_tokens(tokens, text)
    return GeneratedOutput(
        text=text,
        logprob=sum([token.logprob for token in tokens]),
        tokens=tokens,
        finish_reason=finish_reason(choice.get("finish_reason")),
        thinking=Thinking(text=thinking) if thinking is not None else None,
        tool_calls=read_tool_calls(message),
    )


def read_text_choice(choice: Mapping[str, Any], ending: str | None = None) -> GeneratedOutput:
    """Return the completion of one choice of the completions route.

    Args:
        ending: the end of an echoed prompt. Only the tokens that spell it are read: a prompt has hundreds that nobody asks for.
    """
    texts, logprobs = _token_columns(COMPLETIONS_ROUTE, choice)
    start = 0 if ending is None else start_of_ending(texts, ending)
    tokens = _as_tokens(texts[start:], logprobs[start:])
    return GeneratedOutput(
        text="".join(texts[start:]) if start else choice["text"],
        logprob=sum([token.logprob for token in tokens]),
        tokens=tokens,
        finish_reason=finish_reason(choice.get("finish_reason")),
    )


def sorted_choices(response: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the choices sorted by index, whatever order they arrived in."""
    choices = response["choices"]
    return choices if len(choices) == 1 else sorted(choices, key=lambda choice: choice.get("index") or 0)


def finish_reason(reason: Any) -> dict[str, Any] | None:
    return {"reason": reason} if isinstance(reason, str) else None


def split_thinking(text: str) -> tuple[str, str | None]:
    """Split `<think>...</think>answer` (the opening tag may be missing) into answer and reasoning (None if absent).

    If the closing tag is missing, there is no answer yet.
    """
    if "think>" not in text:
        return text, None
    match = _THINKING.match(text)
    if match:
        return text[match.end() :], match[1].strip("\n")
    match = _UNFINISHED_THINKING.match(text)
    return ("", match[1].strip("\n")) if match else (text, None)


def _last_tokens(tokens: list[Token], text: str) -> list[Token]:
    """Return the tokens that make up `text`, the end of all tokens' text."""
    length, kept = 0, 0
    while kept < len(tokens) and length < len(text):
        kept += 1
        length += len(tokens[-kept].text)
    return tokens[len(tokens) - kept :]


def cut_at_stop(output: GeneratedOutput, stop_sequences: list[str]) -> GeneratedOutput:
    """Cut text and tokens at the first stop sequence, for servers that return the sequence itself, or more."""
    text = output.text
    found = [text.find(stop) for stop in stop_sequences if stop and stop in text]
    if not found:
        return output
    end, length, tokens = min(found), 0, []
    for token in output.tokens:
        if length >= end:
            break
        length += len(token.text)
        tokens.append(token if length <= end else replace(token, text=token.text[: len(token.text) - (length - end)]))
    return replace(
        output,
        text=output.text[:end],
        tokens=tokens,
        logprob=sum([token.logprob for token in tokens]),
        finish_reason={"reason": "stop"},
    )


# --- servers that stream unasked ---------------------------------------------------------------------------------------


def read_json_or_stream(data: bytes, content_type: str) -> Any:
    """Decode a JSON body, or join the events of a stream. Raises ValueError."""
    if not content_type.startswith("text/event-stream"):
        return read_json(data)
    return join_chunks(stream_events(data))


def stream_events(data: bytes) -> list[Any]:
    """Return the JSON of each event; comments, names and other fields are ignored.

    Raises ValueError if the stream has no events, or one is not JSON.
    """
    events, lines = [], []
    # str.splitlines would also split at characters such as U+2028, which texts may contain.
    for line in [*_LINE_END.split(data.decode("utf-8", errors="replace").removeprefix("\ufeff")), ""]:
        if line.startswith("data:"):
            lines.append(line[5:].removeprefix(" "))
        elif not line and lines:
            text, lines = "\n".join(lines).strip(), []
            if text and text != "[DONE]":
                events.append(read_json(text))
    if not events:
        raise ValueError("a stream without events")
    return events


def join_chunks(events: list[Any]) -> dict[str, Any]:
    """Join the chunks of a stream to one response. Raises ValueError if it broke off before a choice had ended."""
    response: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for event in events:
        if not isinstance(event, dict):
            raise ValueError("an event that is not an object")
        if event.get("error"):
            return event
        response.update({key: value for key, value in event.items() if key != "choices" and value is not None})
        for chunk in event.get("choices") or []:
            choice = choices.setdefault(chunk.get("index") or 0, {"index": chunk.get("index") or 0})
            for key in ("finish_reason", "error"):
                if chunk.get(key):
                    choice[key] = chunk[key]
            if isinstance(chunk.get("text"), str):
                choice["text"] = choice.get("text", "") + chunk["text"]
            if isinstance(chunk.get("logprobs"), dict):
                _add_logprobs(choice.setdefault("logprobs", {}), chunk["logprobs"])
            delta = chunk.get("delta") or {}
            if delta or "delta" in chunk:
                message = choice.setdefault("message", {"content": None})
                for key in ("content", "reasoning_content", "reasoning", "refusal"):
                    if isinstance(delta.get(key), str):
                        message[key] = (message.get(key) or "") + delta[key]
                for call in delta.get("tool_calls") or []:
                    _add_tool_call(message.setdefault("tool_calls", []), call)
    if not choices or not all(choice.get("finish_reason") for choice in choices.values()):
        raise ValueError("a stream that broke off")
    return {**response, "choices": [choices[index] for index in sorted(choices)]}


def _add_logprobs(logprobs: dict[str, Any], further: Mapping[str, Any]) -> None:
    for key, values in further.items():
        if isinstance(values, list):
            logprobs[key] = [*(logprobs.get(key) or []), *values]


def _add_tool_call(calls: list[dict[str, Any]], piece: Mapping[str, Any]) -> None:
    """Add a piece of a tool call: the first has the id and name, and the arguments arrive in pieces."""
    index = piece.get("index")
    call = next((call for call in calls if index is not None and call.get("index") == index), None)
    if call is None:
        calls.append({**piece, "function": dict(piece.get("function") or {})})
        return
    function = piece.get("function") or {}
    if isinstance(function.get("arguments"), str):
        call["function"]["arguments"] = (call["function"].get("arguments") or "") + function["arguments"]
