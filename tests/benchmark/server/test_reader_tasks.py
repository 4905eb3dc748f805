"""What readers come for, done in a browser with a counted number of steps; and the static site from a disk and below a path."""

import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("jinja2")

from compare_support import plain_stat  # noqa: E402
from helm.benchmark.server.export import export_site, shard_key  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import RunningServer, make_run, serve, viewer, zeros_and_ones  # noqa: E402

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]

SUBJECTS = {"anatomy": 30, "astronomy": 44, "college_law": 20, "virology": 36}
MODELS = {"a/one": 1.0, "b/two": 0.6}


def make_results(output: Path) -> Path:
    suite = output / "runs" / "s"
    for model, factor in MODELS.items():
        for subject, ones in SUBJECTS.items():
            scores = zeros_and_ones(round(factor * ones), 50)
            texts = {f"id{i}": f"Question {i} of {subject}?" for i in range(50)}
            make_run(suite, scores, model, f"mmlu:subject={subject}", texts=texts, groups=["mmlu"])
        for task in ("quiz", "puzzle"):
            add_judge(make_run(suite, zeros_and_ones(25, 50), model, task))
    return output


def add_judge(run: Path) -> None:
    """A judge that agrees with the exact match, but for id7 and id31, and says why."""

    def judge(entries: Any) -> None:
        for entry in entries:
            (match,) = [stat for stat in entry["stats"] if stat["name"]["name"] == "exact_match"]
            said = match["sum"] if entry["instance_id"] not in ("id7", "id31") else 1 - match["sum"]
            entry["stats"].append(plain_stat({"name": "judge_correct", "split": "test"}, [said]))

    def explain(state: Any) -> None:
        for found in state["request_states"]:
            found["annotations"] = {
                "judge": {"reasoning": f"Of **{found['instance']['id']}** the judge says: " + "so. " * 20}
            }

    edit_json(run / "per_instance_stats.json", judge)
    edit_json(run / "scenario_state.json", explain)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_results(tmp_path_factory.mktemp("tasks"))


@pytest.fixture(scope="module")
def server(output: Path) -> Iterator[RunningServer]:
    with serve(output) as running:
        yield running


@pytest.fixture(scope="module")
def site(output: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "some" / "board"
    with viewer(output, is_static=True, rows_per_page=200) as shown:
        export_site(shown, str(folder), 50)
    return folder


@pytest.fixture(scope="module")
def below_a_path(site: Path) -> Iterator[str]:
    """The address of the site on a web server that knows nothing of it, below a path."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site.parents[1])))
    threading.Thread(target=web.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{web.server_address[1]}/some/board/"
    web.shutdown()
    web.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as found:
        started = found.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Reader:
    """A page, the steps that were taken on it, and what it asked for and said."""

    def __init__(self, context: Any):
        self.page = context.new_page()
        self.steps = 0
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda said: self.said.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def click(self, what: str) -> None:
        self.steps += 1
        self.page.click(what)

    def type(self, what: str, text: str) -> None:
        self.steps += 1
        self.page.fill(what, text)


@pytest.fixture(params=[1400, 400], ids=["wide", "narrow"])
def reader(browser: Any, request: Any) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = Reader(context)
    yield found
    context.close()
    assert not found.said


@pytest.fixture(params=["server", "disk", "path"])
def home(request: Any, server: RunningServer, site: Path, below_a_path: str) -> str:
    return {"server": server.url + "/", "disk": (site / "index.html").as_uri(), "path": below_a_path}[request.param]


def test_find_the_worst_subject_of_a_model(reader: Reader, home: str) -> None:
    reader.page.goto(home)
    reader.click("th:has-text('one') a")  # the model's page has every subject, with the place
    reader.page.wait_for_selector("tr.part")
    rows = reader.page.locator("tr.part").all()
    scores = {row.locator("th a").inner_text(): float(row.locator(".value").inner_text().rstrip("≈ ")) for row in rows}
    assert min(scores, key=scores.__getitem__) == "college law" and scores["college law"] == 0.4
    reader.click("tr.part:has-text('college law') .score a")
    reader.page.wait_for_selector("h1:has-text('mmlu:subject=college_law')")
    assert reader.steps == 2
    assert all(address.startswith((home.rpartition("/")[0], "blob:", "data:")) for address in reader.asked)


def test_open_the_subjects_in_place_and_order_by_one(reader: Reader, home: str) -> None:
    reader.page.goto(home)
    reader.click("a.opens >> nth=0")
    reader.page.wait_for_selector("th:visible:has-text('college law')")
    reader.click("th:has-text('college law') .task a")
    reader.page.wait_for_selector("th[aria-sort]:has-text('college law')")
    names = reader.page.locator("table.board tbody th").all_inner_texts()
    assert names[0].startswith("a/one") and reader.steps == 2
    assert "open=" in reader.page.url and "sort=" in reader.page.url  # an address to pass on


def test_whether_a_difference_is_real(reader: Reader, home: str) -> None:
    reader.page.goto(home)
    reader.click(".top nav >> text=Compare")
    reader.click("main a:has-text('college_law')")
    reader.page.wait_for_selector("td:has-text('a/one is better')")  # the same 12 right, and 8 more
    assert "How sure the differences are" in reader.page.inner_text("main") and reader.steps == 2


def test_where_the_judge_and_the_exact_match_disagree(reader: Reader, server: RunningServer) -> None:
    reader.page.goto(server.url + "/instances/s/quiz:model=a_one")
    reader.steps += 1
    reader.page.select_option("[name=unlike]", "judge_correct")
    reader.click("form.filters button")
    reader.page.wait_for_selector("text=2 of 50 instances")
    assert reader.page.locator("tr[data-row] [data-open]").all_inner_texts() == ["id7", "id31"]
    reader.click("[data-open]:has-text('id31')")
    reader.page.wait_for_selector(".rendered strong:has-text('id31')")  # and why, in sight
    assert reader.page.locator("text=the judge says: so.").first.is_visible() and reader.steps == 3


def test_where_the_judge_disagrees_in_the_static_site(reader: Reader, below_a_path: str) -> None:
    link = f"{below_a_path}view.html#{shard_key('s/quiz:model=a_one')}/instances"
    reader.page.goto(link)
    reader.page.wait_for_selector("[data-unlike]")
    reader.steps += 1
    reader.page.select_option("[data-unlike]", label="judge_correct")
    shown = reader.page.locator("tr[data-row]:visible [data-open]")
    assert shown.all_inner_texts() == ["id7", "id31"]
    assert reader.page.inner_text("[data-num-shown]") == "2 of 50 shown"
    reader.click("[data-open]:has-text('id31')")
    reader.page.wait_for_selector(".rendered strong:has-text('id31')")
    assert reader.steps == 2


def test_copy_a_table_into_latex(reader: Reader, home: str) -> None:
    reader.page.goto(home)
    reader.click("[data-copy=latex] >> nth=0")
    reader.page.wait_for_selector("text=copied")
    text = reader.page.evaluate("navigator.clipboard.readText()")
    lines = text.splitlines()
    assert lines[1].startswith(r"\begin{tabular}{lr") and lines[-1] == r"\end{tabular}"
    columns = lines[3].count(" & ")
    rows = [line for line in lines if line.startswith(("a/one", "b/two"))]
    assert len(rows) == 2 and all(line.count(" & ") == columns and line.endswith(r" \\") for line in rows)
    assert r"{\scriptsize 0." in rows[0] and reader.steps == 1


def test_search_finds_a_run_in_the_static_site(reader: Reader, below_a_path: str) -> None:
    reader.page.goto(below_a_path)
    reader.type("[data-site-search]", "virology two")
    reader.page.wait_for_selector("#site-search-found li")
    reader.click("#site-search-found a:has-text('virology')")
    reader.page.wait_for_selector("h1:has-text('virology')")
    assert "b/two" in reader.page.inner_text("main") and reader.steps == 2
    assert all(address.startswith(below_a_path) for address in reader.asked)


def test_filters_and_columns_without_a_server(reader: Reader, site: Path) -> None:
    reader.page.goto((site / "index.html").as_uri())
    reader.type("[data-board-filters] [name=q]", "two")
    rows = "table.board >> nth=1 >> tbody tr:visible"  # the second board has the scenarios of no group
    assert reader.page.locator(rows).count() == 1
    reader.page.click(".menu summary")
    reader.page.uncheck("input[name=col][value=quiz]")
    assert reader.page.locator("th[data-col=quiz]:visible").count() == 0
    address = reader.page.url
    reader.page.goto("about:blank")
    reader.page.goto(address)  # as a colleague opens it
    assert reader.page.locator("th[data-col=quiz]:visible").count() == 0
    assert reader.page.locator(rows).count() == 1


def test_what_the_copy_lacks_is_said(reader: Reader, site: Path) -> None:
    link = next(path.stem for path in (site / "data").glob("*/*.js"))
    reader.page.goto((site / "view.html").as_uri() + f"#{link}/instance?id=id999")
    reader.page.wait_for_selector("h1:has-text('Not in this copy')")
    reader.page.goto("about:blank")
    reader.page.goto((site / "view.html").as_uri())
    assert "Nothing is chosen" in reader.page.inner_text("h1")


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_plot_can_be_saved(reader: Reader, server: RunningServer, tmp_path: Path, kind: str) -> None:
    reader.page.goto(server.url + "/scenario/quiz")
    with reader.page.expect_download() as started:
        reader.click(f"[data-picture={kind}] >> nth=0")
    path = tmp_path / f"plot.{kind}"
    started.value.save_as(path)
    content = path.read_bytes()
    assert content.startswith(b"<svg" if kind == "svg" else b"\x89PNG") and len(content) > 1000


def crawl(page: Any, start: str, most: int, wait: Callable[[], None]) -> set[str]:
    """Follow links by opening them; returns the addresses."""
    seen, waiting = {start}, [start]
    while waiting and len(seen) < most:
        page.goto("about:blank")
        page.goto(waiting.pop(0))
        wait()
        assert page.locator("h1").count() == 1 and "Not in this copy" not in page.inner_text("main")
        for address in page.evaluate("[...document.querySelectorAll('a[href]')].map((link) => link.href)"):
            if address not in seen and "#main" not in address and "#board" not in address:
                seen.add(address)
                waiting.append(address)
    return seen


def test_links_lead_somewhere_from_a_disk(browser: Any, site: Path) -> None:
    context = browser.new_context()
    reader = Reader(context)
    wait = partial(reader.page.wait_for_selector, "[data-view]", state="detached")  # an expression would need eval
    found = crawl(reader.page, (site / "index.html").as_uri(), 120, lambda: wait())
    context.close()
    assert len(found) >= 120 and not reader.said
    assert all(address.startswith(("file:", "about:", "blob:")) for address in reader.asked)
