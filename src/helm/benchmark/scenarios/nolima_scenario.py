"""NoLiMa: one sentence in a long text answers a question with which it shares no words."""

import json
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.taxonomy_info import TaxonomyInfo

NUM_BOOKS = 5

NUM_DEPTHS = 26
"""Places of the needle in the text, at equal distances from its beginning to its end, as in the published runs."""

_URL = "https://huggingface.co/datasets/amodaresi/NoLiMa/resolve/main"
_NEEDLES = "needlesets/needle_set.json"
_BOOK = "haystack/rand_shuffle/rand_book_{number}.txt"
_WORDS_PER_TOKEN = 0.75
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*\s+")
_HOPS = ("onehop", "twohop")

# Ours, in the form of the published one.
_PROMPT = (
    "Read the text, and answer the question after it. It has all that you need to know.\n\n<text>\n{text}\n</text>\n\n"
    "Question: {question}\n\nAnswer with the name alone, without explanation."
)


class NoLiMaScenario(Scenario):
    """Find who fits a question, which a sentence somewhere in a shuffled book says in other words.

    Input text is a part of a book with the sentence at one of 26 depths, and the question; the correct reference is the name of
    the character, drawn for each question and depth with a fixed seed. `extra_data` has `pair` (the needle and the question),
    `book`, `depth` (0 to 1) and `length`.

    Args:
        length: how long the text is, in tokens of about three quarters of a word. The authors count those of each model.
        hops: `onehop` or `twohop`; `all` for both.
        num_depths: 26 as published, or fewer at equal distances.
    """

    name = "nolima"
    description = "One sentence in a long text answers a question with which it shares no words (NoLiMa)."
    tags = ["long_context", "reasoning"]

    def __init__(self, length: int = 1000, hops: str = "all", num_depths: int = NUM_DEPTHS):
        super().__init__()
        if hops not in ("all", *_HOPS):
            raise ScenarioError(f"nolima: hops is one of all, {', '.join(_HOPS)}, not {hops!r}.")
        if length < 100 or not 1 <= num_depths <= NUM_DEPTHS:
            raise ScenarioError(
                f"nolima: length is at least 100 and num_depths 1 to {NUM_DEPTHS}, not {length} and {num_depths}."
            )
        self.length, self.hops, self.num_depths = length, hops, num_depths

    def get_instances(self, output_path: str) -> list[Instance]:
        pairs = list(self._read_pairs(self._fetch(output_path, _NEEDLES)))
        texts = [
            _first_words(_read_text(self._fetch(output_path, _BOOK.format(number=i + 1))), self.num_words)
            for i in range(NUM_BOOKS)
        ]
        return [
            self._make_instance(pair, book, depth, text)
            for pair in pairs
            for book, text in enumerate(texts, 1)
            for depth in range(self.num_depths)
        ]

    @property
    def num_words(self) -> int:
        return int(self.length * _WORDS_PER_TOKEN)

    def _fetch(self, folder: str, name: str) -> str:
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        ensure_file_downloaded(source_url=f"{_URL}/{name}", target_path=path)
        return path

    def _read_pairs(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield needles with one question each; `id`, `needle`, `question`, `characters`."""
        with open(path, encoding="utf-8") as file:
            try:
                needles = json.load(file)
            except ValueError as e:
                raise ScenarioError(f"{path} is not JSON: {e}") from e
        for number, item in enumerate(needles if isinstance(needles, list) else []):
            try:
                yield from _pairs_of(item, _HOPS if self.hops == "all" else (self.hops,))
            except (KeyError, TypeError, AttributeError) as e:
                raise ScenarioError(
                    f"{path}: needle {number} lacks {e}. It needs id, needle, questions, character_set, tests."
                ) from e

    def _make_instance(self, pair: Mapping[str, Any], book: int, depth: int, text: str) -> Instance:
        share = depth / (self.num_depths - 1) if self.num_depths > 1 else 0.5
        generator = random.Random(f"{pair['id']} {book} {depth}")
        name = generator.choice(pair["characters"])
        needle, question = (pair[key].replace("{CHAR}", name) for key in ("needle", "question"))
        return Instance(
            Input(text=_PROMPT.format(text=_insert(text, needle, share), question=question)),
            [Reference(Output(text=name), [CORRECT_TAG])],
            split=TEST_SPLIT,
            sub_split=pair["hop"],
            id=f"{pair['id']}_book{book}_depth{depth}",
            extra_data={"pair": pair["id"], "book": book, "depth": round(share, 4), "length": self.length},
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            display_name="NoLiMa",
            description=self.description,
            main_metric="gold_match",
            main_split=TEST_SPLIT,
            taxonomy=TaxonomyInfo(
                task="question answering over long texts",
                what="books with a sentence put in",
                when="2025",
                who="researchers",
                language="English",
            ),
        )


def _pairs_of(item: Mapping[str, Any], hops: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Fill the arguments of each test into the needle and its questions, where they stand as `{1}`, `{2}`, ..."""
    for test_id, test in item["tests"].items():
        arguments = {f"{{{i}}}": str(value) for i, value in enumerate(test["input_args"], 1)}
        for hop in hops:
            if hop not in item["questions"]:
                continue
            needle, question = (_fill(text, arguments) for text in (item["needle"], item["questions"][hop]))
            yield {
                "id": f"{item['id']}_{test_id}_{hop}",
                "hop": hop,
                "needle": needle,
                "question": question,
                "characters": [str(name) for name in item["character_set"]],
            }


def _fill(text: str, arguments: Mapping[str, str]) -> str:
    for place, value in arguments.items():
        text = text.replace(place, value)
    return text


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _first_words(text: str, num_words: int) -> str:
    """Return the beginning of a text. Raises: ScenarioError if it is shorter."""
    end = 0
    for count, match in enumerate(re.finditer(r"\S+", text), 1):
        end = match.end()
        if count == num_words:
            return text[:end]
    raise ScenarioError(f"nolima: a book has fewer than {num_words} words; choose a smaller length.")


def _insert(text: str, needle: str, share: float) -> str:
    """Put a sentence between two others, as close as possible to a share of the text."""
    target = round(share * len(text))
    places = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    place = min(places, key=lambda end: abs(end - target))
    return f"{text[:place].rstrip()} {needle.strip()} {text[place:].lstrip()}".strip()
