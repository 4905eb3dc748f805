"""The conformance server as a vLLM server with a model whose log-probabilities can be computed by hand.

Tokens are words with the space before them, and single other characters; the log-probability of a token is that of
`logprob`, whatever stands before it. As in vLLM's public API: `echo` gives the prompt with its log-probabilities, the
first of which is null; `max_tokens` 0 is taken with `echo` only; `/tokenize` and `/detokenize` are beside `/v1`.
"""

import re
import threading

from conformance_faults import Response, vllm_error

_vocabulary = []
_lock = threading.Lock()


def split(text):
    return re.findall(r" ?\w+|\W", text)


def logprob(token):
    return -0.01 * (sum(token.encode()) % 97) - 0.001


def _id(token):
    with _lock:
        if token not in _vocabulary:
            _vocabulary.append(token)
        return _vocabulary.index(token)


def completions(server, body, fault):
    echo, max_tokens = bool(body.get("echo")), body.get("max_tokens", 16)
    if max_tokens < 1 and not echo:
        raise Response(400, vllm_error(400, "bad", f"max_tokens must be at least 1, got {max_tokens}."))
    if (body.get("logprobs") or 0) > 20:
        raise Response(
            400, vllm_error(400, "bad", "Requested sample logprobs of 21, which is greater than max allowed: 20")
        )
    prompt = split(body["prompt"])
    generated = split(server.text)[:max_tokens]
    tokens = (prompt if echo else []) + generated
    logprobs = [logprob(token) for token in tokens]
    choice = {"index": 0, "text": "".join(tokens), "finish_reason": "length", "stop_reason": None}
    if body.get("logprobs") is not None:
        if echo:
            logprobs[0] = None
        choice["logprobs"] = {"tokens": tokens, "token_logprobs": logprobs, "text_offset": [], "top_logprobs": []}
    usage = {
        "prompt_tokens": len(prompt),
        "completion_tokens": len(generated),
        "total_tokens": len(prompt) + len(generated),
    }
    return {"object": "text_completion", "choices": [choice], "usage": usage}


def tokenize(server, body, fault):
    tokens = split(body["prompt"])
    shown = [token.replace(" ", "Ġ") for token in tokens] if body.get("return_token_strs") else None
    ids = [_id(token) for token in tokens]
    return {"count": len(ids), "max_model_len": 4096, "tokens": ids, "token_strs": shown}


def detokenize(server, body, fault):
    return {"prompt": "".join(_vocabulary[token] for token in body["tokens"])}
