"""Image2Struct: pictures to be written as code. What its three scenarios share."""

import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, reading
from helm.benchmark.scenarios.scenario import (
    ASSET_NAME_TAG,
    ASSET_PATH_TAG,
    CORRECT_TAG,
    TEST_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.data.hub_datasets import load_hub_split
from helm.common.data.media_store import MediaStore, safe_path
from helm.common.errors import ConfigError, ScenarioError
from helm.common.files import open_atomically
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.rendering.contract import Rendering

DIFFICULTIES = ("all", "easy", "medium", "hard")
_HUB_SPLITS = {VALID_SPLIT: "validation", TEST_SPLIT: "test"}


class Image2StructScenario(Scenario):
    """Write the code of a picture.

    Input: a text and the picture. One correct reference: the text of the picture, and the picture.

    Args:
        subset: the kind of pictures, one of `subsets`.
        recompile_prompt: whether the pictures are made here, from the code of the data set, instead of taken from it.
        split: `valid` or `test`.
        difficulty: `all`, `easy`, `medium` or `hard`.
    """

    tags = ["vision-language"]

    hub_path: str
    """The data set."""

    subsets: tuple[str, ...]
    prompt: str

    def __init__(
        self, subset: str, recompile_prompt: bool = True, split: str = VALID_SPLIT, difficulty: str = DIFFICULTIES[0]
    ):
        super().__init__()
        check_choice(self.name, "subset", subset, self.subsets)
        check_choice(self.name, "split", split, _HUB_SPLITS)
        check_choice(self.name, "difficulty", difficulty, DIFFICULTIES)
        self._subset, self._recompiles, self._split, self._difficulty = subset, recompile_prompt, split, difficulty
        if recompile_prompt:
            self.check_programs()

    @abstractmethod
    def check_programs(self) -> None:
        """Raise an error if the programs that make pictures are not installed."""

    @abstractmethod
    def render(self, structure: str) -> Rendering:
        """Make the picture of the code in a row."""

    def assets_of(self, row: Mapping[str, Any]) -> dict[str, bytes]:
        """Return the files that answers may use, by name, in order."""
        return {}

    def get_instances(self, output_path: str) -> list[Instance]:
        """Return the instances of the subset. Raises: ScenarioError; DownloadError; what programs raise."""
        loaded = load_hub_split(self.hub_path, _HUB_SPLITS[self._split], config=self._subset, cache_dir=output_path)
        instances = []
        for number, row in enumerate(loaded.rows):
            with reading(f"{self.hub_path}, row {number}"):
                if row["category"][1:-1] != self._subset:  # texts are in quotes
                    continue
                if self._difficulty in ("all", row["difficulty"]):
                    instances.append(self._instance(row, row["uuid"].replace('"', ""), output_path))
        if not instances:
            raise ScenarioError(
                f"{self.name}: {self.hub_path} has no pictures of the subset {self._subset} and the difficulty "
                f"{self._difficulty}."
            )
        return instances

    def _instance(self, row: Mapping[str, Any], name: str, output_path: str) -> Instance:
        file = self._picture_name(name, output_path)
        if self._recompiles:
            text = self._rendered(row["structure"], safe_path(output_path, file))
        else:
            text = row.get("text") or ""
            MediaStore(output_path).keep(_bytes_of(row["image"]), file)
        picture = MediaObject("image/png", location=safe_path(output_path, file))
        references = [_reference(text, [picture], CORRECT_TAG)]
        assets = self.assets_of(row)
        prompt = self.prompt
        if assets:
            prompt += "\nYou have access to the following assets:\n" + "".join(f"- {asset}\n" for asset in assets)
            folder = safe_path(output_path, f"data/assets/{self._subset}/{name}")
            references += self._asset_references(assets, folder)
        parts = [MediaObject("text/plain", text=prompt), picture]
        return Instance(Input(multimedia_content=MultimediaObject(parts)), references, split=self._split)

    def _picture_name(self, name: str, output_path: str) -> str:
        """Return the file of a picture.

        HELM gives pictures of the data set and those made here one name. The first of the two to come into a folder has it;
        the other one, which must not take its place, says in its name what it is.
        """
        usual = f"data/images/{self._subset}/{name}.png"
        path = safe_path(output_path, usual)
        is_made_here = os.path.exists(_text_path(path))
        if self._recompiles:
            return usual if is_made_here or not os.path.exists(path) else f"data/images/{self._subset}/{name}.made.png"
        return f"data/images/{self._subset}/{name}.given.png" if is_made_here else usual

    def _rendered(self, structure: str, path: str) -> str:
        """Make the picture, unless there is one, and return its text, which is kept beside it."""
        text_path = _text_path(path)
        if not (os.path.exists(path) and os.path.exists(text_path)):
            rendering = self.render(structure)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open_atomically(text_path) as file:  # first, since it tells whose picture this is
                file.write(str(rendering.infos.get("text", "")))
            with open_atomically(path, binary=True) as file:
                rendering.picture.save(file, format="PNG")
        with open(text_path, encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def _asset_references(assets: Mapping[str, bytes], folder: str) -> list[Reference]:
        os.makedirs(folder, exist_ok=True)
        media = []
        for number, (name, content) in enumerate(assets.items()):
            suffix = name.rpartition(".")[2]
            path = os.path.join(folder, f"{number}.{suffix}")
            if not os.path.exists(path):
                with open_atomically(path, binary=True) as file:
                    file.write(content)
            media.append(MediaObject(f"image/{suffix.lower()}", location=path))
        names = [MediaObject("text/plain", text=name) for name in assets]
        return [
            _reference(", ".join(str(one.location) for one in media), media, ASSET_PATH_TAG),
            _reference(", ".join(assets), names, ASSET_NAME_TAG),
        ]


def _text_path(path: str) -> str:
    """Return where the text of a picture that was made here is kept."""
    return f"{path}.txt"


def _reference(text: str, media: list[MediaObject], tag: str) -> Reference:
    return Reference(Output(text=text, multimedia_content=MultimediaObject(media)), tags=[tag])


def _bytes_of(picture: Any) -> bytes:
    content = picture.get("bytes") if isinstance(picture, Mapping) else picture
    if not isinstance(content, bytes):
        raise ConfigError("the picture has no content.")
    return content
