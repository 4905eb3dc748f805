"""Scores pictures rendered from code that a model wrote (Image2Struct)."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric, first_correct_text
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError, suggest

SIZE_HANDLING_METHODS = ["resize", "padding", "none"]
NOT_HERE = {
    "pixel_similarity": "opencv-python",
    "sift_similarity": "opencv-python",
    "block_emd": "opencv-python",
    "earth_mover_similarity": "opencv-python",
    "ssim_similarity": "scikit-image",
    "lpips_similarity": "the network of LPIPS",
    "fid_similarity": "Inception v3",
}
"""Measures that this package does not compute, and what they need."""


class AnnotatedImageMetrics(StateMetric):
    """Scores what the compiler of the scenario's annotator made of the completions.

    The annotation `{generation_type}_compiler` contains for every completion either the picture (`media_object`) and
    the text that was compiled (`text`), or an `error`. Emits the measures in `metric_names`, and finally
    `compilation_success`, the fraction of completions that compile (0 to 1, higher is better). `edit_similarity` is
    that of `BasicCopyrightMetric`, between the text and the reference, and 0 for what does not compile.

    Raises: ValueError for unknown names; MetricError for measures that need another package or a model (see
    `NOT_HERE`), before a request is sent.
    """

    COMPILE_METRIC = "compilation_success"
    EDIT_SIMILARITY = "edit_similarity"

    def __init__(self, generation_type: str, metric_names: list[str], size_handling_method: str = "resize"):
        if size_handling_method not in SIZE_HANDLING_METHODS:
            raise ValueError(
                f"size_handling_method must be one of {SIZE_HANDLING_METHODS}, not {size_handling_method!r}"
            )
        known = [self.EDIT_SIMILARITY, *NOT_HERE]
        for name in metric_names:
            if name not in known:
                raise ValueError(f"Unknown image metric {name!r}.{suggest(name, known)}")
            if name in NOT_HERE:
                raise MetricError(f"Image metric '{name}' needs {NOT_HERE[name]}, which this package does not use.")
        self.compiler = f"{generation_type}_compiler"
        self.metric_names = list(metric_names)
        self._texts = BasicCopyrightMetric(self.EDIT_SIMILARITY)

    def score_state(self, request_state: RequestState) -> NamedValues:
        annotations = (request_state.annotations or {}).get(self.compiler)
        if not isinstance(annotations, list):
            raise ValueError(
                f"instance {request_state.instance.id}: there is no annotation {self.compiler!r}. Add the annotator of "
                "the compiler to the annotators of the run spec."
            )
        if not annotations:
            return []
        stats: NamedValues = []
        if self.EDIT_SIMILARITY in self.metric_names:
            target = first_correct_text(request_state.instance)
            if target is not None:
                scores = [self._compare(annotation, target) for annotation in annotations]
                stats.append((self.EDIT_SIMILARITY, sum(scores) / len(scores)))
        num_compiled = sum("media_object" in annotation for annotation in annotations)
        return [*stats, (self.COMPILE_METRIC, num_compiled / len(annotations))]

    def _compare(self, annotation: dict[str, Any], target: str) -> float:
        text = annotation.get("text")
        if "media_object" not in annotation or not isinstance(text, str):
            return 0.0
        values: list[float] = []
        # HELM: the reference is truncated to the length of the text.
        self._texts._add(values, self._texts.tokenize(text), self._texts.tokenize(target[: len(text)]))
        return values[0]

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(
                name=name,
                display_name=name.replace("_", " ").capitalize(),
                description=description,
                lower_is_better=False,
                group="accuracy",
            )
            for name, description in (
                (self.EDIT_SIMILARITY, "Similarity of the text that was compiled to the reference."),
                (self.COMPILE_METRIC, "Share of completions that compile."),
            )
            if name in [*self.metric_names, self.COMPILE_METRIC]
        ]
