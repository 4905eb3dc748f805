"""OpenAI's chat protocol: `POST /v1/chat/completions`."""

from collections.abc import Iterator, Mapping
from typing import Any

from helm.agents.bridge.protocol import (
    BadCall,
    BridgeAnswer,
    BridgeCall,
    Protocol,
    called_function,
    function_tool,
    join_texts,
    list_of,
    number_of,
    texts_of,
    unknown_names,
    whole_number_of,
)

_KNOWN = (
    "messages", "model", "tools", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "stream",
    "stream_options",
)  # fmt: skip
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


class ChatProtocol(Protocol):
    """Requests and answers of chat completions. Images are left out, and named."""

    name = "chat"

    def read(self, path: str, body: Mapping[str, Any]) -> BridgeCall:
        messages = [_read_message(message) for message in list_of(body, "messages")]
        if not messages:
            raise BadCall("'messages' lacks messages")
        tools, ignored = [], list(unknown_names(body, _KNOWN))
        for tool in list_of(body, "tools"):
            function = tool.get("function")
            if tool.get("type") == "function" and isinstance(function, dict):
                tools.append(
                    function_tool(function.get("name"), function.get("description"), function.get("parameters"))
                )
            else:
                ignored.append(f"tools.{tool.get('type')}")
        return BridgeCall(
            messages,
            tools,
            str(body.get("model") or ""),
            number_of(body, "temperature"),
            number_of(body, "top_p"),
            whole_number_of(body, "max_completion_tokens", "max_tokens"),
            texts_of(body.get("stop")),
            bool(body.get("stream")),
            tuple(ignored),
        )

    def write(self, answer: BridgeAnswer) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
        if answer.tool_calls:
            message["tool_calls"] = _calls(answer)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(answer)}
        return {**_head(answer, "chat.completion"), "choices": [choice], "usage": _usage(answer)}

    def events(self, answer: BridgeAnswer) -> Iterator[tuple[str, Any]]:
        head = _head(answer, "chat.completion.chunk")
        delta: dict[str, Any] = {"role": "assistant", "content": answer.text}
        if answer.tool_calls:
            delta["tool_calls"] = [{"index": number, **call} for number, call in enumerate(_calls(answer))]
        yield "", {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield "", {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _reason(answer)}]}
        yield "", {**head, "choices": [], "usage": _usage(answer)}
        yield "", "[DONE]"


def _read_message(message: Mapping[str, Any]) -> dict[str, Any]:
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        raise BadCall(f"a message has the role {message.get('role')!r:.40}")
    found: dict[str, Any] = {"role": role, "content": join_texts(message.get("content"))}
    if role == "tool":
        found["tool_call_id"] = str(message.get("tool_call_id"))
    calls = list_of(message, "tool_calls") if role == "assistant" else []
    if calls:
        functions = [call.get("function") or {} for call in calls]
        found["tool_calls"] = [
            called_function(call.get("id"), function.get("name"), function.get("arguments"))
            for call, function in zip(calls, functions, strict=True)
        ]
    return found


def _calls(answer: BridgeAnswer) -> list[dict[str, Any]]:
    return [called_function(call["id"], call["name"], call["arguments"]) for call in answer.tool_calls]


def _head(answer: BridgeAnswer, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{answer.number}", "object": kind, "created": 0, "model": answer.model}


def _reason(answer: BridgeAnswer) -> str:
    return "tool_calls" if answer.tool_calls else "length" if answer.is_cut else "stop"


def _usage(answer: BridgeAnswer) -> dict[str, Any]:
    usage = answer.usage
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_prompt_tokens or 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens or 0},
    }
