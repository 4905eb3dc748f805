"""Which worker does what, with workers that are plain objects and a cluster of a few places."""

import threading
import time

import pytest

from helm.benchmark.cluster import worker_pool
from helm.benchmark.cluster.demand import Demand
from helm.benchmark.cluster.worker_pool import NotWanted, WorkerLost, WorkerLostError, WorkerPool

ANY = Demand()
SHARED = Demand(is_exclusive=False)
HEAVY = Demand({"num_gpus": 1}, "heavy/model")
OTHER = Demand({"num_gpus": 1}, "other/model")


class Places:
    """A cluster with so many places for heavy workers, and any number for others."""

    def __init__(self, num_heavy=1):
        self.started, self.ended = [], []
        self._free = num_heavy
        self._lock = threading.Lock()

    def start(self, name, demand, is_wanted, make_room):
        while True:
            with self._lock:
                if not demand.deployment or self._free:
                    self._free -= bool(demand.deployment)
                    self.started.append(demand.deployment)
                    return (name, demand)
            if not is_wanted():
                raise NotWanted
            make_room()
            time.sleep(0.005)

    def end(self, handle):
        with self._lock:
            self.ended.append(handle[0])
            self._free += bool(handle[1].deployment)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(worker_pool, "_PATIENCE_S", 0.05)


def run_all(pool, demands, work=lambda worker: time.sleep(0.05)):
    """Everything at the same time; the names of workers by position."""
    names = {}

    def run(i):
        def note(worker):
            names[i] = worker.name
            work(worker)

        pool.run(f"run {i}", demands[i], note)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(demands))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive(), "somebody waits for ever"
    return names


def test_runs_that_wait_share_a_worker_when_there_are_no_more():
    pool = WorkerPool(Places(), max_workers=2, max_retries=0)
    most = []
    names = run_all(pool, [SHARED] * 10, lambda worker: (time.sleep(0.1), most.append(len(worker.users))))
    assert set(names.values()) == {"worker 1", "worker 2"} and max(most) > 1


def test_exclusive_runs_have_a_worker_for_themselves():
    pool = WorkerPool(Places(), max_workers=2, max_retries=0)
    run_all(pool, [ANY, SHARED, ANY, SHARED, ANY], lambda worker: _alone(worker))


def _alone(worker):
    for _ in range(10):
        exclusive = [user for user in worker.users if user.is_exclusive]
        assert not exclusive or len(worker.users) == 1
        time.sleep(0.002)


def test_a_loaded_model_is_kept_while_somebody_wants_it():
    places = Places(num_heavy=1)
    pool = WorkerPool(places, max_workers=2, max_retries=0)
    run_all(pool, [HEAVY] * 4 + [ANY] * 3)
    assert places.started.count("heavy/model") == 1


def test_an_idle_worker_makes_room_for_another_model():
    places = Places(num_heavy=1)
    pool = WorkerPool(places, max_workers=3, max_retries=0)
    run_all(pool, [HEAVY, HEAVY, OTHER, OTHER])
    assert sorted(places.started) == ["heavy/model", "other/model"]


def test_a_lost_worker_is_replaced_as_often_as_allowed():
    places = Places()
    pool = WorkerPool(places, max_workers=1, max_retries=2)
    losses = iter([True, True, False])

    def work(worker):
        if next(losses):
            raise WorkerLost("killed")
        return worker.name

    assert pool.run("run", ANY, work) == "worker 3" and places.ended == ["worker 1", "worker 2"]
    with pytest.raises(
        WorkerLostError, match="run: 3 workers were lost in a row, the last one because of this: killed"
    ):
        pool.run("run", ANY, lambda worker: (_ for _ in ()).throw(WorkerLost("killed")))


def test_a_worker_that_is_lost_before_it_is_ready_is_replaced(monkeypatch):
    places = Places()
    start, losses = places.start, iter([True, True, False])

    def start_or_die(*args):
        if next(losses):
            raise WorkerLost("killed")
        return start(*args)

    monkeypatch.setattr(places, "start", start_or_die)
    pool = WorkerPool(places, max_workers=1, max_retries=2)
    assert pool.run("run", ANY, lambda worker: worker.name) == "worker 3"


def test_errors_of_the_work_are_not_tried_again():
    pool = WorkerPool(Places(), max_workers=1, max_retries=5)
    calls = []
    with pytest.raises(ZeroDivisionError):
        pool.run("run", ANY, lambda worker: (calls.append(1), 1 / 0))
    assert calls == [1] and pool.run("run", ANY, lambda worker: worker.name) == "worker 1"


def test_a_closed_pool_gives_nothing_more():
    pool = WorkerPool(Places(), max_workers=1, max_retries=0)
    pool.close()
    with pytest.raises(KeyboardInterrupt):
        pool.run("run", ANY, lambda worker: None)


def test_an_idle_worker_stays_for_one_that_is_about_to_take_it():
    places = Places(num_heavy=1)
    pool = WorkerPool(places, max_workers=4, max_retries=0)
    discard = pool._discard

    def discard_while_another_makes_room(worker):
        discard(worker)
        with pool._changed:
            pool._end_idle()

    pool._discard = discard_while_another_makes_room
    names = run_all(pool, [HEAVY, HEAVY, HEAVY])
    assert len(names) == 3 and len(set(names.values())) == 1
    assert places.started == ["heavy/model"] and places.ended == []
