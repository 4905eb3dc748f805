"""Models from the Hugging Face hub or a folder, run in this process."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from helm.clients.capability_names import IMAGES, SOUNDS
from helm.clients.client import CachingClient, cleanup_str, failed_result
from helm.clients.huggingface_batches import BATCH, Batcher
from helm.clients.huggingface_scoring import RowScore, TokenRow, TokenScorer
from helm.clients.pretrained_arguments import (
    TORCH_DTYPE_KEY as TORCH_DTYPE_KEY,
)
from helm.clients.pretrained_arguments import (
    TORCH_DTYPE_VALUE_PREFIX as TORCH_DTYPE_VALUE_PREFIX,
)
from helm.clients.pretrained_arguments import check_placement, model_arguments, repository_arguments
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.clients.protocols.thinking import separate_thinking
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.optional_dependencies import needs_extra
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

# HELM uses this instead of 0, also in its cache keys; temperatures up to it are decoded greedily.
_SMALLEST_TEMPERATURE = 1e-7
_OPENING = "<think>"
_RESERVED = frozenset(
    ("conversation", "tokenize", "add_generation_prompt", "continue_final_message", "return_dict", "return_tensors",
     "return_assistant_tokens_mask", "tokenizer_kwargs", "padding", "truncation", "max_length")
)  # fmt: skip
"""Arguments of `apply_chat_template` that are no variables of a template."""


_MOST_RECENT = 256
"""How many scores of continuations a server remembers: the same ones are asked whether the model would write them."""


@dataclass(frozen=True)
class _Part:
    """The tokens of a text, or of its end."""

    row: TokenRow

    text: str
    """What the tokens from `row.start` on spell."""

    pieces: list[str] | None
    """The text of each of these tokens; those of a split character have none but the first. None if they are not known."""

    is_whole: bool = True
    """Whether these tokens spell the end and nothing else."""


def _tail(
    text: str, continuation: str, ids: Sequence[int], offsets: Sequence[tuple[int, int]], begin: int | None
) -> _Part:
    """Return the tokens that spell the end of a text."""
    border = len(text) - len(continuation)
    start = next((k for k, (_, end) in enumerate(offsets) if end > border), len(ids))
    pieces, spelled = [], offsets[start][0] if start < len(ids) else len(text)
    first = spelled
    for _, end in offsets[start:]:
        pieces.append(text[spelled:end])
        spelled = max(spelled, end)
    row = TokenRow(tuple(ids), start)
    if start == 0 and begin is not None:
        row = TokenRow((begin, *ids), 1)
    return _Part(row, text[first:], pieces, is_whole=first == border)


@dataclass(frozen=True)
class _ModelKey:
    """Deployments with the same arguments share the weights."""

    name: str

    arguments: str


class HuggingFaceServer:
    """The weights and the tokenizer of one model, used by one batch at a time.

    Args:
        name: the model's name on the hub, or a folder.
        kwargs: arguments of `AutoModelForCausalLM.from_pretrained`; `device` (default: CUDA if available) or `device_map`;
            `torch_dtype` as `auto`, `float16` or `torch.float16`; `quantization_config` as a mapping.

    Raises ConfigError if both device and device_map are given, or a dtype is unknown.
    """

    _servers: dict[_ModelKey, "HuggingFaceServer"] = {}
    _servers_lock = threading.Lock()

    def __init__(self, name: str, **kwargs: Any):
        with needs_extra("huggingface"):
            import torch  # noqa: F401
            from transformers import AutoModelForCausalLM, AutoTokenizer
        arguments = model_arguments(kwargs)
        device = arguments.pop("device", None)
        with htrack_block(f"Loading the model {name}"):
            self.tokenizer: Any = AutoTokenizer.from_pretrained(name, **repository_arguments(arguments))
            self.model: Any = AutoModelForCausalLM.from_pretrained(name, **arguments)
            if device is not None:
                self.model = self.model.to(device)
            self.model.eval()
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token or self.tokenizer.convert_ids_to_tokens(0)
        self.device = next(self.model.parameters()).device
        self._scorer = TokenScorer(self.model, self.tokenizer.pad_token_id)
        self._recent: dict[tuple[str, str | None], tuple[_Part, RowScore]] = {}
        hlog(f"{name} is on {self.device}, {next(self.model.parameters()).dtype}")

    @classmethod
    def shared(cls, name: str, **kwargs: Any) -> "HuggingFaceServer":
        """Return the process's server of a model, which is loaded on first use."""
        key = _ModelKey(name, json.dumps(kwargs, sort_keys=True, default=str))
        with cls._servers_lock:
            server = cls._servers.get(key)
            if server is None:
                server = cls._servers[key] = cls(name, **kwargs)
            return server

    # --- prompts ------------------------------------------------------------------------------------------------------

    @property
    def has_chat_template(self) -> bool:
        return bool(getattr(self.tokenizer, "chat_template", None))

    def chat_prompt(self, messages: Sequence[Mapping[str, Any]], variables: Mapping[str, Any] | None = None) -> str:
        """Format a conversation with the tokenizer's template and its variables, ready for the answer."""
        return self.tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True, **(variables or {})
        )

    def _encode(self, texts: Sequence[str], adds_special_tokens: bool, num_new: int = 0) -> tuple[Any, Any]:
        """Return ids and mask, padded on the left. Raises ValueError if they and `num_new` tokens do not fit."""
        self.tokenizer.padding_side = "left"
        encoded = self.tokenizer(
            list(texts),
            return_tensors="pt",
            padding=True,
            add_special_tokens=adds_special_tokens,
            return_token_type_ids=False,
        ).to(self.device)
        self._check_room(encoded["input_ids"].shape[1], num_new)
        return encoded["input_ids"], encoded["attention_mask"]

    def _check_room(self, longest: int, num_new: int = 0) -> None:
        room = getattr(self.model.config, "max_position_embeddings", None)
        if isinstance(room, int) and longest + num_new > room:
            raise ValueError(f"{longest} tokens of prompt and {num_new} new ones, but the model has room for {room}.")

    # --- log-likelihoods ----------------------------------------------------------------------------------------------

    def score(self, texts: Sequence[str], continuations: Sequence[str | None] | None = None) -> list[dict[str, Any]]:
        """Return the tokens of each text with exact log-probabilities; that of the first, which has none, is 0.0.

        Args:
            continuations: for each text, its end; then only the tokens of that are returned. If it is the whole text, its first
                token has the probability behind the token that begins texts. None means the whole text.
        """
        results = []
        for part, scores in self._scores(list(zip(texts, continuations or [None] * len(texts), strict=True))):
            ids = part.row.ids[part.row.start :]
            missing = [0.0] if part.row.start == 0 and ids else []
            completion = {
                "text": part.text,
                "tokens": part.pieces if part.pieces is not None else self._token_texts(ids),
                "logprobs": [*missing, *scores.logprobs],
            }
            results.append({"completions": [completion], "input_length": len(part.row.ids)})
        return results

    def _scores(self, wanted: "Sequence[tuple[str, str | None]]") -> "list[tuple[_Part, RowScore]]":
        """Return the parts with their scores; recent ones with a continuation are remembered."""
        missing = list(dict.fromkeys(pair for pair in wanted if pair not in self._recent))
        parts = self._parts(missing)
        self._check_room(max((len(part.row.ids) for part in parts), default=0))
        scored = self._scorer.score([part.row for part in parts]) if parts else []
        made = dict(zip(missing, zip(parts, scored, strict=True), strict=True))
        found = [made.get(pair) or self._recent[pair] for pair in wanted]
        kept = {**self._recent, **{pair: one for pair, one in made.items() if pair[1] is not None}}
        self._recent = dict(list(kept.items())[-_MOST_RECENT:])
        return found

    def _parts(self, wanted: "Sequence[tuple[str, str | None]]") -> "list[_Part]":
        if not wanted:
            return []
        has_offsets = bool(getattr(self.tokenizer, "is_fast", False))
        encoded = self.tokenizer(
            [text for text, _ in wanted], add_special_tokens=False, return_offsets_mapping=has_offsets, padding=False
        )
        parts = []
        for i, (text, continuation) in enumerate(wanted):
            ids = encoded["input_ids"][i]
            if continuation is None or not has_offsets:
                whole = self.tokenizer.decode(ids, clean_up_tokenization_spaces=False)
                parts.append(_Part(TokenRow(tuple(ids), 0), whole, None))
            else:
                parts.append(_tail(text, continuation, ids, encoded["offset_mapping"][i], self._begin_id()))
        return parts

    def _begin_id(self) -> int | None:
        """The token before the first one of a text."""
        tokenizer = self.tokenizer
        return tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id

    def _token_texts(self, ids: Sequence[int]) -> list[str]:
        return [str(token) for token in self.tokenizer.convert_ids_to_tokens(list(ids))]

    # --- completions --------------------------------------------------------------------------------------------------

    def generate(self, raws: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return completions for requests that differ only in their prompts."""
        import torch

        first = raws[0]
        ids, mask = self._encode([raw["prompt"] for raw in raws], not first["is_chat"], first["max_new_tokens"])
        length = ids.shape[1]
        is_greedy = first["temperature"] <= _SMALLEST_TEMPERATURE and first["num_return_sequences"] == 1
        sampling: dict[str, Any] = {"do_sample": False}
        if not is_greedy:
            sampling = {"do_sample": True, "temperature": first["temperature"], "top_p": first["top_p"], "top_k": 0}
        stops = first["stop_sequences"]
        criteria = [_stopping_criteria(self.tokenizer, stops, length)] if stops else []
        if "continuation" in first:
            criteria.append(_differing_criteria(self.tokenizer, [str(raw["continuation"]) for raw in raws], length))
        if criteria:
            from transformers import StoppingCriteriaList

            sampling["stopping_criteria"] = StoppingCriteriaList(criteria)
        if first.get("seed") is not None:
            torch.manual_seed(first["seed"])
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=first["max_new_tokens"],
                num_return_sequences=first["num_return_sequences"],
                return_dict_in_generate=True,
                output_logits=True,
                pad_token_id=self.tokenizer.pad_token_id,
                **sampling,
            )
        sequences = output.sequences[:, length:]
        logprobs = torch.stack(
            [
                torch.log_softmax(logits.float(), dim=-1).gather(1, sequences[:, step : step + 1]).squeeze(1)
                for step, logits in enumerate(output.logits)
            ],
            dim=1,
        )
        ends = self._end_tokens()
        completions = []
        for row, row_logprobs in zip(sequences.tolist(), logprobs.tolist(), strict=True):
            end = next((position for position, token in enumerate(row) if token in ends), len(row))
            kept = row[:end]
            completions.append(
                {
                    "text": self.tokenizer.decode(kept, clean_up_tokenization_spaces=False),
                    "tokens": self._token_texts(kept),
                    "logprobs": row_logprobs[:end],
                    "finish_reason": "length" if end == len(row) == first["max_new_tokens"] else "stop",
                }
            )
        each = first["num_return_sequences"]
        lengths = mask.sum(dim=1).tolist()
        return [
            {"completions": completions[i * each : (i + 1) * each], "input_length": lengths[i]}
            for i in range(len(raws))
        ]

    def generate_while_equal(self, raws: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return greedy completions, which end where they differ from the `continuation` that each request names.

        One pass tells whether the model would write it. Only what is spelled with other tokens is written token by token.
        """
        results: list[dict[str, Any]] = []
        pairs = [(raw["prompt"] + raw["continuation"], raw["continuation"]) for raw in raws]
        for raw, (part, scores) in zip(raws, self._scores(pairs), strict=True):
            completion = self._written(raw, part, scores)
            if completion is None:
                results += self.generate([raw])  # what is expected may be spelled with other tokens
            else:
                results.append({"completions": [completion], "input_length": len(part.row.ids) - len(scores.best)})
        return results

    def _written(self, raw: Mapping[str, Any], part: "_Part", scores: RowScore) -> dict[str, Any] | None:
        """Return the completion; None if one pass does not tell what is written."""
        ids = part.row.ids[part.row.first :]
        if part.pieces is None or part.row.start == 0 or not part.is_whole or len(ids) != len(scores.best):
            return None
        equal = next((k for k, (one, best) in enumerate(zip(ids, scores.best, strict=True)) if one != best), len(ids))
        written = [*ids[:equal], *scores.best[equal : equal + 1]]
        ends = self._end_tokens()
        kept = [token for token in written if token not in ends]
        text = self.tokenizer.decode(kept, clean_up_tokenization_spaces=False)
        continuation = str(raw["continuation"])
        if equal < len(ids) and len(kept) == len(written) and continuation.strip().startswith(text.strip()):
            return None
        return {
            "text": continuation if equal == len(ids) else text,
            "tokens": self._token_texts(kept),
            "logprobs": [*scores.logprobs[:equal], *[0.0] * (len(kept) - equal)],
            "finish_reason": "stop" if equal < len(ids) else "length",
        }

    def _end_tokens(self) -> set:
        ends = self.model.generation_config.eos_token_id
        found = set(ends) if isinstance(ends, (list, tuple)) else {ends}
        return (found | {self.tokenizer.eos_token_id}) - {None}


def _stopping_criteria(tokenizer: Any, stops: Sequence[str], length: int) -> Any:
    """Return a criterion that ends a row once its new text contains a stop sequence, however it is tokenized."""
    import torch
    from transformers import StoppingCriteria

    window = max(len(stop) for stop in stops) + 8

    class StopAtText(StoppingCriteria):
        def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
            tails = tokenizer.batch_decode(input_ids[:, length:][:, -window:], clean_up_tokenization_spaces=False)
            is_done = [any(stop in tail for stop in stops) for tail in tails]
            return torch.tensor(is_done, dtype=torch.bool, device=input_ids.device)

    return StopAtText()


def _differing_criteria(tokenizer: Any, expected: Sequence[str], length: int) -> Any:
    """Return a criterion that ends a row once its new text differs from the one that is expected, or contains it."""
    import torch
    from transformers import StoppingCriteria

    class StopWhereItDiffers(StoppingCriteria):
        def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
            texts = tokenizer.batch_decode(input_ids[:, length:], clean_up_tokenization_spaces=False)
            is_done = [
                not wanted.strip().startswith(text.strip()) for text, wanted in zip(texts, expected, strict=True)
            ]
            return torch.tensor(is_done, dtype=torch.bool, device=input_ids.device)

    return StopWhereItDiffers()


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
            "temperature": request.temperature or _SMALLEST_TEMPERATURE,
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
    is_greedy = request.temperature <= _SMALLEST_TEMPERATURE and not request.echo_prompt
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
