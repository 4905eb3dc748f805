"""A compiler that crashes when two passes are applied to one program."""

import os
from typing import Any

from helm.compiler_gym.backends.llvm import LlvmSession

CRASHING = {"-sroa", "-simplifycfg"}


class BrokenLlvm(LlvmSession):
    """LLVM with a defect."""

    _applied: frozenset[str] = frozenset()

    def apply_action(self, action: Any) -> Any:
        self._applied |= {self.get_action_name(action)}
        if self._applied >= CRASHING:
            os._exit(7)
        return super().apply_action(action)
