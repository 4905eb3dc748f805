"""Models from the Hugging Face hub or a folder, run in this process."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from helm.clients.capability_names import IMAGES, SOUNDS
from helm.clients.client import CachingClient, cleanup_str, failed_result
from helm.clients.huggingface_batches import BATCH, Batcher
from helm.clients.huggingface_server import SMALLEST_TEMPERATURE, HuggingFaceServer
from helm.clients.pretrained_arguments import (
    TORCH_DTYPE_KEY as TORCH_DTYPE_KEY,
)
from helm.clients.pretrained_arguments import (
    TORCH_DTYPE_VALUE_PREFIX as TORCH_DTYPE_VALUE_PREFIX,
)
from helm.clients.pretrained_arguments import check_placement
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.clients.protocols.thinking import separate_thinking
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.request import (
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    MALFORMED,
    OK,
    REFUSED,
    SERVER,
    GeneratedOutput,
    Request,
    RequestResult,
    Token,
    Usage,
    wrap_request_time,
)
from helm.common.request_options import CHAT_TEMPLATE_KWARGS, PLAIN_PROMPT, SEED, TOP_P, RequestOptions
from helm.tokenizers.tokenizer import Tokenizer

_OPENING = "<think>"
_RESERVED = frozenset(
    ("conversation", "tokenize", "add_generation_prompt", "continue_final_message", "return_dict", "return_tensors",
     "return_assistant_tokens_mask", "tokenizer_kwargs", "padding", "truncation", "max_length")
)  # fmt: skip
"""Arguments of `apply_chat_template` that are no variables of a template."""


class HuggingFaceClient(CachingClient):
    """Runs causal language models with `transformers` and `torch`, in batches, with exact log-probabilities.

    Temperatures close to 0 mean greedy decoding. A prompt becomes one turn of the tokenizer's chat template, if it has one
    and unless `apply_chat_template` is False; `messages` always need one. Only requests for the log-probabilities of a prompt
    (`echo_prompt`, no new tokens) use the prompt unchanged.

    Args:
        cache_config: where responses are cached.
        tokenizer: not needed; HELM passes it.
        pretrained_model_name_or_path: the name on the hub, or a folder; None means the deployment's model.
        end_of_text_token: removed from the ends of answers.
        apply_chat_template: whether to use the chat template; None uses it if there is one.
        batch_size: the most requests in one pass through the model.
        kwargs: see HuggingFaceServer.
    """

    retries_requests = True
    takes_options = frozenset((TOP_P, SEED, CHAT_TEMPLATE_KWARGS, PLAIN_PROMPT))
    lacks = dict.fromkeys((IMAGES, SOUNDS), "this client takes text only")

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer: Tokenizer | None = None,
        pretrained_model_name_or_path: str | None = None,
        end_of_text_token: str | None = None,
        apply_chat_template: bool | None = None,
        batch_size: int = 16,
        **kwargs: Any,
    ):
        super().__init__(cache_config)
        if batch_size < 1:
            raise ConfigError(f"batch_size takes 1 or more, not {batch_size}.")
        check_placement(kwargs)
        self._name = pretrained_model_name_or_path
        self._end_of_text_token = end_of_text_token
        self._apply_chat_template = apply_chat_template
        self._kwargs = kwargs
        self.batch_size = batch_size
        self.useful_concurrency = 2 * batch_size  # the next batch fills up while one is running
        self._batcher = Batcher(self._run_batch, batch_size)

    def _server(self, request: Request) -> HuggingFaceServer:
        return self._server_of(request.model)

    def _server_of(self, model: str) -> HuggingFaceServer:
        return HuggingFaceServer.shared(self._name or model, **self._kwargs)

    def takes_messages(self, model: str) -> bool:
        return self._apply_chat_template is not False and self._server_of(model).has_chat_template

    def why_not(self, request: Request) -> str | None:
        options = request.options
        if options is not None and options.plain_prompt and options.chat_template_kwargs:
            return (
                f"{request.model_deployment}: {CHAT_TEMPLATE_KWARGS} need the chat template, and chat=off leaves it out"
            )
        taken = _RESERVED.intersection(options.chat_template_kwargs or ()) if options is not None else ()
        if taken:
            return f"{request.model_deployment}: {CHAT_TEMPLATE_KWARGS} cannot set {', '.join(sorted(taken))}"
        return super().why_not(request)

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        try:
            return self._complete(request)
        except (RuntimeError, ValueError, OSError) as e:
            if isinstance(e, ConfigError):
                raise
            is_memory = "out of memory" in str(e).lower()
            return failed_result(f"HuggingFace error: {type(e).__name__}: {e}", SERVER if is_memory else MALFORMED)

    def _complete(self, request: Request) -> RequestResult:
        if request.multimodal_prompt is not None:
            return failed_result(f"{request.model_deployment}: this client takes text only.", REFUSED)
        options = request.options or RequestOptions()
        reason = self.why_not(request)
        if reason is not None:
            return failed_result(f"{reason}.", REFUSED)
        server = self._server(request)
        scores_only = request.echo_prompt and request.max_tokens == 0 and request.num_completions == 1
        is_chat = self._is_chat(request)
        if (is_chat or options.chat_template_kwargs) and not server.has_chat_template:
            return failed_result(f"{request.model_deployment}: its tokenizer has no chat template.", REFUSED)
        prompt = self.get_prompt(request)
        raw = {
            "engine": request.model_engine,
            "prompt": prompt,
            "temperature": request.temperature or SMALLEST_TEMPERATURE,
            "num_return_sequences": request.num_completions,
            "max_new_tokens": request.max_tokens,
            "top_p": request.top_p,
            "echo_prompt": request.echo_prompt,
            "top_k_per_token": request.top_k_per_token,
            "stop_sequences": request.stop_sequences,
        }
        seed = request.seed_of(0)
        if seed is not None:
            raw["seed"] = seed
        further: dict[str, Any] = {"is_chat": is_chat, "scores_only": scores_only}
        if request.continuation is not None and not is_chat and (scores_only or _is_one_greedy(request)):
            raw["continuation"] = request.continuation
            further[BATCH] = "scores" if scores_only else "checks"
        compute = partial(self._batcher.run, (server, {**raw, **further}))
        response, cached = self.cache.get(self.make_cache_key(raw, request), wrap_request_time(lambda: dict(compute())))
        if options.split_thinking and is_chat and prompt.rstrip().endswith(_OPENING):
            # The template has written the opening tag already.
            opened = [{**c, "text": _OPENING + c["text"]} for c in response["completions"]]
            response = {**response, "completions": opened}
        completions = [self._read(request, completion) for completion in response["completions"]]
        num_new = 0 if scores_only else sum(len(c["tokens"]) for c in response["completions"])
        result = RequestResult(
            success=True,
            cached=cached,
            completions=completions,
            embedding=[],
            request_time=response["request_time"],
            request_datetime=response["request_datetime"],
            outcome=OK,
            usage=Usage(int(response.get("input_length") or 0), num_new),
        )
        return separate_thinking(request, result)

    def _is_chat(self, request: Request) -> bool:
        """Whether the chat template writes the prompt."""
        if request.messages:
            return True
        if request.echo_prompt or (request.options is not None and request.options.plain_prompt):
            return False
        return (
            self._server(request).has_chat_template if self._apply_chat_template is None else self._apply_chat_template
        )

    def get_prompt(self, request: Request) -> str:
        """Return the text that the model continues, which the chat template writes if there is one; for subclasses."""
        if not self._is_chat(request):
            return request.prompt
        variables = request.options.chat_template_kwargs if request.options is not None else None
        messages = request.messages or [{"role": "user", "content": request.prompt}]
        return self._server(request).chat_prompt(messages, variables)

    def _run_batch(self, items: Sequence[tuple[HuggingFaceServer, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        server = items[0][0]
        raws = [raw for _, raw in items]
        if raws[0].get("seed") is not None and len(items) > 1:  # draws must not depend on who shares the batch
            return [result for item in items for result in self._run_batch([item])]
        if raws[0].get(BATCH) == "checks":
            return server.generate_while_equal(raws)
        if raws[0]["scores_only"]:
            return server.score([raw["prompt"] for raw in raws], [raw.get("continuation") for raw in raws])
        if raws[0]["max_new_tokens"] == 0 and raws[0]["echo_prompt"]:
            scores = server.score([raw["prompt"] for raw in raws])
            return [{**s, "completions": s["completions"] * raws[0]["num_return_sequences"]} for s in scores]
        results = server.generate(raws)
        if raws[0]["echo_prompt"]:
            scores = server.score([raw["prompt"] for raw in raws])
            results = [_behind(score["completions"][0], result) for score, result in zip(scores, results, strict=True)]
        return results

    def _read(self, request: Request, completion: Mapping[str, Any]) -> GeneratedOutput:
        tokens = [
            Token(text=cleanup_str(text, "huggingface"), logprob=logprob)
            for text, logprob in zip(completion["tokens"], completion["logprobs"], strict=True)
        ]
        reason = completion.get("finish_reason")
        output = GeneratedOutput(
            text=completion["text"],
            logprob=sum(token.logprob for token in tokens),
            tokens=tokens,
            finish_reason={"reason": reason} if reason else None,
        )
        if request.echo_prompt:
            return output
        ends = [self._end_of_text_token] if self._end_of_text_token else []
        return cut_at_stop(output, [*request.stop_sequences, *ends])


def _is_one_greedy(request: Request) -> bool:
    is_greedy = request.temperature <= SMALLEST_TEMPERATURE and not request.echo_prompt
    return is_greedy and request.num_completions == 1 and not request.stop_sequences


def _behind(prompt: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    completions = [
        {
            **completion,
            "text": prompt["text"] + completion["text"],
            "tokens": prompt["tokens"] + completion["tokens"],
            "logprobs": prompt["logprobs"] + completion["logprobs"],
        }
        for completion in result["completions"]
    ]
    return {**result, "completions": completions}
