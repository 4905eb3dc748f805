"""OpenAI's Responses protocol: `POST /v1/responses`, without stored responses."""

import hashlib
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
    unknown_names,
    whole_number_of,
)

_KNOWN = ("input", "instructions", "model", "tools", "temperature", "top_p", "max_output_tokens", "stream", "store")
_LONGEST_NAME = 64
"""Characters of a tool's name that providers take."""
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


class ResponsesProtocol(Protocol):
    """Requests and answers of the Responses protocol. The whole conversation is in each request."""

    name = "responses"

    def read(self, path: str, body: Mapping[str, Any]) -> BridgeCall:
        if body.get("previous_response_id") is not None:
            raise BadCall("responses are not stored here: send the whole conversation")
        messages: list[dict[str, Any]] = []
        if isinstance(body.get("instructions"), str) and body["instructions"]:
            messages.append({"role": "system", "content": body["instructions"]})
        ignored = list(unknown_names(body, _KNOWN))
        given = body.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else list_of(body, "input")
        for item in items:
            _add_item(messages, item, ignored)
        if not messages:
            raise BadCall("'input' lacks messages")
        tools: list[dict[str, Any]] = []
        namespaces: dict[str, tuple[str, str]] = {}
        for tool in list_of(body, "tools"):
            if tool.get("type") == "namespace":
                space = str(tool.get("name"))
                for inner in list_of(tool, "tools"):
                    name = _joined(space, str(inner.get("name")))
                    namespaces[name] = (space, str(inner.get("name")))
                    tools.append(function_tool(name, inner.get("description"), inner.get("parameters")))
            elif tool.get("type") == "function":
                tools.append(function_tool(tool.get("name"), tool.get("description"), tool.get("parameters")))
            else:
                ignored.append(f"tools.{tool.get('type')}")
        return BridgeCall(
            messages,
            tools,
            str(body.get("model") or ""),
            number_of(body, "temperature"),
            number_of(body, "top_p"),
            whole_number_of(body, "max_output_tokens"),
            [],
            bool(body.get("stream")),
            tuple(dict.fromkeys(ignored)),
            namespaces,
        )

    def write(self, answer: BridgeAnswer) -> dict[str, Any]:
        return self._response(answer, "incomplete" if answer.is_cut else "completed", self._output(answer))

    def events(self, answer: BridgeAnswer) -> Iterator[tuple[str, Any]]:
        output = self._output(answer)
        number = 0

        def event(kind: str, **fields: Any) -> tuple[str, Any]:
            nonlocal number
            number += 1
            return kind, {"type": kind, "sequence_number": number - 1, **fields}

        begun = self._response(answer, "in_progress", [])
        yield event("response.created", response=begun)
        yield event("response.in_progress", response=begun)
        for index, item in enumerate(output):
            place = {"item_id": item["id"], "output_index": index}
            if item["type"] == "message":
                text, part = answer.text, {"content_index": 0}
                empty = {"type": "output_text", "text": "", "annotations": []}
                yield event(
                    "response.output_item.added",
                    output_index=index,
                    item={**item, "status": "in_progress", "content": []},
                )
                yield event("response.content_part.added", **place, **part, part=empty)
                yield event("response.output_text.delta", **place, **part, delta=text)
                yield event("response.output_text.done", **place, **part, text=text)
                yield event("response.content_part.done", **place, **part, part=item["content"][0])
            else:
                yield event(
                    "response.output_item.added",
                    output_index=index,
                    item={**item, "status": "in_progress", "arguments": ""},
                )
                yield event("response.function_call_arguments.delta", **place, delta=item["arguments"])
                yield event("response.function_call_arguments.done", **place, arguments=item["arguments"])
            yield event("response.output_item.done", output_index=index, item=item)
        kind = "response.incomplete" if answer.is_cut else "response.completed"
        yield event(kind, response=self.write(answer))

    def _output(self, answer: BridgeAnswer) -> list[dict[str, Any]]:
        output: list[dict[str, Any]] = []
        if answer.text or not answer.tool_calls:
            content = [{"type": "output_text", "text": answer.text, "annotations": []}]
            output.append(
                {
                    "id": f"msg_{answer.number}",
                    "type": "message",
                    "status": "completed",
                    "role": "assistant",
                    "content": content,
                }
            )
        for number, call in enumerate(answer.tool_calls):
            output.append(
                {
                    "id": f"fc_{answer.number}_{number}", "type": "function_call", "status": "completed",
                    "call_id": call["id"], "name": call["name"], "arguments": call["arguments"],
                    **({"namespace": call["namespace"]} if "namespace" in call else {}),
                }
            )  # fmt: skip
        return output

    def _response(self, answer: BridgeAnswer, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
        usage = answer.usage
        is_done = status != "in_progress"
        return {
            "id": f"resp_{answer.number}",
            "object": "response",
            "created_at": 0,
            "status": status,
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
            "instructions": None,
            "model": answer.model,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": usage.prompt_tokens,
                "input_tokens_details": {"cached_tokens": usage.cached_prompt_tokens or 0},
                "output_tokens": usage.completion_tokens,
                "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens or 0},
                "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            }
            if is_done
            else None,
        }


def _joined(namespace: str, name: str) -> str:
    """Return the name that a model sees of a tool in a namespace; one that is too long begins with a digest of all of it."""
    whole = f"{namespace.rstrip('_')}__{name}"
    if len(whole) <= _LONGEST_NAME:
        return whole
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{digest}_{whole[len(digest) + 1 - _LONGEST_NAME :]}"


def _add_item(messages: list[dict[str, Any]], item: Mapping[str, Any], ignored: list[str]) -> None:
    """Append an item of the input to the conversation."""
    kind = item.get("type") or "message"
    if kind == "message":
        role = _ROLES.get(str(item.get("role")))
        if role is None:
            raise BadCall(f"an item has the role {item.get('role')!r:.40}")
        messages.append({"role": role, "content": join_texts(item.get("content"))})
    elif kind == "function_call":
        space, name = item.get("namespace"), item.get("name")
        shown = _joined(str(space), str(name)) if space else name
        call = called_function(item.get("call_id"), shown, item.get("arguments"))
        if not messages or messages[-1]["role"] != "assistant":
            messages.append({"role": "assistant", "content": ""})
        messages[-1].setdefault("tool_calls", []).append(call)
    elif kind == "function_call_output":
        output = item.get("output")
        content = output if isinstance(output, str) else join_texts(output)
        messages.append({"role": "tool", "tool_call_id": str(item.get("call_id")), "content": content})
    else:
        ignored.append(f"input.{kind}")
