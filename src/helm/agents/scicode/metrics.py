"""The numbers of SciCode over all problems of a run."""

from helm.agents.metrics import DISPLAY_DATA, get_agent_figures
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import read_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.agent_request import AgentRequest


class SciCodeMetric(MetricInterface):
    """Counts steps and problems over a run.

    Emits `scicode_step_rate`, the share of all scored steps that pass (each step counts the same), and `scicode_problem_rate`,
    the share of problems all of whose steps pass. Episodes that could not be scored are left out.
    """

    request_type = AgentRequest
    sees_all_epochs = True

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        by_split: dict[str | None, list[tuple[float, float]]] = {}
        for state in scenario_state.request_states:
            figures = get_agent_figures(state)
            passed, scored = figures.get("agent_reward_steps_passed"), figures.get("agent_reward_steps_scored")
            if passed is not None and scored:
                by_split.setdefault(state.instance.split, []).append((passed, scored))
        stats = []
        for split, pairs in by_split.items():
            steps = sum(passed for passed, _ in pairs) / sum(scored for _, scored in pairs)
            problems = sum(passed == scored for passed, scored in pairs) / len(pairs)
            stats.append(Stat(MetricName("scicode_step_rate", split)).add(steps))
            stats.append(Stat(MetricName("scicode_problem_rate", split)).add(problems))
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return list(read_display_data(DISPLAY_DATA).values())
