"""CUB-200-2011: descriptions of birds for each photograph."""

import os
import pickletools
import tempfile
from typing import Any

from helm.benchmark.scenarios.data_rows import reading
from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference, Scenario
from helm.common.data.archives import unpacked
from helm.common.data.media_store import safe_path
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.media_object import MediaObject, MultimediaObject

_NUM_IMAGES = 2933
_CAPTIONS_OF_IMAGE = 10
_STRUCTURE = {"PROTO", "FRAME", "MARK", "STOP"}
_REMEMBER = {"PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"}
_RECALL = {"GET", "BINGET", "LONG_BINGET"}
_LISTS = {"EMPTY_LIST", "LIST", "APPEND", "APPENDS"}
_TEXTS = {"STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}


class CUB200Scenario(Scenario):
    """Draw a bird as described (Wah et al. 2011, with the descriptions of Reed et al. 2016).

    Input text: a description. One correct reference: the photograph. The order is that of the published list of test
    images.
    """

    IMAGES_DOWNLOAD_URL = "https://data.caltech.edu/records/65de6-vp158/files/CUB_200_2011.tgz?download=1"
    CAPTIONS_DOWNLOAD_URL = "https://drive.google.com/uc?export=download&id=1O_LtUP9sch09QH3s_EBAgLEctBQ5JBSJ"

    name = "cub200"
    description = "Photographs of birds of 200 species, each described ten times."
    tags = ["text-to-image", "image-to-text"]

    def get_instances(self, output_path: str) -> list[Instance]:
        images, captions = os.path.join(output_path, "images"), os.path.join(output_path, "captions")
        ensure_file_downloaded(self.IMAGES_DOWNLOAD_URL, images, unpack=True, unpack_type="untar")
        ensure_file_downloaded(self.CAPTIONS_DOWNLOAD_URL, captions, unpack=True, unpack_type="unzip")
        list_path = os.path.join(captions, "birds", "test", "filenames.pickle")
        texts = _ensure_unpacked(os.path.join(captions, "birds", "text.zip"), os.path.join(captions, "birds", "text"))
        with reading(list_path), open(list_path, "rb") as file:
            names = texts_of_pickle(file.read())
        if len(names) != _NUM_IMAGES:
            raise ScenarioError(f"{list_path} has {len(names)} names of images, but there are {_NUM_IMAGES}.")
        return [instance for name in names for instance in _read_image(images, texts, name)]


def _read_image(images: str, texts: str, name: str) -> list[Instance]:
    """Return an instance for each description of an image."""
    with reading(f"image {name}"):
        path = safe_path(os.path.join(images, "CUB_200_2011", "images"), f"{name}.jpg")
        text_path = safe_path(texts, f"{name}.txt")
    if not os.path.isfile(path):
        raise ScenarioError(f"There is no image {path}.")
    with reading(text_path), open(text_path, encoding="utf-8") as file:
        captions = [line.rstrip() for line in file if line.strip()]
    if len(captions) != _CAPTIONS_OF_IMAGE:
        raise ScenarioError(f"{text_path} has {len(captions)} descriptions, not {_CAPTIONS_OF_IMAGE}.")
    photograph = MultimediaObject([MediaObject("image/jpeg", location=path)])
    reference = Reference(Output("", multimedia_content=photograph), tags=[CORRECT_TAG])
    return [Instance(Input(caption), references=[reference], split=TEST_SPLIT) for caption in captions]


def _ensure_unpacked(archive: str, folder: str) -> str:
    """Unpack an archive that came within another one; it appears only when it is complete."""
    if not os.path.isdir(folder):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(archive)) as work:
            os.rename(unpacked(archive, "unzip", work), folder)
    return folder


def texts_of_pickle(data: bytes) -> list[str]:
    """Return the texts of a pickled list, of any protocol, by its instructions; nothing is run.

    Raises: ValueError for anything but a list of texts.
    """
    texts: list[str] = []
    remembered: dict[Any, Any] = {}
    last: Any = None
    for operation, argument, position in pickletools.genops(data):
        name = operation.name
        if name in _REMEMBER:
            remembered[len(remembered) if name == "MEMOIZE" else argument] = last
            continue
        if name in _TEXTS:
            last = argument
        elif name in _RECALL:
            last = remembered.get(argument)
        elif name in _LISTS | _STRUCTURE:
            last = None
            continue
        else:
            last = None
        if not isinstance(last, str):
            raise ValueError(f"byte {position} of the list has {name}, which is no text")
        texts.append(last)
    return texts
