"""What catalogue entries are made of: the kinds of values, parameters, and where rows come from."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec import field as key_

Text = str
"""A text with `${...}` in it, or without."""

Number = int | float | str
"""A number, or a text with `${...}` that becomes one."""

Scalar = str | int | float | bool | None

Function = str | dict[str, Any]
"""A value function: its name, or `{name: argument}`. See `value_functions.py`."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping of an entry."""


# ---- Parameters


class Param(Part, frozen=True):
    """An argument of the run spec function, or of the scenario's constructor. Without `default` it is required."""

    type: Literal["str", "int", "float", "bool", "any"] = "str"
    """Texts of run entries are converted to it; `any` leaves the value as the entry has it, and `float` whole numbers."""

    as_given: list[Literal["text", "number"]] = []
    """bool: which values a RunSpec shows as the entry gives them, because HELM does: `True` is a text there. A text for
    false becomes false all the same, where HELM takes any text for true."""

    default: Scalar | UnsetType = UNSET
    choices: list[Scalar] | str | None = None
    """The values that are allowed: a list, or the name of a table (its items or keys)."""

    table: str | None = None
    """The table that `${name.lookup}` looks the value up in."""

    doc: str = ""


class Let(Part, frozen=True):
    """A derived value, from a table: `table[key]`, or `default` when the key is absent."""

    table: str
    key: Text
    default: Any | UnsetType = UNSET


class LetText(Part, frozen=True):
    """A derived value: a text, changed by value functions."""

    text: Text
    do: list[Function]


class LetCall(Part, frozen=True):
    """A derived value that a function computes, for example from a file of the user."""

    call: str
    """The class path of a function of the installed package or of a plugin."""

    args: dict[str, Any] = {}


class LetCase(Part, frozen=True):
    """The value `then` when the parameters have the values of `when`; the last case may be `{else: value}`."""

    when: dict[str, Any] | None = None
    then: Any | UnsetType = UNSET
    else_: Any | UnsetType = key_(name="else", default=UNSET)


class Fetched(Part, frozen=True):
    """A file of texts that is fetched when a `${name...}` needs it: `${name.key.0}` goes down into its value."""

    url: Text
    mirrors: list[Text] = []
    sha256: str | None = None
    format: Literal["json", "jsonl", "yaml", "text"] = "json"
    """`jsonl`: a list with the value of each line."""

    file: Text = ""
    """Where it is kept, inside the scenario's cache folder; by default the last part of the URL."""

    scenario_file: Text | None = None
    """Where the scenario keeps its own copy; by default `file`."""


# ---- Where rows come from


class Location(Part, frozen=True):
    """Something to have on this machine before rows are read."""

    file: Text = ""
    """A path inside the scenario's cache folder. What is there already is used as it is."""

    url: Text = ""
    """Where it is fetched from; empty: it must be there."""

    mirrors: list[Text] = []
    """Other addresses of the same bytes, tried in order."""

    sha256: str | None = None
    """Of the bytes at `url`."""

    unpack: Literal["unzip", "untar", "unzstd", "ungz", "auto", None] = None
    """How the file at `url` is unpacked; `auto`: by its ending."""


class Zip(Location, frozen=True):
    """A file read in parallel with the rows of another one; both must have as many, unless `shortest`."""

    path: Text | None = None
    """A path of this machine as the user gave it, instead of `file`."""

    format: Literal["jsonl", "json", "csv", "tsv", "lines"] = "lines"
    header: bool = True
    encoding: str = "utf-8"
    member: Text = ""
    shortest: bool = False
    """Rows that the other file lacks are ignored, in either file."""

    as_: str | None = key_(name="as", default=None)
    """The column that the other row becomes; None: its columns are added."""


class File(Location, frozen=True):
    """A file of rows."""

    member: Text = ""
    """The path inside the unpacked archive; `file` is the folder that the archive becomes."""

    path: Text | None = None
    """A path of this machine as the user gave it, instead of `file`."""

    restricted: bool = False
    """`file` is in the folder `restricted/<scenario name>` of the working directory; see `Source.how_to_get`."""

    format: Literal["jsonl", "json", "csv", "tsv", "lines", "text", "parquet", "feather", "xlsx", "pickle", "auto"] = (
        "auto"
    )
    """`lines`: a row `{line: text}` for each line; `text`: one row `{text: ...}`; `pickle`: plain data, read
    without executing anything; `auto`: by the ending."""

    header: bool = True
    """csv, tsv: the first line names the columns; else they are called 0, 1, ..., and -1, -2, ... from the end."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    records: str | None = None
    """Overrides `Entry.records` for this file."""

    split: Text | None = None
    optional: bool = False
    """Skip it when it is absent."""

    zip: Zip | list[Zip] | None = None
    each: dict[str, Any] | None = None
    """`{name: [values]}`: the file stands for several, with `${name}` in its texts. A text names a table, or is a
    `${...}` that is a list; `{range: [first, last]}` counts."""

    columns: dict[str, Any] = {}
    """Constant columns added to the rows of this file."""


class Take(Part, frozen=True):
    """The first `n` rows of the Hub library's `shuffle(seed)`; of very many rows only these are ever in memory."""

    seed: int | str
    n: int


class Hub(Part, frozen=True):
    """A data set of the Hugging Face Hub: its files are read directly, its scripts are never run."""

    path: Text
    revision: Text | None = None
    config: Text | None = None
    data_dir: Text | None = None
    data_files: Text | list[Text] | dict[str, Any] | None = None
    splits: dict[str, str] | str = {}
    """Split of the hub -> split of the instances, in the order of the instances; or a `${...}` that is such a mapping."""

    take: dict[str, Take] = {}
    """Split of the hub -> which of its rows are used."""


class Join(Part, frozen=True):
    """A second data set whose rows are put beside the first one's."""

    hf: Hub
    on: str | None = None
    """The column that both share; None: rows belong together by position."""

    as_: str | None = key_(name="as", default=None)
    """The column that the other row becomes; None: its columns are added, and the first one's win."""


class Source(Part, frozen=True):
    """Exactly one of `files`, `hf` and `rows`."""

    files: list[File] | None = None
    hf: Hub | list[Hub] | None = None
    rows: list[dict[str, Any]] | None = None
    """The rows themselves."""

    downloads: list[Location] = []
    """What the files are in, when that is not one of them: archives."""

    join: list[Join] = []
    how_to_get: str = ""
    """Where whoever runs the scenario gets restricted files from; for the error."""


class Gated(Part, frozen=True):
    """Data that its owners give only to those who ask."""

    page: str
    """Where one asks."""

    credential: str = "huggingfaceToken"
    """The key of credentials.conf."""
