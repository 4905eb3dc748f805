"""ICE: language modeling on English as written and spoken in different countries."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from helm.benchmark.scenarios.data_rows import check_choice, read_json, reading
from helm.benchmark.scenarios.ice_tags import remove_tags
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, get_restricted_data_path
from helm.common.errors import ConfigError, ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.optional_dependencies import needs_extra

_ORDER_URL = "https://worksheets.codalab.org/rest/bundles/0xdee5cea197f645219093954ac7324add/contents/blob/"
_ORDER_FILE = "ice_scenario_pinned_file_order.json"
_HOW_TO_GET = "Ask for the corpus at https://www.ice-corpora.uzh.ch and unpack each part into a folder of its own."
_CORPUS_NAMES = ("Corpus", "CORPUS", "corpus")


class ICESubset(Enum):
    """The parts of the corpus, by the values of the argument `subset`."""

    CANADA = "can"
    JAMAICA = "ja"
    HONG_KONG = "hk"
    INDIA = "ind"
    SINGAPORE = "sin"
    PHILIPPINES = "phi"
    USA = "usa"
    EAST_AFRICA = "ea"
    IRELAND = "irl"


class TextCategory(Enum):
    """The values of the argument `category`."""

    ALL = "all"
    S_ALL = "S"
    W_ALL = "W"
    S_DIALOGUE = "S1"
    S_MONOLOGUE = "S2"
    W_PRIVATE = "W1"
    W_PUBLIC = "W2"


class BinaryGender(Enum):
    """The values of the argument `gender`."""

    MALE = "male"
    FEMALE = "female"


@dataclass(frozen=True)
class _Part:
    """The location of one country's texts."""

    folder: str
    texts: str | None = None
    """Folder of the texts. None means one of `_CORPUS_NAMES`."""
    has_headers: bool = False
    """Whether files of `Headers` give the gender of writers and speakers."""
    sheets: dict[str, list[int]] | None = None
    """Spreadsheets that give genders: maps file to columns."""
    all_sheets: bool = False


_PARTS = {
    "can": _Part("ICE-CAN", sheets={"Spoken ICE-CAN metadata.xls": [12], "Written ICE-CAN metadata.xls": [12, 19]}),
    "ja": _Part("ICE-JA"),
    "hk": _Part("ICE-HK", sheets={"HKRecords.xls": [16]}, all_sheets=True),
    "ind": _Part("ICE India", has_headers=True),
    "sin": _Part("ICE SINGAPORE"),
    "phi": _Part("ICE Philippines"),
    "usa": _Part("ICE-USA", has_headers=True),
    "ea": _Part("ICE-EA/corpus/retagged for wsmith", texts="all east africa"),
    "irl": _Part("ICE-IRL/ICE-Ireland version 1.2#6DAE.2/ICE-Ireland txt", texts="ICE combined running txt"),
}
_GENDERS = {"male": {"M", "m", "Male", "male"}, "female": {"F", "f", "Female", "female"}}
_CATEGORIES = [category.value for category in TextCategory]
_EAST_AFRICAN_CATEGORIES = {
    "S1": ["brdisc", "brint", "clless", "conv", "conv1", "conv2", "crossx", "parlia"],
    "S2": ["brnews", "brtalk", "schbr", "splect"],
    "W1": ["buslet", "essays", "exam", "judge", "soclet"],
    "W2": [
        "column", "crea", "creat1", "creat2", "editor", "feat", "instruct", "ldhum", "ldnats", "ldsoc", "ldtech", "ppgen",
        "pphum", "ppnats", "ppsoc", "pptech", "splash",
    ],
}  # fmt: skip
_EAST_AFRICAN_CATEGORY_OF = {name: category for category, names in _EAST_AFRICAN_CATEGORIES.items() for name in names}
_EAST_AFRICAN_TITLE = re.compile(r"[WS]\d[A-F]\d{3}[A-Z]*[KT]\n")
_GENDER_TAG = re.compile(r"<gender>(.*?)</gender>")


class ICEScenario(Scenario):
    """Predict a text or a transcript of one country's English.

    Input text: one file without its markup (one text of a file, for East Africa); no references. Reads
    `restricted/ice/<folder of the part>` of the working directory.

    Args:
        subset: `can`, `ja`, `hk`, `ind`, `sin`, `phi`, `usa`, `ea` or `irl`. None means all.
        gender: `male` or `female`: texts whose writers and speakers are all of that gender (Canada and Hong Kong: any
            of them is). Only for `can`, `hk`, `ind` and `usa`.
        category: `all`, or a prefix of the names to use: `S` (spoken), `W` (written), `S1`, `S2`, `W1`, `W2`.

    Raises: ConfigError for arguments that cannot be combined, ScenarioError if the corpus is missing.
    """

    name = "ice"
    description = "Language modeling on varieties of English: the International Corpus of English"
    tags = ["language_modeling", "harms", "fairness"]

    def __init__(self, subset: str | None = None, gender: str | None = None, category: str = "all"):
        super().__init__()
        check_choice(self.name, "category", category, _CATEGORIES)
        with_gender = [name for name, part in _PARTS.items() if part.has_headers or part.sheets]
        if gender is not None:
            check_choice(self.name, "gender", gender, _GENDERS)
        if subset is not None:
            check_choice(self.name, "subset", subset, _PARTS)
            if gender is not None and subset not in with_gender:
                raise ConfigError(
                    f"ice: genders are known for the subsets {', '.join(with_gender)}, not for '{subset}'. Leave gender out."
                )
        self.subsets = [subset] if subset is not None else list(_PARTS) if gender is None else with_gender
        self.gender = gender
        self.category = "" if category == "all" else category

    def get_instances(self, output_path: str) -> list[Instance]:
        order_path = os.path.join(output_path, _ORDER_FILE)
        ensure_file_downloaded(_ORDER_URL, order_path)
        order: dict[str, list[str]] = read_json(order_path)
        root = get_restricted_data_path(self.name, how_to_get=_HOW_TO_GET)
        instances: list[Instance] = []
        for subset in self.subsets:
            part = _PARTS[subset]
            folder = _texts_folder(os.path.join(root, part.folder), part)
            with reading(folder):
                files = order.get(folder) or sorted(os.listdir(folder))
            files = [file for file in files if self._category(subset, file).startswith(self.category)]
            if self.gender is not None:
                headers = os.path.join(root, part.folder, "Headers")
                prefixes = tuple(_prefixes_of(headers, part, _GENDERS[self.gender]))
                files = [file for file in files if file.upper().startswith(prefixes)]
            for file in files:
                text = _read_text(os.path.join(folder, os.path.basename(file)))
                texts = _split_east_african(text) if subset == "ea" else [text]
                instances.extend(Instance(Input(text=remove_tags(text)), [], split=TEST_SPLIT) for text in texts)
        return instances

    @staticmethod
    def _category(subset: str, file: str) -> str:
        """Return the part of the file's name that gives the category; empty if unknown."""
        if subset == "ea":
            return _EAST_AFRICAN_CATEGORY_OF.get(file.replace("-", "")[:-5].lower(), "")
        return file.upper()


def _texts_folder(folder: str, part: _Part) -> str:
    names = [part.texts] if part.texts else _CORPUS_NAMES
    for name in names:
        if os.path.isdir(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise ScenarioError(f"ice: there is no folder {os.path.join(folder, names[0])}. {_HOW_TO_GET}")


def _read_text(path: str) -> str:
    with reading(path), open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("iso-8859-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split_east_african(text: str) -> list[str]:
    return [part for part in _EAST_AFRICAN_TITLE.split(text) if part]


def _prefixes_of(folder: str, part: _Part, genders: set[str]) -> Iterator[str]:
    """Return prefixes, in upper case, of the names of texts by people of one gender."""
    if part.has_headers:
        with reading(folder):
            files = sorted(os.listdir(folder))
        for file in files:
            name, extension = os.path.splitext(file)
            if extension == ".hdr":
                found = set(_GENDER_TAG.findall(_read_text(os.path.join(folder, file))))
                if found and found <= genders:
                    yield name.upper()
    for file, columns in (part.sheets or {}).items():
        for cells in _read_sheets(os.path.join(folder, file), part.all_sheets):
            if cells[0] and any(column < len(cells) and cells[column] in genders for column in columns):
                yield cells[0].upper()


def _read_sheets(path: str, all_sheets: bool) -> Iterator[list[str]]:
    """Return the cells of all rows but the first, as text."""
    with needs_extra("data"):
        import xlrd
    with reading(path):
        try:
            book = xlrd.open_workbook(path)
        except xlrd.XLRDError as e:
            raise ScenarioError(f"{path}: it is not a spreadsheet in the format .xls: {e}") from e
        for sheet in book.sheets() if all_sheets else [book.sheet_by_index(0)]:
            for row in range(1, sheet.nrows):
                yield [str(cell) for cell in sheet.row_values(row)]
