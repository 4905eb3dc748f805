"""Which scores of a column are marked as the best: only what is shown to be."""

from typing import Optional

import pytest

from helm.results.board import BEST, TIED, UNMARKED, BoardScore, mark_best
from helm.results.statistics.intervals import SIMULATION, Estimate, estimate_mean


def share(ones: int, count: int = 100, answered: Optional[float] = None, parts: int = 1) -> BoardScore:
    found = estimate_mean([1.0] * ones + [0.0] * (count - ones))
    assert found is not None
    return BoardScore(found, answered, parts)


def test_the_best_is_marked_when_it_is_told_apart_from_all_others() -> None:
    assert mark_best([share(90), share(50), None, share(20)], False) == [BEST, UNMARKED, UNMARKED, UNMARKED]
    assert mark_best([share(90), share(50), share(20)], True) == [UNMARKED, UNMARKED, BEST]


def test_the_best_and_what_is_not_told_apart_from_it_are_tied() -> None:
    assert mark_best([share(90), share(89), share(20)], False) == [TIED, TIED, UNMARKED]
    assert mark_best([share(90), share(90), share(20)], False) == [TIED, TIED, UNMARKED]


@pytest.mark.parametrize(
    "answered, marks",
    [
        (0.2, [UNMARKED, BEST, UNMARKED]),
        (0.0, [UNMARKED, BEST, UNMARKED]),
        (0.95, [BEST, UNMARKED, UNMARKED]),
    ],
)
def test_who_answered_much_less_is_not_marked(answered: float, marks: list[str]) -> None:
    assert mark_best([share(99, answered=answered), share(70, answered=1.0), share(30)], False) == marks


def test_nothing_is_marked_where_nobody_answered() -> None:
    assert mark_best([share(9, answered=0.0), share(1, answered=0.0)], False) == [UNMARKED, UNMARKED]


def test_a_mean_over_fewer_runs_is_not_marked() -> None:
    assert mark_best([share(99, parts=2), share(70, parts=3), share(30, parts=3)], False) == [UNMARKED, BEST, UNMARKED]


def test_equal_scores_single_ones_and_those_of_unknown_error_are_not_marked() -> None:
    assert mark_best([share(9), share(9)], False) == [UNMARKED, UNMARKED]
    assert mark_best([share(9), None], False) == [UNMARKED, UNMARKED]
    assert mark_best([BoardScore(Estimate(1.0)), BoardScore(Estimate(2.0))], False) == [UNMARKED, UNMARKED]
    assert mark_best([share(90), BoardScore(Estimate(0.2)), share(88)], False) == [TIED, UNMARKED, TIED]


def test_win_rates_are_told_apart_where_their_intervals_do_not_overlap() -> None:
    rates = [BoardScore(Estimate(v, 0.1, v - 0.1, v + 0.1, method=SIMULATION)) for v in (0.9, 0.75, 0.2)]
    assert mark_best(rates, False) == [TIED, TIED, UNMARKED]
    assert mark_best(rates[::2], False) == [BEST, UNMARKED]
