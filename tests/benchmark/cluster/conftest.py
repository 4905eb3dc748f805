"""A Ray cluster of two machines on this one, and a model behind HTTP."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cluster_support import CountingModel
from database_servers import postgres_uri, redis_uri

__all__ = ["cluster_to_break", "model", "postgres_uri", "ray_cluster", "redis_uri"]


@pytest.fixture
def model():
    model = CountingModel()
    yield model
    model.close()


@contextmanager
def two_machines() -> Iterator[Any]:
    """A cluster for commands; one processor each, and the second machine has something called `accelerator_x`.

    Yields the cluster of Ray's own tests, whose second machine is `worker_nodes`.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")  # a slow machine
    pytest.importorskip("ray", reason="pip install ray")
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HELM_TEST_CLUSTER", uuid.uuid4().hex)
        node = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=node)
        cluster.add_node(num_cpus=1, object_store_memory=80_000_000, resources={"accelerator_x": 1})
        cluster.wait_for_nodes()
        environment.setenv("RAY_ADDRESS", cluster.address)
        yield cluster
        cluster.shutdown()


@pytest.fixture(scope="session")
def ray_cluster():
    """A cluster of two machines, by the mark that its processes have in their environment."""
    with two_machines():
        yield os.environ["HELM_TEST_CLUSTER"]


@pytest.fixture
def cluster_to_break():
    """A cluster of two machines for one test."""
    with two_machines() as cluster:
        yield cluster
