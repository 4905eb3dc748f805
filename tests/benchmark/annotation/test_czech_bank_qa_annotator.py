"""Queries about the Czech bank, on a small database from a loopback server."""

import sqlite3

import pytest

from data_server import data_server
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.czech_bank_qa_annotator import CzechBankQAAnnotator
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.request import GeneratedOutput, Request, RequestResult


@pytest.fixture(scope="module")
def annotator(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank")
    database = sqlite3.connect(folder / "made.db")
    database.execute("create table t (a int, b text)")
    database.executemany("insert into t values (?, ?)", [(1, "x"), (2, None)])
    database.commit()
    database.close()
    with data_server() as server, pytest.MonkeyPatch.context() as patch:
        server.add_file(CzechBankQAAnnotator.DATABASE_SOURCE_URL, (folder / "made.db").read_bytes())
        for name, value in server.environment().items():
            patch.setenv(name, value)
        yield CzechBankQAAnnotator(str(folder / "storage"))


def annotate(annotator, text, gold="SELECT a FROM t"):
    references = [Reference(Output(text=gold), tags=[CORRECT_TAG])] if gold is not None else []
    output = GeneratedOutput(text, 0, [])
    result = RequestResult(success=True, cached=False, embedding=[], completions=[output], request_time=0)
    instance = Instance(Input(text="q"), references, split="test", id="id0")
    return annotator.annotate(RequestState(instance, None, None, 0, None, Request(), result, 0, False))


def test_rows_are_written_as_python_writes_them(annotator):
    assert annotate(annotator, "SELECT * FROM t") == {
        "query": "SELECT * FROM t", "result": "[(1, 'x'), (2, None)]", "error": None,
        "gold_result": "[(1,), (2,)]", "gold_error": None,
    }  # fmt: skip
    assert annotate(annotator, "SELECT x'ff', 2.5")["result"] == "[(b'\\xff', 2.5)]"


def test_code_marks_are_removed(annotator):
    got = annotate(annotator, "```sql\nSELECT a FROM t;\n```")
    assert (got["query"], got["result"]) == ("\nSELECT a FROM t;\n", "[(1,), (2,)]")


@pytest.mark.parametrize("text", ["SELEC", "DELETE FROM t", "SELECT 1; SELECT 2", "", "```sql\n```"])
def test_what_is_no_query_has_an_error(annotator, text):
    got = annotate(annotator, text)
    assert got["error"] and got["result"] is None and got["gold_result"] == "[(1,), (2,)]"


@pytest.mark.parametrize("gold", ["SELECT nothing FROM t", None])
def test_wrong_right_query_is_said(annotator, gold):
    got = annotate(annotator, "SELECT 1", gold)
    assert got["gold_error"] and got["gold_result"] is None and got["error"] is None
