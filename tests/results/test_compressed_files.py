"""Compressed run files: the same content, read by everything that reads runs, safe against kills and hostile files."""

import gzip
import json
import os
import random
import shutil
import subprocess
import tracemalloc
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from helm.benchmark.commands import compare, export, manage_runs, rescore, verify_reproducibility
from helm.benchmark.presentation import summarize
from helm.gradbench.report.helm_runs import read_helm_run
from helm.results import load_run
from helm.results.index.index_build import build_index
from helm.results.index.index_query import RunIndex
from helm.results.run_files import compressed_files
from helm.results.run_files.compressed_files import (
    ContentView,
    RunFileParts,
    content_size,
    convert_run,
    find_blocks,
    open_content,
    open_run_file,
    read_run_file,
)
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import RunFileError, find_runs, has_all_run_files, stored_path
from registries_support import empty_registries
from results_support import FILES, edit_json, helm_run, read_bytes

MCQA, OTHER = "simple_mcqa:model=simple_model1", "simple_mcqa:model=simple_other"
LARGE = ("scenario_state.json", "per_instance_stats.json")


def write(path: Path, text: str) -> str:
    with open_run_file(str(path), "scenario_state.json", compressed=True) as file:
        file.write(text)
    return str(path / "scenario_state.json.gz")


def made_up_state(number: int, seed: int = 0) -> dict:
    rng = random.Random(seed)
    states = [{"id": f"id{i}", "text": "é\n" * rng.randrange(30), "n": rng.random()} for i in range(number)]
    return {"adapter_spec": {"method": "x"}, "request_states": states, "last": [1, 2]}


# --- the form ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1, 3_500_000])
def test_any_gunzip_gives_the_text_and_the_same_text_gives_the_same_bytes(size: int, tmp_path: Path) -> None:
    text = ("0123456789abcdé" * (size // 16 + 1))[: size - size // 16] if size else ""
    first = Path(write(tmp_path, text)).read_bytes()
    assert gzip.decompress(first).decode() == text
    done = subprocess.run(["gunzip", "-c"], input=first, capture_output=True, check=True)
    assert done.stdout.decode() == text
    assert Path(write(tmp_path, text)).read_bytes() == first
    assert read_run_file(str(tmp_path / "scenario_state.json.gz")).decode() == text
    with open_content(str(tmp_path / "scenario_state.json.gz")) as content:
        assert content.read().decode() == text
    assert content_size(str(tmp_path / "scenario_state.json.gz")) == len(text.encode())


@pytest.mark.parametrize("by_gzip", [False, True])
@pytest.mark.parametrize("indent", [2, None])
def test_items_of_a_compressed_list_equal_those_of_a_plain_one(
    by_gzip: bool, indent: int | None, tmp_path: Path
) -> None:
    value = made_up_state(12_000)
    text = json.dumps(value, indent=indent)
    path = write(tmp_path, text)
    if by_gzip:
        Path(path).write_bytes(gzip.compress(text.encode(), 1))
    items = JsonItems(path, "request_states")
    assert list(items) == value["request_states"]
    assert items.read_rest() == {**value, "request_states": []}
    spans = [span for span, _ in JsonItems(path, "request_states").iterate_with_spans()]
    if by_gzip or indent is None:
        assert spans == [None] * 12_000
        return
    with RunFileParts(path) as parts:
        for number in (0, 1, 777, 11_999, 5):
            assert json.loads(parts.read(*spans[number])) == value["request_states"][number]
        assert parts.read(0, len(text)) == text.encode()
        assert parts.read(len(text) - 3, len(text) + 10) == text.encode()[-3:]


def test_a_view_is_a_mapped_file_to_who_goes_through_it_once(tmp_path: Path) -> None:
    rng = random.Random(3)
    text = "".join(rng.choice("ab,\n") for _ in range(1_500_000)).encode()
    path = str(tmp_path / "scenario_state.json.gz")
    Path(path).write_bytes(gzip.compress(text, 1))
    view, position = ContentView(path), 0
    with closing(view):
        while position < len(text):
            wanted = bytes(rng.choice(b"ab,\n") for _ in range(rng.randrange(1, 22)))
            end = position + rng.randrange(1, 400_000)
            assert view.find(wanted, position, end) == text.find(wanted, position, end)
            assert view.find(wanted, position) == text.find(wanted, position)
            assert view[position:end] == text[position:end]
            position = end
            view.release(min(position, len(text)))
        assert view[position:] == b""


def test_memory_for_a_list_does_not_grow_with_it(tmp_path: Path) -> None:
    item, number = '{\n    "text": "' + "x" * 5000 + '"\n  }', 16_000
    with open_run_file(str(tmp_path), "per_instance_stats.json", compressed=True) as file:
        file.write("[\n  " + item)
        for _ in range(number - 1):
            file.write(",\n  " + item)
        file.write("\n]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in JsonItems(str(tmp_path / "per_instance_stats.json.gz"))) == number
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 << 20  # of a content of 80 MB, of which 16 MiB are held at a time


# --- which form counts ------------------------------------------------------------------------------------------------


def test_the_plain_file_counts_and_a_write_removes_the_other_form(tmp_path: Path) -> None:
    folder = str(tmp_path)
    for compressed, name in ((True, "stats.json.gz"), (False, "stats.json")):
        (tmp_path / "per_instance_stats.json").write_text("old")
        with open_run_file(folder, f"per_instance_{name.removesuffix('.gz')}", compressed) as file:
            file.write("new")
        assert os.listdir(folder) == [f"per_instance_{name}"]
        assert read_run_file(stored_path(folder, "per_instance_stats.json")) == b"new"
        (tmp_path / f"per_instance_{name}").unlink()
    (tmp_path / "scenario_state.json").write_text("plain")
    (tmp_path / "scenario_state.json.gz").write_bytes(gzip.compress(b"packed"))
    assert stored_path(folder, "scenario_state.json") == str(tmp_path / "scenario_state.json")


@pytest.mark.parametrize("to_compressed", [True, False])
def test_a_kill_between_the_steps_leaves_the_old_file_or_the_new_one(
    to_compressed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name = str(tmp_path), "scenario_state.json"
    with open_run_file(folder, name, compressed=not to_compressed) as file:
        file.write("old")

    def die(path: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compressed_files, "_remove", die)
    with pytest.raises(KeyboardInterrupt):
        with open_run_file(folder, name, compressed=to_compressed) as file:
            file.write("new")
    assert len(os.listdir(folder)) == 2
    assert read_run_file(stored_path(folder, name)) == (b"old" if to_compressed else b"new")
    monkeypatch.undo()
    with open_run_file(folder, name, compressed=to_compressed) as file:
        file.write("newer")
    assert len(os.listdir(folder)) == 1 and read_run_file(stored_path(folder, name)) == b"newer"


def test_a_failed_write_leaves_what_is_there(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with pytest.raises(ZeroDivisionError):
        with open_run_file(str(tmp_path), "scenario_state.json", compressed=True) as file:
            file.write("new" * 1_000_000)
            1 / 0  # noqa: B018
    assert os.listdir(tmp_path) == ["scenario_state.json.gz"]
    assert read_run_file(str(tmp_path / "scenario_state.json.gz")) == b"old"


# --- hostile and damaged files ----------------------------------------------------------------------------------------


def test_damaged_files_are_named(tmp_path: Path) -> None:
    path = Path(write(tmp_path, json.dumps(made_up_state(40_000), indent=2)))
    data = path.read_bytes()
    (first, *_) = find_blocks(str(path)) or []
    assert len(find_blocks(str(path)) or []) > 1
    cases = {
        "cut off: 5000 bytes are not a whole gzip file": data[:5000],
        "the list 'request_states' goes on neither with an item nor with its end": data[: first[1]],
        "cut off: 0 bytes": b"",
        "damaged: not in the form that gzip writes": b"{}" + data,
        "incorrect data check": data[: first[1] - 8] + b"abcd" + data[first[1] - 4 :],
    }
    for message, content in cases.items():
        path.write_bytes(content)
        with pytest.raises(RunFileError, match=f"{path}: .*{message}"):
            list(JsonItems(str(path), "request_states"))
        with pytest.raises(RunFileError, match=str(path)):
            load_run_states(path)
    path.write_bytes(data[: first[1]])
    with RunFileParts(str(path)) as parts, pytest.raises(RunFileError):
        (tmp_path / "scenario_state.json.gz").write_bytes(data[: first[1] - 8] + bytes(8))
        parts.read(0, 10)


def load_run_states(path: Path) -> None:
    list(JsonItems(str(path), "request_states").read_rest())
    list(JsonItems(str(path), "request_states"))


def zeros(size: int, before: bytes = b"") -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(before)] + [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]
    return b"".join([*parts, packer.flush()])


def test_a_bomb_is_refused_with_a_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scenario_state.json.gz"
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "8")
    path.write_bytes(zeros(20 << 20))
    with pytest.raises(RunFileError, match=f"{path}: it would unpack to .* HELM_MAX_UNPACKED_MIB allows it"):
        read_run_file(str(path))
    monkeypatch.setattr(compressed_files, "_MAX_VIEW_BYTES", 32 << 20)
    path.write_bytes(zeros(40 << 20, b'{\n  "request_states": [\n    {"a": "'))
    with pytest.raises(RunFileError, match=f"{path}: at byte .* is a value of more than 32 MiB"):
        list(JsonItems(str(path), "request_states"))


def test_lengths_in_headers_are_not_trusted(tmp_path: Path) -> None:
    path = Path(write(tmp_path, "x" * 3_000_000))
    data = bytearray(path.read_bytes())
    start = data.index(b"HH\x08\x00") + 4
    for place, value in ((start, 0), (start, 2**31), (start + 4, 2**31), (start + 4, 12)):
        path.write_bytes(data[:place] + value.to_bytes(4, "little") + data[place + 4 :])
        if find_blocks(str(path)) is None:
            with pytest.raises(RunFileError, match="compressed by another program"):
                RunFileParts(str(path))
        else:
            with RunFileParts(str(path)) as parts, pytest.raises(RunFileError, match="not as long as its header says"):
                parts.read(0, 5)
        assert read_run_file(str(path)) == b"x" * 3_000_000


def test_a_link_out_of_the_results_is_not_followed_in_either_form(tmp_path: Path) -> None:
    secret = tmp_path / "secret.gz"
    secret.write_bytes(gzip.compress(b"{}"))
    run = tmp_path / "runs" / "s" / "one"
    run.mkdir(parents=True)
    (run / "run_spec.json").write_text("{}")
    (run / "scenario_state.json.gz").symlink_to(secret)
    outside: list[str] = []
    assert list(find_runs(str(tmp_path / "runs" / "s"), outside)) == []
    assert outside == ["one/scenario_state.json.gz"]


# --- runs -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder / helm_run("simple_mcqa:model=simple/model1", "gradbench_hello:tool=numpy")


@pytest.fixture
def suite(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, tmp_path / "benchmark_output" / "runs" / "s")
    return Path("benchmark_output/runs/s")


def tool_run(suite: Path) -> Path:
    (found,) = suite.glob("gradbench_hello:*")
    return found


def test_a_run_with_the_flag_has_the_same_content_and_is_complete(suite: Path) -> None:
    plain = read_bytes(suite / MCQA)
    helm_run("simple_mcqa:model=simple/model1", suite="compact", flags=["--compact-files"])
    compact = Path("benchmark_output/runs/compact") / MCQA
    assert sorted(read_bytes(compact)) == sorted(
        f"{name}.gz" if name in LARGE else name for name in (*FILES, "coverage.json", "intervals.json")
    )
    assert gzip.decompress((compact / "per_instance_stats.json.gz").read_bytes()).count(b"\n") == plain[
        "per_instance_stats.json"
    ].count(b"\n")
    shutil.rmtree(tool_run(suite))
    verify_reproducibility.main(["--suite", "s", "--other-suite", "compact"])
    before = (compact / "scenario_state.json.gz").stat()
    helm_run("simple_mcqa:model=simple/model1", suite="compact", flags=["--skip-completed-runs"])
    assert (compact / "scenario_state.json.gz").stat() == before
    helm_run("simple_mcqa:model=simple/model1", suite="compact")
    assert not list(compact.glob("*.gz")) and has_all_run_files(str(compact))


def test_converting_back_and_forth_restores_every_byte(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summarize_suite()
    before = read_bytes(suite / MCQA)
    assert {"instances.json", "display_requests.json"} <= set(before)
    capsys.readouterr()
    compact("--dry-run")
    assert read_bytes(suite / MCQA) == before
    trial = capsys.readouterr().out
    compact()
    assert capsys.readouterr().out == trial.replace("would be", "were")
    packed = read_bytes(suite / MCQA)
    assert {
        name.removesuffix(".gz"): gzip.decompress(data) if name.endswith(".gz") else data
        for name, data in packed.items()
    } == before
    assert sum(name.endswith(".gz") for name in packed) == 5
    compact()
    assert "0 runs were compressed" in capsys.readouterr().out
    compact("--undo")
    assert "2 runs were unpacked" in capsys.readouterr().out
    assert read_bytes(suite / MCQA) == before


def compact(*flags: str) -> None:
    manage_runs.main(["compact", "--suite", "s", *flags])


def test_unfinished_runs_are_left_alone(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / MCQA / "requests.journal").write_text("")
    compact()
    assert "left as it is, because it is unfinished" in capsys.readouterr().err
    assert (suite / MCQA / "scenario_state.json").exists()


def summarize_suite() -> None:
    with empty_registries():
        summarize.main(["--suite", "s"])


def board(suite: Path) -> dict[str, bytes]:
    """The files of a summary, and those that it adds to runs, by content."""
    summarize_suite()
    found = {}
    for path in sorted(suite.rglob("*.json*")):
        if path.name.startswith(("summary", "runs_to")):
            continue
        name = str(path.relative_to(suite))
        found[name.removesuffix(".gz")] = read_run_file(str(path))
        if path.name == "intervals.json":  # says the sizes of the files that it was made from
            found[name] = json.dumps({**json.loads(found[name]), "made_from": None}).encode()
    return found


def test_summaries_are_the_same_and_display_files_have_the_form_of_the_run(suite: Path) -> None:
    plain = board(suite)
    for path in suite.rglob("display_*"):
        path.unlink()
    for run in (suite / MCQA, tool_run(suite)):
        convert_run(str(run), True)
    assert board(suite) == plain
    assert not list(suite.rglob("display_*.json")) and len(list(suite.rglob("display_*.json.gz"))) == 4
    times = {path: path.stat().st_mtime_ns for path in suite.rglob("display_*")}
    shutil.rmtree("benchmark_output/.helm-index")
    board(suite)
    assert {path: path.stat().st_mtime_ns for path in suite.rglob("display_*")} == times


def output_of(capsys: pytest.CaptureFixture[str], main: object, *args: str) -> str:
    capsys.readouterr()
    with empty_registries():
        try:
            main(list(args))  # type: ignore[operator]
        except SystemExit as e:
            assert not e.code, capsys.readouterr().err
    return "".join(line for line in capsys.readouterr().out.splitlines(True) if not line.startswith("20"))  # a log's


def rename(run_spec: dict) -> None:
    run_spec["name"] = OTHER
    run_spec["adapter_spec"] |= {"model": "simple/other", "model_deployment": "simple/other"}


def test_commands_say_the_same(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(suite / MCQA, suite / OTHER)
    edit_json(suite / OTHER / "run_spec.json", rename)

    def answers() -> list[str]:
        found = []
        for what in ("runs", "scores", "instances", "responses"):
            output_of(capsys, export.main, "--suite", "s", "--what", what, "--format", "csv", "--to", "out.csv")
            found.append(Path("out.csv").read_text())
        found.append(output_of(capsys, compare.main, "--suite", "s"))
        found.append(output_of(capsys, rescore.main, "--suite", "s", "--dry-run"))
        found.append(repr(read_helm_run(str(tool_run(suite)))))
        found.append(repr(load_run(str(suite / MCQA)).coverage()))
        return found

    plain = answers()
    compact()
    assert answers() == plain
    shutil.copytree(suite, suite.parent / "t")
    manage_runs.main(["compact", "--suite", "t", "--undo"])
    assert output_of(capsys, verify_reproducibility.main, "--suite", "s", "--other-suite", "t").endswith(
        "0 different.\n"
    )


@pytest.mark.parametrize("by_gzip", [False, True])
def test_the_index_reads_single_instances(by_gzip: bool, suite: Path) -> None:
    found = []
    for number in range(2):
        if number and by_gzip:
            subprocess.run(["gzip", *(str(suite / MCQA / name) for name in LARGE)], check=True)
        elif number:
            convert_run(str(suite / MCQA), True)
        build_index(str(suite / MCQA), "i/index.sqlite", "i/unfinished.sqlite")
        with RunIndex("i/index.sqlite", str(suite / MCQA)) as index:
            assert index.state.problem is None
            units = [unit.number for unit in index.page()]
            found.append([(index.read_states(unit), index.read_stats(unit)) for unit in units])
    assert len(found[0]) > 5 and found[0] == found[1]


def test_rescoring_keeps_the_form(suite: Path) -> None:
    folder = suite / MCQA
    shutil.copytree(folder, "plain")
    convert_run(str(folder), True)
    edit_json(folder / "stats.json", lambda stats: stats.pop())
    with gzip.open(folder / "per_instance_stats.json.gz", "rt") as file:
        entries = json.load(file)
    with open_run_file(str(folder), "per_instance_stats.json", True) as out:
        out.write(json.dumps(entries[1:], indent=2))
    with empty_registries():
        rescore.main(["--suite", "s", "--runs", MCQA, "--keep-old"])
        rescore.main(["--suite", "s", "--runs", MCQA, "--to-suite", "new"])
    here, there = read_bytes(folder), read_bytes(suite.parent / "new" / MCQA)
    expected = (Path("plain") / "per_instance_stats.json").read_bytes()
    assert gzip.decompress(here["per_instance_stats.json.gz"]) == expected
    assert json.loads(gzip.decompress(here["per_instance_stats.old-1.json.gz"])) == entries[1:]
    assert gzip.decompress(there["per_instance_stats.json.gz"]) == expected
    assert {"scenario_state.json.gz", "stats.json"} <= there.keys() and not {*LARGE} & {*here, *there}
