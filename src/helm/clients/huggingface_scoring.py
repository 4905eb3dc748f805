"""Log-probabilities of given tokens by a causal model: what several texts begin with is computed once."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_LEAST_SHARED = 16
"""Texts that share fewer tokens are computed apart: a second pass costs more than it saves."""


@dataclass(frozen=True)
class TokenRow:
    """The tokens of a text."""

    ids: tuple[int, ...]

    start: int
    """The first token that is asked for. The very first has no probability."""

    @property
    def first(self) -> int:
        return max(1, self.start)


@dataclass(frozen=True)
class RowScore:
    """About the tokens of a row from `first` on."""

    logprobs: list[float]

    best: list[int]
    """The most likely token at each place."""


class TokenScorer:
    """Computes rows of tokens with a model. A shared beginning of rows is computed once, and its keys and values kept."""

    def __init__(self, model: Any, pad_id: int):
        self._model = model
        self._pad_id = pad_id
        named = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in named
        self._takes_keep = "logits_to_keep" in named
        # Newer releases of transformers say `cache`.
        self._past = next((name for name in ("cache", "past_key_values") if name in named), "")
        self._shares = bool(self._past) and self._takes_positions

    def score(self, rows: Sequence[TokenRow]) -> list[RowScore]:
        """Return the scores of rows, which should be few enough for one pass."""
        import torch

        with torch.inference_mode():
            groups = _groups(rows) if self._shares else [_alone(i, row) for i, row in enumerate(rows)]
            return self._score_groups(rows, [group for group in groups if group.size])

    def _score_groups(self, rows: Sequence[TokenRow], groups: "Sequence[_Group]") -> list[RowScore]:
        found: dict[int, list[tuple[float, int]]] = {i: [] for i in range(len(rows))}
        tails = [i for group in groups for i in group.members if len(rows[i].ids) - 1 > group.size]
        if groups:
            past = self._prefixes(rows, groups, found, bool(tails))
            if tails and past is None:
                return self._score_groups(rows, [_alone(i, row) for i, row in enumerate(rows) if len(row.ids) > 1])
            if tails:
                self._tails(rows, groups, tails, past, found)
        return [RowScore([value for value, _ in pairs], [best for _, best in pairs]) for pairs in found.values()]

    def _prefixes(
        self, rows: Sequence[TokenRow], groups: "Sequence[_Group]", found: dict[int, Any], keeps: bool
    ) -> Any | None:
        """Compute what rows begin with, padded on the left. Return its keys and values; None if they cannot be shared."""
        import torch

        width = max(group.size for group in groups)
        texts = [rows[group.members[0]].ids[: group.size] for group in groups]
        ids = torch.tensor([[self._pad_id] * (width - len(text)) + list(text) for text in texts])
        mask = torch.tensor([[0] * (width - len(text)) + [1] * len(text) for text in texts])
        first = [min(rows[i].first for i in group.members) for group in groups]
        kept = max(max(1, group.size - start + 1) for group, start in zip(groups, first, strict=True))
        output, logits = self._forward(ids, mask, (mask.cumsum(dim=-1) - 1).clamp(min=0), kept, use_cache=keeps)
        past = getattr(output, self._past, None) if keeps else None
        if keeps and not _can_be_selected(past):
            self._shares = False
            return None
        asked: list[tuple[int, int, int, int]] = []
        for g, group in enumerate(groups):
            for i in group.members:
                row, shift = rows[i], kept - group.size
                asked += [
                    (i, g, j - 1 + shift, row.ids[j]) for j in range(row.first, min(group.size + 1, len(row.ids)))
                ]
        _read(logits, asked, found)
        return past

    def _tails(
        self,
        rows: Sequence[TokenRow],
        groups: "Sequence[_Group]",
        tails: Sequence[int],
        past: Any,
        found: dict[int, Any],
    ) -> None:
        """Compute what follows the shared beginnings, padded on the right."""
        import torch

        owner = {i: g for g, group in enumerate(groups) for i in group.members}
        sizes = [groups[owner[i]].size for i in tails]
        texts = [rows[i].ids[size:-1] for i, size in zip(tails, sizes, strict=True)]
        width, prefix = max(map(len, texts)), max(group.size for group in groups)
        ids = torch.tensor([list(text) + [self._pad_id] * (width - len(text)) for text in texts])
        mask = torch.tensor(
            [
                [0] * (prefix - size) + [1] * (size + len(text)) + [0] * (width - len(text))
                for size, text in zip(sizes, texts, strict=True)
            ]
        )
        positions = torch.tensor(sizes).unsqueeze(1) + torch.arange(width).unsqueeze(0)
        past.batch_select_indices(torch.tensor([owner[i] for i in tails], device=self._model.device))
        _, logits = self._forward(ids, mask, positions, width, use_cache=True, **{self._past: past})
        asked = [
            (i, t, j - 1 - size, rows[i].ids[j])
            for t, (i, size) in enumerate(zip(tails, sizes, strict=True))
            for j in range(max(rows[i].first, size + 1), len(rows[i].ids))
        ]
        _read(logits, asked, found)

    def _forward(self, ids: Any, mask: Any, positions: Any, kept: int, **further: Any) -> tuple[Any, Any]:
        """Return the output, and the logits of the last `kept` places."""
        device = self._model.device
        if self._takes_positions:
            further["position_ids"] = positions.to(device)
        if self._takes_keep:
            further["logits_to_keep"] = kept
        output = self._model(input_ids=ids.to(device), attention_mask=mask.to(device), **further)
        return output, output.logits[:, -kept:]


@dataclass(frozen=True)
class _Group:
    members: list[int]

    size: int
    """How many tokens all of them begin with; the last token of a row is never among them."""


def _alone(i: int, row: TokenRow) -> _Group:
    return _Group([i], max(0, len(row.ids) - 1))


def _groups(rows: Sequence[TokenRow]) -> list[_Group]:
    """Return the rows by their beginnings: neighbours in the order of their tokens that share at least half."""
    groups: list[_Group] = []
    for i in sorted(range(len(rows)), key=lambda i: rows[i].ids):
        alone = _alone(i, rows[i])
        if groups:
            last = groups[-1]
            size = _num_shared(rows[last.members[0]].ids, rows[i].ids, min(last.size, alone.size))
            if size >= _LEAST_SHARED and 2 * size >= alone.size:
                groups[-1] = _Group([*last.members, i], size)
                continue
        groups.append(alone)
    return groups


def _num_shared(one: Sequence[int], other: Sequence[int], most: int) -> int:
    if one[:most] == other[:most]:
        return most
    return next(k for k in range(most) if one[k] != other[k])


def _can_be_selected(past: Any) -> bool:
    """Whether keys and values are the plain growing kind, on one device, so that their rows can be repeated."""
    layers = getattr(past, "layers", None) or ()
    if not layers or not hasattr(past, "batch_select_indices"):
        return False
    is_plain = all(type(layer).__name__ == "DynamicLayer" for layer in layers)
    return is_plain and len({str(layer.keys.device) for layer in layers}) == 1


def _read(logits: Any, asked: Sequence[tuple[int, int, int, int]], found: dict[int, Any]) -> None:
    """Add log-probability and most likely token for (row, row and place in the logits, token)."""
    import torch

    if not asked:
        return
    at = torch.tensor([[g, place, token] for _, g, place, token in asked], device=logits.device)
    logprobs = torch.log_softmax(logits.float(), dim=-1)
    values = logprobs[at[:, 0], at[:, 1], at[:, 2]].tolist()
    best = logits.argmax(dim=-1)[at[:, 0], at[:, 1]].tolist()
    for (i, *_), value, token in zip(asked, values, best, strict=True):
        found[i].append((value, token))


__all__ = ["RowScore", "TokenRow", "TokenScorer"]
