"""The program in the sandbox: reads a job from standard input, and writes its result to standard output, as JSON."""

import json
import os
import sys
from typing import Any

from .documents import Sources
from .failures import DrawsAtRandom, NeedsData, TaskFailure
from .job import run_job
from .plain import from_plain
from .stand_ins import install
from .tables import Dataset, DatasetDict


class SentSources(Sources):
    """The data sets that came with the job. Each is `{path, name, split, rows, labels}`."""

    def __init__(self, tables: list[dict[str, Any]]):
        self._tables = {(one["path"], one["name"], one["split"]): one for one in tables}

    def load(self, path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> Any:
        sent = self._tables.get((path, name, split))
        if sent is None:
            raise NeedsData(path, name, split, arguments)
        if "error" in sent:
            raise TaskFailure(sent["error"])
        if split is None:
            return DatasetDict({one: self.load(path, name, one, arguments) for one in sent["splits"]})
        if "table" not in sent:
            sent["table"] = Dataset([from_plain(row) for row in sent["rows"]], sent["labels"], split)
        return sent["table"]


def main() -> None:
    """Do the job. What the task's code prints goes to standard error."""
    job = json.load(sys.stdin.buffer)
    target = os.dup(1)
    os.dup2(2, 1)
    folder = os.getcwd()
    install(folder)
    answer: dict[str, Any]
    try:
        answer = {"result": run_job(job, SentSources(job.get("tables", [])), folder)}
    except NeedsData as error:
        answer = {"needs": error.request}
    except DrawsAtRandom as error:
        answer = {"again": error.from_own}
    except TaskFailure as error:
        answer = {"failure": str(error)}
    with os.fdopen(target, "wb") as file:
        file.write(json.dumps(answer, allow_nan=False).encode("utf-8", "surrogatepass"))
        file.flush()
    os._exit(0)  # whatever threads the task's code has left


if __name__ == "__main__":
    main()
