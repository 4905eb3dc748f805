"""The numbers of the leaderboard: groups of categories, and the overall score."""

from collections.abc import Mapping, Sequence

LIVE = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple")
MULTI_TURN = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context")
_GROUPS: dict[str, tuple[str, ...]] = {
    "non_live_simple": ("simple_python", "simple_java", "simple_javascript"),
    "non_live": ("non_live_simple", "multiple", "parallel", "parallel_multiple"),
    "multi_turn": MULTI_TURN,
    "web_search": ("web_search_base", "web_search_no_snippet"),
    "memory": ("memory_kv", "memory_vector", "memory_rec_sum"),
    "agentic": ("web_search", "memory"),
    "irrelevance": ("irrelevance", "live_irrelevance"),
}
_WEIGHTS = {"non_live": 0.1, "live": 0.1, "irrelevance": 0.1, "multi_turn": 0.3, "agentic": 0.4}


def combine_categories(categories: Mapping[str, tuple[float, int] | Sequence[float]]) -> dict[str, float | None]:
    """Return the scores of groups, and `overall`; None for those of which a category is missing.

    Args:
        categories: accuracy from 0 to 1, and the number of entries, of each category.
    """
    scores: dict[str, float | None] = {name: value[0] for name, value in categories.items()}
    found: dict[str, float | None] = {}
    for name, parts in _GROUPS.items():
        found[name] = scores[name] = _mean([scores.get(part) for part in parts])
    of_live = [categories.get(name) for name in LIVE]
    known = [value for value in of_live if value is not None]
    total = sum(value[1] for value in known)
    found["live"] = sum(value[0] * value[1] for value in known) / total if len(known) == len(LIVE) and total else None
    weighted = [(weight, found[name]) for name, weight in _WEIGHTS.items()]
    found["overall"] = (
        sum(weight * score for weight, score in weighted if score is not None)
        if all(score is not None for _, score in weighted)
        else None
    )
    return found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None
