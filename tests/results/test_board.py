"""Which scores of a column are marked as the best: only what is shown to be."""

import pytest

from helm.common.formats.number_text import SECONDS
from helm.results.board import (
    BEST,
    TIED,
    UNMARKED,
    BoardCell,
    BoardColumn,
    BoardScore,
    is_shown_to_differ,
    mark_best,
    mark_column,
    mean_facts,
)
from helm.results.statistics.intervals import SIMULATION, Estimate, estimate_mean


def share(ones: int, count: int = 100, answered: float | None = None, parts: int = 1) -> BoardScore:
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


def spread(value: float, error: float = 0.1, answered: float | None = None, parts: int = 1) -> BoardScore:
    """A mean of many values, none of them a share."""
    return BoardScore(
        Estimate(value, error, value - 2 * error, value + 2 * error, count=1000, clusters=1000), answered, parts
    )


def test_nine_tenths_of_what_another_one_answered_are_enough() -> None:
    assert mark_best([spread(9, answered=0.9), spread(5, answered=1.0)], False) == [BEST, UNMARKED]
    assert mark_best([spread(9, answered=0.89), spread(5, answered=1.0), spread(1)], False) == [
        UNMARKED,
        BEST,
        UNMARKED,
    ]
    assert mark_best([spread(9, parts=9), spread(5, parts=10)], False) == [BEST, UNMARKED]
    assert mark_best([spread(9, parts=8), spread(5, parts=10), spread(1, parts=10)], False) == [
        UNMARKED,
        BEST,
        UNMARKED,
    ]


def test_where_all_answered_little_the_one_that_answered_most_is_the_measure() -> None:
    assert mark_best([spread(9, answered=0.45), spread(5, answered=0.5)], False) == [BEST, UNMARKED]
    assert mark_best([spread(9, answered=0.44), spread(5, answered=0.5), spread(1, answered=0.5)], False) == [
        UNMARKED,
        BEST,
        UNMARKED,
    ]


def test_what_is_no_number_is_never_the_best() -> None:
    for value in (float("nan"), float("inf")):
        assert mark_best([BoardScore(Estimate(value)), spread(5), spread(1)], False) == [UNMARKED, BEST, UNMARKED]


def test_a_column_without_scores_has_no_marks() -> None:
    assert mark_best([], False) == [] and mark_best([None, None], True) == [UNMARKED, UNMARKED]


def simulated(low: float | None, high: float | None, value: float = 0.5) -> Estimate:
    return Estimate(value, 0.01, low, high, method=SIMULATION)


def test_simulated_intervals_that_touch_are_not_told_apart() -> None:
    """Their errors alone (0.01) would tell any of these apart."""
    assert not is_shown_to_differ(simulated(0.6, 0.8, 0.7), simulated(0.4, 0.6, 0.5))
    assert not is_shown_to_differ(simulated(0.4, 0.6, 0.5), simulated(0.6, 0.8, 0.7))
    assert is_shown_to_differ(simulated(0.61, 0.8, 0.7), simulated(0.4, 0.6, 0.5))
    assert is_shown_to_differ(simulated(0.4, 0.6, 0.5), simulated(0.61, 0.8, 0.7))


def test_a_simulated_interval_without_an_end_tells_nothing() -> None:
    known = simulated(0.8, 0.9, 0.85)
    for low, high in ((None, 0.6), (0.4, None), (None, None)):
        assert is_shown_to_differ(known, simulated(low, high, 0.5)) is False
        assert is_shown_to_differ(simulated(low, high, 0.5), known) is False


def test_a_simulated_and_another_interval_are_compared_by_their_ends() -> None:
    other = Estimate(0.5, 0.01, 0.4, 0.65, count=1000, clusters=1000)
    assert not is_shown_to_differ(simulated(0.6, 0.8, 0.7), other)


def test_two_means_are_compared_by_their_errors_although_their_intervals_overlap() -> None:
    first, second = (Estimate(v, 0.1, v - 0.2, v + 0.2, count=1000, clusters=1000) for v in (1.0, 1.3))
    assert is_shown_to_differ(first, second)


def test_a_mean_of_one_cluster_is_compared_as_one_of_two() -> None:
    one, many = Estimate(1.0, 0.1, count=9, clusters=1), Estimate(3.0, 0.1, count=1000, clusters=1000)
    two = Estimate(1.0, 0.1, count=9, clusters=2)
    assert is_shown_to_differ(one, many) == is_shown_to_differ(two, many)


def test_of_a_score_are_known_its_error_its_clusters_and_whether_it_is_a_share() -> None:
    found = mean_facts(share(90).estimate)
    assert (found.mean, found.count, found.clusters, found.is_share) == (0.9, 100, 100, True)
    assert found.variance == pytest.approx(0.9 * 0.1 / 99)
    assert mean_facts(Estimate(1.0, 0.1, count=9, clusters=1)).clusters == 2
    assert not mean_facts(spread(5).estimate).is_share
    assert mean_facts(Estimate(1.0)).variance is None


def cell(value: object, estimate: Estimate | None = None) -> BoardCell:
    made = BoardCell()
    made.value, made.estimate = value, estimate
    return made


def test_the_cells_of_a_column_are_marked() -> None:
    cells = [cell(9, spread(9).estimate), None, cell("text"), cell(5, spread(5).estimate)]
    mark_column(cells, None)
    assert not any(found.is_best or found.is_tied for found in cells if found)
    mark_column(cells, False)
    assert [found and (found.mark, found.is_best, found.is_tied) for found in cells] == [
        (BEST, True, False), None, (UNMARKED, False, False), (UNMARKED, False, False)
    ]  # fmt: skip
    mark_column(cells, True)
    assert [found and found.is_best for found in cells] == [False, None, False, True]


def test_the_scores_of_a_column_count_instead_of_what_its_cells_say() -> None:
    cells = [cell(9, spread(9).estimate), cell(5, spread(5).estimate)]
    mark_column(cells, False, [spread(1), spread(1.01)])
    assert [found.is_tied for found in cells] == [True, True]
    with pytest.raises(ValueError):
        mark_column(cells, False, [spread(1)])


def test_what_a_cell_counts_with() -> None:
    known = cell(0.5, Estimate(0.5, 0.1, 0.2, 0.6))
    assert known.score() == BoardScore(Estimate(0.5, 0.1, 0.2, 0.6), None, 1)
    known.answered, known.parts = 0.75, 3
    assert known.score() == BoardScore(Estimate(0.5, 0.1, 0.2, 0.6), 0.75, 3)
    assert cell(2).score() == BoardScore(Estimate(2.0)) and cell("2").score() is None and cell(None).score() is None


def test_how_a_cell_and_a_column_read() -> None:
    assert cell(0.5).text() == "0.5" and cell(0.5).reach is None
    assert cell(0.5, Estimate(0.5, 0.1, 0.2, 0.6)).reach == pytest.approx(0.3)
    assert cell(0.5, Estimate(0.5, 0.1, 0.2, 0.6)).text() == "0.5 ±0.3"
    assert cell(0.005, Estimate(0.005, 0.001, 0.004, 0.006)).text(SECONDS) == "5.00 ±1 ms"
    column = BoardColumn()
    assert column.arrow == ""
    for column.lower_is_better, arrow in ((True, "↓"), (False, "↑")):
        assert column.arrow == arrow
