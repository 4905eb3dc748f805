"""The static site as files: sizes, shards, the search, what crawlers read, and boards that say what helm-summarize says."""

import json
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("jinja2")

from helm.benchmark.server import command, home_page  # noqa: E402
from helm.benchmark.server.board_parts import Board  # noqa: E402
from helm.benchmark.server.board_scope import make_scopes  # noqa: E402
from helm.benchmark.server.export import export_site, shard_file, shard_key  # noqa: E402
from helm.benchmark.server.home_page import make_boards, suite_schema  # noqa: E402
from helm.benchmark.server.link_cards import Card, CardRow, draw_card, find_card  # noqa: E402
from helm.benchmark.server.pareto_plot import ParetoItem, draw_pareto, find_frontier  # noqa: E402
from helm.benchmark.server.site_files import check_site_url  # noqa: E402
from helm.benchmark.server.site_shards import START, Shard, find_common_text, read_shard, write_start  # noqa: E402
from helm.common.errors import ConfigError  # noqa: E402
from helm.results.index.index_scan import Scan, Scanner  # noqa: E402
from viewer_support import html_of, make_run, text_of, viewer, zeros_and_ones  # noqa: E402


def make_suite(output: Path, num_instances: int = 30) -> None:
    for model, share in (("a/one", 0.8), ("b/two", 0.5), ("c/three", 0.2)):
        for task, group in (
            ("synthetic_reasoning:mode=pattern_match", "synthetic_reasoning_pattern_match"),
            ("dyck_language:n=3", "dyck_language"),
            ("simple_mcqa:a=1", "simple_mcqa"),
            ("simple_mcqa:a=2", "simple_mcqa"),
        ):
            ones = round((share if "a=2" not in task else share / 2) * num_instances)
            make_run(output / "runs" / "s", zeros_and_ones(ones, num_instances), model, task, groups=[group])


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("static")
    make_suite(found)
    return found


def test_a_shard_gives_back_what_was_put_in_and_knows_its_size(tmp_path: Path) -> None:
    shard = Shard("0123456789ab")
    pages = {f"instance?id={i}": ["title", f"<p>{i} – 中国</p>" * 50] for i in range(40)}
    for name, page in pages.items():
        shard.add(name, page)
        shard.add(name, "a second one of the same name is left out")
    guess = shard.measure()
    size = shard.write(str(tmp_path / "x.js"))
    assert read_shard(str(tmp_path / "x.js")) == pages
    assert size == (tmp_path / "x.js").stat().st_size and abs(guess - size) < 200
    (tmp_path / "y.js").write_text("alert(1)")
    with pytest.raises(ValueError, match="no shard"):
        read_shard(str(tmp_path / "y.js"))


def test_shards_refer_to_the_text_that_they_have_in_common(tmp_path: Path) -> None:
    lines = [f"<p>common {i * 7919 % 100_003 * 7907 % 99_991} – 中国</p>" for i in range(300)]
    pages = [["title", "\n".join([*lines, f"<p>only {n}</p>"])] for n in range(3)]
    common = find_common_text([[page] for page in pages])
    assert common.endswith(b"\0") and b"only" not in common and common.count(b"common") == 300
    write_start(str(tmp_path / f"{START}.js"), common)
    sizes = []
    for start in (b"", common):
        shard = Shard("0123456789ab", start)
        shard.add("run", pages[0])
        (tmp_path / "01").mkdir(exist_ok=True)
        sizes.append(shard.write(str(tmp_path / "01/x.js")))
        assert read_shard(str(tmp_path / "01/x.js")) == {"run": pages[0]}
    assert sizes[1] < sizes[0] / 5
    long = find_common_text([[["", "\n".join(f"{i:09}" * 10 for i in range(1000))]]] * 2)
    assert len(long) <= 32_768 and long.endswith(b"\0")  # what a deflate stream can refer to
    assert find_common_text([]) == b"\0"


def test_the_size_is_kept_and_every_run_has_its_part(output: Path, tmp_path: Path) -> None:
    with viewer(output, is_static=True) as shown:
        least = export_site(shown, str(tmp_path / "least"), 0).num_bytes
    little = least + 25_000
    sizes = {}
    for max_bytes in (10**9, little):
        folder = tmp_path / str(max_bytes)
        with viewer(output, is_static=True) as shown:
            exporter = export_site(shown, str(folder), 1000, max_bytes=max_bytes)
        sizes[max_bytes] = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        shards = [read_shard(str(path)) for path in (folder / "data").glob("*/*.js")]
        of_runs = [shard for shard in shards if "run" in shard]
        counts = [sum(name.startswith("instance?") for name in shard) for shard in of_runs]
        assert len(of_runs) == 12 and exporter.problems == []
        if max_bytes == 10**9:
            assert counts == [30] * 12 and exporter.num_cut == 0
        else:
            assert all(0 < count < 30 for count in counts) and exporter.num_cut == 12
            cut = of_runs[0]["cut"]
            listed = of_runs[0]["instances"][1]  # type: ignore[index]
            assert cut == [counts[0], 30] and listed.count("data-row") == counts[0]
    assert least < sizes[little] < 1.05 * little < sizes[10**9]


def test_addresses_are_relative_and_every_link_leads_to_a_file_or_a_page_in_a_shard(
    output: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    with viewer(output, is_static=True) as shown:
        export_site(shown, str(site), 1000)
    pages = {path: path.read_text() for path in site.rglob("*.html")}
    shards: dict[str, dict[str, Any]] = {path.stem: read_shard(str(path)) for path in (site / "data").glob("*/*.js")}
    for shard in shards.values():
        pages.update({site / f"in {name}": page[1] for name, page in shard.items() if name != "cut"})
    num_links = 0
    for path, page in pages.items():
        for address in re.findall(r'\s(?:href|src)="([^"]*)"', page):
            address = address.replace("&amp;", "&")
            assert not address.startswith("/"), f"{path}: {address}"
            if address.startswith(("#", "http")):
                continue
            place, _, mark = address.partition("#")
            assert (path.parent / place).is_file(), f"{path}: {address}"
            if place.rpartition("/")[2].startswith("view") and mark:
                key, _, name = mark.partition("/")
                assert name.partition("!")[0] in shards[key], f"{path}: {address}"
                num_links += 1
    assert num_links > 400
    assert (
        shard_file(shard_key("s/dyck_language:n=3:model=a_one"))[5:7]
        == shard_key("s/dyck_language:n=3:model=a_one")[:2]
    )


def test_a_run_is_shown_below_the_navigation_of_its_own_suite(tmp_path: Path) -> None:
    for suite in ("new", "old"):
        make_run(tmp_path / "runs" / suite, zeros_and_ones(3, 5), "a/one", "simple_mcqa:a=1", groups=["simple_mcqa"])
    site = tmp_path / "site"
    with viewer(tmp_path, is_static=True) as shown:
        export_site(shown, str(site), 10)
    for suite in ("new", "old"):
        (runs,) = (site / "runs").glob(f"{suite}*.html")
        (place,) = set(re.findall(r'"([^"#]*view[^"#]*[.]html)#[^"]*/run"', runs.read_text()))
        view = (site / "runs" / place).read_text()
        assert f'<span class="muted suite-name">{suite}</span>' in view and f'href="runs/{runs.name}"' in view


def test_pages_of_a_run_do_not_look_at_all_other_runs(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = {
        "run": "/run/s/dyck_language:n=3:model=a_one",
        "instance": "/instance/s/dyck_language:n=3:model=a_one?id=id0",
    }
    with viewer(output, is_static=True) as shown:
        shown.indexer._looks_once = True  # as in an export
        before = {name: html_of(shown, path) for name, path in paths.items()}

        def fail(*_: object) -> None:
            raise AssertionError("all runs were looked at")

        for name in ("entries", "suite_entries"):
            monkeypatch.setattr(shown.indexer.folder, name, fail)
        assert {name: html_of(shown, path) for name, path in paths.items()} == before
    assert "b/two" in before["run"] and "c/three" in before["instance"]


def test_a_run_of_many_leads_to_some_and_to_the_page_of_all(tmp_path: Path) -> None:
    for number in range(33):
        make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 2), f"a/model{number:02}", "quiz")
    with viewer(tmp_path) as shown:
        for page in ("/run/s/quiz:model=a_model00", "/instance/s/quiz:model=a_model00?id=id0"):
            links = re.findall(r'<a href="/(?:run|instance)/s/quiz:model=(a_model\d+)', unquote(html_of(shown, page)))
            assert list(dict.fromkeys(found for found in links if found != "a_model00")) == [
                f"a_model{number:02}" for number in range(1, 31)
            ]
        assert 'href="/scenario/quiz?suite=s"' in html_of(shown, "/run/s/quiz:model=a_model00")
        assert "a/model32" in html_of(shown, "/scenario/quiz?suite=s")


def test_what_crawlers_and_cards_read(output: Path, tmp_path: Path) -> None:
    with viewer(output, is_static=True) as shown:
        export_site(shown, str(tmp_path / "a"), 0, url=check_site_url("https://example.org/board"))
        export_site(shown, str(tmp_path / "b"), 0)
    sitemap = (tmp_path / "a" / "sitemap.xml").read_text()
    assert "<loc>https://example.org/board/</loc>" in sitemap and "/board/subject/" in sitemap
    assert "Sitemap: https://example.org/board/sitemap.xml" in (tmp_path / "a" / "robots.txt").read_text()
    assert not (tmp_path / "b" / "sitemap.xml").exists() and (tmp_path / "b" / "robots.txt").is_file()
    page = (tmp_path / "a" / "index.html").read_text()
    assert '<link rel="canonical" href="https://example.org/board/">' in page
    assert re.search(r'property="og:description" content="a/one [^"]*by more than chance', page)
    assert "https://" not in (tmp_path / "b" / "index.html").read_text()
    pictures = {}
    for name in ("a", "b"):
        for path in (tmp_path / name).rglob("*.html"):
            if path.name == "404.html":
                continue
            text = path.read_text()
            (address,) = re.findall(r'property="og:image" content="([^"]*)"', text)
            assert text.count('name="twitter:card" content="summary_large_image"') == 1
            if name == "a":
                assert address.startswith("https://example.org/board/cards/")
                address = address.removeprefix("https://example.org/board/")
            picture = tmp_path / "a" / address if name == "a" else path.parent / address
            pictures[path.relative_to(tmp_path / name).as_posix().partition("-")[0]] = picture.read_bytes()
    assert all(
        content.startswith(b"\x89PNG") and content[16:24] == struct.pack(">II", 1200, 630)
        for content in pictures.values()
    )
    assert pictures["subject/a"] != pictures["index.html"] != pictures["scenario/dyck_language"]
    for wrong in ("ftp://x/", "example.org", "https://", "https://a/?q=1", "https://user@a/"):
        with pytest.raises(ConfigError, match="--export-url"):
            check_site_url(wrong)


def test_a_card_says_what_its_page_says(output: Path) -> None:
    with viewer(output, is_static=True) as shown:
        board = find_card(shown, "/?suite=s")
        model = find_card(shown, "/subject/b/two?suite=s")
        scenario = find_card(shown, "/scenario/simple_mcqa:*?suite=s")
        runs = find_card(shown, "/runs?suite=s")
    assert board == runs and [row.label for row in board.rows] == ["a/one", "b/two", "c/three"]
    assert model.title == "b/two" and all(row.low <= row.value <= row.high for row in model.rows)  # type: ignore[operator]
    assert [row.text for row in scenario.rows] == ["0.600", "0.383", "0.150"]
    hostile = Card("\x1b[31m<b>\u202e" * 500, "\0\n", (CardRow("中" * 9000, 1e300, "x" * 999, -1e300, 1e300),))
    assert draw_card(hostile).startswith(b"\x89PNG") and draw_card(Card("", "")).startswith(b"\x89PNG")


def test_the_search_finds_models_scenarios_and_runs(output: Path, tmp_path: Path) -> None:
    with viewer(output, is_static=True) as shown:
        export_site(shown, str(tmp_path / "site"), 0)
    entries = read_shard(str(tmp_path / "site" / "search" / "0.js"))["entries"]
    kinds = {kind: title for kind, title, _, _ in entries}  # type: ignore[union-attr]
    assert set(kinds) == {"Model", "Scenario", "Group", "Run"}
    assert all((tmp_path / "site" / link.partition("#")[0]).is_file() for *_, link in entries)  # type: ignore[union-attr]


def test_numbers_are_those_of_helm_summarize(tmp_path: Path) -> None:
    make_suite(tmp_path, 12)
    command = [sys.executable, "-m", "helm.benchmark.presentation.summarize", "-o", str(tmp_path), "--suite", "s"]
    subprocess.run([*command, "--format", "none"], check=True, capture_output=True, cwd=tmp_path)
    (table, *_) = json.loads((tmp_path / "runs" / "s" / "groups" / "language_models.json").read_text())
    filled = [i for i in range(len(table["header"])) if any(row[i].get("value") is not None for row in table["rows"])]
    heads = [table["header"][i]["metadata"].get("run_group", table["header"][i]["value"]) for i in filled]
    with viewer(tmp_path) as shown:
        board, *others = make_boards(shown, "s", list(shown.entries().values()))
        page = text_of(html_of(shown, "/"))
    assert not others and board.overall_title == heads[1] == "Mean score" and board.title in page
    columns = [column for column in board.columns if column.counts]
    assert [column.title for column in columns] == heads[2:]
    assert [column.title for column in board.columns if not column.counts] == [
        "Dyck"
    ]  # its runs lack the schema's metric
    found = {}
    for row in board.rows:
        cells = [row.overall, *(row.cells[column.task] for column in columns)]
        found[row.name.title] = [cell.value for cell in cells]
    expected = {row[0]["value"]: [row[i]["value"] for i in filled[1:]] for row in table["rows"]}
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name] == pytest.approx(values)


def test_a_suite_keeps_the_schema_with_which_it_was_summarized(output: Path) -> None:
    path = output / "runs" / "s" / "schema.json"
    schema = {
        "metrics": [{"name": "exact_match", "display_name": "Right"}],
        "metric_groups": [{"name": "accuracy", "metrics": [{"name": "${main_name}", "split": "test"}]}],
        "run_groups": [
            {"name": "top", "display_name": "My board", "subgroups": ["puzzles", "simple_mcqa"], "metric_groups": ["accuracy"]},
            {"name": "puzzles", "display_name": "Puzzles", "subgroups": ["dyck_language", "synthetic_reasoning_pattern_match"]},
            *({"name": name, "environment": {"main_name": "exact_match"}, "metric_groups": ["accuracy"]}
              for name in ("dyck_language", "synthetic_reasoning_pattern_match", "simple_mcqa")),
        ],
    }  # fmt: skip
    path.write_text(json.dumps(schema))
    try:
        with viewer(output) as shown:
            entries = list(shown.entries().values())
            assert [scope.group.name for scope, _ in make_scopes(suite_schema(shown, "s"), entries) if scope.group] == [
                "top"
            ]
            (board,) = make_boards(shown, "s", entries, opened=["puzzles/*"])
            closed = text_of(html_of(shown, "/"))
            opened = html_of(shown, "/?open=puzzles/*")
            group = text_of(html_of(shown, "/group/puzzles"))
            scenario = text_of(html_of(shown, "/scenario/dyck_language:n=3"))
    finally:
        path.unlink()
    assert board.title == "My board" and board.overall_title == "Mean win rate"
    titles = [(column.title, column.depth) for column in board.shown_columns]
    assert titles == [
        ("Puzzles", 0),
        ("dyck_language", 1),
        ("synthetic_reasoning_pattern_match", 1),
        ("simple_mcqa", 0),
    ]
    assert "▸ 2 scenarios" in closed and "▾ 2 scenarios" in text_of(opened)
    assert "Puzzles puzzles" in group and "Right" in group
    assert "One leads a/one is ahead of every other one" in scenario and "Example instances" in scenario


def test_a_chosen_filter_and_chosen_columns_are_in_the_address(output: Path) -> None:
    with viewer(output) as shown:
        page = html_of(shown, "/?col=@overall&col=dyck_language:n=3&q=two")
    heads = re.findall(r'data-col="([^"]*)"', page)
    assert heads == ["subject", "@overall", "dyck_language:n=3"]
    assert "1 of 3 with “two” in the name" in text_of(page)


def test_nothing_beats_what_is_on_the_frontier() -> None:
    items = [
        ParetoItem("a", 1, 0.5),
        ParetoItem("b", 2, 0.4),
        ParetoItem("c", 4, 0.9, 0.8, 1.0),
        ParetoItem("d", 4, 0.9),
    ]
    assert find_frontier(items) == [True, False, True, True]
    plot = draw_pareto(items, "Cost", "Score", x_is_time=False)
    assert plot is not None and [point.is_best for point in plot.points] == [True, False, True, True]
    assert {point.label for point in plot.points} >= {"a", "b"} and plot.frontier.startswith("M")
    assert all(plot.top - 1 <= point.y <= plot.bottom + 1 for point in plot.points)
    assert draw_pareto(items[:1], "Cost", "Score", x_is_time=False) is None


def test_an_export_looks_at_the_results_once_however_many_pages_it_has(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans, shared = [], []
    scan, make = Scanner.scan, home_page.make_boards

    def count_scan(self: Scanner) -> Scan:
        scans.append(self)
        return scan(self)

    def count_boards(*args: Any) -> list[Board]:
        if len(args) == 3:  # all boards as they are, not ordered or opened
            shared.append(args)
        return make(*args)

    monkeypatch.setattr(Scanner, "scan", count_scan)
    monkeypatch.setattr(home_page, "make_boards", count_boards)
    command.main(["--output-path", str(output), "--export", str(tmp_path / "site"), "--export-instances", "2"])
    assert len(list((tmp_path / "site").rglob("*.html"))) > 12
    assert len(scans) == 1 and len(shared) == 1
