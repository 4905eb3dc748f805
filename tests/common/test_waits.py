"""Waits between tries are made, as long as they are asked for, and end when the command is to stop."""

import signal
import threading

import pytest

from helm.clients.http.http_endpoint import RETRY_POLICIES, HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.clients.pacing.limiter import forget_limiters
from helm.common.concurrency import drain_on_interrupt, is_stop_requested, sleep_until_stopped, stoppable_by
from helm.common.request import SERVER


class Stop(threading.Event):
    """Notes what is waited for, and takes no time."""

    def __init__(self, stops_at=None):
        super().__init__()
        self.waits, self._stops_at = [], stops_at

    def wait(self, timeout=None):
        self.waits.append(timeout)
        return len(self.waits) == self._stops_at


def test_a_wait_is_as_long_as_it_is_asked_for(monkeypatch):
    slept = []
    monkeypatch.setattr("helm.common.concurrency.time.sleep", slept.append)
    sleep_until_stopped(12.5)
    assert slept == [12.5]


def test_a_wait_that_can_be_stopped_is_as_long():
    stop = Stop()
    with stoppable_by(stop):
        sleep_until_stopped(12.5)
    assert stop.waits == [12.5]


def test_a_wait_ends_when_the_command_is_to_stop():
    with stoppable_by(Stop(stops_at=1)), pytest.raises(KeyboardInterrupt):
        sleep_until_stopped(12.5)


def test_a_failed_request_waits_longer_before_each_try(monkeypatch):
    """The whole way, down to what the thread waits for."""
    monkeypatch.delenv("HELM_RETRIES", raising=False)
    forget_limiters()
    endpoint = HTTPEndpoint("http://nowhere.invalid/v1")
    monkeypatch.setattr(endpoint, "_exchange", lambda *args: (500, {}, b"{}"))
    stop = Stop()
    with stoppable_by(stop), pytest.raises(RequestFailure):
        endpoint.send("POST", "chat", b"{}")
    forget_limiters()
    policy = RETRY_POLICIES[SERVER]
    assert len(stop.waits) == policy.max_retries
    for retry, waited_s in enumerate(stop.waits, start=1):
        whole_s = min(policy.first_pause_s * 2 ** (retry - 1), policy.max_pause_s)
        assert whole_s / 2 <= waited_s <= whole_s


def test_the_first_ctrl_c_asks_to_stop_and_the_second_one_stops(caplog):
    before = signal.getsignal(signal.SIGINT)
    with drain_on_interrupt():
        assert not is_stop_requested()
        signal.raise_signal(signal.SIGINT)
        assert is_stop_requested() and "Press Ctrl-C again" in caplog.text
        with pytest.raises(KeyboardInterrupt):
            sleep_until_stopped(600)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert not is_stop_requested() and signal.getsignal(signal.SIGINT) is before


def test_a_stop_holds_inside_its_block():
    stop = threading.Event()
    stop.set()
    with stoppable_by(stop):
        assert is_stop_requested()
        with stoppable_by(threading.Event()):
            assert not is_stop_requested()
        assert is_stop_requested()
    assert not is_stop_requested()


def test_ctrl_c_is_left_alone_by_other_threads():
    before, seen = signal.getsignal(signal.SIGINT), []

    def work():
        with drain_on_interrupt():
            seen.append((signal.getsignal(signal.SIGINT), is_stop_requested()))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [(before, False)]
