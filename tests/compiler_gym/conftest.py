"""Makes the toy compiler importable here and in service processes, which inherit our import path."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def toy_service() -> Iterator[Any]:
    from toy_compiler import TOY_BACKEND

    from helm.compiler_gym.runtime.service_client import InProcessConnection

    with InProcessConnection(TOY_BACKEND) as connection:
        yield connection


@pytest.fixture(scope="module")
def toy_process() -> Iterator[Any]:
    """A toy service in a child process, shared by the tests of a module that leave it as they found it."""
    from toy_compiler import TOY_BACKEND

    from helm.compiler_gym.runtime.service_client import LocalServiceConnection

    connection = LocalServiceConnection(TOY_BACKEND)
    yield connection
    connection.kill()
