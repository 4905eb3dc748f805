"""Logs that are damaged, hostile or foreign are refused with one line, and leave nothing behind."""

import copy
import json
import os
import random
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from helm.common.errors import HelmError
from helm.results.importing import json_lines
from helm.results.importing.hidden_values import without_keys
from helm.results.importing.inspect_archive import open_archive
from importing_support import LOGS, import_all, import_one, lm_eval_files, means, write_lines


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


HEADER = {"version": 2, "status": "success", "eval": {"eval_id": "x", "task": "t", "model": "m/n"}}
SAMPLE = {"id": 1, "epoch": 1, "input": "?", "target": "!", "output": {}, "scores": {"match": {"value": "C"}}}


def write_archive(path: Path, entries: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def refused(*paths: Path, **options) -> str:
    with pytest.raises(HelmError) as caught:
        import_all(*paths, **options)
    assert not [name for _, _, names in os.walk("out") for name in names]
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_names_in_an_archive_lead_nowhere(tmp_path):
    entries = {
        "header.json": json.dumps(HEADER),
        "samples/../../../escaped_epoch_1.json": json.dumps(SAMPLE),
        "../outside.json": "{}",
        "/absolute.json": "{}",
    }
    run, _ = import_one(write_archive(tmp_path / "a.eval", entries))
    assert means(run) == {"match": 1}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.eval", "out"]


@pytest.mark.parametrize("task", ["../../up", "a/b", "..", "x" * 500, "runs\x00", "\ud800", "eval_cache"])
def test_names_of_tasks_stay_in_the_suite(tmp_path, task):
    header = {**HEADER, "eval": {**HEADER["eval"], "task": task, "task_args_passed": {"path": "/etc/../x," * 50}}}
    path = write_archive(
        tmp_path / "a.eval", {"header.json": json.dumps(header), "samples/1_epoch_1.json": json.dumps(SAMPLE)}
    )
    try:
        run, _ = import_one(path)
    except HelmError:
        return
    assert os.path.dirname(os.path.realpath(run.path)) == str(tmp_path / "out/runs/s")
    assert len(os.path.basename(run.path).encode()) <= 255


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "1")
    path = write_archive(
        tmp_path / "a.eval", {"header.json": json.dumps(HEADER), "samples/1_epoch_1.json": b" " * (3 << 20)}
    )
    assert "it would unpack to" in refused(path)


def test_an_entry_that_is_larger_than_it_says_is_refused(tmp_path):
    path = write_archive(tmp_path / "a.eval", {"header.json": json.dumps(HEADER) + " " * 5000})
    data = path.read_bytes()
    real = struct.pack("<L", len(json.dumps(HEADER)) + 5000)
    assert data.count(real) >= 2
    path.write_bytes(data.replace(real, struct.pack("<L", 100)))
    assert "header.json" in refused(path)


def test_a_zstandard_entry_that_is_larger_than_it_says_is_refused(tmp_path):
    original = (LOGS / "inspect/sums.eval").read_bytes()
    with open_archive(str(LOGS / "inspect/sums.eval")) as archive:
        size = len(archive.read("header.json"))
    (tmp_path / "a.eval").write_bytes(original.replace(struct.pack("<L", size), struct.pack("<L", 50)))
    assert "header.json: it has more than the 50 bytes that the archive states" in refused(tmp_path / "a.eval")


@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_a_damaged_archive_is_refused(tmp_path, place):
    data = bytearray((LOGS / "inspect/sums.eval").read_bytes())
    with zipfile.ZipFile(LOGS / "inspect/sums.eval") as archive:
        entry = archive.getinfo("header.json")
    start = entry.header_offset + 60 + int(place * (entry.compress_size - 60))
    data[start : start + 4] = bytes(byte ^ 0xFF for byte in data[start : start + 4])
    (tmp_path / "a.eval").write_bytes(data)
    assert "header.json" in refused(tmp_path / "a.eval")


def test_a_cut_archive_is_refused(tmp_path):
    (tmp_path / "a.eval").write_bytes((LOGS / "inspect/sums.eval").read_bytes()[:2000])
    assert "not a ZIP archive, or cut off" in refused(tmp_path / "a.eval")


def test_an_encrypted_entry_is_refused(tmp_path):
    path = write_archive(tmp_path / "a.eval", {"header.json": json.dumps(HEADER)})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert "header.json: the entry is encrypted" in refused(path)


def test_a_zip_that_is_no_log_is_refused(tmp_path):
    assert "so it is no log of inspect_ai" in refused(write_archive(tmp_path / "a.eval", {"a.txt": "hello"}))


def test_a_sample_that_occurs_twice_is_refused(tmp_path):
    entries = {"header.json": json.dumps(HEADER)}
    entries |= {f"samples/{name}_epoch_1.json": json.dumps(SAMPLE) for name in "ab"}
    assert "the sample '1' occurs twice in trial 0" in refused(write_archive(tmp_path / "a.eval", entries))


@pytest.mark.parametrize(
    "sample",
    [
        {"epoch": 1},
        {"id": {"a": 1}},
        {"id": 1, "epoch": "x"},
        [1, 2],
        "text",
    ],
)
def test_a_sample_of_another_form_is_refused_with_its_place(tmp_path, sample):
    entries = {"header.json": json.dumps(HEADER), "samples/1_epoch_1.json": json.dumps(sample)}
    assert "samples/1_epoch_1.json: " in refused(write_archive(tmp_path / "a.eval", entries))


def test_values_of_any_form_in_a_sample_do_no_harm(tmp_path):
    odd = [None, 7, "text", [], {}, [None], {"a": [None]}, True]
    entries = {"header.json": json.dumps(HEADER)}
    for number, value in enumerate(odd):
        keys = (
            "input",
            "target",
            "messages",
            "output",
            "scores",
            "metadata",
            "limit",
            "model_usage",
            "attachments",
            "choices",
        )
        entries[f"samples/{number}_epoch_1.json"] = json.dumps({"id": number, **dict.fromkeys(keys, value)})
    _, result = import_one(write_archive(tmp_path / "a.eval", entries))
    assert result.num_samples == len(odd)


def test_values_that_are_no_numbers_are_not_scores(tmp_path):
    values = ["C", float("nan"), "a text", None, {"deep": {"deeper": 1}}]
    entries = {"header.json": json.dumps(HEADER)}
    for number, value in enumerate(values):
        sample = {**SAMPLE, "id": number, "scores": {"match": {"value": value}}}
        entries[f"samples/{number}_epoch_1.json"] = json.dumps(sample)
    run, _ = import_one(write_archive(tmp_path / "a.eval", entries))
    assert means(run) == {"match": 1}
    coverage = run.coverage()
    assert coverage.requests.excluded == 4
    assert coverage.stats.nan_removed_per_instance == {"match": 1}


def test_deep_nesting_is_refused(tmp_path):
    deep = "[" * 100_000 + "]" * 100_000
    (tmp_path / "a.jsonl").write_text('{"id": 1, "output": "x", "score": 1, "input": ' + deep + "}\n")
    assert "deep" in refused(tmp_path / "a.jsonl", model="m")


def test_nesting_below_the_parsers_limit_is_refused_too(tmp_path):
    deep = "[" * 600 + "]" * 600
    (tmp_path / "a.jsonl").write_text('{"id": 1, "output": "x", "score": 1, "input": ' + deep + "}\n")
    assert "nested more than" in refused(tmp_path / "a.jsonl", model="m")


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "MAX_VALUE_BYTES", 1000)
    (tmp_path / "a.jsonl").write_text('{"id": 1, "output": "' + "x" * 5000 + '", "score": 1}\n')
    assert "longer than 1,000 bytes" in refused(tmp_path / "a.jsonl", model="m", format_name="jsonl")


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "it is empty"),
        ("hello", "the file has none of their forms"),
        ("[1, 2]", "the file has none of their forms"),
        ('{"a": 1}', "expected an answer"),
        ('{"id": 1, "output": "x"', "the file has none of their forms"),
        ('{"id": 1, "output": "x", "score": 1}\n{"id": 2,', ":2: not valid JSON"),
        ('{"id": 1, "output": "x", "score": 1}\n[1]', ":2: expected a JSON object on each line"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path, content, message):
    (tmp_path / "a.json").write_text(content)
    assert message in refused(tmp_path / "a.json", model="m")


def test_missing_files_and_folders_are_named(tmp_path):
    assert "this is a folder" in refused(tmp_path)
    with pytest.raises(FileNotFoundError):
        import_all(tmp_path / "none.eval")


def test_a_cut_json_log_is_refused(tmp_path):
    text = (LOGS / "inspect/colours.json").read_text()
    for share in (0.3, 0.5, 0.7):
        (tmp_path / "a.json").write_text(text[: int(share * len(text))])
        refused(tmp_path / "a.json", format_name="inspect")


def test_a_record_names_no_file_elsewhere(tmp_path):
    (tmp_path / "secret.jsonl").write_text('{"sample_id": "1", "evaluation": {"score": 1}}\n')
    folder = tmp_path / "records"
    folder.mkdir()
    record = {
        "schema_version": "0.3.0",
        "evaluation_id": "e",
        "model_info": {"id": "a/b"},
        "evaluation_results": [{"evaluation_name": "t", "score_details": {"score": 0.5}}],
        "detailed_evaluation_results": {"file_path": "../secret.jsonl"},
    }
    (folder / "r.json").write_text(json.dumps(record))
    run, result = import_one(folder / "r.json")
    assert result.num_samples == 0
    assert means(run) == {"score": 0.5}


def test_a_task_in_the_results_names_no_file_elsewhere(tmp_path):
    results = json.loads(lm_eval_files("small").read_text())
    results["results"] = {"../../x": {"acc,none": 0.5}}
    results["configs"] = {"../../x": {}}
    (tmp_path / "results_1.json").write_text(json.dumps(results))
    run, _ = import_one(tmp_path / "results_1.json")
    assert os.path.dirname(os.path.realpath(run.path)) == str(tmp_path / "out/runs/s")


def test_keys_in_the_arguments_of_models_are_not_copied(tmp_path):
    header = {
        **HEADER,
        "eval": {**HEADER["eval"], "model_args": {"api_key": "sk-secret"}, "model_base_url": "http://u:sk-secret@h"},
    }
    entries = {"header.json": json.dumps(header), "samples/1_epoch_1.json": json.dumps(SAMPLE)}
    run, _ = import_one(write_archive(tmp_path / "a.eval", entries))
    results = json.loads(lm_eval_files("small").read_text())
    results["config"]["model_args"] = "model=gpt,api_key=sk-secret"
    (tmp_path / "results_1.json").write_text(json.dumps(results))
    import_all(tmp_path / "results_1.json")
    assert not [path for path in Path("out").rglob("*.json") if "sk-secret" in path.read_text()]


KEYS = {
    "api_key": "secret-1",
    "extra_headers": {"Authorization": "Bearer secret-2"},
    "extra_body": {"hf_token": "secret-3"},
    "url": "https://user:secret-4@host/v1?key=secret-5",
    "note": "used sk-secret0123456789abcdef",
}


def test_keys_in_settings_and_arguments_of_tasks_are_not_copied(tmp_path):
    evaluation = {
        **HEADER["eval"],
        "model_generate_config": {**KEYS, "max_tokens": 7},
        "task_args_passed": {**KEYS, "n": 3},
    }
    header = {**HEADER, "eval": evaluation}
    entries = {"header.json": json.dumps(header), "samples/1_epoch_1.json": json.dumps(SAMPLE)}
    run, result = import_one(write_archive(tmp_path / "a.eval", entries))
    results = json.loads(lm_eval_files("small").read_text())
    results["config"]["gen_kwargs"] = KEYS
    (tmp_path / "results_1.json").write_text(json.dumps(results))
    import_all(tmp_path / "results_1.json")
    assert "secret" not in result.name and "n=3" in result.name
    assert not [path for path in Path("out").rglob("*.json") if "secret" in path.read_text()]
    assert any('"max_tokens": 7' in path.read_text() for path in Path("out").rglob("scenario.json"))


def test_names_that_only_resemble_those_of_keys_stay():
    value = {
        "max_tokens": 5,
        "tokenizer": "t",
        "eos_token": "</s>",
        "keyword": "k",
        "target_key": "answer",
        "token": None,
    }
    assert without_keys(value) == value


@pytest.mark.parametrize("form", ["eval", "json", "jsonl"])
def test_a_large_log_is_read_sample_by_sample(tmp_path, form):
    text, count = "word " * 40_000, 100  # 20 MB in all
    samples = [{**SAMPLE, "id": i, "input": text} for i in range(count)]
    path = tmp_path / f"large.{form}"
    if form == "eval":
        entries = {f"samples/{i}_epoch_1.json": json.dumps(sample) for i, sample in enumerate(samples)}
        write_archive(path, {"header.json": json.dumps(HEADER), **entries}, zipfile.ZIP_STORED)
        del entries
    elif form == "json":
        path.write_text(json.dumps({**HEADER, "samples": samples, "reductions": []}, indent=2))
    else:
        write_lines(path, [{"id": i, "input": text, "output": "x", "score": 1} for i in range(count)])
    del samples
    assert path.stat().st_size > 19_000_000
    import_all(LOGS / "inspect/sums.eval", suite="first")  # what is imported once
    tracemalloc.start()
    try:
        _, result = import_one(path, model="m")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.num_samples == count
    assert peak < 6_000_000


ODD = [None, 7, -1, 1e308, "text", "", [], {}, [None], {"a": [None]}, True, "../../x", "\x00", "\ud800", 10**30, [[]]]


def nodes(value, found):
    """Return all places in a value as containers and keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        found.append((value, key))
        nodes(child, found)
    return found


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", ["inspect/colours.json", "inspect/errors.json", "lm-eval/tiny/results_*.json"])
def test_values_replaced_at_random_are_imported_or_refused(tmp_path, name, seed):
    (path,) = LOGS.glob(name)
    for file in path.parent.glob("samples_*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    draw, value = random.Random(seed), json.loads(path.read_text())
    for _ in range(draw.randint(1, 6)):
        container, key = draw.choice(nodes(value, []))
        container[key] = copy.deepcopy(draw.choice(ODD))
    (tmp_path / path.name).write_text(json.dumps(value, indent=2))
    try:
        import_all(tmp_path / path.name)
    except HelmError as e:
        assert "\n" not in str(e)
