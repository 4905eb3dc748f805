"""Google's Gemini models, at Google's developer API or at Vertex AI."""

import os
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from helm.clients.http.google_credentials import GoogleCredentials
from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Call, HTTPClient, Reading, find_key
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.protocols.message_parts import CALL, RESULT, TEXT, Part, read_messages
from helm.clients.protocols.openai_protocol import base64_of, cut_at_stop, mime_type
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import FILTERED, GeneratedOutput, Request, Thinking, Token, Usage
from helm.common.request_options import (
    EXTRA_BODY,
    REASONING_EFFORT,
    RESPONSE_FORMAT,
    SEED,
    THINKING_TOKENS,
    TOP_P,
    RequestOptions,
    merged,
)

GEMINI_BASE_URL = "https://generativelanguage.googleapis.com/v1beta"
FILTER_REASONS = frozenset(
    ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY")
)
"""Why a filter ended an answer."""
_MOST_THINKING_TOKENS = 24576
"""The largest budget that all models before Gemini 3 accept."""
_THINKING_LEVELS = ("minimal", "low", "medium", "high")
_GEMINI_VERSION = re.compile(r"gemini-(\d+)")
_FINISH_REASONS = {"STOP": "stop", "MAX_TOKENS": "length"}
_SNAKE_TO_CAMEL = {
    "include_thoughts": "includeThoughts",
    "thinking_budget": "thinkingBudget",
    "thinking_level": "thinkingLevel",
}


class GoogleGenAIClient(HTTPClient):
    """`POST .../models/MODEL:generateContent`.

    Args:
        cache_config: where responses are cached.
        api_key: the key of the developer API; None reads `$GEMINI_API_KEY` or `$GOOGLE_API_KEY`.
        project_id, location: the project and location at Vertex AI.
        thinking_config: `include_thoughts`, `thinking_budget`.
        genai_model: Google's name of the model, `PUBLISHER/MODEL` for other publishers at Vertex AI; None means the second
            part of the model's name.
        genai_use_vertexai: whether to use Vertex AI; None uses it if there is a project and no key.
        base_url: the address; None means Google's own.
        safety_settings: the settings in the format of Google's API.
    """

    MEDIA_FIELD = "contents"
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, SEED, RESPONSE_FORMAT, REASONING_EFFORT, EXTRA_BODY))
    sends_messages = True
    OPTION_FIELDS = {SEED: "generationConfig.seed"}
    TOP_K_FIELD = "generationConfig.topK"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        project_id: str | None = None,
        location: str | None = None,
        thinking_config: dict[str, Any] | None = None,
        genai_model: str | None = None,
        genai_use_vertexai: bool | None = None,
        base_url: str | None = None,
        safety_settings: list[dict[str, str]] | None = None,
    ):
        variable = "GEMINI_API_KEY" if os.environ.get("GEMINI_API_KEY") else "GOOGLE_API_KEY"
        key, missing = find_key(api_key, variable, "googleApiKey")
        uses_vertex = genai_use_vertexai if genai_use_vertexai is not None else bool(project_id and not key)
        self._credentials: GoogleCredentials | None = None
        self._path = "models/{publisher_model}"
        if uses_vertex:
            project_id = project_id or os.environ.get("GOOGLE_CLOUD_PROJECT")
            if not project_id:
                raise ConfigError("Vertex AI needs googleProjectId in credentials.conf, or GOOGLE_CLOUD_PROJECT.")
            location = location or os.environ.get("GOOGLE_CLOUD_LOCATION") or "us-central1"
            host = "aiplatform.googleapis.com" if location == "global" else f"{location}-aiplatform.googleapis.com"
            usual_url = f"https://{host}/v1/projects/{project_id}/locations/{location}"
            self._path = "publishers/{publisher}/models/{model}"
            self._credentials, key, missing = GoogleCredentials(), None, None
        else:
            usual_url = GEMINI_BASE_URL
        headers = {"x-goog-api-key": key} if key else {}
        super().__init__(cache_config, HTTPEndpoint(base_url or usual_url, headers, secret=key or ""), missing)
        self._key_extras = {} if not base_url or base_url == usual_url else {"base_url": self.endpoint.public_url}
        self._model = genai_model
        self._thinking_config = thinking_config
        self._safety_settings = safety_settings

    def _route(self, request: Request) -> str:
        model = self._model or request.model_engine
        publisher, _, name = model.rpartition("/")
        path = self._path.format(publisher=publisher or "google", model=name, publisher_model=name)
        return f"{path}:generateContent"

    def _seed(self, random: str) -> int:
        try:
            return int(random)
        except ValueError:
            raise self._refusal(f"`random` is the seed and must be a whole number, not '{random}'") from None

    def _raw_request(self, request: Request) -> dict[str, Any]:
        system, contents = self._contents(request)
        config: dict[str, Any] = {
            "temperature": request.temperature,
            "topP": request.top_p,
            "topK": request.top_k_per_token,
            "candidateCount": request.num_completions,
            "maxOutputTokens": request.max_tokens,
            "stopSequences": request.stop_sequences,
            "presencePenalty": request.presence_penalty,
            "frequencyPenalty": request.frequency_penalty,
        }
        if request.random is not None:
            config["seed"] = self._seed(request.random)
        if self._thinking_config:
            config["thinkingConfig"] = {_SNAKE_TO_CAMEL.get(k, k): v for k, v in self._thinking_config.items()}
        if request.response_format is not None and request.response_format.json_schema is not None:
            schema = request.response_format.json_schema
            config.update(responseMimeType="application/json", responseJsonSchema=schema)
        raw: dict[str, Any] = {"contents": contents, "generationConfig": config}
        if system is not None:
            raw["systemInstruction"] = system
        if self._safety_settings:
            raw["safetySettings"] = self._safety_settings
        if request.tools:
            raw["tools"] = [{"functionDeclarations": [tool.get("function", tool) for tool in request.tools]}]
        return raw

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        effort = options.reasoning_effort
        if effort is None:
            return raw
        version = _GEMINI_VERSION.search(self._model or request.model_engine)
        config: dict[str, Any] = {"includeThoughts": effort != "none"}
        if version is not None and int(version[1]) >= 3:
            config["thinkingLevel"] = effort
        else:
            config["thinkingBudget"] = 0 if effort == "none" else min(THINKING_TOKENS[effort], _MOST_THINKING_TOKENS)
        return merged(raw, {"generationConfig": {"thinkingConfig": config}})

    def why_not(self, request: Request) -> str | None:
        effort = request.options.reasoning_effort if request.options is not None else None
        version = _GEMINI_VERSION.search(self._model or request.model_engine)
        has_levels = version is not None and int(version[1]) >= 3
        taken = _THINKING_LEVELS if has_levels else ("none", *THINKING_TOKENS)
        if effort is not None and effort not in taken:
            return f"{request.model_deployment}: reasoning_effort takes {', '.join(taken)}, not '{effort}'"
        return super().why_not(request)

    def _contents(self, request: Request) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
        if request.messages:
            system, contents = None, []
            for message in read_messages(request.messages, self._refusal):
                content = {"parts": [_part(part) for part in message.parts]}
                if message.role == "system":
                    system = content
                else:
                    contents.append({**content, "role": "model" if message.role == "assistant" else "user"})
            return system, contents
        if request.multimodal_prompt is not None:
            return None, [{"parts": self._parts(request.multimodal_prompt), "role": "user"}]
        return None, [{"parts": [{"text": request.prompt}], "role": "user"}]

    def _parts(self, prompt: MultimediaObject) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        for media in prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                parts.append({"text": media.text})
            elif media.is_local_file:
                kind = mime_type(media) if media.is_type(IMAGE_TYPE) else media.content_type
                parts.append({"inlineData": {"mimeType": kind, "data": base64_of(media)}})
            else:
                parts.append({"fileData": {"mimeType": media.content_type, "fileUri": media.location}})
        return parts

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        route = self._route(request)
        raw = self._raw_request(request)
        raw["generationConfig"]["candidateCount"] = num_missing
        raw = self._add_options(raw, request, num_there)
        key = self._cache_key({"route": route, **raw}, request, num_there)
        headers = self._credentials.headers if self._credentials is not None else None
        return Call(route, raw, key, partial(self._check, route), partial(self._read, request), headers)

    def _check(self, route: str, response: Any) -> None:
        feedback = response.get("promptFeedback") if isinstance(response, dict) else None
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            reason = feedback["blockReason"]
            raise self.endpoint.failure(FILTERED, route, f"the prompt was blocked by the content filter: {reason}.")
        candidates = response.get("candidates") if isinstance(response, dict) else None
        if not isinstance(candidates, list) or not candidates or not all(isinstance(c, dict) for c in candidates):
            raise self._malformed(route, "the answer holds no list of candidates", response)
        for candidate in candidates:
            reason = candidate.get("finishReason")
            content = candidate.get("content") or {}
            parts = content.get("parts") if isinstance(content, dict) else None
            if parts is not None and not (isinstance(parts, list) and all(isinstance(part, dict) for part in parts)):
                raise self._malformed(route, "the parts of a candidate are malformed", candidate)
            if not parts and reason in FILTER_REASONS:
                raise self.endpoint.failure(FILTERED, route, f"the content filter withheld the answer: {reason}.")
            if not parts and reason not in _FINISH_REASONS:
                raise self._malformed(route, "a candidate holds no content", candidate)

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = [cut_at_stop(_read_candidate(c), request.stop_sequences) for c in response["candidates"]]
        return outputs, read_usage_metadata(response)


def _part(part: Part) -> dict[str, Any]:
    if part.kind == CALL:
        return {"functionCall": {"name": part.name, "args": part.arguments or {}}}
    if part.kind == RESULT:
        return {"functionResponse": {"name": part.name, "response": {"result": part.text}}}
    if part.kind == TEXT:
        return {"text": part.text}
    if part.data is not None:
        return {"inlineData": {"mimeType": part.mime_type, "data": part.data}}
    from mimetypes import guess_type

    return {"fileData": {"mimeType": guess_type(part.url)[0] or "image/jpeg", "fileUri": part.url}}


def _read_candidate(candidate: Mapping[str, Any]) -> GeneratedOutput:
    parts = (candidate.get("content") or {}).get("parts") or []
    thoughts = [part["text"] for part in parts if part.get("thought") and isinstance(part.get("text"), str)]
    texts = [part["text"] for part in parts if not part.get("thought") and isinstance(part.get("text"), str)]
    calls = [
        {"id": call.get("id"), "name": call.get("name"), "arguments": call.get("args")}
        for call in (part.get("functionCall") for part in parts)
        if isinstance(call, dict)
    ]
    chosen = (candidate.get("logprobsResult") or {}).get("chosenCandidates") or []
    tokens = [Token(text=str(c.get("token")), logprob=float(c.get("logProbability") or 0.0)) for c in chosen]
    reason = candidate.get("finishReason")
    return GeneratedOutput(
        text="".join(texts),
        logprob=sum([token.logprob for token in tokens]),
        tokens=tokens,
        finish_reason={"reason": _FINISH_REASONS.get(reason, str(reason).lower())} if reason else None,
        thinking=Thinking("".join(thoughts)) if thoughts else None,
        tool_calls=calls or None,
    )


def read_usage_metadata(response: Mapping[str, Any]) -> Usage | None:
    """Read the token counts: Google counts thoughts separately from the candidates."""
    usage = response.get("usageMetadata")
    if not isinstance(usage, dict) or not isinstance(usage.get("promptTokenCount"), int):
        return None
    counts = {name: count for name, count in usage.items() if isinstance(count, int)}
    thoughts = counts.get("thoughtsTokenCount")
    prompt = counts["promptTokenCount"] + counts.get("toolUsePromptTokenCount", 0)
    completion = counts.get("candidatesTokenCount", 0) + (thoughts or 0)
    return Usage(prompt, completion, thoughts, counts.get("cachedContentTokenCount"))
