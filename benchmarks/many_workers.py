"""Many workers against one endpoint with one limit, in simulated time: how their limiters share what they do not know.

    python benchmarks/many_workers.py [--workers 1 10 100 1000] [--minutes 10] [--seed 0]

Each worker is a process with a `Limiter` of its own, the real one with a simulated clock; they learn of each other only by what
the server refuses. The server admits so many requests a minute (a bucket that is refilled all the time), or so many at once;
it says neither. Refused requests are tried again as `HTTPEndpoint` does. Printed are the share of the limit that was used and
the share of tries that was refused, in the second half of the time, and the answers of the workers as percentiles of their mean.
"""

import argparse
import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from helm.clients.http.http_endpoint import RETRY_POLICIES
from helm.clients.pacing.limiter import Limiter, Ticket
from helm.common.request import RATE_LIMITED

_REFUSED_IN_S = 0.01
_THREADS = 320


@dataclass
class Server:
    """Answers after about `latency_s`; refuses beyond one of its two limits."""

    draws: random.Random
    latency_s: float
    per_minute: float | None = None
    at_once: int | None = None
    retry_after_s: float | None = None
    in_flight: int = 0
    level: float = 0.0
    level_at: float = 0.0

    def admits(self, now: float) -> bool:
        if self.at_once is not None:
            return self.in_flight < self.at_once
        assert self.per_minute is not None
        # The bucket holds a second's worth at least; providers' hold between that and a minute's.
        most = max(1.0, self.per_minute / 60)
        self.level = min(most, self.level + (now - self.level_at) * self.per_minute / 60)
        self.level_at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


@dataclass
class Simulation:
    """The events of all workers, in order of time."""

    server: Server
    draws: random.Random
    now: float = 0.0
    tries: list[tuple[float, bool]] = field(default_factory=list)
    """When a try ended, and whether it was answered."""
    _events: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _order: "itertools.count[int]" = field(default_factory=itertools.count)

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._order), action))

    def run(self, seconds: float) -> None:
        while self._events and self._events[0][0] < seconds:
            self.now, _, action = heapq.heappop(self._events)
            action()


class Worker:
    """A process that always has more to send."""

    def __init__(self, simulation: Simulation):
        self._simulation = simulation
        self._limiter = Limiter(clock=lambda: simulation.now)
        self._ready = [0] * _THREADS
        self._is_woken = False
        self.num_answered = 0

    def send(self) -> None:
        """Send what the limiter permits, and look again when it will permit more."""
        while self._ready:
            wait_s = self._limiter.ready_in_s()
            if wait_s is None:  # until one of those in flight returns
                return
            if wait_s > 0:
                if not self._is_woken:
                    self._is_woken = True
                    self._simulation.at(wait_s + 1e-6, self._wake)
                return
            ticket = self._limiter.try_acquire()
            if ticket is None:
                return
            self._send(ticket, self._ready.pop(0))

    def _wake(self) -> None:
        self._is_woken = False
        self.send()

    def _send(self, ticket: Ticket, tries: int) -> None:
        simulation, server = self._simulation, self._simulation.server
        is_served = server.admits(simulation.now)
        server.in_flight += is_served
        seconds = server.latency_s * simulation.draws.uniform(0.8, 1.2) if is_served else _REFUSED_IN_S

        def end() -> None:
            server.in_flight -= is_served
            simulation.tries.append((simulation.now, is_served))
            if is_served:
                self.num_answered += 1
                self._limiter.accepted(ticket)
                self._ready.append(0)
            else:
                self._limiter.rejected(ticket, server.retry_after_s)
                pause_s = RETRY_POLICIES[RATE_LIMITED].pause_s(tries % 3 + 1, simulation.draws.random())
                if server.retry_after_s is not None:
                    pause_s = self._limiter.own_pause_s(server.retry_after_s)
                simulation.at(pause_s, lambda: self._try_again(tries + 1))
            self.send()

        simulation.at(seconds, end)

    def _try_again(self, tries: int) -> None:
        self._ready.insert(0, tries)
        self.send()


def simulate(num_workers: int, minutes: float, seed: int, **server: float | int | None) -> dict[str, float]:
    draws = random.Random(seed)
    simulation = Simulation(Server(draws, **server), draws)  # type: ignore[arg-type]
    workers = [Worker(simulation) for _ in range(num_workers)]
    for worker in workers:  # a scheduler starts them one after the other
        simulation.at(draws.uniform(0, 30), worker.send)
    simulation.run(60 * minutes)
    later = [is_served for at, is_served in simulation.tries if at >= 30 * minutes]
    answered = sum(later) / (30 * minutes)
    latency_s = float(server["latency_s"] or 0)
    limit = server["per_minute"] / 60 if server.get("per_minute") else float(server["at_once"] or 0) / latency_s
    ordered = sorted(worker.num_answered for worker in workers)
    mean = sum(ordered) / num_workers
    return {
        "workers": num_workers,
        "limit/s": limit,
        "used": answered / limit,
        "refused": 1 - sum(later) / max(1, len(later)),
        "p5": ordered[int(0.05 * (num_workers - 1))] / mean,
        "p95": ordered[int(0.95 * (num_workers - 1))] / mean,
    }


LIMITS: dict[str, dict[str, float | int | None]] = {
    "6,000 a minute": {"latency_s": 1.0, "per_minute": 6000},
    "60,000 a minute": {"latency_s": 1.0, "per_minute": 60_000},
    "6,000 a minute, tells when to come back": {"latency_s": 1.0, "per_minute": 6000, "retry_after_s": 2.0},
    "200 at once": {"latency_s": 1.0, "at_once": 200},
    "2,000 at once": {"latency_s": 1.0, "at_once": 2000},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print("| limit of the server | workers | limit/s | used | refused | p5 | p95 |\n|---|--:|--:|--:|--:|--:|--:|")
    for name, server in LIMITS.items():
        for num_workers in args.workers:
            found = simulate(num_workers, args.minutes, args.seed, **server)
            cells = [f"{num_workers:,}", f"{found['limit/s']:,.0f}", f"{found['used']:.0%}", f"{found['refused']:.1%}"]
            print("|", " | ".join([name, *cells, f"{found['p5']:.2f}", f"{found['p95']:.2f}"]), "|", flush=True)


if __name__ == "__main__":
    main()
