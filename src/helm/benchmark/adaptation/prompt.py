"""A prompt in parts, so that in-context examples can be dropped until it fits."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from helm.benchmark.adaptation.adapter_spec import Substitution

Turn = tuple[str, str]
"""What the user asks, and what the assistant answers."""


@dataclass(frozen=True)
class Prompt:
    """The text `global_prefix + instance_prefix.join(blocks) + global_suffix`, then the substitutions; nothing is stripped.

    A system prompt and a closing are separated from it by blank lines.
    """

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

    is_chat: bool = False
    """Whether the prompt is sent as messages."""

    system_prompt: str = ""
    """The system message; in a text the first block."""

    example_turns: list[list[Turn]] | None = None
    """For each in-context example its questions and answers, if examples are turns of a conversation. There may be more
    than `train_instance_blocks`, whose number counts."""

    closing: str = ""
    """The last block, which is never truncated."""

    @cached_property
    def text(self) -> str:
        """The prompt as one text; of a conversation, the texts of its messages in lines of their own."""
        if self.is_chat:
            return "\n".join(message["content"] for message in self.messages or [])
        if not self.system_prompt and not self.closing:
            return self._make_body()
        return "\n\n".join(part for part in (self.system_prompt, self.body, self.closing) if part)

    @cached_property
    def messages(self) -> list[dict[str, str]] | None:
        """The prompt as messages of a chat; None if it is not sent as a chat."""
        if not self.is_chat:
            return None
        messages = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        lead = self._lead
        for question, answer in self._turns:
            messages.append({"role": "user", "content": self._substituted(lead + question)})
            messages.append({"role": "assistant", "content": self._substituted(answer)})
            lead = ""
        content = "\n\n".join(part for part in (self.body, self.closing) if part)
        return [*messages, {"role": "user", "content": content}]

    @property
    def _turns(self) -> list[Turn]:
        turns = (self.example_turns or [])[: len(self.train_instance_blocks)]
        return [turn for example in turns for turn in example]

    @property
    def _lead(self) -> str:
        """What precedes the first question of a conversation."""
        separator = self.instance_prefix if self.instructions_block else ""
        return f"{self.global_prefix}{self.instructions_block}{separator}"

    @cached_property
    def body(self) -> str:
        """The text without system prompt and closing; with examples as turns, that of the last message."""
        return self._make_body()

    def _make_body(self) -> str:
        # HELM: a prompt that was truncated to nothing is sent whole.
        if self.truncated_text:
            return self.truncated_text
        if self.is_chat and self._turns:
            return self._substituted(f"{self.eval_instance_block}{self.global_suffix}")
        blocks = [*self.train_instance_blocks, self.eval_instance_block]
        if self.instructions_block:
            blocks.insert(0, self.instructions_block)
        return self._substituted(f"{self.global_prefix}{self.instance_prefix.join(blocks)}{self.global_suffix}")

    def _substituted(self, text: str) -> str:
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
