"""Functions and classes of HELM's `helm.benchmark.presentation.summarize`, for scripts; that module offers them as well."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.presentation.table import (
    AGGREGATE_MEAN,
    AGGREGATE_WIN_RATE,
    compute_aggregate_row_means,
    compute_aggregate_row_win_rates,
)
from helm.benchmark.presentation.tables.table_rows import dict_to_str, get_coarse_adapter_spec, get_scenario_name

if TYPE_CHECKING:
    from helm.benchmark.model_metadata_registry import ModelMetadata

__all__ = [
    "ALL_AGGREGATION_STRATEGIES", "MODEL_HEADER_CELL_VALUE", "AggregationStrategy", "ExecutiveSummary",
    "compute_aggregate_row_means", "compute_aggregate_row_win_rates", "dict_to_str", "get_benchmarking_url",
    "get_coarse_adapter_spec", "get_method_display_name", "get_model_metadata_for_adapter_spec", "get_scenario_name",
]  # fmt: skip

MODEL_HEADER_CELL_VALUE = "Model"
"""The heading of the column of models."""


class AggregationStrategy:
    """The values of a metric group's `aggregation_strategies`."""

    WIN_RATE = AGGREGATE_WIN_RATE
    MEAN = AGGREGATE_MEAN


ALL_AGGREGATION_STRATEGIES = [AggregationStrategy.WIN_RATE, AggregationStrategy.MEAN]


@dataclass(frozen=True)
class ExecutiveSummary:
    """What `summary.json` says."""

    release: str | None

    suites: list[str] | None

    suite: str | None

    date: str
    """The day of the summary, `YYYY-MM-DD`."""


def get_benchmarking_url(params: Mapping[str, str]) -> str:
    """Return the query of an address of HELM's pages."""
    return "?" + "&".join(f"{quote(key)}={quote(value)}" for key, value in params.items())


def get_method_display_name(model_display_name: str | None, info: Mapping[str, Any]) -> str:
    """Return the label of a row: the model, with the other settings in brackets."""
    details = {key: value for key, value in info.items() if key not in ("model_deployment", "model")}
    label = model_display_name or "???"
    return f"{label} [{dict_to_str(details)}]" if details else label


def get_model_metadata_for_adapter_spec(adapter_spec: AdapterSpec) -> "ModelMetadata":
    """Return the metadata of a specification's model, or what is assumed of a model that nobody described."""
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
    from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA, get_unknown_model_metadata

    deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(adapter_spec.model_deployment)
    names = [adapter_spec.model, deployment.model_name or deployment.name if deployment else ""]
    found = next((MODEL_NAME_TO_MODEL_METADATA[name] for name in names if name in MODEL_NAME_TO_MODEL_METADATA), None)
    return found or get_unknown_model_metadata(adapter_spec.model)
