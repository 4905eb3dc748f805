"""Constructs every run entry of HELM's 70 conf files with this package and with crfm-helm, and compares the run specs.

    PEER_PYTHON=/path/to/venv/bin/python python benchmarks/compare_entries_with_helm.py [SUITE ...] [--json FILE] [-v]

The run specs of both are compared as JSON, as in `run_spec.json`. One model stands for each large group of models
(`model=text`), as in `STAND_INS`; small groups are expanded. Neither program may use the network: texts that run specs are
made from have stand-ins for RAFT, LegalBench and BIG-bench, and are missing for CLEVA. Printed is one row for each conf file:
entries that give equal run specs, different ones, those that only one of the two constructs, and those that neither does;
then the reasons, with counts. The exit status is 1 when an entry without images, sound or video is constructed only by the
original.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

STAND_INS = {
    "text": "openai/gpt-4o-2024-05-13",
    "text_code": "openai/gpt-4o-2024-05-13",
    "code": "openai/code-davinci-002",
    "full_functionality_text": "openai/davinci-002",
    "vlm": "openai/gpt-4o-2024-05-13",
    "audiolm": "google/gemini-2.0-flash-001",
    "text_to_image": "huggingface/stable-diffusion-v1-4",
}
"""By group of models: the model that is asked. Entries without a model ask that of `text`."""

MEDIA_GROUP = "images, sound and video"

_NOWHERE = "http://127.0.0.1:9"
_OFFLINE = {name: _NOWHERE for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")} | {
    "HF_HUB_OFFLINE": "1"
}

# Runs in the Python of either program. Standard input has one entry per line; each line of the output file has the run specs
# of one, or the error.
_CONSTRUCT = """
import json, logging, sys
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.general import asdict_without_nones
from helm.common.object_spec import parse_object_spec

register_builtin_configs_from_helm_package()
logging.disable(logging.CRITICAL)
with open(sys.argv[1], "w") as out:
    for line in sys.stdin:
        try:
            answer = {"specs": [asdict_without_nones(spec) for spec in construct_run_specs(parse_object_spec(json.loads(line)))]}
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            answer = {"error": f"{type(e).__name__}: {e}"}
        out.write(json.dumps(answer, default=str) + "\\n")
"""


def with_stand_in(description: str) -> str:
    """Return a run entry that asks one model in the place of a large group."""
    found = re.search(r"\bmodel=([^,]*)", description)
    if found is None:
        return f"{description}{',' if ':' in description else ':'}model={STAND_INS['text']}"
    return description.replace(found[0], f"model={STAND_INS.get(found[1], found[1])}", 1)


def write_stand_ins(folder: Path, descriptions: Sequence[str]) -> None:
    """Write the files that recipes of RAFT, LegalBench and BIG-bench download, under the names that both programs use."""
    for name, num_lines in (("raft", 2), ("legalbench", 5)):
        subsets = dict.fromkeys(re.findall(rf"\b{name}:.*?subset=(\w+)", "\n".join(descriptions)))
        first = {subset: [["Text", "Text"]] if name == "legalbench" else ["Text"] for subset in subsets}
        others = [{subset: f"text {line} of {subset}" for subset in subsets} for line in range(1, num_lines)]
        path = folder / name / "prompt_construction_settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in (first, *others)))
    for text in descriptions:
        found = re.match(r"big_bench:.*task=(\w+),subtask=(\w*)", text)
        if found:
            example = {"input": "a", "target_scores": {"x": 1, "y": 0}}
            metrics = ["exact_str_match", "multiple_choice_grade", "bleu"]
            task = {"name": found[1], "description": "d", "keywords": ["k"], "metrics": metrics, "examples": [example]}
            path = folder / "big_bench" / found[1] / found[2] / "task.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({**task, "preferred_score": "exact_str_match", "task_prefix": "p"}))


def construct(python: str, descriptions: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the program in the environment of `python` makes of each entry: its run specs, or an error."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "HELM_CREDENTIALS")}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_stand_ins(Path(folder) / "benchmark_output" / "scenarios", descriptions)
        done = subprocess.run(
            [python, "-c", _CONSTRUCT, str(path)],
            input="".join(f"{json.dumps(text)}\n" for text in descriptions),
            cwd=folder,
            env={**environment, **_OFFLINE},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{python} failed:\n{done.stderr[-4000:]}")
        return [json.loads(line) for line in path.read_text().splitlines()]


def differences(ours: Any, theirs: Any, where: str = "") -> Iterator[str]:
    """Yield the paths at which two JSON values differ, without indices of lists, with the values if they are short."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            yield from differences(ours.get(key), theirs.get(key), f"{where}.{key}" if where else key)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            yield from differences(one, other, where)
    elif ours != theirs or type(ours) is not type(theirs):
        one, other = (json.dumps(value) for value in (ours, theirs))
        is_short = len(one) + len(other) < 90
        yield f"{where}: {one} here, {other} in the original" if is_short else where


def compare(ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[str, str]:
    """Return the column of an entry, and the reason if it is not `equal`."""
    if "error" in ours and "error" in theirs:
        return "neither", f"{_shorten(ours['error'])} || {_shorten(theirs['error'])}"
    if "error" in ours:
        return "only there", _shorten(ours["error"])
    if "error" in theirs:
        return "only here", _shorten(theirs["error"])
    # The original keeps the models of a group in a set, so their order differs from process to process.
    by_name = [sorted(answer["specs"], key=lambda spec: json.dumps(spec, sort_keys=True)) for answer in (ours, theirs)]
    here, there = ({spec["adapter_spec"]["model"] for spec in specs} for specs in by_name)
    found = [f"models only {word}: {', '.join(names)}" for word, names in _unshared(here, there) if names]
    shared = [[spec for spec in specs if spec["adapter_spec"]["model"] in here & there] for specs in by_name]
    found += sorted(set(differences(shared[0], shared[1])))
    return ("different", "; ".join(found)) if found else ("equal", "")


def _unshared(here: set[str], there: set[str]) -> list[tuple[str, list[str]]]:
    return [("here", sorted(here - there)), ("in the original", sorted(there - here))]


def _shorten(error: str) -> str:
    return " ".join(error.split())[:200]


COLUMNS = ("equal", "different", "only there", "only here", "neither")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help="names of suites (default: all conf files of HELM)")
    parser.add_argument("--json", help="also write all rows and reasons to this file")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each entry that is not equal")
    args = parser.parse_args()
    peer = os.environ.get("PEER_PYTHON")
    if not peer:
        parser.error("PEER_PYTHON has to name the Python of an environment with crfm-helm")

    from tabulate import tabulate

    from helm.benchmark.catalogue.suites import conf_file_name, suite_entries, suite_names, suites_by_group

    names = args.suites or [name for name in suite_names() if conf_file_name(name)]
    media = set(suites_by_group().get(MEDIA_GROUP, ()))
    asked = [(name, with_stand_in(text)) for name in names for text, _, _ in suite_entries(name)]
    texts = list(dict.fromkeys(text for _, text in asked))
    ours = dict(zip(texts, construct(sys.executable, texts), strict=True))
    theirs = dict(zip(texts, construct(peer, texts), strict=True))
    counts = {name: Counter[str]() for name in names}
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, text in asked:
        column, reason = compare(ours[text], theirs[text])
        counts[name][column] += 1
        if reason:
            reasons.setdefault((column, reason), []).append(f"{name}: {text}")
    rows = [[conf_file_name(name) or name, *(counts[name][column] for column in COLUMNS)] for name in names]
    rows.append(["all", *(sum(row[i] for row in rows) for i in range(1, len(COLUMNS) + 1))])  # type: ignore[misc]
    print(tabulate(rows, headers=["conf file", *COLUMNS], tablefmt="github"))
    for (column, reason), entries in sorted(reasons.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"\n{column}, {len(entries)}: {reason}")
        for entry in entries if args.verbose else entries[:2]:
            print(f"    {entry}")
    if args.json:
        found = [{"column": c, "reason": r, "entries": entries} for (c, r), entries in reasons.items()]
        Path(args.json).write_text(json.dumps({"counts": counts, "reasons": found}, indent=1))
    return int(any(counts[name]["only there"] for name in names if name not in media))


if __name__ == "__main__":
    sys.exit(main())
