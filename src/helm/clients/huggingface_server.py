"""A causal language model of the Hugging Face hub in this process: its weights, its tokenizer, and what is computed with them."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.clients.huggingface_scoring import RowScore, TokenRow, TokenScorer
from helm.clients.pretrained_arguments import model_arguments, repository_arguments
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.optional_dependencies import needs_extra

SMALLEST_TEMPERATURE = 1e-7
"""HELM uses this instead of 0, also in its cache keys; temperatures up to it are decoded greedily."""

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
        is_greedy = first["temperature"] <= SMALLEST_TEMPERATURE and first["num_return_sequences"] == 1
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
