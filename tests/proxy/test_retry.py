"""Retries: what is tried again, how long is waited, and what comes out in the end."""

import threading

import pytest

from helm.common import concurrency
from helm.common.errors import ConfigError, HelmError
from helm.common.request import ErrorFlags, RequestResult
from helm.proxy import retry
from helm.proxy.retry import (
    NonRetriableException,
    RetryError,
    get_retry_decorator,
    retry_request,
    retry_tokenizer_request,
)


@pytest.fixture
def waits(monkeypatch):
    """Seconds that would have been waited."""
    seconds = []
    monkeypatch.setattr(retry, "sleep_until_stopped", seconds.append)
    monkeypatch.delenv("HELM_RETRIES", raising=False)
    return seconds


def failure(**flags):
    error_flags = ErrorFlags(**flags) if flags else None
    return RequestResult(False, [], [], cached=False, error="no", error_flags=error_flags)


SUCCESS = RequestResult(True, [], [], cached=False)


class Scripted:
    """Gives or raises one item after another; the last one again and again."""

    def __init__(self, *items):
        self.items, self.calls = list(items), 0

    def __call__(self):
        item = self.items[min(self.calls, len(self.items) - 1)]
        self.calls += 1
        if isinstance(item, BaseException):
            raise item
        return item


def test_a_success_is_returned_at_once(waits):
    assert retry_request(Scripted(SUCCESS))() is SUCCESS
    assert waits == []


def test_requests_wait_ten_seconds_and_double(waits):
    function = Scripted(failure())
    with pytest.raises(RetryError) as caught:
        retry_request(function)()
    assert waits == [10, 20, 40, 80]
    assert (caught.value.attempts, caught.value.last_result.error, function.calls) == (5, "no", 5)


def test_tokenizers_wait_two_seconds_and_double(waits):
    with pytest.raises(RetryError):
        retry_tokenizer_request(Scripted(failure()))()
    assert waits == [2, 4, 8, 16]


def test_the_last_exception_propagates_unchanged(waits):
    error = OSError("refused")
    with pytest.raises(OSError) as caught:
        retry_request(Scripted(error))()
    assert caught.value is error
    assert len(waits) == 4


def test_a_later_success_counts(waits):
    assert retry_request(Scripted(OSError(), failure(is_retriable=True), failure(is_fatal=True), SUCCESS))() is SUCCESS
    assert waits == [10, 20, 40]


def test_a_result_that_is_not_retriable_is_returned_at_once(waits):
    result = failure(is_retriable=False)
    assert retry_request(Scripted(result))() is result
    assert waits == []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), NonRetriableException("no"), ConfigError("bad spec")])
def test_what_another_attempt_cannot_mend_propagates_at_once(waits, error):
    with pytest.raises(type(error)):
        retry_request(Scripted(error))()
    assert waits == []


def test_the_environment_says_how_many_retries(waits, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    with pytest.raises(RetryError):
        retry_request(Scripted(failure()))()
    assert waits == []
    monkeypatch.setenv("HELM_RETRIES", "some")
    with pytest.raises(HelmError, match="HELM_RETRIES.*'some'"):
        retry_request(Scripted(failure()))()


def test_arguments_are_passed_on(waits):
    decorate = get_retry_decorator("Adding", 2, 1, lambda result: False)
    assert decorate(lambda a, b=0: a + b)(1, b=2) == 3


def test_an_interrupt_ends_the_wait():
    stop = threading.Event()
    token = concurrency._stop_requested.set(stop)
    try:
        threading.Timer(0.05, stop.set).start()
        with pytest.raises(KeyboardInterrupt):
            retry_request(Scripted(failure()))()
    finally:
        concurrency._stop_requested.reset(token)
