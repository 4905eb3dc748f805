"""A prompt of text, images and other media, in parts."""

from dataclasses import dataclass, field
from functools import cached_property

from helm.common.media_object import MediaObject, MultimediaObject


@dataclass(frozen=True)
class MultimodalPrompt:
    """Instructions, examples and the evaluation instance; adjacent texts are merged where one is a prefix."""

    global_prefix: str = ""

    global_suffix: str = ""

    instance_prefix: str = "\n"
    """Precedes every block but the first."""

    instructions: str = ""

    train_instance_blocks: list[MultimediaObject] = field(default_factory=list)

    eval_instance_block: MultimediaObject = MultimediaObject()

    @cached_property
    def content(self) -> MultimediaObject:
        """The media objects to send."""
        blocks = [*self.train_instance_blocks, self.eval_instance_block]
        if self.instructions:
            blocks.insert(0, MultimediaObject([MediaObject(content_type="text/plain", text=self.instructions)]))
        result = blocks[0]
        for block in blocks[1:]:
            result = result.combine(block.add_textual_prefix(self.instance_prefix))
        return result.add_textual_prefix(self.global_prefix).add_textual_suffix(self.global_suffix)

    @property
    def multimedia_object(self) -> MultimediaObject:
        """HELM's name for `content`."""
        return self.content

    @property
    def text(self) -> str:
        """The text objects concatenated, which is what counts against the window."""
        return self.content.text

    @property
    def num_train_instances(self) -> int:
        return len(self.train_instance_blocks)
