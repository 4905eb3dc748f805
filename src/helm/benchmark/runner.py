"""The order of the stages of a run, for every kind of subject."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState, in_memory_or_spooled
from helm.benchmark.data_preprocessor import DataPreprocessor
from helm.benchmark.executing.execution import (
    HELM,
    RUNNER_ARGUMENTS,
    ExecutionSpec,
    ExecutorInterface,
    ExecutorServices,
    create_executor,
)
from helm.benchmark.executing.request_journal import JOURNAL_FILE_NAME, RequestJournal
from helm.benchmark.executor import Executor, scored_part
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.model_deployment_registry import can_lack_abilities, waits_for_endpoint
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.command_hooks import hooked
from helm.benchmark.running.command_runs import CommandRuns, RunnerError, check_no_collision
from helm.benchmark.running.run_instances import (
    create_complete_scenario,
    downsample_eval_instances,
    get_kept_instances,
    given_up,
    load_instances,
    select_instances,
)
from helm.benchmark.running.run_lock import RunLocks, describe_holder, remove_dead_lock, try_lock_run
from helm.benchmark.running.run_writer import (
    RunWriter,
    remove_per_instance_stats_nans,
    remove_stats_nans,
)
from helm.benchmark.running.scoring import (
    DRY_RUN_METRIC_SPEC,
    check_same_request_type,
    create_metrics,
    evaluate_metrics,
)
from helm.benchmark.scenarios.scenario import Instance, Scenario, get_scenario_cache_path
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.budgets.spending import BudgetExceeded
from helm.common.cache import cache_stats
from helm.common.codec import dump_json
from helm.common.commands.output_path import (
    benchmark_output_path,
    check_run_name,
    get_benchmark_output_path,
    get_cached_models_path,
    get_suite_path,
    set_benchmark_output_path,
)
from helm.common.concurrency import drain_on_interrupt, overlap
from helm.common.data.data_session import current_session, log_sources
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import hdebug, hlog, hprogress, hwarn
from helm.common.key_value_store import SqliteKeyValueStore
from helm.common.telemetry.progress import DONE, SKIPPED, CommandProgress, RunProgress, current_run
from helm.results.coverage import count_coverage
from helm.results.run_files.run_folder import has_all_run_files, list_files

if TYPE_CHECKING:
    from helm.benchmark.extraction.extractor import Extractor
    from helm.benchmark.running.estimate import RunEstimate
    from helm.clients.batch.batch_queue import BatchQueue
    from helm.common.telemetry.hook_events import CommandObserver
    from helm.common.telemetry.progress_report import EndpointReport
    from helm.results.headline import RunOutcome

__all__ = [
    "RunnerError",
    "downsample_eval_instances",
    "get_benchmark_output_path",
    "get_cached_models_path",
    "remove_per_instance_stats_nans",
    "remove_stats_nans",
    "set_benchmark_output_path",
]


_MAX_OVERLAPPING_RUNS = 8
"""Bounds memory: the prompts and answers of overlapping runs are held at the same time."""


class Runner:
    """Executes run specs and writes their files under `<output_path>/runs/<suite>/<run name>/`."""

    def __init__(
        self,
        execution_spec: ExecutionSpec,
        output_path: str,
        suite: str,
        skip_instances: bool,
        cache_instances: bool,
        cache_instances_only: bool,
        skip_completed_runs: bool,
        exit_on_error: bool,
    ):
        settings = execution_spec.to_settings()
        self.settings: RunSettings = replace(
            settings,
            output_path=output_path,
            suite=suite,
            skip_instances=skip_instances,
            cache_instances=cache_instances,
            cache_instances_only=cache_instances_only,
            skip_completed_runs=skip_completed_runs,
            exit_on_error=exit_on_error,
            began_at=settings.began_at or time.time(),
        )
        self.execution_spec = replace(execution_spec, settings=self.settings)
        self.executor = Executor(self.execution_spec)
        self.dry_run: bool = self.settings.dry_run
        self.tokenizer_service = TokenizerService(self.executor.context)
        self.metric_service = MetricService(self.executor.context)
        self.skip_instances = skip_instances
        self.cache_instances = cache_instances
        self.cache_instances_only = cache_instances_only
        self.skip_completed_runs = skip_completed_runs
        self.exit_on_error = exit_on_error
        self.output_path = output_path
        self.instances_path = os.path.join(output_path, "scenario_instances")
        self.runs_path = get_suite_path(output_path, suite)
        self.eval_cache_path = os.path.join(self.runs_path, "eval_cache")
        try:
            for path in (self.output_path, self.instances_path, self.runs_path, self.eval_cache_path):
                os.makedirs(path, exist_ok=True)
            if not os.access(self.runs_path, os.W_OK):
                raise PermissionError(13, "Permission denied", self.runs_path)
        except OSError as e:
            raise ConfigError(f"Cannot write to the output folder {e.filename}: {e.strerror}.") from e
        self.estimates: list[RunEstimate] = []
        """The estimates of a dry run."""
        self.runs: list[RunProgress] = []
        """The progress of each run; empty until `run_all` starts."""
        self._observer: CommandObserver | None = None
        self._outcomes: dict[str, RunOutcome] = {}
        self._local = threading.local()
        self._stage = "start"
        self._alone = threading.Lock()
        self._batches: BatchQueue | None = None
        self.locks = RunLocks(self.settings.began_at)

    @cached_property
    def annotator_executor(self) -> Any:
        from helm.benchmark.annotation_executor import AnnotationExecutionSpec, AnnotationExecutor

        spec = self.execution_spec
        return AnnotationExecutor(
            AnnotationExecutionSpec(
                local_path=spec.local_path or "prod_env",
                parallelism=spec.parallelism,
                max_in_flight=self.settings.max_in_flight,
                dry_run=spec.dry_run,
                sqlite_cache_backend_config=spec.sqlite_cache_backend_config,
                mongo_cache_backend_config=spec.mongo_cache_backend_config,
                shared_cache_backend_config=spec.shared_cache_backend_config,
            )
        )

    @cached_property
    def _capability_checker(self) -> Any | None:
        """Checks what endpoints support. None if nothing is sent from this process, or endpoints are not to be probed."""
        from helm.common.local_context import LocalContext

        settings, context = self.settings, self.executor.context
        sends = not (self.dry_run or settings.server_url or self.skip_instances or self.cache_instances_only)
        if settings.no_probe or not (sends and settings.local_path and isinstance(context, LocalContext)):
            return None
        from helm.benchmark.executing.capability_check import CapabilityChecker

        return CapabilityChecker(context.client, settings.local_path)

    def outcomes(self) -> dict[str, "RunOutcome"]:
        """Map the name of each run that has results to its outcome, including earlier runs and those of other processes."""
        for run in self.runs:
            if run.name not in self._outcomes and run.state in (DONE, SKIPPED):
                from helm.results.headline import read_outcome

                try:
                    self._outcomes[run.name] = read_outcome(os.path.join(self.runs_path, run.name))
                except (HelmError, OSError) as e:
                    hdebug(f"The score of {run.name} is not shown: {e}")
        return self._outcomes

    def _get_run_path(self, run_spec: RunSpec) -> str:
        return os.path.join(self.runs_path, run_spec.name)

    def _is_run_completed(self, run_path: str) -> bool:
        """Whether all five files exist, without the journal of a later attempt that was interrupted."""
        if os.path.exists(os.path.join(run_path, JOURNAL_FILE_NAME)):
            return False
        return has_all_run_files(run_path)

    def run_all(self, run_specs: list[RunSpec]) -> None:
        """Execute the runs. A failed run does not stop the others, unless `exit_on_error` is set.

        Runs start in order. While one waits for answers of an endpoint, the next ones start; everything but the waiting
        is done for one run at a time. Runs of tools, compilers and models in this process run alone. A run that another
        process is executing is left to it; when all others are done, this process waits for it, and executes it if the
        other process did not finish it.

        Raises: RunnerError with the names of the failed runs, after all were tried; BudgetExceeded when a budget is
        exhausted, and KeyboardInterrupt after Ctrl-C, with everything finished on disk; ConfigError, before anything
        starts, for a name that cannot be a folder, or whose folder holds another run.
        """
        for run_spec in run_specs:
            check_run_name(run_spec.name)
            check_no_collision(run_spec, self._get_run_path(run_spec))
        command = CommandProgress([run_spec.name for run_spec in run_specs])
        self.runs = command.runs
        with drain_on_interrupt(), hooked(self.settings, command, self.runs_path) as observer, self._reporting(command):
            self._run_all(run_specs, command, observer)

    def _run_all(self, run_specs: list[RunSpec], command: CommandProgress, observer: "CommandObserver | None") -> None:
        batch_queue = self._batches = self._batch_queue(run_specs)
        # A batch is sent when every run has contributed its requests, so all runs must be able to start.
        width = _MAX_OVERLAPPING_RUNS if batch_queue is None else len(run_specs)
        # A plugin's own `run_one` was written for one run at a time.
        if type(self).run_one is not Runner.run_one:
            width = 1
        begin_group = batch_queue.expect if batch_queue is not None else lambda size: None
        self._observer = observer
        runs = CommandRuns(run_specs, self.run_one, command, batch_queue, self.exit_on_error, observer)
        try:
            # Runs held by other processes come last, so that nothing waits while there is work to do.
            with self.locks.leaving_held():
                self._run_each(runs.run, run_specs, width, begin_group)
                while runs.held and not runs.stopped:
                    again = runs.take_held(self._get_run_path)
                    run_again = lambda i, indices=again: runs.run(indices[i])  # noqa: E731
                    self._run_each(run_again, [run_specs[index] for index in again], width, begin_group)
        finally:
            if batch_queue is not None:
                batch_queue.close()
        runs.check(type(self).__name__)

    def _reporting(self, command: CommandProgress) -> AbstractContextManager[None]:
        """Show the command's progress, and write it to a file unless nothing is sent."""
        from helm.benchmark.live.reporter import reporting
        from helm.benchmark.live.snapshot import Snapshots
        from helm.benchmark.live.views import AUTO, LINES, create_view

        suite, mode = os.path.basename(self.runs_path), self.settings.progress
        if self.settings.approve is not None and mode == AUTO:
            mode = LINES  # others would draw over the questions
        is_written = not (self.dry_run or self.skip_instances or self.cache_instances_only)
        return reporting(
            Snapshots(command, "helm-run", self._endpoints),
            self.runs_path if is_written else None,
            create_view(mode, suite),
        )

    def _batch_queue(self, run_specs: Sequence[RunSpec]) -> "BatchQueue | None":
        """Return the executor's batch queue. None if no requests are sent in batches."""
        if self.dry_run or self.skip_instances or self.cache_instances_only or not isinstance(self.executor, Executor):
            return None
        names = {spec.adapter_spec.model_deployment for spec in run_specs if spec.executor_spec is None}
        is_for_judges = self.settings.batch_api and any(spec.annotators for spec in run_specs)
        if not is_for_judges and all(self.executor.batch_share(name) is None for name in sorted(names)):
            return None
        return self.executor.batch_queue

    def _run_each(
        self, run: Callable[[int], None], run_specs: list[RunSpec], width: int, begin_group: Callable[[int], None]
    ) -> None:
        """Call `run` with the index of each run spec, at most `width` at a time.

        `begin_group` is called with the number of runs that start together.
        """
        can_overlap = lambda index: self._waits_for_endpoint(run_specs[index])  # noqa: E731
        overlap(run, range(len(run_specs)), can_overlap, width, begin_group)

    def _endpoints(self) -> list["EndpointReport"]:
        """Return reports about the endpoints that the runs use."""
        from helm.benchmark.live.snapshot import endpoint_reports

        return endpoint_reports(time.time())

    def _waits_for_endpoint(self, run_spec: RunSpec) -> bool:
        """Whether the run's requests go to an endpoint that sets the pace."""
        if run_spec.executor_spec is not None or self.dry_run or self.settings.server_url:
            return False
        return waits_for_endpoint(run_spec.adapter_spec.model_deployment)

    def run_one(self, run_spec: RunSpec) -> None:
        """Execute one run. If it fails, `error.json` in its folder gives the stage, the instance and the reason.

        While another process makes the run, this waits; what that one has finished is not done again.
        """
        run_path = self._get_run_path(run_spec)
        if self.skip_completed_runs and self._is_run_completed(run_path):
            hlog(f"Skipping run {run_spec.name} because run is completed and all output files exist.")
            current_run().skip()
            remove_dead_lock(run_path)
            return
        if self.skip_instances or self.cache_instances_only:  # no results are written
            os.makedirs(run_path, exist_ok=True)
            self._run_alone(run_spec, run_path, RunWriter(run_path, self.settings.compact_files))
            return
        lock = try_lock_run(run_path) if self.dry_run else self.locks.take(run_spec.name, run_path)
        try:
            if lock is None:
                hprogress(
                    f"{run_spec.name} is being made by {describe_holder(run_path)}. Its files are left as they are."
                )
                self._run_alone(run_spec, run_path, None)
            elif self._is_run_completed(run_path) and self.locks.is_done_meanwhile(run_spec, run_path):
                hprogress(f"Skipping run {run_spec.name} because another process has completed it in the meantime.")
                current_run().skip()
            else:
                self._run_alone(run_spec, run_path, RunWriter(run_path, self.settings.compact_files))
                self.locks.note_made(run_spec.name, run_path)
        finally:
            if lock is not None:
                lock.release()

    def _run_alone(self, run_spec: RunSpec, run_path: str, writer: RunWriter | None) -> None:
        """Execute one run, whose folder nobody else writes to. Nothing is written if `writer` is None."""
        with self._alone:
            self._stage = "setup"
            observer = current_run().observer
            if observer is not None:
                observer.start()
            blocked = len(current_session().blocked)
            try:
                with log_sources():
                    self._run(run_spec, run_path, writer)
            except BudgetExceeded:
                raise  # not an error of the run, which will resume from its journal
            except Exception as e:
                try:
                    if writer is not None:
                        instance_id = getattr(e, "instance_id", None)
                        writer.write_error(run_spec, self._stage, e, instance_id, self.settings.command)
                except OSError as reason:  # such as a full disk, which the error itself reports
                    hwarn(f"There is no error.json in {run_path}: {reason.strerror}")
                if self.dry_run:
                    from helm.benchmark.running.estimate import estimate_of_failure

                    missing = [fetch.url for fetch in current_session().blocked[blocked:]]
                    self.estimates.append(estimate_of_failure(run_spec, e, missing))
                raise

    @contextmanager
    def _others_may_run(self) -> Iterator[None]:
        """Let other runs proceed while this one waits for an endpoint."""
        self._alone.release()
        try:
            yield
        finally:
            self._alone.acquire()

    @property
    def _stage(self) -> str:
        """The stage of this thread's run."""
        return self._local.stage

    @_stage.setter
    def _stage(self, stage: str) -> None:
        self._local.stage = stage
        current_run().stage = stage

    def _run(self, run_spec: RunSpec, run_path: str, writer: RunWriter | None) -> None:
        parallelism = self.settings.num_threads
        if run_spec.epochs is not None:
            from helm.benchmark.running.epochs.repeating import check_epochs

            check_epochs(run_spec)
        scenario = create_complete_scenario(run_spec.scenario_spec)
        with self._create_executor(run_spec) as executor:
            adapter = AdapterFactory.get_adapter(run_spec.adapter_spec, self.tokenizer_service)
            metrics = create_metrics([DRY_RUN_METRIC_SPEC] if self.dry_run else run_spec.metric_specs)
            extractor = self._create_extractor(run_spec)
            executor_name = run_spec.executor_spec.class_name.split(".")[-1] if run_spec.executor_spec else "Executor"
            check_same_request_type(
                run_spec.name,
                run_spec.adapter_spec.model,
                [(f"executor {executor_name}", executor), (f"adapter method {run_spec.adapter_spec.method}", adapter)]
                + [(f"metric {type(metric).__name__}", metric) for metric in metrics],
            )

            is_checked = run_spec.executor_spec is None and can_lack_abilities(run_spec.adapter_spec.model_deployment)
            checker = self._capability_checker if is_checked else None
            if checker is not None:
                with self._others_may_run():
                    checker.check_method(run_spec)
            if run_spec.adapter_spec.chat is not None and run_spec.executor_spec is None:
                from helm.benchmark.executing.chat_endpoint import settle_chat

                with self._others_may_run():
                    adapter.adapter_spec = settle_chat(run_spec, self.executor.context, checker, self.dry_run)

            if run_spec.annotators and not (self.skip_instances or self.cache_instances_only):
                self.annotator_executor.prepare(run_spec.annotators)

            self._stage = "instances"
            instances = self._get_instances(run_spec, scenario)
            if self.cache_instances_only:
                return
            if not self.skip_instances:
                instances = self._select_instances(run_spec, instances)

            self._stage = "preprocessing"
            with benchmark_output_path(self.output_path):  # where perturbations keep their tables
                instances = DataPreprocessor(run_spec.data_augmenter_spec).preprocess(instances, parallelism)

            self._stage = "adaptation"
            states: Iterable[RequestState] = adapter.adapt_each(given_up(instances), parallelism)
            if run_spec.epochs is not None:
                from helm.benchmark.running.epochs.repeating import repeat_states

                states = repeat_states(states, run_spec)
            most = None if self.dry_run else getattr(executor, "most_states_in_memory", None)
            scenario_state = ScenarioState(
                adapter_spec=run_spec.adapter_spec,
                request_states=in_memory_or_spooled(states, most, run_path),
                annotator_specs=run_spec.annotators,
            )
            del states

            if checker is not None:
                with self._others_may_run():
                    checker.check_requests(run_spec, scenario_state.request_states)

            self._stage = "execution"
            journal = None
            if not self.dry_run and not self.skip_instances:
                journal = RequestJournal(run_path, dump_json(run_spec))
            with self._others_may_run():
                scenario_state = executor.execute(scenario_state, journal)
            SqliteKeyValueStore.commit_soon()

        if run_spec.annotators:
            self._stage = "annotation"
            with self._others_may_run():
                scenario_state = self._annotate(scenario_state)

        if self._batches is not None:
            self._batches.leave()
        self._stage = "metrics"
        on_failure = self.settings.on_failure
        if extractor is not None:
            from helm.benchmark.extraction.stage import extract_answers

            scenario_state = extract_answers(scenario_state, extractor)
        scored_state = scored_part(scenario_state, on_failure)
        epochs = None if self.dry_run else run_spec.epochs
        stats, per_instance_stats = evaluate_metrics(
            metrics, scored_state, self.metric_service, self.eval_cache_path, parallelism, extractor, epochs
        )

        observer = current_run().observer
        if observer is not None:
            observer.score(per_instance_stats)

        if self.dry_run and not self.skip_instances:
            from helm.benchmark.running.estimate import estimate_run

            share = self.executor.batch_share(run_spec.adapter_spec.model_deployment)
            estimate = estimate_run(run_spec, scenario_state, stats, self.executor.context, self.settings, share)
            self.estimates.append(estimate)
        # Once the journal is deleted, the response cache is the only copy of the answers that a repeated run can use.
        SqliteKeyValueStore.commit_all()
        if self.skip_instances:
            hlog("skip_instances was True. Skipping writing results out.")
            return
        if writer is None:
            return
        self._stage = "writing"
        coverage = None
        if not self.dry_run:
            states = scenario_state.request_states
            policy = None if on_failure == HELM else on_failure
            num_excluded = len(states) - len(scored_state.request_states)
            coverage = count_coverage(states, stats, per_instance_stats, metrics, policy, num_excluded, run_spec)
            number = coverage.requests.across_token_boundary
            if number:
                hwarn(
                    f"Run {run_spec.name}: in {number} of {coverage.requests.asked} requests the "
                    "first token of the reference includes the end of the prompt too, so its log-probability is not that of "
                    "the reference alone."
                )
            if epochs is not None:
                from helm.benchmark.running.epochs.reduction import count_epochs, describe_epochs

                coverage.epochs = count_epochs(epochs, scenario_state, scored_state)
                problem = describe_epochs(coverage.epochs)
                if problem:
                    hwarn(f"Run {run_spec.name}: {problem}.")
        sources = current_session().sources_of(run_spec.name).to_json(self.output_path)
        writer.write(run_spec, scenario, scenario_state, stats, per_instance_stats, coverage, sources)
        if coverage is not None:
            from helm.results.headline import compute_outcome
            from helm.results.interval_file import keep_intervals

            counts = coverage.requests
            facts = keep_intervals(run_path, run_spec, per_instance_stats, scenario_state.request_states)
            outcome = compute_outcome(run_spec, stats, facts, scenario, metrics)
            warning = coverage.answers.warning if coverage.answers is not None else None
            self._outcomes[run_spec.name] = replace(
                outcome, asked=counts.asked, answered=counts.answered, warning=warning
            )
            if observer is not None:
                observer.finish(stats, outcome, list_files(run_path, self.settings.hook_texts))
        if journal is not None:
            journal.delete()
        cache_stats.print_status()

    def _annotate(self, scenario_state: ScenarioState) -> ScenarioState:
        """Annotate the results. Judges' requests join the batches once all other requests of the command have."""
        if self._batches is None:
            return self.annotator_executor.execute(scenario_state)
        annotated = self.annotator_executor.execute(scenario_state, self.executor.deferral())
        self._batches.finish()
        return annotated

    def _create_executor(self, run_spec: RunSpec) -> ExecutorInterface:
        services = ExecutorServices(
            self.execution_spec,
            lambda: self.executor,
            run_spec.adapter_spec.model_deployment,
            {"context": lambda: self.executor.context},
        )
        return create_executor(run_spec.executor_spec, services)

    def _create_extractor(self, run_spec: RunSpec) -> "Extractor | None":
        """Create what finds the answers; a dry run has no answers to look at."""
        if run_spec.extractor_spec is None or self.dry_run:
            return None
        from helm.benchmark.extraction.extractor import create_extractor

        return create_extractor(run_spec.extractor_spec)

    def _select_instances(self, run_spec: RunSpec, instances: list[Instance]) -> list[Instance]:
        return select_instances(run_spec, instances)

    def _get_instances(self, run_spec: RunSpec, scenario: Scenario) -> list[Instance]:
        if self.skip_instances:
            return []
        folder = get_scenario_cache_path(self.output_path, scenario.name)
        if self.cache_instances:
            return get_kept_instances(scenario, run_spec.scenario_spec, folder, self.instances_path)
        return load_instances(scenario, folder)


def create_runner(runner_class: Any, settings: RunSettings) -> Any:
    """Create a Runner with HELM's positional arguments, so that Runner classes of plugins work too."""
    return runner_class(ExecutionSpec.of(settings), *(getattr(settings, name) for name in RUNNER_ARGUMENTS))
