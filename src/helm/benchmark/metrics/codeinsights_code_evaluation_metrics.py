"""CodeInsights: measures how similar the model's code is to the student's."""

from collections.abc import Callable
from functools import cache
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.codeinsights_correct_code_metrics import (
    CodeInsightsFunctionalCorrectnessMetric,
    UnitTestAlignmentMetric,
)
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.optional_dependencies import needs_extra
from helm.common.sandbox import SandboxLimits, run

__all__ = [
    "CodeInsightsCodeEvaluationMetric",
    "CodeInsightsComprehensiveCodeEvaluationMetric",
    "UnitTestAlignmentMetric",
    "compare_assembly",
    "compare_syntax_trees",
]

_CODEBERT = "microsoft/codebert-base"
# The longest input of CodeBERT.
_MAX_TOKENS = 512


@cache
def _get_ratio() -> Callable[[Any, Any], float]:
    """Return the similarity of two sequences from 0 to 1, by insertions and deletions."""
    with needs_extra("codeinsights"):
        from Levenshtein import ratio
    return ratio


def compare_syntax_trees(code: str, other: str) -> float:
    """Return the similarity of two C++ texts as parsed by libclang; below 1 even if they are equal.

    The trees are lists of kinds, names and literals in text order. HELM: the file name counts, and never matches; so
    equal code scores (n - 1) / n. Nothing is executed. Raises: OptionalDependencyNotInstalled without libclang.
    """
    return _get_ratio()(_list_features(code, "first.cpp"), _list_features(other, "second.cpp"))


def _list_features(code: str, name: str) -> list[str]:
    with needs_extra("codeinsights"):
        from clang import cindex
    kinds = cindex.CursorKind
    literals = {kinds.INTEGER_LITERAL, kinds.FLOATING_LITERAL, kinds.STRING_LITERAL, kinds.CHARACTER_LITERAL}
    # Without system headers: included files are neither read nor compared.
    unit = cindex.Index.create().parse(name, args=["-std=c++17", "-nostdinc"], unsaved_files=[(name, code)])
    features: list[str] = []
    pending = [unit.cursor]
    while pending:
        node = pending.pop()
        features.append(str(node.kind))
        if node.spelling:
            features.append(node.spelling)
        if node.kind in literals:
            features += [token.spelling for token in node.get_tokens()][:1]
        pending.extend(reversed(list(node.get_children())))
    return features


def compare_assembly(code: str, other: str) -> float | None:
    """Return the similarity, from 0 to 1, of g++'s assembly for two C++ texts; None if one of them does not compile."""
    listings = [_compile_to_assembly(text) for text in (code, other)]
    return None if None in listings else _get_ratio()(listings[0], listings[1])


def _compile_to_assembly(code: str) -> str | None:
    limits = SandboxLimits(wall_s=20, memory_bytes=2 << 30, address_space_bytes=4 << 30, output_bytes=16 << 20)
    result = run(
        ["g++", "-std=c++17", "-S", "-x", "c++", "-", "-o", "-"], stdin=code.encode(errors="replace"), limits=limits
    )
    return result.stdout.decode(errors="replace") if result.is_success else None


@cache
def _load_codebert() -> Any:
    with needs_extra("huggingface"):
        import torch
        from transformers import AutoModel, AutoTokenizer
    return torch, AutoTokenizer.from_pretrained(_CODEBERT), AutoModel.from_pretrained(_CODEBERT).eval()


def compare_codebert(code: str, other: str) -> float:
    """Return the cosine similarity of CodeBERT's vectors for the beginnings of two texts."""
    torch, tokenizer, model = _load_codebert()
    vectors = []
    with torch.no_grad():
        for text in (code, other):
            tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=_MAX_TOKENS)
            vectors.append(model(**tokens).last_hidden_state[0, 0])
    return float(torch.nn.functional.cosine_similarity(vectors[0], vectors[1], dim=0))


class CodeInsightsCodeEvaluationMetric(StateMetric):
    """Compares the model's code with the student's, the first correct reference.

    Emits three similarities, all near 1 for equal code: `ast_distance` (of syntax trees; HELM: it is called a
    distance), `codebert_similarity` (unless `use_codebert` is false) and `asm_distance` (of assembly; omitted if either
    does not compile). Nothing is emitted for an empty answer, or without a reference.

    Needs the extras `codeinsights`, and `huggingface` for CodeBERT.
    """

    waits_on_io = True

    def __init__(self, use_codebert: bool = True):
        self.use_codebert = use_codebert
        compare_syntax_trees("", "")  # fail now rather than after all requests have been sent
        if use_codebert:
            _load_codebert()

    def score_state(self, request_state: RequestState) -> NamedValues:
        reference = request_state.instance.first_correct_reference
        code = CodeInsightsFunctionalCorrectnessMetric.get_student_code(request_state)
        if reference is None or not code:
            return []
        student_code = reference.output.text.strip()
        values: NamedValues = [("ast_distance", compare_syntax_trees(code, student_code))]
        if self.use_codebert:
            values.append(("codebert_similarity", compare_codebert(code, student_code)))
        likeness = compare_assembly(code, student_code)
        if likeness is not None:
            values.append(("asm_distance", likeness))
        return values

    def get_metadata(self) -> list[MetricMetadata]:
        names = ["ast_distance", *(["codebert_similarity"] if self.use_codebert else []), "asm_distance"]
        return [MetricMetadata(name, name.replace("_", " ").capitalize(), lower_is_better=False) for name in names]


class CodeInsightsComprehensiveCodeEvaluationMetric(CodeInsightsCodeEvaluationMetric):
    """Emits the stats of `CodeInsightsCodeEvaluationMetric`, then those of `UnitTestAlignmentMetric`."""

    def __init__(self, use_codebert: bool = True):
        super().__init__(use_codebert)
        self._alignment = UnitTestAlignmentMetric()

    def score_state(self, request_state: RequestState) -> NamedValues:
        return super().score_state(request_state) + self._alignment.score_state(request_state)

    def get_metadata(self) -> list[MetricMetadata]:
        return super().get_metadata() + self._alignment.get_metadata()
