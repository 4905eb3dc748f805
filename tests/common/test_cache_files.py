"""Response caches as files: taken over, looked into, passed on and pruned, also while they are in use."""

import io
import json
import os
import pickle
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from helm.common.cache import Cache, SqliteCacheConfig
from helm.common.caching.cache_files import export_cache, find_cache_files, import_cache, prune_cache, survey_cache
from helm.common.key_value_store import CacheError, SqliteKeyValueStore, request_to_key
from vectors_support import load_vectors, vector_cases, vectors_dir


def make_helm_cache(path: Path, entries: dict[str, Any]) -> Path:
    """A file as HELM leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
        for prompt, value in entries.items():
            key = request_to_key({"model": "m", "prompt": prompt})
            stored = value if isinstance(value, str) else sqlite3.Binary(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
            connection.execute('INSERT OR REPLACE INTO "unnamed" VALUES (?, ?)', (key, stored))
    connection.close()
    return path


def response(text: str, date: int = 1_700_000_000) -> dict[str, Any]:
    return {"completions": [text], "request_time": 0.5, "request_datetime": date}


def stored_values(path: Path) -> dict[str, Any]:
    with sqlite3.connect(path) as connection:
        return {json.loads(key)["prompt"]: value for key, value in connection.execute('SELECT * FROM "unnamed"')}


@pytest.fixture
def helm_cache(tmp_path: Path) -> Path:
    return make_helm_cache(tmp_path / "old" / "lab.sqlite", {f"p{i}": response(f"answer {i}") for i in range(450)})


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "prod_env" / "cache" / "lab.sqlite"


def test_vectors_the_cache_of_the_original_is_imported(target: Path) -> None:
    contents = load_vectors("helm-core/cache/contents.json")
    source = vectors_dir() / "helm-core" / "cache" / contents["file"]
    report = import_cache(str(source), str(target))
    cases = vector_cases("helm-core/cache/contents.json")
    assert (report.read, report.added, report.refused) == (len(cases), len(cases), [])
    with SqliteKeyValueStore(str(target)) as store:
        for case in cases:
            assert store.get_with_text(case["key"], json.loads(case["key"])) == case["value"]
        assert [value for _, value in store.get_all()] == [case["value"] for case in cases]
    with sqlite3.connect(target) as connection:
        kinds = {kind for (kind,) in connection.execute('SELECT typeof(value) FROM "unnamed"')}
    assert kinds == {"text"}


def test_importing_twice_is_importing_once(helm_cache: Path, target: Path) -> None:
    before = helm_cache.read_bytes()
    assert import_cache(str(helm_cache), str(target)).added == 450
    again = import_cache(str(helm_cache), str(target))
    assert (again.added, again.same, again.conflicts) == (0, 450, [])
    assert helm_cache.read_bytes() == before
    cache = Cache(SqliteCacheConfig(str(target)))
    found, cached = cache.get({"prompt": "p7", "model": "m"}, lambda: pytest.fail("asked again"))
    assert cached and found == response("answer 7")
    SqliteKeyValueStore.close_all()


def test_a_dry_run_writes_nothing(helm_cache: Path, target: Path) -> None:
    assert import_cache(str(helm_cache), str(target), dry_run=True).added == 450
    assert not target.exists()
    import_cache(str(helm_cache), str(target))
    before = stored_values(target)
    make_helm_cache(helm_cache, {"p1": response("other"), "new": response("new")})
    report = import_cache(str(helm_cache), str(target), dry_run=True)
    assert (report.added, report.same, len(report.conflicts)) == (1, 449, 1)
    assert stored_values(target) == before


def test_other_answers_are_reported_and_replace_only_when_asked_to(helm_cache: Path, target: Path) -> None:
    make_helm_cache(target, {"p1": json.dumps(response("mine"))})
    report = import_cache(str(helm_cache), str(target))
    assert report.added == 449 and [problem.key for problem in report.conflicts] == ['{"model": "m", "prompt": "p1"}']
    assert json.loads(stored_values(target)["p1"]) == response("mine")
    assert import_cache(str(helm_cache), str(target), replace=True).replaced == 1
    assert json.loads(stored_values(target)["p1"]) == response("answer 1")


def test_a_file_is_converted_in_place(helm_cache: Path) -> None:
    report = import_cache(str(helm_cache), str(helm_cache))
    assert (report.converted, report.added) == (450, 0)
    assert json.loads(stored_values(helm_cache)["p3"]) == response("answer 3")
    assert import_cache(str(helm_cache), str(helm_cache)).same == 450
    assert survey_cache(str(helm_cache)).pickled == 0


class Evil:
    def __reduce__(self) -> Any:
        return os.mkdir, ("evil-was-here",)


def test_hostile_entries_are_refused_and_named_and_the_others_taken(
    helm_cache: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_helm_cache(
        helm_cache,
        {"evil": {"x": Evil()}, "bytes": {"x": b"1"}, "list": [1], "broken": "{", "text": json.dumps("text")},
    )
    report = import_cache(str(helm_cache), str(target))
    assert report.added == 450
    reasons = {json.loads(problem.key)["prompt"]: problem.reason for problem in report.refused}
    assert set(reasons) == {"evil", "bytes", "list", "broken", "text"}
    assert "object of posix.mkdir" in reasons["evil"] and "bytes" in reasons["bytes"]
    assert "objects" in reasons["list"] and "not JSON" in reasons["broken"]
    assert not Path("evil-was-here").exists()
    assert len(survey_cache(str(helm_cache)).refused) == 5


def test_a_cache_in_use_is_imported_into_and_nothing_is_lost(helm_cache: Path, target: Path) -> None:
    cache = Cache(SqliteCacheConfig(str(target)))
    stop = threading.Event()
    written = []

    def run() -> None:
        while not stop.is_set() or len(written) < 20:
            prompt = f"run{len(written)}"
            cache.get({"model": "m", "prompt": prompt}, lambda prompt=prompt: response(prompt))
            written.append(prompt)
            if len(written) % 10 == 0:
                SqliteKeyValueStore.commit_all()
            stop.wait(0.001)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        report = import_cache(str(helm_cache), str(target))
    finally:
        stop.set()
        thread.join()
    SqliteKeyValueStore.close_all()
    assert report.added == 450 and not report.conflicts
    assert set(stored_values(target)) == {f"p{i}" for i in range(450)} | set(written)


def test_an_interrupted_import_goes_on(helm_cache: Path, target: Path) -> None:
    class Stop(Exception):
        pass

    def advance(count: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        import_cache(str(helm_cache), str(target), advance=advance)
    assert len(stored_values(target)) == 200
    report = import_cache(str(helm_cache), str(target))
    assert (report.added, report.same) == (250, 200)


def test_the_survey_counts(helm_cache: Path) -> None:
    make_helm_cache(helm_cache, {"new": json.dumps(response("x", 1_800_000_000))})
    survey = survey_cache(str(helm_cache))
    assert (survey.entries, survey.pickled, dict(survey.models)) == (451, 450, {"m": 451})
    assert (survey.first_date, survey.last_date) == (1_700_000_000, 1_800_000_000)
    assert survey.size_bytes >= helm_cache.stat().st_size


def test_entries_are_exported_as_lines(helm_cache: Path) -> None:
    stream = io.StringIO()
    assert export_cache(str(helm_cache), stream) == (450, [])
    first = json.loads(stream.getvalue().splitlines()[0])
    assert first == {"key": {"model": "m", "prompt": "p0"}, "value": response("answer 0")}


def test_old_entries_and_those_of_a_model_are_pruned(helm_cache: Path) -> None:
    new = {"new": response("x", 1_800_000_000), "undated": {"completions": []}}
    make_helm_cache(helm_cache, new)
    path = str(helm_cache)
    assert prune_cache(path, older_than=1_750_000_000, dry_run=True) == (450, 1)
    assert len(stored_values(helm_cache)) == 452
    assert prune_cache(path, models=["other"]) == (0, 0)
    size = os.path.getsize(path)
    assert prune_cache(path, older_than=1_750_000_000, compact=True) == (450, 1)
    assert set(stored_values(helm_cache)) == set(new) and os.path.getsize(path) < size
    assert prune_cache(path, models=["m*"]) == (2, 0)
    with pytest.raises(ValueError):
        prune_cache(path)


def test_what_is_no_cache_is_said(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (a)")
    with pytest.raises(CacheError, match="has no table 'unnamed' .it has things"):
        survey_cache(str(other))
    (tmp_path / "text.sqlite").write_text("no database at all, but long enough to be looked at" * 50)
    with pytest.raises(CacheError, match="cannot be read as a response cache"):
        survey_cache(str(tmp_path / "text.sqlite"))
    with pytest.raises(CacheError, match="There is no file or folder"):
        find_cache_files(str(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CacheError, match="There are no cache files"):
        find_cache_files(str(tmp_path / "empty"))


def test_a_prod_env_stands_for_its_cache(helm_cache: Path, target: Path) -> None:
    import_cache(str(helm_cache), str(target))
    assert find_cache_files(str(target.parent.parent)) == [str(target)]
