"""Image2Musicsheet: pictures of sheet music."""

from helm.benchmark.scenarios.scenario import VALID_SPLIT
from helm.benchmark.scenarios.vision_language.image2struct.image2struct_scenario import (
    DIFFICULTIES,
    Image2StructScenario,
)
from helm.common.errors import ConfigError
from helm.common.rendering.contract import Rendering


class MusicSheetScenario(Image2StructScenario):
    """Write the LilyPond code of a picture (see `Image2StructScenario`). The data set has no code to make pictures of."""

    name = "image2musicsheet"
    description = "Pictures of sheet music, to be written as LilyPond code."
    hub_path = "stanford-crfm/i2s-musicsheet"
    subsets = ("music",)
    prompt = (
        "Please generate the Lilypond code to generate a music sheet that looks like this image as much as feasibly "
        "possible.\nThis music sheet was created by me, and I would like to recreate it using Lilypond."
    )

    def __init__(
        self,
        subset: str = "music",
        recompile_prompt: bool = False,
        split: str = VALID_SPLIT,
        difficulty: str = DIFFICULTIES[0],
    ):
        super().__init__(subset, recompile_prompt, split, difficulty)

    def check_programs(self) -> None:
        raise ConfigError(f"{self.name}: pictures of music cannot be made here, because the data set has no code.")

    def render(self, structure: str) -> Rendering:
        raise ConfigError(f"{self.name}: the data set has no code.")
