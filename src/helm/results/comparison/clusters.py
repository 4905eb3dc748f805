"""Finds instances that share a source, so that their scores are not independent draws."""

import hashlib
from collections import Counter
from typing import Any

CLUSTER_KEYS = (
    "cluster_id", "cluster", "source_id", "passage_id", "document_id", "context_id", "conversation_id", "group_id",
)  # fmt: skip
"""Entries of `extra_data` that name the source of an instance; the first one present counts."""

# The shortest text before the last line break, in characters, that counts as a passage if other instances share it.
_SHORTEST_PASSAGE = 80
# With fewer clusters, or if one has more than this share of the instances, the common text is an instruction, not a passage.
_FEWEST_CLUSTERS = 10
_LARGEST_CLUSTER = 0.2


def find_clusters(instances: dict[str, dict[str, Any]], cluster_key: str | None = None) -> dict[str, str]:
    """Return the source of each instance, by id, from plain instances as in files.

    Instances share a source if their `extra_data` says so (`cluster_key`, else one of `CLUSTER_KEYS`), if their inputs are
    equal, or if their inputs are equal up to the last line break, like questions about one passage. The last criterion is not
    used if it leaves few clusters or a very large one: then the common text is an instruction, not a passage.
    """
    finder = ClusterFinder(cluster_key)
    for instance_id, instance in instances.items():
        finder.add(instance_id, instance.get("input"), instance.get("extra_data"))
    return finder.find()


class ClusterFinder:
    """Takes instances one by one, and keeps only digests of their inputs; see `find_clusters`."""

    def __init__(self, cluster_key: str | None):
        self._cluster_key = cluster_key
        self._named: dict[str, str] = {}
        self._heads: dict[str, bytes] = {}
        """Digests, by id and in order, of what other instances may share; empty if the input has no text."""

    def add(self, instance_id: str, found_input: Any, extra_data: Any) -> None:
        """Add an instance, whose input is plain or has a `text`; one with the same id is replaced."""
        self._named.pop(instance_id, None)
        name = _named_cluster(extra_data, self._cluster_key)
        if name is not None:
            self._named[instance_id] = name
        head = b""
        if self._cluster_key is None:
            is_plain = isinstance(found_input, dict)
            found = found_input.get("text") if is_plain else getattr(found_input, "text", found_input)
            text = found if isinstance(found, str) else ""
            passage = text.rstrip().rpartition("\n")[0]
            shared = passage if len(passage) >= _SHORTEST_PASSAGE else text
            if shared:
                head = hashlib.sha256(shared.encode("utf-8", "surrogatepass")).digest()[:8]
        self._heads[instance_id] = head

    def find(self) -> dict[str, str]:
        """Return the source of each instance."""
        heads, named = self._heads, self._named
        sizes = Counter(heads.values())
        largest = max((size for head, size in sizes.items() if head), default=0)
        is_believed = len(sizes) >= _FEWEST_CLUSTERS and largest <= max(2.0, _LARGEST_CLUSTER * len(heads))
        found = {}
        for instance_id, head in heads.items():
            if instance_id in named:
                found[instance_id] = named[instance_id]
            elif is_believed and head and sizes[head] > 1:
                found[instance_id] = "input " + head.hex()
            else:
                found[instance_id] = instance_id
        return found


def _named_cluster(extra_data: Any, cluster_key: str | None) -> str | None:
    if not isinstance(extra_data, dict):
        return None
    for key in CLUSTER_KEYS if cluster_key is None else (cluster_key,):
        if extra_data.get(key) is not None:
            return f"{key} {extra_data[key]}"
    return None
