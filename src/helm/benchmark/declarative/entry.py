"""What a catalogue entry may contain: one class for each mapping of its YAML file.

An entry is a scenario (where rows come from, how a row becomes an instance), a run spec function (`run`), or both. Keys
that are not listed here are errors. Any text may hold `${name}`: a parameter of the entry, or a value of `let`. A text
that becomes part of an instance may hold `{column}` as well: a column of the row, or one of `fields`; `{a.b}` goes down
into nested values. `{{` and `}}` stand for braces.
"""

import builtins
from typing import Any, Literal

from msgspec import UNSET, UnsetType
from msgspec import field as key_

from helm.benchmark.declarative.entry_parts import Fetched, Function, Gated, Param, Part, Scalar, Source, Text
from helm.benchmark.declarative.entry_rows import Field, Filter, Media, Shuffle, Step

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
    keep: list[str] = key_(default_factory=lambda: ["role", "content"])


class Options(Part, frozen=True):
    """Choices, in order. Exactly one of `from`, `list`, `dict`, `slice` and `texts`."""

    from_: list[str | int] | None = key_(name="from", default=None)
    """Columns."""

    list: str | None = None
    """A column that holds a list."""

    dict: str | None = None
    """A column that holds a mapping of keys and texts."""

    slice: builtins.list[int | None] | None = None
    """`[1, -1]`: columns of a file without a header."""

    texts: builtins.list[Text] | str | None = None
    """Texts over the columns."""

    text: str | None = None
    """list: the key of an item's text, when the items are mappings."""

    key: str | None = None
    """list: the key of an item's label."""

    do: builtins.list[Function] = []
    skip_empty: bool = False
    """Drop empty and absent options before assigning letters."""

    shuffle: Shuffle | None = None
    """Shuffle each row's options, using one generator for all rows."""


class Answers(Part, frozen=True):
    """Texts that are all correct; nested lists are flattened."""

    from_: str | int | list[str | int] | None = key_(name="from", default=None)
    texts: list[Text] | None = None
    do: list[Function] = []
    skip_empty: bool = False
    unique: bool = False


class Carriers(Part, frozen=True):
    """Untagged texts that a metric or a judge reads."""

    from_: list[str | int] = key_(name="from", default=[])
    texts: list[Text] | None = None
    do: list[Function] = []
    skip_empty: bool = False


class References(Part, frozen=True):
    options: Options | None = None
    answers: Answers | list[str | int] | None = None
    carriers: Carriers | None = None
    tagged: str | None = None
    """A column with a list of `[text, [tags]]`."""

    none: bool = False
    """Documents that there are no references."""

    order: list[Literal["options", "answers", "carriers", "tagged"]] = key_(
        default_factory=lambda: ["options", "answers", "carriers", "tagged"]
    )


class Correct(Part, frozen=True):
    """Which option is correct."""

    by: Literal["letter", "index", "one_based", "key", "name", "text"]
    """The column holds a letter (A is the first), a position from 0 or from 1, the key of a mapping, the label of a
    list, the name of a column, or the text itself."""

    field: str | int | None = None
    value: Scalar | UnsetType = UNSET
    """A constant instead of a column."""

    do: list[Function] = []
    match: Literal["position", "text"] = "position"
    """`text`: every option with the text of the correct one is correct."""

    missing: Literal["error", "none"] = "error"
    """What to do with a row whose correct option is not among the options. `none` marks no option, and a warning counts
    such rows."""


class SplitBy(Part, frozen=True):
    """The split from a column."""

    field: str | int
    map: dict[str, str] | None = None
    default: str | None = None


# ---- The scenario and the run


class ScenarioPart(Part, frozen=True):
    class_: Text = key_(name="class", default="")
    """The class path for run specs. Without `source`, a Python class; else a class created from this entry."""

    name: str = ""
    """Name of the cache folder; the entry's name by default."""

    tags: list[str] = []
    args: dict[str, Any] | None = None
    """Constructor arguments that run specs contain; by default the parameters that the scenario uses."""

    params: dict[str, Param] = {}
    """Further constructor arguments, which run specs do not contain; each has a default."""


class Taxonomy(Part, frozen=True):
    task: str | None = None
    what: str | None = None
    when: str | None = None
    who: str | None = None
    language: str | None = None


class Metadata(Part, frozen=True):
    """The scenario's metadata, which tables show."""

    main_metric: str
    main_split: str
    name: str = ""
    display_name: str | None = None
    short_display_name: str | None = None
    description: str | None = None
    short_description: str | None = None
    taxonomy: Taxonomy | None = None


class ClassSpec(Part, frozen=True):
    """A class and its arguments. A path of two parts, `module.Class`, is relative to the package of its kind."""

    class_: Text = key_(name="class")
    args: dict[str, Any] = {}


class Metric(Part, frozen=True):
    """A metric: a class with arguments, or the basic metrics under other names."""

    class_: Text | None = key_(name="class", default=None)
    args: dict[str, Any] = {}
    basic: list[str] | None = None
    """BasicGenerationMetric with these names, BasicReferenceMetric, InstancesPerSplitMetric."""

    basic_generation: list[str] | None = None
    """BasicGenerationMetric with these names."""

    bundle: str | None = None
    """A bundle that takes arguments, which are `args`."""


class Augmenter(Part, frozen=True):
    """The perturbed copies to make; the fields of DataAugmenterSpec."""

    perturbation_specs: list[ClassSpec] = []
    should_augment_train_instances: bool = False
    should_include_original_train: bool = False
    should_skip_unchanged_train: bool = False
    should_augment_eval_instances: bool = False
    should_include_original_eval: bool = False
    should_skip_unchanged_eval: bool = False
    seeds_per_instance: int = 1


class Case(Part, frozen=True):
    """Changes to the run if parameters have these values (`unless`: if they do not).

    Mappings are merged (an adapter with `preset` replaces the whole adapter); lists and scalars are replaced.
    """

    when: dict[str, Any] | None = None
    unless: dict[str, Any] | None = None
    name: Text | None = None
    scenario: ScenarioPart | None = None
    adapter: dict[str, Any] | None = None
    metrics: list[str | Metric] | None = None
    groups: list[Text] | None = None
    annotators: list[ClassSpec] | None = None
    data_augmenter: Augmenter | None = None
    error: Text | None = None
    """Why these values cannot be combined."""


class Run(Part, frozen=True):
    """The run spec function."""

    adapter: dict[str, Any]
    """`preset` and its arguments; see `recipe.PRESETS`."""

    metrics: list[str | Metric] = []
    name: Text = ""
    """The run's name; by default the entry's name with all parameters."""

    scenario: ScenarioPart | None = None
    """Overrides the entry's class path if another entry declares the class."""

    groups: list[Text] | None = None
    """The entry's name by default."""

    annotators: list[ClassSpec] | None = None
    data_augmenter: Augmenter | None = None
    cases: list[Case] = []


class Entry(Part, frozen=True):
    """The content of a catalogue file."""

    name: str = ""
    """The file's name by default."""

    description: str = ""
    license: str | None = None
    homepage: str | None = None
    size: dict[str, int] | None = None
    """The rows or instances of each split."""

    gated: Gated | None = None
    data: list[str] = []
    """Where a Python scenario gets its rows, for listings; `source` documents itself."""

    unavailable: str | None = None
    """Why it cannot run anywhere; usually empty."""

    params: dict[str, Param] = {}
    let: dict[str, Any] = {}
    """Derived values, usable as `${name}`: a text (or any value), `{text, do}`, `{table, key, default}` or a list of
    cases."""

    tables: dict[str, Any] = {}
    """Constant lists and mappings. A text is the name of a YAML file in the same folder that contains the table."""

    fetched: dict[str, Fetched] = {}
    scenario: ScenarioPart | None = None
    source: Source | None = None
    records: str | None = None
    """Path of the rows in a JSON file or line: `$.data[*]`, `$.*.*[0]`."""

    steps: list[Step] = []
    """Operations on all rows, in order, before `filter` and `fields`."""

    filter: Filter | list[Filter] = []
    fields: dict[str, str | int | Field] = {}
    """Derived columns, in order; a text is a text over columns."""

    media: dict[str, Media] = {}
    """Columns with images, sounds or videos, stored as files. After `fields`."""

    input: Text | PassageQuestion | list[Text] | None = None
    """A list has the parts of a prompt with media, in order; a part that is a single `{column}` may be a media object, or
    a list of texts and media objects."""

    messages: Messages | None = None
    references: References | None = None
    correct: Correct | None = None
    split: str | SplitBy | None = None
    """Split of rows whose file or Hub split does not determine it."""

    sub_split: Text | None = None
    id: Text | None = None
    """The instance's id; a text that is a single `{column}` keeps the type of the value."""

    extra_data: dict[str, str | Field] | None = None
    """Maps name to column or derived value."""

    extra_data_splits: list[str] | None = None
    """Restricts extra data to instances of these splits."""

    metadata: Metadata | None = None
    run: Run | None = None
