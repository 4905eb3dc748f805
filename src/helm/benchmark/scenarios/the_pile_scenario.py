"""The Pile: language modeling on 22 kinds of text."""

import csv
import os

from helm.benchmark.scenarios.data_rows import check_choice, read_json, read_json_lines, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.files import open_atomically
from helm.common.general import ensure_file_downloaded

_URL = "https://the-eye.eu/public/AI/pile/test.jsonl.zst"
_INDICES_URL = (
    "https://raw.githubusercontent.com/EleutherAI/lm_perplexity/main/assets/test_subsample_indices/{name}/group0.json"
)

SUBSETS: dict[str, str | None] = {
    "ArXiv": "arxiv",
    "BookCorpus2": None,
    "Books3": "bibliotik",
    "DM Mathematics": "dm-mathematics",
    "Enron Emails": "enron",
    "EuroParl": "europarl",
    "FreeLaw": "freelaw",
    "Github": "github",
    "Gutenberg (PG-19)": "gutenberg",
    "HackerNews": "hackernews",
    "NIH ExPorter": "nih-exporter",
    "OpenSubtitles": "opensubtitles",
    "OpenWebText2": "openwebtext2",
    "PhilPapers": None,
    "Pile-CC": "commoncrawl",
    "PubMed Abstracts": "pubmed-abstracts",
    "PubMed Central": "pubmed-central",
    "StackExchange": "stackexchange",
    "USPTO Backgrounds": "uspto",
    "Ubuntu IRC": None,
    "Wikipedia (en)": "wikipedia",
    "YoutubeSubtitles": "youtubesubtitles",
}
"""Maps subset to the name of its published sample of the test set. None uses all of it."""

_LONGEST_TEXT = 2**31 - 1
"""In characters; books exceed the default limit of the csv module."""


class ThePileScenario(Scenario):
    """Predict the texts of one part of the Pile's test set.

    Input text: one document; no references. For most parts the published sample of lm_perplexity is used. The texts of
    the part are cached in `<subset>.csv`, one per row, because the whole test set is slow to read. Source: Gao et al.
    (2020).

    Args:
        subset: one of `SUBSETS`.
    """

    name = "the_pile"
    description = "Language modeling on the parts of the Pile"
    tags = ["language_modeling"]

    def __init__(self, subset: str):
        super().__init__()
        check_choice(self.name, "subset", subset, SUBSETS)
        self.subset = subset

    def get_instances(self, output_path: str) -> list[Instance]:
        texts = self._read_texts(output_path)
        sample = SUBSETS[self.subset]
        if sample is not None:
            path = os.path.join(output_path, f"{sample}_group0.json")
            ensure_file_downloaded(_INDICES_URL.format(name=sample), path)
            with reading(path):
                indices = sorted({int(index) for index in read_json(path)})
                if indices and not 0 <= indices[0] <= indices[-1] < len(texts):
                    raise ValueError(f"it names texts {indices[0]} to {indices[-1]} of {len(texts)} texts")
                texts = [texts[index] for index in indices]
        return [Instance(Input(text=text), [], split=TEST_SPLIT) for text in texts]

    def _read_texts(self, output_path: str) -> list[str]:
        cache_path = os.path.join(output_path, f"{self.subset}.csv")
        if not os.path.exists(cache_path):
            path = os.path.join(output_path, "data")
            ensure_file_downloaded(_URL, path)
            with open_atomically(cache_path) as file:
                writer = csv.writer(file)
                for where, row in read_json_lines(path):
                    with reading(where):
                        if row["meta"]["pile_set_name"] == self.subset:
                            writer.writerow([row["text"]])
        limit = csv.field_size_limit(_LONGEST_TEXT)
        try:
            # HELM: every kind of line end becomes a newline here.
            with reading(cache_path), open(cache_path, encoding="utf-8") as file:
                return [row[0] for row in csv.reader(file)]
        finally:
            csv.field_size_limit(limit)
