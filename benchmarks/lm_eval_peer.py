"""Runs tasks of lm-evaluation-harness by that program itself, on given rows and with scripted answers: for `lm_eval_parity.py`.

    PEER_PYTHON benchmarks/lm_eval_peer.py ROWS.json RESULT.jsonl

It is used from outside, through its public interface, in an environment of its own.
"""

import json
import os
import signal
import sys
import tempfile
import traceback

import datasets
import lm_eval_scripted as scripted

ROWS = {}


def load_dataset(path=None, name=None, *_, split=None, **__):
    """Return the rows from files, as data sets of the Hub are: only then are processed documents kept and used again."""
    folder = ROWS["folder"]
    splits = [split] if split is not None else ROWS["splits"]
    for one in splits:
        if not os.path.isdir(os.path.join(folder, one)):
            datasets.Dataset.from_list(ROWS["current"]).save_to_disk(os.path.join(folder, one))
    tables = {one: datasets.load_from_disk(os.path.join(folder, one)) for one in splits}
    return tables[split] if split is not None else datasets.DatasetDict(tables)


datasets.load_dataset = load_dataset

from lm_eval import simple_evaluate  # noqa: E402 (after the data sets are replaced)
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402


class Scripted(LM):
    def __init__(self):
        super().__init__()
        self.asked = []

    def loglikelihood(self, requests, **_):
        self.asked += [(one.doc_id, one.idx, "loglikelihood", *one.args) for one in requests]
        return [scripted.likelihood(*one.args) for one in requests]

    def loglikelihood_rolling(self, requests, **_):
        self.asked += [(one.doc_id, one.idx, "loglikelihood_rolling", *one.args) for one in requests]
        return [scripted.rolling(one.args[0]) for one in requests]

    def generate_until(self, requests, **_):
        self.asked += [(one.doc_id, one.idx, "generate_until", *one.args) for one in requests]
        return [scripted.written(one.args[0], one.doc) for one in requests]

    def apply_chat_template(self, chat_history, add_generation_prompt=True, **_):
        return json.dumps(chat_history)

    @property
    def tokenizer_name(self):
        return "scripted"

    def chat_template(self, *_):
        return "scripted"


def stop(*_):
    raise TimeoutError("it took longer than 90 s")


def main():
    signal.signal(signal.SIGALRM, stop)
    work = json.load(open(sys.argv[1]))
    manager = TaskManager()
    with open(sys.argv[2], "w") as out, tempfile.TemporaryDirectory() as scratch:
        for item in work:
            ROWS["current"] = item["rows"]
            ROWS["splits"] = item["splits"]
            ROWS["folder"] = tempfile.mkdtemp(dir=scratch)
            model = Scripted()
            answer = {"task": item["task"], "mode": item.get("mode", "")}
            signal.alarm(90)
            try:
                result = simple_evaluate(
                    model=model, tasks=[item["task"]], num_fewshot=item.get("num_fewshot"), task_manager=manager,
                    bootstrap_iters=0, log_samples=True, confirm_run_unsafe_code=True, verbosity="ERROR",
                    **item.get("options", {}),
                )  # fmt: skip
                answer["asked"] = sorted(model.asked, key=lambda one: one[:2])
                answer["results"] = {
                    key: value
                    for key, value in result["results"][item["task"]].items()
                    if "," in key and "_stderr" not in key
                }
            except BaseException as error:
                answer["error"] = f"{type(error).__name__}: {error}"[:300]
                answer["trace"] = traceback.format_exc()[-600:]
            signal.alarm(0)
            out.write(json.dumps(answer, default=str) + "\n")
            out.flush()


main()
