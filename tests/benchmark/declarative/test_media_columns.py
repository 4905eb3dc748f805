"""Images and sounds in entries: where their bytes come from, what is refused, and what instances hold."""

import hashlib
import io
import os
import re
import socket
import tracemalloc
import wave
from pathlib import Path

import pytest
import yaml
from PIL import Image

from data_server import data_server, parquet_bytes, zip_bytes
from helm.benchmark.declarative.declarative_scenario import scenario_class
from helm.benchmark.declarative.reading import read_entries
from helm.common.codec import from_json, to_json
from helm.common.data.download_errors import DownloadError
from helm.common.data.media_store import MediaError, safe_path
from helm.common.errors import ConfigError, ScenarioError
from helm.common.media_types import SUFFIXES, content_type_of, content_type_of_name


def picture(color=(200, 10, 10), kind="PNG", mode="RGB", size=(4, 3)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, color).convert(mode).save(buffer, kind)
    return buffer.getvalue()


def sound() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"\0\1" * 80)
    return buffer.getvalue()


RED, BLUE = picture(), picture((0, 0, 250))


def load(tmp_path: Path, entry: dict):
    path = tmp_path / "task.yaml"
    entry = {"split": "test", "references": {"none": True}, "input": ["{x}", "{q}"], **entry}
    path.write_text(yaml.safe_dump(entry), encoding="utf-8")
    (file,) = read_entries(str(path))
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    return scenario_class(file)().get_instances(str(folder))


def parts(instances, folder: Path):
    """Content types with texts, or paths relative to the folder."""
    return [
        [(m.content_type, m.text or str(Path(m.location).relative_to(folder))) for m in i.input.multimedia_content.media_objects]
        for i in instances
    ]  # fmt: skip


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def parquet_source(tmp_path: Path, rows: list[dict]) -> dict:
    put(tmp_path / "folder", {"rows.parquet": parquet_bytes(rows)})
    return {"files": [{"file": "rows.parquet"}]}


def test_contents_of_columns_are_kept_once_and_instances_name_their_files(tmp_path):
    rows = [{"q": f"What {i}?", "image": {"bytes": b, "path": "a.png"}} for i, b in enumerate([RED, BLUE, RED])]
    source = parquet_source(tmp_path, [*rows, {"q": "Heard?", "image": {"bytes": sound(), "path": None}}])
    instances = load(tmp_path, {"source": source, "media": {"x": {"from": "image"}}})
    red, blue, heard = (hashlib.sha256(content).hexdigest() for content in (RED, BLUE, sound()))
    folder = tmp_path / "folder"
    assert parts(instances, folder) == [
        [("image/png", f"media/{red[:2]}/{red}.png"), ("text/plain", "What 0?")],
        [("image/png", f"media/{blue[:2]}/{blue}.png"), ("text/plain", "What 1?")],
        [("image/png", f"media/{red[:2]}/{red}.png"), ("text/plain", "What 2?")],
        [("audio/wav", f"media/{heard[:2]}/{heard}.wav"), ("text/plain", "Heard?")],
    ]
    assert sorted(p.read_bytes() for p in folder.rglob("media/*/*")) == sorted([RED, BLUE, sound()])
    text = to_json(instances)
    assert len(text) < 3000, "media are never in JSON"
    assert to_json(from_json(text, list[type(instances[0])])) == text
    times = {p: p.stat().st_mtime_ns for p in folder.rglob("media/*/*")}
    assert to_json(load(tmp_path, {"source": source, "media": {"x": {"from": "image"}}})) == text
    assert times == {p: p.stat().st_mtime_ns for p in folder.rglob("media/*/*")}, "an existing file is used"


def test_contents_of_large_tables_are_not_in_memory_all_at_once(tmp_path):
    """Steps work on rows whose contents are in a file; each is read when it is stored."""
    rows = [{"q": f"{i}", "image": {"bytes": RED + os.urandom(100_000)}} for i in range(300)]
    source = parquet_source(tmp_path, rows)
    steps = [
        {"shuffle": {"seed": 1}},
        {"hook": {"name": "limit_words", "args": {"columns": ["q"], "max_num_words": 9}}},
    ]
    entry = {"source": source, "media": {"x": {"from": "image"}}, "steps": steps, "filter": {"field": "q", "lt": 290}}
    tracemalloc.start()
    try:
        instances = load(tmp_path, entry)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(instances) == 290 and peak < 15e6, f"30 MB of pictures took {peak / 1e6:.0f} MB"
    for instance in instances:
        kept, question = instance.input.multimedia_content.media_objects
        assert Path(kept.location).read_bytes() == rows[int(question.text)]["image"]["bytes"]
    assert len(list((tmp_path / "folder").rglob("media/*/*"))) == 290


def test_hooks_of_users_get_contents_as_bytes(tmp_path, monkeypatch):
    (tmp_path / "own_hook.py").write_text(
        "def sizes(rows):\n    return [{**r, 'q': bytes.hex(r['image'][:4])} for r in rows]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    source = parquet_source(tmp_path, [{"q": "", "image": RED}])
    (instance,) = load(
        tmp_path, {"source": source, "media": {"x": {"from": "image"}}, "steps": [{"hook": "own_hook.sizes"}]}
    )
    assert instance.input.multimedia_content.media_objects[1].text == "89504e47"


def test_names_formats_and_modes(tmp_path):
    rows = [{"q": "a", "n": "1", "image": {"bytes": RED}}, {"q": "b", "n": "2", "image": {"bytes": RED}}]
    rows.append({"q": "c", "n": "3", "image": {"bytes": picture(mode="RGBA")}})
    rows.append({"q": "d", "n": "4", "image": {"bytes": picture(kind="JPEG")}})
    source = parquet_source(tmp_path, rows)
    folder = tmp_path / "folder"
    instances = load(tmp_path, {"source": source, "media": {"x": {"from": "image", "file": "images/{n}.jpg"}}})
    assert [row[0] for row in parts(instances, folder)] == [("image/jpeg", f"images/{n}.jpg") for n in range(1, 5)]
    assert (folder / "images/1.jpg").samefile(folder / "images/2.jpg"), "one content is one file"
    assert (folder / "images/4.jpg").read_bytes() == rows[3]["image"]["bytes"], "a file of the format stays as it is"
    for n in "123":
        with Image.open(folder / f"images/{n}.jpg") as made:
            assert (made.format, made.mode, made.size) == ("JPEG", "RGB", (4, 3))
    rule = {"from": "image", "file": "{_pixels}.png", "rgb": True, "type": "image/x-own"}
    instances = load(tmp_path, {"source": source, "media": {"x": rule}, "filter": {"field": "n", "in": [1, 3]}})
    md5 = [hashlib.md5(bytes((200, 10, 10, *more)) * 12).hexdigest() for more in ([], [255])]
    assert [row[0] for row in parts(instances, folder)] == [("image/x-own", f"{name}.png") for name in md5]
    with Image.open(folder / f"{md5[1]}.png") as made:
        assert made.mode == "RGB"


def test_files_of_archives_of_the_user_and_of_the_web(tmp_path, monkeypatch):
    with data_server() as server:
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        server.add_file("https://a.example/z.zip", zip_bytes({"z/in.png": RED, "z/rows.csv": b"q,f\nIn?,in.png\n"}))
        source = {"files": [{"file": "z", "url": "https://a.example/z.zip", "unpack": "unzip", "member": "rows.csv"}]}
        instances = load(tmp_path, {"source": source, "media": {"x": {"file": "z/{f}"}}})
        assert parts(instances, tmp_path / "folder") == [[("image/png", "z/in.png"), ("text/plain", "In?")]]
        server.add_file("https://a.example/b%20c.png?x=1", BLUE)
        rule = {"file": "web/{f}", "url": "https://a.example/{f}?x=1"}
        source = {"rows": [{"q": "Web?", "f": "b%20c.png"}]}
        for _ in range(2):
            instances = load(tmp_path, {"source": source, "media": {"x": rule}})
        assert Path(instances[0].input.multimedia_content.media_objects[0].location).read_bytes() == BLUE
        assert sum("b%20c" in seen.path for seen in server.requests) == 1
    put(tmp_path, {"own/s.wav": sound(), "restricted/task/s.wav": sound()})
    source = {"rows": [{"q": "Mine?", "f": "s.wav"}]}
    for rule in ({"path": "own/{f}"}, {"file": "{f}", "restricted": True}):
        (instance,) = load(tmp_path, {"source": source, "media": {"x": {**rule, "type": "audio/mp3"}}})
        assert instance.input.multimedia_content.media_objects[0].content_type == "audio/mp3"
        assert Path(instance.input.multimedia_content.media_objects[0].location).is_absolute()


def test_a_folder_gives_a_row_for_each_file(tmp_path):
    files = {
        "charts/b.png": RED,
        "charts/a.png": BLUE,
        "charts/no.txt": b"x",
        "truth/a.psv": b"1|2",
        "truth/b.psv": b"3",
    }
    put(tmp_path / "folder", files)
    source = {"folders": [{"file": "charts", "pattern": "*.png", "texts": {"t": "truth/{stem}.psv"}, "split": "valid"}]}
    entry = {"source": source, "media": {"x": {"file": "{file}"}}, "input": ["{x}"]}
    instances = load(tmp_path, {**entry, "references": {"answers": ["t"]}})
    assert [i.references[0].output.text for i in instances] == ["1|2", "3"]
    assert parts(instances, tmp_path / "folder") == [[("image/png", "charts/a.png")], [("image/png", "charts/b.png")]]
    with pytest.raises(ScenarioError, match="there is no folder .*/nowhere"):
        load(tmp_path, {**entry, "source": {"folders": [{"file": "nowhere"}]}})


def test_lists_of_parts_and_references_with_media(tmp_path):
    rows = [{"q": "Which?", "one": {"bytes": RED}, "two": None, "answer": "A"}]
    source = parquet_source(tmp_path, rows)
    entry = {
        "source": source,
        "steps": [{"media": {"a": {"from": "one"}, "b": {"from": "two", "missing": "null"}}}],
        "fields": {"both": {"from": ["a", "b"]}},
        "input": ["First image:", "{both}", "{q} {answer}"],
        "references": {"options": {"from": ["a", "q"]}},
        "correct": {"by": "letter", "field": "answer"},
    }
    (instance,) = load(tmp_path, entry)
    assert [m.type for m in instance.input.multimedia_content.media_objects] == ["text", "image", "text"]
    assert instance.input.multimedia_content.media_objects[2].text == "Which? A"
    first, second = instance.references
    assert (first.output.text, first.tags) == ("", ["correct"])
    assert first.output.multimedia_content.media_objects[0].content_type == "image/png"
    assert (second.output.text, second.output.multimedia_content) == ("Which?", None)


@pytest.mark.parametrize(
    "value,rule,message",
    [
        (None, {}, "row 0, media: 'image' has no content. `missing: drop`"),
        (b"<html>not found</html>", {}, "begins with b'<html>not fo', which is no image, sound or video"),
        (RED[:40], {"file": "x.jpg"}, "media 'x': it cannot be decoded"),
        (RED, {"file": "../x.png"}, "'../x.png' is not the name of a file below the scenario's folder"),
        (RED, {"file": "x.wav"}, "'x.wav' stands for audio/wav, but the content is image/png"),
        (sound(), {"type": "image/png"}, "is audio/wav, but the entry says image/png"),
    ],
)
def test_what_is_refused_names_the_row(tmp_path, value, rule, message):
    source = parquet_source(tmp_path, [{"q": "?", "image": value}, {"q": "?", "image": BLUE}])
    with pytest.raises(ScenarioError) as error:
        load(tmp_path, {"source": source, "media": {"x": {"from": "image", **rule}}})
    assert message in str(error.value)


def test_rows_without_media_can_be_dropped(tmp_path):
    put(tmp_path / "folder", {"a.png": RED, "empty.png": b""})
    source = {"rows": [{"q": name, "f": name} for name in ("a.png", "empty.png", "absent.png")]}
    instances = load(tmp_path, {"source": source, "media": {"x": {"file": "{f}", "missing": "drop"}}})
    assert parts(instances, tmp_path / "folder") == [[("image/png", "a.png"), ("text/plain", "a.png")]]
    with pytest.raises(ScenarioError, match="row 1, media: there is no file .*empty.png, or it is empty"):
        load(tmp_path, {"source": source, "media": {"x": {"file": "{f}"}}})


def read_wave(content: bytes) -> tuple[int, int, int]:
    """Channels, samples per second, and samples of each channel."""
    with wave.open(io.BytesIO(content)) as file:
        return file.getnchannels(), file.getframerate(), file.getnframes()


def test_sounds_are_converted_and_cut(tmp_path):
    folder = tmp_path / "folder"
    put(folder, {"in/a.wav": sound()})
    source = {"rows": [{"q": "?", "n": "a", "begin": "2", "end": 6}]}
    made = {}
    for name, rule in {
        "a.flac": {},
        "slow.wav": {"rate": 4000},
        "part.wav": {"segment": ["{begin}", "{end}"]},
        "a.mp3": {},
    }.items():
        rule = {"file": f"out/{name}", "convert": "in/{n}.wav", **rule}
        for _ in range(2):
            load(tmp_path, {"source": source, "media": {"x": rule}})
        made[name] = (folder / "out" / name).read_bytes()
    assert content_type_of(made["a.flac"][:64]) == "audio/flac" and content_type_of(made["a.mp3"][:64]) == "audio/mpeg"
    assert read_wave(sound()) == (1, 8000, 80)
    assert read_wave(made["slow.wav"])[:2] == (1, 4000) and abs(read_wave(made["slow.wav"])[2] - 40) <= 1
    assert read_wave(made["part.wav"]) == (1, 8000, 32)
    with wave.open(io.BytesIO(made["part.wav"])) as part, wave.open(io.BytesIO(sound())) as whole:
        assert part.readframes(32) == whole.readframes(80)[2 * 16 : 2 * 48]
    source = parquet_source(tmp_path, [{"q": "?", "sound": {"bytes": made["a.flac"], "path": "a.flac"}}])
    load(tmp_path, {"source": source, "media": {"x": {"from": "sound", "file": "from/a.wav"}}})
    assert read_wave((folder / "from/a.wav").read_bytes()) == (1, 8000, 80)


def test_sounds_that_cannot_be_heard_or_fetched_count_as_missing_where_the_entry_says_so(tmp_path, monkeypatch):
    empty = io.BytesIO()
    with wave.open(empty, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
    put(tmp_path / "folder", {"a.wav": sound(), "silent.wav": empty.getvalue(), "page.wav": b"<html>"})
    source = {"rows": [{"q": name, "f": f"{name}.wav"} for name in ("a", "silent", "page", "absent")]}
    rule = {"file": "{f}", "playable": True, "missing": "drop"}
    (instance,) = load(tmp_path, {"source": source, "media": {"x": rule}})
    assert instance.input.multimedia_content.media_objects[1].text == "a"
    with pytest.raises(
        ScenarioError, match=r"row 1, media: .*silent\.wav is no sound that can be decoded, or has no samples"
    ):
        load(tmp_path, {"source": source, "media": {"x": {"file": "{f}", "playable": True}}})
    with data_server() as server:
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
            monkeypatch.setenv(name, value)
        server.add_file("https://a.example/there.wav", sound())
        source = {"rows": [{"q": name, "f": name} for name in ("there", "gone")]}
        rule = {"file": "web/{f}.wav", "url": "https://a.example/{f}.wav", "missing": "drop"}
        with pytest.raises(Exception, match=r"a\.example/gone\.wav"):
            load(tmp_path, {"source": source, "media": {"x": rule}})
        instances = load(tmp_path, {"source": source, "media": {"x": {**rule, "unreachable": "missing"}}})
        assert len(instances) == 1


def test_a_file_of_the_user_stands_for_a_content_that_the_rows_do_not_have(tmp_path):
    put(tmp_path / "folder", {"clips/a.wav": sound()})
    rule = {"from": "audio", "file": "clips/{f}.wav"}
    (instance,) = load(tmp_path, {"source": {"rows": [{"q": "?", "f": "a"}]}, "media": {"x": rule}})
    assert instance.input.multimedia_content.media_objects[0].location.endswith("folder/clips/a.wav")
    with pytest.raises(ScenarioError, match="there is no column 'audio'"):
        load(tmp_path, {"source": {"rows": [{"q": "?", "f": "b"}]}, "media": {"x": rule}})


@pytest.mark.parametrize(
    "rule,message",
    [
        ({"segment": ["5", "x"]}, "two whole numbers of milliseconds, not 5, x"),
        ({"segment": ["5", "5"]}, "a segment cannot begin at 5 ms and end at 5 ms"),
        ({"file": "b.ogg"}, "sounds cannot be written as audio/ogg, but as audio/wav"),
        ({"convert": "../a.wav"}, "'../a.wav' is not the name of a file below the scenario's folder"),
    ],
)
def test_sounds_that_cannot_be_made_name_the_row(tmp_path, rule, message):
    put(tmp_path / "folder", {"a.wav": sound()})
    with pytest.raises(ScenarioError, match="row 0") as error:
        load(
            tmp_path, {"source": {"rows": [{"q": "?"}]}, "media": {"x": {"file": "b.mp3", "convert": "a.wav", **rule}}}
        )
    assert message in str(error.value)


@pytest.mark.parametrize(
    "rule,message",
    [
        ({}, "exactly one of file, path, not none"),
        ({"from": "x", "url": "https://a.example/b"}, "`url` and `restricted` are for `file` alone"),
        ({"form": "x"}, "unknown key 'form'"),
        ({"from": "x", "convert": "b"}, "it goes with neither `from` nor `path`"),
        ({"file": "x.wav", "convert": "b", "segment": ["1"]}, "a segment has a begin and an end"),
    ],
)
def test_rules_of_media_are_checked_when_the_entry_is_read(tmp_path, rule, message):
    with pytest.raises(ConfigError) as error:
        load(tmp_path, {"source": {"rows": []}, "media": {"x": rule}})
    assert message in str(error.value) and "media.x" in str(error.value)


@pytest.mark.parametrize("name", ["", "..", "a/../b", "/a", "a//b", "a\\b", "a\nb", "./a", "x" * 300])
def test_names_stay_below_the_folder(name):
    with pytest.raises(MediaError):
        safe_path("/data", name)


def test_first_bytes_and_endings_name_the_same_types():
    assert {content_type_of_name(f"a.b{suffix.upper()}") for suffix in SUFFIXES.values()} == set(SUFFIXES)
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"):
        assert content_type_of(picture(kind=kind)[:64]) == f"image/{kind.lower()}"
    heads = {
        "audio/wav": sound(),
        "audio/mpeg": b"\xff\xfb\x90\x00" + bytes(12),
        "audio/aac": b"\xff\xf1\x50\x80" + bytes(12),
        "audio/mp4": b"\0\0\0\x20ftypM4A \0\0",
        "video/mp4": b"\0\0\0\x20ftypisom\0\0",
        "video/quicktime": b"\0\0\0\x14ftypqt  \0\0",
    }
    assert {content_type_of(head[:64]) for head in heads.values()} == set(heads)
    assert [content_type_of(head) for head in (b"", b"\xff", b"<html>")] == [None] * 3


def test_the_entry_of_the_documentation(tmp_path):
    page = Path(__file__).parents[3] / "docs/howto-pictures.md"
    (text,) = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    entry = yaml.safe_load(text)
    assert entry["source"].pop("hf")["splits"] == {"validation": "valid"}
    row = {
        "image": {"bytes": picture(), "path": None},
        "question": "Which sign?",
        "choices": ["stop", "yield"],
        "answer": 1,
    }
    entry["source"] = parquet_source(tmp_path, [row])
    (instance,) = load(tmp_path, entry)
    kinds = [media.content_type for media in instance.input.multimedia_content.media_objects]
    assert kinds == ["image/png", "text/plain"]
    assert [(reference.output.text, reference.is_correct) for reference in instance.references] == [
        ("stop", False),
        ("yield", True),
    ]


def test_rows_do_not_choose_servers_inside_the_network(tmp_path):
    rule = {"x": {"file": "a.png", "url": "{at}"}}
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/a.png"
        with pytest.raises(DownloadError, match="inside the network"):
            load(tmp_path, {"source": {"rows": [{"q": "?", "at": address}]}, "media": rule})
    (tmp_path / "own.png").write_bytes(RED)
    with pytest.raises(DownloadError, match="no address of the web"):
        load(tmp_path, {"source": {"rows": [{"q": "?", "at": str(tmp_path / "own.png")}]}, "media": rule})
