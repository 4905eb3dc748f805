"""Metric specs of the recipes for models that make images (HEIM)."""

from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs
from helm.benchmark.specs import MetricSpec

_PACKAGE = "helm.benchmark.metrics.image_generation"


def _specs(*names: str) -> list[MetricSpec]:
    return [MetricSpec(f"{_PACKAGE}.{name}") for name in names]


def get_core_heim_metric_specs() -> list[MetricSpec]:
    """Return the metrics that every text-to-image scenario has; the basic ones come last."""
    image_metrics = _specs(
        "aesthetics_metrics.AestheticsMetric",
        "clip_score_metrics.CLIPScoreMetric",
        "efficiency_metrics.EfficiencyMetric",
        "fractal_dimension_metric.FractalDimensionMetric",
        "nudity_metrics.NudityMetric",
        "watermark_metrics.WatermarkMetric",
    )
    return image_metrics + get_basic_metric_specs([])


def get_heim_bias_metric_specs() -> list[MetricSpec]:
    return _specs("gender_metrics.GenderMetric", "skin_tone_metrics.SkinToneMetric")


def get_heim_detection_metric_specs() -> list[MetricSpec]:
    return _specs("detection_metrics.DetectionMetric")


def get_fid_metric_specs() -> list[MetricSpec]:
    return _specs("fidelity_metrics.FidelityMetric")


def get_heim_reference_required_metric_specs(include_fidelity: bool = False) -> list[MetricSpec]:
    """Return the metrics that compare with a picture of the data set, and perhaps the distances of whole sets."""
    similarities = _specs(
        "lpips_metrics.LearnedPerceptualImagePatchSimilarityMetric",
        "multi_scale_ssim_metrics.MultiScaleStructuralSimilarityIndexMeasureMetric",
        "psnr_metrics.PeakSignalToNoiseRatioMetric",
        "uiqi_metrics.UniversalImageQualityIndexMetric",
    )
    return similarities + (get_fid_metric_specs() if include_fidelity else [])


def get_heim_critique_metric_specs(
    include_aesthetics: bool = False,
    include_subject: bool = False,
    include_originality: bool = False,
    include_copyright: bool = False,
    num_examples: int = 10,
    num_respondents: int = 5,
    use_perturbed: bool = False,
) -> list[MetricSpec]:
    """Return the metric that asks people about images: always whether they fit the prompt, and what is included."""
    args = {
        "include_alignment": True,
        "include_aesthetics": include_aesthetics,
        "include_subject": include_subject,
        "include_originality": include_originality,
        "include_copyright": include_copyright,
        "num_examples": num_examples,
        "num_respondents": num_respondents,
        "use_perturbed": use_perturbed,
    }
    return [MetricSpec(f"{_PACKAGE}.image_critique_metrics.ImageCritiqueMetric", args)]


def get_heim_photorealism_critique_metric_specs(
    num_examples: int = 100, num_respondents: int = 5, use_perturbed: bool = False
) -> list[MetricSpec]:
    """Return the metric that asks people whether images and the pictures of the data set look like photographs."""
    args = {"num_examples": num_examples, "num_respondents": num_respondents, "use_perturbed": use_perturbed}
    return [MetricSpec(f"{_PACKAGE}.photorealism_critique_metrics.PhotorealismCritiqueMetric", args)]
