"""The kernels that come with the package: the reference, and plain ones in other languages."""

from __future__ import annotations

from functools import cache
from importlib import resources

import yaml

from helm.kernels.catalogue import COMPILED, DTYPES

_HEAD = "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n\ntypedef {number} real;\n\n"


@cache
def _read(name: str) -> dict[str, str]:
    text = resources.files("helm.kernels").joinpath("programs", f"{name}.yaml").read_text(encoding="utf-8")
    kernels: dict[str, str] = yaml.safe_load(text)
    return kernels


def embedded_kernel(operation: str, language: str, dtype: str) -> str | None:
    """Return the source of the package's kernel for an operation; None if there is none in the language."""
    source = _read("c" if language in COMPILED else language).get(operation)
    if source is None or language not in COMPILED:
        return source
    if language == "cpp":
        source = source.replace("void kernel(", 'extern "C" void kernel(')
    return _HEAD.format(number=DTYPES[dtype]) + source


def reference_kernel(operation: str) -> str:
    """Return the NumPy kernel that speeds are measured against."""
    return _read("numpy")[operation]
