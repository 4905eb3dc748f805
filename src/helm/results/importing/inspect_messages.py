"""Messages and answers in logs of inspect_ai, as texts and completions."""

import re
from typing import Any

from helm.common.request import GeneratedOutput, Thinking, Token, Usage
from helm.results.importing.imported_run import as_dict, as_int, as_list, as_number, as_text

_ATTACHMENT = re.compile(r"attachment://([0-9a-f]{32})")
_MEDIA = ("image", "audio", "video", "document")
_REASONS = {"max_tokens": "length", "model_length": "length"}
_MAX_SHOWN_ADDRESS = 200


def _resolve(text: str, attachments: dict[str, str]) -> str:
    """Put long texts, which logs store apart, back in their places."""
    if not attachments or "attachment://" not in text:
        return text
    return _ATTACHMENT.sub(lambda match: attachments.get(match[1], match[0]), text)


def flatten_content(content: Any, attachments: dict[str, str]) -> tuple[str, str]:
    """Return the text of a message and its reasoning. Images and other media are named, not copied."""
    if isinstance(content, str):
        return _resolve(content, attachments), ""
    texts, thoughts = [], []
    for part in map(as_dict, as_list(content)):
        kind = part.get("type")
        if kind == "text":
            texts.append(_resolve(as_text(part.get("text")), attachments))
        elif kind == "reasoning":
            thoughts.append(_resolve(as_text(part.get("reasoning")), attachments))
        elif kind in _MEDIA:
            texts.append(_describe_media(kind, _resolve(as_text(part.get(kind)), attachments)))
        else:
            texts.append(f"[{as_text(kind) or 'content'}]")
    return "\n".join(texts), "\n".join(thoughts)


def _describe_media(kind: str, address: str) -> str:
    if address.startswith("data:"):
        return f"[{address[5:].partition(';')[0][:50] or kind}, {len(address):,} characters]"
    return f"[{kind}: {address[:_MAX_SHOWN_ADDRESS]}]"


def flatten_message(message: dict[str, Any], attachments: dict[str, str]) -> dict[str, str]:
    """Return role and content of a message as texts; tool calls are written into the content."""
    text, _ = flatten_content(message.get("content"), attachments)
    for call in _read_tool_calls(message):
        text += f"{chr(10) if text else ''}[tool call: {call['name']}({as_text(call['arguments'])})]"
    return {"role": as_text(message.get("role")), "content": text}


def _read_tool_calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"id": call.get("id"), "name": as_text(call.get("function")), "arguments": call.get("arguments")}
        for call in map(as_dict, as_list(message.get("tool_calls")))
    ]


def read_completions(output: dict[str, Any], attachments: dict[str, str]) -> list[GeneratedOutput]:
    """Return the choices of the last answer in a sample."""
    found = []
    for choice in map(as_dict, as_list(output.get("choices"))):
        message = as_dict(choice.get("message"))
        text, thoughts = flatten_content(message.get("content"), attachments)
        tokens = _read_tokens(as_dict(choice.get("logprobs")))
        reason = choice.get("stop_reason")
        found.append(
            GeneratedOutput(
                text=text,
                logprob=sum(token.logprob for token in tokens),
                tokens=tokens,
                finish_reason={"reason": _REASONS.get(reason, reason)} if isinstance(reason, str) else None,
                thinking=Thinking(thoughts) if thoughts else None,
                tool_calls=_read_tool_calls(message) or None,
            )
        )
    if not found and isinstance(output.get("completion"), str) and output["completion"]:
        found.append(GeneratedOutput(_resolve(output["completion"], attachments), 0, []))
    return found


def _read_tokens(logprobs: dict[str, Any]) -> list[Token]:
    """Return the tokens with their log-probabilities, which a log has only if they were asked for."""
    tokens = []
    for item in map(as_dict, as_list(logprobs.get("content"))):
        logprob = as_number(item.get("logprob"))
        if logprob is not None:
            tokens.append(Token(as_text(item.get("token")), logprob))
    return tokens


def read_usage(by_model: Any, model: str, output: dict[str, Any]) -> Usage | None:
    """Return the tokens that the evaluated model used for a sample, without those of judges; None if not stated."""
    counts = as_dict(as_dict(by_model).get(model) or output.get("usage"))
    prompt, completion = as_int(counts.get("input_tokens")), as_int(counts.get("output_tokens"))
    if prompt is None or completion is None:
        return None
    return Usage(
        prompt,
        completion,
        as_int(counts.get("reasoning_tokens")),
        as_int(counts.get("input_tokens_cache_read")),
        as_int(counts.get("input_tokens_cache_write")),
    )
