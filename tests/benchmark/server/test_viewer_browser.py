"""The pages in a browser: what a reader sees, keys, links, searches, the export from a disk, and no complaint in the console."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("jinja2")

from browser_support import CHECK_ACCESS, CHROMIUM, FLAGS  # noqa: E402
from compare_support import zeros_and_ones  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import EVIL_MARKUP, RunningServer, make_output, make_run, serve, viewer  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
]

RUN = "mixed/quiz:model=a_one"
PAGES = {
    "leaderboard": "/",
    "leaderboard, filtered": "/?q=one&col=@overall&col=quiz",
    "model": "/subject/a/one",
    "scenario": "/scenario/quiz",
    "group": "/group/compiler_gym",
    "runs": "/runs",
    "run": f"/run/{RUN}",
    "run of a tool": "/run/mixed/gradbench_lse:model=fast_tool",
    "run of a compiler": "/run/mixed/llvm:program=crc32,model=llvm_greedy",
    "instances": f"/instances/{RUN}",
    "instance": f"/instance/{RUN}?id=id0",
    "instance with markup": "/instance/answers/quiz:model=a_one?id=id0",
    "instance with evil markup": "/instance/answers/quiz:model=a_one?id=id1",
    "episode": "/instance/mixed/llvm:program=crc32,model=llvm_greedy?id=id0",
    "compare": f"/compare?run={RUN}&run=mixed/quiz:model=b_two",
    "compare, start": "/compare",
    "tools": "/tools",
    "compilers": "/compilers",
    "tables": "/tables",
    "live": "/live",
    "search": f"/instances/{RUN}?q=river",
    "no such page": "/nothing",
}
LONG = "a_task_whose_name_has_no_end:" + ",".join(f"argument{i}=one+two+three+four" for i in range(6))
LONG_RUN = f"long/{LONG}:model=a_one"
PAGES_WITH_LONG_NAMES = {
    "leaderboard": "/",
    "runs": "/runs",
    "run": f"/run/{LONG_RUN}",
    "instances": f"/instances/{LONG_RUN}",
    "instance": f"/instance/{LONG_RUN}?id=id0",
    "compare": f"/compare?run={LONG_RUN}&run=long/{LONG}:model=b_two",
    "compare, start": "/compare",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as found:
        started = found.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    output = tmp_path_factory.mktemp("shown")
    with_markup = make_run(output / "runs" / "answers", zeros_and_ones(1, 3), "a/one", "quiz")
    edit_json(with_markup / "scenario_state.json", add_markup)
    with serve(make_output(output)) as running:  # the suite that is made last is shown first
        yield running


def add_markup(state: Any) -> None:
    """Answers and reasons of a judge with markup, good and evil."""
    for item in state["request_states"]:
        said = {"id0": MARKUP, "id1": EVIL_MARKUP}.get(item["instance"]["id"])
        if said is not None:
            item["result"]["completions"][0].update(text=said, thinking={"text": said})
            item["annotations"] = {"judge": {"reasoning": said, "score": 1, "prompt_text": said}}
            turns = [{"role": role, "content": "word\n" * 20} for role in ("system", "user", "assistant")]
            item["request"]["messages"] = [*turns, {"role": "user", "content": item["instance"]["input"]["text"]}]


MARKUP = "\n\n".join([
    "# Title", "**bold** `code` [link](https://example.org)", "```python\n" + "long " * 60 + "\n```", "> quoted",
    "1. one\n2. two",
    "| a | b |\n|---|--:|\n| " + "x" * 300 + " | $y$ |", "\\[\n\\frac{1}{2}" + " + x^2" * 60 + "\n\\]",
    "$\\begin{no}a&b\\end{no}$", "---",
])  # fmt: skip


@pytest.fixture(scope="module")
def server_of_long_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    output = tmp_path_factory.mktemp("long")
    for ones, model in ((3, "a/one"), (5, "b/two")):
        make_run(output / "runs" / "long", zeros_and_ones(ones, 8), model, LONG, answers={"id0": "x" * 3000})
    with serve(output) as running:
        yield running


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program text of axe-core: of the file that AXE_CORE names, else from the npm registry."""
    path = os.environ.get("AXE_CORE")
    if not path:
        if shutil.which("npm") is None:
            pytest.skip("axe-core: AXE_CORE names no axe.min.js, and there is no npm to install it")
        folder = tmp_path_factory.mktemp("axe")
        command = ["npm", "install", "--prefix", str(folder), "--no-save", "--no-audit", "--no-fund", "axe-core@4"]
        try:
            installed = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            pytest.skip("axe-core: npm did not install it within two minutes")
        if installed.returncode:
            pytest.skip(f"axe-core: npm could not install it: {installed.stderr.strip()[-300:]}")
        path = str(folder / "node_modules/axe-core/axe.min.js")
    return Path(path).read_text(encoding="utf-8")


class Watched:
    """A page with what its console said, and where it asked for something."""

    def __init__(self, context: Any):
        self.page = context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on(
            "console", lambda message: self.said.append(message.text) if message.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    found = Watched(context)
    yield found
    context.close()
    assert not found.said


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_every_page_is_accessible_and_silent(browser: Any, server: RunningServer, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    watched = Watched(context)
    wrong = {}
    for name, address in PAGES.items():
        watched.page.goto(server.url + address)
        found = watched.page.evaluate(CHECK_ACCESS)
        if found:
            wrong[name] = found[:5]
    context.close()
    said = [text for text in watched.said if "404" not in text]  # that there is no such page, chromium says by itself
    assert not wrong and not said
    assert all(address.startswith(server.url) for address in watched.asked)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_axe_finds_nothing(browser: Any, server: RunningServer, axe: str, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    wrong = {}
    for name, address in PAGES.items():
        page.goto(server.url + address)
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        if found:
            wrong[name] = [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in found]
    context.close()
    assert not wrong


def test_every_page_fits_on_a_phone(browser: Any, server: RunningServer, server_of_long_names: RunningServer) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True)
    page = context.new_page()
    wide = {}
    addresses = [(name, server.url + address) for name, address in PAGES.items()]
    addresses += [(name, server_of_long_names.url + address) for name, address in PAGES_WITH_LONG_NAMES.items()]
    for name, address in addresses:
        page.goto(address)
        width, available = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        if width > available or available > 390:
            wide[name] = width, available
    context.close()
    assert not wide


def test_from_the_leaderboard_to_an_instance_by_links(watched: Watched, server: RunningServer) -> None:
    page = watched.page
    page.goto(server.url)
    page.click("td:has-text('0.500') a")
    assert page.inner_text("h1").startswith("quiz")
    page.click("text=Open →")
    page.click("text=id0 >> nth=0")
    assert "Where does the river begin?" in page.inner_text("main") and "in the mountains" in page.inner_text(
        ".response pre"
    )
    page.click("a[rel=next]")
    page.go_back()
    assert page.inner_text("h1").startswith("id0")


def test_keys(watched: Watched, server: RunningServer) -> None:
    page = watched.page
    page.goto(server.url + f"/instances/{RUN}")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "id0"  # the perturbed copy
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/instance/**")
    assert page.inner_text("h1").startswith("id1")
    page.keyboard.press("j")
    page.wait_for_url("**id=id2*")
    page.keyboard.press("u")
    page.wait_for_url("**/instances/**")
    page.keyboard.press("?")
    assert page.is_visible("dialog#keys")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/tools**")


def test_a_search(watched: Watched, server: RunningServer) -> None:
    page = watched.page
    page.goto(server.url + f"/instances/{RUN}")
    page.keyboard.press("/")
    page.keyboard.type("river")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=river*")
    assert "low=" not in page.url
    assert page.locator("tr[data-row]").count() == 3


def test_a_comparison_from_the_list_of_runs(watched: Watched, server: RunningServer) -> None:
    page = watched.page
    page.goto(server.url + "/runs?q=quiz")
    for box in page.locator("input[type=checkbox]").all():
        box.check()
    page.click("text=Compare the chosen runs")
    assert "no difference shown" in page.inner_text("main")
    page.select_option("select[name=only]", "score")
    page.click("form.filters button")
    assert page.locator("tr[data-row]").count() == 3


def test_a_table_is_sorted_by_its_values_not_by_what_is_shown(watched: Watched, tmp_path: Path) -> None:
    output = make_output(tmp_path)
    (output / "runs" / "mixed" / "groups").mkdir()
    rows = [[{"value": name}, {"value": time}] for name, time in (("a", 0.002), ("b", 0.0000009), ("c", 0.00003))]
    table = {"title": "Times", "header": [{"value": "Model"}, {"value": "Time (s)"}], "rows": rows}
    (output / "runs" / "mixed" / "groups" / "g.json").write_text(json.dumps([table]))
    with serve(output) as running:
        watched.page.goto(running.url + "/tables")
        assert "900 ns" in watched.page.inner_text("main")
        watched.page.click("button.sort >> text=Time")
        assert watched.page.locator("tbody td.first").all_inner_texts() == ["a", "c", "b"]


def test_colours_can_be_chosen_and_stay(watched: Watched, server: RunningServer) -> None:
    page = watched.page
    page.goto(server.url)
    before = page.evaluate("getComputedStyle(document.body).color")
    page.click("[data-theme-button]")
    after = page.evaluate("getComputedStyle(document.body).color")
    page.goto(server.url + "/runs")
    assert page.evaluate("getComputedStyle(document.body).color") == after != before


def test_pages_work_without_scripts(browser: Any, server: RunningServer) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url + f"/instances/{RUN}")
    page.fill("input[name=q]", "river")
    page.click("form.filters button")
    assert page.locator("tr[data-row]").count() == 3
    context.close()


def test_a_live_page_follows_the_file(watched: Watched, server: RunningServer, tmp_path: Path) -> None:
    import socket
    import time

    output = make_output(tmp_path)
    with serve(output) as running:

        def write(done: int) -> None:
            now = time.time()
            command = {
                "program": "helm-run", "host": socket.gethostname(), "pid": os.getpid(), "state": "running",
                "started_at": now - 5, "updated_at": now,
                "runs": [{"name": "new", "state": "running", "total": 40, "done": done}],
            }  # fmt: skip
            report = {"suite": "mixed", "updated_at": now, "commands": [command], "schema_version": 1}
            (output / "runs" / "mixed" / "progress.json").write_text(json.dumps(report))

        write(7)
        watched.page.goto(running.url + "/live")
        assert "7 of 40" in watched.page.inner_text("main")
        write(31)
        watched.page.wait_for_selector("text=31 of 40 requests", timeout=20_000)


def test_the_export_from_a_disk(watched: Watched, tmp_path: Path) -> None:
    with viewer(make_output(tmp_path / "o"), is_static=True, rows_per_page=200) as shown:
        export_site(shown, str(tmp_path / "site"), 100)
    page = watched.page
    page.goto((tmp_path / "site" / "index.html").as_uri())
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.top')).position") == "sticky"
    )  # the style sheet is there
    page.click("td:has-text('0.500') a")
    page.wait_for_url("**/view.html#**")
    page.click("text=Open →")
    page.wait_for_selector("[data-filter-rows]")
    page.fill("[data-filter-rows]", "river")
    assert page.locator("tr[data-row]:visible").count() == 3
    page.click("text=id0 >> nth=0")
    page.wait_for_selector("main >> text=in the mountains")
    page.click(".top nav >> text=AD tools")
    assert page.locator("svg.chart").count() == 4
    page.click(".top nav >> text=Compare")
    page.click("main ul a >> nth=0")
    page.wait_for_selector("h1:has-text('side by side')")
    assert all(address.startswith("file:") for address in watched.asked)
