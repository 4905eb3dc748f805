"""What a catalogue entry may do to all rows: conditions, derived columns, steps."""

from typing import Any, Dict, List, Literal, Optional, Union

from msgspec import UNSET, UnsetType
from msgspec import field as key_

from helm.benchmark.declarative.entry_parts import Function, Number, Part, Scalar, Text


class Test(Part, frozen=True):
    """Conditions on one column; all must hold. Texts are compared to numbers by their value."""

    field: Union[str, int, None] = None
    do: List[Function] = []
    """Value functions applied before the comparison."""

    eq: Union[Scalar, UnsetType] = UNSET
    ne: Union[Scalar, UnsetType] = UNSET
    in_: Union[List[Any], str, None] = key_(name="in", default=None)
    not_in: Union[List[Any], str, None] = None
    gte: Optional[Number] = None
    gt: Optional[Number] = None
    lte: Optional[Number] = None
    lt: Optional[Number] = None
    not_null: Optional[bool] = None
    not_empty: Optional[bool] = None
    not_blank: Optional[bool] = None
    """A text with something besides white space."""

    starts_with: Optional[Text] = None
    contains: Union[Scalar, UnsetType] = UNSET
    """A piece of a text, or an item of a list."""

    not_contains: Optional[List[Scalar]] = None
    """None of these is a piece of the text, or an item of the list."""

    matches: Optional[Text] = None
    """A regular expression found in the text."""


class Filter(Test, frozen=True):
    """Rows that do not pass are dropped."""

    unless: Optional[Dict[str, Any]] = None
    """`{param: name, eq: value}` or `{name: value}`: the filter is off when the parameter has the value (or one of a list)."""

    when: Optional[Dict[str, Any]] = None
    """The filter is on only when the parameter has the value."""

    any: Optional[List[Test]] = None
    """One of these must hold, instead of conditions of its own."""


class When(Test, frozen=True):
    """A case of a field: `then` when the conditions hold; `{else: text}` is the last one."""

    then: Union[Any, UnsetType] = UNSET
    else_: Union[Any, UnsetType] = key_(name="else", default=UNSET)


class Field(Part, frozen=True):
    """A derived column: a column (or the list of several) or a text, then value functions, then cases."""

    from_: Union[str, int, List[Union[str, int]], None] = key_(name="from", default=None)
    text: Optional[Text] = None
    """A text over the columns, instead of `from`."""

    value: Union[Any, UnsetType] = UNSET
    """A constant, instead of `from`."""

    labelled: Union[List[Any], Text, None] = None
    """Columns, or pairs of label and column, instead of `from`: a line `label: value` for each."""

    class_label: bool = False
    """The number is a class of the data set: take its name."""

    do: List[Function] = []
    when: Optional[List[When]] = None
    default: Union[Any, UnsetType] = UNSET
    """What an absent column or null stands for."""


class Unnest(Part, frozen=True):
    """A row for each item of a list, or each key of a mapping. The other columns are repeated."""

    list: Optional[str] = None
    dict: Optional[str] = None
    as_: Optional[str] = key_(name="as", default=None)
    """The column of the item; None: the item is a mapping whose keys become columns."""

    key: Optional[str] = None
    """The column of the key (dict)."""

    index: Optional[str] = None
    """The column of the position."""


class Shuffle(Part, frozen=True):
    """Rows in another order."""

    seed: Union[int, str]
    generator: Literal["python", "numpy", "hub"] = "python"
    """`random.Random(seed).shuffle`, `RandomState(seed).shuffle`, or the Hub library's `shuffle(seed)`."""


class Sample(Part, frozen=True):
    """Some of the rows, in the order drawn."""

    seed: Union[int, str]
    n: Optional[Number] = None
    fraction: Optional[float] = None
    generator: Literal["pandas", "python"] = "pandas"
    """pandas' `sample(random_state=seed)`, or `random.Random(seed).sample`."""


class AssignSplit(Part, frozen=True):
    """Splits by position. Exactly one of the rules."""

    fraction: Optional[Dict[str, float]] = None
    """`{train: 0.8}`: the first `int(0.8 * n)` rows; the others are `rest`."""

    first: Optional[Dict[str, int]] = None
    """`{train: 10}`: the first ten; the others are `rest`."""

    last: Optional[Dict[str, int]] = None
    rows: Union[Dict[str, Any], None] = None
    """`{train: [339, 105]}`: these row numbers."""

    sampled: Optional[Dict[str, Any]] = None
    """`{train: 10, seed: 0}`: `random.Random(0).sample(range(n), 10)`; a number below 1 is a share, rounded down."""

    train_test_split: Optional[Dict[str, Any]] = None
    """`{test_size: 0.8, seed: 42}`: the Hub library's; train rows come first."""

    rest: str = "test"


class Hook(Part, frozen=True):
    """A registered function `(rows, **args) -> rows`: its name, or its class path."""

    name: str
    args: Dict[str, Any] = {}


class Step(Part, frozen=True):
    """One operation on all rows: exactly one key, besides `splits`, `when` and `unless`."""

    filter: Union[Filter, List[Filter], None] = None
    fields: Optional[Dict[str, Union[str, int, Field]]] = None
    unnest: Optional[Unnest] = None
    variants: Optional[List[Dict[str, Any]]] = None
    """Several rows for one: each mapping is added to a copy of the row; its texts may name columns."""

    shuffle: Optional[Shuffle] = None
    sample: Optional[Sample] = None
    sort: Union[str, List[str], None] = None
    limit: Optional[Number] = None
    dedupe: Union[str, List[str], None] = None
    """Keep the first row of each value of a column, or of a text over columns."""

    assign_split: Optional[AssignSplit] = None
    order_splits: Optional[List[str]] = None
    """Rows of the first split come first, and so on."""

    hook: Union[str, Hook, None] = None
    splits: Optional[List[str]] = None
    """Only on rows of these splits."""

    when: Optional[Dict[str, Any]] = None
    unless: Optional[Dict[str, Any]] = None
