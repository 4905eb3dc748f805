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
import subprocess
import sys
import tempfile

import lm_eval_scripted as scripted

from helm.benchmark.lm_eval import task_code
from helm.benchmark.lm_eval.task_files import read_task_file
from helm.benchmark.lm_eval.task_library import find_library
from helm.benchmark.lm_eval.task_worker import do_job
from helm.benchmark.lm_eval.worker.plain import from_plain
from helm.common.data.data_session import data_session
from helm.common.errors import HelmError

HERE = pathlib.Path(__file__).parent


def splits_of(config):
    fewshot = config.get("fewshot_config") or {}
    named = [config.get(f"{kind}_split") for kind in ("training", "validation", "test", "fewshot")] + [
        fewshot.get("split")
    ]
    return sorted({one for one in named if one} | {"train", "validation", "test"})


def run_ours(item, library):
    read = read_task_file(library.tasks[item["task"]], library.root)
    code = task_code.collect_code(read.config(), read.root)
    config = read.config()

    def load(path, name, split, arguments):
        every = item["splits"] if split is None else [split]
        tables = [{"path": path, "name": name, "split": one, "rows": item["rows"], "labels": {}} for one in every]
        return tables + ([{"path": path, "name": name, "split": None, "splits": every}] if split is None else [])

    shots = item.get("num_fewshot")
    usual = config.pop("num_fewshot", None)
    shots = usual if shots is None else shots
    if shots is None:
        shots = (config.get("fewshot_config") or {}).get("num_fewshot") or 0
    job = {"action": "build", "config": config, "num_fewshot": shots, "options": item.get("options", {})}
    trusted = [code.digest] if code is not None else []
    with data_session(trusted_code=trusted):
        built = do_job(job, item["task"], code, load)
    asked, documents = [], []
    repeats = config.get("repeats") or 1
    for i, document in enumerate(built["documents"]):
        doc, responses = from_plain(document["doc"]), []
        for j, (kind, first, *rest) in enumerate(document["requests"]):
            context = document["context"] if first is None else first
            if isinstance(context, list):
                context = json.dumps(context)
            asked.append([i, j, kind, context, *rest])
            if kind == "loglikelihood":
                responses.append([list(scripted.likelihood(context, rest[0]))] * repeats)
            elif kind == "loglikelihood_rolling":
                responses.append([scripted.rolling(context)] * repeats)
            else:
                responses.append([scripted.written(context, doc)] * repeats)
        documents.append({"id": i, "doc": document["doc"], "responses": responses})
    with data_session(trusted_code=trusted):
        scored = do_job({"action": "score", "config": config, "documents": documents}, item["task"], code, load)
    results = {
        f"{name},{one['filter']}": from_plain(value)
        for one in scored["filters"]
        for name, value in one["aggregates"].items()
    }
    return asked, results


def compare(theirs, asked, results):
    """Return the first difference; "" if there is none."""
    if len(theirs["asked"]) != len(asked):
        return f"{len(theirs['asked'])} requests there, {len(asked)} here"
    for there, here in zip(theirs["asked"], asked, strict=True):
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
    parser.add_argument("--only")
    parser.add_argument("--modes", default="")
    parser.add_argument("--peer-results")
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
            work.append({**base, "num_fewshot": 2, "mode": "chat", "options": chat})
            work.append(
                {**base, "num_fewshot": 2, "mode": "chat-turns", "options": {**chat, "fewshot_as_multiturn": True}}
            )
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
    lines = ["| task | mode | requests | scores | |", "|---|---|---|---|---|"]
    equal = compared = 0
    for item in work:
        there = theirs.get((item["task"], item.get("mode", "")), {"error": "it was ended before"})
        if "error" in there:
            lines.append(
                f"| {item['task']} | {item.get('mode', '')} | | | not compared: lm-eval fails: {there['error'][:110]} |"
            )
            continue
        compared += 1
        try:
            asked, results = run_ours(item, library)
            difference = compare(there, asked, results)
        except HelmError as error:
            asked, results, difference = [], {}, f"fails here: {str(error)[:300]}"
        equal += not difference
        lines.append(
            f"| {item['task']} | {item.get('mode', '')} | {len(asked)} | {len(there['results'])} | "
            f"{difference.replace('|', '/').replace(chr(10), ' ') or 'equal'} |"
        )
        print(lines[-1], file=sys.stderr)
    lines.append(f"| **{equal} of {compared} equal** | | | | |")
    text = "\n".join(lines)
    if arguments.table:
        pathlib.Path(arguments.table).write_text(text + "\n")
    print(lines[-1])


if __name__ == "__main__":
    main()
