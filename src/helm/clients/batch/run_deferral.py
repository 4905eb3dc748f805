"""Passes the requests of one run to the batches of its command, and their answers back."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from helm.clients.batch.batch_queue import BatchQueue
from helm.clients.batch.batches import Batches, BatchItem
from helm.clients.http.request_failure import RequestFailure
from helm.common.budgets.charges import current_charge
from helm.common.sending import BatchSlot, Deferral, Deferred, Sent


class RunDeferral(Deferral):
    """The requests of one run, to its model or to its judges.

    Args:
        queue: the command's queue.
        is_wanted: returns whether requests to a deployment go into batches.
    """

    def __init__(self, queue: BatchQueue, is_wanted: Callable[[str], bool] = lambda deployment: True):
        self._queue = queue
        self._is_wanted = is_wanted
        self._deferred: set[str] = set()

    def is_taking(self, batches: Any, deployment: str) -> bool:
        return self._queue.takes(batches) and self._is_wanted(deployment)

    def exchange(
        self, slot: BatchSlot, route: str, body: Mapping[str, Any], check: Callable[[Any], None] | None
    ) -> Sent:
        batches: Batches = slot.batches
        item = BatchItem(_custom_id(slot), route, body, slot.deployment)
        answer = self._queue.answer(item.custom_id)
        if answer is None:
            raise self._defer(item, batches)
        charge = current_charge()
        if charge is not None:
            charge.batch_share = batches.price_share
        try:
            return Sent(answer.line.value(batches.endpoint, route, check), answer.began_at, answer.seconds)
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

    def wait(self) -> None:
        """Return when the deferred requests can be repeated. Raises the same exceptions as `BatchQueue.wait`."""
        deferred, self._deferred = self._deferred, set()
        self._queue.wait(deferred)


def _custom_id(slot: BatchSlot) -> str:
    """Return the request's name in batches, which is the same in every process for the same request and address."""
    return "helm-" + hashlib.sha256(f"{slot.batches.address}\n{slot.key}".encode()).hexdigest()[:40]
