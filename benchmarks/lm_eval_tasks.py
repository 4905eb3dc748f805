"""Counts how many tasks of an installed lm-evaluation-harness load and run on made-up rows, by family.

    python benchmarks/lm_eval_tasks.py PATH_OF_SITE_PACKAGES [--only PATTERN] [--per-family N] [--table FILE] [--rows FILE]

Every task is read, its requests are built from made-up rows (`lm_eval_made_up_rows.py`), and made-up answers are scored, with the
task's own code, in the sandbox. Nothing is fetched. Of tasks with the same templates and code one is tried, unless `--each`
is given. `--rows` keeps the rows that worked, for `lm_eval_parity.py`.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import sys
import time

from lm_eval_sandbox import run_inside

from helm.benchmark.lm_eval.run_spec import check_task
from helm.benchmark.lm_eval.task_code import collect_code, named_files
from helm.benchmark.lm_eval.task_files import read_task_file
from helm.benchmark.lm_eval.task_library import find_library
from helm.common.errors import HelmError

HERE = pathlib.Path(__file__).parent
BATCH = 60
FIXED = HERE / "lm_eval_rows.json"


def family_of(path, root):
    return os.path.relpath(path, root).split(os.sep)[0]


def fixed_rows(path, root, fixed):
    """Return the columns written for the folders that a task's file is in, the innermost last."""
    parts = os.path.relpath(path, root).split(os.sep)
    folders = ["/".join(parts[:i]) for i in range(1, len(parts) + 1)]
    return {name: column for folder in folders for name, column in fixed.get(folder, {}).items()}


def signature_of(read, code):
    """Tasks with the same templates and code get the same rows."""
    config = read.config()
    about = {
        key: config.get(key) for key in ("doc_to_text", "doc_to_target", "doc_to_choice", "process_docs", "output_type")
    }
    texts = json.dumps([about, code.digest if code else ""], sort_keys=True, default=str)
    return hashlib.sha256(texts.encode()).hexdigest()


_codes = {}


def code_of(config, root):
    """Collect the code once for all tasks that name the same files."""
    files = json.dumps(sorted(set(named_files(config))))
    if files not in _codes:
        _codes[files] = collect_code(config, root)
    return _codes[files]


def prepare(library, names):
    """Return the tasks that can be read, and why the others cannot."""
    fixed = json.loads(FIXED.read_text())
    tasks, refused = [], {}
    for name in names:
        path = library.tasks[name]
        try:
            read = read_task_file(path, library.root)
            check_task(read)
            config = read.config()
            code = code_of(config, read.root)
        except HelmError as error:
            refused[name] = str(error).split(": ", 1)[-1]
            continue
        config.pop("num_fewshot", None)
        shots = read.keys.get("num_fewshot") or (read.keys.get("fewshot_config") or {}).get("num_fewshot") or 0
        tasks.append(
            {
                "name": name, "family": family_of(path, library.root), "config": config, "num_fewshot": min(shots, 2),
                "files": [] if code is None else [file for file in code.files if file.endswith(".py")], "code": code,
                "signature": signature_of(read, code), "fixed": fixed_rows(path, library.root, fixed),
            }
        )  # fmt: skip
    return tasks, refused


def try_batch(tasks, known, with_rows, seconds):
    files = {}
    for task in tasks:
        if task["code"] is not None:
            files.update(task["code"].files)
    sent = [{key: value for key, value in task.items() if key != "code"} for task in tasks]
    work = {"tasks": sent, "known": known, "with_rows": with_rows, "seconds": seconds}
    result, answers = run_inside("lm_eval_made_up_rows", work, files)
    for answer in answers:
        if answer["works"]:
            task = next(one for one in tasks if one["name"] == answer["task"])
            known["kinds"][task["signature"]] = answer["kinds"]
            known["family"].setdefault(task["family"], {}).update(answer["kinds"])
        else:
            task = next(one for one in tasks if one["name"] == answer["task"])
            known["failed"][task["signature"]] = True
    if not answers and result.status == "ok":
        raise SystemExit(f"the worker does not start: {result.stderr.decode(errors='replace')[-300:]}")
    if len(answers) < len(tasks):
        lost = tasks[len(answers)]
        ended = result.stderr.decode(errors="replace")[-300:]
        answers.append({"task": lost["name"], "works": False, "why": f"ended: {result.status} {ended}"})
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--only", default="*", help="names or patterns, separated by commas")
    parser.add_argument("--table")
    parser.add_argument("--counts", help="a file of JSON: tasks, those counted, and those that ran, by family")
    parser.add_argument("--rows")
    parser.add_argument("--answers", help="a file that keeps each answer; a run that was stopped goes on from it")
    parser.add_argument(
        "--each", action="store_true", help="try also tasks that have templates and code of another one"
    )
    parser.add_argument(
        "--report", action="store_true", help="with --answers: try nothing, write the table of what is there"
    )
    parser.add_argument("--again", action="store_true", help="with --answers: try again what failed")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to guess the rows of one task")
    parser.add_argument("--families", help="only these, separated by commas")
    parser.add_argument("--per-family", type=int, help="try only so many tasks of a family, and count each for several")
    arguments = parser.parse_args()
    library = find_library(arguments.library)
    names = [one.name for pattern in arguments.only.split(",") for one in library.expand(pattern)]
    if arguments.families:
        wanted = arguments.families.split(",")
        names = [name for name in names if family_of(library.tasks[name], library.root) in wanted]
    sizes = collections.Counter(family_of(library.tasks[name], library.root) for name in names)
    if arguments.per_family:
        by_family = {}
        for name in names:
            by_family.setdefault(family_of(library.tasks[name], library.root), []).append(name)
        names = [one for members in by_family.values() for one in spread(members, arguments.per_family)]
    if arguments.report:
        answers = {one["task"]: one for one in read_answers(arguments.answers) if one["task"] in library.tasks}
    else:
        answers = try_all(library, names, arguments)
    show(library, [name for name in names if name in answers], answers, arguments, sizes)


def try_all(library, names, arguments):
    """Return the answers about all tasks; with `--answers`, each is also written at once."""
    began = time.process_time()
    tasks, refused = prepare(library, names)
    seconds = time.process_time() - began
    print(f"{len(names)} tasks, {len(refused)} refused when read ({seconds:.0f} s)", file=sys.stderr)
    known = {"kinds": {}, "failed": {}, "family": {}}
    answers, failed = recall(arguments.answers, tasks, known) if arguments.answers else ({}, {})
    print(f"{len(answers)} answers are there already, {len(failed)} of tasks that failed", file=sys.stderr)
    if not arguments.again:
        answers.update(failed)
    keep(answers, [{"task": name, "works": False, "why": why} for name, why in refused.items()], arguments)
    by_signature = collections.defaultdict(list)
    for task in tasks:
        by_signature[task["signature"]].append(task["name"])
    keep_alike(answers, by_signature, arguments)
    first = tasks if arguments.each else one_of_each(tasks)
    pending = [task for task in first if task["name"] not in answers]
    # What most tasks have comes first, so that a run that is stopped has counted much; what failed before comes last.
    pending.sort(key=lambda task: (task["name"] in failed, -len(by_signature[task["signature"]]), task["family"]))
    while pending:
        batch, size = [], 0
        for task in pending[:BATCH]:
            batch.append(task)
            size += sum(map(len, task["code"].files.values())) if task["code"] else 0
            if size > 100 << 20:
                break
        found = try_batch(batch, known, bool(arguments.rows), arguments.seconds)
        keep(answers, found, arguments)
        keep_alike(answers, {task["signature"]: by_signature[task["signature"]] for task in batch}, arguments)
        pending = pending[len(found) :]
        print(f"{len(answers)}: {sum(a['works'] for a in answers.values())} work", file=sys.stderr)
    return answers


def keep_alike(answers, by_signature, arguments):
    """Keep the answer about one task for all that have its templates and code."""
    if arguments.each:
        return
    for names in by_signature.values():
        tried = next((answers[name] for name in names if name in answers), None)
        if tried is not None:
            keep(answers, [{**tried, "task": name, "alike": True} for name in names if name not in answers], arguments)


def keep(answers, found, arguments):
    new = [answer for answer in found if answer["task"] not in answers]
    answers.update({answer["task"]: answer for answer in new})
    if arguments.answers:
        with open(arguments.answers, "a") as file:
            file.writelines(json.dumps({**answer, "rows": None}) + "\n" for answer in new)


def read_answers(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def recall(path, tasks, known):
    """Return the answers of an earlier run about tasks that worked, and about others, as far as the tasks are the same."""
    by_name = {task["name"]: task for task in tasks}
    found = {answer["task"]: answer for answer in read_answers(path) if answer["task"] in by_name}
    for name, answer in found.items():
        if answer["works"]:
            known["kinds"][by_name[name]["signature"]] = answer["kinds"]
            known["family"].setdefault(by_name[name]["family"], {}).update(answer["kinds"])
    works = {name: answer for name, answer in found.items() if answer["works"]}
    return works, {name: answer for name, answer in found.items() if not answer["works"]}


def one_of_each(tasks):
    """Return the first task of each signature."""
    kept = {}
    for task in sorted(tasks, key=lambda task: (task["family"], task["signature"])):
        kept.setdefault(task["signature"], task)
    return list(kept.values())


def spread(members, number):
    """Return so many of the members, evenly spaced."""
    count = min(number, len(members))
    return [members[i * len(members) // count] for i in range(count)]


def show(library, names, answers, arguments, sizes):
    table = collections.OrderedDict()
    reasons = collections.Counter()
    for name in names:
        family = family_of(library.tasks[name], library.root)
        row = table.setdefault(family, [0, 0, collections.Counter()])
        row[0] += 1
        if name in answers and answers[name]["works"]:
            row[1] += 1
        else:
            why = answers[name]["why"]
            row[2][why] += 1
            reasons[why[:150]] += 1
    lines = ["| family | tasks | counted | run | why not |", "|---|---|---|---|---|"]
    for family, (total, works, why) in sorted(table.items()):
        shown = "; ".join(text[:90].replace("|", "/").replace("\\n", " ") for text, _ in why.most_common(1))
        lines.append(f"| {family} | {sizes[family]} | {total} | {works} | {shown} |")
    if arguments.counts:
        counts = {family: [sizes[family], total, works] for family, (total, works, _) in sorted(table.items())}
        lines_of = [f" {json.dumps(family)}: {json.dumps(row)}" for family, row in counts.items()]
        pathlib.Path(arguments.counts).write_text("{\n" + ",\n".join(lines_of) + "\n}\n")
    total, works = sum(row[0] for row in table.values()), sum(row[1] for row in table.values())
    share = sum(sizes[family] * row[1] / row[0] for family, row in table.items()) / sum(sizes.values())
    alike = sum(bool(answers[name].get("alike")) for name in names)
    print(f"{len(names)} tasks are counted, of which {alike} have the templates and the code of one that was tried")
    lines.append(f"| **all** | {sum(sizes.values())} | {total} | {works}; by size of family {share:.1%} | |")
    text = "\n".join(lines)
    if arguments.table:
        pathlib.Path(arguments.table).write_text(text + "\n")
    print(lines[-1])
    for why, count in reasons.most_common(60):
        print(f"{count:6} {why}")
    if arguments.rows:
        kept = [
            {"task": name, "path": os.path.relpath(library.tasks[name], library.root), **answers[name]}
            for name in names
            if name in answers and answers[name]["works"]
        ]
        pathlib.Path(arguments.rows).write_text(json.dumps(kept))


if __name__ == "__main__":
    main()
