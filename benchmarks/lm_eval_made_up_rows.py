"""Makes up rows for tasks of lm-evaluation-harness until a task loads, and tries it: run by `lm_eval_tasks.py`, in the sandbox.

The columns are those that the task's templates and functions name; what is in them is guessed by their names, and guessed again
as long as something fails. So a row shows that a task can be run, and says nothing about the real data set.
"""

import ast
import base64
import contextlib
import io
import json
import os
import re
import signal
import time

from lm_eval_sandbox import begin

NUM_ROWS = 6
ATTEMPT_SECONDS = 4.0

_WORDS = "river stone window garden letter music engine forest market winter".split()


def _sentence(i, column=""):
    a, b, c = (_WORDS[(i + k) % len(_WORDS)] for k in (0, 3, 7))
    return f"The {a} near the {b} has {i + 2} parts of {c}."


def _texts(i, count=4):
    return [f"{_WORDS[(i + k) % len(_WORDS)]} {k}" for k in range(count)]


# Guesses by kind; each takes the number of the row.
KINDS = {
    "text": _sentence,
    "word": lambda i: _WORDS[i % len(_WORDS)],
    "index": lambda i: i % 2,
    "digit": lambda i: str(i % 2),
    "letter": lambda i: "AB"[i % 2],
    "one": lambda i: 1 + i % 2,
    "number": lambda i: str(12 + i),
    "texts": _texts,
    "two_texts": lambda i: _texts(i, 2),
    "five_texts": lambda i: _texts(i, 5),
    "ten_texts": lambda i: _texts(i, 10),
    "text_label": lambda i: {"text": _texts(i), "label": list("ABCD")},
    "letters": lambda i: dict(zip("ABCD", _texts(i), strict=True)),
    "small_letters": lambda i: dict(zip("abcd", _texts(i), strict=True)),
    "literal": lambda i: str(_texts(i)),
    "json": lambda i: json.dumps(_texts(i)),
    "numbers": lambda i: [i % 2, 1, 2],
    "true": lambda i: i % 2 == 0,
    "yes": lambda i: ["yes", "no"][i % 2],
    "float": lambda i: 0.25 + i,
    "targets": lambda i: {"choices": _texts(i), "labels": [1, 0, 0, 0]},
    "spans": lambda i: {"spans": _texts(i, 1), "number": "", "date": {"day": "", "month": "", "year": ""}},
    "answers": lambda i: {"text": _texts(i, 1), "answer_start": [3]},
    "aliases": lambda i: {"value": _WORDS[i % 10], "aliases": _texts(i, 2), "normalized_aliases": _texts(i, 2)},
    "turns": lambda i: [{"role": "user", "content": _sentence(i)}, {"role": "assistant", "content": _sentence(i + 1)}],
    "pairs": lambda i: [{"text": _sentence(i), "label": "A"}, {"text": _sentence(i + 1), "label": "B"}],
    "empty": lambda i: "",
    "none": lambda i: None,
    "one_digit": lambda i: str(1 + i % 2),
    "numbered": lambda i: {"1": _texts(i)[0], "2": _texts(i)[1], "3": "c", "4": "d"},
    "literal_pair": lambda i: str({"a": "b"}),
    "nested_texts": lambda i: [_texts(i), _texts(i + 1)],
    "five_text_label": lambda i: {"text": _texts(i, 5), "label": list("ABCDE")},
}

BY_NAME = [
    (
        r"^(choices|options|endings|candidates|answer_choices|alternatives)$",
        ["texts", "text_label", "letters", "two_texts", "literal"],
    ),
    (r"(choices|options|endings|candidates)$", ["texts", "text_label", "letters", "literal"]),
    (
        r"^(label|gold|gold_index|target_idx|answer_index|answer_idx|correct_answer_index|correct)$",
        ["index", "letter", "digit", "text"],
    ),
    (
        r"^(answer|answerkey|answer_key|correct_answer|target|answers?_letter)$",
        ["letter", "index", "text", "digit", "number", "aliases", "texts"],
    ),
    (r"^(answers|targets|references)$", ["texts", "answers", "letter", "index", "two_texts", "spans"]),
    (r"^(idx|index|id|doc_id|num|number|year|level_id|length)$", ["index", "text"]),
    (r"(_idx|_index|_id|_num|_pos|_count|label)$", ["index", "text", "letter"]),
    (r"(list|_texts|sentences|examples|_tests|keywords|tags|tokens)$", ["texts", "text", "numbers"]),
    (r"^(start|end)_?\d?$", ["index"]),
    (r"^(is_|has_)", ["true", "text"]),
    (r"^mc[12]_targets$", ["targets"]),
    (r"^(messages|conversation|dialogue|dialog|turns|conversations)$", ["turns", "texts", "text"]),
]

ALL = [
    "text", "index", "letter", "texts", "digit", "one", "number", "text_label", "letters", "two_texts", "literal", "json",
    "answers", "numbers", "turns", "pairs", "aliases", "spans", "targets", "word", "yes", "true", "float", "five_texts",
    "ten_texts", "small_letters", "one_digit", "numbered", "literal_pair", "nested_texts", "five_text_label",
    "empty", "none",
]  # fmt: skip


def guesses(column):
    """Return kinds to try for a column, the likeliest first."""
    name = column.lower()
    first = next((kinds for pattern, kinds in BY_NAME if re.search(pattern, name)), ["text"])
    return [*first, *(kind for kind in ALL if kind not in first)]


def _with_contents(value):
    """Return a value of a column with its file, `{base64, path}` in JSON, as data sets have it."""
    if isinstance(value, dict) and set(value) == {"base64", "path"}:
        return {"bytes": base64.b64decode(value["base64"]), "path": value["path"]}
    return value


class Rows:
    """Made-up rows: a kind for each column."""

    def __init__(self, fixed=None):
        self.fixed = fixed or {}
        self.kinds = {}
        self.nested = {}
        self.plain = {}
        self.constants = []

    def add(self, column):
        if column in self.kinds or column in self.fixed:
            return False
        self.kinds[column] = guesses(column)[0]
        return True

    def row(self, i):
        made = {}
        for column, kind in self.kinds.items():
            if kind.startswith("constant"):
                texts = self.texts_of(kind)
                made[column] = texts[i % len(texts)] if texts else ""
                continue
            value = KINDS[kind](i)
            inner = self.nested.get(column)
            if inner and self.plain.get(column) is None and not (isinstance(value, dict) and set(inner) <= set(value)):
                one = isinstance(value, list)
                value = {name: _texts(i) if one else KINDS[guesses(name)[0]](i) for name in inner}
            made[column] = value
        for column, values in self.fixed.items():
            made[column] = _with_contents(values[i % len(values)])
        return made

    def texts_of(self, kind):
        """Return the texts of `constant` (all) or `constant:N` (those of one place in the code)."""
        number = kind.partition(":")[2]
        if not number:
            return list(dict.fromkeys(text for texts in self.constants for text in texts))[:100]
        return self.constants[int(number)] if int(number) < len(self.constants) else []

    def constant_kinds(self):
        return ["constant", *(f"constant:{i}" for i in range(min(len(self.constants), 60)))] if self.constants else []

    def rows(self):
        fixed = max(map(len, self.fixed.values()), default=0)
        constants = max(
            (len(self.texts_of(one)) for one in self.kinds.values() if one.startswith("constant")), default=0
        )
        number = max(NUM_ROWS, fixed if fixed >= 40 else 3 * fixed, constants)
        return [self.row(i) for i in range(number)]


# ---- Which columns there are


def columns_of(config, sources):
    """Return the columns that templates and functions name, and what is named inside of them."""
    names, nested = {}, {}
    columns_of_templates(config, names, nested)
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError):
            _of_code(ast.parse(source), nested)
    return names, nested


def columns_of_templates(config, names, nested):
    import jinja2

    environment = jinja2.Environment()
    environment.filters["regex_replace"] = lambda text, *_: text
    for key in ("doc_to_text", "doc_to_target", "doc_to_choice", "description", "gen_prefix"):
        for given in (config.get(key), (config.get("fewshot_config") or {}).get(key)):
            if (
                isinstance(given, str)
                and "{" not in given
                and re.fullmatch(r"[A-Za-z_][\w-]*", given)
                and key != "description"
            ):
                if key != "gen_prefix":
                    names[given] = key
            elif isinstance(given, str) and "{" in given:
                with contextlib.suppress(jinja2.TemplateError):
                    tree = environment.parse(given)
                    from jinja2 import meta, nodes

                    for name in sorted(meta.find_undeclared_variables(tree)):
                        names.setdefault(name, "template")
                    for node in tree.find_all((nodes.Getattr, nodes.Getitem)):
                        attr = node.attr if isinstance(node, nodes.Getattr) else getattr(node.arg, "value", None)
                        if isinstance(node.node, nodes.Name) and isinstance(attr, str) and not hasattr(str, attr):
                            nested.setdefault(node.node.name, {})[attr] = None


def _of_code(tree, nested):
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            inner = node.value
            if (
                isinstance(inner, ast.Subscript)
                and isinstance(inner.slice, ast.Constant)
                and isinstance(inner.slice.value, str)
            ):
                nested.setdefault(inner.slice.value, {})[node.slice.value] = None


def constants_of(sources):
    """Return the texts that code compares with, or looks up, by place: what a column may have to contain."""
    found = {}
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(source)):
                parts = []
                if isinstance(node, ast.Compare):
                    parts = [node.left, *node.comparators]
                elif isinstance(node, ast.Call):
                    parts = [*node.args, *(keyword.value for keyword in node.keywords)]
                elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
                    parts = node.elts
                elif isinstance(node, ast.Dict):
                    parts = [key for key in node.keys if key is not None]
                texts = tuple(_texts_in(parts))[:100]
                if texts:
                    found[texts] = None
    return [list(texts) for texts in found]


def _texts_in(parts):
    for part in parts:
        for inner in part.elts if isinstance(part, (ast.List, ast.Tuple, ast.Set)) else [part]:
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and 0 < len(inner.value) < 60:
                yield inner.value


# ---- Trying


class Failed(Exception):
    pass


def attempt(job_module, tables, sources_class, folder, config, rows, shots):
    """Build the requests of a task and score made-up answers. Raises whatever fails."""
    made = rows.rows()

    class Source(sources_class):
        def load(self, path, name, split, arguments):
            table = tables.Dataset([dict(row) for row in made], {}, split)
            if split is None:
                return tables.DatasetDict(dict.fromkeys(("train", "validation", "test", "dev"), table))
            return table

    source = Source()
    job = {"action": "build", "config": config, "num_fewshot": shots, "examples_first": True}
    built = job_module.run_job(job, source, folder)
    documents = built["documents"]
    if not documents:
        raise Failed("no documents are left")
    for document in documents:
        if not document["requests"]:
            raise Failed("no requests")
    scored = [{"id": i, "doc": one["doc"], "responses": respond(one, i)} for i, one in enumerate(documents)]
    result = job_module.run_job({"action": "score", "config": config, "documents": scored}, source, folder)
    if not any(item["aggregates"] for item in result["filters"]):
        raise Failed("no scores")
    return made, documents, result


def respond(document, i):
    answers = []
    for j, (kind, *_rest) in enumerate(document["requests"]):
        if kind == "loglikelihood":
            answers.append([[-2.0 - ((i * 7 + j * 5) % 11) / 4, (i + j) % 3 == 0]])
        elif kind == "loglikelihood_rolling":
            answers.append([-10.0 - i])
        else:
            answers.append([f"The answer is (A). #### {12 + i} \\boxed{{{i}}}"])
    return answers


def cause_of(error):
    """Return the innermost error."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def learn(rows, error):
    """Add a column that an error misses. Returns whether there was one."""
    cause = cause_of(error)
    if isinstance(cause, KeyError) and cause.args and isinstance(cause.args[0], str):
        name = cause.args[0]
        match = re.match(r"Column (\S+) not in the dataset", name)
        return rows.add(match[1] if match else name)
    match = re.search(r"'([^']+)' is undefined", str(cause)) or re.search(r"Column (\S+) not found in", str(cause))
    return bool(match) and rows.add(match[1])


def fit(run, rows, deadline):
    """Change the kinds of columns until `run` works. Returns its result, or raises the last error."""
    last = None
    for _ in range(60):
        try:
            return run(rows)
        except Exception as error:
            last = error
            if not learn(rows, error):
                break
    best = str(cause_of(last))
    for _ in range(3):
        improved = False
        for column in list(rows.kinds):
            original = rows.kinds[column]
            kinds, wanted = (
                guesses(column),
                ("no documents are left", "examples are wanted", "KeyError", "is not in list"),
            )
            at = 0 if any(text in str(last) for text in wanted) else 6
            kinds = [*kinds[:at], *rows.constant_kinds(), *kinds[at:]]
            for kind in kinds:
                if time.process_time() > deadline:
                    raise last
                if kind == original:
                    continue
                rows.kinds[column] = kind
                try:
                    return run(rows)
                except Exception as error:
                    if learn(rows, error):
                        try:
                            return run(rows)
                        except Exception as further:
                            error = further
                    if _depth(error) > _depth(last):
                        last, original, improved = error, kind, True
                        best = str(cause_of(error))
            if column in rows.nested and rows.plain.get(column) is None:
                rows.plain[column] = True
                try:
                    return run(rows)
                except Exception as error:
                    if _depth(error) <= _depth(last):
                        rows.plain.pop(column)
            rows.kinds[column] = original
        if not improved:
            break
    del best
    raise last


def _depth(error):
    """Return how far a task got, by what failed, in which document and line."""
    text = str(error)
    stages = [
        "cannot be loaded",
        "process_docs",
        "cannot be read",
        "prompt",
        "requests",
        "document",
        "filter",
        "process_results",
        "aggregation",
    ]
    stage = max((i for i, name in enumerate(stages) if text.startswith(name)), default=0)
    document, line = re.search(r"document (\d+)", text), re.search(r"line (\d+)\)", text)
    return stage, int(document[1]) if document else 0, int(line[1]) if line else 0


def _stop(*_):
    raise TimeoutError("it takes too long")


def main():
    work, target, folder = begin()
    from helm_worker import job as job_module
    from helm_worker import tables
    from helm_worker.documents import Sources

    known = work["known"]
    signal.signal(signal.SIGPROF, _stop)
    signal.signal(signal.SIGALRM, _stop)
    for task in work["tasks"]:
        config, shots = task["config"], task["num_fewshot"]
        rows = Rows(task["fixed"])
        names, nested = columns_of(config, [])
        sources = []
        for file in task["files"]:
            with open(os.path.join(folder, "task_code", file), encoding="utf-8") as source:
                sources.append(source.read())
        _, inner = columns_of({}, sources)
        rows.nested = {**inner, **nested}
        rows.constants = constants_of(sources)
        for name in names:
            rows.add(name)
        started = known["kinds"].get(task["signature"])
        if started:
            rows.kinds = dict(started)
        else:
            alike = known["family"].get(task["family"], {})
            rows.kinds = {column: alike.get(column, kind) for column, kind in rows.kinds.items()}

        def run(rows, config=config, shots=shots):
            signal.setitimer(signal.ITIMER_PROF, ATTEMPT_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, 10 * ATTEMPT_SECONDS)  # some wait for what the sandbox does not have
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                return attempt(job_module, tables, Sources, folder, config, rows, shots)

        began = time.process_time()
        answer = {"task": task["name"]}
        try:
            seconds = work["seconds"] if task["signature"] not in known["failed"] else 0.3
            made, documents, result = fit(run, rows, time.process_time() + seconds)
            known["kinds"][task["signature"]] = dict(rows.kinds)
            known["family"].setdefault(task["family"], {}).update(rows.kinds)
            answer.update(works=True, rows=made if work["with_rows"] else None, kinds=rows.kinds)
            if work["with_rows"]:
                answer.update(documents=documents, result=result)
        except BaseException as error:
            known["failed"][task["signature"]] = True
            answer.update(works=False, why=str(error)[:400], kinds=rows.kinds)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answer["cpu_s"] = round(time.process_time() - began, 3)
        target.write(json.dumps(answer, default=lambda content: base64.b64encode(content).decode()) + "\n")
        target.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
