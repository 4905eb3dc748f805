"""Shared parts of the two MTSamples scenarios: reports listed by GitHub's API, one line of each used as the answer."""

import json
import os

from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.hierarchical_logger import hwarn

REPOSITORY = "raulista1997/benchmarkdata"
HEADINGS = ("PLAN:", "SUMMARY:", "FINDINGS:")


def load_reports(folder: str, commit: str, output_path: str) -> list[tuple[str, str]]:
    """Return names and texts of the reports in a folder of the repository, in the order of the API's listing.

    HELM requests the current listing of one of the folders; here both are listed at the commit from which the reports
    are read.
    """
    listing = os.path.join(output_path, f"{folder}.json")
    ensure_file_downloaded(f"https://api.github.com/repos/{REPOSITORY}/contents/{folder}?ref={commit}", listing)
    with open(listing, encoding="utf-8") as file:
        items = json.load(file)
    if not isinstance(items, list) or not all(isinstance(item, dict) and "name" in item for item in items):
        raise ScenarioError(f"{listing} is not a listing of files: expected a list of objects with a name.")
    reports = []
    for name in [item["name"] for item in items if item["name"].endswith(".txt")]:
        path = os.path.join(output_path, folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        ensure_file_downloaded(f"https://raw.githubusercontent.com/{REPOSITORY}/{commit}/{folder}/{name}", path)
        with open(path, encoding="utf-8") as file:
            reports.append((name, file.read()))
    return reports


def section(text: str, heading: str) -> str | None:
    """Return the rest of the line after the first `heading`; None if there is none, or nothing after it."""
    if heading not in text:
        return None
    lines = text.split(heading, 1)[1].splitlines()
    return (lines[0].strip() if lines else "") or None


def text_before(text: str, headings: tuple[str, ...]) -> str:
    """Return the text before the first of the headings."""
    return text[: min((text.index(heading) for heading in headings if heading in text), default=len(text))].strip()


def make_instances(reports: list[tuple[str, str]], cut_at: tuple[str, ...]) -> list[Instance]:
    """Return a test instance for each report with a plan, a summary or findings: the first of them is the answer.

    The input ends where the first of the headings `cut_at` begins. Reports without an answer are left out, with a
    warning that counts them.
    """
    instances, without_answer = [], []
    for name, text in reports:
        answer = next((found for heading in HEADINGS if (found := section(text, heading))), None)
        if answer is None:
            without_answer.append(name)
            continue
        reference = Reference(Output(text=answer), tags=[CORRECT_TAG])
        instances.append(Instance(Input(text=text_before(text, cut_at)), [reference], split=TEST_SPLIT))
    if without_answer:
        names = ", ".join(without_answer[:3])
        hwarn(f"{len(without_answer)} of {len(reports)} reports have no plan, summary or findings ({names}, ...).")
    return instances
