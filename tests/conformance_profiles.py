"""The providers that the conformance server can be: `{origin}/PROFILE/...`. What they accept, and how they complain."""

from collections.abc import Callable
from dataclasses import dataclass, field

from conformance_faults import (
    aleph_alpha_error,
    anthropic_error,
    azure_error,
    detail_error,
    google_error,
    llama_cpp_error,
    message_error,
    openai_error,
    text_error,
    tgi_error,
    vllm_error,
    watsonx_error,
    writer_error,
)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SAMPLING = (
    "temperature top_p n stop max_tokens presence_penalty frequency_penalty seed stream stream_options logit_bias "
)
_OPENAI_CHAT = _names(
    "model messages max_completion_tokens response_format tools tool_choice logprobs top_logprobs user reasoning_effort "
    "parallel_tool_calls modalities audio store metadata service_tier prediction verbosity " + _SAMPLING
)
_OPENAI_TEXT = _names("model prompt best_of echo logprobs suffix user " + _SAMPLING)

FIELDS: dict[str, frozenset[str]] = {
    "chat": _OPENAI_CHAT,
    "completions": _OPENAI_TEXT,
    "responses": _names(
        "model input instructions max_output_tokens temperature top_p store reasoning text tools tool_choice stream "
        "include metadata parallel_tool_calls previous_response_id truncation user background service_tier"
    ),
    "embeddings": _names("model input dimensions encoding_format user"),
    "anthropic": _names(
        "model messages max_tokens system stop_sequences temperature top_p top_k thinking tools tool_choice stream metadata "
        "service_tier output_config"
    ),
    "anthropic_text": _names(
        "model prompt max_tokens_to_sample stop_sequences temperature top_p top_k metadata stream"
    ),
    "gemini": _names("contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent"),
    "generationConfig": _names(
        "temperature topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty seed "
        "thinkingConfig responseMimeType responseJsonSchema responseSchema responseLogprobs logprobs"
    ),
    "vertex_text": _names("instances parameters"),
    "parameters": _names(  # PaLM's and watsonx's
        "temperature maxOutputTokens topK topP stopSequences candidateCount seed decoding_method max_new_tokens min_new_tokens "
        "stop_sequences top_p top_k random_seed repetition_penalty time_limit truncate_input_tokens"
    ),
    "cohere": _names(
        "model messages temperature max_tokens k p stop_sequences frequency_penalty presence_penalty seed response_format "
        "tools tool_choice documents citation_options safety_mode stream thinking logprobs strict_tools"
    ),
    "cohere_text": _names(
        "prompt model num_generations max_tokens truncate temperature k p frequency_penalty presence_penalty end_sequences "
        "stop_sequences return_likelihoods raw_prompting seed preset stream"
    ),
    "ai21_text": _names(
        "prompt numResults maxTokens minTokens temperature topP stopSequences topKReturn frequencyPenalty presencePenalty "
        "countPenalty logitBias"
    ),
    "aleph_alpha": _names(
        "model prompt maximum_tokens minimum_tokens echo temperature top_k top_p presence_penalty frequency_penalty n "
        "best_of logit_bias log_probs stop_sequences tokens raw_completion disable_optimizations nice"
    ),
    "reka": _names(
        "model messages max_tokens temperature stop top_p top_k presence_penalty frequency_penalty seed stream"
    ),
    "bedrock": _names("messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields"),
    "inferenceConfig": _names("maxTokens temperature topP stopSequences"),
    "watsonx_chat": _names(
        "model_id project_id space_id messages max_tokens max_completion_tokens temperature top_p stop presence_penalty "
        "frequency_penalty n logprobs top_logprobs seed response_format tools tool_choice time_limit logit_bias "
        "reasoning_effort chat_template_kwargs"
    ),
    "watsonx_text": _names("model_id project_id space_id input parameters moderations"),
    "palmyra_vision": _names("parts"),
    "palmyra_text": _names("prompt maxTokens minTokens temperature topP bestOf stop frequencyPenalty presencePenalty"),
    "http_model": _names(
        "prompt temperature num_return_sequences max_new_tokens top_p echo_prompt top_k_per_token stop_sequences"
    ),
}
"""What a dialect has, and what is inside of its `generationConfig`, `parameters` and `inferenceConfig`."""

BEARER = ("Authorization", "Bearer {key}")


@dataclass(frozen=True)
class Profile:
    error: Callable = openai_error
    """Body of an error from (status, kind, message)."""

    key: tuple[str, str] | None = BEARER
    """The header that must hold the key; None: none is needed, or the dialect looks at it."""

    routes: tuple[tuple[str, str], ...] = ()
    """(end of the path, dialect) before those of OpenAI."""

    fields: dict[str, frozenset[str]] = field(default_factory=dict)
    """Where they are not those of `FIELDS`."""

    statuses: dict[str, int] = field(default_factory=dict)
    """By kind of error, where they are not the usual ones."""

    messages: dict[str, str] = field(default_factory=dict)
    """By kind of error, the same."""


_CONTEXT = "This model's maximum context length is 4096 tokens. However, you requested 9005 tokens."

PROFILES: dict[str, Profile] = {
    "": Profile(),
    "openai": Profile(),
    "azure": Profile(error=azure_error, key=("api-key", "{key}")),
    "openrouter": Profile(
        fields={"chat": _OPENAI_CHAT | {"reasoning"}},
        statuses={"credit": 402},
        messages={"credit": "Insufficient credits. Add more."},
    ),
    "together": Profile(
        fields={
            "chat": _names(
                "model messages max_tokens stop temperature top_p top_k repetition_penalty stream logprobs echo n min_p "
                "presence_penalty frequency_penalty logit_bias seed response_format tools tool_choice safety_model "
                "reasoning_effort chat_template_kwargs"
            ),
            "completions": _names(
                "model prompt max_tokens stop temperature top_p top_k repetition_penalty stream logprobs echo n min_p "
                "presence_penalty frequency_penalty logit_bias seed safety_model"
            ),
        },
        statuses={"too_long": 422},
        messages={"too_long": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097."},
    ),
    "mistral": Profile(
        error=message_error,
        fields={
            "chat": _names(
                "model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice "
                "presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode safe_prompt"
            )
        },
        messages={"auth": "Unauthorized", "too_long": "Prompt contains 9000 tokens, too large for model with 4096."},
    ),
    "groq": Profile(
        fields={"chat": _OPENAI_CHAT - {"n", "logprobs", "top_logprobs", "logit_bias"}},
        statuses={"too_long": 413},
        messages={"too_long": "Request too large for model: Limit 4096, Requested 9005."},
    ),
    "deepseek": Profile(
        fields={
            "chat": _names(
                "model messages thinking frequency_penalty max_tokens presence_penalty response_format stop stream "
                "stream_options temperature top_p tools tool_choice logprobs top_logprobs"
            )
        },
        statuses={"credit": 402},
        messages={"credit": "Insufficient Balance"},
    ),
    "xai": Profile(
        error=text_error,
        fields={"chat": _OPENAI_CHAT - {"presence_penalty", "frequency_penalty"}},
        statuses={"auth": 400},
        messages={"auth": "Incorrect API key provided: sk***et. You can obtain an API key from the console."},
    ),
    "ai21": Profile(
        error=detail_error,
        routes=(("/complete", "ai21_text"),),
        fields={
            "chat": _names("model messages tools documents response_format max_tokens temperature top_p stop n stream")
        },
        statuses={"too_long": 422},
    ),
    "writer": Profile(
        error=writer_error,
        routes=(("/v1/chat", "chat"), ("/model/model-1/completions", "palmyra_text"), ("/vision", "palmyra_vision")),
        fields={
            "chat": _names(
                "model messages max_tokens temperature top_p n stop logprobs stream stream_options tools tool_choice "
                "response_format"
            )
        },
        messages={"auth": "Unauthorized access"},
    ),
    "palmyra": Profile(error=writer_error),
    "vllm": Profile(
        error=vllm_error,
        key=None,
        routes=(("/detokenize", "vllm_detokenize"), ("/tokenize", "vllm_tokenize")),
        fields={
            "chat": _OPENAI_CHAT | {"chat_template_kwargs", "guided_regex"},
            "completions": (_OPENAI_TEXT | {"guided_regex"}) - {"best_of"},
        },
    ),
    "llamacpp": Profile(error=llama_cpp_error),
    "tgi": Profile(
        error=tgi_error,
        statuses={"too_long": 422, "overloaded": 429},
        messages={"too_long": "Input validation error: `inputs` must have less than 4096 tokens. Given: 9000"},
    ),
    "ollama": Profile(error=text_error, key=None, messages={"bad": "json: unknown field"}),
    "anthropic": Profile(
        error=anthropic_error,
        key=("x-api-key", "{key}"),
        routes=(("/complete", "anthropic_text"),),
        statuses={"credit": 400},
        messages={
            "credit": "Your credit balance is too low to access the API.",
            "auth": "invalid x-api-key",
            "too_long": "prompt is too long: 210000 tokens > 200000 maximum",
        },
    ),
    "google": Profile(
        error=google_error,
        key=("x-goog-api-key", "{key}"),
        statuses={"auth": 400, "credit": 403},
        messages={
            "auth": "API key not valid. Please pass a valid API key.",
            "credit": "This API method requires billing to be enabled.",
            "rate_limit": "You exceeded your current quota, please check your plan and billing details.",
            "too_long": "The input token count (9000) exceeds the maximum number of tokens allowed (4096).",
        },
    ),
    "vertex": Profile(
        error=google_error,
        key=None,
        routes=((":predict", "vertex_text"),),
        statuses={"credit": 403},
        messages={"auth": "Request had invalid authentication credentials.", "credit": "Billing is disabled."},
    ),
    "cohere": Profile(
        error=message_error,
        routes=(("/v2/chat", "cohere"), ("/generate", "cohere_text")),
        messages={"auth": "invalid api token", "too_long": "too many tokens: size limit exceeded by 5000 tokens."},
    ),
    "alephalpha": Profile(error=aleph_alpha_error, routes=(("/complete", "aleph_alpha"),)),
    "reka": Profile(error=detail_error, key=("X-Api-Key", "{key}"), routes=(("/v1/chat", "reka"),)),
    "watsonx": Profile(
        error=watsonx_error, key=None, routes=(("/text/chat", "watsonx_chat"), ("/text/generation", "watsonx_text"))
    ),
    "bedrock": Profile(
        error=message_error,
        routes=(("/converse", "bedrock"),),
        statuses={"auth": 403},
        messages={
            "auth": "The security token included in the request is invalid.",
            "too_long": "Input is too long for requested model.",
        },
    ),
    "httpmodel": Profile(error=text_error, key=None, routes=(("/process", "http_model"),)),
    "tokens": Profile(key=None, routes=(("/token", "token"),)),
}

ROUTES: tuple[tuple[str, str], ...] = (
    ("/chat/completions", "chat"),
    ("/completions", "completions"),
    ("/responses", "responses"),
    ("/embeddings", "embeddings"),
    ("/messages", "anthropic"),
    (":generateContent", "gemini"),
    ("/transcriptions", "transcriptions"),
)

STATUSES = {"rate_limit": 429, "server": 500, "overloaded": 503, "auth": 401, "credit": 429, "filter": 400, "bad": 400}
STATUSES.update(too_long=400)

MESSAGES = {
    "rate_limit": "Rate limit reached",
    "server": "Something broke",
    "overloaded": "Overloaded, please try again later",
    "auth": "Incorrect API key provided",
    "credit": "You exceeded your current quota",
    "filter": "The response was filtered due to the prompt triggering our content management policy.",
    "bad": "temperature must be below 2",
    "too_long": _CONTEXT,
}


def split_path(path: str) -> tuple[str, str]:
    """(profile, the rest without the query) of a path; the profile is "" when the path names none."""
    path = path.partition("?")[0]
    first, _, rest = path.lstrip("/").partition("/")
    return (first, f"/{rest}") if first in PROFILES and first else ("", path)


def dialect_of(path: str) -> str | None:
    """None: there is no such route."""
    name, rest = split_path(path)
    return next((dialect for end, dialect in (*PROFILES[name].routes, *ROUTES) if rest.endswith(end)), None)
