"""The page of a subject: names, scores with places as ranges, and other suites; and places of scores in general."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from compare_support import zeros_and_ones  # noqa: E402
from helm.benchmark.server.viewer import Viewer  # noqa: E402
from helm.results.board import BoardScore, place_scores  # noqa: E402
from helm.results.statistics.intervals import Estimate, estimate_mean  # noqa: E402
from viewer_support import html_of, make_run, show, text_of, viewer  # noqa: E402

GPT = "openai/gpt-4o-2024-05-13"


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Viewer]:
    for suite, extra in (("new", 0), ("old", -30)):
        folder = tmp_path / "runs" / suite
        for model, ones in ((GPT, 90 + extra), ("a/middle", 60), ("a/last", 20)):
            for subject in ("law", "virology"):
                make_run(folder, zeros_and_ones(ones, 100), model, f"exam:subject={subject}")
            make_run(folder, zeros_and_ones(52, 100), model, "quiz")
    make_run(tmp_path / "runs" / "other", zeros_and_ones(2, 4), "a/elsewhere", "quiz")
    with viewer(tmp_path) as found:
        yield found


def rows_of(page: str) -> list[str]:
    return [" ".join(text_of(row).split()) for row in re.findall(r"<tr.*?</tr>", page, flags=re.DOTALL)]


def test_scores_have_places_and_the_distance_from_the_best(shown: Viewer) -> None:
    page = html_of(shown, f"/subject/{GPT}?suite=new")
    text = text_of(page)
    assert f"GPT-4o (2024-05-13) {GPT}" in text and "Organization OpenAI" in text and "3 runs in this suite" in text
    assert "Best in exam." in text and "Last in" not in text
    exam, law, virology, quiz = rows_of(page)[1:5]
    assert exam.startswith("exam mean of 2 EM ↑ 0.900") and exam.endswith("1 of 3 –")
    assert law.startswith("law EM ↑ 0.900") and law.endswith("1 of 3 –")
    assert quiz.endswith("1–3 of 3 –")  # all are equal
    last = html_of(shown, "/subject/a/last?suite=new")
    assert "Last in exam." in text_of(last)
    assert rows_of(last)[1].endswith("3 of 3 0.7 GPT-4o (2024-05-13)")


def test_all_suites_with_the_subject_are_listed(shown: Viewer) -> None:
    page = html_of(shown, f"/subject/{GPT}?suite=new")
    others = page[page.index("In all suites") :]
    assert [row.split()[0] for row in rows_of(others)[1:]] == ["new", "old"]
    assert "In all suites" not in html_of(shown, "/subject/a/elsewhere?suite=other")


def test_an_unknown_subject_is_no_page(shown: Viewer) -> None:
    found = show(shown, "/subject/a/lost?suite=new")
    assert found.status == 404 and "no results of a/lost" in text_of(found.html) and "a/last" in text_of(found.html)


def test_the_board_leads_there(shown: Viewer) -> None:
    page = html_of(shown, "/?suite=new")
    assert f'href="/subject/{GPT}?suite=new"' in page


def share(ones: int, of: int = 100) -> BoardScore:
    return BoardScore(estimate_mean([1.0] * ones + [0.0] * (of - ones)))


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_places_are_ranges_of_what_is_not_told_apart(lower_is_better: bool) -> None:
    ones = (90, 88, 50, 10)
    expected = [(1, 2), (1, 2), (3, 3), (4, 4)]
    if lower_is_better:
        expected = [(3, 4), (3, 4), (2, 2), (1, 1)]
    assert place_scores([share(each) for each in ones], lower_is_better) == expected


def test_places_of_scores_without_errors_and_of_those_that_do_not_count() -> None:
    known, unknown = share(50), BoardScore(Estimate(0.9))
    assert place_scores([known, unknown, None], False) == [(2, 2), (1, 1), None]
    few = BoardScore(share(100).estimate, answered=0.5)
    assert place_scores([known, few], False) == [(1, 1), None]
    assert place_scores([None, None], True) == [None, None]
