"""Tickets of a limiter, one step at a time: when there is one, and what each way of giving it back changes. No real time."""

import threading

import pytest

from helm.clients.pacing import limiter as module
from helm.clients.pacing.limiter import (
    Allowance,
    Limiter,
    LimiterStopped,
    ServerGone,
    all_limiters,
    forget_limiters,
    get_limiter,
    set_max_in_flight,
)


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def said(monkeypatch):
    lines = []
    for name in ("hlog", "hprogress", "hwarn"):
        monkeypatch.setattr(module, name, lambda text, name=name: lines.append((name, text)))
    return lines


def take(limiter, number):
    tickets = [limiter.try_acquire() for _ in range(number)]
    assert None not in tickets
    return tickets


def grow(limiter, clock, window):
    """Answer until so many may be in flight."""
    while limiter.window < window:
        tickets = take(limiter, limiter.window)
        clock.now += 1
        for ticket in tickets:
            limiter.accepted(ticket)


def test_as_many_tickets_as_the_window_has(clock):
    limiter = Limiter(clock=clock)
    assert limiter.ready_in_s() <= 0 and limiter.rate is None and limiter.paused_for_s == 0
    tickets = take(limiter, 4)
    assert [(ticket.sent_at, ticket.in_flight, ticket.number) for ticket in tickets] == [
        (1000, number, number - 1) for number in (1, 2, 3, 4)
    ]
    assert limiter.try_acquire() is None and limiter.ready_in_s() is None
    assert (limiter.in_flight, limiter.num_sent, limiter.num_waiting) == (4, 4, 0)
    limiter.abandoned(tickets[0])
    assert limiter.in_flight == 3 and limiter.window == 4, "nothing was learned"
    assert limiter.try_acquire().number == 4
    assert limiter.try_acquire() is None


def test_never_more_than_the_most(clock):
    limiter = Limiter(max_window=5, clock=clock, first_window=2)
    assert limiter.window == 2 and limiter.max_window == 5
    grow(limiter, clock, 5)
    for ticket in take(limiter, 5):
        limiter.accepted(ticket)
    assert limiter.window == 5
    limiter.max_window = 3
    assert limiter.window == 3 and limiter.max_window == 3


def test_answers_that_come_fast_need_few_threads(clock):
    limiter = Limiter(clock=clock)
    grow(limiter, clock, 100)
    assert limiter.useful_window == limiter.window >= 100
    for _ in range(200):
        (ticket,) = take(limiter, 1)
        clock.now += 0.01
        limiter.accepted(ticket)
    assert limiter.useful_window == 1 + 30
    assert Limiter(clock=clock).useful_window == 4


def test_how_long_answers_take_is_an_average_of_the_last(clock):
    limiter = Limiter(clock=clock, first_window=500)
    for seconds, useful in ((0.1, 1 + 300), (0.2, 1 + 330)):
        (ticket,) = take(limiter, 1)
        clock.now += seconds
        limiter.accepted(ticket)
        assert limiter.useful_window in (useful - 1, useful)


def test_the_pause_that_a_refusal_asks_for(clock):
    for asked, paused in ((None, 0), (0.25, 0), (0.3, 0.3), (10, 10)):
        limiter = Limiter(clock=clock)
        tickets = take(limiter, 4)
        limiter.rejected(tickets[3], asked)
        assert limiter.paused_for_s == pytest.approx(paused)
        assert limiter.num_rejected == 1
        if paused:
            assert limiter.try_acquire() is None and limiter.ready_in_s() == pytest.approx(paused)
            assert limiter.window == 4, "it is the rate"
        else:
            assert limiter.window == 3, "it is the number"


def test_after_a_pause_one_request_at_a_time_until_one_is_accepted(clock):
    limiter = Limiter(clock=clock)
    tickets = take(limiter, 4)
    limiter.rejected(tickets.pop(), 10)
    for ticket in tickets:
        limiter.abandoned(ticket)
    clock.now += 10.5
    (feeling,) = take(limiter, 1)
    clock.now += 5
    assert limiter.try_acquire() is None and limiter.ready_in_s() is None
    limiter.accepted(feeling)
    take(limiter, 1)
    assert limiter.ready_in_s() is not None


def test_refusals_of_requests_from_before_a_decrease_change_nothing_more(clock):
    limiter = Limiter(clock=clock)
    tickets = take(limiter, 4)
    clock.now += 1
    limiter.rejected(tickets[0], 10)
    rate = limiter.rate
    clock.now += 1
    limiter.rejected(tickets[1], 20)
    assert limiter.rate == rate
    assert limiter.paused_for_s == 20, "a longer pause is heeded all the same"


def test_a_server_that_fails_gets_half_but_never_less_than_two(clock):
    limiter = Limiter(clock=clock, first_window=16)
    for expected in (8, 4, 2, 2):
        tickets = take(limiter, limiter.window)
        clock.now += 1
        for ticket in tickets:
            limiter.overloaded(ticket)
        assert limiter.window == expected
    assert limiter.paused_for_s == 0
    (ticket,) = take(limiter, 1)
    limiter.overloaded(ticket, retry_after_s=7)
    assert limiter.paused_for_s == 7


def test_time_outs_leave_one_in_flight_in_the_end(clock):
    limiter = Limiter(clock=clock, first_window=16)
    limiter.note_timeout(60)
    limiter.note_timeout(90)
    for _ in range(6):
        tickets = take(limiter, limiter.window)
        clock.now += 60
        for ticket in tickets:
            limiter.timed_out(ticket)
    assert limiter.window == 1
    assert limiter._queue_bound.timeout_s == 60


def test_what_waits_in_the_queue_of_a_server_is_bounded(clock):
    limiter = Limiter(clock=clock, first_window=16)
    limiter.note_timeout(40)
    tickets = take(limiter, 16)
    clock.now += 1
    limiter.accepted(tickets[0])
    clock.now += 39
    limiter.accepted(tickets[15])
    assert 1 <= limiter.window < 16


def test_what_is_left_is_heeded(clock):
    limiter = Limiter(clock=clock)
    limiter.told("requests", Allowance(limit=100, remaining=0, reset_s=10))
    assert limiter.rate == 10
    assert limiter.try_acquire() is None and limiter.ready_in_s() == pytest.approx(0.1)
    clock.now += 0.2
    assert limiter.try_acquire() is not None
    clock.now += 10
    assert limiter.rate is None


def test_refusals_by_chance_pause_only_themselves(clock):
    limiter = Limiter(clock=clock)
    for number in range(1, 300):
        assert limiter.own_pause_s(5) == 0
        while (ticket := limiter.try_acquire()) is None:
            clock.now += 1
        clock.now += 1
        if number % 10:
            limiter.accepted(ticket)
        else:
            limiter.rejected(ticket)
        if limiter.own_pause_s(5):
            break
    assert limiter.own_pause_s(5) == 5
    assert limiter.rate is None and limiter.paused_for_s == 0, (
        "no pause and no rate is left of those that were taken for load"
    )


def test_numbers_for_people(clock):
    limiter = Limiter(clock=clock)
    with pytest.raises(ValueError), limiter.retrying():
        with limiter.retrying():
            assert limiter.num_retrying == 2
        assert limiter.num_retrying == 1
        raise ValueError
    assert limiter.num_retrying == 0
    for _ in range(2):
        limiter.note_failed_try("server")
    assert limiter.failed_tries == {"server": 2}


# --- waiting ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def waiting(monkeypatch):
    """Start threads that ask for a ticket and would sleep for minutes unless they are woken; what each of them got."""
    monkeypatch.setattr(module, "_WAIT_S", 600)
    got, threads = [], []

    def ask(limiter):
        try:
            got.append(limiter.acquire())
        except Exception as e:
            got.append(e)

    def start(limiter, number):
        for _ in range(number):
            thread = threading.Thread(target=ask, args=(limiter,), daemon=True)
            threads.append(thread)
            before = limiter.num_waiting
            thread.start()
            for _ in range(10_000):
                if limiter.num_waiting > before:
                    break
                threading.Event().wait(0.005)
            assert limiter.num_waiting == before + 1
        threading.Event().wait(0.05)  # they sleep now; else they look by themselves, and the test is easier to pass
        return got

    def join():
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), "nobody woke it"
        return got

    start.join = join
    return start


def test_a_ticket_that_comes_back_wakes_who_waits_and_that_one_the_next(waiting, clock):
    limiter = Limiter(clock=clock, first_window=2)
    tickets = take(limiter, 2)
    waiting(limiter, 2)
    for ticket in tickets:
        limiter.accepted(ticket)
    assert [ticket.number for ticket in sorted(waiting.join(), key=lambda ticket: ticket.number)] == [2, 3]
    assert limiter.num_waiting == 0


def test_a_stop_wakes_all(waiting, clock):
    limiter = Limiter(clock=clock, first_window=1)
    take(limiter, 1)
    waiting(limiter, 3)
    reason = ValueError("why")
    limiter.stop(reason)
    got = waiting.join()
    assert [type(error) for error in got] == [LimiterStopped] * 3
    assert {error.reason for error in got} == {reason} == {limiter.stop_reason} and str(got[0]) == "why"
    with pytest.raises(LimiterStopped):
        limiter.try_acquire()


def test_an_outage_that_is_given_up_wakes_all(waiting, clock):
    limiter = Limiter(clock=clock, first_window=1)
    (ticket,) = take(limiter, 1)
    waiting(limiter, 3)
    limiter.unreachable(ticket, "Nobody.", patience_s=0, max_probes=0)
    got = waiting.join()
    assert [str(error) for error in got] == ["Nobody."] * 3 and {type(error) for error in got} == {ServerGone}
    assert not limiter.is_waited_for
    with pytest.raises(ServerGone):
        limiter.try_acquire()
    clock.now += 1
    (probe,) = take(limiter, 1)  # looks whether it is back
    with pytest.raises(ServerGone):
        limiter.try_acquire()
    limiter.accepted(probe)
    assert limiter.is_waited_for and limiter.try_acquire() is not None


def test_a_deadline(clock):
    limiter = Limiter(clock=clock, first_window=1)
    (ticket,) = take(limiter, 1)
    assert limiter.acquire(deadline=clock.now) is None
    limiter.unreachable(ticket, "Nobody.", patience_s=100, max_probes=9)
    with pytest.raises(ServerGone, match="Nobody."):
        limiter.acquire(deadline=clock.now)
    assert limiter.num_waiting == 0


def test_who_waits_in_an_outage_is_asked_whether_it_still_wants_to(clock):
    limiter = Limiter(clock=clock, first_window=1)
    (ticket,) = take(limiter, 1)

    def check():
        raise ValueError("enough")

    assert limiter.acquire(deadline=clock.now, check=check) is None
    limiter.unreachable(ticket, "Nobody.", patience_s=100, max_probes=9)
    assert limiter.is_waited_for
    with pytest.raises(ValueError, match="enough"):
        limiter.acquire(check=check)
    assert limiter.num_waiting == 0


def test_in_an_outage_one_looks_at_a_time(clock):
    limiter = Limiter(clock=clock)
    tickets = take(limiter, 2)
    limiter.unreachable(tickets[0], "Nobody.", patience_s=100, max_probes=9)
    assert limiter.ready_in_s() is None, "one is still on its way"
    limiter.timed_out(tickets[1])
    assert limiter.ready_in_s() == 1 and limiter.try_acquire() is None
    clock.now += 1
    (probe,) = take(limiter, 1)
    assert limiter.try_acquire() is None
    limiter.abandoned(probe)
    assert limiter.try_acquire() is not None, "it brought no answer, and is over"


# --- saying -----------------------------------------------------------------------------------------------------------


def test_five_warnings_a_minute(clock):
    limiter = Limiter(clock=clock)
    assert [limiter.turn_to_warn() for _ in range(7)] == [0, 0, 0, 0, 0, None, None]
    clock.now += 59.5
    assert limiter.turn_to_warn() is None
    clock.now += 0.5
    assert [limiter.turn_to_warn() for _ in range(6)] == [3, 0, 0, 0, 0, None]


def test_warnings_that_are_far_apart_are_all_said(clock):
    limiter = Limiter(clock=clock)
    for _ in range(20):
        assert limiter.turn_to_warn() == 0
        clock.now += 13


def test_an_outage_is_said_with_the_name_of_the_endpoint(clock, said):
    for name in ("host", ""):
        limiter = Limiter(clock=clock, name=name)
        (ticket,) = take(limiter, 1)
        limiter.unreachable(ticket, "host: nobody.", patience_s=100, max_probes=9)
        clock.now += 1
        (probe,) = take(limiter, 1)
        clock.now += 1
        limiter.accepted(probe)
    assert said == [
        ("hwarn", "host: nobody. Waiting for it, for up to 15 s."),
        ("hprogress", "host: It answers again, after 2 s."),
    ]


def fail_until(limiter, clock, seconds):
    end = clock.now + seconds
    while clock.now < end:
        ticket = limiter.try_acquire()
        clock.now += 0.5
        if ticket is not None:
            limiter.overloaded(ticket)


def test_why_it_is_slow_is_said_after_a_while_and_once_a_minute(clock, said):
    limiter = Limiter(clock=clock, name="host")
    fail_until(limiter, clock, 10)
    assert said == []
    fail_until(limiter, clock, 10)
    why = "requests fail (HTTP status 5xx, or the connection breaks off); more is tried now and then."
    assert said == [("hwarn", f"host: It is slow (at most 2 in flight) because {why}")]
    fail_until(limiter, clock, 50)
    assert len(said) == 1
    fail_until(limiter, clock, 12)
    assert len(said) == 2


def test_a_slow_rate_is_said(clock, said):
    limiter = Limiter(clock=clock, name="host")
    (ticket,) = take(limiter, 1)
    limiter.told("requests", Allowance(limit=100, remaining=0, reset_s=100))
    limiter.rejected(ticket)
    clock.now += 14
    limiter.abandoned(take(limiter, 1)[0])
    assert said == []
    clock.now += 2
    limiter.abandoned(take(limiter, 1)[0])
    assert said == [
        (
            "hwarn",
            "host: It is slow (1 requests/s) because requests are refused (HTTP status 429); more is tried now and then.",
        )
    ]


def test_what_is_not_slow_needs_no_reason(clock, said):
    limiter = Limiter(max_window=2, clock=clock, name="host")  # the user wants no more than that
    fail_until(limiter, clock, 100)
    quick = Limiter(clock=clock, name="host")
    for _ in range(100):
        quick.abandoned(take(quick, 1)[0])
        clock.now += 1
    assert said == []


# --- all of them ------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_limiters():
    forget_limiters()
    yield
    forget_limiters()


def test_one_limiter_for_each_endpoint_and_key(no_limiters):
    first = get_limiter("host", "key")
    assert get_limiter("host", "key") is first
    others = [get_limiter("host", "other"), get_limiter("host"), get_limiter("else", "key")]
    assert len({id(limiter) for limiter in [first, *others]}) == 4
    assert all_limiters() == [("host", first), ("host", others[0]), ("host", others[1]), ("else", others[2])]
    assert first.max_window == 512
    set_max_in_flight(7)
    assert first.max_window == 7 and get_limiter("new").max_window == 7
    forget_limiters()
    assert all_limiters() == [] and get_limiter("host", "key").max_window == 512
