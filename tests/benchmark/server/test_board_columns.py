"""The leaderboard's columns: one for a scenario, which opens into its tasks; names for readers; search; who leads."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from compare_support import make_ad_run, zeros_and_ones  # noqa: E402
from helm.benchmark.server.board_parts import Board  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from helm.benchmark.server.leaderboard import make_board  # noqa: E402
from helm.benchmark.server.subject_names import name_subject  # noqa: E402
from helm.benchmark.server.task_labels import label_tasks  # noqa: E402
from helm.benchmark.server.viewer import Viewer  # noqa: E402
from helm.benchmark.subjects import LANGUAGE_MODEL, subject_kinds  # noqa: E402
from helm.results.statistics.intervals import estimate_mean  # noqa: E402
from viewer_support import html_of, make_run, text_of, viewer  # noqa: E402

GPT = "openai/gpt-4o-2024-05-13"
ONES = {GPT: (90, 60, 75), "a/other": (40, 70, 55), "a/partial": (80, 50, None)}
SUBJECTS = ("anatomy", "college_law", "virology")


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Viewer]:
    suite = tmp_path / "runs" / "s"
    for model, found in ONES.items():
        for subject, ones in zip(SUBJECTS, found, strict=True):
            if ones is not None:
                make_run(suite, zeros_and_ones(ones, 100), model, f"exam:subject={subject},method=joint")
        make_run(suite, zeros_and_ones(50, 100), model, "quiz")
    with viewer(tmp_path) as found_viewer:
        yield found_viewer


def board_of(shown: Viewer, **settings: str) -> Board:
    entries = [entry for entry in shown.entries().values() if entry.subject_kind is LANGUAGE_MODEL]
    return make_board(LANGUAGE_MODEL, entries, **settings)  # type: ignore[arg-type]


def test_tasks_of_a_scenario_are_one_column_with_their_mean(shown: Viewer) -> None:
    board = board_of(shown)
    assert [column.task for column in board.shown_columns] == ["exam:*", "quiz"]
    cells = {row.subject: row.cells["exam:*"] for row in board.rows}
    assert {name: cell.value for name, cell in cells.items()} == pytest.approx(
        {GPT: 0.75, "a/other": 0.55, "a/partial": 0.65}
    )
    assert (cells["a/partial"].note, cells["a/partial"].parts, cells[GPT].note) == ("2 of 3 runs", 2, "")
    assert cells[GPT].is_best and not cells["a/partial"].mark  # those who did not do all tasks are not compared
    estimate = cells[GPT].estimate
    assert estimate is not None and estimate.count == 300 and estimate.low < 0.75 < estimate.high  # type: ignore[operator]
    pooled = estimate_mean([1.0] * 225 + [0.0] * 75)
    assert estimate.standard_error < pooled.standard_error  # type: ignore[operator]  # tasks are fixed, not drawn


def test_a_scenario_counts_once_in_the_mean_whether_open_or_not(shown: Viewer) -> None:
    closed, opened = board_of(shown), board_of(shown, opened=["exam:*"])  # type: ignore[arg-type]
    assert [column.title for column in opened.shown_columns] == ["exam", "anatomy", "college law", "virology", "quiz"]
    assert [column.is_part for column in opened.shown_columns] == [False, True, True, True, False]
    rates = [{row.subject: row.overall.value for row in board.rows} for board in (closed, opened)]
    assert rates[0] == rates[1]
    assert rates[0][GPT] == pytest.approx((1 + 0.5) / 2)  # first of `exam`, tied in `quiz`


def test_the_page_opens_and_closes_by_links_and_keeps_the_rest_of_the_address(shown: Viewer) -> None:
    page = html_of(shown, "/?suite=s&sort=quiz&q=a/")
    (link,) = re.findall(r'class="opens" href="([^"]*)" aria-expanded="false"', page)
    assert "college law" not in text_of(page)
    opened = html_of(shown, link.replace("&amp;", "&"))
    assert "college law" in text_of(opened) and "GPT-4o" not in text_of(opened).split("Model", 1)[1]
    (back,) = re.findall(r'class="opens" href="([^"]*)" aria-expanded="true"', opened)
    assert html_of(shown, back.replace("&amp;", "&")) == page


def test_names_are_for_readers_and_searched(shown: Viewer) -> None:
    text = text_of(html_of(shown, "/"))
    assert f"GPT-4o (2024-05-13) {GPT}" in text
    assert [row.subject for row in board_of(shown, search="openAI").rows] == [GPT]  # the name of the organization
    empty = text_of(html_of(shown, "/?q=nobody"))
    assert "0 of 3 with “nobody” in the name. Show all" in empty
    unknown = name_subject("nobody/knows")
    assert (unknown.title, unknown.creator, unknown.released) == ("nobody/knows", "", "")


def test_the_best_is_that_of_all_also_in_a_search(shown: Viewer) -> None:
    assert not any(cell.is_best for row in board_of(shown, search="a/").rows for cell in row.cells.values())


def test_it_says_who_leads_as_far_as_that_is_shown(tmp_path: Path) -> None:
    def sentence(name: str, **ones: int) -> str:
        folder = tmp_path / name
        for model, number in ones.items():
            make_run(folder / "runs" / "s", zeros_and_ones(number, 100), f"x/{model}", "quiz")
        with viewer(folder) as found:
            return board_of(found).sentence

    assert sentence("clear", a=90, b=50) == "x/a leads in EM, by more than chance."
    assert sentence("close", a=52, b=50, c=10) == "x/a is highest in EM; no difference from x/b is shown."
    many = sentence("many", a=52, b=51, c=50, d=49, e=48)
    assert many == "x/a is highest in EM; no difference from x/b or x/c or x/d or 1 more is shown."
    assert sentence("equal", a=50, b=50) == ""


def test_times_of_several_sizes_are_not_averaged(tmp_path: Path) -> None:
    for size in (2, 200):
        for tool in ("fast/tool", "slow/tool"):
            times = [size / 1000] * 8
            name = f"gmm:d={size}"
            make_ad_run(tmp_path / "runs" / "s", tool, {"gradient n=10": times}, name)
    with viewer(tmp_path) as shown:
        entries = list(shown.entries().values())
        (board,) = [
            board
            for kind in subject_kinds()
            if (board := make_board(kind, [entry for entry in entries if entry.subject_kind is kind])).rows
        ]
    assert sorted(column.task for column in board.shown_columns) == ["gradbench_gmm:d=2", "gradbench_gmm:d=200"]
    assert sorted(column.title.rpartition(": ")[2] for column in board.shown_columns) == ["d 2", "d 200"]


def test_an_exported_site_has_each_scenario_closed_and_open(tmp_path: Path, shown: Viewer) -> None:
    shown.settings.is_static = True
    exporter = export_site(shown, str(tmp_path / "site"), 0, ["s"])
    assert exporter.problems == []
    (board,) = [
        table for table in re.findall(r"<table.*?</table>", (tmp_path / "site/index.html").read_text(), re.DOTALL)
    ]
    heads = dict(re.findall(r'<th scope="col" data-col="([^"]*)"[^>]*?( hidden)?>', board))
    assert heads["exam:*"] == heads["quiz"] == "" and heads["exam:subject=anatomy,method=joint"] == " hidden"


@pytest.mark.parametrize(
    ("tasks", "labels"),
    [
        (["mmlu:subject=anatomy,method=joint", "mmlu:subject=us_law,method=joint"], ["anatomy", "us law"]),
        (["x:n=1,k=2", "x:n=2,k=2"], ["n 1", "n 2"]),
        (["x:few=true", "x"], ["few true", ""]),
        (["x:flag", "x:other"], ["flag", "other"]),
        (["x:names=a,b,k=1", "x:names=a,c,k=1"], ["a,b", "a,c"]),
        (["x:subject=anatomy"], [""]),
    ],
)
def test_tasks_are_labelled_by_what_they_differ_in(tasks: list[str], labels: list[str]) -> None:
    assert label_tasks(tasks) == labels
