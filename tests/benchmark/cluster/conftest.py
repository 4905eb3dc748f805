"""A Ray cluster of two machines on this one, and a model behind HTTP."""

import os
import uuid

import pytest

from cluster_support import CountingModel
from database_servers import postgres_uri, redis_uri

__all__ = ["model", "postgres_uri", "ray_cluster", "redis_uri"]


@pytest.fixture
def model():
    model = CountingModel()
    yield model
    model.close()


@pytest.fixture(scope="session")
def ray_cluster():
    """Its address, for commands; one processor each, and the second one has something called `accelerator_x`."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")  # a slow machine
    pytest.importorskip("ray", reason="pip install ray")
    from ray.cluster_utils import Cluster

    mark = os.environ["HELM_TEST_CLUSTER"] = uuid.uuid4().hex
    node = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(num_cpus=1, object_store_memory=80_000_000, resources={"accelerator_x": 1})
    cluster.wait_for_nodes()
    os.environ["RAY_ADDRESS"] = cluster.address
    yield mark
    del os.environ["RAY_ADDRESS"], os.environ["HELM_TEST_CLUSTER"]
    cluster.shutdown()
