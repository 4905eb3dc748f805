"""WikiText-103: language modeling on articles of Wikipedia."""

import os
from collections.abc import Iterator

from helm.benchmark.scenarios.data_rows import reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_URL = "https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-raw-v1.zip"
_NUM_ARTICLES = 60
_BLANK = " \n"


class Wikitext103Scenario(Scenario):
    """Predict the 60 good articles of the test set.

    Input text: one article with its title; no references. Source: Merity et al. (2016), the raw version.
    """

    name = "wikitext_103"
    description = "Language modeling on verified articles of Wikipedia"
    tags = ["language_modeling"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        ensure_file_downloaded(_URL, folder, unpack=True)
        path = os.path.join(folder, "wiki.test.raw")
        with reading(path), open(path, encoding="utf-8") as file:
            lines = list(file)
        articles = list(_split_articles(lines))
        if len(articles) != _NUM_ARTICLES:
            raise ScenarioError(f"{path}: it holds {len(articles)} articles, not {_NUM_ARTICLES}.")
        return [Instance(Input(text=text), [], split=TEST_SPLIT) for text in articles]


def _is_title(line: str) -> bool:
    return line.startswith(" = ") and line.endswith(f" = {_BLANK[1:]}") and not line.startswith(" = = ")


def _split_articles(lines: list[str]) -> Iterator[str]:
    """Split from the blank line before one title to the one before the next; text before the first is an article too."""
    starts = [
        i for i in range(len(lines) - 2) if lines[i] == _BLANK and _is_title(lines[i + 1]) and lines[i + 2] == _BLANK
    ]
    if lines and starts[:1] != [0]:
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield "".join(lines[start:end])
