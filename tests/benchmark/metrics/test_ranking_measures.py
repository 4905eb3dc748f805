"""Measures of rankings, beside the golden vectors."""

from math import log2

import pytest

from helm.benchmark.metrics.ranking_measures import MEASURES, check_measure, compute_measure

RANKED = [0, 3, 0, 1]
JUDGED = [3, 1, 2]

# The definitions of trec_eval for this ranking (one relevant document was not returned).
EXPECTED = {
    ("P", 3): 1 / 3,
    ("recall", 3): 1 / 3,
    ("success", 1): 0.0,
    ("success", 2): 1.0,
    ("recip_rank", None): 0.5,
    ("recip_rank", 1): 0.0,
    ("map", None): (1 / 2 + 2 / 4) / 3,
    ("map_cut", 3): (1 / 2) / 3,
    ("Rprec", None): 1 / 3,
    ("set_P", None): 0.5,
    ("set_recall", None): 2 / 3,
    ("set_F", None): 4 / 7,
    ("num_ret", None): 4.0,
    ("num_rel", None): 3.0,
    ("num_rel_ret", None): 2.0,
    ("ndcg", None): (3 / log2(3) + 1 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)),
    ("ndcg_cut", 2): (3 / log2(3)) / (3 / log2(2) + 2 / log2(3)),
}


def test_every_measure_has_a_value_here() -> None:
    assert {name for name, _ in EXPECTED} == set(MEASURES)


@pytest.mark.parametrize(("measure", "expected"), EXPECTED.items())
def test_measure(measure: tuple, expected: float) -> None:
    check_measure(*measure)
    assert compute_measure(*measure, RANKED, JUDGED) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("measure", EXPECTED)
def test_nothing_relevant_and_nothing_returned_is_no_crash(measure: tuple) -> None:
    assert compute_measure(*measure, [0, 0], [0, 0]) == (2.0 if measure[0] == "num_ret" else 0.0)
    assert compute_measure(*measure, [], []) == 0.0


def test_a_wrong_measure_is_named_with_the_nearest_one() -> None:
    with pytest.raises(AssertionError, match="Measure name recal isn't supported. Did you mean 'recall'?"):
        check_measure("recal", 10)
    with pytest.raises(AssertionError, match="recall needs a cutoff"):
        check_measure("recall", None)
    with pytest.raises(AssertionError, match="map takes no cutoff"):
        check_measure("map", 3)
