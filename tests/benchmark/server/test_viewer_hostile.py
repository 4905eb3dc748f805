"""Results that somebody wrote to do harm, or that broke: shown as text, or said to be broken, and never more than that."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")

from compare_support import make_ad_run, make_episode_run, plain_stat, zeros_and_ones  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from helm.benchmark.server.site_shards import read_shard  # noqa: E402
from helm.benchmark.server.viewer import Viewer  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import EVIL, EVIL_MARKUP, check_inert, html_of, make_output, make_run, nested, show, viewer  # noqa: E402


def poison(value: Any) -> Any:
    """Every text, and every key that is free to choose, becomes evil; what decides how files are read stays."""
    kept = ("kind", "method", "class_name", "id", "instance_id", "status", "split", "name")
    if isinstance(value, dict):
        return {key: item if key in kept and isinstance(item, str) else poison(item) for key, item in value.items()}
    if isinstance(value, list):
        return [poison(item) for item in value]
    return EVIL + value if isinstance(value, str) else value


def addresses(shown: Viewer) -> list[str]:
    """Every page that can be reached by links."""
    import html

    found, pending = {}, ["/"]
    while pending and len(found) < 150:
        address = pending.pop()
        if address in found or address.startswith(("/static/", "/benchmark_output/")):
            continue
        rendered = show(shown, address)
        found[address] = rendered
        pending += [html.unescape(link) for link in re.findall(r'href="(/[^"]*)"', rendered.html)]
    return list(found)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    suite = tmp_path / "runs" / "a<b>'\"&{{7*7}}"
    evil_texts = {f"id{i}": EVIL for i in range(4)}
    run = make_run(
        suite, zeros_and_ones(2, 4), "<i>/evil", "t<img src=x onerror=y>", texts=evil_texts, answers=dict(evil_texts)
    )
    make_run(suite, zeros_and_ones(3, 4), "b'\"><script>alert(1)<", "t<img src=x onerror=y>", perturbed={"id0": 1.0})
    tool = make_ad_run(suite, "tool<script>", {"primal n=10": [0.1] * 6, "gradient n=<b>": [0.1], "gradient n=20": []})
    policy = make_episode_run(suite, "llvm<script>", "crc<32>", 1.5)
    for folder in (run, tool, policy):
        edited = folder / "scenario_state.json"
        edited.write_text(json.dumps(poison(json.loads(edited.read_text())), indent=2))
    edit_json(run / "scenario_state.json", add_more)
    edit_json(run / "per_instance_stats.json", lambda entries: entries[0]["stats"].append(
        plain_stat({"name": EVIL, "split": EVIL}, [1.0])))  # fmt: skip
    (run / "error.json").write_text(json.dumps({"stage": EVIL, "error_type": EVIL, "message": EVIL}))
    (suite / "groups").mkdir()
    (suite / "groups" / "g<x>.json").write_text(json.dumps([
        {"title": EVIL, "header": [{"value": EVIL, "description": EVIL}], "rows": [[{"value": EVIL, "description": EVIL}]]}
    ]))  # fmt: skip
    return tmp_path


def add_more(state: dict[str, Any]) -> None:
    first = state["request_states"][0]
    first["annotations"] = {EVIL: {EVIL: EVIL}}
    first["instance"]["extra_data"] = {EVIL: [EVIL]}
    first["result"]["completions"][0].update(thinking={"text": EVIL}, tool_calls=[EVIL], finish_reason={"reason": EVIL})
    first["request"]["messages"] = [{"role": EVIL, "content": EVIL}]
    first["output_mapping"] = {EVIL: EVIL}
    state["request_states"][1]["result"].update(success=False, error=EVIL, completions=[])


def say_it_everywhere(state: dict[str, Any]) -> None:
    """Puts it wherever a model's or a judge's words are rendered."""
    first = state["request_states"][0]
    first["instance"]["input"] = {"text": EVIL_MARKUP}
    first["request"]["messages"] = [
        {"role": "user", "content": EVIL_MARKUP},
        {"role": "assistant' onclick='x", "content": [{"type": "text", "text": EVIL_MARKUP}]},
        {"role": "user", "content": "before\n" * 20 + EVIL_MARKUP},
    ]
    first["result"]["completions"] = [
        {"text": EVIL_MARKUP, "logprob": 0, "tokens": [], "thinking": {"text": EVIL_MARKUP}}
    ]
    first["result"]["usage"] = {"prompt_tokens": EVIL, "completion_tokens": [EVIL], "reasoning_tokens": 5}
    judged = {
        "score": EVIL,
        "reasoning": EVIL_MARKUP,
        "prompt_text": EVIL_MARKUP,
        EVIL: {EVIL_MARKUP: [EVIL_MARKUP, nested(9)]},
    }
    first["annotations"] = {"judge": judged, EVIL_MARKUP: EVIL_MARKUP, "list": [judged, judged]}


def test_markup_of_a_model_acts_nowhere(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "o" / "runs" / "s", zeros_and_ones(1, 3), task="t")
    edit_json(folder / "scenario_state.json", say_it_everywhere)
    with viewer(tmp_path / "o") as shown:
        page = html_of(shown, "/instance/s/t:model=a_one?id=id0")
    check_inert(page)
    assert page.count('<div class="rendered"') >= 5 and page.count("<math ") > 10 and "<strong>bold</strong>" in page
    assert "javascript:" not in "".join(re.findall(r'href="[^"]*"', page)) and "<img" not in page
    with viewer(tmp_path / "o", is_static=True) as shown:
        export_site(shown, str(tmp_path / "site"), 100)
    for published in (tmp_path / "site").rglob("*.html"):
        check_inert(published.read_text())
    shards = [read_shard(str(path)) for path in (tmp_path / "site" / "data").glob("*/*.js")]
    kept = [page[1] for pages in shards for page in pages.values() if isinstance(page, list)]
    assert any('class="rendered"' in content for content in kept)
    for content in kept:
        check_inert(content)


def test_nothing_in_the_results_becomes_markup(hostile: Path) -> None:
    with viewer(hostile) as shown:
        found = addresses(shown)
        assert len(found) > 20
        for address in found:
            check_inert(show(shown, address).html)
        assert all(
            "evil" in html_of(shown, a) for a in found if a.startswith("/instances/") and "evil" in a and "?" not in a
        )


def test_nor_in_an_export_and_its_files_stay_in_their_folder(hostile: Path, tmp_path: Path) -> None:
    with viewer(hostile, is_static=True) as shown:
        export_site(shown, str(tmp_path / "site" / "inner"), 100)
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["inner"]
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 6
    for page in pages:
        check_inert(page.read_text())
        assert re.fullmatch(r"[A-Za-z0-9._=-]+", page.name)


def test_the_address_itself_is_not_trusted(tmp_path: Path) -> None:
    with viewer(make_output(tmp_path)) as shown:
        run = "mixed/quiz:model=a_one"
        parts = (
            "{}", "run/{}", "?suite={}", "?sort={}", "?q={}", "?open={}", "subject/{}", "runs?q={}", f"instances/{run}?q={{}}",
            f"instances/{run}?low={{}}", f"instance/{run}?id={{}}", "tools?eval={}", "compare?run={}",
        )  # fmt: skip
        for address in [f"/{part.format(EVIL)}" for part in parts]:
            check_inert(show(shown, address).html)


@pytest.mark.parametrize(
    "break_state",
    [
        lambda state: state["request_states"][0].update(result=17),
        lambda state: state["request_states"][0].update(result={"completions": "no list", "success": True}),
        lambda state: state["request_states"][0].update(result={"completions": [None, {"text": 5}], "success": None}),
        lambda state: state["request_states"][0].update(request="none"),
        lambda state: state["request_states"][0].update(train_trial_index="x", annotations=[1], output_mapping={"A": 1}),
        lambda state: state["request_states"][0]["instance"].update(references={"a": 1}, input=None),
        lambda state: state["request_states"][0]["instance"].update(references=[None, {"output": {}, "tags": 3}], input="bare"),
        lambda state: state["request_states"][0]["instance"].update(input={"text": "\ud800 half"}, id="\udfff"),
        lambda state: state["request_states"][0]["instance"].update(perturbation={"odd": [1]}, split=["x"]),
        lambda state: state["request_states"][0]["result"].update(request_time=float("nan"), completions=[]),
        lambda state: state["request_states"][0]["instance"].update(extra_data=nested(300)),
    ],
)  # fmt: skip
def test_odd_values_break_no_page(tmp_path: Path, break_state: Any) -> None:
    folder = make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 3), task="t")
    edit_json(folder / "scenario_state.json", break_state)
    with viewer(tmp_path) as shown:
        page = html_of(shown, "/instances/s/t:model=a_one")
        assert page.count("<tr data-row>") == 3
        for address in addresses(shown):
            assert show(shown, address).status == 200 or address.startswith("/tables"), address


@pytest.mark.parametrize(
    "name", ["run_spec.json", "stats.json", "scenario_state.json", "per_instance_stats.json", "scenario.json"]
)
@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"request_states": [1]}']
)
def test_damaged_files_are_said_to_be_damaged(tmp_path: Path, name: str, content: bytes) -> None:
    folder = make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 3), task="t")
    make_run(tmp_path / "runs" / "s", zeros_and_ones(2, 3), "b/two", task="t")
    (folder / name).write_bytes(content)
    with viewer(tmp_path) as shown:
        assert "b/two" in html_of(shown, "/")
        path = next(path for path in shown.entries() if "a_one" in path)
        assert show(shown, f"/run/{path}").status == 200
        assert show(shown, f"/instances/{path}").status in (200, 500)


def test_a_file_cut_off_in_the_middle_shows_what_is_before(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 30), task="t")
    data = (folder / "scenario_state.json").read_bytes()
    (folder / "scenario_state.json").write_bytes(data[: len(data) // 2])
    with viewer(tmp_path) as shown:
        page = html_of(shown, "/instances/s/t:model=a_one")
        assert "could not be read to their end" in page and page.count("<tr data-row>") >= 10


def test_a_giant_text_is_cut_until_all_of_it_is_asked_for(tmp_path: Path) -> None:
    answers = {"id0": "begin " + "x" * 3_000_000 + " end of it", "id1": "short"}
    make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 2), task="t", answers=answers)
    with viewer(tmp_path) as shown:
        page = html_of(shown, "/instances/s/t:model=a_one")
        assert len(page) < 50_000
        page = html_of(shown, "/instance/s/t:model=a_one?id=id0")
        assert len(page) < 300_000 and "more characters" in page and "end of it" not in page
        assert "end of it" in html_of(shown, "/instance/s/t:model=a_one?id=id0&full=1")


def test_links_out_of_the_results_are_not_followed(tmp_path: Path) -> None:
    outside = make_run(tmp_path / "outside", zeros_and_ones(1, 3), task="secret")
    inside = make_run(tmp_path / "o" / "runs" / "s", zeros_and_ones(1, 3), task="t")
    (tmp_path / "o" / "runs" / "s" / "linked").symlink_to(outside)
    other = make_run(tmp_path / "o" / "runs" / "s", zeros_and_ones(1, 3), "b/two", task="t")
    (other / "stats.json").unlink()
    (other / "stats.json").symlink_to(outside / "stats.json")
    (tmp_path / "o" / "runs" / "s" / "inner").symlink_to(inside)
    with viewer(tmp_path / "o") as shown:
        page = html_of(shown, "/")
        assert "secret" not in page and "s/linked" in page and "s/t:model=b_two/stats.json" in page
        assert sorted(shown.entries()) == ["s/inner", "s/t:model=a_one"]


def test_an_index_that_came_with_the_results_is_not_believed(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "runs" / "s", zeros_and_ones(1, 3), task="t")
    index = tmp_path / ".helm-index"
    index.mkdir()
    (index / "runs.sqlite").write_bytes(b"no database at all" * 100)
    with viewer(tmp_path) as shown:
        assert "a/one" in html_of(shown, "/")
        html_of(shown, "/instances/s/t:model=a_one")
    (database,) = (index / "instances").iterdir()
    database.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)
    with viewer(tmp_path) as shown:
        assert html_of(shown, "/instances/s/t:model=a_one").count("<tr data-row>") == 3
    assert folder.is_dir()
