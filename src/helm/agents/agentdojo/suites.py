"""Suites, tasks and attacks, from the package `agentdojo`.

They are programs, so the package is used as it is, in this process; it keeps everything in memory and needs no network.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.common.optional_dependencies import needs_extra

EXTRA = "agentdojo"
NO_ATTACK = "none"


def get_suite(name: str, version: str) -> Any:
    """Return a `TaskSuite` of the package.

    Raises:
        OptionalDependencyNotInstalled: The package is missing.
        ConfigError: There is no such suite or version.
    """
    with needs_extra(EXTRA):
        from agentdojo.task_suite.load_suites import get_suites
    suites = get_suites(version)
    if not suites:
        raise ConfigError(f"agentdojo: the installed package has no version '{version}', such as v1.2.2.")
    if name not in suites:
        raise ConfigError(f"agentdojo: suite takes {', '.join(sorted(suites))}, not '{name}'.{suggest(name, suites)}")
    return suites[name]


def choose(tasks: dict[str, Any], ids: Sequence[str] | None, what: str) -> dict[str, Any]:
    """Return the tasks with the given ids; None for all. Raises: ConfigError for an unknown one."""
    for task_id in ids or ():
        if task_id not in tasks:
            raise ConfigError(f"agentdojo: there is no {what} '{task_id}'.{suggest(task_id, tasks)}")
    return dict(tasks) if ids is None else {task_id: tasks[task_id] for task_id in ids}


class Injections:
    """The texts that an attack puts into the places that the tools of a task read.

    Args:
        suite: of the package.
        attack: its name in the package, without those that deny service, and `manual`.
        addressed_as: what the texts call the model, such as `GPT-4`; one of the package's names.
    Raises: ConfigError for an unknown attack or name.
    """

    def __init__(self, suite: Any, attack: str, addressed_as: str):
        with needs_extra(EXTRA):
            from agentdojo.agent_pipeline import BasePipelineElement
            from agentdojo.attacks.attack_registry import ATTACKS, load_attack
            from agentdojo.models import MODEL_NAMES

        known = [name for name, made in ATTACKS.items() if name != "manual" and not made.is_dos_attack]
        if attack not in known:
            takes = ", ".join([*known, NO_ATTACK])
            raise ConfigError(f"agentdojo: attack takes {takes}, not '{attack}'.{suggest(attack, known)}")
        # A pipeline tells the attack what its model is called, by a name that contains the name of a model.
        models = {shown: name for name, shown in MODEL_NAMES.items()}
        if addressed_as not in models:
            raise ConfigError(
                f"agentdojo: addressed_as takes {', '.join(models)}, not '{addressed_as}'.{suggest(addressed_as, models)}"
            )

        class Target(BasePipelineElement):
            name = models[addressed_as]

            def query(self, *args: Any, **kwargs: Any) -> Any:
                raise NotImplementedError("It only has a name.")

        self._attack = load_attack(attack, suite, Target())
        # The places that a task reads are found by doing it, once and not for each goal.
        self._attack.get_injection_candidates = lru_cache(maxsize=None)(self._attack.get_injection_candidates)

    def of(self, user_task: Any, injection_task: Any) -> dict[str, str]:
        """Return the texts by the names of their places."""
        return dict(self._attack.attack(user_task, injection_task))
