"""Entries of conf files that cannot be made here: they are named and counted, the others are run, and the exit status tells."""

import pytest

from helm.benchmark import run

GOOD = "simple_mcqa:model=simple/model1"
ENTRIES = [
    "nowhere_qa:model=simple/model1",
    GOOD,
    "simple_classification:model=stanfordhealthcare/nobody",
    "simple1:model=simple/model1,model_deployment=nowhere/model1",
    "nowhere_qa:model=simple/model1,data_augmentation=canonical",
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def helm_run(capsys, folder, entries, *flags, typed=()):
    lines = "\n".join(f'  {{description: "{entry}", priority: 1}}' for entry in entries)
    (folder / "mine.conf").write_text(f"entries: [\n{lines}\n]\n")
    words = ["-c", "mine.conf", "-m", "2", "--suite", "s", *flags, *(["-r", *typed] if typed else [])]
    try:
        status = run.main(words)
    except SystemExit as e:
        status = e.code
    made = sorted(path.parent.name for path in folder.glob("benchmark_output/runs/s/*/stats.json"))
    return status or 0, capsys.readouterr(), made


def test_missing_parts_are_named_and_counted_and_the_others_are_run(capsys, folder):
    status, printed, made = helm_run(capsys, folder, ENTRIES)
    assert status == 1
    assert made == ["simple_mcqa:model=simple_model1"]
    assert "The results are in" in printed.out
    assert "Left out: 'nowhere_qa:model=simple/model1' and 1 more. Unknown run spec name: nowhere_qa" in printed.err
    assert "Left out: 'simple_classification:model=stanfordhealthcare/nobody'. " in printed.err
    assert "Left out: 'simple1:model=simple/model1,model_deployment=nowhere/model1'. " in printed.err
    assert printed.err.count("Left out: ") == 3
    assert (
        printed.err.endswith("(--exit-on-error stops instead.)\n")
        and "error: 4 of 5 run entries were left out" in printed.err
    )


def test_exit_on_error_stops_at_the_first_before_anything_is_run(capsys, folder):
    status, printed, made = helm_run(capsys, folder, ENTRIES, "--exit-on-error")
    assert (status, made) == (1, [])
    assert "(In the run entry 'nowhere_qa:model=simple/model1'.)" in printed.err


def test_if_nothing_is_left_the_first_reason_is_the_error(capsys, folder):
    status, printed, made = helm_run(capsys, folder, [ENTRIES[0], ENTRIES[4]])
    assert (status, made) == (1, [])
    assert "Unknown run spec name: nowhere_qa" in printed.err
    assert printed.err.rstrip().endswith("(None of the 2 run entries can be made.)")


def test_what_is_typed_is_never_left_out(capsys, folder):
    status, printed, made = helm_run(capsys, folder, [GOOD], typed=["simple_mqca:model=simple/model1"])
    assert (status, made) == (1, [])
    assert "Did you mean 'simple_mcqa'?" in printed.err


def test_a_whole_file_says_nothing(capsys, folder):
    status, printed, made = helm_run(capsys, folder, [GOOD])
    assert (status, len(made)) == (0, 1)
    assert "eft out" not in printed.err
