"""How the requests of one run get into the batches of its command, and their answers back."""

import hashlib
import threading
from typing import Any, Callable, Mapping, Optional, Set

from helm.clients.batch.batch_queue import BatchQueue
from helm.clients.batch.batches import Batches, BatchItem
from helm.clients.request_failure import RequestFailure
from helm.common.sending import BatchSlot, Deferral, Deferred


class RunDeferral(Deferral):
    """The requests of one run, of its model or of its judges.

    Args:
        queue: of the command.
        is_wanted: whether the requests to a deployment are to go into batches.
    """

    def __init__(self, queue: BatchQueue, is_wanted: Callable[[str], bool] = lambda deployment: True):
        self._queue = queue
        self._is_wanted = is_wanted
        self._deferred: Set[str] = set()
        self._local = threading.local()

    def begin(self, deployment: str) -> None:
        self._local.deployment = deployment

    @property
    def _deployment(self) -> str:
        return getattr(self._local, "deployment", "")

    def is_taking(self, batches: Any) -> bool:
        return self._queue.takes(batches) and self._is_wanted(self._deployment)

    def exchange(
        self, slot: BatchSlot, route: str, body: Mapping[str, Any], check: Optional[Callable[[Any], None]]
    ) -> Any:
        batches: Batches = slot.batches
        item = BatchItem(_custom_id(slot), route, body, self._deployment)
        answer = self._queue.answer(item.custom_id)
        if answer is None:
            raise self._defer(item, batches)
        self._local.batch_share = batches.price_share
        batches.endpoint.note_exchange(answer.began_at, answer.seconds)
        try:
            return answer.line.value(batches.endpoint, route, check)
        except RequestFailure as failure:
            if self._queue.try_again(item.custom_id, failure):
                raise self._defer(item, batches) from failure
            raise

    def _defer(self, item: BatchItem, batches: Batches) -> Deferred:
        self._queue.want(item, batches)
        self._deferred.add(item.custom_id)
        return Deferred()

    def settled(self, slot: BatchSlot) -> None:
        self._queue.settled(_custom_id(slot))

    def batch_share(self) -> Optional[float]:
        share: Optional[float] = getattr(self._local, "batch_share", None)
        self._local.batch_share = None
        return share

    def wait(self) -> None:
        """Return when what was deferred can be asked for again. Raises: see `BatchQueue.wait`."""
        deferred, self._deferred = self._deferred, set()
        self._queue.wait(deferred)


def _custom_id(slot: BatchSlot) -> str:
    """The same for the same request to the same address, in whatever process."""
    return "helm-" + hashlib.sha256(f"{slot.batches.address}\n{slot.key}".encode()).hexdigest()[:40]
