"""What the conformance server can do wrong, by name; and the error bodies of the dialects."""

OK = "ok"
RATE_LIMIT = "429"
RATE_LIMIT_RETRY_AFTER = "429 with Retry-After"
RATE_LIMIT_RETRY_DATE = "429 with Retry-After as a date"
RATE_LIMIT_SOON_FULL = "the last request of the current limit, by headers"
SERVER_ERROR = "500"
SERVER_ERROR_RETRY_AFTER = "500 with Retry-After"
UNAVAILABLE = "503"
OVERLOADED = "529"
HTML = "502 with HTML"
LOGIN_PAGE = "200 with HTML"
HANG = "hang"
TRICKLE = "a body that never ends"
RESET = "reset before the answer"
HALF_BODY = "connection closed in the middle of the body"
BROKEN_JSON = "200 with broken JSON"
EMPTY = "200 without a body"
NO_OBJECT = "200 with a list"
ERROR_OBJECT = "200 with an error object"
ERROR_BESIDE = "an error beside an answer"
ERROR_INSIDE = "an error in a part of an answer"
ERROR_REASON = "an answer whose finish reason is an error"
DEEP = "200 with 100,000 brackets"
NULL_CONTENT = "null content"
NO_CHOICES = "no choices"
NO_USAGE = "no usage"
EXTRA_FIELDS = "fields nobody knows"
AUTH = "401"
NO_CREDIT = "429 without credit"
FILTERED = "content filter"
FILTERED_PROMPT = "400 of a content filter"
REFUSAL = "a refusal by the model"
LENGTH = "cut at max_tokens"
BAD_REQUEST = "400"
TOO_LONG = "prompt too long"
THINKING = "reasoning before the answer"
STREAM = "a stream though nobody asked"
STREAM_IN_PIECES = "a stream in pieces of five bytes"
STREAM_CHATTY = "a stream with comments and pings, and line ends of all kinds"
STREAM_WITHOUT_END = "a stream without its last mark"
STREAM_BROKEN_OFF = "a stream that ends in the middle"
STREAM_ERROR = "a stream that ends with an error"
TOOL_CALL = "a call of a tool"

STREAMS = (STREAM, STREAM_IN_PIECES, STREAM_CHATTY, STREAM_WITHOUT_END, STREAM_BROKEN_OFF, STREAM_ERROR)
"""Servers that can stream do so for these, asked or not."""

UPSTREAM_ERROR = {"message": "the server behind this one died", "type": "server_error", "code": 502}
_PARTS = ("choices", "candidates", "completions", "generations", "predictions", "responses", "results")
ERROR_REASONS = {
    "chat": ("finish_reason", "error"),
    "completions": ("finish_reason", "error"),
    "responses": ("status", "failed"),
    "cohere": ("finish_reason", "ERROR"),
    "cohere_text": ("finish_reason", "ERROR"),
    "watsonx_chat": ("finish_reason", "error"),
    "watsonx_text": ("stop_reason", "error"),
}
"""What a dialect says, and where, when an answer came to an end by an error."""


def add_error(fault, dialect, answer):
    """The answer as a gateway gives it when the server behind it has died half way."""
    if fault == ERROR_BESIDE:
        return {**answer, "error": UPSTREAM_ERROR}
    name = next((name for name in _PARTS if name in answer), None)
    extra = {"error": UPSTREAM_ERROR} if fault == ERROR_INSIDE else {}
    if fault == ERROR_REASON and dialect in ERROR_REASONS:
        key, value = ERROR_REASONS[dialect]
        extra = {key: value}
    return {**answer, **extra} if name is None else {**answer, name: [{**part, **extra} for part in answer[name]]}


HTML_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"


class Response(Exception):
    """Ends the handling of a request: status, body, headers."""

    def __init__(self, status, body, headers=None, content_type="application/json", pieces=None):
        import json

        self.status, self.headers, self.content_type, self.pieces = status, headers or {}, content_type, pieces
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


# --- What servers say about an error: body by (status, kind, message) ------------------------------------------------------


def openai_error(status, kind, message):
    types = {
        "rate_limit": ("rate_limit_error", "rate_limit_exceeded"),
        "credit": ("insufficient_quota", "insufficient_quota"),
        "auth": ("invalid_request_error", "invalid_api_key"),
        "too_long": ("invalid_request_error", "context_length_exceeded"),
        "filter": ("invalid_request_error", "content_policy_violation"),
        "bad": ("invalid_request_error", None),
        "server": ("server_error", None),
        "overloaded": ("server_error", "overloaded"),
    }
    error_type, code = types[kind]
    return {"error": {"message": message, "type": error_type, "param": None, "code": code}}


def azure_error(status, kind, message):
    if kind == "filter":
        inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}}
        return {"error": {"message": message, "type": None, "code": "content_filter", "innererror": inner}}
    return {"error": {"code": str(status), "message": message}}


def anthropic_error(status, kind, message):
    types = {
        "rate_limit": "rate_limit_error",
        "credit": "billing_error",
        "auth": "authentication_error",
        "server": "api_error",
        "overloaded": "overloaded_error",
    }
    return {"type": "error", "error": {"type": types.get(kind, "invalid_request_error"), "message": message}}


def google_error(status, kind, message):
    names = {"rate_limit": "RESOURCE_EXHAUSTED", "credit": "RESOURCE_EXHAUSTED", "auth": "UNAUTHENTICATED"}
    names.update(server="INTERNAL", overloaded="UNAVAILABLE")
    return {"error": {"code": status, "message": message, "status": names.get(kind, "INVALID_ARGUMENT")}}


def message_error(status, kind, message):
    return {"message": message}


def detail_error(status, kind, message):
    """Of servers made with FastAPI."""
    return {"detail": message if status != 422 else [{"loc": ["body", "x"], "msg": message, "type": "value_error"}]}


def aleph_alpha_error(status, kind, message):
    codes = {"rate_limit": "TOO_MANY_REQUESTS", "auth": "UNAUTHENTICATED", "overloaded": "QUEUE_FULL"}
    return {"error": message, "code": codes.get(kind, "OUT_OF_RANGE_PARAMETER" if status == 400 else "UNKNOWN_ERROR")}


def watsonx_error(status, kind, message):
    codes = {"rate_limit": "token_quota_reached", "auth": "authentication_token_expired", "server": "downstream_error"}
    error = {"code": codes.get(kind, "invalid_input_argument"), "message": message}
    return {"errors": [error], "trace": "0123", "status_code": status}


def writer_error(status, kind, message):
    return {"tpe": "fail", "errors": [{"key": f"fail.{kind}", "description": message}], "extras": None}


def tgi_error(status, kind, message):
    types = {"rate_limit": "overloaded", "overloaded": "overloaded", "server": "generation"}
    return {"error": message, "error_type": types.get(kind, "validation")}


def llama_cpp_error(status, kind, message):
    types = {"auth": "authentication_error", "overloaded": "unavailable_error", "server": "server_error"}
    error = {"code": status, "message": message, "type": types.get(kind, "invalid_request_error")}
    if kind == "too_long":
        error.update(type="exceed_context_size_error", n_prompt_tokens=9000, n_ctx=4096)
    return {"error": error}


def vllm_error(status, kind, message):
    """Older versions had the error itself where newer ones have it below `error`."""
    return {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": status}


def text_error(status, kind, message):
    """Ollama's."""
    return {"error": message}
