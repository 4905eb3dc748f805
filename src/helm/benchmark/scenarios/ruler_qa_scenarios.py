"""RULER: questions whose answer is in one of many documents."""

import os
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from helm.benchmark.declarative.row_operations import count_words
from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import VALID_SPLIT, Input, Instance, Scenario
from helm.common.errors import ConfigError, ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.hierarchical_logger import hwarn

_HOTPOT_URL = "http://curtis.ml.cmu.edu/datasets/hotpot/hotpot_dev_distractor_v1.json"
_SQUAD_URL = "https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v2.0.json"

_SEED = 42
_NUM_INSTANCES = 500
_STEP = 10
"""Number of documents by which the size of a prompt changes."""
_RESERVED_WORDS = 32
"""Reserved for the answer."""
_MAX_TRIES = 10_000
"""Random choices of documents for one question before the word limit is considered too small."""

_TASK = "Answer the question based on the given documents. Only give me the answer and do not output any other words."
_TEMPLATE = _TASK + "\n\nThe following are given documents.\n\n{context}\n\n" + _TASK + "\n\nQuestion: {query} Answer:"


@dataclass(frozen=True)
class RulerQuestion:
    """A question and the numbers of its documents."""

    query: str
    answers: list[str]
    context: list[int]
    """Documents that are always shown."""
    more: list[int] = field(default_factory=list)
    """Documents that are shown before those of other questions."""


class RULERQAScenario(Scenario):
    """Find the answer to a question in as many documents as fit into `max_num_words` words.

    Input text: documents in random order (its own, then others), and the question. References: all answers. 500
    instances of the valid split, with their numbers as ids; fewer if the source has fewer questions. Random choices
    come from one stream with seed 42. Source: Hsieh et al. (2024).

    Raises: ScenarioError if ten documents exceed `max_num_words` (HELM then never ends).
    """

    tags = ["long_context", "rag"]

    def __init__(self, max_num_words: int):
        super().__init__()
        if max_num_words <= _RESERVED_WORDS:
            raise ConfigError(f"{self.name}: max_num_words must be more than {_RESERVED_WORDS}, not {max_num_words}.")
        self.max_num_words = max_num_words

    @abstractmethod
    def read_questions(self, output_path: str) -> tuple[list[str], list[RulerQuestion]]:
        """Return the documents, and the questions about them."""

    def get_instances(self, output_path: str) -> list[Instance]:
        documents, questions = self.read_questions(output_path)
        if not questions:
            raise ScenarioError(f"{self.name}: the source has no questions.")
        if len(questions) < _NUM_INSTANCES:
            hwarn(f"{self.name}: {len(questions)} instances, because the source has no more questions.")
        prompts = _Prompts(documents, self.max_num_words - _RESERVED_WORDS)
        num_documents = prompts.find_size(questions[0])
        if num_documents <= 0:
            raise self._too_small(0)
        instances = []
        for i, question in enumerate(questions[:_NUM_INSTANCES]):
            text = prompts.make_fitting(question, num_documents)
            if text is None:
                raise self._too_small(i)
            references = [correct_reference(answer) for answer in question.answers]
            # HELM: the ids are numbers.
            instances.append(Instance(Input(text=text), references, split=VALID_SPLIT, id=i))  # type: ignore[arg-type]
        return instances

    def _too_small(self, question: int) -> ScenarioError:
        return ScenarioError(
            f"{self.name}: max_num_words={self.max_num_words} is too small: question {question} does not fit with its "
            "documents. Give a larger max_num_words."
        )


class _Prompts:
    """Builds prompts of at most `max_words` words from one stream of random numbers."""

    def __init__(self, documents: list[str], max_words: int):
        self._documents = list(documents)
        self._max_words = max_words
        self._generator = Random(_SEED)

    def find_size(self, question: RulerQuestion) -> int:
        """Return how many documents fit for a question, in steps of ten; 0 if ten do not."""
        size, num_words = _STEP, 0
        while num_words < self._max_words:
            text = self._make(question, size)
            num_words = count_words(f"{text} {question.answers}")
            if num_words > self._max_words:
                return size - _STEP
            size += _STEP
            if size > len(self._documents):
                return len(self._documents)
        return size

    def make_fitting(self, question: RulerQuestion, size: int) -> str | None:
        """Return a prompt with at most `size` documents that fits, or None."""
        for _ in range(_MAX_TRIES):
            try:
                text = self._make(question, size)
            except ValueError:  # the question has more documents than the prompt may have
                text = None
            if text is not None and count_words(text) <= self._max_words:
                return text
            if size > _STEP:
                size -= _STEP
            elif size <= len(question.context):  # no random choice is left
                return None
        return None

    def _make(self, question: RulerQuestion, size: int) -> str:
        """Build a prompt. Raises: ValueError if `size` is less than the question's number of documents."""
        if size < len(self._documents):
            context, more = question.context, question.more
            missing = size - len(context)
            if missing > len(more):
                own = {*context, *more}
                others = [i for i in range(len(self._documents)) if i not in own]
                chosen = [*context, *more, *self._generator.sample(others, max(0, missing - len(more)))]
            else:
                chosen = [*context, *self._generator.sample(more, missing)]
            texts = [self._documents[i] for i in chosen]
        else:
            # HELM: this very list is shuffled, so document numbers refer to other documents afterwards.
            texts = self._documents
        Random(_SEED).shuffle(texts)
        context_text = "\n\n".join(f"Document {number}:\n{text}" for number, text in enumerate(texts, 1))
        return _TEMPLATE.format(context=context_text, query=question.query)


class RULERHotpotQAScenario(RULERQAScenario):
    """Questions of HotpotQA, which need two documents. See `RULERQAScenario`."""

    name = "ruler_hotpotqa"
    description = "RULER's questions that need several of many documents (HotpotQA)"

    def read_questions(self, output_path: str) -> tuple[list[str], list[RulerQuestion]]:
        path = os.path.join(output_path, "data", "hotpotqa.json")
        ensure_file_downloaded(_HOTPOT_URL, path)
        rows = []
        with reading(path):
            for where, row in numbered(path, read_json(path), "question"):
                with reading(where):
                    own = [f"{title}\n{''.join(sentences)}" for title, sentences in row["context"]]
                    rows.append((row["question"], row["answer"], own))
        documents, number_of = _number([text for _, _, own in rows for text in own])
        return documents, [RulerQuestion(query, [answer], [number_of[t] for t in own]) for query, answer, own in rows]


class RULERSQuADScenario(RULERQAScenario):
    """Questions of SQuAD 2.0 that have an answer. See `RULERQAScenario`."""

    name = "ruler_squad"
    description = "RULER's questions about one of many documents (SQuAD)"

    def read_questions(self, output_path: str) -> tuple[list[str], list[RulerQuestion]]:
        path = os.path.join(output_path, "data", "squad.json")
        ensure_file_downloaded(_SQUAD_URL, path)
        with reading(path):
            articles = read_json(path)["data"]
            paragraphs = [[paragraph["context"] for paragraph in article["paragraphs"]] for article in articles]
        documents, number_of = _number([text for article in paragraphs for text in article])
        questions = []
        for (where, article), texts in zip(numbered(path, articles, "article"), paragraphs, strict=True):
            with reading(where):
                numbers = [number_of[text] for text in texts]
                for number, paragraph in zip(numbers, article["paragraphs"], strict=True):
                    more = [other for other in numbers if other != number]
                    for question in paragraph["qas"]:
                        if not question["is_impossible"]:
                            answers = [answer["text"] for answer in question["answers"]]
                            questions.append(RulerQuestion(question["question"], answers, [number], more))
        return documents, questions


def _number(texts: Sequence[str]) -> tuple[list[str], "dict[str, int]"]:
    """Return the distinct texts, sorted, and the number of each."""
    documents = sorted(set(texts))
    return documents, {text: number for number, text in enumerate(documents)}
