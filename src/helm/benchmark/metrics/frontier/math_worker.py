"""Compares mathematical answers with math-verify, in a process of its own: a line of JSON in, a line out.

`{"gold": text, "answer": text}` gives `{"correct": true}`. math-verify ends its own work after some seconds by a signal, which
only the main thread of a process gets; and an expression may take more memory than there is.
"""

import json
import os
import resource
import sys

_MOST_MEMORY = 4 << 30


def main() -> None:
    import math_verify

    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is no answer
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    for line in sys.stdin:
        task = json.loads(line)
        gold, answer = math_verify.parse(task["gold"]), math_verify.parse(task["answer"])
        out.write(json.dumps({"correct": bool(math_verify.verify(gold, answer))}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
