"""Adaptive evaluation (REEval): fewer questions, chosen by item response theory."""

import os
from collections.abc import Callable
from dataclasses import replace

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutorInterface
from helm.benchmark.executing.item_bank import load_item_bank, read_item_bank
from helm.benchmark.executor import scored_part
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner
from helm.benchmark.running.adaptive_executor import AdaptiveExecutor, Trajectory
from helm.benchmark.running.run_instances import create_complete_scenario, select_instances
from helm.benchmark.running.scoring import create_metrics, evaluate_metrics
from helm.benchmark.scenarios.scenario import Instance, get_scenario_cache_path
from helm.common.errors import ConfigError
from helm.common.reeval_parameters import REEvalParameters
from helm.results.run_files.json_files import write_json
from helm.results.run_files.run_folder import REEVAL_TRAJECTORY_FILE_NAME


class REEvalRunner(Runner):
    """Asks each model the items that say most about its ability, at most `max_eval_instances` of them.

    `AdapterSpec.reeval_parameters` has the settings. Each run also writes `reeval_trajectory.json`.
    """

    def _waits_for_endpoint(self, run_spec: RunSpec) -> bool:
        return False  # every answer is scored before the next question, and scoring is for one run at a time

    def _select_instances(self, run_spec: RunSpec, instances: list[Instance]) -> list[Instance]:
        adapter_spec = replace(run_spec.adapter_spec, max_eval_instances=None)
        return select_instances(replace(run_spec, adapter_spec=adapter_spec), instances)

    def _create_executor(self, run_spec: RunSpec) -> ExecutorInterface:
        if run_spec.executor_spec is not None:
            raise ConfigError(f"Run '{run_spec.name}': adaptive testing is for language models only.")
        if run_spec.annotators:
            raise ConfigError(f"Run '{run_spec.name}': adaptive testing cannot wait for the judges of each answer.")
        inner = super()._create_executor(run_spec)
        if self.skip_instances or self.cache_instances_only:
            return inner
        parameters = run_spec.adapter_spec.reeval_parameters or REEvalParameters()
        if parameters.difficulties is not None:
            bank = read_item_bank(parameters.difficulties)
        else:
            name = create_complete_scenario(run_spec.scenario_spec).name
            bank = load_item_bank(name, get_scenario_cache_path(self.output_path, name))
        path = os.path.join(self._get_run_path(run_spec), REEVAL_TRAJECTORY_FILE_NAME)

        def finish(trajectory: Trajectory) -> None:
            write_json(path, trajectory.to_json())

        return AdaptiveExecutor(inner, bank, parameters, self._scorer(run_spec), finish, self.dry_run)

    def _scorer(self, run_spec: RunSpec) -> Callable[[RequestState], float | None]:
        """Return a function that computes the main metric of one answer; None if it has no value."""
        from helm.results.headline import compute_outcome

        metrics = create_metrics(run_spec.metric_specs)
        extractor = self._create_extractor(run_spec)
        scenario = create_complete_scenario(run_spec.scenario_spec)

        def score(state: RequestState) -> float | None:
            scenario_state = ScenarioState(run_spec.adapter_spec, [state], run_spec.annotators)
            if extractor is not None:
                from helm.benchmark.extraction.stage import extract_answers

                scenario_state = extract_answers(scenario_state, extractor)
            scored = scored_part(scenario_state, self.settings.on_failure)
            if not scored.request_states:
                return None
            stats, _ = evaluate_metrics(metrics, scored, self.metric_service, self.eval_cache_path, 1, extractor)
            scores = compute_outcome(run_spec, stats, None, scenario, metrics).scores
            return float(scores[0].value) if scores else None

        return score
