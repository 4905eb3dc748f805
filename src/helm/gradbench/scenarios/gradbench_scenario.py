from __future__ import annotations

from dataclasses import fields
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.gradbench.evals.eval import Eval
from helm.gradbench.evals.registry import get_eval_class
from helm.gradbench.scenarios.eval_scenario import EvalScenario


class GradbenchScenario(EvalScenario):
    """Any eval of GradBench by its name: one instance for each evaluation that it asks for.

    Args:
        eval_name: for example ``kmeans``.
        settings: fields of the eval's class; what is not said has the eval's own default.
    Raises: ConfigError for an eval or a setting that does not exist.
    """

    def __init__(self, eval_name: str, **settings: Any):
        super().__init__()
        eval_class = get_eval_class(eval_name)
        known = [field.name for field in fields(eval_class)]  # type: ignore[arg-type]
        for setting in settings:
            if setting not in known:
                takes = ", ".join(known) or "none"
                raise ConfigError(
                    f"The eval {eval_name} has no setting '{setting}'. It takes: {takes}.{suggest(setting, known)}"
                )
        self._eval = eval_class(**{name: tuple(v) if isinstance(v, list) else v for name, v in settings.items()})
        self.name = f"gradbench_{eval_name}"
        self.description = " ".join((eval_class.__doc__ or "").split("\n\n")[0].split())

    def make_eval(self) -> Eval:
        return self._eval
