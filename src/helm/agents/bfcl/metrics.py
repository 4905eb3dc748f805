"""The numbers of the leaderboard over the categories of a run."""

from helm.agents.bfcl.scores import combine_categories
from helm.agents.metrics import DISPLAY_DATA, get_agent_figures
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import read_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.agent_request import AgentRequest


class BfclMetric(MetricInterface):
    """Combines the accuracies of categories, which are sub-splits, as the leaderboard does.

    It emits `bfcl_GROUP` for each group of categories that is complete, and `bfcl_overall` if all are; a missing category is
    not counted as 0, as the leaderboard does. Episodes that could not be scored are left out.
    """

    request_type = AgentRequest
    sees_all_epochs = True

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        by_split: dict[str | None, dict[str, list[float]]] = {}
        for state in scenario_state.request_states:
            found = get_agent_figures(state).get("agent_success")
            if found is not None and state.instance.sub_split is not None:
                categories = by_split.setdefault(state.instance.split, {})
                categories.setdefault(state.instance.sub_split, []).append(found)
        stats = []
        for split, categories in by_split.items():
            accuracies = {name: (sum(values) / len(values), len(values)) for name, values in categories.items()}
            for name, value in combine_categories(accuracies).items():
                if value is not None:
                    stats.append(Stat(MetricName(f"bfcl_{name}", split)).add(value))
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return list(read_display_data(DISPLAY_DATA).values())
