"""The limiter finds what a server allows, in simulated time: no thread, no clock, every schedule the same."""

import heapq
import itertools
import random
import threading
from collections import deque

import pytest

from helm.clients.pacing.limiter import Allowance, Limiter, LimiterStopped
from turns_support import by_turns


class Concurrency:
    """At most `limit` requests at once."""

    def __init__(self, limit):
        self.limit, self.in_flight = limit, 0

    def admit(self, now):
        if self.in_flight >= self.limit:
            return False
        self.in_flight += 1
        return True

    def leave(self):
        self.in_flight -= 1

    def retry_after(self, now):
        return None


class TokenBucket(Concurrency):
    """`per_minute` requests are refilled continuously, up to `burst`."""

    def __init__(self, per_minute, burst, says_retry_after=False):
        self.rate, self.burst, self.level, self.at = per_minute / 60, burst, burst, 0.0
        self.says_retry_after = says_retry_after

    def admit(self, now):
        self.level, self.at = min(self.burst, self.level + (now - self.at) * self.rate), now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def leave(self):
        pass

    def retry_after(self, now):
        return (1 - self.level) / self.rate if self.says_retry_after else None


class SlidingMinute(TokenBucket):
    """At most `per_minute` requests within any 60 seconds."""

    def __init__(self, per_minute, says_retry_after=False):
        self.limit, self.seen, self.says_retry_after = per_minute, deque(), says_retry_after

    def admit(self, now):
        while self.seen and self.seen[0] <= now - 60:
            self.seen.popleft()
        if len(self.seen) >= self.limit:
            return False
        self.seen.append(now)
        return True

    def retry_after(self, now):
        return self.seen[0] + 60 - now if self.says_retry_after else None


class FixedMinute(SlidingMinute):
    """At most `per_minute` requests in every minute of the clock."""

    def admit(self, now):
        while self.seen and self.seen[0] // 60 != now // 60:
            self.seen.popleft()
        if len(self.seen) >= self.limit:
            return False
        self.seen.append(now)
        return True

    def retry_after(self, now):
        return 60 - now % 60 if self.says_retry_after else None


def simulate(server, latency_s, seconds, max_window=512):
    """Always more to send; (time, whether accepted) of every answer."""
    now = [0.0]
    limiter = Limiter(max_window=max_window, clock=lambda: now[0])
    answers, events, order = [], [], itertools.count()
    draws = random.Random(0)
    while now[0] < seconds:
        ready_in_s = limiter.ready_in_s()
        next_event = events[0][0] if events else float("inf")
        if ready_in_s is not None and now[0] + max(ready_in_s, 0) <= next_event:
            now[0] += max(ready_in_s, 0)
            ticket = limiter.try_acquire()
            if ticket is None:  # rounding
                now[0] += 1e-6
                continue
            admitted = server.admit(now[0])
            delay_s = latency_s * draws.uniform(0.8, 1.2) if admitted else min(latency_s, 0.01)
            heapq.heappush(events, (now[0] + delay_s, next(order), ticket, admitted))
            continue
        at, _, ticket, admitted = heapq.heappop(events)
        now[0] = at
        answers.append((at, admitted))
        if admitted:
            server.leave()
            limiter.accepted(ticket)
        else:
            limiter.rejected(ticket, server.retry_after(now[0]))
    return answers


def throughput_and_rejections(answers, start, end):
    later = [admitted for at, admitted in answers if start <= at < end]
    return sum(later) / (end - start), 1 - sum(later) / len(later)


@pytest.mark.parametrize("limit, latency_s", by_turns([1, 3, 50, 200], [0.2, 2.0]))
def test_a_hidden_limit_of_requests_in_flight_is_found(limit, latency_s):
    answers = simulate(Concurrency(limit), latency_s, 200 * latency_s)
    rate, rejected = throughput_and_rejections(answers, 20 * latency_s, 200 * latency_s)
    assert rate >= 0.9 * limit / latency_s
    assert rejected <= 0.02


SERVERS = [
    TokenBucket(500, 500),
    TokenBucket(500, 10),
    TokenBucket(500, 500, True),
    SlidingMinute(500),
    SlidingMinute(500, True),
    FixedMinute(500),
    FixedMinute(500, True),
    TokenBucket(3000, 50),
    SlidingMinute(60),
]


@pytest.mark.parametrize(
    "server, latency_s",
    by_turns(SERVERS, [0.01, 0.2, 1.0]),
    ids=lambda value: f"{type(value).__name__}-{vars(value)}"[:60] if isinstance(value, Concurrency) else None,
)
def test_a_hidden_limit_of_requests_per_minute_is_found(server, latency_s):
    import copy

    server = copy.deepcopy(server)
    per_minute = getattr(server, "limit", None) or server.rate * 60
    answers = simulate(server, latency_s, 600)
    rate, rejected = throughput_and_rejections(answers, 240, 600)
    assert rate >= 0.9 * per_minute / 60
    assert rejected <= 0.02


def test_no_limit_is_used_to_the_full():
    """1,000 requests of 200 ms each."""
    answers = simulate(Concurrency(10**6), 0.2, 3)
    assert sum(at < 2.0 for at, _ in answers) >= 1000
    assert all(admitted for _, admitted in answers)


def test_a_limit_that_is_lifted_is_noticed():
    server = Concurrency(20)
    answers, lifted = [], []

    class Lifted(Concurrency):
        def admit(self, now):
            if now > 30:
                self.limit = 100
            return super().admit(now)

    server = Lifted(20)
    answers = simulate(server, 0.2, 200)
    rate, rejected = throughput_and_rejections(answers, 150, 200)
    assert rate > 0.9 * 100 / 0.2 and rejected < 0.02 and not lifted


def test_an_overloaded_server_gets_half_once_for_each_round():
    limiter = Limiter(first_window=64)
    tickets = [limiter.try_acquire() for _ in range(64)]
    assert limiter.try_acquire() is None
    for ticket in tickets[:10]:
        limiter.overloaded(ticket)
    assert limiter.window == 32
    for ticket in tickets[10:]:
        limiter.accepted(ticket)
    limiter.overloaded(limiter.try_acquire())
    assert limiter.window < 32


def test_what_is_left_spreads_requests_out():
    now = [100.0]
    limiter = Limiter(clock=lambda: now[0])
    limiter.accepted(limiter.try_acquire())
    limiter.told("requests", Allowance(limit=60, remaining=50, reset_s=10))
    assert limiter.rate is None
    limiter.told("requests", Allowance(limit=60, remaining=0, reset_s=60))
    assert limiter.rate == 1.0
    now[0] += 61
    assert limiter.rate is None


def test_tokens_count_as_many_requests_as_a_request_usually_has_tokens():
    now = [0.0]
    limiter = Limiter(clock=lambda: now[0])
    limiter.told("tokens", Allowance(limit=60_000, remaining=0, reset_s=60))
    assert limiter.rate is None, "how many tokens a request has is not known yet"
    limiter.accepted(limiter.try_acquire(), num_tokens=500)
    limiter.told("tokens", Allowance(limit=60_000, remaining=0, reset_s=60))
    assert limiter.rate == pytest.approx(2.0)


def test_waiting_threads_are_served_in_order_and_stop_at_once():
    limiter = Limiter(first_window=1, max_window=1)
    ticket = limiter.acquire()
    served, threads = [], []

    def work(number):
        try:
            mine = limiter.acquire()
        except LimiterStopped as e:
            served.append(str(e))
            return
        served.append(number)
        if number < 2:
            limiter.accepted(mine)
        else:
            limiter.stop(ValueError("no such key"))

    for number in range(4):
        thread = threading.Thread(target=work, args=(number,))
        thread.start()
        threads.append(thread)
        while limiter.num_waiting < number + 1:
            pass
    limiter.accepted(ticket)
    for thread in threads:
        thread.join(5)
    assert served == [0, 1, 2, "no such key"]


def test_a_deadline_ends_the_wait():
    limiter = Limiter(first_window=1, max_window=1)
    limiter.acquire()
    import time

    assert limiter.acquire(deadline=time.monotonic() + 0.01) is None


@pytest.mark.parametrize("answer_s, least, most", [(0.0, 1, 4), (0.002, 4, 8), (0.2, 250, 512)])
def test_no_more_threads_than_are_of_use(answer_s, least, most):
    """Where answers come at once, many threads would only be in each other's way."""
    now = [0.0]
    limiter = Limiter(clock=lambda: now[0], first_window=512)
    for _ in range(100):
        ticket = limiter.acquire()
        now[0] += answer_s
        limiter.accepted(ticket)
    assert least <= limiter.useful_window <= most
