"""Runs tasks on given rows and with scripted answers, as a run does: for `lm_eval_parity.py`, in the sandbox.

One process does many tasks, since starting one for each would take most of the time.
"""

import contextlib
import copy
import json
import os
import sys

from lm_eval_sandbox import begin


def run_item(item, job_module, tables, sources_class, scripted, folder):
    """Return what was asked, and the scores."""
    from helm_worker.plain import from_plain

    class Source(sources_class):
        def load(self, path, name, split, arguments):
            made = {one: tables.Dataset(copy.deepcopy(item["rows"]), {}, one) for one in item["splits"]}
            return made.get(split, made["test"]) if split is not None else tables.DatasetDict(made)

    config, source = item["config"], Source()
    job = {"action": "build", "config": config, "num_fewshot": item["shots"], "options": item.get("options", {})}
    try:
        built = job_module.run_job(job, source, folder)
    except job_module.DrawsAtRandom as error:
        for name in [name for name in sys.modules if name.startswith(("lm_eval.tasks.", "lm_eval_task_"))]:
            del sys.modules[name]  # code that keeps a generator begins anew
        built = job_module.run_job({**job, "examples_first": True, "processes_again": error.from_own}, source, folder)
    asked, documents = [], []
    repeats = config.get("repeats") or 1
    for i, document in enumerate(built["documents"]):
        doc, responses = from_plain(document["doc"]), []
        for j, (kind, first, *rest) in enumerate(document["requests"]):
            context = document["context"] if first is None else first
            context = json.dumps(context) if isinstance(context, list) else context
            asked.append([i, j, kind, context, *rest])
            if kind == "loglikelihood":
                responses.append([list(scripted.likelihood(context, rest[0]))] * repeats)
            elif kind == "loglikelihood_rolling":
                responses.append([scripted.rolling(context)] * repeats)
            else:
                responses.append([scripted.written(context, doc)] * repeats)
        documents.append({"id": i, "doc": document["doc"], "responses": responses})
    scored = job_module.run_job({"action": "score", "config": config, "documents": documents}, source, folder)
    results = {
        f"{name},{one['filter']}": from_plain(value)
        for one in scored["filters"]
        for name, value in one["aggregates"].items()
    }
    return {"asked": asked, "results": results}


def main():
    work, target, folder = begin()
    import lm_eval_scripted
    from helm_worker import job, tables
    from helm_worker.documents import Sources

    for item in work:
        answer = {"task": item["task"], "mode": item.get("mode", "")}
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer.update(run_item(item, job, tables, Sources, lm_eval_scripted, folder))
        except BaseException as error:
            answer["error"] = str(error)[:300]
        target.write(json.dumps(answer, default=str) + "\n")
        target.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
