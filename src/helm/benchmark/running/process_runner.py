"""Executes runs with several processes of this machine that make the requests."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from helm.benchmark.cluster.demand import Demand
from helm.benchmark.cluster.hub import together
from helm.benchmark.cluster.local_processes import LocalCluster
from helm.benchmark.cluster.sharding import ShardedExecutor, can_be_divided
from helm.benchmark.cluster.worker_pool import Worker
from helm.benchmark.cluster.worker_setup import current_setup
from helm.benchmark.executing.execution import ExecutorInterface
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner
from helm.benchmark.runner_config_registry import RUNNER_CONFIG
from helm.common.telemetry.progress_report import EndpointReport


class ProcessRunner(Runner):
    """Divides the requests to endpoints among `settings.processes` worker processes.

    All else is done here, so files, messages and errors are those of `Runner`: scenarios, prompts, metrics, files, the
    requests of judges and of models in this process, and batches. A part whose worker is lost goes on in another one.
    """

    _cluster: LocalCluster | None = None
    _last_endpoints: Sequence[EndpointReport] = ()
    """What the workers have told last."""

    def _run_each(
        self, run: Callable[[int], None], run_specs: list[RunSpec], width: int, begin_group: Callable[[int], None]
    ) -> None:
        sends = not (self.dry_run or self.skip_instances or self.cache_instances_only)
        if self._cluster is not None or not sends or not any(self._waits_for_endpoint(spec) for spec in run_specs):
            super()._run_each(run, run_specs, width, begin_group)
            return
        settings = self.settings
        number = min(settings.processes, settings.max_in_flight)
        setup = replace(current_setup(settings), max_in_flight=settings.max_in_flight // number)
        if self._observer is not None:
            setup = replace(setup, hooks=self._observer.wishes)
        with LocalCluster(setup, number, RUNNER_CONFIG.max_worker_retries) as self._cluster:
            try:
                super()._run_each(run, run_specs, width, begin_group)
            finally:
                self._last_endpoints, self._cluster = self._cluster.endpoints(), None

    def _endpoints(self) -> list[EndpointReport]:
        of_workers = self._cluster.endpoints() if self._cluster is not None else self._last_endpoints
        return together([*of_workers, *super()._endpoints()])

    def _create_executor(self, run_spec: RunSpec) -> ExecutorInterface:
        cluster = self._cluster
        is_divided = self._waits_for_endpoint(run_spec) and can_be_divided(run_spec)
        if cluster is None or not is_divided or self._batch_queue([run_spec]) is not None:
            return super()._create_executor(run_spec)

        def run_shard(make: Callable[[], str], take: Callable[[str], None]) -> None:
            def work(worker: Worker) -> None:
                for text in cluster.answers(worker, make()):
                    take(text)

            with cluster.told_of():
                cluster.pool.run(f"Run {run_spec.name}", Demand(is_exclusive=False), work)

        return ShardedExecutor(run_spec, 0, run_shard, cluster.pool.max_workers, writes_parts=True)
