"""One run inside this process, with the time of its parts: what is neither loading questions nor asking the model.

    python benchmarks/phases.py QUESTIONS.jsonl NUMBER     prints {"seconds": ...}

Works with this package and with crfm-helm: both have these classes and methods. `seconds` is the CPU time of
`Runner.run_one` without `Scenario.get_instances` and `Executor.execute`: adaptation, metrics and writing.
"""

import contextlib
import json
import random
import sys
import time
from pathlib import Path

WORDS = "alpha beta gamma delta river stone green blue light dark house tree".split()


def write_questions(path: Path, number: int) -> None:
    """Multiple-choice questions of four options, made up; twenty of them for training."""
    draws = random.Random(0)
    with open(path, "w") as out:
        for index in range(number + 20):
            text = f"{' '.join(draws.choices(WORDS, k=20))} {index}?"
            options = [f"{draws.choice(WORDS)} {option}" for option in range(4)]
            references = [
                {"output": {"text": option}, "tags": ["correct"] if position == index % 4 else []}
                for position, option in enumerate(options)
            ]
            split = "train" if index < 20 else "test"
            out.write(json.dumps({"input": {"text": text}, "references": references, "split": split}) + "\n")


def main() -> None:
    from helm.benchmark import run
    from helm.benchmark.executor import Executor
    from helm.benchmark.runner import Runner
    from helm.benchmark.scenarios.custom_mcqa_scenario import CustomMCQAScenario

    seconds: dict[str, float] = {}

    def time_method(owner: type, name: str) -> None:
        method = getattr(owner, name)

        def timed(*args, **kwargs):
            started = time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                seconds[name] = seconds.get(name, 0) + time.process_time() - started

        setattr(owner, name, timed)

    time_method(Runner, "run_one")
    time_method(CustomMCQAScenario, "get_instances")
    time_method(Executor, "execute")
    questions, number = sys.argv[1:]
    sys.argv = ["helm-run", "-r", f"custom_mcqa:path={questions},model=simple/model1", "-m", number, "--disable-cache"]
    with contextlib.redirect_stdout(sys.stderr):
        run.main()
    assert set(seconds) == {"run_one", "get_instances", "execute"}, f"Not called: {seconds}"
    print(json.dumps({"seconds": seconds["run_one"] - seconds["get_instances"] - seconds["execute"]}))


if __name__ == "__main__":
    main()
