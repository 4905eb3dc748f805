"""A subject that answers with the kernels of the package, without network, key or weights."""

from __future__ import annotations

import re

from helm.clients.baseline_clients import BaselineClient
from helm.common.request import GeneratedOutput, Request
from helm.kernels.catalogue import DTYPES, LANGUAGES, OPERATIONS
from helm.kernels.embedded import embedded_kernel

_FIRST_LINE = re.compile(r"^Operation: (\w+), language: (\S+), type: (\w+)$", re.MULTILINE)


class KernelBaselineClient(BaselineClient):
    """Answers a prompt of `KernelProgrammingScenario` with a plain kernel: loops in C, a line or two of a library.

    The NumPy kernels are the reference that speeds are measured against, so their speedup is about 1.
    """

    def complete(self, request: Request, prompt: str) -> list[GeneratedOutput]:
        match = _FIRST_LINE.search(prompt)
        languages = {title: name for name, title in LANGUAGES.items()}
        if match is None or match[1] not in OPERATIONS or match[2] not in languages or match[3] not in DTYPES:
            raise ValueError("it only answers the prompts of kernel_programming")
        kernel = embedded_kernel(match[1], languages[match[2]], match[3])
        if kernel is None:
            raise ValueError(f"it has no kernel in {match[2]} for {match[1]}")
        text = f"```\n{kernel}```\n"
        return [
            GeneratedOutput(text=text, logprob=0.0, tokens=[], finish_reason={"reason": "stop"})
        ] * request.num_completions
