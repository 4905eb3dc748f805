"""CompilerGym with Gym's API from before version 0.26: `import helm.compiler_gym.legacy as compiler_gym`.

`reset` returns an observation, and `step` returns (observation, reward, done, info). The modules have the paths that they
have below `helm.compiler_gym`, and the same contents, but for the classes of environments, which are subclasses here.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from helm.compiler_gym.legacy import old_names

old_names.install()


def make(id: str, **kwargs: Any) -> Any:
    """Create an environment with the old API, which the caller closes. See `helm.compiler_gym.registration.make`."""
    from helm.compiler_gym import registration

    env = registration.make(id, old_names.get_old_class, **kwargs)
    env.unwrapped.old_api = True
    return env


def random_search(
    make_env: Callable[[], Any],
    outdir: str | Path | None = None,
    total_runtime: float | None = 600,
    patience: int = 0,
    nproc: int = 2,
    skip_done: bool = False,
) -> Any:
    """Search as `helm.compiler_gym.random_search` does; returns an environment in the best state, which the caller closes."""
    from helm.compiler_gym.random_search import random_search as search

    found = search(make_env, outdir, total_runtime, patience, nproc, skip_done)
    env = make_env()
    env.reset()
    if found.actions:
        env.multistep(found.actions)
    return env


def __getattr__(name: str) -> Any:
    return old_names.find_old("helm.compiler_gym.legacy", name)
