"""An AD tool whose every misbehaviour can be asked for: `stub_tool.py MODE [FILE]`. Imports nothing of ours.

It knows the module `toy`; `f` doubles its input. The mode says how it goes wrong, once it is asked for something wrong.
"""

import json
import os
import signal
import sys
import time

MODE = sys.argv[1]


def log(text):
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a", encoding="ascii") as file:
            file.write(text + "\n")


def say(**fields):
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def misbehave(message):
    """What an evaluation of the function `bad` does."""
    if MODE == "hang":
        time.sleep(600)
    elif MODE == "dribble":
        for character in json.dumps({"id": message["id"], "success": True, "output": 1}):
            sys.stdout.write(character)
            sys.stdout.flush()
            time.sleep(0.05)
    elif MODE == "die":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    elif MODE == "leave":
        os._exit(0)
    elif MODE == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif MODE == "garbage":
        print("this is not JSON", flush=True)
    elif MODE == "nan":
        say(id=message["id"], success=True, output=float("nan"))
    elif MODE == "no_output":
        say(id=message["id"], success=True)
    elif MODE == "wrong_id":
        say(id=message["id"] + 7, success=True, output=1)
    elif MODE == "fail":
        say(id=message["id"], success=False, error="cannot do that")
    elif MODE == "large":
        say(id=message["id"], success=True, output=message["input"])
    elif MODE == "child":
        child = os.fork()
        if child == 0:
            log(f"child {os.getpid()}")
            time.sleep(600)
        time.sleep(600)
    else:
        raise ValueError(MODE)


def main():
    log(f"started {os.getpid()}")
    if MODE == "no_start":
        os._exit(4)
    if MODE == "mute":
        time.sleep(600)
    for line in sys.stdin:
        message = json.loads(line)
        log(message["kind"])
        if message["kind"] == "start":
            say(id=message["id"], tool="stub")
        elif message["kind"] == "define":
            if MODE == "slow_define" and message["module"] == "bad":
                time.sleep(600)
            say(id=message["id"], success=message["module"] == "toy")
        elif message["kind"] == "evaluate":
            if message["function"] == "bad":
                misbehave(message)
            else:
                timings = [{"name": "prepare", "nanoseconds": 5}] + [
                    {"name": "evaluate", "nanoseconds": nanoseconds} for nanoseconds in (3000, 1000, 2000)
                ]
                value = message["input"]
                say(id=message["id"], success=True, output=None if value is None else 2 * value, timings=timings)
        else:
            say(id=message["id"])


main()
