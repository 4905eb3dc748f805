"""A command's part of a Ray cluster: its hub, its workers, and their reports."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from helm.benchmark.cluster.demand import Demand
from helm.benchmark.cluster.hub import no_spending, spent_since
from helm.benchmark.cluster.run_worker import Outcome
from helm.benchmark.cluster.worker_cluster import ClusterError, WorkerCluster, check_started
from helm.benchmark.cluster.worker_pool import NotWanted, Worker, WorkerLost, WorkerPool
from helm.benchmark.cluster.worker_setup import WorkerSetup, forwarded_environment
from helm.benchmark.runner_config_registry import RunnerConfigSpec
from helm.common.budgets.spending import Spent, get_ledger
from helm.common.codec import dump_json, from_json
from helm.common.hierarchical_logger import hlog
from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.progress import current_run

# Time for a worker to write pending data before it is killed.
_END_WITHIN_S = 10.0
_SPARE_THREADS = 2
"""Threads reserved in a worker for `stop` and `close` while all its shares are in use."""


def import_ray() -> Any:
    """Import Ray. Raises: OptionalDependencyNotInstalled."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with needs_extra("ray"):
        import ray
    return ray


@contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """Connect to a cluster inside the block, and yield the module `ray`.

    The cluster is that of `address`, else the one that this process is already connected to, else the one that Ray
    finds, else a new one on this machine, which is stopped at the end.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as e:
        raise ClusterError(f"Cannot reach the Ray cluster at {address or 'this machine'}: {e}") from e
    try:
        yield ray
    finally:
        ray.shutdown()


class RayStarter:
    """Starts workers as Ray actors; see `worker_pool.Starter`."""

    def __init__(self, ray: Any, hub: Any, setup: Callable[[Demand], WorkerSetup], start_timeout_s: float):
        self._ray, self._hub, self._setup = ray, hub, setup
        self._start_timeout_s = start_timeout_s
        self._budget = dump_json(get_ledger().budget)
        self._names: dict[Any, str] = {}
        """Actor -> the name under which the hub knows it."""

    def start(self, name: str, demand: Demand, is_wanted: Callable[[], bool], make_room: Callable[[], bool]) -> Any:
        from helm.benchmark.cluster.ray_actors import RayWorker
        from helm.benchmark.cluster.worker_pool import SHARES

        options: dict[str, Any] = dict(num_cpus=demand.num_cpus, num_gpus=demand.num_gpus, max_restarts=0)
        if demand.memory_bytes:
            options["memory"] = demand.memory_bytes
        if demand.custom:
            options["resources"] = demand.custom
        options["max_concurrency"] = SHARES + _SPARE_THREADS
        actor = self._ray.remote(RayWorker).options(**options).remote(name, self._hub)
        try:
            setup = dump_json(self._setup(demand))
            started = actor.prepare.remote(setup, self._budget, forwarded_environment())
            self._wait(started, demand, is_wanted, make_room)
            check_started(self.result(started))
        except BaseException:
            self._ray.kill(actor)
            raise
        self._names[actor] = name
        return actor

    def _wait(self, started: Any, demand: Demand, is_wanted: Callable[[], bool], make_room: Callable[[], bool]) -> None:
        deadline = time.monotonic() + self._start_timeout_s
        while not self._ray.wait([started], timeout=1.0)[0]:
            if not is_wanted():
                raise NotWanted
            make_room()
            if self._has_machine_for(
                demand
            ):  # the machine is busy, perhaps with other commands, or the worker is starting
                deadline = time.monotonic() + self._start_timeout_s
            elif time.monotonic() > deadline:
                raise ClusterError(
                    f"No machine of the cluster has {demand}, and none joined within {self._start_timeout_s:g} s. There are: "
                    f"{self._machines()}. Ask for less in the field resources of the deployment, or wait longer: "
                    "ray_start_timeout_s in runner_config.yaml."
                )

    def _has_machine_for(self, demand: Demand) -> bool:
        wanted = {"CPU": demand.num_cpus, "GPU": demand.num_gpus, "memory": demand.memory_bytes, **demand.custom}
        machines = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return any(all(has.get(name, 0) >= number for name, number in wanted.items()) for has in machines)

    def _machines(self) -> str:
        shown = []
        for node in self._ray.nodes():
            if node["Alive"]:
                resources = node["Resources"]
                custom = [f"{number:g} {key}" for key, number in sorted(resources.items()) if ":" not in key]
                shown.append(f"{node['NodeManagerHostname']} ({', '.join(c for c in custom if 'memory' not in c)})")
        return "; ".join(shown) or "there are none"

    def result(self, reference: Any) -> Any:
        """Return the result of a call. Raises: WorkerLost if its process is gone."""
        from ray.exceptions import RayError, RayTaskError

        try:
            return self._ray.get(reference)
        except RayTaskError:
            raise  # a bug in this package, with the worker's traceback
        except RayError as e:
            raise WorkerLost(_first_line(e)) from e

    def end(self, handle: Any) -> None:
        try:
            self._ray.wait([handle.close.remote()], timeout=_END_WITHIN_S)
        finally:
            self._ray.kill(handle)
            name = self._names.pop(handle, None)
            if name is not None:
                self._hub.forget.remote(name)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).split("\n") if line.strip()] or [type(error).__name__]
    return next((line for line in lines if "is dead because" in line), lines[0])[:300]


class RayCluster(WorkerCluster):
    """A cluster for one command. Used in a `with` statement, in the context (of Ctrl-C) in which runs are awaited."""

    def __init__(self, ray: Any, setup: WorkerSetup, config: RunnerConfigSpec, max_workers: int | None, wanted: int):
        """Prepare the cluster.

        Args:
            setup: the workers' setup.
            max_workers: maximum number of workers. None means the number of the cluster's processors.
            wanted: number of workers for which there is work.
        """
        self._ray = ray
        hub_class = _hub_class(ray)
        before = get_ledger().spent()
        budget = dump_json(get_ledger().budget)
        self._hub = hub_class.remote(budget, dump_json(before), setup.spending_file or "")
        self._counted = before
        cpus = int(ray.cluster_resources().get("CPU", 1))
        most = max(1, min(max_workers or cpus, wanted))
        share = max(1, setup.settings.max_in_flight // most)

        def setup_for(demand: Demand) -> WorkerSetup:
            return replace(setup, max_in_flight=share)

        self.starter = RayStarter(ray, self._hub, setup_for, config.ray_start_timeout_s)
        super().__init__(WorkerPool(self.starter, most, config.max_worker_retries))
        num_machines = sum(bool(node["Alive"]) for node in ray.nodes())
        hlog(f"Ray: {num_machines} machines, {cpus} processors; at most {most} workers")

    def __exit__(self, *exc_info: Any) -> None:
        super().__exit__(*exc_info)
        self._ray.kill(self._hub)

    def _stop(self, handle: Any) -> None:
        handle.stop.remote()

    def _fetch_reports(self) -> list[tuple[str, str]]:
        reports, spent_text = self._ray.get([self._hub.take_reports.remote(), self._hub.spent.remote()])
        spent = from_json(spent_text, Spent)
        news = spent_since(spent, self._counted)
        self._counted = spent
        if news != no_spending():
            get_ledger().add(news)
        return reports

    def run(self, what: str, demand: Demand, run_spec: str, sources: str) -> Outcome:
        """Execute a whole run on a worker; its progress is added to `current_run()`."""
        self.expect(current_run())

        def work(worker: Worker) -> Outcome:
            return from_json(self.starter.result(worker.handle.run.remote(run_spec, sources)), Outcome)

        with self.told_of():
            return self.pool.run(what, demand, work)

    def answers(self, worker: Worker, shard: str) -> Iterator[str]:
        """Yield what `RayWorker.execute` yields. Raises: WorkerLost."""
        from ray.exceptions import RayError, RayTaskError

        references = worker.handle.execute.options(num_returns="streaming").remote(shard)
        while True:
            try:
                reference = next(references)
            except StopIteration:
                return
            except RayTaskError:
                raise
            except RayError as e:
                raise WorkerLost(_first_line(e)) from e
            yield self.starter.result(reference)


def _hub_class(ray: Any) -> Any:
    """Return the hub's class, pinned to the command's own machine, so that losing another one does not affect it."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from helm.benchmark.cluster.hub import Hub

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(Hub).options(num_cpus=0, max_concurrency=16, scheduling_strategy=here)
