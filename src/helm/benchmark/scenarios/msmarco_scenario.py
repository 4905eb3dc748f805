"""MS MARCO passage ranking: find the passages that answer a query."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.data_rows import check_choice, read_table, reading
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TRAIN_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
    make_rank_tag,
    make_relevance_tag,
)
from helm.common.errors import ConfigError, ScenarioError
from helm.common.general import ensure_file_downloaded
from helm.common.hierarchical_logger import hwarn

_CODALAB = "https://worksheets.codalab.org/rest/bundles/{bundle}/contents/blob/"
_MICROSOFT = "https://msmarco.blob.core.windows.net/msmarcoranking/{file_name}"
_URLS = {
    "documents": _CODALAB.format(bundle="0x50d32fc56ad04dd89510bf86f9c1c9d3"),
    "train_queries": _MICROSOFT.format(file_name="queries.train.tsv"),
    "train_qrels": _MICROSOFT.format(file_name="qrels.train.tsv"),
    "train_topk": _CODALAB.format(bundle="0x8c43d4ec02ea48d6a727683a9676b77b"),
    "regular_queries": _CODALAB.format(bundle="0xf5ccf54707b548f9a4c43502c6f15719"),
    "regular_qrels": _MICROSOFT.format(file_name="qrels.dev.small.tsv"),
    "regular_topk": _CODALAB.format(bundle="0xbc3dfacb2b7746809e582ee01fa5fe70"),
    "trec_queries": _MICROSOFT.format(file_name="msmarco-test2019-queries.tsv.gz"),
    "trec_qrels": "https://trec.nist.gov/data/deep/2019qrels-pass.txt",
    "trec_topk": _CODALAB.format(bundle="0x2e80572f93b748d594b817249013bdac"),
}

_SEED = 1885
_WRONG_RANKS = range(11, 21)
"""Ranks of passages close enough to the query to be hard to distinguish from the correct one."""

Ranks = dict[int, dict[int, int]]
"""Maps query id to passage id to relevance, or rank."""


class MSMARCOScenario(Scenario):
    """Distinguish the passages that answer a web query from those that do not.

    Input text: the query. References: passages, with the tags `docid=`, `correct` (relevant enough), `relevance=` and
    `rank=` (by BM25). Train queries have one correct and one wrong passage; those of the valid split have all judged
    passages and, with `valid_topk`, those ranked up to there. Passages and queries are shuffled (seed 1885).

    Args:
        track: `regular`, or `trec` (TREC Deep Learning 2019, with grades of relevance).
        valid_topk: 11 to 1000. None uses judged passages only.
    """

    name = "msmarco"
    description = "Passage retrieval for web queries (MS MARCO)"
    tags = ["information_retrieval"]
    TRACK_NAMES = REGULAR_TRACK, TREC_TRACK = ["regular", "trec"]
    CODALAB_URI_TEMPLATE, MSMARCO_URI_TEMPLATE = _CODALAB, _MICROSOFT
    DATA_URIS = {tuple(name.split("_")): url for name, url in _URLS.items()}
    NUM_TRAIN_QUERIES = 1000
    GOLD_RELATIONS = {"train": [1], REGULAR_TRACK: [1], TREC_TRACK: [2, 3]}
    # HELM's numbers: they determine which instances are drawn.
    MIN_TOPK, MAX_TRAIN_TOPK, MAX_VALID_TOPK = 11, 20, 1000
    RECALL_MEASURES = [f"recall.{k}" for k in (1, 2, 3, 5, 10, 20)]
    RECIP_RANK_MEASURES = [f"recip_rank.{k}" for k in (5, 10, 20)]
    SUCCESS_MEASURES = [f"success.{k}" for k in (1, 2, 3, 5, 10, 20)]
    NDCG_CUT_MEASURES = [f"ndcg_cut.{k}" for k in (5, 10, 20)]
    MEASURE_NAMES = {
        REGULAR_TRACK: SUCCESS_MEASURES + RECALL_MEASURES + RECIP_RANK_MEASURES,
        TREC_TRACK: SUCCESS_MEASURES + RECALL_MEASURES + RECIP_RANK_MEASURES + NDCG_CUT_MEASURES,
    }

    def __init__(self, track: str, valid_topk: int | None = None):
        super().__init__()
        check_choice(self.name, "track", track, self.TRACK_NAMES)
        low, high = self.MIN_TOPK, self.MAX_VALID_TOPK
        if valid_topk is not None and not low <= valid_topk <= high:
            raise ConfigError(f"msmarco: valid_topk takes {low} to {high} or nothing, not {valid_topk}.")
        self.track = track
        self.valid_topk = valid_topk

    def get_instances(self, output_path: str) -> list[Instance]:
        documents = self._texts(output_path, "documents")
        shuffler = Random(_SEED)
        ids = list(documents)
        shuffler.shuffle(ids)
        positions = {doc_id: position for position, doc_id in enumerate(ids)}

        instances = []
        for part, split in (("train", TRAIN_SPLIT), (self.track, VALID_SPLIT)):
            queries = self._texts(output_path, f"{part}_queries")
            qrels = self._numbers(output_path, f"{part}_qrels", 2, 3)
            topk = self._numbers(output_path, f"{part}_topk", 1, 2)
            query_ids = list(queries)
            shuffler.shuffle(query_ids)
            gold = self.GOLD_RELATIONS[part]
            wanted = self._wanted(query_ids, split, qrels, topk, gold)
            for query_id, doc_ids in wanted:
                relations, ranks = qrels[query_id], topk.get(query_id, {})
                for doc_id in doc_ids:
                    if doc_id not in documents:
                        raise ScenarioError(
                            f"msmarco: query {query_id} of {part} names passage {doc_id}, which is not there."
                        )
                references = [
                    _reference(doc_id, documents[doc_id], relations.get(doc_id), ranks.get(doc_id), gold)
                    for doc_id in sorted(doc_ids, key=positions.__getitem__)
                ]
                instances.append(Instance(Input(text=queries[query_id]), references, split=split))
        return instances

    def _wanted(
        self, query_ids: list[int], split: str, qrels: Ranks, topk: Ranks, gold: list[int]
    ) -> Iterator[tuple[int, list[int]]]:
        """Yield the queries to use, in order, each with the passages to rank."""
        num_train = without_wrong = 0
        for query_id in query_ids:
            relations, ranks = qrels.get(query_id, {}), topk.get(query_id, {})
            if not any(relation in gold for relation in relations.values()):
                continue
            if split == TRAIN_SPLIT:
                if len(ranks) < self.MAX_TRAIN_TOPK:
                    continue
                if num_train == self.NUM_TRAIN_QUERIES:
                    break
                wrong = [i for i, rank in ranks.items() if rank in _WRONG_RANKS and relations.get(i) not in gold]
                if not wrong:  # HELM fails here
                    without_wrong += 1
                    continue
                best = max(relations, key=relations.__getitem__)  # the first maximum, as in a stable sort
                num_train += 1
                yield query_id, [best, wrong[0]]
            elif self.valid_topk is None:
                yield query_id, list(relations)
            elif len(ranks) >= self.valid_topk:
                near = [i for i, rank in ranks.items() if rank <= self.valid_topk]
                yield query_id, list(dict.fromkeys([*relations, *near]))
        if without_wrong:
            hwarn(f"msmarco: {without_wrong} train queries without a wrong passage at ranks 11 to 20 are left out.")

    def _rows(self, output_path: str, name: str) -> Iterator[tuple[str, list[str]]]:
        path = os.path.join(output_path, "data", f"{name}.tsv")
        ensure_file_downloaded(_URLS[name], path)
        for where, row in read_table(path, delimiter="\t"):
            yield where, row[0].split() if len(row) == 1 else row  # TREC's judgements are separated by spaces

    def _texts(self, output_path: str, name: str) -> dict[int, str]:
        texts = {}
        for where, row in self._rows(output_path, name):
            with reading(where):
                texts[int(row[0])] = row[1]
        return texts

    def _numbers(self, output_path: str, name: str, document: int, value: int) -> Ranks:
        """Return, per query, the number in column `value` for the passage in column `document`."""
        numbers: Ranks = {}
        for where, row in self._rows(output_path, name):
            with reading(where):
                numbers.setdefault(int(row[0]), {})[int(row[document])] = int(row[value])
        return numbers

    def get_metadata(self) -> ScenarioMetadata:
        is_trec = self.track == "trec"
        return ScenarioMetadata(
            name=f"msmarco_{self.track}",
            display_name=f"MS MARCO ({'TREC' if is_trec else 'regular'} track)",
            description="Ranking passages by whether they answer a web query.",
            main_metric="NDCG@10" if is_trec else "RR@10",
            main_split=VALID_SPLIT,
            taxonomy=TaxonomyInfo(task="information retrieval", what="?", when="?", who="?", language="English"),
        )


def _reference(doc_id: int, text: str, relevance: Any, rank: Any, gold: list[int]) -> Reference:
    tags = [f"docid={doc_id}"]
    if relevance in gold:
        tags.append(CORRECT_TAG)
    if relevance:
        tags.append(make_relevance_tag(relevance))
    if rank is not None:
        tags.append(make_rank_tag(rank))
    return Reference(Output(text=text), tags=tags)
