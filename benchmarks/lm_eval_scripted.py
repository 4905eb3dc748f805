"""Answers that depend on nothing but the question, for both programs that `lm_eval_parity.py` compares."""

import hashlib
import json


def number(*parts):
    """Return a number that the parts determine."""
    text = json.dumps(parts, sort_keys=True, default=str, ensure_ascii=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def likelihood(context, continuation):
    value = number("likelihood", context, continuation)
    return -1.0 - (value % 997) / 50, value % 3 == 0


def rolling(text):
    return -5.0 - (number("rolling", text) % 997) / 9


def written(context, doc, repeat=0):
    """Return an answer that is sometimes right: a value of the document, in one of several forms."""
    values = []
    _collect(doc, values)
    value = number("written", context, repeat)
    chosen = values[value % len(values)] if values else "nothing"
    forms = [
        "{}",
        "The answer is {}.",
        "#### {}",
        "\\boxed{{{}}}",
        " {}\n",
        "So the answer is ({}).",
        "A",
        "B",
        "yes",
        "The best answer is B",
    ]
    return forms[(value // 1000) % len(forms)].replace("{{{}}}", "{" + chosen + "}").replace("{}", chosen)


def _collect(value, found):
    if isinstance(value, dict):
        for key in sorted(value):
            _collect(value[key], found)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _collect(item, found)
    elif isinstance(value, (str, int)) and len(str(value)) < 200:
        found.append(str(value))
