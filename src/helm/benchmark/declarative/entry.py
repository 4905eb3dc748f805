"""What a catalogue entry may hold: one class for each mapping of its YAML file.

An entry is a scenario (where rows come from, how a row becomes an instance), a run spec function (`run`), or both. Keys
that are not listed here are errors. Any text may hold `${name}`: a parameter of the entry, or a value of `let`. A text
that becomes part of an instance may hold `{column}` as well: a column of the row, or one of `fields`; `{a.b}` goes down
into nested values. `{{` and `}}` stand for braces.
"""

from typing import Any, Dict, List, Literal, Optional, Union

from msgspec import UNSET, Struct, UnsetType
from msgspec import field as key_

Text = str
"""A text with `${...}` in it, or without."""

Number = Union[int, float, str]
"""A number, or a text with `${...}` that becomes one."""

Scalar = Union[str, int, float, bool, None]

Function = Union[str, Dict[str, Any]]
"""A value function: its name, or `{name: argument}`. See `value_functions.py`."""


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping of an entry."""


# ---- Parameters


class Param(_Part, frozen=True):
    """An argument of the run spec function, or of the scenario's constructor. Without `default` it is required."""

    type: Literal["str", "int", "float", "bool", "any"] = "str"
    """Texts of run entries are converted to it; `any` leaves the value as the entry has it."""

    default: Union[Scalar, UnsetType] = UNSET
    choices: Union[List[Scalar], str, None] = None
    """The values that are allowed: a list, or the name of a table (its items or keys)."""

    table: Optional[str] = None
    """The table that `${name.lookup}` looks the value up in."""

    doc: str = ""


class Let(_Part, frozen=True):
    """A derived value, from a table: `table[key]`, or `default` when the key is absent."""

    table: str
    key: Text
    default: Union[Any, UnsetType] = UNSET


class LetText(_Part, frozen=True):
    """A derived value: a text, changed by value functions."""

    text: Text
    do: List[Function]


class LetCall(_Part, frozen=True):
    """A derived value that a function computes, for example from a file of the user."""

    call: str
    """The class path of a function of the installed package or of a plugin."""

    args: Dict[str, Any] = {}


class LetCase(_Part, frozen=True):
    """The value `then` when the parameters have the values of `when`; the last case may be `{else: value}`."""

    when: Optional[Dict[str, Any]] = None
    then: Union[Any, UnsetType] = UNSET
    else_: Union[Any, UnsetType] = key_(name="else", default=UNSET)


class Fetched(_Part, frozen=True):
    """A file of texts that is fetched when a `${name...}` needs it: `${name.key.0}` goes down into its value."""

    url: Text
    mirrors: List[Text] = []
    sha256: Optional[str] = None
    format: Literal["json", "jsonl", "yaml", "text"] = "json"
    """`jsonl`: a list with the value of each line."""

    file: Text = ""
    """Where it is kept, inside the scenario's cache folder; by default the last part of the URL."""

    scenario_file: Optional[Text] = None
    """Where the scenario keeps its own copy; by default `file`."""


# ---- Where rows come from


class Location(_Part, frozen=True):
    """Something to have on this machine before rows are read."""

    file: Text = ""
    """A path inside the scenario's cache folder. What is there already is used as it is."""

    url: Text = ""
    """Where it is fetched from; empty: it must be there."""

    mirrors: List[Text] = []
    """Other addresses of the same bytes, tried in order."""

    sha256: Optional[str] = None
    """Of the bytes at `url`."""

    unpack: Literal["unzip", "untar", "unzstd", "ungz", "auto", None] = None
    """How the file at `url` is unpacked; `auto`: by its ending."""


class Zip(Location, frozen=True):
    """A file read in parallel with the rows of another one; both must have as many, unless `shortest`."""

    path: Optional[Text] = None
    """A path of this machine as the user gave it, instead of `file`."""

    format: Literal["jsonl", "json", "csv", "tsv", "lines"] = "lines"
    header: bool = True
    encoding: str = "utf-8"
    member: Text = ""
    shortest: bool = False
    """Rows that the other file lacks are ignored, in either file."""

    as_: Optional[str] = key_(name="as", default=None)
    """The column that the other row becomes; None: its columns are added."""


class File(Location, frozen=True):
    """A file of rows."""

    member: Text = ""
    """The path inside the unpacked archive; `file` is the folder that the archive becomes."""

    path: Optional[Text] = None
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

    delimiter: Optional[str] = None
    encoding: str = "utf-8"
    records: Optional[str] = None
    """Overrides `Entry.records` for this file."""

    split: Optional[Text] = None
    optional: bool = False
    """Skip it when it is absent."""

    zip: Union[Zip, List[Zip], None] = None
    each: Optional[Dict[str, Any]] = None
    """`{name: [values]}`: the file stands for several, with `${name}` in its texts. A text names a table, or is a
    `${...}` that is a list; `{range: [first, last]}` counts."""

    columns: Dict[str, Any] = {}
    """Constant columns added to the rows of this file."""


class Take(_Part, frozen=True):
    """The first `n` rows of the Hub library's `shuffle(seed)`; of very many rows only these are ever in memory."""

    seed: Union[int, str]
    n: int


class Hub(_Part, frozen=True):
    """A data set of the Hugging Face Hub: its files are read directly, its scripts are never run."""

    path: Text
    revision: Optional[Text] = None
    config: Optional[Text] = None
    data_dir: Optional[Text] = None
    data_files: Union[Text, List[Text], Dict[str, Any], None] = None
    splits: Union[Dict[str, str], str] = {}
    """Split of the hub -> split of the instances, in the order of the instances; or a `${...}` that is such a mapping."""

    take: Dict[str, Take] = {}
    """Split of the hub -> which of its rows are used."""


class Join(_Part, frozen=True):
    """A second data set whose rows are put beside the first one's."""

    hf: Hub
    on: Optional[str] = None
    """The column that both share; None: rows belong together by position."""

    as_: Optional[str] = key_(name="as", default=None)
    """The column that the other row becomes; None: its columns are added, and the first one's win."""


class Source(_Part, frozen=True):
    """Exactly one of `files`, `hf` and `rows`."""

    files: Optional[List[File]] = None
    hf: Union[Hub, List[Hub], None] = None
    rows: Optional[List[Dict[str, Any]]] = None
    """The rows themselves."""

    downloads: List[Location] = []
    """What the files are in, when that is not one of them: archives."""

    join: List[Join] = []
    how_to_get: str = ""
    """Where whoever runs the scenario gets restricted files from; for the error."""


class Gated(_Part, frozen=True):
    """Data that its owners give only to those who ask."""

    page: str
    """Where one asks."""

    credential: str = "huggingfaceToken"
    """The key of credentials.conf."""


# ---- Rows


class Test(_Part, frozen=True):
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


class Field(_Part, frozen=True):
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


class Unnest(_Part, frozen=True):
    """A row for each item of a list, or each key of a mapping. The other columns are repeated."""

    list: Optional[str] = None
    dict: Optional[str] = None
    as_: Optional[str] = key_(name="as", default=None)
    """The column of the item; None: the item is a mapping whose keys become columns."""

    key: Optional[str] = None
    """The column of the key (dict)."""

    index: Optional[str] = None
    """The column of the position."""


class Shuffle(_Part, frozen=True):
    """Rows in another order."""

    seed: Union[int, str]
    generator: Literal["python", "numpy", "hub"] = "python"
    """`random.Random(seed).shuffle`, `RandomState(seed).shuffle`, or the Hub library's `shuffle(seed)`."""


class Sample(_Part, frozen=True):
    """Some of the rows, in the order drawn."""

    seed: Union[int, str]
    n: Optional[Number] = None
    fraction: Optional[float] = None
    generator: Literal["pandas", "python"] = "pandas"
    """pandas' `sample(random_state=seed)`, or `random.Random(seed).sample`."""


class AssignSplit(_Part, frozen=True):
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


class Hook(_Part, frozen=True):
    """A registered function `(rows, **args) -> rows`: its name, or its class path."""

    name: str
    args: Dict[str, Any] = {}


class Step(_Part, frozen=True):
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


# ---- Instances


class Messages(_Part, frozen=True):
    """A chat history: the column with the list, and the keys of each message to keep."""

    from_: str = key_(name="from")
    keep: List[str] = key_(default_factory=lambda: ["role", "content"])


class Options(_Part, frozen=True):
    """Choices, in order. Exactly one of `from`, `list`, `dict`, `slice` and `texts`."""

    from_: Optional[List[Union[str, int]]] = key_(name="from", default=None)
    """Columns."""

    list: Optional[str] = None
    """A column that holds a list."""

    dict: Optional[str] = None
    """A column that holds a mapping of keys and texts."""

    slice: Optional[List[Optional[int]]] = None
    """`[1, -1]`: columns of a file without header."""

    texts: Union[List[Text], str, None] = None
    """Texts over the columns."""

    text: Optional[str] = None
    """list: the key of an item's text, when the items are mappings."""

    key: Optional[str] = None
    """list: the key of an item's label."""

    do: List[Function] = []
    skip_empty: bool = False
    """Drop empty and absent options before letters are assigned."""

    shuffle: Optional[Shuffle] = None
    """Each row's options in another order, all from one generator."""


class Answers(_Part, frozen=True):
    """Texts that are all correct; nested lists are flattened."""

    from_: Union[str, int, List[Union[str, int]], None] = key_(name="from", default=None)
    texts: Optional[List[Text]] = None
    do: List[Function] = []
    skip_empty: bool = False
    unique: bool = False


class Carriers(_Part, frozen=True):
    """Texts without a tag that a metric or a judge reads."""

    from_: List[Union[str, int]] = key_(name="from", default=[])
    texts: Optional[List[Text]] = None
    do: List[Function] = []
    skip_empty: bool = False


class References(_Part, frozen=True):
    options: Optional[Options] = None
    answers: Union[Answers, List[Union[str, int]], None] = None
    carriers: Optional[Carriers] = None
    tagged: Optional[str] = None
    """A column with a list of `[text, [tags]]`."""

    none: bool = False
    """Said for readers: there are none."""

    order: List[Literal["options", "answers", "carriers", "tagged"]] = key_(
        default_factory=lambda: ["options", "answers", "carriers", "tagged"]
    )


class Correct(_Part, frozen=True):
    """Which option is correct."""

    by: Literal["letter", "index", "one_based", "key", "name", "text"]
    """The column holds a letter (A is the first), a position from 0 or from 1, the key of a mapping or label of a list,
    the name of a column, or the text itself."""

    field: Union[str, int, None] = None
    value: Union[Scalar, UnsetType] = UNSET
    """A constant instead of a column."""

    do: List[Function] = []
    match: Literal["position", "text"] = "position"
    """`text`: every option with the text of the correct one is correct."""

    missing: Literal["error", "none"] = "error"
    """What a row means whose correct option is none of the options. `none`: no option is marked, and a warning says how
    many such rows there are."""


class SplitBy(_Part, frozen=True):
    """The split from a column."""

    field: Union[str, int]
    map: Optional[Dict[str, str]] = None
    default: Optional[str] = None


# ---- The scenario and the run


class ScenarioPart(_Part, frozen=True):
    class_: Text = key_(name="class", default="")
    """The class path that run specs name. Without `source` a class of Python; else one made from this entry."""

    name: str = ""
    """Names the cache folder; by default the entry's name."""

    tags: List[str] = []
    args: Optional[Dict[str, Any]] = None
    """Arguments of the constructor that run specs name; by default the parameters that the scenario uses."""

    params: Dict[str, Param] = {}
    """Further arguments of the constructor, which no run spec names; each has a default."""


class Taxonomy(_Part, frozen=True):
    task: Optional[str] = None
    what: Optional[str] = None
    when: Optional[str] = None
    who: Optional[str] = None
    language: Optional[str] = None


class Metadata(_Part, frozen=True):
    """The scenario's metadata: how tables show it."""

    main_metric: str
    main_split: str
    name: str = ""
    display_name: Optional[str] = None
    short_display_name: Optional[str] = None
    description: Optional[str] = None
    short_description: Optional[str] = None
    taxonomy: Optional[Taxonomy] = None


class ClassSpec(_Part, frozen=True):
    """A class and its arguments. A path of two parts, `module.Class`, is in the package of its kind."""

    class_: Text = key_(name="class")
    args: Dict[str, Any] = {}


class Metric(_Part, frozen=True):
    """A metric: a class with arguments, or the basic metrics with other names."""

    class_: Optional[Text] = key_(name="class", default=None)
    args: Dict[str, Any] = {}
    basic: Optional[List[str]] = None
    """BasicGenerationMetric with these names, BasicReferenceMetric, InstancesPerSplitMetric."""

    basic_generation: Optional[List[str]] = None
    """BasicGenerationMetric with these names."""


class Augmenter(_Part, frozen=True):
    """Which perturbed copies are made; the fields of DataAugmenterSpec."""

    perturbation_specs: List[ClassSpec] = []
    should_augment_train_instances: bool = False
    should_include_original_train: bool = False
    should_skip_unchanged_train: bool = False
    should_augment_eval_instances: bool = False
    should_include_original_eval: bool = False
    should_skip_unchanged_eval: bool = False
    seeds_per_instance: int = 1


class Case(_Part, frozen=True):
    """Changes to the run when parameters have these values (`unless`: when they have not): mappings merge (an adapter
    with `preset` replaces the whole adapter), lists and scalars replace."""

    when: Optional[Dict[str, Any]] = None
    unless: Optional[Dict[str, Any]] = None
    name: Optional[Text] = None
    scenario: Optional[ScenarioPart] = None
    adapter: Optional[Dict[str, Any]] = None
    metrics: Optional[List[Union[str, Metric]]] = None
    groups: Optional[List[Text]] = None
    annotators: Optional[List[ClassSpec]] = None
    data_augmenter: Optional[Augmenter] = None
    error: Optional[Text] = None
    """These values cannot go together; says why."""


class Run(_Part, frozen=True):
    """The run spec function."""

    adapter: Dict[str, Any]
    """`preset` and arguments: see `recipe.PRESETS`."""

    metrics: List[Union[str, Metric]] = []
    name: Text = ""
    """The run's name; by default the entry's name with all parameters."""

    scenario: Optional[ScenarioPart] = None
    """Overrides the entry's, where another entry has the class."""

    groups: Optional[List[Text]] = None
    """By default the entry's name."""

    annotators: Optional[List[ClassSpec]] = None
    data_augmenter: Optional[Augmenter] = None
    cases: List[Case] = []


class Entry(_Part, frozen=True):
    """A file of the catalogue."""

    name: str = ""
    """By default the file's name."""

    description: str = ""
    license: Optional[str] = None
    homepage: Optional[str] = None
    size: Optional[Dict[str, int]] = None
    """Rows or instances of each split."""

    gated: Optional[Gated] = None
    data: List[str] = []
    """Where a scenario of Python has its rows from, for those who read listings; `source` says it itself."""

    unavailable: Optional[str] = None
    """Why it cannot run anywhere; empty for most."""

    params: Dict[str, Param] = {}
    let: Dict[str, Any] = {}
    """Derived values, usable as `${name}`: a text (or any value), `{text, do}`, `{table, key, default}` or a list of
    cases."""

    tables: Dict[str, Any] = {}
    """Constant lists and mappings; a text names a YAML file beside this one that holds the table."""

    fetched: Dict[str, Fetched] = {}
    scenario: Optional[ScenarioPart] = None
    source: Optional[Source] = None
    records: Optional[str] = None
    """Where the rows are in a JSON file or line: `$.data[*]`, `$.*.*[0]`."""

    steps: List[Step] = []
    """Operations on all rows, in order, before `filter` and `fields`."""

    filter: Union[Filter, List[Filter]] = []
    fields: Dict[str, Union[str, int, Field]] = {}
    """Derived columns, in order; a text is a text over columns."""

    input: Optional[Text] = None
    messages: Optional[Messages] = None
    references: Optional[References] = None
    correct: Optional[Correct] = None
    split: Union[str, SplitBy, None] = None
    """For rows whose file or split of the hub does not say it."""

    sub_split: Optional[Text] = None
    id: Optional[Text] = None
    """The instance's id; a text that is one `{column}` keeps the type of the value."""

    extra_data: Optional[Dict[str, Union[str, Field]]] = None
    """Name -> column, or derived value."""

    extra_data_splits: Optional[List[str]] = None
    """Only instances of these splits have extra data."""

    metadata: Optional[Metadata] = None
    run: Optional[Run] = None
