"""What a summarizer found and made."""

from dataclasses import dataclass, field

from helm.benchmark.presentation.table import Table
from helm.results.run_files.run_reader import Run
from helm.results.schema import Schema


@dataclass(frozen=True)
class RunRemark:
    """Something that readers should know about a run folder."""

    name: str

    reason: str
    """In one line."""


@dataclass
class Summary:
    """For the terminal, and for whoever calls a summarizer from a program."""

    runs: list[Run] = field(default_factory=list)

    tables: dict[str, list[Table]] = field(default_factory=dict)
    """By run group, in the order of the schema."""

    without_results: list[RunRemark] = field(default_factory=list)
    """Run folders whose numbers are missing, and why; without those that failed."""

    failed: list[RunRemark] = field(default_factory=list)
    """Run folders that hold an error instead of results, and the error. No table shows them."""

    outdated: list[RunRemark] = field(default_factory=list)
    """Run folders that show the results of an earlier attempt, and why the last one failed."""

    unshown: list[str] = field(default_factory=list)
    """Names of runs of which no group is defined in the schema."""

    problems: list[str] = field(default_factory=list)
    """What went wrong without stopping the rest; each names its file."""

    schema: Schema = field(default_factory=Schema)

    costs: Table | None = None
    """What the runs cost by deployment; None: not computed."""

    path: str = ""
    """The folder that the files are in."""
