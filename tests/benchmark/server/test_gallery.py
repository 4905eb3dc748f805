"""The gallery: what models made of the same prompts, side by side, over all runs of a suite."""

import re
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from compare_support import make_run  # noqa: E402
from gallery_support import make_pictures  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from viewer_support import EVIL, Elements, html_of, show, text_of, viewer  # noqa: E402


@pytest.fixture
def output(tmp_path: Path) -> Path:
    found = tmp_path / "output"
    make_pictures(found, "a/one", flagged=["id1"])
    make_pictures(found, "b/two", number=4, refused=["id2"], grey=100)
    make_pictures(found, "a/one", task="logos", prompts={"id0": "a logo"})
    make_run(found / "runs" / "s", {"id0": [1.0]}, "a/one", "quiz")
    return found


def rows_of(page: str) -> list[str]:
    return re.findall(r"<tr data-row>(.*?)</tr>", page, re.DOTALL)


def test_prompts_are_rows_and_models_columns(output: Path) -> None:
    with viewer(output) as shown:
        page = html_of(shown, "/gallery?task=drawings")
    heads = re.findall(r'<th scope="col"><a href="/run/[^"]*">([^<]*)</a>', page)
    assert heads == ["a/one", "b/two"]
    first, second, third = rows_of(page)
    assert "a boat at dusk" in first and first.count("<img") == 1 + 4
    assert 'alt="Generated picture 2 of 4: a boat at dusk"' in first and 'loading="lazy"' in first
    assert "0.250" in first and "/instance/s/drawings%3Amodel%3Db_two?id=id0" in first
    assert third.count("<img") == 1 and "Refused" in third


def test_flagged_pictures_wait_for_a_click_and_can_be_filtered(output: Path) -> None:
    with viewer(output) as shown:
        page = html_of(shown, "/gallery?task=drawings")
        assert "1 prompt has pictures that a detector flagged" in text_of(page)
        first, second, _ = rows_of(page)
        assert "<details" not in first and second.count('<details class="flagged">') == 1
        folded = re.search(r'<details class="flagged">.*?</details>', second, re.DOTALL)
        assert folded and "A detector found: nudity." in folded[0] and folded[0].count("<img") == 1
        only = html_of(shown, "/gallery?task=drawings&flagged=only")
        without = html_of(shown, "/gallery?task=drawings&flagged=without")
    assert len(rows_of(only)) == 1 and "a red square" in rows_of(only)[0]
    assert len(rows_of(without)) == 2 and "a red square" not in text_of(without)


def test_prompts_and_models_are_chosen_in_the_address(output: Path) -> None:
    with viewer(output) as shown:
        page = html_of(shown, "/gallery?task=drawings&q=moon&model=b/two")
        assert len(rows_of(page)) == 1 and "two moons" in page and "1 prompt by 1 model" in text_of(page)
        page = html_of(shown, "/gallery?task=drawings&rows=2&start=2")
        assert len(rows_of(page)) == 1 and "3–3 of 3" in page
        assert "a logo" in html_of(shown, "/gallery?task=logos")
        assert show(shown, "/gallery?task=logo").status == 404
        assert "Did you mean" in show(shown, "/gallery?task=logo").html
        assert show(shown, "/gallery?flagged=x").status == 400
        assert "No prompt fits" in html_of(shown, "/gallery?task=drawings&q=nothing")


def test_the_gallery_is_linked_from_everywhere_if_there_are_pictures(output: Path, tmp_path: Path) -> None:
    with viewer(output) as shown:
        for address in ("/", "/run/s/drawings:model=a_one", "/instance/s/drawings:model=a_one?id=id0"):
            assert "/gallery?suite=s" in html_of(shown, address), address
        assert "task=drawings" in html_of(shown, "/run/s/drawings:model=a_one")
    make_run(tmp_path / "texts" / "runs" / "s", {"id0": [1.0]}, "a/one", "quiz")
    with viewer(tmp_path / "texts") as shown:
        assert "/gallery" not in html_of(shown, "/")
        assert "No run of this suite makes pictures" in text_of(html_of(shown, "/gallery"))


def test_prompts_are_matched_by_instance_and_what_a_run_lacks_is_said(output: Path) -> None:
    make_pictures(output, "c/three", prompts={"id2": "two moons", "id9": "an owl"}, flagged=["id9"])
    with viewer(output) as shown:
        page = html_of(shown, "/gallery?task=drawings")
        only, without = (html_of(shown, f"/gallery?task=drawings&flagged={name}") for name in ("only", "without"))
        found, second_page = (html_of(shown, f"/gallery?task=drawings&{more}") for more in ("q=owl", "rows=3&start=3"))
    first, _, third, alone = rows_of(page)
    assert first.count("Not asked") == 1 and "Not asked" not in third
    assert alone.count("Not asked") == 2 and "an owl" in alone, "a prompt that the largest run does not have"
    assert "4 prompts by 3 models" in text_of(page) and "2 prompts have pictures" in text_of(page)
    assert [len(rows_of(one)) for one in (only, without, found, second_page)] == [2, 2, 1, 1]


def test_an_exported_gallery_needs_no_server(output: Path, tmp_path: Path) -> None:
    with viewer(output, is_static=True) as shown:
        exporter = export_site(shown, str(tmp_path / "site"), 10)
    assert exporter.problems == []
    pages = [path for path in (tmp_path / "site" / "gallery").iterdir() if "two moons" in path.read_text()]
    assert pages
    for page in pages:
        text = page.read_text()
        assert 'name="flagged"' not in text  # no form, which only a server answers
        for address in re.findall(r'<img[^>]* src="([^"]*)"', text):
            assert (page.parent / address).resolve().is_file(), address


def test_hostile_prompts_names_and_answers_are_inert(tmp_path: Path) -> None:
    output = tmp_path / "output"
    make_pictures(output, "a/one", prompts={"id0": EVIL, "id1": "x"}, flagged=["id0"])
    make_pictures(output, "b/two", prompts={"id0": EVIL, "id1": "x"})
    with viewer(output) as shown:
        for address in ("/gallery", "/gallery?flagged=only", "/instance/s/drawings:model=a_one?id=id0"):
            page = html_of(shown, address)
            found = Elements()
            found.feed(page)
            assert found.wrong == [], address
            assert "<script>alert" not in page


def test_a_file_that_is_gone_or_hostile_is_said_in_its_place(tmp_path: Path) -> None:
    output = tmp_path / "output"
    make_pictures(output, "a/one")
    (output / "made" / "a00.png").unlink()
    (output / "made" / "a10.png").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    with viewer(output) as shown:
        first, second, third = rows_of(html_of(shown, "/gallery"))
    assert "The file is not here." in first and "<img" not in first
    assert "The file is not here." in second and "<img" not in second and third.count("<img") == 1


def test_a_damaged_index_of_one_run_is_told(output: Path) -> None:
    with viewer(output) as shown:
        html_of(shown, "/gallery?task=drawings")
        for path in (output / ".helm-index" / "instances").glob("*.sqlite"):
            with sqlite3.connect(path) as connection:
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("DROP TABLE units")
        assert show(shown, "/gallery?task=drawings").status == 500
