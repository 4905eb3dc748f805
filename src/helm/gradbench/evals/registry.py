"""The evals by name. Each lives in a module of its own, imported when it is first asked for."""

from __future__ import annotations

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name
from helm.gradbench.evals.eval import Eval

_EVALS = "helm.gradbench.evals"
_CLASS_PATHS = {
    "ba": f"{_EVALS}.ba.BaEval",
    "det": f"{_EVALS}.det.DetEval",
    "gmm": f"{_EVALS}.gmm.GmmEval",
    "hello": f"{_EVALS}.hello.HelloEval",
    "ht": f"{_EVALS}.ht.HtEval",
    "kmeans": f"{_EVALS}.kmeans.KmeansEval",
    "llsq": f"{_EVALS}.llsq.LlsqEval",
    "lse": f"{_EVALS}.lse.LseEval",
    "lstm": f"{_EVALS}.lstm.LstmEval",
    "ode": f"{_EVALS}.ode.OdeEval",
    "particle": f"{_EVALS}.particle.ParticleEval",
    "saddle": f"{_EVALS}.saddle.SaddleEval",
}
EVAL_NAMES = tuple(_CLASS_PATHS)


def get_eval_class(name: str) -> type[Eval]:
    """The class of the eval ``name``. Raises ``ConfigError`` for an unknown one."""
    if name not in _CLASS_PATHS:
        known = ", ".join(EVAL_NAMES)
        raise ConfigError(f"Unknown eval '{name}'. The evals are {known}.{suggest(name, EVAL_NAMES)}")
    return get_class_by_name(_CLASS_PATHS[name])
