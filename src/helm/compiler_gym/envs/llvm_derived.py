"""Observations of LLVM environments that the client computes from those of the service."""

from collections.abc import Mapping
from collections.abc import Sequence as SequenceOf
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from helm.compiler_gym.backends.cpu_info import CACHE_NAMES
from helm.compiler_gym.backends.llvm_features import AUTOPHASE_NAMES, INST_COUNT_NAMES
from helm.compiler_gym.envs.gym_spaces import Box, Dict, Scalar, Sequence

_COUNTS = [f"{name}Count" for name in INST_COUNT_NAMES]
_DENSITIES = [f"{name}Density" for name in INST_COUNT_NAMES[1:]]
_MAX_INT64 = 2**63 - 1


class Token(NamedTuple):
    """One word of the printed module."""

    ID: int
    kind: str
    category: str
    value: str


@cache
def get_derived_spaces() -> SequenceOf[Mapping[str, Any]]:
    """Arguments of `ObservationView.add_derived_space`, one mapping for each."""
    densities = Box(0.0, 1.0, shape=(len(_DENSITIES),), dtype=np.float32, name="InstCountNorm")
    return [
        {
            "id": "InstCountDict",
            "base_id": "InstCount",
            "translate": _to_counts,
            "space": _make_dict(_COUNTS, np.int64),
        },
        {"id": "InstCountNorm", "base_id": "InstCount", "translate": _to_densities, "space": densities},
        {
            "id": "InstCountNormDict",
            "base_id": "InstCount",
            "translate": lambda counts: dict(zip(_DENSITIES, map(float, _to_densities(counts)), strict=True)),
            "space": _make_dict(_DENSITIES, float),
        },
        {
            "id": "AutophaseDict",
            "base_id": "Autophase",
            "translate": lambda features: dict(zip(AUTOPHASE_NAMES, map(int, features), strict=True)),
            "space": _make_dict(AUTOPHASE_NAMES, np.int64),
        },
        {"id": "CpuInfoDict", "base_id": "CpuInfo", "translate": dict, "space": _make_cpu_space(), "default_value": {}},
        {"id": "LexedIrTuple", "base_id": "LexedIr", "translate": _to_tokens},
    ]


def _make_dict(names: SequenceOf[str], dtype: Any) -> Dict:
    largest: Any = 1.0 if dtype is float else _MAX_INT64
    return Dict({name: Scalar(name, dtype(0), largest, dtype) for name in names})


def _make_cpu_space() -> Dict:
    """Return the space of the description of this machine's processor: a size of -1 is unknown."""
    spaces: dict[str, Any] = {"name": Sequence("name", (0, None), str), "cores_count": _make_scalar("cores_count", 1)}
    for cache_name in CACHE_NAMES:
        for name, smallest in ((f"{cache_name}_cache_size", -1), (f"{cache_name}_cache_count", 0)):
            spaces[name] = _make_scalar(name, smallest)
    return Dict(spaces)


def _make_scalar(name: str, smallest: int) -> Scalar:
    return Scalar(name, np.int64(smallest), _MAX_INT64, np.int64)


def _to_counts(counts: Any) -> dict[str, int]:
    return dict(zip(_COUNTS, map(int, counts), strict=True))


def _to_densities(counts: Any) -> Any:
    """Divide all counts by the number of instructions; shape (69,), the totals of blocks and functions first."""
    return (counts[1:] / max(counts[0], 1)).astype(np.float32)


def _to_tokens(tokens: Mapping[str, Any]) -> list[Token]:
    columns = (tokens[f"token_{name}"] for name in ("id", "kind", "category", "value"))
    return [Token(int(number), *words) for number, *words in zip(*columns, strict=True)]
