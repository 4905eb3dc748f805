"""The data sets that `helm-run` knows by name: those of CompilerGym on the web, and the generators."""

import os
from functools import cache
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError, ScenarioError, suggest
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.generators import (
    CSMITH,
    HELM_STRESS,
    LLVM_STRESS,
    CsmithDataset,
    HelmStressDataset,
    LlvmStressDataset,
)
from helm.compiler_gym.benchmarks.loop_nests import LoopToolDataset
from helm.compiler_gym.benchmarks.mlir_programs import MLIR_MATMUL, MatmulDataset, MlirDataset
from helm.compiler_gym.benchmarks.public_datasets import get_public_sets, make_public_datasets
from helm.compiler_gym.datasets import Dataset, Datasets

SITE_DATA_VARIABLE = "COMPILER_GYM_SITE_DATA"
"""Environment variable with the folder of the data sets, as in CompilerGym."""

_GENERATORS = {
    "csmith-v0": CSMITH,
    "helm-stress-v0": HELM_STRESS,
    "llvm-stress-v0": LLVM_STRESS,
    "mlir-matmul-v0": MLIR_MATMUL,
}
"""Short name -> full name of the infinite data sets."""


def get_site_data_path() -> Path:
    """The folder for data sets: `$COMPILER_GYM_SITE_DATA`, else one below the user's data folder."""
    named = os.environ.get(SITE_DATA_VARIABLE)
    return Path(named) if named else Path("~/.local/share/helm/compiler_gym").expanduser()


def get_data_sets(family: str, site_data_path: Path | None = None) -> Datasets:
    """Return the data sets for a family of compilers: those of C sources also for `gcc`.

    Args:
        family: `llvm`, `gcc`, `mlir` or `loop_tool`; another one has none.
        site_data_path: folder below which they are kept. Default: see `get_site_data_path`.
    """
    return _make_data_sets(family, get_site_data_path() if site_data_path is None else Path(site_data_path))


@cache
def _make_data_sets(family: str, base: Path) -> Datasets:
    sets: list[Dataset] = []
    if family in ("llvm", "gcc"):
        sets.append(CsmithDataset(family))
    if family == "llvm":
        sets += [HelmStressDataset(), LlvmStressDataset()]
    if family == "mlir":
        sets += [MlirDataset(), MatmulDataset()]
    if family == "loop_tool":
        sets += [LoopToolDataset()]
    if family in ("llvm", "gcc"):
        sets += make_public_datasets(family, base)
    return Datasets(sets)


def find_program(uri: str, family: str) -> Any | None:
    """Return the `proto.Benchmark` of a program in one of the data sets, or None for any other URI.

    Raises: ScenarioError when the data set has no such program or is not available.
    """
    data_sets = get_data_sets(family)
    parsed = BenchmarkUri.from_string(uri)
    if not parsed.dataset or uri not in data_sets:
        return None
    try:
        return data_sets.benchmark(uri).proto
    except LookupError as error:
        raise ScenarioError(str(error)) from error
    except (HelmError, OSError) as error:
        raise ScenarioError(f"The program {uri} cannot be fetched: {error}") from error


def list_uris(name: str, family: str, limit: int | None = None) -> list[str] | None:
    """List the URIs of the programs of a data set; None when there is no data set of this name.

    Args:
        name: such as `cbench-v1` or `generator://csmith-v0`.
        limit: the largest number of URIs, from the first on; generators need it.
    Raises: ScenarioError for a generator without limit, or when the data set is not available.
    """
    from itertools import islice

    data_sets = get_data_sets(family)
    full = name if "://" in name else f"benchmark://{name}"
    full = _GENERATORS.get(name, full).rstrip("/")
    if not BenchmarkUri.from_string(full).dataset or full not in data_sets:
        return None
    data_set = data_sets[full]
    if full in _GENERATORS.values() and limit is None:
        raise ScenarioError(f"{full} is infinite; say how many programs to take with max_programs=N.")
    try:
        return list(islice(data_set.benchmark_uris(), limit))
    except (HelmError, OSError) as error:
        raise ScenarioError(f"The data set {full} cannot be fetched: {error}") from error


def suggest_data_set(name: str) -> str:
    """Return `Did you mean ...?` for an unknown name."""
    return suggest(name, [*get_public_sets(), *_GENERATORS])
