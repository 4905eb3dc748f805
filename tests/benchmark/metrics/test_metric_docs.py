"""Every metric name and class is in docs/metrics.md."""

import importlib
import re
from pathlib import Path

import pytest

from helm.benchmark.metrics import display_data
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.evaluate_reference_metrics import REFERENCE_METRICS
from helm.benchmark.metrics.metric import MetricInterface

DOCS = Path(__file__).parents[3] / "docs" / "metrics.md"


def test_every_name_is_documented() -> None:
    documented = set(re.findall(r"`([^`\s]+)`", DOCS.read_text(encoding="utf-8")))
    assert not (set(display_data.read_display_data()) | set(REFERENCE_METRICS)) - documented


@pytest.mark.parametrize("name", sorted(REFERENCE_METRICS))
def test_every_reference_metric_has_display_data(name: str) -> None:
    (metadata,) = display_data.get_display_data([name])
    assert metadata.display_name and metadata.description and metadata.lower_is_better is not None


MODULES = [
    "bbq_metrics",
    "bias_metrics",
    "cleva_accuracy_metrics",
    "cleva_harms_metrics",
    "comet_metric",
    "copyright_metrics",
    "disinformation_metrics",
    "lmkt_metrics",
    "machine_translation_metrics",
    "melt_bias_metric",
    "melt_toxicity_metric",
    "paraphrase_generation_metrics",
    "ranking_metrics",
    "seahelm_metrics",
    "summarization_critique_metrics",
    "summarization_metrics",
    "toxicity_metrics",
]


@pytest.mark.parametrize("name", MODULES)
def test_every_class_is_documented_and_has_metadata(name: str) -> None:
    documented = set(re.findall(r"`([^`\s]+)`", DOCS.read_text(encoding="utf-8")))
    module = importlib.import_module(f"helm.benchmark.metrics.{name}")
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, MetricInterface) and value.__module__ == module.__name__
    ]
    assert classes and not {cls.__name__ for cls in classes} - documented
    assert all(cls.get_metadata is not MetricInterface.get_metadata for cls in classes)


def test_every_described_stat_has_display_data() -> None:
    known = display_data.read_display_data()
    folder = Path(display_data.__file__).parent
    modules = [".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.py")]
    named = {
        name
        for module in modules
        if "described_stats = " in (folder / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        for value in vars(importlib.import_module(f"helm.benchmark.metrics.{module}")).values()
        if isinstance(value, type) and issubclass(value, StateMetric)
        for name in value.described_stats
    }
    assert len(named) > 15 and not named - set(known)
