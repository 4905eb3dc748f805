"""Models that answer questions about pictures without weights or network: one does not look, one sees colours."""

import re
from collections import Counter
from dataclasses import replace

from helm.clients.baseline_clients import MajorityChoiceClient, prompt_text
from helm.common.formats.colours import nearest_colour
from helm.common.formats.png import PNGError, read_png
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import GeneratedOutput, Request, Token

_OPTION = re.compile(r"^([A-Z])[.)] (.*)$", re.MULTILINE)


class BlindChoiceClient(MajorityChoiceClient):
    """Answers as `MajorityChoiceClient`, from the words of a prompt alone: what it gets right, needs no picture."""

    def read(self, request: Request) -> str:
        if request.multimodal_prompt is None:
            return prompt_text(request)
        texts = [media for media in request.multimodal_prompt.media_objects if media.is_type(TEXT_TYPE)]
        return prompt_text(replace(request, multimodal_prompt=MultimediaObject(texts)))


class ColourReaderClient(BlindChoiceClient):
    """Answers with the option that names the colour of what is drawn, and blindly where no option does.

    It reads only plain PNG files, as `helm.common.formats.png` writes them. The colour of the first pixel is the ground.
    """

    def complete(self, request: Request, prompt: str) -> list[GeneratedOutput]:
        letter = self._look(request, prompt)
        if letter is None or request.echo_prompt or request.max_tokens < 1:
            return super().complete(request, prompt)
        output = GeneratedOutput(letter, 0.0, [Token(letter, 0.0)], finish_reason={"reason": "endoftext"})
        return [output] * request.num_completions

    def _look(self, request: Request, prompt: str) -> str | None:
        """Return the letter of the option that names a colour in the last picture; None if there is none."""
        media = request.multimodal_prompt.media_objects if request.multimodal_prompt is not None else []
        pictures = [item for item in media if item.is_type(IMAGE_TYPE) and item.is_local_file]
        if not pictures:
            return None
        try:
            with open(str(pictures[-1].location), "rb") as file:
                rows = read_png(file.read())
        except (OSError, PNGError):
            return None
        ground = nearest_colour(*rows[0][0])
        counts = Counter(nearest_colour(*pixel) for row in rows for pixel in row)
        seen = [name for name, _ in counts.most_common() if name != ground]
        options = {text.strip().lower(): letter for letter, text in _OPTION.findall(prompt)}  # the last question's
        return next((options[name] for name in seen if name in options), None)
