"""Older names of Google's models at Vertex AI."""

import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from helm.clients.google_genai_client import GoogleGenAIClient
from helm.clients.http.google_credentials import GoogleCredentials
from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Call, HTTPClient, Reading
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.request import FILTERED, MALFORMED, GeneratedOutput, Request
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT, SEED, TOP_P

_CATEGORIES = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")


class SafetySettingPresets:
    """What Google is asked to block."""

    BLOCK_NONE = "block_none"
    DEFAULT = "default"


_PRESETS = {SafetySettingPresets.BLOCK_NONE: "BLOCK_NONE", SafetySettingPresets.DEFAULT: None}


class VertexAIChatClient(GoogleGenAIClient):
    """Gemini at Vertex AI.

    Args:
        cache_config: where responses are cached.
        project_id, location: the project and location at Vertex AI.
        safety_settings_preset: `block_none` or `default`; None blocks nothing, as in HELM.
        vertexai_model: Google's name of the model; None means the second part of the model's name.
        base_url: the address; None means Google's own.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        project_id: str | None = None,
        location: str | None = None,
        safety_settings_preset: str | None = None,
        vertexai_model: str | None = None,
        base_url: str | None = None,
    ):
        preset = safety_settings_preset or "block_none"
        if preset not in _PRESETS:
            raise ConfigError(f"safety_settings_preset takes {' or '.join(_PRESETS)}, not '{preset}'.")
        threshold = _PRESETS[preset]
        settings = [{"category": f"HARM_CATEGORY_{name}", "threshold": threshold} for name in _CATEGORIES if threshold]
        super().__init__(
            cache_config,
            project_id=project_id,
            location=location,
            genai_model=vertexai_model,
            genai_use_vertexai=True,
            base_url=base_url,
            safety_settings=settings,
        )


class VertexAITextClient(HTTPClient):
    """PaLM models at Vertex AI: `POST .../models/MODEL:predict`.

    For the arguments, see VertexAIChatClient.
    """

    lacks = NO_PROMPT_LOGPROBS
    TAKES_TOOLS = False
    takes_options = frozenset((TOP_P, SEED, PLAIN_PROMPT, EXTRA_BODY))
    OPTION_FIELDS = {SEED: "parameters.seed"}
    TOP_K_FIELD = "parameters.topK"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        project_id: str | None = None,
        location: str | None = None,
        vertexai_model: str | None = None,
        base_url: str | None = None,
    ):
        project_id = project_id or os.environ.get("GOOGLE_CLOUD_PROJECT")
        if not project_id and not base_url:
            raise ConfigError("Vertex AI needs googleProjectId in credentials.conf, or GOOGLE_CLOUD_PROJECT.")
        location = location or "us-central1"
        usual_url = f"https://{location}-aiplatform.googleapis.com/v1/projects/{project_id}/locations/{location}"
        super().__init__(cache_config, HTTPEndpoint(base_url or usual_url))
        self._key_extras = {"base_url": self.endpoint.public_url} if base_url else {}
        self._credentials = GoogleCredentials()
        self._model = vertexai_model

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        model = self._model or request.model_engine
        route = f"publishers/google/models/{model}:predict"
        if request.messages or request.multimodal_prompt is not None or request.echo_prompt:
            raise self._refusal("this API takes a text, not messages or media, and has no echo", route)
        raw: dict[str, Any] = {
            "instances": [{"prompt": request.prompt}],
            "parameters": {
                "temperature": request.temperature,
                "maxOutputTokens": request.max_tokens,
                "topK": request.top_k_per_token,
                "topP": request.top_p,
                "stopSequences": request.stop_sequences,
                "candidateCount": num_missing,
            },
        }
        raw = self._add_options(raw, request, num_there)
        key = self._cache_key({"model": model, **raw}, request, num_there)
        check, read = partial(self._check, route), partial(self._read, request)
        return Call(route, raw, key, check, read, self._credentials.headers)

    def _check(self, route: str, response: Any) -> None:
        predictions = response.get("predictions") if isinstance(response, dict) else None
        if not isinstance(predictions, list) or not predictions:
            raise self._malformed(route, "the answer holds no predictions", response)
        for prediction in predictions:
            if (prediction.get("safetyAttributes") or {}).get("blocked"):
                raise self.endpoint.failure(FILTERED, route, "the content filter withheld the answer.")
            if not isinstance(prediction.get("content"), str):
                raise self.endpoint.failure(MALFORMED, route, "a prediction holds no content.")

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = [GeneratedOutput(p["content"], logprob=0, tokens=[]) for p in response["predictions"]]
        return [cut_at_stop(output, request.stop_sequences) for output in outputs], None
