"""Pictures and sounds on the page of an instance: what is shown, what is served, and what a hostile run cannot reach."""

import http.client
import re
import sqlite3
import struct
import zlib
from pathlib import Path

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("starlette")

from compare_support import zeros_and_ones  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from helm.benchmark.server.site_shards import read_shard  # noqa: E402
from picture_support import SEGMENTS, jpeg  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import Elements, html_of, make_run, png, put, serve, show, text_of, viewer, wav  # noqa: E402

RUN = "s/quiz:model=a_one"
PAGE = f"/instance/{RUN}?id=id0"


def make_output(folder: Path, *, question=None, answer=None, scores=None) -> Path:
    """A run whose first instance has media in its input (`question`) and in its answer; pairs of type and path."""
    output = folder / "output"
    path = make_run(output / "runs" / "s", zeros_and_ones(2, 4), "a/one", "quiz")

    def content(items):
        return {"media_objects": [{"content_type": kind, "location": str(place)} for kind, place in items]}

    def change(state):
        first = state["request_states"][0]
        first["instance"]["input"]["multimedia_content"] = content(question or [])
        first["result"]["completions"][0]["multimodal_content"] = content(answer or [])

    edit_json(path / "scenario_state.json", change)
    if scores:

        def add(entries):
            for name, mean in scores.items():
                stat = {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean}
                entries[0]["stats"].append(stat)

        edit_json(path / "per_instance_stats.json", add)
    return output


def fetch(port: int, address: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", address)
    response = connection.getresponse()
    found = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    connection.close()
    return found


def test_pictures_and_sounds_are_shown_and_served(tmp_path: Path) -> None:
    data = tmp_path / "output" / "scenarios" / "quiz"
    picture, sound = put(data, "a.png", png()), put(data, "b.wav", wav())
    output = make_output(tmp_path, question=[("image/png", picture), ("audio/wav", sound)])
    with viewer(output) as shown:
        page = html_of(shown, PAGE)
    assert re.search(r'<img src="/media/[^"]*" alt="Picture in the input: a.png"', page)
    (heard,) = re.findall(r'<audio src="([^"]*)" controls', page)
    assert f"PNG · {len(png())} bytes · a.png" in text_of(page)
    assert "0.1 s · 8 kHz · one channel · WAV" in text_of(page)
    assert page.count("<rect x=") == 150  # the outline of the sound
    with serve(output) as server:
        port = int(server.url.rpartition(":")[2])
        status, headers, body = fetch(port, re.findall(r'<img src="([^"]*)"', page)[0].replace("&amp;", "&"))
        assert (status, headers["content-type"], body) == (200, "image/png", png())
        assert (
            "default-src 'none'" in headers["content-security-policy"]
            and headers["x-content-type-options"] == "nosniff"
        )
        status, headers, body = fetch(port, heard.replace("&amp;", "&"))
        assert (status, headers["content-type"].partition("/")[0], body) == (200, "audio", wav())
        for address in (f"/media/{RUN}?id=id0&n=9", f"/media/{RUN}?id=absent&n=0", "/media/s/absent?id=id0", "/media/"):
            assert fetch(port, address)[0] == 404, address
        for path in ("s/absent", "../../outside/quiz:model=a_one", "%252e%252e/x"):
            assert fetch(port, f"/media/{path}?id=id0&n=0")[0] == 404, path
        assert len(list((output / ".helm-index" / "instances").glob("*.sqlite"))) == 1  # none for what is no run


def test_a_run_cannot_show_what_is_not_its_own(tmp_path: Path) -> None:
    outside = put(tmp_path, "elsewhere/secret.png", png())
    page_like = put(tmp_path, "output/scenarios/evil.png", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")
    text = put(tmp_path, "output/scenarios/keys.conf", b"openaiApiKey: sk-secret")
    link = tmp_path / "output" / "scenarios" / "link.png"
    link.symlink_to(outside)
    locations = [outside, page_like, text, link, "../elsewhere/secret.png", "/etc/passwd", "http://127.0.0.1:1/x.png"]
    output = make_output(tmp_path, question=[("image/png", place) for place in locations])
    with viewer(output) as shown:
        page = html_of(shown, PAGE)
    assert "<img" not in page and "/media/" not in page
    assert page.count("<figcaption>") == len(locations) and text_of(page).count("Not shown") == len(locations)
    with serve(output) as server:
        port = int(server.url.rpartition(":")[2])
        for number in range(len(locations)):
            assert fetch(port, f"/media/{RUN}?id=id0&n={number}")[0] == 404


def test_generated_pictures_are_shown_from_the_cache_and_flagged_ones_wait_for_a_click(tmp_path: Path) -> None:
    made = [put(tmp_path / "cache", f"{n}.png", png(n)) for n in range(3)]
    answer = [("image/png", place) for place in made]
    for scores, num_folded in (({"nsfw_frac": 0.0}, 0), ({"nsfw_frac": 0.34}, 3)):
        folder = tmp_path / str(num_folded)
        output = make_output(folder, answer=answer, scores=scores)
        with viewer(output) as shown:
            assert "<img" not in html_of(shown, PAGE)  # the folder is not one that may be shown
        with viewer(output, media_folder=str(tmp_path / "cache")) as shown:
            page = html_of(shown, PAGE)
        assert ("not safe for work in 34% of the pictures" in text_of(page)) == bool(num_folded)
        assert page.count("<img") == 3 and page.count('<details class="flagged">') == num_folded


def test_an_exported_site_has_each_content_once(tmp_path: Path) -> None:
    data = tmp_path / "output" / "scenarios" / "quiz"
    places = [put(data, "a.png", png(1)), put(data, "same.png", png(1)), put(data, "b.png", png(2))]
    output = make_output(tmp_path, question=[("image/png", place) for place in places])
    with viewer(output, is_static=True) as shown:
        exporter = export_site(shown, str(tmp_path / "site"), 10)
    assert exporter.problems == []
    kept = {path.read_bytes() for path in (tmp_path / "site" / "media").iterdir()}
    assert kept == {png(1), png(2)} and len(list((tmp_path / "site" / "media").iterdir())) == 2
    (shard,) = (tmp_path / "site" / "data").glob("*/*.js")
    page = read_shard(str(shard))["instance?id=id0"]
    sources = re.findall(r'<img src="([^"]*)"', page[1])  # type: ignore[index]
    assert len(sources) == 3 and all((tmp_path / "site" / source).is_file() for source in sources)


def test_a_damaged_index_is_an_error_with_the_headers_of_every_answer(tmp_path: Path) -> None:
    picture = put(tmp_path / "output" / "scenarios", "a.png", png())
    output = make_output(tmp_path, question=[("image/png", picture)])
    with serve(output) as server:
        port = int(server.url.rpartition(":")[2])
        address = f"/media/{RUN}?id=id0&n=0"
        assert fetch(port, address)[0] == 200
        (index,) = (output / ".helm-index" / "instances").glob("*.sqlite")
        with sqlite3.connect(index) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("DROP TABLE states")
        status, headers, body = fetch(port, address)
    assert status == 500 and b"could not be read" in body
    assert "default-src 'none'" in headers["content-security-policy"]


def test_broken_media_break_no_page(tmp_path: Path) -> None:
    output = make_output(tmp_path)
    (path,) = (output / "runs" / "s").iterdir()

    def change(state):
        first, second, *_ = state["request_states"]
        first["instance"]["input"]["multimedia_content"] = {
            "media_objects": [None, {"location": 3}, {"location": "\0"}]
        }
        first["annotations"] = {"latex_compiler": [1, {"media_object": 2}, {"media_object": {"location": []}}, {}]}
        second["annotations"] = {"latex_compiler": {"media_object": {}}, "other_compiler": None}
        second["instance"]["input"]["multimedia_content"] = "no object"
        second["result"]["completions"][0]["multimodal_content"] = [1]

    edit_json(path / "scenario_state.json", change)
    with viewer(output) as shown:
        assert show(shown, PAGE).status == 200 and show(shown, PAGE.replace("id0", "id1")).status == 200


def test_hostile_names_and_metadata_of_pictures_are_inert(tmp_path: Path) -> None:
    name = "x\" onerror='alert(1)' <script>alert(2)<\\script>.png"
    text = b"tEXtComment\0<script>alert(3)</script>"
    picture = png()[:33] + struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text)) + png()[33:]
    places = [put(tmp_path / "output" / "scenarios", name, picture)]
    output = make_output(tmp_path, question=[("text/html", place) for place in places])
    with viewer(output) as shown:
        page = html_of(shown, PAGE)
    found = Elements()
    found.feed(page)
    assert found.wrong == [] and "<img" in page and "<script>alert" not in page
    with serve(output) as server:
        address = re.findall(r'<img src="([^"]*)"', page)[0].replace("&amp;", "&")
        status, headers, body = fetch(int(server.url.rpartition(":")[2]), address)
    assert (status, headers["content-type"], body) == (200, "image/png", picture)  # whatever the run declares
    assert headers["x-content-type-options"] == "nosniff"


def test_pictures_with_hostile_metadata_are_shown_and_exported_like_any(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    data, pictures = tmp_path / "output" / "scenarios", [jpeg(found) for found in SEGMENTS.values()]
    places = [put(data, f"{number}.jpg", content) for number, content in enumerate(pictures)]
    output = make_output(tmp_path, question=[("image/jpeg", place) for place in places])
    with serve(output) as server:
        port = int(server.url.rpartition(":")[2])
        page = fetch(port, PAGE)[2].decode()
        parser = Elements()
        parser.feed(page)
        assert not parser.wrong and "alert" not in page
        shown = re.findall(r'<img src="([^"]*)" alt="[^"]*" width="40" height="20"', page)
        assert len(shown) == len(pictures)
        for address, content in zip(shown, pictures, strict=True):
            status, headers, body = fetch(port, address.replace("&amp;", "&"))
            assert (status, headers["content-type"], body) == (200, "image/jpeg", content)
            assert headers["x-content-type-options"] == "nosniff"
    with viewer(output, is_static=True) as exported:
        assert export_site(exported, str(tmp_path / "site"), 10).problems == []
    kept = list((tmp_path / "site" / "media").iterdir())
    assert {path.suffix for path in kept} == {".jpg"} and sorted(map(Path.read_bytes, kept)) == sorted(pictures)
