"""The draws of numpy's generators, made without numpy, equal numpy's for many seeds and sizes."""

import random
import subprocess
import sys

import numpy as np
import pytest

from helm.common.random_draws import (
    hub_shuffle,
    numpy_below,
    numpy_choice,
    numpy_permutation,
    pandas_sample,
    shuffle_with,
)

SEEDS = [0, 1, 2, 42, 1234, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, *random.Random(0).sample(range(2**32), 40)]
EDGES = [1, 2, 3, 4, 5, 255, 256, 257, 2**16, 2**16 + 1, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32]


@pytest.mark.parametrize("seed", SEEDS)
def test_bounded_integers(seed):
    state, below = np.random.RandomState(seed), numpy_below(seed)
    words = state.randint(0, 2**32, size=2000, dtype=np.uint32)  # more than the generator makes at once
    assert [below(2**32) for _ in range(2000)] == words.tolist()
    for n in EDGES * 3:
        assert below(n) == state.randint(0, n, dtype=np.uint32 if n <= 2**32 else np.uint64), n
    for n in EDGES * 3:
        if n < 2**31:
            assert [below(n) for _ in range(5)] == state.choice(n, size=5).tolist(), n


@pytest.mark.parametrize("seed", SEEDS)
def test_one_value_alone_takes_nothing_from_the_stream(seed):
    state, below = np.random.RandomState(seed), numpy_below(seed)
    assert [below(1), below(1)] == state.randint(0, 1, size=2).tolist() == [0, 0]
    assert below(2**32) == state.randint(0, 2**32, dtype=np.uint32)


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_and_choices(seed):
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 64, 65, 700, 1025]:
        order = np.random.RandomState(seed).permutation(count).tolist()
        assert numpy_permutation(count, seed) == order
        shuffled = list(range(count))
        np.random.RandomState(seed).shuffle(shuffled)
        ours = list(range(count))
        shuffle_with(numpy_below(seed), ours)
        assert ours == shuffled
        for size in {0, count // 2, count}:
            if count:
                choice = np.random.RandomState(seed).choice(count, size=size, replace=False).tolist()
                assert numpy_choice(count, size, seed) == pandas_sample(count, size, seed) == choice


def test_a_stream_goes_on_after_a_shuffle():
    state, below = np.random.RandomState(7), numpy_below(7)
    for n in range(1, 50):
        ours, theirs = list(range(n)), list(range(n))
        shuffle_with(below, ours)
        state.shuffle(theirs)
        assert ours == theirs and below(n) == state.randint(n)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_that_numpy_refuses_are_refused(seed):
    with pytest.raises(ValueError, match="Seed must be between 0 and"):
        np.random.RandomState(seed)
    with pytest.raises(ValueError, match="Seed must be between 0 and"):
        numpy_below(seed)


def test_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match="4 of 3"):
        numpy_choice(3, 4, 0)


def test_the_hub_library_has_a_generator_of_its_own():
    order = np.random.default_rng(42).permutation(20).tolist()
    assert hub_shuffle([f"row {i}" for i in range(20)], 42) == [f"row {i}" for i in order]


def test_numpy_is_not_loaded_for_it():
    code = (
        "import sys\n"
        "from helm.common.random_draws import pandas_sample\n"
        "assert pandas_sample(25, 2, 1234) == [7, 16]\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
