"""Scores pictures rendered from code that a model wrote (Image2Struct)."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.answer_metric import first_correct_text
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.metric import MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.vision_language import page_similarity
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError, suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.images_utils import open_image
from helm.common.optional_dependencies import DISTRIBUTION, OptionalDependencyNotInstalled

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_HANDLING_METHODS = ["resize", "padding", "none"]

BLOCK_EMD, EARTH_MOVER = "block_emd", "earth_mover_similarity"

_BLOCK_EMD_TEXT = (
    "Earth mover's distance of patches; 0 is best. What does not compile has 0, too: see compilation_success."
)

MEASURES: "Mapping[str, tuple[Callable[[Image, Image], float], str, str, str]]" = {
    "pixel_similarity": (page_similarity.pixel_similarity, "PIL", "images", "Share of the rows of pixels that match."),
    "sift_similarity": (
        page_similarity.sift_similarity,
        "cv2",
        "image2struct",
        "Share of ORB's key points that match.",
    ),
    BLOCK_EMD: (page_similarity.block_emd, "cv2", "image2struct", _BLOCK_EMD_TEXT),
    EARTH_MOVER: (
        page_similarity.earth_mover_similarity,
        "cv2",
        "image2struct",
        "1 minus the earth mover's distance of patches, in that of an empty page.",
    ),
    "ssim_similarity": (page_similarity.ssim_similarity, "PIL", "images", "Structural similarity of grey pixels."),
    "lpips_similarity": (
        page_similarity.lpips_similarity,
        "PIL",
        "images",
        "1 minus LPIPS; 0 for pages with dark ink.",
    ),
    "fid_similarity": (page_similarity.fid_similarity, "torch", "heim", "Similarity of Inception v3's logits."),
}
"""Measures of two pictures of one size: function, package, extra that brings it, description."""


class AnnotatedImageMetrics(JudgedMetric):
    """Scores what the compiler of the scenario's annotator made of the completions.

    The annotation `{generation_type}_compiler` contains for every completion either the picture (`media_object`) and
    the text that was compiled (`text`), or an `error`. Emits the measures in `metric_names` (see `MEASURES`), in order, with a
    value for each completion, and finally `compilation_success` (0 or 1). What does not compile has 0 in every measure, as in
    HELM: also in `block_emd`, where 0 is best, so that a run with such completions ends with a warning.
    `edit_similarity` is that of `BasicCopyrightMetric`, between the text and the reference. Pictures are compared with that
    of the first reference.

    Instances whose completions could not be compiled because a program broke have no scores; `rendering_success` counts them.

    Args:
        generation_type: the beginning of the annotation's name.
        metric_names: the measures.
        size_handling_method: what to do with pictures of another size than the reference's (see `fit_sizes`).

    Raises: ValueError for unknown names; OptionalDependencyNotInstalled, before a request is sent, if a measure needs a package.
    """

    COMPILE_METRIC = "compilation_success"
    EDIT_SIMILARITY = "edit_similarity"
    success_name = "rendering_success"

    def __init__(self, generation_type: str, metric_names: list[str], size_handling_method: str = "resize"):
        if size_handling_method not in SIZE_HANDLING_METHODS:
            raise ValueError(
                f"size_handling_method must be one of {SIZE_HANDLING_METHODS}, not {size_handling_method!r}"
            )
        known = [self.EDIT_SIMILARITY, *MEASURES]
        for name in metric_names:
            if name not in known:
                raise ValueError(f"Unknown image metric {name!r}.{suggest(name, known)}")
            if name in MEASURES and find_spec(MEASURES[name][1]) is None:
                _, package, extra, _ = MEASURES[name]
                raise OptionalDependencyNotInstalled(
                    f"Image metric '{name}' needs the package '{package}'. Install it with: "
                    f"pip install '{DISTRIBUTION}[{extra}]'"
                )
        self.compiler = f"{generation_type}_compiler"
        self.metric_names = list(metric_names)
        self._size_handling_method = size_handling_method
        self._texts = BasicCopyrightMetric(self.EDIT_SIMILARITY)

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Score the completions. Raises: UnjudgedInstanceError, MissingAnnotationError, MetricError, ValueError."""
        annotations = get_annotation(request_state, self.compiler)
        if not isinstance(annotations, list):
            raise UnjudgedInstanceError(f"instance {request_state.instance.id}: the completions could not be compiled.")
        if not annotations:
            return []
        stats = {name: Stat(MetricName(name)) for name in [*self.metric_names, self.COMPILE_METRIC]}
        for annotation in annotations:
            is_compiled = "media_object" in annotation
            values = self._measure(annotation, request_state.instance) if is_compiled else {}
            for name in self.metric_names:
                stats[name].add(values.get(name, 0))
            stats[self.COMPILE_METRIC].add(int(is_compiled))
        return list(stats.values())

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        """Score the run, and warn about what `block_emd` hides. Raises: MetricError."""
        result = super().evaluate(scenario_state, metric_service, eval_cache_path, parallelism)
        compiled = [
            stat for row in result.per_instance_stats for stat in row.stats if stat.name.name == self.COMPILE_METRIC
        ]
        total, failed = sum(stat.count for stat in compiled), sum(stat.count - stat.sum for stat in compiled)
        if failed and BLOCK_EMD in self.metric_names:
            hwarn(
                f"{failed:.0f} of {total} completions did not compile. As in HELM, they count as 0 in {BLOCK_EMD}, which is its "
                f"best value: compare {EARTH_MOVER}, or read it beside {self.COMPILE_METRIC}."
            )
        return result

    def _measure(self, annotation: Mapping[str, Any], instance: Instance) -> dict[str, float]:
        values: dict[str, float] = {}
        names = [name for name in self.metric_names if name in MEASURES]
        if names:
            picture, reference = page_similarity.fit_sizes(
                open_image(_location(annotation["media_object"])),
                open_image(_reference_location(instance)),
                self._size_handling_method,
            )
            for name in names:
                if name == EARTH_MOVER:  # both need the same distance, which takes most of the time
                    distance = values.get(BLOCK_EMD)
                    values[name] = page_similarity.earth_mover_similarity(picture, reference, distance)
                else:
                    values[name] = MEASURES[name][0](picture, reference)
        if self.EDIT_SIMILARITY in self.metric_names:
            values[self.EDIT_SIMILARITY] = self._compare(annotation.get("text"), first_correct_text(instance))
        return values

    def _compare(self, text: Any, target: str | None) -> float:
        if not isinstance(text, str) or target is None:
            return 0.0
        values: list[float] = []
        # HELM: the reference is truncated to the length of the text.
        self._texts._add(values, self._texts.tokenize(text), self._texts.tokenize(target[: len(text)]))
        return values[0]

    def get_metadata(self) -> list[MetricMetadata]:
        descriptions = {name: measure[-1] for name, measure in MEASURES.items()}
        descriptions[self.EDIT_SIMILARITY] = "Similarity of the text that was compiled to the reference."
        descriptions[self.COMPILE_METRIC] = "Share of completions that compile."
        return [
            *super().get_metadata(),
            *(
                MetricMetadata(
                    name=name,
                    display_name=name.replace("_", " ").capitalize(),
                    description=descriptions[name],
                    lower_is_better=name == BLOCK_EMD,
                    group="accuracy",
                )
                for name in [*self.metric_names, self.COMPILE_METRIC]
            ),
        ]


def _location(media: Any) -> str:
    location = media.get("location") if isinstance(media, Mapping) else media.location
    return str(location)


def _reference_location(instance: Instance) -> str:
    content = instance.references[0].output.multimedia_content if instance.references else None
    found = [media.location for media in content.media_objects if media.location] if content is not None else []
    if not found:
        raise MetricError(f"instance {instance.id}: the first reference has no picture to compare with.")
    return found[0]
