"""What the pages say, on results of all three kinds of subject and on HELM's own."""

import html
import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")

from compare_support import make_ad_run, make_episode_run, zeros_and_ones  # noqa: E402
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package  # noqa: E402
from helm.benchmark.run_spec_factory import construct_run_specs  # noqa: E402
from helm.benchmark.server.board_parts import Board  # noqa: E402
from helm.benchmark.server.charts import log_log_chart  # noqa: E402
from helm.benchmark.server.leaderboard import make_board  # noqa: E402
from helm.benchmark.server.viewer import Viewer  # noqa: E402
from helm.benchmark.subjects import subject_kinds  # noqa: E402
from helm.common.object_spec import parse_object_spec  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import html_of, make_output, make_run, show, text_of, viewer, write_vector_runs  # noqa: E402

ONE = "mixed/quiz:model=a_one"
TWO = "mixed/quiz:model=b_two"


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Viewer]:
    with viewer(make_output(tmp_path)) as found:
        yield found


def rows_of(page: str) -> list[str]:
    return [text_of(row) for row in re.findall(r"<tr data-row>.*?</tr>", page, flags=re.DOTALL)]


def test_the_leaderboard_has_a_table_for_each_kind_with_intervals(shown: Viewer) -> None:
    text = text_of(html_of(shown, "/"))
    for title in ("Language models", "AD tools", "Compilers", "a/one", "fast/tool", "llvm/greedy"):
        assert title in text
    assert "0.500 0.234 – 0.766" in text  # of 6 of 12
    assert "84% answered" in text  # 11 of 13: one failed, one empty; perturbed copies count
    assert "67% solved" in text


def test_the_best_of_a_column_is_marked_where_it_is_shown_to_be(tmp_path: Path) -> None:
    suite = tmp_path / "runs" / "s"
    for model, ones in (("a/one", 50), ("b/two", 20), ("c/three", 21)):
        make_run(suite, zeros_and_ones(ones, 60), model, "quiz")
    few = {f"id{i}": None for i in range(48)}  # 20% answered, and all of them right
    make_run(suite, zeros_and_ones(60, 60), "d/few", "quiz", answers=few)
    for tool, factor in (("fast/tool", 1.0), ("slow/tool", 3.0)):
        times = [factor * t for t in (0.001, 0.0012, 0.0011, 0.0013, 0.0012, 0.0011, 0.0013)]
        make_ad_run(suite, tool, {f"gradient n={n}": times for n in (10, 20)})
    with viewer(tmp_path) as shown:
        page, by_task = html_of(shown, "/"), html_of(shown, "/?sort=quiz")
        models, tools = make_boards(shown)
    cells = {row.subject: cell for board in (models, tools) for row in board.rows for cell in row.cells.values()}
    assert [name for name, cell in cells.items() if cell.is_best] == ["a/one", "fast/tool"]  # the shorter time
    assert not any(cell.is_tied for cell in cells.values())
    best = [text_of(cell) for cell in re.findall(r'<td class="best"[^>]*>.*?</td>', page, flags=re.DOTALL)]
    assert len(best) == 2 and "0.833" in best[0] and "ms" in best[1]
    assert by_task.index("a/one") < by_task.index("c/three") < by_task.index("b/two")
    assert 'aria-sort="descending"' in by_task


def test_win_rates_and_geometric_means_have_intervals_and_ties_are_said_to_be_ties(tmp_path: Path) -> None:
    suite = tmp_path / "runs" / "s"
    for task in ("first", "second"):
        for ones, model in ((50, "a/best"), (48, "b/tied"), (48, "c/tied"), (5, "d/worst")):
            make_run(suite, zeros_and_ones(ones, 60), model, task)
    for policy, factor in (("llvm/good", 1.0), ("llvm/bad", 0.5)):
        for program, reduction in (("crc32", 1.2), ("sha256", 1.1), ("dijkstra", 1.3)):
            make_episode_run(suite, policy, program, factor * reduction)
    with viewer(tmp_path) as shown:
        page = html_of(shown, "/")
        models, compilers = make_boards(shown)
    rates = {row.subject: row.overall.estimate for row in models.rows}
    assert [round(rate.value, 3) for rate in rates.values() if rate] == [1.0, 0.5, 0.5, 0.0]
    assert all(rate and rate.low <= rate.value <= rate.high for rate in rates.values())
    assert [row.overall.is_tied for row in models.rows] == [True, True, True, False]
    cells = {row.subject: row.cells["first"] for row in models.rows}
    assert not any(cell.is_best for cell in cells.values())
    assert [cell.is_tied for cell in cells.values()] == [True, True, True, False]
    assert {row.subject: row.overall.is_best for row in compilers.rows} == {"llvm/good": True, "llvm/bad": False}
    good = next(row.overall.estimate for row in compilers.rows if row.subject == "llvm/good")
    assert (
        good is not None
        and good.value == pytest.approx((1.2 * 1.1 * 1.3) ** (1 / 3))
        and good.low < good.value < good.high
    )
    assert page.count('class="tied"') == 9


def test_a_win_rate_with_a_score_of_unknown_error_has_no_interval(tmp_path: Path) -> None:
    for tool, time in (("fast/tool", 0.001), ("slow/tool", 0.002)):
        make_ad_run(tmp_path / "runs" / "s", tool, {"gradient n=10": [time]})  # one run says nothing of its noise
    with viewer(tmp_path) as shown:
        (tools,) = make_boards(shown)
    assert [(rate.value, rate.low) for row in tools.rows if (rate := row.overall.estimate)] == [
        (1.0, None),
        (0.0, None),
    ]


def make_boards(shown: Viewer) -> list[Board]:
    entries = list(shown.entries().values())
    of_kind = {kind.name: [entry for entry in entries if entry.subject_kind is kind] for kind in subject_kinds()}
    return [make_board(kind, found) for kind in subject_kinds() if (found := of_kind[kind.name])]


def test_a_suite_that_is_not_there_is_named_with_the_nearest(shown: Viewer) -> None:
    rendered = show(shown, "/?suite=mixd")
    assert rendered.status == 404 and "There is no suite mixd. Did you mean" in rendered.html


def test_the_list_of_runs_is_filtered(shown: Viewer) -> None:
    assert len(rows_of(html_of(shown, "/runs"))) == 9
    assert len(rows_of(html_of(shown, "/runs?kind=tool"))) == 2
    assert len(rows_of(html_of(shown, "/runs?q=QUIZ+b%2Ftwo"))) == 1
    assert len(rows_of(html_of(shown, "/runs?status=failed"))) == 0
    assert show(shown, "/runs?kind=toll").status == 400


def test_the_page_of_a_run_has_scores_with_intervals_coverage_and_spec(shown: Viewer) -> None:
    text = text_of(html_of(shown, f"/run/{ONE}"))
    assert "exact_match test 0.500 0.234 – 0.766 0.151 12" in text
    assert "11 of 13 requests answered: 1 empty, 1 failed" in text
    assert "my.TaskScenario" in text and "scenario_state.json" in text and "Compare" in text


def test_instances_come_in_pages(shown: Viewer) -> None:
    page = html_of(shown, f"/instances/{ONE}?rows=5")
    assert len(rows_of(page)) == 5 and "1–5 of 13" in text_of(page)
    last = html_of(shown, f"/instances/{ONE}?rows=5&start=10")
    assert len(rows_of(last)) == 3 and 'rel="prev"' in last and 'rel="next"' not in last
    assert show(shown, f"/instances/{ONE}?start=-1").status == 400
    assert show(shown, f"/instances/{ONE}?rows=" + "9" * 30).status == 400


@pytest.mark.parametrize(
    "query, ids",
    [
        ("q=river", ["id0", "id0", "id4"]),
        ("q=riv", ["id0", "id0", "id4"]),
        ('q="no+idea"', ["id4"]),
        ("q=idea+river", ["id4"]),
        ("q=cafe", ["id2"]),
        ("q=首都", ["id1"]),
        ("q=北京", ["id1"]),
        ("q=京北", []),
        ("q=%22%27%29+OR+1%3D1", []),
        ("q=-", []),
        ("outcome=failed", ["id2"]),
        ("outcome=empty", ["id3"]),
        ("perturbation=typos", ["id0"]),
        ("split=valid", []),
        ("metric=exact_match&low=0.5", [f"id{i}" for i in range(6)]),
        ("metric=exact_match&high=0.5&q=id7", ["id7"]),
    ],
)
def test_instances_are_searched_and_filtered(shown: Viewer, query: str, ids: list[str]) -> None:
    rows = rows_of(html_of(shown, f"/instances/{ONE}?{query}"))
    assert [row.split()[0] for row in rows] == ids


def test_instances_are_sorted_by_score(shown: Viewer) -> None:
    rows = rows_of(html_of(shown, f"/instances/{ONE}?sort=score"))
    assert [row.split()[-1] for row in rows] == ["0"] * 7 + ["1"] * 6


def test_one_instance_from_row_to_scores(shown: Viewer) -> None:
    page = html_of(shown, f"/instance/{ONE}?id=id0")
    text = text_of(page)
    order = ["Row of the scenario", "Where does the river begin?", "References", "correct", "yes", "Prompt", "Q: id0",
             "Response", "in the mountains", "Scores", "exact_match 1",
             "Other versions", "The same instance", "b/two"]  # fmt: skip
    text = text[text.index(order[0]) :]  # the verdict above quotes the answer
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    perturbed = re.search(r'href="(/instance/[^"]*p=typos-[^"]*)"', page)
    assert perturbed is not None
    copy = text_of(html_of(shown, html.unescape(perturbed[1])))
    assert "typos" in copy and "exact_match 0" in copy


def test_a_failed_request_is_no_answer(shown: Viewer) -> None:
    text = text_of(html_of(shown, f"/instance/{ONE}?id=id2"))
    assert "failed: no answer" in text


def test_an_instance_that_is_not_there(shown: Viewer) -> None:
    rendered = show(shown, f"/instance/{ONE}?id=id99")
    assert rendered.status == 404 and "has no instance &#39;id99&#39;" in rendered.html


def test_trials_are_apart(shown: Viewer) -> None:
    page = html_of(shown, "/instances/mixed/trials:model=a_one")
    assert len(rows_of(page)) == 10 and "trial 1" in text_of(page)
    assert "exact_match 0" in text_of(html_of(shown, "/instance/mixed/trials:model=a_one?id=id3&trial=1"))


def test_two_runs_side_by_side(shown: Viewer) -> None:
    page = html_of(shown, f"/compare?run={ONE}&run={TWO}")
    text = text_of(page)
    assert "13 shown of 13 that all have; scores differ on 3" in text
    assert rows_of(page)[0].split()[-1] == "1" and rows_of(page)[-1].split()[-1] == "0"
    assert "a/one against b/two +0.25" in text and "no difference shown" in text
    assert "adapter_spec.model" in text
    only = html_of(shown, f"/compare?run={ONE}&run={TWO}&only=score")
    assert [row.split()[0] for row in rows_of(only)] == ["id3", "id4", "id5"]
    assert "<mark>" in html_of(shown, f"/compare?run={ONE}&run={TWO}&only=output")


def test_runs_that_did_not_do_the_same_are_not_tested(shown: Viewer) -> None:
    text = text_of(html_of(shown, f"/compare?run={ONE}&run=mixed/trials:model=a_one"))
    assert "Not tested" in text and "8 not in all" in text and "5 shown of 5 that all have" in text


def test_comparing_needs_two_runs_that_are_there(shown: Viewer) -> None:
    assert "Choose another one" in html_of(shown, f"/compare?run={ONE}")
    assert show(shown, f"/compare?run={ONE}&run=mixed/nothing").status == 404
    assert show(shown, "/compare?" + "&".join(f"run=r{i}" for i in range(7))).status == 400


def test_ad_tools_have_charts_and_ratios_to_the_best(shown: Viewer) -> None:
    page = html_of(shown, "/tools")
    assert page.count("<svg") == 4 and "both logarithmic" in page
    text = text_of(page)
    assert "n=10 10 3.00 ms 3.00 ms – 3.00 ms 15.0 ms 15.0 ms – 15.0 ms ×5" in text
    assert "×1 ×5" in text


def test_of_tools_that_solved_everything_times_are_compared(tmp_path: Path) -> None:
    for tool, factor in (("fast/tool", 1.0), ("slow/tool", 3.0)):
        times = {
            f"gradient n={n}": [factor * n * t for t in (0.001, 0.0012, 0.0011, 0.0013)] for n in range(10, 70, 10)
        }
        make_ad_run(tmp_path / "runs" / "s", tool, times)
    with viewer(tmp_path) as shown:
        runs = "&".join(f"run={path}" for path in sorted(shown.entries()))
        text = text_of(html_of(shown, f"/compare?{runs}"))
    assert "Mean derivative_time_s" in text and "fast/tool is better" in text
    assert "×0.333" in text and "intervals from the noise of the timings" in text


def test_compilers_have_reductions_actions_and_ir(shown: Viewer) -> None:
    text = text_of(html_of(shown, "/compilers"))
    assert "crc32" in text and "sha256" in text
    assert "llvm/greedy 1.200 240 100 1 -a" in text
    assert "llvm/O0 1.200" not in text
    assert "Leaderboard:" in text and "Place Policy Score Episodes Mean time, s Problems" in text
    instance = text_of(html_of(shown, "/instance/mixed/llvm:program=crc32,model=llvm_greedy?id=id0"))
    assert "define i32 @before()" in instance and "define i32 @after()" in instance and "240 → 100" in instance


def test_runs_of_helm_are_shown(tmp_path: Path) -> None:
    for name in ("simple_mcqa", "perturbed_and_eval_split", "simple1", "simple_mcqa_trials_stop"):
        write_vector_runs(tmp_path / "runs" / name, name)
    with viewer(tmp_path) as shown:
        entries = shown.entries()
        assert len(entries) >= 4 and not any(entry.summary.get("problem") for entry in entries.values())
        for path in entries:
            assert "Scores" in html_of(shown, f"/run/{path}")
            page = html_of(shown, f"/instances/{path}")
            address = html.unescape(re.search(r'href="(/instance/[^"]*)"', page)[1])  # type: ignore[index]
            assert "Prompt" in html_of(shown, address)


def test_what_labels_stand_for_is_shown(tmp_path: Path) -> None:
    write_vector_runs(tmp_path / "runs" / "s", "simple_mcqa")
    (folder,) = (tmp_path / "runs" / "s").iterdir()

    def answer(state: dict) -> None:
        state["request_states"][0]["result"]["completions"][0]["text"] = " A"

    edit_json(folder / "scenario_state.json", answer)
    with viewer(tmp_path) as shown:
        path = next(iter(shown.entries()))
        page = html_of(shown, f"/instances/{path}")
        assert '<span class="mapped">Even</span>' in page
        address = html.unescape(re.search(r'href="(/instance/[^"]*)"', page)[1])  # type: ignore[index]
        assert "A = Even · B = Odd Even" in text_of(html_of(shown, address))


def test_results_are_followed_as_they_change(tmp_path: Path) -> None:
    output = make_output(tmp_path)
    with viewer(output) as shown:
        assert "0.500" in text_of(html_of(shown, "/"))
        html_of(shown, f"/instances/{ONE}")
        folder = output / "runs" / ONE
        edit_json(folder / "stats.json", lambda stats: stats[0].update(mean=0.75))
        edit_json(folder / "scenario_state.json", lambda state: state["request_states"].pop())
        assert "0.750" in text_of(html_of(shown, "/"))
        assert "12 instances" in text_of(html_of(shown, f"/instances/{ONE}"))
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        assert show(shown, f"/run/{ONE}").status == 404


def test_an_output_folder_without_runs(tmp_path: Path) -> None:
    register_builtin_configs_from_helm_package()
    with viewer(tmp_path) as shown:
        assert "No results yet" in text_of(html_of(shown, "/"))
        for page in ("/", "/runs", "/tools", "/compilers", "/compare", "/live", "/gallery"):
            (command,) = re.findall(r">(helm-run -r [^<]*)<", html_of(shown, page))
            words = shlex.split(html.unescape(command))
            assert words[-4] == "-m" and words[-2] == "--suite"
            for entry in words[2:-4]:
                assert construct_run_specs(parse_object_spec(entry)), page
        tables = show(shown, "/tables")
        assert tables.status == 404 and "helm-summarize --suite mine" in tables.html


def test_tables_of_a_summary_are_shown_without_empty_columns(tmp_path: Path) -> None:
    import json

    output = make_output(tmp_path)
    groups = output / "runs" / "mixed" / "groups"
    groups.mkdir()
    table = {
        "title": "Accuracy",
        "header": [{"value": "Model"}, {"value": "EM", "lower_is_better": False}, {"value": "nothing"}],
        "rows": [[{"value": "a/one"}, {"value": 0.5, "run_spec_names": ["quiz:model=a_one"]}, {"value": None}]],
    }
    (groups / "quiz.json").write_text(json.dumps([table]))
    with viewer(output) as shown:
        page = html_of(shown, "/tables")
        assert "a/one 0.500" in text_of(page) and "1 columns without any value" in text_of(page)
        assert 'href="/run/mixed/quiz%3Amodel%3Da_one"' in page
        assert show(shown, "/tables?group=../runs").status == 404
        assert "0.5 – 0.7" not in page
    (groups / "csv").mkdir()
    head = "Model,EM,nothing,EM (standard error),EM (low),EM (high)"
    (groups / "csv" / "quiz_other.csv").write_text(f"{head}\na/one,0.25,,0.1,0.1,0.2\n")
    (groups / "csv" / "quiz_accuracy.csv").write_text(f"{head}\na/one,0.5,,0.125,0.25,0.75\n")
    with viewer(output) as shown:
        page = html_of(shown, "/tables")
        assert "a/one 0.500 0.250 – 0.750" in text_of(page) and "standard error 0.125" in page
        (groups / "csv" / "quiz_accuracy.csv").write_text(f"{head}\na/one,0.5,,\x00,nan,<script>\n")
        (groups / "quiz.json").write_text(json.dumps([table]).replace('"EM"', '"Time (s)"').replace("0.5", "0.0015"))
        assert "a/one 1.50 ms" in text_of(html_of(shown, "/tables"))
        (groups / "quiz.json").write_text(json.dumps([table]))
        assert "a/one 0.500 –" not in text_of(html_of(shown, "/tables"))
        assert 'href="/tables' in html_of(shown, "/")


def test_the_live_page_shows_a_run_in_progress(tmp_path: Path) -> None:
    import json
    import os
    import socket
    import time

    output = make_output(tmp_path)
    now = time.time()
    run = {"name": "quiz:model=c_three", "state": "running", "stage": "execution", "total": 400, "done": 123}
    command = {
        "program": "helm-run", "host": socket.gethostname(), "pid": os.getpid(), "state": "running",
        "started_at": now - 60, "updated_at": now, "runs": [run, {"name": "quiz:model=a_one", "state": "done"}],
        "rate": {"window_s": 30.0, "requests_per_s": 4.1, "tokens_per_s": 812.0},
        "eta": {"seconds": 68.0, "basis": "the rate of the last 30 s"},
    }  # fmt: skip
    report = {"suite": "mixed", "updated_at": now, "commands": [command], "schema_version": 1}
    (output / "runs" / "mixed" / "progress.json").write_text(json.dumps(report))
    with viewer(output) as shown:
        page = html_of(shown, "/live")
        text = text_of(page)
        assert "123 of 400 requests" in text and "running" in text and "about 68.0 s to go" in text
        assert 'data-refresh="2"' in page and f'href="/run/{"mixed/quiz%3Amodel%3Da_one"}"' in page
        report["commands"][0].update(pid=2**22 + 1, updated_at=now - 20)  # type: ignore[index]
        (output / "runs" / "mixed" / "progress.json").write_text(json.dumps(report))
        assert "killed" in text_of(html_of(shown, "/live"))


@pytest.mark.parametrize("times", [(1.0, 1.0), (86e-6, 138e-6), (1e-6, 1.0), (93e-6, 99e-6), (0.9, 4.0)])
def test_every_axis_has_a_few_marks(times: tuple) -> None:
    data = {"tool": [(10.0 * (i + 1), time, None, None) for i, time in enumerate(times)]}
    chart = log_log_chart(data, "size", "time")
    assert chart is not None
    for ticks in (chart.x_ticks, chart.y_ticks):
        assert 3 <= len(ticks) <= 8 and len({label for _, label in ticks}) == len(ticks)


# --- runs that failed, navigation, answers ----------------------------------------------------------------------------


def add_failed_run(suite: Path) -> None:
    folder = suite / "broken:model=z_bad"
    folder.mkdir()
    spec = {"name": "broken:model=z_bad", "adapter_spec": {"method": "generation", "model": "z/bad"}}
    error = {
        "run": "broken:model=z_bad", "stage": "execution", "instance_id": "id7", "error_type": "ConnectionError",
        "message": "no server <answers>", "traceback": "Traceback: line 1", "run_spec": spec,
    }  # fmt: skip
    (folder / "error.json").write_text(json.dumps(error))


def test_failed_runs_have_a_page_of_their_own_and_are_no_results(tmp_path: Path) -> None:
    suite = make_output(tmp_path) / "runs" / "mixed"
    add_failed_run(suite)
    with viewer(tmp_path) as shown:
        board, runs, failed = (html_of(shown, page) for page in ("/", "/runs", "/failed"))
        asked_for = html_of(shown, "/runs?status=failed")
    assert "broken" not in text_of(board) and "z_bad" not in text_of(board)
    assert "10 runs, 1 failed" in text_of(board) and 'href="/failed?suite=mixed">1 failed</a>' in board
    assert len(rows_of(runs)) == 9 and len(rows_of(asked_for)) == 1
    text = text_of(failed)
    for part in ("broken:model=z_bad", "no server <answers>", "Stage execution", "Instance id7", "ConnectionError",
                 "Traceback: line 1", '"model": "z/bad"'):  # fmt: skip
        assert part in text
    assert "Failed (1)" in text_of(board)


def test_without_failed_runs_the_page_says_so_and_is_not_offered(shown: Viewer) -> None:
    assert "No run of this suite failed." in html_of(shown, "/failed")
    assert "/failed" not in html_of(shown, "/")


def test_the_navigation_offers_only_kinds_that_are_there(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "s", zeros_and_ones(3, 6), "a/one", "quiz")
    make_ad_run(tmp_path / "runs" / "t", "some/tool", {"gradient n=10": [0.1] * 6})
    with viewer(tmp_path) as found:
        models, tools = (html_of(found, f"/?suite={suite}").partition("</nav>")[0] for suite in "st")
    assert "AD tools" not in models and "Compilers" not in models and "Runs" in models
    assert 'href="/tools?suite=t"' in tools and "Compilers" not in tools


def test_links_of_a_run_stay_in_its_suite(tmp_path: Path) -> None:
    for suite, mtime in (("old", 1_000), ("new", 2_000_000_000)):
        make_run(tmp_path / "runs" / suite, zeros_and_ones(3, 6), "a/one", "quiz")
        make_run(tmp_path / "runs" / suite, zeros_and_ones(2, 6), "b/two", "quiz")
        os.utime(tmp_path / "runs" / suite, (mtime, mtime))
    one, two = "old/quiz:model=a_one", "old/quiz:model=b_two"
    with viewer(tmp_path) as found:
        assert "suite=new" in html_of(found, "/").partition("</header>")[0]
        for page in (f"/run/{one}", f"/instances/{one}", f"/instance/{one}?id=id0", f"/compare?run={one}&run={two}"):
            head = html_of(found, page).partition("</header>")[0]
            assert "suite=old" in head and "suite=new" not in head and "<option selected>old</option>" in head, page


@pytest.mark.parametrize("answer, kind", [("A", "right"), ("B", "wrong"), ("what?", "wrong")])
def test_what_an_answer_was_read_as_is_green_only_when_it_is_right(tmp_path: Path, answer: str, kind: str) -> None:
    folder = make_run(tmp_path / "runs" / "s", zeros_and_ones(3, 6), "a/one", "quiz", answers={"id0": answer})

    def map_choices(state: Any) -> None:
        for item in state["request_states"]:
            item["output_mapping"] = {"A": "yes", "B": "no"}
            item["instance"]["references"] = [
                {"output": {"text": "yes"}, "tags": ["correct"]}, {"output": {"text": "no"}, "tags": []},
            ]  # fmt: skip

    edit_json(folder / "scenario_state.json", map_choices)
    with viewer(tmp_path) as found:
        page = html_of(found, "/instance/s/quiz:model=a_one?id=id0")
    assert re.findall(r'<section class="text (mapped[^"]*)">', page) == [f"mapped {kind}"]


def test_tables_of_files_mark_what_is_shown_to_be_best(tmp_path: Path) -> None:
    suite = make_output(tmp_path) / "runs" / "mixed"
    header = [{"value": "Model"}, {"value": "EM", "lower_is_better": False}]
    bold = {"font-weight": "bold"}
    rows = [[{"value": name}, {"value": value, "style": bold if value > 0.8 else {}}] for name, value in
            (("a/one", 0.9), ("b/two", 0.2), ("c/three", 0.1))]  # fmt: skip
    (suite / "groups" / "csv").mkdir(parents=True)
    (suite / "groups" / "g.json").write_text(json.dumps([{"title": "T", "header": header, "rows": rows}]))
    for low, best, tied in ((0.8, 1, 0), (0.1, 0, 3)):
        errors = (0.9 - low) / 2
        lines = [f"{name},{v},{errors},{v - 2 * errors},{v + 2 * errors}" for name, v in
                 (("a/one", 0.9), ("b/two", 0.2), ("c/three", 0.1))]  # fmt: skip
        text = "\n".join(["Model,EM,EM (standard error),EM (low),EM (high)", *lines])
        (suite / "groups" / "csv" / "g_t.csv").write_text(text + "\n")
        with viewer(tmp_path) as found:
            page = html_of(found, "/tables?suite=mixed")
        assert (page.count('class="num best"'), page.count('class="tied"')) == (best, tied)
