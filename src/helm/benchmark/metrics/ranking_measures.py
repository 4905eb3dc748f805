"""Measures of ranked retrieval for one query, as defined by trec_eval.

Documents with a relevance of 1 or more are relevant. Source: the documentation of trec_eval 9.
"""

import math
from collections.abc import Callable, Sequence

from helm.common.errors import suggest

Gains = Sequence[int]
"""Relevances."""


def _precision(ranked: Gains, judged: Gains, k: int | None) -> float:
    """Return the fraction of relevant documents among the first k, even if fewer were returned; without k, among all."""
    size = len(ranked) if k is None else k
    return _count(ranked[:size]) / size if size else 0.0


def _recall(ranked: Gains, judged: Gains, k: int | None) -> float:
    return _ratio(_count(ranked[:k]), _count(judged))


def _success(ranked: Gains, judged: Gains, k: int | None) -> float:
    return float(any(gain > 0 for gain in ranked[:k]))


def _reciprocal_rank(ranked: Gains, judged: Gains, k: int | None) -> float:
    ranks = (rank for rank, gain in enumerate(ranked[:k], 1) if gain > 0)
    return 1 / next(ranks, math.inf)


def _average_precision(ranked: Gains, judged: Gains, k: int | None) -> float:
    total, hits = 0.0, 0
    for rank, gain in enumerate(ranked[:k], 1):
        if gain > 0:
            hits += 1
            total += hits / rank
    return _ratio(total, _count(judged))


def _ndcg(ranked: Gains, judged: Gains, k: int | None) -> float:
    def discount(gains: Gains) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1) if gain > 0)

    return _ratio(discount(ranked), discount(sorted(judged, reverse=True)))


def _r_precision(ranked: Gains, judged: Gains, k: int | None) -> float:
    num_relevant = _count(judged)
    return _ratio(_count(ranked[:num_relevant]), num_relevant)


def _set_f(ranked: Gains, judged: Gains, k: int | None) -> float:
    precision, recall = _precision(ranked, judged, None), _recall(ranked, judged, None)
    return _ratio(2 * precision * recall, precision + recall)


def _count(gains: Gains) -> int:
    return sum(gain > 0 for gain in gains)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


_WITH_CUTOFF: dict[str, Callable[[Gains, Gains, int | None], float]] = {
    "P": _precision,
    "recall": _recall,
    "success": _success,
    "map_cut": _average_precision,
    "ndcg_cut": _ndcg,
}
_WITHOUT_CUTOFF: dict[str, Callable[[Gains, Gains, int | None], float]] = {
    "recip_rank": _reciprocal_rank,
    "map": _average_precision,
    "ndcg": _ndcg,
    "Rprec": _r_precision,
    "set_P": _precision,
    "set_recall": _recall,
    "set_F": _set_f,
    "num_ret": lambda ranked, judged, k: float(len(ranked)),
    "num_rel": lambda ranked, judged, k: float(_count(judged)),
    "num_rel_ret": lambda ranked, judged, k: float(_count(ranked)),
}
MEASURES: list[str] = [*_WITH_CUTOFF, *_WITHOUT_CUTOFF]


def check_measure(name: str, cutoff: int | None) -> None:
    """Check a measure. Raises: AssertionError for an unknown one, or a missing or superfluous cutoff."""
    assert name in MEASURES, (
        f"Measure name {name} isn't supported.{suggest(name, MEASURES)} There are {', '.join(MEASURES)}."
    )
    if name in _WITH_CUTOFF:
        assert cutoff is not None and cutoff > 0, f"Measure {name} needs a cutoff, for example {name}.10."
    else:
        assert cutoff is None or name == "recip_rank", f"Measure {name} takes no cutoff."


def compute_measure(name: str, cutoff: int | None, ranked: Gains, judged: Gains) -> float:
    """Return the measure of one query.

    Args:
        name: one of `MEASURES`.
        cutoff: number of documents to consider; optional for `recip_rank`.
        ranked: relevances of the documents in ranking order, 0 for those without judgment.
        judged: relevances of all judged documents.
    """
    function = _WITH_CUTOFF.get(name) or _WITHOUT_CUTOFF[name]
    return function(ranked, judged, cutoff)
