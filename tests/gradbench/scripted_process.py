"""A process that performs a script: one side of a recorded exchange. Started by path; imports nothing of ours.

Arguments: a JSON file with the list of actions, and a file that receives what was read, as JSON strings line by line.
"""

import json
import os
import sys
import time


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        actions = json.load(file)
    with open(sys.argv[2], "w", encoding="ascii") as record:
        try:
            perform(actions, record)
        except BrokenPipeError:
            note(record, "<EPIPE>")
        except EOFError:
            note(record, "<EOF>")
    sys.stdout = None  # nothing is left to flush into a closed pipe


def note(record, text) -> None:
    record.write(json.dumps(text) + "\n")
    record.flush()


def perform(actions, record) -> None:
    for action in actions:
        ((name, value),) = action.items()
        if name == "send":
            os.write(1, value.encode() + b"\n")
        elif name == "send_raw":
            os.write(1, value.encode())
        elif name == "send_hex":
            os.write(1, bytes.fromhex(value))
        elif name == "recv":
            for _ in range(value):
                line = sys.stdin.buffer.readline()
                if not line:
                    raise EOFError
                note(record, line.decode())
        elif name == "sleep":
            time.sleep(value)
        elif name == "stderr":
            os.write(2, value.encode())
        elif name == "drain":
            for line in sys.stdin.buffer:
                note(record, line.decode())
        elif name == "close":
            os.close(1)
        elif name == "exit":
            os._exit(value)
        else:
            raise ValueError(f"unknown action {name}")


main()
