"""The table of prices: dated, of deployments that exist, and nothing made up for the others."""

from datetime import date

import pytest

from helm.benchmark import config_registry, price_registry
from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
from helm.benchmark.price_registry import Price, get_price
from helm.common.errors import ConfigError
from registries_support import empty_registries


@pytest.fixture(autouse=True)
def prices(monkeypatch):
    monkeypatch.setattr(price_registry, "_paths", [])
    monkeypatch.setattr(price_registry, "_prices", {})
    monkeypatch.setattr(price_registry, "_num_paths_read", 0)
    with empty_registries():
        config_registry.register_builtin_configs_from_helm_package()
        yield


def test_every_price_is_dated_and_of_a_deployment_that_exists():
    assert price_registry._prices == {}  # nothing is read before it is asked for
    assert get_price("openai/gpt-4o-mini-2024-07-18") == Price(
        "openai/gpt-4o-mini-2024-07-18", 0.15, 0.6, date(2025, 12, 15), "https://openai.com/api/pricing/", 0.075
    )
    assert len(price_registry._prices) > 70
    for name, price in price_registry._prices.items():
        assert name in DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
        assert date(2024, 1, 1) <= price.date <= date(2026, 11, 21) and price.source.startswith("https://")
        assert 0 < (price.cached_input or price.input) <= price.input <= price.output


def test_what_is_not_listed_is_not_known():
    assert get_price("simple/model1") is None and get_price("no/such") is None


def test_cost():
    price = Price("a/b", 2.0, 8.0, date(2026, 1, 1), "s", cached_input=0.5, up_to_prompt_tokens=1000)
    assert price.cost(100, 10) == pytest.approx((100 * 2 + 10 * 8) / 1e6)
    assert price.cost(100, 0, cached_input_tokens=40) == pytest.approx((60 * 2 + 40 * 0.5) / 1e6)
    assert price.cost(1001, 1) is None
    for wrong in [(-1, 0, 0), (1, -1, 0), (1, 1, 2), (1, 1, -1)]:
        with pytest.raises(ValueError, match="tokens"):
            price.cost(*wrong)


def test_a_local_file_replaces_prices(tmp_path):
    text = "prices:\n- {deployment: lab/x, input: 1, output: 2.5, date: 2026-11-01, source: us}\n"
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    assert get_price("lab/x") is None
    config_registry.register_configs_from_directory(str(tmp_path))
    assert get_price("lab/x") == Price("lab/x", 1, 2.5, date(2026, 11, 1), "us")
    assert get_price("openai/gpt-4o-mini-2024-07-18") is not None


@pytest.mark.parametrize(
    "text, message",
    [
        ("prices: 3", "holds a list"),
        ("prices: [{deployment: a/b}]", r"prices\[0\].*missing value.*input"),
        ("prices: [3]", r"prices\[0\]"),
        ("prices: [{deployment: a/b, input: -1, output: 1, date: 2026-01-01, source: s}]", "'a/b'.*-1"),
        ("prices: [{deployment: a/b, input: .nan, output: 1, date: 2026-01-01, source: s}]", "'a/b'.*nan"),
    ],
)
def test_a_bad_file_is_named(tmp_path, text, message):
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    config_registry.register_configs_from_directory(str(tmp_path))
    with pytest.raises(ConfigError, match=f"prices.yaml.*{message}"):
        get_price("a/b")
