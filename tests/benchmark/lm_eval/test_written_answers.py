"""What becomes of written answers: filters, measures that return several scores, and those that an aggregation needs whole."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

from helm.benchmark.lm_eval.task_worker import LocalSources
from helm.benchmark.lm_eval.worker.failures import TaskFailure
from helm.benchmark.lm_eval.worker.filters import format_span
from helm.benchmark.lm_eval.worker.job import run_job


@pytest.mark.parametrize(
    "answer, spans",
    [
        ("PER: Ann $ LOC: Rome", "per: ann $ loc: rome"),
        ("person: Ann\nlocation : Rome, Bern", "per: ann $ loc: rome $ loc: bern"),
        ("The names are PER: Ann, none $ time: May", "per: ann $ date: may"),
        ("PER: none", ""),
        ("PER:\nAnn", ""),
        ("persons: Ann", ""),
        ("ORG: UN; location: Rome", "org: un; LOC: rome"),  # as that program does
    ],
)
def test_spans_are_read_from_an_answer(answer, spans):
    assert format_span([answer, answer]) == [spans, spans]


def scored(config, doc, answers):
    config = {"task": "written", "doc_to_text": "q", "doc_to_target": "a", "output_type": "generate_until", **config}
    documents = [{"id": str(i), "doc": doc, "responses": [[answer]]} for i, answer in enumerate(answers)]
    job = {"action": "score", "config": config, "documents": documents}
    return run_job(job, LocalSources(lambda *_: []))["filters"][0]


def test_measure_may_give_several_scores_of_several_programs():
    def pass_at_k(references, predictions, k):
        assert references == ["check(f)"] and predictions == [["x = 1", "check"]]
        return {f"pass@{one}": 0.5 for one in k}

    chain = [{"function": "custom", "filter_fn": lambda answers, docs: [["x = 1", "check"] for _ in answers]}]
    config = {"metric_list": [{"metric": pass_at_k, "k": [1, 2]}], "filter_list": [{"name": "tests", "filter": chain}]}
    result = scored(config, {"q": "f", "a": "check(f)"}, ["x = 1"])
    assert result["aggregates"] == {"pass@1": 0.5, "pass@2": 0.5}


@pytest.mark.parametrize("target", ["b", ["b", "c"]], ids=["one target", "several targets"])
def test_aggregation_gets_targets_and_answers(target):
    seen = []

    def tagged(items):
        seen.extend(items)
        return 0.25

    config = {"metric_list": [{"metric": "f1", "aggregation": tagged}]}
    result = scored(config, {"q": "?", "a": target}, ["b", "d"])
    assert seen == [(target, "b"), (target, "d")]
    assert result["aggregates"] == {"f1": 0.25} and result["values"] == [{}, {}]


def test_transformers_is_imported_when_code_needs_it_and_once(tmp_path):
    (tmp_path / "transformers").mkdir()
    (tmp_path / "transformers" / "__init__.py").write_text(
        "print('imported')\nFIRST, SECOND = 1, 2\n", encoding="utf-8"
    )
    program = """
        from helm.benchmark.lm_eval.worker.stand_ins import install
        install(".")
        import transformers
        from transformers.data.metrics.squad_metrics import compute_f1
        print("before")
        print(transformers.FIRST, transformers.SECOND, compute_f1("a b", "a c"))
        """
    done = subprocess.run(
        [sys.executable, "-c", dedent(program)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "before\nimported\n1 2 0.0\n"


def prompts_of(rows, number):
    config = {
        "task": "drawn", "dataset_path": "x", "training_split": "train", "validation_split": "validation",
        "doc_to_text": "Q{{q}}", "doc_to_target": "A{{q}}", "fewshot_delimiter": " ",
    }  # fmt: skip

    def load(path, name, split, arguments):
        return [{"path": path, "name": name, "split": split, "rows": [{"q": q} for q in rows], "labels": {}}]

    built = run_job({"action": "build", "config": config, "num_fewshot": number}, LocalSources(load))
    return [document["context"] for document in built["documents"]]


def test_examples_are_drawn_again_where_the_document_was_drawn_several_times():
    """What lm-evaluation-harness 0.4.13 drew from the same rows."""
    assert prompts_of([0, 1, 0, 1, 0, 1], 2) == ["Q1 A1 Q1 A1 Q0", "Q0 A0 Q0 A0 Q1"] * 3
    rows = [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]
    drawn = ["513", "154", "423", "145", "325", "315", "020", "050", "000", "021", "002"]
    wanted = ["".join(f"Q{q} A{q} " for q in digits) + f"Q{doc}" for digits, doc in zip(drawn, rows, strict=True)]
    assert prompts_of(rows, 3) == wanted
    with pytest.raises(TaskFailure, match="2 examples are wanted, and 1 differ from the document"):
        prompts_of([0, 0, 0, 0, 1], 2)
