"""Every field of every file holds, in turn, what somebody could have put there to do harm; every page is looked at."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")

from helm.benchmark.server.export import export_site  # noqa: E402
from viewer_support import EVIL, check_inert, make_output, nested, show, viewer  # noqa: E402

CORPUS: list[Any] = [
    EVIL, "../../../etc/passwd", "/etc/passwd", "..", "x" * 200_000, "\ud800 half a pair \udfff", "\x00\x1b[31m", "",
    "javascript:alert(1)", "'; DROP TABLE runs; --", "{{ config }}{% raw %}", nested(200), {EVIL: EVIL}, [], None, True, -1,
    10**30, 1e308, float("nan"), float("inf"),
]  # fmt: skip
PROGRESS = {
    "suite": "mixed", "updated_at": 1_700_000_000.0, "schema_version": 1,
    "commands": [{
        "program": "helm-run", "host": "h", "pid": 1, "state": "running", "started_at": 1_700_000_000.0,
        "updated_at": 1_700_000_001.0, "message": "m", "rate": {"requests_per_s": 1.0, "tokens_per_s": 2.0},
        "runs": [{"name": "new", "state": "running", "total": 40, "done": 3, "outcomes": {"ok": 1}, "message": "m"}],
    }],
}  # fmt: skip
COVERAGE = {
    "version": 1, "coverage": 0.5, "requests": {"asked": 12, "answered": 6, "status": {"ok": 3}},
    "instances": {"total": 12}, "annotations": {"judge": {"states": 1, "verdicts": {"score": {"given": 1, "missing": 0}}}},
}  # fmt: skip
TABLE = [{
    "title": "Accuracy", "header": [{"value": "Model", "description": "d"}, {"value": "EM", "lower_is_better": False}],
    "rows": [[{"value": "a/one"}, {"value": 0.5, "run_spec_names": ["quiz:model=a_one"], "style": {"font-weight": "bold"}}]],
}]  # fmt: skip
PAGES = ["/", "/runs", "/tools", "/compilers", "/compare", "/tables", "/live", "/failed"]


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every value, those with values inside among them."""
    if place:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*place, key))


def replaced(value: Any, place: tuple[Any, ...], by: Any) -> Any:
    result = copy.deepcopy(value)
    target = result
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = by
    return result


def files_of(output: Path) -> list[Path]:
    suite = output / "runs" / "mixed"
    (suite / "groups").mkdir()
    (suite / "groups" / "g.json").write_text(json.dumps(TABLE))
    (suite / "progress.json").write_text(json.dumps(PROGRESS))
    (suite / "quiz:model=a_one" / "coverage.json").write_text(json.dumps(COVERAGE))
    (suite / "quiz:model=a_one" / "error.json").write_text(
        json.dumps({"stage": "s", "error_type": "OSError", "message": "the disk is full"})
    )
    kinds = ("quiz:model=a_one", "gradbench_lse:model=fast_tool", "llvm:program=crc32,model=llvm_greedy")
    return [path for kind in kinds for path in sorted((suite / kind).glob("*.json"))] + [
        suite / "progress.json",
        suite / "groups" / "g.json",
    ]


def look_at_every_page(output: Path) -> None:
    with viewer(output) as shown:
        runs = sorted(shown.entries())
        pages = [*PAGES, *(f"/{kind}/{run}" for run in runs for kind in ("run", "instances"))]
        pages += [f"/instance/{run}?id=id0" for run in runs]
        pages.append("/compare?run=mixed/quiz:model=a_one&run=mixed/quiz:model=b_two")
        for page in pages:
            rendered = show(shown, page)
            check_inert(rendered.html)
            assert "root:" not in rendered.html and len(rendered.html) < 2_000_000


def check_seed(tmp_path: Path, seed: int, changes: int) -> None:
    chooser = random.Random(seed)
    output = make_output(tmp_path)
    files = files_of(output)
    for _ in range(changes):
        path = chooser.choice(files)
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
        place, value = chooser.choice(list(leaves(content))), chooser.choice(CORPUS)
        path.write_text(json.dumps(replaced(content, place, value), indent=2), encoding="utf-8")
        try:
            look_at_every_page(output)
        except Exception as e:
            raise AssertionError(f"{path.name} {place} {str(value)[:60]!r}: {type(e).__name__}: {e}") from e
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("seed", range(4))
def test_no_field_breaks_a_page_or_becomes_markup(tmp_path: Path, seed: int) -> None:
    check_seed(tmp_path, seed, 2)


@pytest.mark.parametrize("value", ["\ud800 half a pair \udfff", "..", EVIL], ids=["surrogates", "dots", "evil"])
def test_names_that_become_addresses(tmp_path: Path, value: str) -> None:
    output = make_output(tmp_path / "o")
    files_of(output)
    places = {"a_one": [("name",), ("scenario_spec", "class_name")], "b_two": [("adapter_spec", "model")]}
    for model, replacing in places.items():
        path = output / "runs" / "mixed" / f"quiz:model={model}" / "run_spec.json"
        content = json.loads(path.read_text())
        for place in replacing:
            content = replaced(content, place, value)
        path.write_text(json.dumps(content))
    look_at_every_page(output)
    with viewer(output, is_static=True) as shown:
        export_site(shown, str(tmp_path / "site"), 100)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["o", "site"]
    assert len(list((tmp_path / "site").rglob("*.html"))) > 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_hardly_any_combination_does(tmp_path: Path, seed: int) -> None:
    check_seed(tmp_path, seed, 60)


def test_an_export_of_such_results_stays_in_its_folder(tmp_path: Path) -> None:
    chooser = random.Random(0)
    output = make_output(tmp_path / "o")
    for path in files_of(output):
        content = json.loads(path.read_text())
        names = [place for place in leaves(content) if isinstance(place[-1], str) and "name" in place[-1]]
        if names:
            changed = replaced(content, chooser.choice(names), "../../outside/<script>")
            path.write_text(json.dumps(changed, indent=2))
    with viewer(output, is_static=True) as shown:
        export_site(shown, str(tmp_path / "site" / "inner"), 100)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o", "site"]
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["inner"]
    for page in (tmp_path / "site").rglob("*.html"):
        check_inert(page.read_text())
