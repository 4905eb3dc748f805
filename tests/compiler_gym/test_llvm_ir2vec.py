"""The observations `Ir2Vec` and `Ir2VecFlowAware`: LLVM's own analysis. Most tests need its program `llvm-ir2vec`."""

import importlib.util
import json

import pytest

import helm.compiler_gym
from helm.compiler_gym.backends import llvm_ir2vec, llvm_tools
from helm.compiler_gym.backends.llvm_ir2vec import get_module_vector, get_vectors, get_vocabulary
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.errors import StatusError

llvm = pytest.importorskip("llvmlite.binding")

needs_tool = pytest.mark.skipif(find_llvm_tool("llvm-ir2vec") is None, reason="needs the program llvm-ir2vec")

_IR = """\
define i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @g(i32 %x) {
  ret i32 %x
}

declare void @h()
"""
_VOCABULARY = {
    "Opcodes": {"Add": [1, 0], "Ret": [0, 1]},
    "Types": {"IntegerTy": [10, 0], "VoidTy": [0, 10]},
    "Arguments": {"Constant": [0.001, 0], "Variable": [0, 0.0025]},
}


def _bitcode(text: str) -> bytes:
    return llvm.parse_assembly(text, llvm.create_context()).as_bitcode()


@pytest.fixture
def vocabulary(tmp_path, monkeypatch):
    path = tmp_path / "vocabulary.json"
    path.write_text(json.dumps(_VOCABULARY))
    monkeypatch.setenv("HELM_IR2VEC_VOCABULARY", str(path))
    return path


@needs_tool
def test_vectors_are_sums_over_opcodes_types_and_operands(vocabulary, tmp_path):
    """LLVM weighs types by 0.5 and operands by 0.2; six digits after the point survive its printing."""
    found = get_vectors(_bitcode(_IR), "symbolic", tmp_path)
    ret = [0, 1 + 0.5 * 10 + 0.2 * 0.0025]
    add = [1 + 0.5 * 10 + 0.2 * 0.001, 0.2 * 0.0025]
    assert set(found) == {"f", "g"}
    assert found["f"] == pytest.approx([add[0], add[1] + ret[1]], abs=1e-7)
    assert found["g"] == pytest.approx(ret, abs=1e-7)
    total = get_module_vector(_bitcode(_IR), "symbolic", tmp_path)
    assert total == pytest.approx([a + b for a, b in zip(found["f"], found["g"], strict=True)], abs=1e-7)
    # Aware of the flow, an operand counts as what makes it: here the addition.
    aware = get_vectors(_bitcode(_IR), "flow-aware", tmp_path)
    assert aware["g"] == found["g"] and aware["f"][0] == pytest.approx(2 * add[0], abs=1e-6)
    assert get_module_vector(_bitcode("declare void @h()"), "symbolic", tmp_path) == [0.0, 0.0]


@needs_tool
def test_the_observation_follows_the_module(vocabulary):
    with helm.compiler_gym.make("llvm-v0", benchmark="helm-v0/crc32", connection="in_process") as env:
        env.reset()
        before = env.observation["Ir2Vec"]
        assert before.shape == (2,) and before.dtype == "float64"
        env.step("-sroa")
        assert tuple(env.observation["Ir2Vec"]) != tuple(before)
        assert tuple(env.observation["Ir2VecFlowAware"]) != tuple(env.observation["Ir2Vec"])


@needs_tool
@pytest.mark.skipif(importlib.util.find_spec("ir2vec") is None, reason="needs the package IR2Vec")
def test_the_vocabulary_of_the_package(monkeypatch, tmp_path):
    monkeypatch.delenv("HELM_IR2VEC_VOCABULARY", raising=False)
    known = get_vocabulary()
    vectors = json.loads(known.text)
    zeros = [0.0] * known.dimension
    assert known.dimension == 300
    for section, name in (("Opcodes", "GetElementPtr"), ("Types", "PointerTy"), ("Arguments", "Variable")):
        assert vectors[section][name] != zeros, name
    assert len(get_module_vector(_bitcode(_IR), "symbolic", tmp_path)) == 300


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{}", "must be an object with the members Opcodes, Types, Arguments"),
        ('{"Opcodes": {"Add": [1]}, "Types": {"VoidTy": [1, 2]}, "Arguments": {}}', "those of 1, 2"),
        ('{"Opcodes": {"Add": "x"}, "Types": {}, "Arguments": {}}', "no list of numbers"),
        ("{", "cannot be read"),
    ],
)
def test_what_is_no_vocabulary_is_refused(vocabulary, text, complaint):
    vocabulary.write_text(text)
    llvm_ir2vec._read_vocabulary.cache_clear()
    with pytest.raises(ValueError, match=complaint):
        get_vocabulary()


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    monkeypatch.delenv("HELM_IR2VEC_VOCABULARY", raising=False)
    monkeypatch.setattr(llvm_ir2vec.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(StatusError, match=r"Ir2Vec needs a vocabulary: pip install 'helm-evals\[ir2vec\]'"):
        get_vocabulary()
    monkeypatch.setattr(llvm_tools, "_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StatusError, match="Ir2Vec needs the program llvm-ir2vec of LLVM 22 or later"):
        get_vectors(b"", "symbolic", tmp_path)


@pytest.mark.parametrize("name", ["Inst2vec", "Inst2vecPreprocessedText", "Inst2vecEmbeddingIndices"])
def test_it_is_said_why_there_is_no_inst2vec(name):
    with (
        helm.compiler_gym.make("llvm-v0", connection="in_process", benchmark="helm-v0/crc32") as env,
        pytest.raises(KeyError, match=f"No observation space '{name}'. Its vocabulary is that of LLVM 10's.* Ir2Vec"),
    ):
        env.observation[name]
