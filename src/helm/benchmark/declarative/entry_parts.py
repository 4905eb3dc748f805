"""The parts of catalogue entries: types of values, parameters, and sources of rows."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec import field as key_

Text = str
"""A text that may contain `${...}`."""

Number = int | float | str
"""A number, or a text whose `${...}` yields one."""

Scalar = str | int | float | bool | None

Function = str | dict[str, Any]
"""A value function: its name, or `{name: argument}`. See `value_functions.py`."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping of an entry."""


# ---- Parameters


class Param(Part, frozen=True):
    """An argument of the run spec function or of the scenario's constructor. It is required if it has no `default`."""

    type: Literal["str", "int", "float", "bool", "any"] = "str"
    """Type that texts of run entries are converted to. `any` keeps the value as given; `float` also keeps whole
    numbers."""

    as_given: list[Literal["text", "number"]] = []
    """For bool: the values that a RunSpec shows as given, as HELM does; there `True` is a text. A text for false still
    becomes false, whereas HELM treats any text as true."""

    default: Scalar | UnsetType = UNSET
    choices: list[Scalar] | str | None = None
    """The allowed values: a list, or the name of a table (its items or keys)."""

    table: str | None = None
    """The table in which `${name.lookup}` looks up the value."""

    doc: str = ""


class Let(Part, frozen=True):
    """A value looked up in a table: `table[key]`, or `default` if the key is absent."""

    table: str
    key: Text
    default: Any | UnsetType = UNSET


class LetText(Part, frozen=True):
    """A text transformed by value functions."""

    text: Text
    do: list[Function]


class LetCall(Part, frozen=True):
    """A value computed by a function, for example from a user's file."""

    call: str
    """Class path of a function in the installed package or a plugin."""

    args: dict[str, Any] = {}


class LetCase(Part, frozen=True):
    """The value `then` if the parameters match `when`; the last case may be `{else: value}`."""

    when: dict[str, Any] | None = None
    then: Any | UnsetType = UNSET
    else_: Any | UnsetType = key_(name="else", default=UNSET)


class Fetched(Part, frozen=True):
    """A file that is downloaded when a `${name...}` needs it; `${name.key.0}` accesses nested values."""

    url: Text
    mirrors: list[Text] = []
    sha256: str | None = None
    format: Literal["json", "jsonl", "yaml", "text"] = "json"
    """`jsonl` yields a list with the value of each line."""

    file: Text = ""
    """Path inside the scenario's cache folder; by default the last part of the URL."""

    scenario_file: Text | None = None
    """Path of the scenario's own copy; `file` by default."""


# ---- Where rows come from


class Location(Part, frozen=True):
    """Something that must be on this machine before rows are read."""

    file: Text = ""
    """A path inside the scenario's cache folder. An existing file is used as it is."""

    url: Text = ""
    """URL to download from; if empty, the file must exist."""

    mirrors: list[Text] = []
    """Alternative URLs of the same bytes, tried in order."""

    sha256: str | None = None
    """SHA-256 of the bytes at `url`."""

    unpack: Literal["unzip", "untar", "unzstd", "ungz", "auto", None] = None
    """How to unpack the file at `url`; `auto` decides by its extension."""


class Zip(Location, frozen=True):
    """A file read in parallel with the rows of another; both must have the same number of rows, unless `shortest`."""

    path: Text | None = None
    """A path on this machine as the user gave it, instead of `file`."""

    format: Literal["jsonl", "json", "csv", "tsv", "lines"] = "lines"
    header: bool = True
    encoding: str = "utf-8"
    member: Text = ""
    shortest: bool = False
    """Ignore surplus rows of either file."""

    as_: str | None = key_(name="as", default=None)
    """The column that receives the other row. None adds its columns."""


class File(Location, frozen=True):
    """A file of rows."""

    member: Text = ""
    """Path inside the unpacked archive; `file` is the folder of the unpacked archive."""

    path: Text | None = None
    """A path on this machine as the user gave it, instead of `file`."""

    restricted: bool = False
    """Whether `file` is in the folder `restricted/<scenario name>` of the working directory; see `Source.how_to_get`.
    """

    format: Literal[
        "jsonl", "json", "csv", "tsv", "lines", "text", "parquet", "feather", "xlsx", "pickle", "python", "auto"
    ] = "auto"
    """`lines` yields a row `{line: text}` per line; `text` one row `{text: ...}`; `pickle` plain data and `python` the
    literal `constant`, both read without executing code; `auto` decides by the extension."""

    constant: str | None = None
    """For python: the constant of a source file: `NAME` or `CLASS.NAME`. The items of a mapping become rows `{0, 1}`."""

    header: bool = True
    """For csv and tsv: whether the first line names the columns. Otherwise they are called 0, 1, ..., and -1, -2, ...
    from the end."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    records: str | None = None
    """Overrides `Entry.records` for this file."""

    split: Text | None = None
    optional: bool = False
    """Whether to skip the file if it is absent."""

    zip: Zip | list[Zip] | None = None
    each: dict[str, Any] | None = None
    """`{name: [values]}` expands to several files, with `${name}` replaced in its texts. A text names a table, or is a
    `${...}` that yields a list; `{range: [first, last]}` counts."""

    columns: dict[str, Any] = {}
    """Constant columns added to the rows of this file."""


class Take(Part, frozen=True):
    """The first `n` rows of the Hub library's `shuffle(seed)`, without holding the others in memory."""

    seed: int | str
    n: int


class Hub(Part, frozen=True):
    """A data set of the Hugging Face Hub: its files are read directly; its scripts are never run."""

    path: Text
    revision: Text | None = None
    config: Text | None = None
    data_dir: Text | None = None
    data_files: Text | list[Text] | dict[str, Any] | None = None
    splits: dict[str, str] | str = {}
    """Maps Hub split to instance split, in the order of the instances; or a `${...}` that yields such a mapping."""

    take: dict[str, Take] = {}
    """Maps Hub split to the rows to use."""


class Join(Part, frozen=True):
    """A second data set whose rows are joined to the first one's."""

    hf: Hub
    on: str | None = None
    """The column that both share. None joins rows by position."""

    as_: str | None = key_(name="as", default=None)
    """The column that receives the other row. None adds its columns, which do not override existing ones."""


class Folder(Part, frozen=True):
    """The files of a folder, sorted by name: a row `{name, stem, file}` for each."""

    file: Text = ""
    """The folder, a path inside the scenario's cache folder."""

    pattern: str = "*"
    """A pattern of file names, with `*` and `?`."""

    texts: dict[str, Text] = {}
    """Maps a column to a file whose text it gets: a path inside the cache folder, over the columns `{stem}`, `{name}`."""

    split: Text | None = None


class Source(Part, frozen=True):
    """Exactly one of `files`, `folders`, `hf` and `rows`."""

    files: list[File] | None = None
    folders: list[Folder] | None = None
    hf: Hub | list[Hub] | None = None
    rows: list[dict[str, Any]] | None = None
    """The rows themselves."""

    downloads: list[Location] = []
    """Archives that contain the files."""

    join: list[Join] = []
    how_to_get: str = ""
    """For the error message: where users can obtain restricted files."""


class Gated(Part, frozen=True):
    """Data that its owners give only on request."""

    page: str
    """Where to request access."""

    credential: str = "huggingfaceToken"
    """The key of credentials.conf."""
