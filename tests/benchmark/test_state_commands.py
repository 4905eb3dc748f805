"""Redacting, encrypting and decrypting the texts of runs, and comparing two suites."""

import gzip
import json
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.benchmark.commands import manage_runs, scenario_states, verify_reproducibility
from helm.benchmark.presentation import summarize

TEXTS = ["scenario_state.json", "instances.json", "display_requests.json", "display_predictions.json"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evaluate("one")
    summarize.main(["--suite", "one"])
    (path,) = Path("benchmark_output/runs/one").glob("simple_mcqa*")
    return path


def evaluate(suite):
    run.main(["-r", "simple_mcqa:model=simple/model1", "-m", "3", "--suite", suite])


def call(module, *words, status=0):
    try:
        module.main(list(words))
    except SystemExit as e:
        assert e.code == status
    else:
        assert status == 0


def strings(value):
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else [value]


def test_redaction_leaves_no_text(folder):
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    secrets = {state["request"]["prompt"] for state in states} | {
        state["instance"]["input"]["text"] for state in states
    }
    secrets |= {reference["output"]["text"] for state in states for reference in state["instance"]["references"]}
    secrets |= {state["result"]["completions"][0]["text"] for state in states}
    (folder / "error.json").write_text("{}")
    call(scenario_states, "redact", "--suite", "one")
    for name in TEXTS:
        assert secrets.isdisjoint(strings(json.loads((folder / name).read_text()))), name
    after = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert [state["instance"]["id"] for state in after] == [state["instance"]["id"] for state in states]
    assert not (folder / "error.json").exists()


def test_encryption_is_undone_by_the_key_alone(folder, capsys):
    pytest.importorskip("cryptography")
    before = {name: (folder / name).read_bytes() for name in TEXTS}
    call(scenario_states, "encrypt", "--suite", "one", "--key-path", "key")
    assert Path("key").stat().st_mode & 0o077 == 0
    assert not any((folder / name).exists() for name in TEXTS)
    capsys.readouterr()
    Path("wrong").write_bytes(bytes(32))
    call(scenario_states, "decrypt", "--suite", "one", "--key-path", "wrong", status=1)
    assert "another key" in capsys.readouterr().err
    one, other = (folder / f"{name}.encrypted" for name in TEXTS[:2])
    data = one.read_bytes(), other.read_bytes()
    one.write_bytes(data[1])
    other.write_bytes(data[0])
    call(scenario_states, "decrypt", "--suite", "one", "--key-path", "key", status=1)  # exchanged files
    one.write_bytes(data[0])
    other.write_bytes(data[1])
    call(scenario_states, "decrypt", "--suite", "one", "--key-path", "key")
    assert {name: (folder / name).read_bytes() for name in TEXTS} == before


def test_compressed_files_are_redacted_and_encrypted_in_every_form_that_is_there(folder, capsys):
    pytest.importorskip("cryptography")
    left_over = (folder / "scenario_state.json").read_bytes()
    manage_runs.main(["compact", "--suite", "one"])
    packed = {path.name: path.read_bytes() for path in folder.glob("*.gz") if path.name != "per_instance_stats.json.gz"}
    assert len(packed) == 4
    (folder / "scenario_state.json").write_bytes(left_over)
    call(scenario_states, "encrypt", "--suite", "one", "--key-path", "key")
    assert "5 files" in capsys.readouterr().out
    assert {path.name for path in folder.glob("*.gz")} == {"per_instance_stats.json.gz"}
    assert not (folder / "scenario_state.json").exists()
    call(scenario_states, "decrypt", "--suite", "one", "--key-path", "key")
    assert {name: (folder / name).read_bytes() for name in packed} == packed
    (folder / "scenario_state.json").unlink()
    call(scenario_states, "redact", "--suite", "one")
    assert {path.name for path in folder.glob("*.gz")} == {*packed, "per_instance_stats.json.gz"}
    for name in packed:
        texts = strings(json.loads(gzip.decompress((folder / name).read_bytes())))
        assert "[redacted]" in texts and gzip.decompress(packed[name]) != gzip.decompress((folder / name).read_bytes())
        assert not [text for text in texts if isinstance(text, str) and "?" in text]


@pytest.mark.parametrize("words", [["redact"], ["encrypt", "--key-path", "key"]])
def test_unfinished_runs_are_refused(folder, capsys, words):
    (folder / "requests.journal").write_text("")
    call(scenario_states, *words, "--suite", "one", status=1)
    assert "unfinished" in capsys.readouterr().err and (folder / TEXTS[0]).exists()


def test_two_suites_are_compared(folder, capsys):
    evaluate("two")
    words = ["--suite", "one", "--other-suite", "two"]
    call(verify_reproducibility, *words)
    assert "1 runs, 0 different." in capsys.readouterr().out
    path = Path(str(folder).replace("/one/", "/two/")) / "scenario_state.json"
    value = json.loads(path.read_text())
    value["request_states"][1]["result"]["completions"][0]["text"] += "!"
    path.write_text(json.dumps(value))
    call(verify_reproducibility, *words, status=1)
    assert "scenario_state.json.request_states[1].result.completions[0].text" in capsys.readouterr().out
    call(verify_reproducibility, "--suite", "one", "--other-suite", "absent", status=2)
