"""How many requests may be in flight, one step at a time: what each answer, refusal, failure or outage changes."""

import math

import pytest

from helm.clients.pacing.concurrency_window import ConcurrencyWindow
from helm.clients.pacing.outage import Outage
from helm.clients.pacing.queue_bound import QueueBound

# --- Outage -----------------------------------------------------------------------------------------------------------


def test_probes_for_a_server_that_went_away_become_rarer():
    outage = Outage()
    assert outage.is_waiting(0, patience_s=100, max_probes=0)
    assert outage.report(0, patience_s=100) is None
    intervals = []
    for now in (10, 20, 30, 40, 50, 60, 70):
        outage.unreachable(sent_at=now, now=now, cause="nobody")
        intervals.append(outage.probe_at(in_flight=0) - now)
    assert intervals == [1, 1.5, 2.25, 3.375, 5, 5, 5]
    assert outage.since == 10 and outage.num_probes == 7 and outage.cause == "nobody"
    assert outage.probe_at(in_flight=1) is None


def test_requests_that_were_sent_before_it_went_away_are_no_probes():
    outage = Outage()
    outage.unreachable(sent_at=9, now=10, cause="first")
    outage.unreachable(sent_at=9, now=11, cause="second")
    assert (outage.num_probes, outage.cause, outage.probe_at(0)) == (1, "first", 11)
    outage.unreachable(sent_at=10, now=12, cause="third")
    assert (outage.num_probes, outage.cause, outage.probe_at(0)) == (2, "third", 13.5)
    assert outage.answered(sent_at=9, now=13) is None
    assert outage.since == 10, "an answer to an earlier request does not show that it is back"
    outage.answered(sent_at=10, now=13)
    assert outage.since is None and outage.num_probes == 0


def test_each_outage_begins_anew():
    outage = Outage()
    for _ in range(3):
        outage.unreachable(10, 10, "nobody")
    outage.report(10, 100)
    assert outage.answered(10, 80) == "It answers again, after 70 s."
    assert outage.answered(10, 81) is None
    outage.unreachable(100, 100, "nobody")
    assert outage.probe_at(0) == 101
    assert outage.answered(100, 101) is None, "what was not said to be away is not said to be back"
    outage.unreachable(200, 200, "Nobody.")
    assert outage.report(200, 100) == "Nobody. Waiting for it, for up to 100 s."


def test_patience_is_short_for_an_address_where_nobody_ever_answered():
    unknown, known = Outage(), Outage()
    known.answered(0, 0)
    assert unknown.patience_s(600) == 15 and unknown.patience_s(3) == 3 and known.patience_s(600) == 600
    for outage, patience_s in ((unknown, 15), (known, 600)):
        outage.unreachable(100, 100, "nobody")
        assert outage.is_waiting(100 + patience_s - 0.5, 600, max_probes=1)
        assert not outage.is_waiting(100 + patience_s, 600, max_probes=1)
        assert not outage.is_waiting(101, 600, max_probes=1), "given up stays given up"
        assert outage.is_given_up and outage.report(100 + patience_s, 600) is None
        outage.answered(1000, 1000)
        assert not outage.is_given_up and outage.is_waiting(1000, 600, max_probes=1)


def test_only_an_unknown_address_has_its_probes_counted():
    unknown, known = Outage(), Outage()
    known.answered(0, 0)
    for outage in (unknown, known):
        for now in (1, 2, 3):
            assert not outage.is_given_up
            outage.unreachable(now, now, "nobody")
            outage.is_waiting(now, 600, max_probes=2)
    assert unknown.is_given_up and not known.is_given_up


def test_an_outage_is_reported_once_a_minute():
    outage = Outage()
    outage.answered(0, 0)
    outage.unreachable(0, 0, "Nobody.")
    assert outage.report(0, 300) == "Nobody. Waiting for it, for up to 5 min."
    assert outage.report(59.5, 300) is None
    assert outage.report(60, 119) == "Still waiting: no connection for 60 s, of at most 119 s."
    assert outage.report(119.5, 300) is None
    assert outage.report(120, 300) == "Still waiting: no connection for 2 min, of at most 5 min."


# --- ConcurrencyWindow ------------------------------------------------------------------------------------------------


def _accept(window, times, in_flight=None, sent_at=0.0, now=0.0, is_paced=False):
    for _ in range(times):
        window.accepted(window.size if in_flight is None else in_flight, sent_at, now, is_paced)


def test_a_window_grows_by_three_while_it_is_small_then_by_one():
    window, sizes = ConcurrencyWindow(4, 24), []
    for _ in range(14):
        sizes.append(window.size)
        _accept(window, 1)
    assert sizes == [4, 7, 10, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 24]
    assert ConcurrencyWindow(4, 2).size == 2 and ConcurrencyWindow(0, 8).size == 1


def test_a_window_grows_only_by_requests_that_made_use_of_it():
    window = ConcurrencyWindow(10, 100)
    _accept(window, 5, in_flight=4)
    assert window.size == 10
    _accept(window, 1, in_flight=5)
    assert window.size == 13


def test_a_refusal_leaves_one_less_than_were_in_flight():
    window = ConcurrencyWindow(20, 100)
    window.refused(12, sent_at=1, now=2)
    assert window.size == 11 and window.last_decrease == 2
    window.refused(9, sent_at=1, now=3)  # with the first one, of which the lowest counts
    assert window.size == 8
    window.refused(11, sent_at=1, now=4)
    assert window.size == 8
    few = ConcurrencyWindow(3, 100)
    few.refused(1, sent_at=1, now=2)
    assert few.size == 1


def test_a_refusal_of_what_was_sent_after_a_decrease_takes_a_fifth():
    window = ConcurrencyWindow(40, 100)
    window.refused(31, sent_at=0, now=10)
    window.refused(30, sent_at=10, now=11)
    assert window.size == 24 and window.last_decrease == 11
    window.refused(30, sent_at=11, now=12)
    assert window.size == 19
    for seconds, size in ((5, 16), (5.5, 19)):  # after five seconds it is a step upward that is refused
        window = _refused_window(20, now=10)
        window.refused(20, sent_at=10, now=10 + seconds)
        assert window.size == size


def test_after_a_refusal_an_answer_widens_a_window_by_a_fifth_up_to_what_was_accepted():
    window = ConcurrencyWindow(40, 100)
    window.refused(11, sent_at=0, now=10)
    window.refused(10, sent_at=10, now=11)
    assert window.size == 8
    _accept(window, 4, sent_at=11, now=12)
    assert window.size == 8
    _accept(window, 2, sent_at=11, now=12)
    assert window.size == 9
    _accept(window, 3, in_flight=4, sent_at=11, now=12)  # makes no use of it
    _accept(window, 3, sent_at=10, now=12)  # is older than the decrease
    assert window.size == 9
    _accept(window, 9, sent_at=12, now=12)
    assert window.size == 9, "nine were accepted at once before the second refusal, and no more"


def _refused_window(size=20, now=10.0, most=1000):
    window = ConcurrencyWindow(size + 5, most)
    window.refused(size + 1, sent_at=0, now=now)
    assert window.size == size
    return window


def test_a_window_that_found_its_limit_tries_one_more_after_enough_answers_and_seconds():
    window = _refused_window(20, now=10)
    _accept(window, 50, sent_at=11, now=15)  # too soon
    assert window.size == 20
    _accept(window, 1, sent_at=11, now=15.1)
    assert window.size == 21
    window = _refused_window(20, now=10)
    _accept(window, 19, sent_at=11, now=16)
    assert window.size == 20
    _accept(window, 1, sent_at=11, now=16)
    assert window.size == 21
    _accept(window, 20, sent_at=11, now=16)
    assert window.size == 21
    _accept(window, 1, sent_at=11, now=16)
    assert window.size == 23, "the second step is longer"
    small = _refused_window(4, now=10)
    _accept(small, 9, sent_at=11, now=16)
    assert small.size == 4
    for size in (5, 6, 7):
        _accept(small, 1, sent_at=11, now=16)
        assert small.size == size
        _accept(small, 9, sent_at=11, now=16)


def test_steps_upward_double_up_to_an_eighth_of_the_window():
    window, sizes = _refused_window(40, now=10, most=64), []
    for _ in range(100):
        _accept(window, 1, sent_at=11, now=16)
    for _ in range(900):
        _accept(window, 1, sent_at=11, now=16)
        if not sizes or sizes[-1] != window.size:
            sizes.append(window.size)
    assert sizes == [43, 47, 52, 58, 64]


def test_a_step_upward_that_is_refused_is_tried_again_ever_more_seldom():
    window, needed, now = _refused_window(10, now=10), [], 10.0
    for _ in range(5):
        now += 6
        for number in range(1, 2000):
            _accept(window, 1, sent_at=now, now=now)
            if window.size > 10:
                needed.append(number)
                break
        window.refused(11, sent_at=now, now=now)
        assert window.size == 10
    assert needed == [10, 40, 80, 160, 320]


def test_the_most_answers_that_are_waited_for():
    window, now = _refused_window(10, now=10), 10.0
    for _ in range(10):
        now += 6
        window.refused(11, sent_at=now, now=now)
    now += 6
    _accept(window, 639, sent_at=now, now=now)
    assert window.size == 10
    _accept(window, 1, sent_at=now, now=now)
    assert window.size == 11


def test_a_window_whose_pace_is_the_limit_follows_what_is_in_flight():
    window = _refused_window(10, now=10)
    _accept(window, 1, sent_at=11, now=11, is_paced=True)
    assert window.size == 11
    _accept(window, 1, in_flight=10, sent_at=11, now=11, is_paced=True)
    assert window.size == 11
    window.most = 11
    _accept(window, 1, in_flight=11, sent_at=11, now=11, is_paced=True)
    assert window.size == 11


def test_what_a_number_in_flight_explains():
    window = ConcurrencyWindow(100, 100)
    assert window.explains(2, sent_at=0, now=0)
    assert window.explains(1, sent_at=0, now=0) is False
    _accept(window, 1, in_flight=50)
    assert window.explains(40, sent_at=0, now=0)
    assert not window.explains(39, sent_at=0, now=0), "as many were answered"
    window.refused(81, sent_at=5, now=10)  # down to 80; 50 are proven
    assert window.explains(60, sent_at=9, now=11)
    assert window.explains(60, sent_at=10, now=11)
    for _ in range(2):
        window.refused(60, sent_at=10, now=10)
        assert window.explains(60, sent_at=10, now=11)
    window.refused(60, sent_at=10, now=10)
    assert not window.explains(60, sent_at=10, now=14.9), "three times refused below what was accepted: it is the rate"
    assert window.explains(60, sent_at=10, now=15)
    assert window.explains(60, sent_at=9, now=11)


def test_one_request_may_always_be_in_flight():
    for decrease in ("refused", "halve"):
        window = _refused_window(2, now=10)
        for _ in range(3):
            getattr(window, decrease)(2, sent_at=10, now=10)
        assert window.size == 1


def test_two_in_flight_right_after_a_decrease_explain_nothing():
    window = ConcurrencyWindow(4, 4)
    window.refused(3, sent_at=0, now=10)
    assert not window.explains(2, sent_at=10, now=11)
    assert window.explains(3, sent_at=10, now=11)
    assert window.explains(2, sent_at=10, now=15)


def test_only_what_was_sent_after_a_decrease_proves_a_number():
    window = ConcurrencyWindow(100, 100)
    window.refused(51, sent_at=0, now=10)
    _accept(window, 1, in_flight=50, sent_at=10, now=20)
    assert window.explains(30, sent_at=11, now=20)
    _accept(window, 1, in_flight=50, sent_at=10.5, now=20)
    assert not window.explains(30, sent_at=11, now=20)
    window.refused(31, sent_at=11, now=20)
    assert window.explains(30, sent_at=11, now=26), "no more is proven than the window is wide"


def test_refusals_below_what_was_accepted_are_forgotten_by_a_step_upward_after_a_minute():
    for wait_s, is_explained in ((60, False), (60.5, True)):
        window, end = _refused_window(10, now=100), 100 + wait_s
        for _ in range(3):
            window.refused(10, sent_at=100, now=100)
        _accept(window, 100, sent_at=100.5, now=101)
        assert not window.explains(20, sent_at=101, now=101)
        _accept(window, 100, sent_at=100.5, now=end)
        window.last_decrease = end
        for _ in range(2):
            window.refused(50, sent_at=end, now=end)
            assert window.explains(50, sent_at=end, now=end) is is_explained
        window.refused(50, sent_at=end, now=end)
        assert not window.explains(50, sent_at=end, now=end)


def test_a_server_that_fails_halves_a_window_once_for_all_in_flight_together():
    window = ConcurrencyWindow(40, 100)
    window.halve(40, sent_at=1, now=10)
    assert window.size == 20 and window.last_decrease == 10
    window.halve(40, sent_at=9, now=11)
    assert window.size == 20 and window.last_decrease == 10
    window.halve(20, sent_at=10, now=12, least=15)
    assert window.size == 15
    window.halve(15, sent_at=12, now=13, least=20)
    assert window.size == 15, "the least does not widen it"


def test_a_halved_window_comes_back_to_what_was_accepted():
    window = ConcurrencyWindow(40, 100)
    window.halve(31, sent_at=1, now=10)
    _accept(window, 60, sent_at=10, now=11)
    assert window.size == 30
    _accept(window, 20, sent_at=10, now=15)
    assert window.size == 30
    _accept(window, 1, sent_at=10, now=15.5)
    assert window.size == 31


def test_a_window_that_is_not_to_blame_is_what_it_was():
    window = ConcurrencyWindow(40, 100)
    window.refused(31, sent_at=0, now=10)
    window.refused(30, sent_at=10, now=11)
    assert window.size == 24
    window.is_not_to_blame(now=12)
    assert window.size == 40 and window.last_decrease == 12
    fresh = ConcurrencyWindow(10, 100)
    fresh.is_not_to_blame(now=1)
    _accept(fresh, 5, sent_at=2, now=2)
    assert fresh.size == 10, "a limit is known now: no doubling"
    _accept(fresh, 4, sent_at=2, now=7)
    assert fresh.size == 10
    _accept(fresh, 1, sent_at=2, now=7)
    assert fresh.size == 11, "the first step upward, after ten answers"


def test_a_window_that_is_opened_again_doubles_from_what_is_in_flight():
    for in_flight, first in ((1, 4), (10, 10), (100, 50)):
        window = ConcurrencyWindow(40, 50)
        for _ in range(4):
            window.refused(30, sent_at=10, now=10)
        window.reopen(in_flight)
        assert window.size == first
        _accept(window, 1, sent_at=11, now=11)
        assert window.size == min(first + 3, 50)
        assert window.explains(40, sent_at=10, now=11), "what was refused before is forgotten"


def test_a_window_that_is_opened_again_has_no_past():
    window, now = _refused_window(10, now=10), 20
    for _ in range(2):  # a step upward that is refused, so that the next one comes later
        window.refused(11, sent_at=now, now=now)
        now += 10
    window.reopen(10)
    window.refused(11, sent_at=now, now=now)
    for _ in range(2):
        window.refused(10, sent_at=now, now=now)
    assert window.explains(9, sent_at=now, now=now)
    window.refused(10, sent_at=now, now=now)
    assert not window.explains(9, sent_at=now, now=now), "three refusals below what was accepted"
    steps = _refused_window(10, now=0)
    steps.refused(11, sent_at=20, now=20)
    steps.reopen(10)
    steps.is_not_to_blame(now=20)
    _accept(steps, 9, in_flight=10, sent_at=30, now=30)
    before = steps.size
    _accept(steps, 1, in_flight=10, sent_at=30, now=30)
    assert steps.size == before + 1


# --- QueueBound -------------------------------------------------------------------------------------------------------


def test_without_a_timeout_only_the_gain_bounds_a_queue():
    bound = QueueBound()
    bound.answered(8, 100.0)
    assert bound.most == math.inf
    bound.timed_out(8)
    assert bound.most == math.inf


def test_the_queue_may_take_a_quarter_of_the_timeout():
    bound = QueueBound(timeout_s=40)
    bound.answered(4, 2.0)
    assert bound.most == pytest.approx(4 / 2 * (2 + 10))
    bound.answered(4, 4.0)  # on average 3 s; the level's 3 s may be too short by 1/sqrt(2), but not above the present
    assert bound.most == pytest.approx(4 / 3 * (3 + 10))


def test_an_answer_without_load_is_that_of_the_fastest_level():
    bound = QueueBound(timeout_s=40)
    for _ in range(4):
        bound.answered(1, 1.0)
    for _ in range(300):
        bound.answered(16, 10.0)
    assert bound.most == pytest.approx(16 / 10 * (1 * (1 + 1 / 2) + 10), rel=0.01)


def test_only_the_last_sixteen_answers_are_now():
    bound = QueueBound(timeout_s=40)
    for _ in range(100):
        bound.answered(4, 1.0)
    bound.answered(4, 17.0)  # 1/16 of 16 s more
    unloaded_s = (1 + 16 / 64) * (1 + 1 / math.sqrt(101))
    assert bound.most == pytest.approx(4 / 2 * (unloaded_s + 10))


def test_a_timeout_is_what_those_that_still_wait_will_take():
    bound = QueueBound(timeout_s=40)
    bound.answered(8, 20.0)
    assert bound.most == pytest.approx(8 / 20 * (20 + 10))
    bound.timed_out(8)
    assert bound.most == pytest.approx(8 / 40 * (40 + 10))
    bound.answered(8, 20.0)
    assert bound.most == pytest.approx(8 / 30 * (30 + 10)), "the timeout counts as one answer"
    few = QueueBound(timeout_s=40)
    few.timed_out(1)
    assert few.most == pytest.approx(1.25)
    _levels(few, (2, 1.0, 1), (1, 400.0, 64))
    assert few.most == 1, "one may always be in flight"
    few.timed_out(100)
    assert few.most == 1, "a timeout never allows more"


def _levels(bound, *answers):
    for in_flight, seconds, times in answers:
        for _ in range(times):
            bound.answered(in_flight, seconds)


def test_twice_as_many_that_bring_nothing_are_not_kept():
    bound = QueueBound()
    _levels(bound, (8, 1.0, 8), (16, 2.0, 7))
    assert bound.most == math.inf
    _levels(bound, (16, 2.0, 1))
    assert bound.most == 15
    gain = QueueBound()
    _levels(gain, (8, 1.0, 8), (16, 1.7, 8))  # 8/s and 9.4/s: each added one brings 0.18/s, of 1/s before
    assert gain.most == math.inf
    little = QueueBound()
    _levels(little, (8, 1.0, 8), (16, 1.9, 8))  # 8.4/s: each added one brings 0.05/s
    assert little.most == 15
    early = QueueBound()
    _levels(early, (8, 1.0, 7), (16, 2.0, 20))
    assert early.most == math.inf
    few = QueueBound()
    _levels(few, (2, 1.0, 8), (4, 2.0, 8))
    assert few.most == 4, "so many are always enough"
    not_beside = QueueBound()
    _levels(not_beside, (4, 1.0, 8), (16, 4.0, 8))
    assert not_beside.most == math.inf


def test_the_bound_is_lifted_for_another_look_after_ever_more_answers():
    bound, looks = QueueBound(), []
    _levels(bound, (8, 1.0, 8), (16, 2.0, 8))
    for _ in range(8):
        assert bound.most == 15
        number = 0
        while bound.most == 15:
            bound.answered(15, 1.0)
            number += 1
        looks.append(number)
        _levels(bound, (16, 2.0, 8))
    assert looks == [30, 60, 120, 240, 480, 960, 960, 960]


def test_patience_is_the_first_again_after_a_long_time_of_gain():
    bound = QueueBound()
    _levels(bound, (8, 1.0, 8), (16, 2.0, 8), (15, 1.0, 30))
    assert bound.most == math.inf
    _levels(bound, (15, 1.0, 8), (16, 1.0, 300))
    assert bound.most == math.inf
    while bound.most > 15:
        bound.answered(16, 1e4)
    number = 0
    while bound.most == 15:
        bound.answered(15, 1.0)
        number += 1
    assert number == 30
