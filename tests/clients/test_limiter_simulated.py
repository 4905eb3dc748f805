"""What a limiter makes of servers that are limited, slow, faulty, or all of that, in simulated time.

No thread, no clock: every schedule is the same each time. Requests are tried again as `HTTPEndpoint` does it.
"""

import heapq
import itertools
import random
from collections import Counter

import pytest

from helm.clients.http.http_endpoint import RETRY_POLICIES
from helm.clients.pacing.limiter import Limiter
from helm.common.request import MALFORMED, RATE_LIMITED, SERVER, TIMED_OUT

OK = "ok"
FAST_S = 0.01


class Server:
    """Answers after `latency_s`, each at the same time as all others, at most `at_once` of them (others are refused with 429).

    `serial`: one after the other. `per_minute`: a bucket that is refilled all the time. `faults`: outcome -> share of the
    requests that end so, whatever the load. `retry_after_s`: what refusals ask for.
    """

    def __init__(
        self, seed, latency_s=0.2, at_once=None, serial=False, per_minute=None, faults=None, retry_after_s=None
    ):
        self.draws = random.Random(seed)
        self.latency_s, self.at_once, self.serial, self.per_minute = latency_s, at_once, serial, per_minute
        self.faults, self.retry_after_s = faults or {}, retry_after_s
        self.in_flight, self.free_at, self.level, self.level_at = 0, 0.0, per_minute or 0, 0.0

    def take(self, now):
        """(outcome, seconds until it comes)."""
        draw = self.draws.random()
        for outcome, share in self.faults.items():
            draw -= share
            if draw < 0:
                return outcome, FAST_S if outcome == RATE_LIMITED else self.latency()
        if self.at_once is not None and self.in_flight >= self.at_once:
            return RATE_LIMITED, FAST_S
        if self.per_minute is not None:
            self.level = min(self.per_minute, self.level + (now - self.level_at) * self.per_minute / 60)
            self.level_at = now
            if self.level < 1:
                return RATE_LIMITED, FAST_S
            self.level -= 1
        if self.serial:
            self.free_at = max(self.free_at, now) + self.latency()
            return OK, self.free_at - now
        return OK, self.latency()

    def latency(self):
        return self.latency_s * self.draws.uniform(0.8, 1.2)


class Simulation:
    """One client with always more to send."""

    def __init__(self, server, timeout_s=300.0, max_window=64, threads=320):
        self.now = 0.0
        self.server, self.timeout_s = server, timeout_s
        self.limiter = Limiter(max_window=max_window, clock=lambda: self.now)
        self.limiter.note_timeout(timeout_s)
        self.threads = threads
        self.outcomes = Counter()
        self.answered_at, self.longest_s, self.most_in_flight = [], 0.0, 0
        self._events, self._order = [], itertools.count()
        self._draws = random.Random(1)

    def run(self, seconds=1e9, requests=10**9):
        """Until so much time has passed or so many requests are answered."""
        ready = [0] * min(requests, self.threads)  # tries already made, for each request that wants a ticket
        begun = len(ready)
        while self.now < seconds and len(self.answered_at) < requests:
            wait_s = self.limiter.ready_in_s() if ready else None
            next_event_at = self._events[0][0] if self._events else float("inf")
            if wait_s is not None and self.now + max(wait_s, 0) <= next_event_at:
                self.now += max(wait_s, 0)
                ticket = self.limiter.try_acquire()
                if ticket is None:  # rounding
                    self.now += 1e-6
                    continue
                self._send(ticket, ready.pop(0))
                continue
            self.now, _, action = heapq.heappop(self._events)
            for tries in action():
                if tries == 0:
                    if begun >= requests:
                        continue
                    begun += 1
                ready.append(tries)
        return self

    def _at(self, seconds, action):
        heapq.heappush(self._events, (self.now + seconds, next(self._order), action))

    def _send(self, ticket, tries):
        self.most_in_flight = max(self.most_in_flight, ticket.in_flight)
        outcome, seconds = self.server.take(self.now)
        if seconds > self.timeout_s:
            outcome, seconds = TIMED_OUT, self.timeout_s
        is_served = outcome == OK
        self.server.in_flight += is_served
        self.longest_s = max(self.longest_s, seconds)

        def end():
            self.server.in_flight -= is_served
            self.outcomes[outcome] += 1
            if outcome in (OK, MALFORMED):
                self.limiter.accepted(ticket)
            elif outcome == RATE_LIMITED:
                self.limiter.rejected(ticket, self.server.retry_after_s)
            elif outcome == TIMED_OUT:
                self.limiter.timed_out(ticket)
            else:
                self.limiter.overloaded(ticket)
            if outcome == OK:
                self.answered_at.append(self.now)
                return [0]
            pause_s = RETRY_POLICIES[outcome].pause_s(tries % 3 + 1, self._draws.random())
            if outcome == RATE_LIMITED and self.server.retry_after_s is not None:
                pause_s = self.limiter.own_pause_s(self.server.retry_after_s)
            if not pause_s:
                return [tries + 1]
            self._at(pause_s, lambda: [tries + 1])
            return []

        self._at(seconds, end)

    def per_second(self, start=0.0):
        return sum(at >= start for at in self.answered_at) / (self.now - start)


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 12))]
at_many_seeds = pytest.mark.parametrize("seed", SEEDS)

R_64 = 64 / 0.2
"""What a server of 200 ms gives when 64 may be in flight."""


@at_many_seeds
def test_refusals_by_chance_do_not_slow_it_down(seed):
    done = Simulation(Server(seed, faults={RATE_LIMITED: 0.05})).run(seconds=120)
    assert done.per_second() >= 0.8 * R_64


@at_many_seeds
def test_faults_of_all_kinds_do_not_slow_it_down(seed):
    faults = {RATE_LIMITED: 0.1, SERVER: 0.08, MALFORMED: 0.08}
    done = Simulation(Server(seed, faults=faults, retry_after_s=1.0)).run(seconds=120)
    assert done.per_second() >= 0.6 * R_64


@at_many_seeds
@pytest.mark.parametrize("share", [0.02, 0.08])
def test_failures_by_chance_do_not_slow_it_down(seed, share):
    done = Simulation(Server(seed, faults={SERVER: share})).run(seconds=60)
    assert done.per_second() >= 0.7 * R_64


@at_many_seeds
def test_a_limit_is_found_among_refusals_by_chance(seed):
    done = Simulation(Server(seed, at_once=50, faults={RATE_LIMITED: 0.05}), max_window=512).run(seconds=120)
    assert done.per_second() >= 0.8 * 50 / 0.2
    assert done.outcomes[RATE_LIMITED] < 0.2 * len(done.answered_at)


@at_many_seeds
def test_a_rate_is_found_among_failures_by_chance(seed):
    done = Simulation(Server(seed, per_minute=600, faults={SERVER: 0.05})).run(seconds=100)
    before = Counter(done.outcomes)
    later = done.run(seconds=400).outcomes - before
    assert done.per_second(100) >= 0.8 * 10
    assert later[RATE_LIMITED] < 0.05 * later[OK]


@at_many_seeds
@pytest.mark.parametrize("latency_s, timeout_s", [(0.5, 20), (0.5, 300), (2.0, 20), (6.0, 300)])
def test_a_server_that_serves_one_at_a_time_is_not_flooded(seed, latency_s, timeout_s):
    done = Simulation(Server(seed, latency_s=latency_s, serial=True), timeout_s=timeout_s).run(seconds=600 * latency_s)
    assert done.outcomes[TIMED_OUT] == 0
    assert done.longest_s - 1.2 * latency_s <= timeout_s / 2
    assert done.per_second() >= 0.95 / latency_s


@at_many_seeds
@pytest.mark.parametrize("latency_s", [0.2, 5.0, 60.0])
def test_one_that_answers_any_number_as_fast_as_one_is_filled_quickly(seed, latency_s):
    done = Simulation(Server(seed, latency_s=latency_s)).run(seconds=15 * latency_s)
    assert done.most_in_flight == 64
    assert done.per_second() >= 0.6 * 64 / latency_s


@at_many_seeds
def test_a_thousand_requests_of_200_ms(seed):
    assert Simulation(Server(seed), max_window=512, threads=512).run(requests=1000).now < 3


@at_many_seeds
def test_an_overloaded_server_that_fails_instead_of_refusing(seed):
    """Its failures depend on the load: it gets less."""

    class Overloaded(Server):
        def take(self, now):
            return (SERVER, FAST_S) if self.in_flight >= 20 else super().take(now)

    done = Simulation(Overloaded(seed)).run(seconds=120)
    assert done.outcomes[SERVER] < 0.05 * len(done.answered_at)
    assert done.per_second() >= 0.7 * 20 / 0.2


@at_many_seeds
def test_faults_that_end_are_forgotten(seed):
    """5% are refused by chance for a minute; then at most 10 may be in flight."""
    server = Server(seed, faults={RATE_LIMITED: 0.05})
    simulation = Simulation(server).run(seconds=60)
    server.faults, server.at_once = {}, 10
    simulation.run(seconds=180)
    refused, answered = simulation.outcomes[RATE_LIMITED], len(simulation.answered_at)
    simulation.run(seconds=240)
    assert simulation.per_second(180) >= 0.7 * 10 / 0.2
    assert simulation.outcomes[RATE_LIMITED] - refused < 0.1 * (len(simulation.answered_at) - answered)
