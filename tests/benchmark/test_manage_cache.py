"""`helm-cache` as a command."""

import json
import pickle
import re
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from helm.benchmark.commands import manage_cache
from helm.common.errors import ConfigError
from helm.common.key_value_store import request_to_key


def make_helm_cache(path: Path, **values: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
        for prompt, value in values.items():
            row = (request_to_key({"engine": "model1", "prompt": prompt}), pickle.dumps(value))
            connection.execute('INSERT INTO "unnamed" VALUES (?, ?)', row)
    connection.close()


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    make_helm_cache(Path("old/cache/simple.sqlite"), a={"completions": ["x"], "request_datetime": 1_700_000_000})
    return Path("old")


def test_import_inspect_export_prune(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manage_cache.main(["import", "old"])
    manage_cache.main(["inspect"])
    manage_cache.main(["export"])
    manage_cache.main(["export", "--output", "all.jsonl"])
    manage_cache.main(["prune", "--older-than", "2023-12-31", "--dry-run"])
    manage_cache.main(["prune", "--model", "model*"])
    lines = capsys.readouterr().out.splitlines()
    path = "prod_env/cache/simple.sqlite"
    assert lines[0] == f"old/cache/simple.sqlite -> {path}: 1 read: 1 added"
    assert re.fullmatch(rf"{path}: 1 entries, \d+\.\d MB, 2023-11-14 to 2023-11-14", lines[1])
    assert lines[2].split() == ["1", "model1"]
    assert json.loads(lines[3]) == json.loads(Path("all.jsonl").read_text())
    assert lines[4:] == [
        "1 entries written to all.jsonl.", f"{path}: 1 entries would be deleted", f"{path}: 1 entries deleted",
    ]  # fmt: skip


def test_refused_entries_give_status_1(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_helm_cache(old / "cache" / "simple.sqlite", bad={"when": datetime(2020, 1, 1)})
    with pytest.raises(SystemExit) as exit_:
        manage_cache.main(["import", "old"])
    assert exit_.value.code == 1
    out = capsys.readouterr().out
    assert "2 read: 1 added, 1 refused" in out
    assert (
        '  refused: {"engine": "model1", "prompt": "bad"}: A cached value holds an object of datetime.datetime' in out
    )


@pytest.mark.parametrize(
    "args, message",
    [
        (["import", "nowhere"], "There is no file or folder nowhere."),
        (["inspect"], "There is no file or folder prod_env/cache."),
        (["prune", "old"], "deletes nothing without --older-than or --model"),
        (["prune", "old", "--older-than", "soon"], "an age (30d, 2w, 12h) or a date"),
    ],
)
def test_errors_are_said(args: list, message: str, old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        manage_cache.main(args)
    assert exit_.value.code == 1 and message in capsys.readouterr().err


def test_ages() -> None:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    assert manage_cache.parse_age("2d", now) == manage_cache.parse_age("48h", now) == now.timestamp() - 2 * 86400
    assert manage_cache.parse_age("2026-11-14T00:00+00:00", now) == manage_cache.parse_age("1w", now)
    with pytest.raises(ConfigError):
        manage_cache.parse_age("999999w", now)
