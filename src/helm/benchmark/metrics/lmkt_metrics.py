"""Measures how close completions are to the references in meaning."""

from functools import lru_cache
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import ConfigError, suggest
from helm.common.optional_dependencies import needs_extra

MODEL_NAME = "paraphrase-multilingual-MiniLM-L12-v2"
SIMILARITY_FUNCTIONS = ["cosine", "dot", "euclidean", "manhattan"]


class SemanticSimilarityMetric(StateMetric):
    """Emits `semantic_similarity`, the mean similarity of the embeddings of all completions and all correct references.

    Args:
        similarity_fn_name: `cosine` (-1 to 1), `dot`, or the negative distances `euclidean` and `manhattan`.

    Raises: ConfigError for another similarity; ValueError without a completion or a correct reference.
    """

    def __init__(self, similarity_fn_name: str = "cosine"):
        if similarity_fn_name not in SIMILARITY_FUNCTIONS:
            raise ConfigError(
                f"SemanticSimilarityMetric: similarity_fn_name takes {', '.join(SIMILARITY_FUNCTIONS)}, not "
                f"'{similarity_fn_name}'.{suggest(similarity_fn_name, SIMILARITY_FUNCTIONS)}"
            )
        self.similarity_fn_name = similarity_fn_name

    def score_state(self, request_state: RequestState) -> NamedValues:
        references = [reference.output.text for reference in request_state.instance.all_correct_references]
        completions = get_completions(request_state)
        texts = [completion.text for completion in completions]
        if not references or not texts:
            missing = "completion" if references else "correct reference"
            raise ValueError(f"The semantic similarity needs a {missing}, but there is none.")
        model = load_sentence_transformer(self.similarity_fn_name)
        similarities = model.similarity(model.encode(texts), model.encode(references))
        return [("semantic_similarity", float(similarities.mean()))]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["semantic_similarity"])


@lru_cache(maxsize=1)
def load_sentence_transformer(similarity_fn_name: str) -> Any:
    """Return the embedding model. Raises: OptionalDependencyNotInstalled without its package."""
    with needs_extra("lmkt"):
        from sentence_transformers import SentenceTransformer
    return SentenceTransformer(MODEL_NAME, similarity_fn_name=similarity_fn_name)
