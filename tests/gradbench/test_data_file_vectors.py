"""Files of ADBench's format and texts, read as the original reads them."""

import json

import pytest

from helm.common.errors import HelmError
from helm.gradbench.evals.ba import BaEval, read_problem
from helm.gradbench.evals.ht import HtEval
from helm.gradbench.evals.lstm import LstmEval, code_bits, encode_text
from vectors_support import vector_cases

CASES = vector_cases("gradbench/files.json")


def cases_of(kind):
    cases = [case for case in CASES if case["kind"] == kind]
    assert cases, f"no case of {kind}"
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["name"])


def test_every_kind_of_vector_is_tested():
    assert {case["kind"] for case in CASES} == {"ba", "ht", "lstm_text"}


@cases_of("ba")
def test_vector_of_a_problem_of_ba(case, tmp_path):
    path = tmp_path / "ba7_x.txt"
    path.write_text(case["text"])
    if "error" in case:
        with pytest.raises(HelmError, match="ba7_x.txt"):
            read_problem(path)
        return
    assert read_problem(path) == case["result"]
    objective, jacobian = BaEval(min=7, max=9, data=str(tmp_path)).evaluations()
    assert objective.description == jacobian.description == "ba7_x"
    assert objective.input == {**case["result"], "min_runs": 1, "min_seconds": 1}


@cases_of("ht")
def test_vector_of_a_hand(case, tmp_path):
    variant = "complicated" if case["complicated"] else "simple"
    for name, text in case["files"].items():
        path = tmp_path / f"{variant}_big" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    evaluations = HtEval(variant=variant, data=str(tmp_path)).evaluations()
    if "error" in case:
        with pytest.raises(HelmError):
            list(evaluations)
        return
    objective, jacobian = evaluations  # indices without a file are left out
    assert objective.description == case["description"]
    bare = {name: objective.input[name] for name in case["result"]}
    assert bare == case["result"]
    assert json.dumps(bare) == json.dumps(case["result"])  # the order of the keys and the types as well


@cases_of("lstm_text")
def test_vector_of_a_text(case, tmp_path):
    text = case["text"]
    assert code_bits(text) == case["bits"]
    if "error" in case:
        with pytest.raises(ValueError, match="needs more than"):
            encode_text(text, case["bits"])
        return
    assert encode_text(text, case["bits"]) == case["result"]
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    objective, _ = LstmEval(l=(1,), c=(len(text),), text=str(path)).evaluations()
    assert objective.input["sequence"] == case["result"]
    assert objective.description == f"l=1,c={len(text)}"


# --- what is wrong with a file is said -----------------------------------------------------------------------------


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    for eval_ in (BaEval(data=str(tmp_path / "no")), HtEval(data=str(tmp_path / "no"))):
        with pytest.raises(HelmError, match="no"):
            list(eval_.evaluations())


@pytest.mark.parametrize(
    "text",
    [
        "1 2 x\n1\n1\n1\n1\n",
        "1 2\n1\n1\n1\n1\n",
        "1 2 3\n1\n1\n\n1\n",
        "1 2 3\n1 nan\n1\n1\n1\n",
        "1 0 3\n1\n1\n1\n1\n",
    ],
)
def test_a_problem_of_ba_with_other_words_is_named(tmp_path, text):
    path = tmp_path / "ba1_bad.txt"
    path.write_text(text)
    with pytest.raises(HelmError, match="ba1_bad.txt is not a problem of ba"):
        read_problem(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("model/bones.txt", "wrist:-1:0.5\n"),
        ("model/vertices.txt", "1:2:3:0:0:0:0:0:1:99:0.5\n"),
        ("model/triangles.txt", "1:x:2\n"),
        ("hand1_bad.txt", "3 26\n0 1 2 3\n"),
        ("hand1_bad.txt", "1 2\n0 1 2 3\n0.5\n"),
        ("hand1_bad.txt", "1 2\n0 1 2 three\n0.5\n0.5\n"),
        ("hand1_bad.txt", "1 2\n0 1 2 inf\n0.5\n0.5\n"),
        ("hand1_bad.txt", "1 2\n99999 1 2 3\n0.5\n0.5\n"),
        ("hand1_bad.txt", "1 2\n-1 1 2 3\n0.5\n0.5\n"),
    ],
)
def test_a_file_of_a_hand_that_makes_no_sense_is_named(tmp_path, name, text):
    (good,) = (case for case in CASES if case["kind"] == "ht" and case["name"] == "simple")
    for file_name, content in {**good["files"], "hand1_bad.txt": "0 0\n", name: text}.items():
        path = tmp_path / "simple_big" / file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    with pytest.raises(HelmError, match=name):
        list(HtEval(variant="simple", max=1, data=str(tmp_path)).evaluations())


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "ba1_x.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(HelmError, match="ba1_x.txt is not a text file"):
        list(BaEval(data=str(tmp_path)).evaluations())


def test_a_text_that_is_too_short_or_absent_is_named(tmp_path):
    (tmp_path / "short.txt").write_text("four")
    with pytest.raises(HelmError, match="short.txt has 4 characters"):
        list(LstmEval(c=(5,), text=str(tmp_path / "short.txt")).evaluations())
    with pytest.raises(HelmError, match="none.txt"):
        list(LstmEval(c=(5,), text=str(tmp_path / "none.txt")).evaluations())
    with pytest.raises(HelmError, match="c must be 2 or more"):
        LstmEval(c=(1,))
