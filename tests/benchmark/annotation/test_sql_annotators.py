"""Queries of models run on databases, and reach nothing else."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.bird_sql_annotator import BirdSQLAnnotator, SqlAnnotationError
from helm.benchmark.annotation.ehr_sql_annotator import EhrSqlAnnotator
from helm.benchmark.annotation.spider_annotator import SpiderAnnotator
from helm.benchmark.metrics.bird_sql_metrics import BirdSQLMetric
from helm.benchmark.metrics.ehr_sql_metrics import EhrSqlMetric
from helm.benchmark.metrics.spider_metrics import SpiderMetric
from helm.benchmark.runner import set_benchmark_output_path
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.codec import dump_json
from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.sqlite_queries import DatabaseError, run_query
from helm.common.errors import MetricError
from helm.common.request import GeneratedOutput, Request, RequestResult
from metrics_support import make_metric_service

PLACES = {
    "bird_sql": "scenarios/bird_sql/dev/unzipped_dev_databases/dev_databases/shops/shops.sqlite",
    "spider": "scenarios/spider/data/spider_data/test_database/shops/shops.sqlite",
    "ehr_sql": "scenarios/ehr_sql/eicu.sqlite",
}


@pytest.fixture
def databases(tmp_path: Path) -> dict[str, Path]:
    before = get_benchmark_output_path()
    set_benchmark_output_path(str(tmp_path))
    paths = {name: tmp_path / place for name, place in PLACES.items()}
    for path in paths.values():
        path.parent.mkdir(parents=True)
        with sqlite3.connect(path) as connection:
            connection.executescript(
                "CREATE TABLE shop(id INTEGER, name TEXT, picture BLOB);"
                "INSERT INTO shop VALUES (1, 'a', x'00ff'), (2, NULL, NULL), (1, 'a', x'00ff');"
            )
        connection.close()
    yield paths
    set_benchmark_output_path(before)


@pytest.fixture
def shop(databases: dict[str, Path]) -> str:
    return str(databases["bird_sql"])


def make_state(texts: list[str], gold: str | None, annotations: Any = None) -> RequestState:
    references = [] if gold is None else [Reference(Output(gold), [CORRECT_TAG])]
    instance = Instance(Input("q"), references, split="valid", id="id7", extra_data={"db_id": "shops"})
    completions = [GeneratedOutput(text, 0.0, []) for text in texts]
    result = RequestResult(success=True, embedding=[], completions=completions, cached=False)
    return RequestState(instance, None, None, 0, None, Request(), result, 0, False, annotations=annotations)


def score(metric: Any, name: str, annotation: Any, gold: str | None = "S", text: str = "S") -> list[float]:
    state = make_state([text], gold, None if annotation is None else {name: annotation})
    stats = metric.evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
    return [stat.mean for stat in stats]


# --- queries ----------------------------------------------------------------------------------------------------------


def test_a_query_gives_rows(shop: str) -> None:
    assert run_query(shop, "SELECT id, name FROM shop;").rows == [[1, "a"], [2, None], [1, "a"]]
    assert run_query(shop, "SELECT picture, 1.5, 9e999 FROM shop LIMIT 1").rows == [
        [{"hex": "00ff"}, 1.5, float("inf")]
    ]
    assert run_query(shop, "PRAGMA table_info(shop)").rows[0][:3] == [0, "id", "INTEGER"]
    assert run_query(
        shop, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT * FROM n"
    ).rows
    assert run_query(shop, "").rows == [] and run_query(shop, "-- nothing").error is None


@pytest.mark.parametrize(
    "query, error",
    [
        ("nonsense", "syntax error"),
        ("SELECT nope FROM shop", "no such column"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("SELECT '\ud800'", ""),
        ("SELECT 1 \x00", ""),
    ],
)
def test_a_wrong_query_is_an_error_not_a_crash(shop: str, query: str, error: str) -> None:
    outcome = run_query(shop, query)
    assert outcome.rows == [] and error in str(outcome.error) and outcome.error is not None


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE shop",
        "DELETE FROM shop",
        "UPDATE shop SET id = 9",
        "INSERT INTO shop VALUES (3, 'x', NULL)",
        "CREATE TABLE more(x)",
        "CREATE TEMP TABLE more(x)",
        "ATTACH DATABASE '{other}' AS other",
        "ATTACH DATABASE ':memory:' AS other",
        "VACUUM INTO '{other}'",
        "PRAGMA writable_schema = 1",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA database_list",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT writefile('{other}', 'x')",
        "SELECT readfile('/etc/passwd')",
        "BEGIN",
        "SELECT * FROM pragma_database_list",
    ],
)
def test_a_query_only_reads_and_only_this_database(databases: dict[str, Path], query: str, tmp_path: Path) -> None:
    path, other = databases["bird_sql"], tmp_path / "other.sqlite"
    before = path.read_bytes()
    outcome = run_query(str(path), query.format(other=other))
    assert outcome.error is not None and outcome.rows == []
    assert path.read_bytes() == before and not other.exists()
    assert [entry.name for entry in path.parent.iterdir()] == ["shops.sqlite"]


def test_time_memory_and_rows_are_limited(shop: str) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    start = time.monotonic()
    assert run_query(shop, f"{endless} SELECT count(*) FROM n", timeout_s=0.7).error == "took longer than 0.7 s"
    assert time.monotonic() - start < 5
    assert run_query(shop, f"{endless} SELECT i FROM n", max_rows=1000).error == "more than 1000 rows"
    assert "too big" in str(run_query(shop, "SELECT zeroblob(900000000)").error)


def test_a_missing_database_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no such file"):
        run_query(str(tmp_path / "none.sqlite"), "SELECT 1")
    (tmp_path / "text.sqlite").write_text("no database at all, and long enough to be looked at" * 50)
    with pytest.raises(DatabaseError, match="not a database"):
        run_query(str(tmp_path / "text.sqlite"), "SELECT 1")
    assert not (tmp_path / "none.sqlite").exists()


# --- annotators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, rows, error",
    [
        ("<reasoning>r</reasoning>\n<sql>\nSELECT id FROM shop\n</sql>", [[1], [2], [1]], None),
        ("< SQL >SELECT 1</ sql ><sql>SELECT 2</sql>", [[1]], None),
        ("<sql>SELECT 1<sql>", [[1]], None),
        ("SELECT 1", [], "No query generated"),
        ("<sql>SELECT 1", [], "No query generated"),
        ("<sql></sql>", [], "No query generated"),
        ("", [], "No query generated"),
        ("<sql>nonsense</sql>", [], 'near "nonsense": syntax error'),
    ],
)
@pytest.mark.parametrize("annotator", [BirdSQLAnnotator(), SpiderAnnotator()], ids=lambda a: a.name)
def test_the_tagged_query_runs(databases: Any, annotator: Any, text: str, rows: list, error: str | None) -> None:
    annotation = annotator.annotate(make_state([text], "SELECT name FROM shop"))
    assert annotation == {"predicted_result": rows, "ground_truth_result": [["a"], [None], ["a"]], "query_error": error}
    dump_json(annotation)


@pytest.mark.parametrize(
    "text, rows",
    [
        ("SELECT id FROM shop", [[1], [2], [1]]),
        ("```sql\nSELECT id FROM shop\n```", [[1], [2], [1]]),
        ("```\nSELECT 1\n```", [[1]]),
        ("<sql>SELECT 1</sql>", [[1]]),
        (" SELECT 1; ", [[1]]),
    ],
)
def test_ehr_sql_takes_the_whole_answer(databases: Any, text: str, rows: list) -> None:
    annotation = EhrSqlAnnotator().annotate(make_state([text], ""))
    assert annotation == {"predicted_result": rows, "ground_truth_result": [], "query_error": None}


def test_what_is_wrong_with_the_question_is_told(databases: Any) -> None:
    annotation = BirdSQLAnnotator().annotate(make_state(["<sql>SELECT 1</sql>"], "bad gold"))
    assert annotation["ground_truth_error"] == 'near "bad": syntax error'
    annotation = EhrSqlAnnotator().annotate(make_state(["SELECT 1"], None))
    assert annotation["ground_truth_error"] == "there is no reference"
    with pytest.raises(SqlAnnotationError, match="there are 2"):
        BirdSQLAnnotator().annotate(make_state(["a", "b"], "SELECT 1"))
    state = make_state(["<sql>SELECT 1</sql>"], "SELECT 1")
    for name in ("../../x", None, "nowhere"):
        state.instance.extra_data["db_id"] = name  # type: ignore[index]
        with pytest.raises((SqlAnnotationError, DatabaseError), match="name of a database|cannot be opened"):
            BirdSQLAnnotator().annotate(state)


# --- metrics ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "predicted, right, expected",
    [
        ([[1]], [[1]], 1),
        ([[1], [1]], [[1]], 1),
        ([[1], [2]], [[2], [1]], 1),
        ([[1]], [[1.0]], 1),
        ([["1"]], [[1]], 0),
        ([[2]], [[1]], 0),
        ([], [], 1),
        ([[{"hex": "00"}]], [[{"hex": "00"}]], 1),
        ([(1, None)], [[1, None]], 1),
    ],
)
def test_rows_are_compared_as_sets(predicted: list, right: list, expected: int) -> None:
    for metric, name in ((BirdSQLMetric(), "bird_sql"), (SpiderMetric(), "spider")):
        annotation = {"predicted_result": predicted, "ground_truth_result": right, "query_error": None}
        assert score(metric, name, annotation) == [expected]


def test_a_missing_annotation_is_an_error() -> None:
    with pytest.raises(MetricError, match="Instance id7: there is no annotation 'spider'"):
        score(SpiderMetric(), "spider", None)
    assert score(BirdSQLMetric(), "bird_sql", None, gold=None) == []
    assert score(EhrSqlMetric(), "ehr_sql", None, gold=None) == []


@pytest.mark.parametrize(
    "predicted, right, error, gold, text, expected",
    [
        ([[1]], [[1]], None, "S", "S", [1, 1, 1, 1, 1, 1]),
        ([[2]], [[1]], None, "S", "S", [0, 1, 1, 1, 1, 1]),
        ([], [[1]], "x", "S", "S", [0, 0, 1, 1, 1, 1]),
        ([], [], None, "S", "S", [0, 1, 1, 1, 1, 1]),
        ([], [], "No query generated", "S", " ", [1, 0, 0, 0, 0, 1]),
        ([], [], "No query generated", "", "", [0, 0, 0, 0, 0, 0]),
        ([[1]], [], None, "", "S", [0, 1, 0, 0, 1, 0]),
        ([], [], "x", "", "S", [0, 0, 0, 0, 1, 0]),
    ],
)
def test_ehr_sql_tells_answerable_from_answered(
    predicted: list, right: list, error: str | None, gold: str, text: str, expected: list[int]
) -> None:
    annotation = {"predicted_result": predicted, "ground_truth_result": right, "query_error": error}
    assert score(EhrSqlMetric(), "ehr_sql", annotation, gold, text) == expected
