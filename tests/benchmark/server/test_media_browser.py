"""Pages with pictures and sounds in a browser: what is seen, what waits for a click, keys, and that all can read them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("jinja2")

from browser_support import CHECK_ACCESS, CHROMIUM, FLAGS  # noqa: E402
from compare_support import make_run  # noqa: E402
from gallery_support import make_pictures  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from picture_support import SEGMENTS, jpeg  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import RunningServer, put, serve, viewer, wav  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
]

PAGES = (
    "/gallery", "/gallery?flagged=only", "/instance/s/drawings:model=a_one?id=id1", "/instance/s/speech:model=a_one?id=id0",
    "/instance/s/pages:model=a_one?id=id0", "/instance/s/pages:model=a_one?id=id1",
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    output = tmp_path_factory.mktemp("media") / "output"
    make_pictures(output, "a/one", flagged=["id1"])
    make_pictures(output, "b/two", number=4, refused=["id2"], grey=100)
    make_speech(output)
    make_pages(output)
    with serve(output) as running:
        yield running


def parts(kind: str, place: Path) -> dict[str, Any]:
    return {"media_objects": [{"content_type": kind, "location": str(place)}]}


def make_speech(output: Path) -> None:
    sound = put(output / "made", "a.wav", wav())
    path = make_run(output / "runs/s", {"id0": [0.5]}, "a/one", "speech", metric="wer_score", answers={"id0": "a b"})

    def change(state: Any) -> None:
        (first,) = state["request_states"]
        first["instance"]["input"] = {"text": "", "multimedia_content": parts("audio/wav", sound)}
        first["instance"]["references"] = [{"output": {"text": "a c"}, "tags": ["correct"]}]

    edit_json(path / "scenario_state.json", change)


def make_pages(output: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    path = make_run(output / "runs/s", {"id0": [0.5], "id1": [0.0]}, "a/one", "pages", metric="earth_mover_similarity")

    def change(state: Any) -> None:
        for number, found in enumerate(state["request_states"]):
            given, made = (output / "made" / f"{name}{number}.png" for name in ("given", "page"))
            image.new("RGB", (40, 20), "white").save(given)
            picture = image.new("RGB", (40, 20), "white")
            picture.paste((0, 0, 0), (10, 0, 20, 20))
            picture.save(made)
            found["instance"]["references"] = [
                {"output": {"text": "x", "multimedia_content": parts("image/png", given)}, "tags": ["correct"]}
            ]
            compiled = {"media_object": parts("image/png", made)["media_objects"][0], "text": "y"}
            found["annotations"] = {"latex_compiler": [compiled if number == 0 else {"error": "Missing $ inserted"}]}

    edit_json(path / "scenario_state.json", change)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as found:
        started = found.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_pages_with_media_are_accessible_fit_and_ask_nobody_else(
    browser: Any, server: RunningServer, scheme: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda request: asked.append(request.url))
    wrong = {}
    for address in PAGES:
        page.goto(server.url + address)
        found = page.evaluate(CHECK_ACCESS)
        is_wide = page.evaluate("document.scrollingElement.scrollWidth > innerWidth")
        if found or is_wide:
            wrong[address] = found[:5], is_wide
    context.close()
    assert not wrong and not said
    assert asked and all(address.startswith(server.url) for address in asked)


def test_keys_lead_through_the_gallery_and_open_what_is_folded(browser: Any, server: RunningServer) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(server.url + "/gallery")
    focused = "document.activeElement.closest('td')?.dataset.label + ' ' + document.activeElement.tagName"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "a/one A"
    page.keyboard.press("l")
    assert page.evaluate(focused) == "b/two A"
    page.keyboard.press("h")
    page.keyboard.press("j")
    assert page.evaluate(focused) == "a/one SUMMARY"
    picture = page.locator("details.flagged img")
    assert not picture.is_visible() and not page.evaluate("document.querySelector('details.flagged img').complete")
    page.keyboard.press("o")
    assert picture.is_visible()
    page.locator("details.flagged img.loaded").wait_for()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url("**/instance/s/drawings*id=id0*")
    context.close()


def test_the_difference_of_two_pages_is_dark_where_they_differ(browser: Any, server: RunningServer) -> None:
    image = pytest.importorskip("PIL.Image")
    import io

    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = context.new_page()
    page.goto(server.url + "/instance/s/pages:model=a_one?id=id0")
    page.wait_for_load_state("networkidle")
    shot = image.open(io.BytesIO(page.locator("svg.difference").screenshot())).convert("L")
    context.close()
    width, height = shot.size
    assert shot.getpixel((int(width * 0.37), height // 2)) < 60
    assert shot.getpixel((int(width * 0.1), height // 2)) > 200 < shot.getpixel((int(width * 0.8), height // 2))


def test_a_recording_can_be_played(browser: Any, server: RunningServer) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/instance/s/speech:model=a_one?id=id0")
    length = """new Promise((resolve) => {
      const audio = document.querySelector('audio'), tell = () => resolve(audio.duration);
      if (audio.duration > 0) tell(); else audio.addEventListener('loadedmetadata', tell);
    })"""  # waiting for an expression would need the eval that the policy of the page forbids
    assert page.evaluate(length) == pytest.approx(0.1, abs=0.01)
    context.close()


def test_pictures_are_shown_as_they_are_stored_and_what_stands_beside_the_pixels_does_nothing(
    browser: Any, tmp_path: Path
) -> None:
    path = make_run(tmp_path / "output/runs/s", {"id0": [1.0]}, "a/one", "quiz")
    places = [put(tmp_path / "output/made", f"{i}.jpg", jpeg(found)) for i, found in enumerate(SEGMENTS.values())]

    def change(state: Any) -> None:
        items = [{"content_type": "image/jpeg", "location": str(place)} for place in places]
        state["request_states"][0]["instance"]["input"] = {"text": "", "multimedia_content": {"media_objects": items}}

    edit_json(path / "scenario_state.json", change)
    with viewer(tmp_path / "output", is_static=True) as shown:
        export_site(shown, str(tmp_path / "site"), 10)
    context = browser.new_context(viewport={"width": 1280, "height": 2000})
    page = context.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: said.append(dialog.message))
    with serve(tmp_path / "output") as running:
        page.goto(running.url + "/instance/s/quiz:model=a_one?id=id0")
        page.locator(".frame img.loaded").nth(len(places) - 1).wait_for()
        sizes = page.evaluate("[...document.images].map((item) => [item.clientWidth, item.clientHeight])")
    assert sizes == [[40, 20]] * len(places) and not said
    address = (tmp_path / "site" / "index.html").as_uri()
    page.goto(address)
    page.click("td:has-text('1') a >> nth=0")
    page.click("text=Open →")
    page.click("text=id0 >> nth=0")
    page.locator(".frame img.loaded").nth(len(places) - 1).wait_for()
    assert not said
    context.close()


def test_pictures_that_are_not_there_yet_are_no_white_frames_and_move_nothing(
    browser: Any, server: RunningServer
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = context.new_page()
    held: list[Any] = []
    page.route("**/media/**", lambda route: held.append(route))
    page.goto(server.url + "/instance/s/drawings:model=a_one?id=id0", wait_until="domcontentloaded")
    shown = (
        """[...document.querySelectorAll('.frame, .frame img')].map((item) => getComputedStyle(item).backgroundColor)"""
    )
    height = "document.querySelector('.frame').getBoundingClientRect().height"
    before = page.evaluate(height)
    assert "rgb(255, 255, 255)" not in page.evaluate(shown)
    page.wait_for_timeout(100)
    for route in held:
        route.continue_()
    page.wait_for_selector(".frame img.loaded")
    assert "rgb(255, 255, 255)" in page.evaluate(shown), "what is transparent has a white ground"
    assert page.evaluate(height) == before > 10
    context.close()


def test_every_page_is_reached_from_the_head_on_a_phone(browser: Any, server: RunningServer) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True)
    page = context.new_page()
    page.goto(server.url + "/gallery")
    ends = page.evaluate(
        "[...document.querySelectorAll('.top nav a')].map((item) => item.getBoundingClientRect().right)"
    )
    assert len(ends) > 5 and max(ends) <= 390
    context.close()
