"""A prompt in parts, so that in-context examples can be dropped until it fits."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from helm.benchmark.adaptation.adapter_spec import Substitution


@dataclass(frozen=True)
class Prompt:
    """The text `global_prefix + instance_prefix.join(blocks) + global_suffix`, then the substitutions; nothing is stripped."""

    global_prefix: str = ""

    global_suffix: str = ""

    instance_prefix: str = "\n"
    """Separates the blocks."""

    substitutions: list[Substitution] = field(default_factory=list)
    """Applied in order to the whole text."""

    instructions_block: str = ""
    """The first block; left out when empty."""

    train_instance_blocks: list[str] = field(default_factory=list)
    """One block per in-context example."""

    eval_instance_block: str = ""
    """The last block."""

    truncated_text: str | None = None
    """The truncated text, if the prompt without examples was still too long."""

    @cached_property
    def text(self) -> str:
        # HELM: a prompt that was truncated to nothing is sent whole.
        if self.truncated_text:
            return self.truncated_text
        blocks = [*self.train_instance_blocks, self.eval_instance_block]
        if self.instructions_block:
            blocks.insert(0, self.instructions_block)
        text = f"{self.global_prefix}{self.instance_prefix.join(blocks)}{self.global_suffix}"
        for substitution in self.substitutions:
            text = re.sub(substitution.source, substitution.target, text)
        return text

    @property
    def truncated(self) -> bool:
        return self.truncated_text is not None

    @property
    def num_train_instances(self) -> int:
        """Number of in-context examples left."""
        return len(self.train_instance_blocks)
