"""Executes runs on a Ray cluster."""

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from helm.benchmark.cluster.demand import Demand, demand_of
from helm.benchmark.cluster.ray_cluster import ClusterError, RayCluster, connected
from helm.benchmark.cluster.run_store import create_run_store, stored
from helm.benchmark.cluster.run_worker import RecipeSources, raise_from, write_lost_run
from helm.benchmark.cluster.sharding import ShardedExecutor, can_be_divided
from helm.benchmark.cluster.worker_pool import SHARES, Worker, WorkerLostError
from helm.benchmark.cluster.worker_setup import current_setup
from helm.benchmark.executing.execution import ExecutionSpec, ExecutorInterface
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner
from helm.benchmark.runner_config_registry import RUNNER_CONFIG, max_concurrent_workers
from helm.common.codec import dump_json
from helm.common.commands.output_path import staging_path
from helm.common.concurrency import overlap
from helm.common.hierarchical_logger import hlog
from helm.common.telemetry.progress import FAILED, current_run, first_line
from helm.common.telemetry.progress_report import EndpointReport


class RayRunner(Runner):
    """Executes each run on a worker of a Ray cluster, or divides its requests among workers.

    Files, messages and errors are those of `Runner`. All machines see the output folder and `local_path` at the same place.
    A run whose worker is lost resumes on another one. Settings: `runner_config.yaml`, and `resources` of
    deployments. Without requests to send (a dry run, `skip_instances`) everything is done here, and so are runs whose requests go
    through a provider's batch API.
    """

    def __init__(self, execution_spec: ExecutionSpec, output_path: str, suite: str, *flags: bool, **named: bool):
        self._store = create_run_store(output_path, suite)
        self._shared_output_path = output_path
        super().__init__(execution_spec, staging_path(output_path, execution_spec.local_path), suite, *flags, **named)
        self._cluster: RayCluster | None = None

    def _run_each(
        self, run: Callable[[int], None], run_specs: list[RunSpec], width: int, begin_group: Callable[[int], None]
    ) -> None:
        if self.dry_run or self.skip_instances or self.cache_instances_only or not run_specs:
            super()._run_each(run, run_specs, width, begin_group)
            return
        config = RUNNER_CONFIG
        max_workers = max_concurrent_workers()
        with connected(config.ray_address) as ray:
            wanted = len(run_specs) if config.ray_shard_size <= 0 else 1 << 30
            setup = current_setup(replace(self.settings, output_path=self._shared_output_path))
            if self._observer is not None:
                setup = replace(setup, hooks=self._observer.wishes)
            with RayCluster(ray, setup, config, max_workers, wanted) as self._cluster:
                most = self._cluster.pool.max_workers * SHARES
                if (
                    self._batch_queue(run_specs) is not None
                ):  # a batch waits until all runs in it have added their requests
                    most = len(run_specs)
                overlap(run, range(len(run_specs)), lambda index: True, most, begin_group)

    def run_one(self, run_spec: RunSpec) -> None:
        run_path = self._get_run_path(run_spec)
        if self._cluster is None:
            super().run_one(run_spec)
            return
        if self.skip_completed_runs and self._is_run_completed(run_path):
            hlog(f"Skipping run {run_spec.name} because run is completed and all output files exist.")
            current_run().skip()
            return
        queue = self._batch_queue([run_spec])
        if queue is None and "batch_queue" in vars(self.executor):
            self.executor.batch_queue.leave()  # a worker sends this run's requests
        if queue is not None or self._is_divided(run_spec):
            with stored(self._store, run_spec.name, run_path) if self._store is not None else nullcontext():
                super().run_one(run_spec)
            return
        sources = dump_json(RecipeSources.of(run_spec.name))
        what = f"Run {run_spec.name}"
        try:
            outcome = self._cluster.run(what, self._demand(run_spec), dump_json(run_spec), sources)
        except (ClusterError, WorkerLostError) as e:  # the worker could not write it
            self._write_error(run_spec, e)
            told = current_run().report()
            current_run().tell(replace(told, state=FAILED, error_type=type(e).__name__, message=first_line(e)))
            raise
        raise_from(outcome, what)

    def _write_error(self, run_spec: RunSpec, error: Exception) -> None:
        run_path = self._get_run_path(run_spec)
        write_lost_run(run_path, run_spec, error, self.settings.command)
        if self._store is not None:
            self._store.put(run_spec.name, run_path)

    def _is_run_completed(self, run_path: str) -> bool:
        if self._store is not None:
            return self._store.is_completed(os.path.basename(run_path))
        return super()._is_run_completed(run_path)

    def _endpoints(self) -> list[EndpointReport]:
        return self._cluster.endpoints() if self._cluster is not None else super()._endpoints()

    def _demand(self, run_spec: RunSpec) -> Demand:
        return demand_of(run_spec.adapter_spec.model_deployment, self._waits_for_endpoint(run_spec))

    def _is_divided(self, run_spec: RunSpec) -> bool:
        return RUNNER_CONFIG.ray_shard_size > 0 and can_be_divided(run_spec)

    def _create_executor(self, run_spec: RunSpec) -> ExecutorInterface:
        cluster = self._cluster
        if cluster is None or not self._is_divided(run_spec) or self._batch_queue([run_spec]) is not None:
            return super()._create_executor(run_spec)
        demand = self._demand(run_spec)

        def run_shard(make: Callable[[], str], take: Callable[[str], None]) -> None:
            assert cluster is not None

            def work(worker: Worker) -> None:
                for text in cluster.answers(worker, make()):
                    take(text)

            with cluster.told_of():
                cluster.pool.run(f"Run {run_spec.name}", demand, work)

        num_shards = cluster.pool.max_workers * (1 if demand.is_exclusive else SHARES)
        return ShardedExecutor(run_spec, RUNNER_CONFIG.ray_shard_size, run_shard, num_shards)
