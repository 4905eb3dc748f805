"""OpenAI's responses API."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.batch.openai_batches import OpenAIBatches
from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Call, ProviderClient, Reading
from helm.clients.openai_client import OPENAI_BASE_URL
from helm.clients.protocols.chat_completions_client import is_reasoning_model
from helm.clients.protocols.message_parts import CALL, IMAGE, RESULT, TEXT, is_plain, read_messages
from helm.clients.protocols.openai_protocol import image_url, read_usage
from helm.common.cache import CacheConfig
from helm.common.formats.json_reading import read_json
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import FILTERED, SERVER, GeneratedOutput, Request, Thinking
from helm.common.request_options import EXTRA_BODY, REASONING_EFFORT, RESPONSE_FORMAT, TOP_P

ROUTE = "responses"
# OpenAI refuses to generate fewer.
_FEWEST_TOKENS = 16


class OpenAIResponseClient(ProviderClient):
    """`POST {base_url}/responses`, without storing responses at the provider.

    HELM: stop sequences are neither sent nor applied.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$OPENAI_API_KEY`.
        org_id: the organization that pays.
        base_url: the address; None means OpenAI's own.
        reasoning_effort: the effort of reasoning models.
        openai_model_name: OpenAI's name of the model; None means the second part of the model's name.
    """

    BASE_URL = OPENAI_BASE_URL
    KEY_VARIABLE = "OPENAI_API_KEY"
    CREDENTIAL = "openaiApiKey"
    MEDIA_FIELD = "input"
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, REASONING_EFFORT, EXTRA_BODY))
    sends_messages = True
    OPTION_FIELDS = {REASONING_EFFORT: "reasoning.effort"}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        org_id: str | None = None,
        base_url: str | None = None,
        reasoning_effort: str | None = None,
        openai_model_name: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url, {"OpenAI-Organization": org_id} if org_id else None)
        self.batches = OpenAIBatches(self.endpoint, 1.0 if self._key_extras else None)
        self.reasoning_effort = reasoning_effort
        self._model = openai_model_name

    def why_not(self, request: Request) -> str | None:
        if request.top_p != 1 and is_reasoning_model(self._model or request.model_engine):
            return f"{request.model_deployment} is a reasoning model of OpenAI, which takes no {TOP_P}"
        return super().why_not(request)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        model = self._model or request.model_engine
        raw: dict[str, Any] = {
            "model": model,
            "input": self._input(request),
            "top_p": request.top_p,
            "max_output_tokens": max(_FEWEST_TOKENS, request.max_tokens),
            "temperature": request.temperature,
            "store": False,
        }
        reasoning = {"effort": self.reasoning_effort} if self.reasoning_effort else {}
        if is_reasoning_model(model):
            reasoning["summary"] = "detailed"
            del raw["temperature"], raw["top_p"]
        if reasoning:
            raw["reasoning"] = reasoning
        if request.response_format is not None and request.response_format.json_schema is not None:
            schema = request.response_format.json_schema
            schema = {"additionalProperties": False, "required": list(schema.get("properties") or {}), **schema}
            raw["text"] = {"format": {"type": "json_schema", "name": "response", "schema": schema, "strict": True}}
        if request.tools:
            raw["tools"] = [{"type": "function", **tool.get("function", tool)} for tool in request.tools]
        return raw

    def _input(self, request: Request) -> Any:
        if request.messages:
            if all(is_plain(message) for message in request.messages):
                return request.messages
            return self._items(request.messages)
        if request.multimodal_prompt is not None:
            return [{"role": "user", "content": self._parts(request.multimodal_prompt)}]
        return request.prompt

    def _items(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Convert chat messages with parts, tool calls and their results to this API's format."""
        items: list[dict[str, Any]] = []
        for message in read_messages(messages, lambda cause: self._refusal(cause, ROUTE)):
            content: list[dict[str, Any]] = []
            for part in message.parts:
                if part.kind == TEXT:
                    kind = "output_text" if message.role == "assistant" else "input_text"
                    content.append({"type": kind, "text": part.text})
                elif part.kind == IMAGE:
                    url = part.url if part.data is None else f"data:{part.mime_type};base64,{part.data}"
                    content.append({"type": "input_image", "image_url": url})
                elif part.kind == CALL:
                    if content:
                        items.append({"role": message.role, "content": content})
                        content = []
                    arguments = json.dumps(part.arguments or {})
                    items.append(
                        {"type": "function_call", "call_id": part.id, "name": part.name, "arguments": arguments}
                    )
                elif part.kind == RESULT:
                    items.append({"type": "function_call_output", "call_id": part.id, "output": part.text})
                else:
                    raise self._refusal(f"a message holds {part.mime_type}, which cannot be sent there", ROUTE)
            if content:
                items.append({"role": message.role, "content": content})
        return items

    def _parts(self, prompt: MultimediaObject) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        for media in prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                parts.append({"type": "input_text", "text": media.text})
            elif media.is_type(IMAGE_TYPE):
                parts.append({"type": "input_image", "image_url": image_url(media)})
            else:
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there", ROUTE)
        return parts

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        raw = self._add_options(self._raw_request(request), request, num_there)
        # The first completion has HELM's key. In HELM the others share it, and so repeat the same answer.
        return Call(ROUTE, raw, self._cache_key(raw, request, num_there), self._check, self._read)

    def _check(self, response: Any) -> None:
        if not isinstance(response, dict) or not isinstance(response.get("output"), list):
            raise self._malformed(ROUTE, "the answer holds no list output", response)
        status = response.get("status")
        if status not in (None, "completed", "incomplete"):
            raise self.endpoint.failure(SERVER, ROUTE, f"the answer has the status '{status}'.")
        reason = (response.get("incomplete_details") or {}).get("reason")
        text = self._read(response)[0][0].text
        if reason == "content_filter" and not text:
            raise self.endpoint.failure(FILTERED, ROUTE, "the server's content filter withheld the answer.")
        has_calls = any(isinstance(item, dict) and item.get("type") == "function_call" for item in response["output"])
        if not text and not has_calls and not any(_texts(response, "message", "content")) and reason is None:
            if not any(isinstance(item, dict) and item.get("type") == "message" for item in response["output"]):
                raise self._malformed(ROUTE, "the answer holds no message", response["output"])

    def _read(self, response: Mapping[str, Any]) -> Reading:
        thoughts = _texts(response, "reasoning", "summary") + _texts(response, "reasoning", "content")
        status = response.get("status")
        reason = (response.get("incomplete_details") or {}).get("reason") if status == "incomplete" else "stop"
        calls = [
            {"id": item.get("call_id"), "name": item.get("name"), "arguments": _arguments(item.get("arguments"))}
            for item in response["output"]
            if isinstance(item, dict) and item.get("type") == "function_call"
        ]
        output = GeneratedOutput(
            text="\n\n".join(_texts(response, "message", "content")),
            logprob=0,
            tokens=[],
            finish_reason={"reason": {"max_output_tokens": "length"}.get(str(reason), str(reason))},
            thinking=Thinking("\n\n".join(thoughts)) if thoughts else None,
            tool_calls=calls or None,
        )
        return [output], read_usage(response)


def _texts(response: Mapping[str, Any], kind: str, part: str) -> list[str]:
    """Return the texts of all output items of one kind; a refusal counts as a text."""
    texts = []
    for item in response["output"]:
        if isinstance(item, dict) and item.get("type") == kind:
            for piece in item.get(part) or []:
                text = piece.get("text", piece.get("refusal")) if isinstance(piece, dict) else None
                if isinstance(text, str):
                    texts.append(text)
    return texts


def _arguments(text: Any) -> Any:
    try:
        return read_json(text) if isinstance(text, str) and re.match(r"\s*[{\[]", text) else text
    except ValueError:
        return text
