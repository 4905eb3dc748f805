"""Generates the documentation page that lists the catalogue: `python -m helm.benchmark.catalogue.catalogue_page`."""

import inspect

from helm.benchmark.assembly.run_listing import Argument, RunDescription, data_entry, data_places, declared_arguments


def catalogue_page() -> str:
    """Return docs/reference-scenarios.md: every entry of the shipped catalogue, by suite."""
    from helm.benchmark.declarative import catalogue

    by_suite: dict[str, list[str]] = {}
    withdrawn: list[str] = []
    for file in catalogue.entries():
        suite = catalogue.suite_of(file)
        if not suite or file.entry.run is None:
            continue
        found = RunDescription(
            file.name, text=file.entry.description, arguments=declared_arguments(file), entry=file.entry
        )
        data = data_entry(file)
        sources = [*(text for text, _ in data_places(data, "")), *data.data]
        reason = file.entry.unavailable or data.unavailable
        if reason:
            withdrawn.append(f"| `{found.name}` | {reason} |")
        arguments = ", ".join(f"`{argument.name}`{_page_values(argument)}" for argument in found.arguments)
        by_suite.setdefault(suite, []).append(
            f"| `{found.name}` | {arguments} | {_cell(found.text)} | {_page_data(sources)} | {_cell(data.license or '')} |"
        )
    lines = [
        "# Reference: scenarios",
        "",
        "This page lists every run spec of the catalogue. `python -m helm.benchmark.catalogue.catalogue_page` writes it from the",
        "entries.",
        "`helm-run --list TEXT` searches them and says which can run on your machine now; `helm-run --describe NAME` prints",
        "everything about one. The run specs that need no data are in [run entries](reference-run-entries.md#run-specs).",
        "The [tutorial](tutorial-data-set.md) shows how to add one.",
        "",
        f"{sum(len(rows) for rows in by_suite.values())} run specs. Values in parentheses are defaults of arguments.",
    ]
    for suite in sorted(by_suite):
        title = suite.replace("_", " ")
        lines += [
            "",
            f"## {title}",
            "",
            "| run spec | arguments | what it asks | data | licence |",
            "|---|---|---|---|---|",
        ]
        lines += by_suite[suite]
    lines += ["", "## Run specs that cannot run", "", "| run spec | why |", "|---|---|", *sorted(withdrawn)]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _page_values(argument: Argument) -> str:
    shown = "" if argument.default is inspect.Parameter.empty else f" ({argument.default})"
    if argument.choices and len(argument.choices) <= 6:
        shown += ": " + ", ".join(f"`{choice}`" for choice in argument.choices)
    elif argument.choices:
        shown += f": one of {len(argument.choices)}"
    return shown


def _page_data(sources: list[str]) -> str:
    """Return data sets of the Hub by name, and files by host."""
    from urllib.parse import urlsplit

    names = []
    for source in sources:
        if source.startswith("hf:"):
            names.append(source[3:].split(" ")[0])
        else:
            names.append(urlsplit(source).netloc or source.partition(":")[0])
    return _cell(", ".join(dict.fromkeys(name for name in names if "$" not in name)))


if __name__ == "__main__":
    print(catalogue_page(), end="")
