import pytest

from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from metrics_support import CharacterWindowService


@pytest.fixture(autouse=True)
def one_token_per_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count tokens without a catalogue of deployments."""
    window_service = CharacterWindowService()
    monkeypatch.setattr(EfficiencyMetric, "get_window_service", lambda *args: window_service)
