"""What a catalogue entry may hold: one class for each mapping of its YAML file.

An entry is a scenario (where rows come from, how a row becomes an instance), a run spec function (`run`), or both. Keys
that are not listed here are errors. Any text may hold `${name}`: a parameter of the entry, or a value of `let`. A text
that becomes part of an instance may hold `{column}` as well: a column of the row, or one of `fields`; `{a.b}` goes down
into nested values. `{{` and `}}` stand for braces.
"""

from typing import Any, Dict, List, Literal, Optional, Union

from msgspec import UNSET, UnsetType
from msgspec import field as key_

from helm.benchmark.declarative.entry_parts import Fetched, Function, Gated, Param, Part, Scalar, Source, Text
from helm.benchmark.declarative.entry_rows import Field, Filter, Shuffle, Step

# ---- Instances


class PassageQuestion(Part, frozen=True):
    """A text over columns in two parts, `{passage_prefix}{passage}{separator}{question_prefix}{question}`.

    Makes a `PassageQuestionInput`, which never equals a perturbed copy: copies that a perturbation leaves unchanged are
    asked too, as in HELM.
    """

    passage: Text
    question: Text
    passage_prefix: Text = ""
    question_prefix: Text = "Question: "
    separator: str = "\n"


class Messages(Part, frozen=True):
    """A chat history: the column with the list, and the keys of each message to keep."""

    from_: str = key_(name="from")
    keep: List[str] = key_(default_factory=lambda: ["role", "content"])


class Options(Part, frozen=True):
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


class Answers(Part, frozen=True):
    """Texts that are all correct; nested lists are flattened."""

    from_: Union[str, int, List[Union[str, int]], None] = key_(name="from", default=None)
    texts: Optional[List[Text]] = None
    do: List[Function] = []
    skip_empty: bool = False
    unique: bool = False


class Carriers(Part, frozen=True):
    """Texts without a tag that a metric or a judge reads."""

    from_: List[Union[str, int]] = key_(name="from", default=[])
    texts: Optional[List[Text]] = None
    do: List[Function] = []
    skip_empty: bool = False


class References(Part, frozen=True):
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


class Correct(Part, frozen=True):
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


class SplitBy(Part, frozen=True):
    """The split from a column."""

    field: Union[str, int]
    map: Optional[Dict[str, str]] = None
    default: Optional[str] = None


# ---- The scenario and the run


class ScenarioPart(Part, frozen=True):
    class_: Text = key_(name="class", default="")
    """The class path that run specs name. Without `source` a class of Python; else one made from this entry."""

    name: str = ""
    """Names the cache folder; by default the entry's name."""

    tags: List[str] = []
    args: Optional[Dict[str, Any]] = None
    """Arguments of the constructor that run specs name; by default the parameters that the scenario uses."""

    params: Dict[str, Param] = {}
    """Further arguments of the constructor, which no run spec names; each has a default."""


class Taxonomy(Part, frozen=True):
    task: Optional[str] = None
    what: Optional[str] = None
    when: Optional[str] = None
    who: Optional[str] = None
    language: Optional[str] = None


class Metadata(Part, frozen=True):
    """The scenario's metadata: how tables show it."""

    main_metric: str
    main_split: str
    name: str = ""
    display_name: Optional[str] = None
    short_display_name: Optional[str] = None
    description: Optional[str] = None
    short_description: Optional[str] = None
    taxonomy: Optional[Taxonomy] = None


class ClassSpec(Part, frozen=True):
    """A class and its arguments. A path of two parts, `module.Class`, is in the package of its kind."""

    class_: Text = key_(name="class")
    args: Dict[str, Any] = {}


class Metric(Part, frozen=True):
    """A metric: a class with arguments, or the basic metrics with other names."""

    class_: Optional[Text] = key_(name="class", default=None)
    args: Dict[str, Any] = {}
    basic: Optional[List[str]] = None
    """BasicGenerationMetric with these names, BasicReferenceMetric, InstancesPerSplitMetric."""

    basic_generation: Optional[List[str]] = None
    """BasicGenerationMetric with these names."""


class Augmenter(Part, frozen=True):
    """Which perturbed copies are made; the fields of DataAugmenterSpec."""

    perturbation_specs: List[ClassSpec] = []
    should_augment_train_instances: bool = False
    should_include_original_train: bool = False
    should_skip_unchanged_train: bool = False
    should_augment_eval_instances: bool = False
    should_include_original_eval: bool = False
    should_skip_unchanged_eval: bool = False
    seeds_per_instance: int = 1


class Case(Part, frozen=True):
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


class Run(Part, frozen=True):
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


class Entry(Part, frozen=True):
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

    input: Union[Text, PassageQuestion, None] = None
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
