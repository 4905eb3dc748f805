"""Equal requests that are on their way at the same time are sent once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from helm.clients.http.in_flight import is_repeatable, send_once


def test_who_comes_meanwhile_gets_the_same_answer():
    calls = []

    def send():
        calls.append(1)
        time.sleep(0.2)
        return {"text": "a"}

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: send_once("k", send), range(8)))
    assert len(calls) == 1
    assert [response for response, _ in results] == [{"text": "a"}] * 8
    assert sorted(shared for _, shared in results) == [False] + [True] * 7
    assert len({id(response) for response, _ in results}) == 8, "nobody changes another one's answer"


def test_who_comes_later_sends_anew():
    assert [send_once("k", lambda n=n: {"n": n})[0]["n"] for n in range(3)] == [0, 1, 2]


def test_other_keys_do_not_wait():
    entered = threading.Barrier(4, timeout=10)

    def send():
        entered.wait()
        return {}

    with ThreadPoolExecutor(4) as pool:
        assert len(list(pool.map(lambda key: send_once(key, send), "abcd"))) == 4


def test_when_it_fails_the_others_send_it_anew():
    outcomes = iter([ValueError("first"), {"text": "second"}])
    lock = threading.Lock()

    def send():
        time.sleep(0.1)
        with lock:
            outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def ask(_):
        try:
            return send_once("k", send)[0]
        except ValueError as e:
            return str(e)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(ask, range(4)))
    assert sorted(map(str, results)) == ["first"] + ["{'text': 'second'}"] * 3


def test_ctrl_c_ends_the_wait_for_the_answer_of_another_one(monkeypatch):
    monkeypatch.setattr("helm.clients.http.in_flight._WAIT_S", 0.01)
    entered, go_on, caught = threading.Event(), threading.Event(), []

    def send():
        entered.set()
        assert go_on.wait(60)
        return {}

    def wait():
        try:
            caught.append(send_once("k", send))
        except KeyboardInterrupt as e:
            caught.append(e)

    first = threading.Thread(target=send_once, args=("k", send))
    first.start()
    assert entered.wait(60)
    monkeypatch.setattr("helm.clients.http.in_flight.is_stop_requested", lambda: True)
    second = threading.Thread(target=wait)
    second.start()
    second.join(60)
    assert [type(error) for error in caught] == [KeyboardInterrupt]
    go_on.set()
    first.join(60)


@pytest.mark.parametrize(
    "raw, repeatable",
    [
        ({"temperature": 0.0}, True),
        ({"temperature": 0.7}, False),
        ({}, False),
        ({"generationConfig": {"temperature": 0}}, True),
        ({"generationConfig": {"temperature": 1}}, False),
        ({"parameters": {"temperature": 0}}, True),
    ],
)
def test_only_the_likeliest_answer_is_the_same_for_all(raw, repeatable):
    assert is_repeatable(raw) is repeatable
