"""The benchmark of runs with many pictures, small: nothing is stored or paid twice, whenever the command is killed."""

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "media.py"
NUM_PICTURES, SIDE, NUM_KILLS = 80, 64, 2


@pytest.fixture(scope="module")
def media_benchmark():
    spec = importlib.util.spec_from_file_location("media_benchmark", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["in", "out"])
def test_pictures_are_stored_once_and_paid_once(kind, media_benchmark):
    ran = media_benchmark.run(kind, NUM_PICTURES, SIDE, latency_s=0.5, at_once=20, kills=NUM_KILLS)
    size = len(media_benchmark.noise(b"", SIDE))
    assert ran.log["distinct"] == ran.num_pictures == NUM_PICTURES
    assert ran.paid_twice == 0 and ran.log["answers"] <= NUM_PICTURES + 20 * NUM_KILLS
    num_bytes = NUM_PICTURES * size
    assert num_bytes <= ran.stored_bytes < 1.9 * num_bytes, (
        "beside pictures of 12 KB, each request has a few KB of text"
    )
