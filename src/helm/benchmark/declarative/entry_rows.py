"""What a catalogue entry may do to all rows: conditions, derived columns, steps."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType
from msgspec import field as key_

from helm.benchmark.declarative.entry_parts import Function, Number, Part, Scalar, Text


class Test(Part, frozen=True):
    """Conditions on one column, all of which must hold. Texts are compared to numbers by value."""

    field: str | int | None = None
    do: list[Function] = []
    """Value functions applied before the comparison."""

    eq: Scalar | UnsetType = UNSET
    ne: Scalar | UnsetType = UNSET
    in_: list[Any] | str | None = key_(name="in", default=None)
    not_in: list[Any] | str | None = None
    gte: Number | None = None
    gt: Number | None = None
    lte: Number | None = None
    lt: Number | None = None
    not_null: bool | None = None
    not_empty: bool | None = None
    not_blank: bool | None = None
    """A text with a character other than whitespace."""

    starts_with: Text | None = None
    contains: Scalar | UnsetType = UNSET
    """A substring of a text, or an item of a list."""

    not_contains: list[Scalar] | None = None
    """None of these is a substring of the text, or an item of the list."""

    matches: Text | None = None
    """A regular expression found in the text."""


class Filter(Test, frozen=True):
    """Drops the rows that do not pass."""

    unless: dict[str, Any] | None = None
    """`{param: name, eq: value}` or `{name: value}`: disables the filter if the parameter has the value (or one of a
    list)."""

    when: dict[str, Any] | None = None
    """Enables the filter only if the parameter has the value."""

    any: list[Test] | None = None
    """Alternatives, one of which must hold, instead of own conditions."""


class When(Test, frozen=True):
    """A case of a field: `then` if the conditions hold; `{else: text}` is the last one."""

    then: Any | UnsetType = UNSET
    else_: Any | UnsetType = key_(name="else", default=UNSET)


class Field(Part, frozen=True):
    """A derived column: a column, list of columns or text, then value functions, then cases."""

    from_: str | int | list[str | int] | None = key_(name="from", default=None)
    text: Text | None = None
    """A text over the columns, instead of `from`."""

    value: Any | UnsetType = UNSET
    """A constant, instead of `from`."""

    labelled: list[Any] | Text | None = None
    """Columns, or pairs of label and column, instead of `from`: yields a line `label: value` for each."""

    class_label: bool = False
    """Replaces the number of a class in the data set by its name."""

    do: list[Function] = []
    when: list[When] | None = None
    default: Any | UnsetType = UNSET
    """Value used for an absent column or null."""


class Media(Part, frozen=True):
    """A column with an image, a sound or a video as a file: `from`, which `file` may name; or `file`; or `path`."""

    from_: str | int | None = key_(name="from", default=None)
    """A column of encoded media as data sets of the Hub have them: bytes, or a mapping with `bytes`."""

    file: Text | None = None
    """A file below the scenario's cache folder. With `from`, the name under which the content is kept there, which may
    hold `{_sha256}` and, for pictures, `{_pixels}`: the MD5 of the decoded pixels."""

    path: Text | None = None
    """A path of this machine as the user gave it. What columns add to it stays below the folder before the first `{`."""

    url: Text | None = None
    """The address to download `file` from."""

    restricted: bool = False
    """Whether `file` is in the folder `restricted/<scenario name>` of the working directory if it is not in the cache
    folder."""

    type: Text | None = None
    """The content type that requests name, such as `image/jpeg`; by default, the first bytes determine it."""

    rgb: bool = False
    """Whether to convert pictures of other modes to RGB."""

    convert: Text | None = None
    """Another file below the scenario's cache folder, from which `file` is made: a sound in the format of the ending of
    `file`, or the sound of a video. `url` is then the address of that file."""

    rate: int | None = None
    """Samples per second to which sounds are converted."""

    segment: list[Text] | None = None
    """Begin and end of the part of a sound to keep, in milliseconds."""

    playable: bool = False
    """Whether a file counts as missing if it is no sound that can be decoded, or has no samples."""

    unreachable: Literal["error", "missing"] = "error"
    """Whether a file counts as missing if its address does not give it."""

    missing: Literal["error", "null", "drop"] = "error"
    """What to do with a row whose value is null, or whose file is absent or empty: the column becomes null, or the row
    is dropped."""


class Unnest(Part, frozen=True):
    """Yields a row for each item of a list, or each key of a mapping; the other columns are repeated."""

    list: str | None = None
    dict: str | None = None
    as_: str | None = key_(name="as", default=None)
    """The column of the item. None if the item is a mapping whose keys become columns."""

    key: str | None = None
    """The column of the key (dict)."""

    index: str | None = None
    """The column of the position."""


class Shuffle(Part, frozen=True):
    """Shuffles the rows."""

    seed: int | str
    generator: Literal["python", "numpy", "hub"] = "python"
    """`random.Random(seed).shuffle`, `RandomState(seed).shuffle`, or the Hub library's `shuffle(seed)`."""


class Sample(Part, frozen=True):
    """Some of the rows, in the order drawn."""

    seed: int | str
    n: Number | None = None
    fraction: float | None = None
    generator: Literal["pandas", "python"] = "pandas"
    """pandas' `sample(random_state=seed)`, or `random.Random(seed).sample`."""


class AssignSplit(Part, frozen=True):
    """Assigns splits by position, by exactly one of the rules."""

    fraction: dict[str, float] | None = None
    """`{train: 0.8}`: the first `int(0.8 * n)` rows; the others get `rest`."""

    first: dict[str, int] | None = None
    """`{train: 10}`: the first ten; the others get `rest`."""

    last: dict[str, int] | None = None
    rows: dict[str, Any] | None = None
    """`{train: [339, 105]}`: these row numbers."""

    sampled: dict[str, Any] | None = None
    """`{train: 10, seed: 0}`: `random.Random(0).sample(range(n), 10)`; a number below 1 is a fraction, rounded down."""

    train_test_split: dict[str, Any] | None = None
    """`{test_size: 0.8, seed: 42}`: as in the Hub library; train rows come first."""

    rest: str = "test"


class Hook(Part, frozen=True):
    """A registered function `(rows, **args) -> rows`: its name, or its class path."""

    name: str
    args: dict[str, Any] = {}


class Step(Part, frozen=True):
    """One operation on all rows: exactly one key, besides `splits`, `when` and `unless`."""

    filter: Filter | list[Filter] | None = None
    fields: dict[str, str | int | Field] | None = None
    media: dict[str, Media] | None = None
    unnest: Unnest | None = None
    variants: list[dict[str, Any]] | None = None
    """Several rows for one: each mapping is added to a copy of the row; its texts may refer to columns."""

    shuffle: Shuffle | None = None
    sample: Sample | None = None
    sort: str | list[str] | None = None
    limit: Number | None = None
    dedupe: str | list[str] | None = None
    """Keep the first row of each value of a column, or of a text over columns."""

    assign_split: AssignSplit | None = None
    order_splits: list[str] | None = None
    """Rows of the first split come first, and so on."""

    hook: str | Hook | None = None
    splits: list[str] | None = None
    """Apply only to rows of these splits."""

    when: dict[str, Any] | None = None
    unless: dict[str, Any] | None = None
