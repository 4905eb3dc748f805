"""Google's protocol: `POST /v1beta/models/NAME:generateContent`."""

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Any

from helm.agents.bridge.protocol import (
    BadCall,
    BridgeAnswer,
    BridgeCall,
    Protocol,
    arguments_object,
    called_function,
    function_tool,
    list_of,
    number_of,
    texts_of,
    unknown_names,
    whole_number_of,
)

_KNOWN = ("contents", "systemInstruction", "system_instruction", "tools", "generationConfig", "model")
_KNOWN_CONFIG = ("temperature", "topP", "maxOutputTokens", "stopSequences")
_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}


class GeminiProtocol(Protocol):
    """Requests and answers of `generateContent`. Calls without an identifier are matched with results by name and order."""

    name = "gemini"

    def read(self, path: str, body: Mapping[str, Any]) -> BridgeCall:
        messages: list[dict[str, Any]] = []
        system = body.get("systemInstruction") or body.get("system_instruction")
        if isinstance(system, dict):
            system = _texts(list_of(system, "parts"))
        if isinstance(system, str) and system:
            messages.append({"role": "system", "content": system})
        waiting: dict[str, deque[str]] = defaultdict(deque)
        num_calls = 0
        for content in list_of(body, "contents"):
            role = {"user": "user", "function": "user", "model": "assistant"}.get(str(content.get("role", "user")))
            if role is None:
                raise BadCall(f"a content has the role {content.get('role')!r:.40}")
            calls, results, texts = [], [], []
            for part in list_of(content, "parts"):
                call, result = part.get("functionCall"), part.get("functionResponse")
                if isinstance(call, dict):
                    call_id = str(call.get("id") or f"call_{num_calls}")
                    num_calls += 1
                    waiting[str(call.get("name"))].append(call_id)
                    calls.append(called_function(call_id, call.get("name"), call.get("args")))
                elif isinstance(result, dict):
                    call_id = _take(waiting[str(result.get("name"))], result.get("id"))
                    answer = json.dumps(result.get("response"), ensure_ascii=False)
                    results.append({"role": "tool", "tool_call_id": call_id, "content": answer})
                elif not part.get("thought"):
                    texts.append(part)
            messages += results
            if texts or calls or not results:
                own: dict[str, Any] = {"role": role, "content": _texts(texts)}
                messages.append({**own, "tool_calls": calls} if calls else own)
        if not any(message["role"] != "system" for message in messages):
            raise BadCall("'contents' lacks contents")
        config = body.get("generationConfig") or {}
        if not isinstance(config, dict):
            raise BadCall("'generationConfig' takes an object")
        ignored = [*unknown_names(body, _KNOWN)]
        ignored += [f"generationConfig.{name}" for name in unknown_names(config, _KNOWN_CONFIG)]
        tools = []
        for group in list_of(body, "tools"):
            for declared in list_of(group, "functionDeclarations"):
                schema = declared.get("parametersJsonSchema") or _plain_schema(declared.get("parameters"))
                tools.append(function_tool(declared.get("name"), declared.get("description"), schema))
            ignored += [f"tools.{name}" for name in group if name != "functionDeclarations"]
        return BridgeCall(
            messages,
            tools,
            path.rpartition("/")[2].partition(":")[0],
            number_of(config, "temperature"),
            number_of(config, "topP"),
            whole_number_of(config, "maxOutputTokens"),
            texts_of(config.get("stopSequences")),
            ":streamGenerateContent" in path,
            tuple(ignored),
        )

    def write(self, answer: BridgeAnswer) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"text": answer.text}] if answer.text or not answer.tool_calls else []
        for call in answer.tool_calls:
            made = {"id": call["id"], "name": call["name"], "args": arguments_object(call["arguments"])}
            parts.append({"functionCall": made})
        usage = answer.usage
        return {
            "candidates": [
                {
                    "content": {"role": "model", "parts": parts},
                    "finishReason": "MAX_TOKENS" if answer.is_cut else "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {
                "promptTokenCount": usage.prompt_tokens,
                "candidatesTokenCount": usage.completion_tokens,
                "totalTokenCount": usage.prompt_tokens + usage.completion_tokens,
                "cachedContentTokenCount": usage.cached_prompt_tokens or 0,
            },
            "modelVersion": answer.model,
            "responseId": f"response-{answer.number}",
        }

    def events(self, answer: BridgeAnswer) -> Iterator[tuple[str, Any]]:
        yield "", self.write(answer)

    def error(self, status: int, message: str) -> dict[str, Any]:
        return {"error": {"code": status, "message": message, "status": _STATUS.get(status, "INTERNAL")}}

    def count(self, num_tokens: int) -> dict[str, Any]:
        return {"totalTokens": num_tokens}


def _take(ids: "deque[str]", given: Any) -> str:
    """Return the identifier of the call that a result belongs to, and remove it from those that wait."""
    call_id = str(given) if given in ids or not ids else ids[0]
    if call_id in ids:
        ids.remove(call_id)
    return call_id


def _texts(parts: list[dict[str, Any]]) -> str:
    return "\n".join(part["text"] if isinstance(part.get("text"), str) else "[part left out]" for part in parts)


def _plain_schema(schema: Any) -> Any:
    """Return a schema with the names of types in lower case, as JSON Schema has them."""
    if isinstance(schema, list):
        return [_plain_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value.lower() if key == "type" and isinstance(value, str) else _plain_schema(value)
        for key, value in schema.items()
    }
