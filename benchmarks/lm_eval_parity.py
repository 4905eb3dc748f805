"""Compares this package with lm-evaluation-harness itself, task by task: prompts, requests, filters, metrics and aggregates.

    python benchmarks/lm_eval_parity.py PEER_PYTHON PATH_OF_ITS_SITE_PACKAGES ROWS.json [--table FILE]

Both programs get the same made-up rows (of `lm_eval_tasks.py --rows`) and the same scripted answers (`lm_eval_scripted.py`).
Task code of ours runs in the sandbox, as in a run.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from lm_eval_sandbox import run_inside

from helm.benchmark.lm_eval.task_code import collect_code
from helm.benchmark.lm_eval.task_files import read_task_file
from helm.benchmark.lm_eval.task_library import find_library

HERE = pathlib.Path(__file__).parent
BATCH = 40


def splits_of(config):
    fewshot = config.get("fewshot_config") or {}
    named = [config.get(f"{kind}_split") for kind in ("training", "validation", "test", "fewshot")] + [
        fewshot.get("split")
    ]
    return sorted({one for one in named if one} | {"train", "validation", "test"})


def run_ours(work, library):
    """Return the answers by task and mode; those of a batch come from one process in the sandbox."""
    found = {}
    for start in range(0, len(work), BATCH):
        batch, given = [], {}
        for item in work[start : start + BATCH]:
            read = read_task_file(library.tasks[item["task"]], library.root)
            config = read.config()
            code = collect_code(config, read.root)
            given.update(code.files if code else {})
            usual = config.pop("num_fewshot", None)
            shots = usual if item.get("num_fewshot") is None else item["num_fewshot"]
            shots = (config.get("fewshot_config") or {}).get("num_fewshot") or 0 if shots is None else shots
            batch.append({**item, "config": config, "shots": shots})
        _, answers = run_inside("lm_eval_ours", batch, given, ["lm_eval_scripted"])
        found.update({(answer["task"], answer["mode"]): answer for answer in answers})
        print(f"{start + len(batch)} of {len(work)} here", file=sys.stderr)
    return found


def compare(theirs, asked, results):
    """Return the first difference; "" if there is none."""
    distinct = list({(doc, index): [doc, index, *rest] for doc, index, *rest in theirs["asked"]}.values())  # repeats
    if len(distinct) != len(asked):
        return f"{len(distinct)} requests there, {len(asked)} here"
    for there, here in zip(distinct, asked, strict=True):
        if there[2] != here[2]:
            return f"kind of request: {there[2]} there, {here[2]} here"
        texts = 2 if there[2] == "loglikelihood" else 1
        for a, b in zip(there[3 : 3 + texts], here[3 : 3 + texts], strict=True):
            if str(a) != str(b):
                at = next(
                    (k for k, (x, y) in enumerate(zip(str(a), str(b), strict=False)) if x != y),
                    min(len(str(a)), len(str(b))),
                )
                near = slice(max(0, at - 30), at + 30)
                return f"prompt: document {there[0]}: ...{str(a)[near]!r} there, ...{str(b)[near]!r} here"
    for name, value in theirs["results"].items():
        if isinstance(value, (int, float)):
            if name not in results:
                return f"score {name} is missing here (here: {', '.join(results)})"
            if not _equal(value, results[name]):
                return f"score {name}: {value} there, {results[name]} here"
    return ""


def _equal(a, b):
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python")
    parser.add_argument("library")
    parser.add_argument("rows")
    parser.add_argument("--table")
    parser.add_argument("--figures", help="a file of JSON, in which what was compared is added to what it has")
    parser.add_argument("--only")
    parser.add_argument("--modes", default="")
    parser.add_argument(
        "--peer-results", help="a file with what lm-evaluation-harness answered, written if it is not there"
    )
    arguments = parser.parse_args()
    library = find_library(arguments.library)
    work = []
    for item in json.load(open(arguments.rows)):
        if arguments.only and item["task"] not in arguments.only.split(","):
            continue
        config = read_task_file(library.tasks[item["task"]], library.root).config()
        base = {"task": item["task"], "rows": item["rows"], "splits": splits_of(config)}
        shots = config.get("num_fewshot")
        work.append({**base, "num_fewshot": min(shots, 3) if shots else shots})
        if "few" in arguments.modes and shots != 0:  # lm-eval ignores another number for a task that says 0
            work.append({**base, "num_fewshot": 2, "mode": "few"})
        if "chat" in arguments.modes:
            chat = {"apply_chat_template": True, "system_instruction": "Be brief."}
            for mode, options in (("chat", chat), ("chat-turns", {**chat, "fewshot_as_multiturn": True})):
                work.append({**base, "num_fewshot": 0 if shots == 0 else 2, "mode": mode, "options": options})
    with tempfile.TemporaryDirectory() as scratch:
        sent, received = (
            os.path.join(scratch, "work.json"),
            arguments.peer_results or os.path.join(scratch, "result.jsonl"),
        )
        pathlib.Path(sent).write_text(json.dumps(work))
        if not (arguments.peer_results and os.path.exists(received)):
            subprocess.run(
                [arguments.python, str(HERE / "lm_eval_peer.py"), sent, received],
                check=False, env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_ALLOW_CODE_EVAL": "1"},
            )  # fmt: skip
        answers = [json.loads(line) for line in open(received)]
    theirs = {(one["task"], one["mode"]): one for one in answers}
    compared_here = {key for key, one in theirs.items() if "error" not in one}
    ours = run_ours([item for item in work if (item["task"], item.get("mode", "")) in compared_here], library)
    lines = ["| task | mode | requests | scores | |", "|---|---|---|---|---|"]
    figures = {}
    equal = compared = 0
    for item in work:
        there = theirs.get((item["task"], item.get("mode", "")), {"error": "it was ended before"})
        figure = figures.setdefault(item["task"], {}).setdefault(item.get("mode", ""), {})
        if "error" in there:
            figure["not_compared"] = re.sub(r"/\S*/", "", there["error"])[:110]
            lines.append(
                f"| {item['task']} | {item.get('mode', '')} | | | not compared: lm-eval fails: {there['error'][:110]} |"
            )
            continue
        compared += 1
        here = ours.get((item["task"], item.get("mode", "")), {"error": "it was ended before"})
        asked = here.get("asked", [])
        difference = f"fails here: {here['error']}" if "error" in here else compare(there, asked, here["results"])
        equal += not difference
        figure.update(requests=len(asked), scores=len(there["results"]), difference=difference)
        lines.append(
            f"| {item['task']} | {item.get('mode', '')} | {len(asked)} | {len(there['results'])} | "
            f"{difference.replace('|', '/').replace(chr(10), ' ') or 'equal'} |"
        )
        print(lines[-1], file=sys.stderr)
    lines.append(f"| **{equal} of {compared} equal** | | | | |")
    text = "\n".join(lines)
    if arguments.table:
        pathlib.Path(arguments.table).write_text(text + "\n")
    if arguments.figures:
        path = pathlib.Path(arguments.figures)
        earlier = json.loads(path.read_text()) if path.exists() else {}
        for task, modes in figures.items():
            earlier.setdefault(task, {}).update(modes)
        path.write_text(json.dumps(earlier, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    print(lines[-1])


if __name__ == "__main__":
    main()
