"""The result of a summarizer."""

from collections.abc import MutableMapping, MutableSequence
from dataclasses import dataclass, field

from helm.benchmark.presentation.table import Table
from helm.results.run_files.run_reader import Run
from helm.results.schema import Schema


@dataclass(frozen=True)
class RunRemark:
    """A remark about a run folder for readers."""

    name: str

    reason: str
    """The text, on one line."""


@dataclass
class Summary:
    """The result of summarizing, for the terminal and for programs that call a summarizer."""

    runs: list[Run] = field(default_factory=list)

    tables: MutableMapping[str, MutableSequence[Table]] = field(default_factory=dict)
    """The tables by run group, in the order of the schema. A summarizer keeps them in a file, so that a changed table lasts only
    if it is put back; see `SpooledTables`."""

    without_results: list[RunRemark] = field(default_factory=list)
    """Run folders whose numbers are missing, and why; without failed runs."""

    failed: list[RunRemark] = field(default_factory=list)
    """Run folders that contain an error instead of results, and the error. No table shows them."""

    outdated: list[RunRemark] = field(default_factory=list)
    """Run folders that show the results of an earlier attempt, and why the latest one failed."""

    unshown: list[str] = field(default_factory=list)
    """Names of runs that have no group defined in the schema."""

    other_metrics: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Groups whose main metric in HELM's schema is not the one that their scenario declares: the two names. Only groups with
    runs that extract answers, which HELM does not have, are in it."""

    problems: list[str] = field(default_factory=list)
    """Errors that did not stop the rest; each names its file."""

    schema: Schema = field(default_factory=Schema)

    costs: Table | None = None
    """The cost of the runs per deployment. None if not computed."""

    path: str = ""
    """The folder of the files."""
