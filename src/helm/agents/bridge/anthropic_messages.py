"""Anthropic's protocol: `POST /v1/messages`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from helm.agents.bridge.protocol import (
    BadCall,
    BridgeAnswer,
    BridgeCall,
    Protocol,
    arguments_object,
    called_function,
    error_type,
    function_tool,
    join_texts,
    list_of,
    number_of,
    texts_of,
    unknown_names,
    whole_number_of,
)

_KNOWN = ("messages", "system", "model", "tools", "temperature", "top_p", "max_tokens", "stop_sequences", "stream")


class MessagesProtocol(Protocol):
    """Requests and answers of Anthropic's messages. Images and earlier reasoning are left out."""

    name = "messages"

    def read(self, path: str, body: Mapping[str, Any]) -> BridgeCall:
        messages: list[dict[str, Any]] = []
        system = join_texts(body.get("system"))
        if system:
            messages.append({"role": "system", "content": system})
        for message in list_of(body, "messages"):
            messages += _read_message(message)
        if not any(message["role"] != "system" for message in messages):
            raise BadCall("'messages' lacks messages")
        tools, ignored = [], list(unknown_names(body, _KNOWN))
        for tool in list_of(body, "tools"):
            if isinstance(tool.get("input_schema"), dict):
                tools.append(function_tool(tool.get("name"), tool.get("description"), tool["input_schema"]))
            else:
                ignored.append(f"tools.{tool.get('type')}")
        return BridgeCall(
            messages,
            tools,
            str(body.get("model") or ""),
            number_of(body, "temperature"),
            number_of(body, "top_p"),
            whole_number_of(body, "max_tokens"),
            texts_of(body.get("stop_sequences")),
            bool(body.get("stream")),
            tuple(ignored),
        )

    def write(self, answer: BridgeAnswer) -> dict[str, Any]:
        return {
            **_head(answer),
            "content": _blocks(answer),
            "stop_reason": _reason(answer),
            "stop_sequence": None,
            "usage": _usage(answer, answer.usage.completion_tokens),
        }

    def events(self, answer: BridgeAnswer) -> Iterator[tuple[str, Any]]:
        def event(kind: str, **fields: Any) -> tuple[str, Any]:
            return kind, {"type": kind, **fields}

        begun = {
            **_head(answer),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": _usage(answer, 0),
        }
        yield event("message_start", message=begun)
        for index, block in enumerate(_blocks(answer)):
            if block["type"] == "text":
                empty: dict[str, Any] = {"type": "text", "text": ""}
                delta = {"type": "text_delta", "text": block["text"]}
            else:
                empty = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield event("content_block_start", index=index, content_block=empty)
            yield event("content_block_delta", index=index, delta=delta)
            yield event("content_block_stop", index=index)
        end = {"stop_reason": _reason(answer), "stop_sequence": None}
        yield event("message_delta", delta=end, usage={"output_tokens": answer.usage.completion_tokens})
        yield event("message_stop")

    def error(self, status: int, message: str) -> dict[str, Any]:
        return {"type": "error", "error": {"type": error_type(status), "message": message}}


def _read_message(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a message as one or more of the chat protocol: results of tools are messages of their own, and come first."""
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant", "system"):
        raise BadCall(f"a message has the role {role!r:.40}")
    if not isinstance(content, list):
        return [{"role": role, "content": join_texts(content)}]
    results, calls, texts = [], [], []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_result":
            results.append(
                {
                    "role": "tool", "tool_call_id": str(block.get("tool_use_id")), "content": join_texts(block.get("content")),
                    **({"is_error": True} if block.get("is_error") else {}),
                }
            )  # fmt: skip
        elif kind == "tool_use":
            calls.append(called_function(block.get("id"), block.get("name"), block.get("input")))
        elif kind not in ("thinking", "redacted_thinking"):
            texts.append(block)
    found: list[dict[str, Any]] = [*results]
    if texts or calls or not results:
        own: dict[str, Any] = {"role": role, "content": join_texts(texts)}
        if calls:
            own["tool_calls"] = calls
        found.append(own)
    return found


def _head(answer: BridgeAnswer) -> dict[str, Any]:
    return {"id": f"msg_{answer.number}", "type": "message", "role": "assistant", "model": answer.model}


def _blocks(answer: BridgeAnswer) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if answer.text or not answer.tool_calls:
        blocks.append({"type": "text", "text": answer.text})
    for call in answer.tool_calls:
        blocks.append(
            {"type": "tool_use", "id": call["id"], "name": call["name"], "input": arguments_object(call["arguments"])}
        )
    return blocks


def _reason(answer: BridgeAnswer) -> str:
    return "tool_use" if answer.tool_calls else "max_tokens" if answer.is_cut else "end_turn"


def _usage(answer: BridgeAnswer, completion_tokens: int) -> dict[str, Any]:
    cached = answer.usage.cached_prompt_tokens or 0
    return {
        "input_tokens": answer.usage.prompt_tokens - cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": completion_tokens,
    }
