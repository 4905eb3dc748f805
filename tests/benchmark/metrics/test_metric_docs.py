"""Every metric name and class is in docs/metrics.md."""

import re
from pathlib import Path

import pytest

from helm.benchmark.metrics import display_data
from helm.benchmark.metrics.evaluate_reference_metrics import REFERENCE_METRICS

DOCS = Path(__file__).parents[3] / "docs" / "metrics.md"


def test_every_name_is_documented() -> None:
    documented = set(re.findall(r"`([^`\s]+)`", DOCS.read_text(encoding="utf-8")))
    assert not (set(display_data._METADATA) | set(REFERENCE_METRICS)) - documented


@pytest.mark.parametrize("name", sorted(REFERENCE_METRICS))
def test_every_reference_metric_has_display_data(name: str) -> None:
    (metadata,) = display_data.get_display_data([name])
    assert metadata.display_name and metadata.description and metadata.lower_is_better is not None
