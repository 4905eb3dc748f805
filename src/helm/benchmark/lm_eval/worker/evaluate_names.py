"""A stand-in for `evaluate.load`: the measures that task files ask for by name, where they need nothing else."""

import itertools
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .failures import TaskFailure
from .measures import exact_match_of_lists


class Measure:
    """A measure by its name; `compute` takes `predictions` and `references`."""

    def __init__(self, name: str, function: Callable[..., Any]):
        self.name, self._function = name, function

    def compute(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


def load(name: str, *_: Any, **__: Any) -> Measure:
    """Return the measure of a name. Raises: TaskFailure for one that is not here."""
    short = name.rpartition("/")[2]
    if short not in _MEASURES:
        raise TaskFailure(
            f"the measure '{name}' would be downloaded as code by the package evaluate; here are {', '.join(_MEASURES)}"
        )
    return Measure(short, _MEASURES[short])


def code_eval(
    references: Sequence[str],
    predictions: Sequence[Sequence[str]],
    k: Sequence[int] = (1, 10, 100),
    num_workers: int = 4,
    timeout: float = 3.0,
) -> tuple[dict[str, float], dict[int, list[Any]]]:
    """Run each candidate with its test program, each in a process of its own, and return pass@k and what happened."""
    results: dict[int, list[Any]] = {}
    totals, rights = [], []
    for task_id, (candidates, test) in enumerate(zip(predictions, references, strict=True)):
        outcomes = [_run_program(f"{candidate}\n{test}", timeout) for candidate in candidates]
        results[task_id] = [
            (i, {"task_id": task_id, "passed": not failure, "result": failure or "passed", "completion_id": i})
            for i, failure in enumerate(outcomes)
        ]
        totals.append(len(outcomes))
        rights.append(sum(not failure for failure in outcomes))
    rates = {}
    for number in [k] if isinstance(k, int) else k:
        if all(total >= number for total in totals):
            each = [_pass_at(total, right, number) for total, right in zip(totals, rights, strict=True)]
            rates[f"pass@{number}"] = sum(each) / len(each)
    return rates, results


def _run_program(source: str, timeout: float) -> str:
    """Return why a program fails; "" if it does not."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(source)
        try:
            done = subprocess.run(
                [sys.executable, "-I", path],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timed out"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return f"failed: {lines[-1] if lines else done.returncode}"[:500]


def _pass_at(total: int, right: int, k: int) -> float:
    return 1.0 if total - right < k else 1.0 - math.comb(total - right, k) / math.comb(total, k)


def _accuracy(references: Sequence[Any], predictions: Sequence[Any], **_: Any) -> dict[str, float]:
    pairs = list(zip(references, predictions, strict=True))
    return {"accuracy": sum(a == b for a, b in pairs) / len(pairs)}


def _f1(
    references: Sequence[Any], predictions: Sequence[Any], average: str | None = "binary", **_: Any
) -> dict[str, Any]:
    return {"f1": f1_score(references, predictions, average=average)}


def f1_score(
    golds: Sequence[Any], predictions: Sequence[Any], average: str | None = "binary", pos_label: Any = 1
) -> Any:
    """Return F1 of a class (`binary`), its mean over classes (`macro`), weighted by their sizes, or over all (`micro`)."""
    labels = sorted(set(golds) | set(predictions), key=str)
    scores = {}
    for label in labels:
        hits = sum(g == p == label for g, p in zip(golds, predictions, strict=True))
        total = sum(g == label for g in golds) + sum(p == label for p in predictions)
        scores[label] = 2 * hits / total if total else 0.0
    if average == "binary":
        return scores.get(pos_label, 0.0)
    if average == "micro":
        return sum(g == p for g, p in zip(golds, predictions, strict=True)) / len(golds)
    if average == "weighted":
        counts = Counter(golds)
        return sum(scores[label] * counts[label] for label in labels) / len(golds)
    return list(scores.values()) if average is None else sum(scores.values()) / len(scores)


def _rouge(
    references: Sequence[Any], predictions: Sequence[str], use_aggregator: bool = True, **_: Any
) -> dict[str, Any]:
    try:
        from rouge_score import rouge_scorer
    except ModuleNotFoundError as error:
        raise TaskFailure("the measure 'rouge' needs the package rouge-score: pip install rouge-score") from error
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=False)
    rows = []
    for reference, prediction in zip(references, predictions, strict=True):
        given = reference if isinstance(reference, (list, tuple)) else [reference]
        rows.append(scorer.score_multi(given, prediction))
    columns = {kind: [row[kind].fmeasure for row in rows] for kind in kinds}
    return {kind: sum(v) / len(v) for kind, v in columns.items()} if use_aggregator else columns


def _error_rate(split: Callable[[str], list[str]]) -> Callable[..., float]:
    def compute(references: Sequence[str], predictions: Sequence[str], **_: Any) -> float:
        pairs = [(split(a), split(b)) for a, b in zip(references, predictions, strict=True)]
        return sum(_distance(a, b) for a, b in pairs) / (sum(len(a) for a, _ in pairs) or 1)

    return compute


def _distance(a: Sequence[str], b: Sequence[str]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def _squad(references: Sequence[Any], predictions: Sequence[Any], **_: Any) -> dict[str, float]:
    """Exact match and F1 of answers to questions, in percent, by the rules of SQuAD."""
    exact = f1 = 0.0
    for reference, prediction in zip(references, predictions, strict=True):
        texts, said = reference["answers"]["text"], prediction["prediction_text"]
        exact += max((float(normalize_answer(said) == normalize_answer(text)) for text in texts), default=0.0)
        f1 += max((answer_f1(text, said) for text in texts), default=0.0)
    size = len(predictions) or 1
    return {"exact_match": 100 * exact / size, "f1": 100 * f1 / size}


def _squad_v2(
    references: Sequence[Any], predictions: Sequence[Any], no_answer_threshold: float = 1.0, **_: Any
) -> dict[str, Any]:
    """SQuAD 2.0: questions without an answer count, too, and answers below a threshold are none."""
    kinds: dict[str, list[tuple[float, float]]] = {"HasAns": [], "NoAns": []}
    curves: list[tuple[float, bool, float, float]] = []
    for reference, prediction in zip(references, predictions, strict=True):
        texts = [text for text in reference["answers"]["text"] if normalize_answer(text)]
        said, absent = prediction["prediction_text"], float(prediction.get("no_answer_probability", 0.0))
        exact = max(float(normalize_answer(said) == normalize_answer(text)) for text in texts or [""])
        f1 = max(answer_f1(text, said) for text in texts or [""])
        curves.append((absent, bool(texts), exact, f1))
        if absent > no_answer_threshold:
            exact = f1 = float(not texts)
        kinds["HasAns" if texts else "NoAns"].append((exact, f1))
    every = [*itertools.chain.from_iterable(kinds.values())]
    found: dict[str, Any] = _percent("", every)
    for kind, pairs in kinds.items():
        if pairs:
            found.update({f"{kind}_{name}": value for name, value in _percent("", pairs).items()})
    for name, column in (("exact", 2), ("f1", 3)):
        best, threshold = _best_threshold(curves, column)
        found[f"best_{name}"], found[f"best_{name}_thresh"] = best, threshold
    return found


def _percent(prefix: str, pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    size = len(pairs)
    return {
        "exact": 100 * sum(exact for exact, _ in pairs) / size,
        "f1": 100 * sum(f1 for _, f1 in pairs) / size,
        "total": size,
    }


def _best_threshold(curves: Sequence[tuple[float, bool, float, float]], column: int) -> tuple[float, float]:
    """Return the best score (percent) over all thresholds of the probability of no answer, and that threshold."""
    current = float(sum(not has_answer for _, has_answer, *_ in curves))
    best, threshold = current, 0.0
    for row in sorted(curves, key=lambda row: row[0]):
        absent, has_answer = row[0], row[1]
        if has_answer:
            current += float(row[column])
        else:
            # A prediction of an answer where there is none is wrong; an empty one was right all along.
            current += 0.0 if row[column] else -1.0
        if current > best:
            best, threshold = current, absent
    return 100 * best / len(curves), threshold


def normalize_answer(text: str) -> str:
    """Return a text in lower case without punctuation, articles and superfluous white space, as SQuAD compares answers."""
    text = "".join(letter for letter in text.lower() if letter not in _PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def answer_f1(gold: str, said: str) -> float:
    """Return F1 of the words of two answers; of empty ones, whether both are empty."""
    golds, saids = normalize_answer(gold).split(), normalize_answer(said).split()
    if not golds or not saids:
        return float(golds == saids)
    common = sum((Counter(golds) & Counter(saids)).values())
    return 2 * common / (len(golds) + len(saids))


_PUNCTUATION = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def _corpus(name: str) -> Callable[..., dict[str, Any]]:
    def compute(references: Sequence[Any], predictions: Sequence[str], **options: Any) -> dict[str, Any]:
        import sacrebleu

        lists = [[one] if isinstance(one, str) else list(one) for one in references]
        columns = [list(column) for column in itertools.zip_longest(*lists)]
        kept = {
            key: value for key, value in options.items() if key in ("lowercase", "tokenize", "word_order", "char_order")
        }
        scored = getattr(sacrebleu, name)(**kept).corpus_score(list(predictions), columns)
        return {
            "score": scored.score,
            **{key: getattr(scored, key) for key in ("counts", "totals") if hasattr(scored, key)},
        }

    return compute


def bleu(
    predictions: Sequence[str],
    references: Sequence[Any],
    tokenizer: Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """Return BLEU from 0 to 1 with its parts, as `evaluate` has it: that of TensorFlow's translation tutorial.

    Texts are split as sacreBLEU's `13a` does. Unlike there, the shortest reference of a text counts for the brevity penalty, and
    without `smooth` one order without a match makes the score 0.
    """
    split = tokenizer or _split_13a()
    matches, possible = [0] * max_order, [0] * max_order
    said_length = reference_length = 0
    for prediction, given in zip(predictions, references, strict=True):
        said = split(prediction)
        wanted = [split(text) for text in ([given] if isinstance(given, str) else given)]
        said_length += len(said)
        reference_length += min(map(len, wanted))
        merged: Counter[tuple[str, ...]] = Counter()
        for words in wanted:
            merged |= _ngrams(words, max_order)
        for ngram, number in (_ngrams(said, max_order) & merged).items():
            matches[len(ngram) - 1] += number
        for order in range(max_order):
            possible[order] += max(0, len(said) - order)
    added = 1 if smooth else 0
    precisions = [
        (right + added) / (total + added) if total + added else 0.0
        for right, total in zip(matches, possible, strict=True)
    ]
    mean = math.exp(sum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    ratio = said_length / reference_length if reference_length else 0.0
    penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1 / ratio) if ratio else 0.0
    return {
        "bleu": mean * penalty, "precisions": precisions, "brevity_penalty": penalty, "length_ratio": ratio,
        "translation_length": said_length, "reference_length": reference_length,
    }  # fmt: skip


def _ngrams(words: Sequence[str], max_order: int) -> "Counter[tuple[str, ...]]":
    return Counter(tuple(words[i : i + size]) for size in range(1, max_order + 1) for i in range(len(words) - size + 1))


def _split_13a() -> Callable[[str], list[str]]:
    try:
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    except ModuleNotFoundError as error:
        raise TaskFailure("the measure 'bleu' needs the package sacrebleu: pip install sacrebleu") from error
    tokenize = Tokenizer13a()
    return lambda text: tokenize(text).split()


_MEASURES: dict[str, Callable[..., Any]] = {
    "exact_match": exact_match_of_lists,
    "accuracy": _accuracy,
    "f1": _f1,
    "code_eval": code_eval,
    "rouge": _rouge,
    "bleu": bleu,
    "wer": _error_rate(str.split),
    "cer": _error_rate(list),
    "squad": _squad,
    "squad_v2": _squad_v2,
    "sacrebleu": _corpus("BLEU"),
    "chrf": _corpus("CHRF"),
    "ter": _corpus("TER"),
}
