"""The rules of a limiter's five parts, one step at a time: what each of them makes of one answer, refusal or failure."""

import math

import pytest

from helm.clients.concurrency_window import ConcurrencyWindow
from helm.clients.failure_judge import Blame, FailureJudge
from helm.clients.outage import Outage
from helm.clients.pace import Allowance, Pace
from helm.clients.queue_bound import QueueBound

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
        outage.unreachable(0, 0, "nobody")
    outage.report(0, 100)
    assert outage.answered(0, 70) == "It answers again, after 70 s."
    assert outage.answered(0, 71) is None
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
    _accept(small, 1, sent_at=11, now=16)
    assert small.size == 5


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
    assert not window.explains(1, sent_at=0, now=0)
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
        window = _refused_window(10, now=0)
        for _ in range(3):
            window.refused(10, sent_at=0, now=0)
        _accept(window, 100, sent_at=0.5, now=1)
        assert not window.explains(20, sent_at=1, now=1)
        _accept(window, 100, sent_at=0.5, now=wait_s)
        window.last_decrease = wait_s
        assert window.explains(50, sent_at=wait_s, now=wait_s) is is_explained


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


# --- Pace -------------------------------------------------------------------------------------------------------------


def _pace(seconds, per_second, start=0.0):
    """A pace without a limit at which so many were accepted in each second."""
    pace = Pace()
    for number in range(int(seconds * per_second) + 1):
        now = start + number / per_second
        pace.sent(now)
        pace.accepted(now, None)
    return pace


def test_nothing_holds_back_what_was_never_refused():
    pace = _pace(10, 8)
    assert pace.rate(10) is None and not pace.is_held and not pace.is_feeling
    assert pace.ready_at(10) == -math.inf


def test_after_a_minute_of_sending_a_refusal_leaves_the_rate_of_the_last_minute():
    pace = _pace(120, 16)
    pace.refused(120, is_sure=True)
    assert pace.rate(120) == pytest.approx(0.98 * 961 / 60)  # both ends of the minute count
    assert pace.is_held and pace.is_feeling
    assert pace.paused_until == 120.25 and pace.ready_at(120) == 120.25
    exactly = _pace(60, 16)
    exactly.refused(60, is_sure=True)
    assert exactly.rate(60) == pytest.approx(0.98 * 961 / 60)


def test_in_the_first_minute_a_refusal_leaves_the_rate_since_the_start_but_never_less_than_five():
    pace = _pace(10, 16)
    pace.refused(10, is_sure=True)
    assert pace.rate(10) == pytest.approx(0.98 * 161 / 10)
    slow = _pace(10, 2)
    slow.refused(10, is_sure=True)
    assert slow.rate(10) == 5
    first = Pace()
    first.sent(0)
    first.accepted(0, None)
    first.refused(0, is_sure=True)
    assert first.rate(0) == 5
    burst = Pace()
    for _ in range(100):
        burst.sent(1)
        burst.accepted(1, None)
    burst.refused(1.125, is_sure=True)
    assert burst.rate(2) == pytest.approx(0.98 * 100 / 0.25), "no shorter than the pause"
    late = Pace()
    late.refused(1000, is_sure=True)  # nothing was sent
    assert late.rate(1000) == 5


def test_a_slow_rate_is_what_it_is_after_a_minute():
    pace = _pace(120, 0.5)
    pace.refused(120, is_sure=True)
    assert pace.rate(120) == pytest.approx(0.98 * 31 / 60)
    assert pace.paused_until == pytest.approx(120 + 1 / (0.98 * 31 / 60)), "a pause is long enough for one request"
    nothing = Pace()
    nothing.sent(0)
    nothing.refused(100, is_sure=True)
    assert nothing.rate(100) == pytest.approx(0.98 / 60)
    assert nothing.paused_until == 105, "no pause is longer"


def test_pauses_double_until_one_is_accepted():
    pace, pauses, now = _pace(10, 16), [], 10.0
    for _ in range(7):
        pace.refused(now, is_sure=True)
        pauses.append(pace.paused_until - now)
        now = pace.paused_until
    assert pauses == [0.25, 0.5, 1, 2, 4, 5, 5]
    pace.accepted(now, None)
    assert not pace.is_feeling and pace.is_held
    pace.refused(now + 10, is_sure=True)
    assert pace.paused_until == now + 10.25


def test_a_pause_is_not_made_shorter():
    pace = _pace(10, 16)
    pace.pause(100, now=10)
    pace.refused(11, is_sure=True)
    assert pace.paused_until == 110 and pace.ready_at(11) == 110
    pace.pause(1, now=12)
    assert pace.paused_until == 110
    pace.pause(1e9, now=20)
    assert pace.paused_until == 20 + 3600


def test_a_rate_that_is_refused_again_at_once_is_a_third():
    pace = _pace(20, 16)
    pace.refused(20, is_sure=True)
    pace.accepted(20.5, None)
    pace.refused(21, is_sure=True)
    assert pace.rate(21) == 5
    fast = _pace(20, 128)
    fast.refused(20, is_sure=True)
    before = fast.rate(20)
    fast.accepted(20.5, None)
    fast.refused(21, is_sure=True)
    assert fast.rate(21) == pytest.approx(0.3 * before)
    later = _pace(20, 128)
    later.refused(20, is_sure=True)
    for number in range(512):
        later.accepted(20.5 + number / 512, None)
    later.refused(22, is_sure=True)
    assert later.rate(22) == pytest.approx(0.98 * 513 / 2), "two seconds are a sample"


def test_a_sample_is_as_long_as_the_time_since_the_last_refusal_after_which_something_was_accepted():
    pace = _pace(10, 64)
    pace.refused(10.25, is_sure=True)
    pace.refused(13, is_sure=True)  # nothing was accepted since: still the whole time counts
    assert pace.rate(13) == pytest.approx(0.98 * 641 / 13)
    for number in range(320):
        pace.accepted(14 + number / 64, None)
    pace.refused(20, is_sure=True)
    assert pace.rate(20) == pytest.approx(0.98 * 320 / (20 - 10.25))


def test_a_sure_refusal_never_leaves_less_than_half_of_what_was_accepted_in_a_minute():
    pace = _pace(30, 64)
    pace.sent(30)
    for now in (30, 31):
        pace.accepted(now, None)
        pace.refused(now, is_sure=True)
    for now in (31.5, 32, 32.5):
        pace.accepted(now, None)
        pace.refused(now + 0.25, is_sure=True)
    assert pace.rate(33) == pytest.approx(0.5 * (64 * 30 + 1 + 5) / 60)


def test_a_refusal_that_may_be_chance_leaves_the_rate_of_now():
    pace = _pace(100, 4)
    for number in range(64):
        pace.accepted(100 + number / 32, None)
    pace.refused(102, is_sure=False)
    assert pace.rate(102) == pytest.approx(0.98 * 65 / 2)
    early = _pace(1.5, 64)
    early.refused(1.5, is_sure=False)
    assert early.rate(1.5) == pytest.approx(0.98 * 97 / 1.5)
    exactly = _pace(2, 64)
    exactly.refused(2, is_sure=False)
    assert exactly.rate(2) == pytest.approx(0.98 * 129 / 2)
    silent = _pace(100, 4)
    silent.refused(150, is_sure=False)
    assert silent.rate(150) == pytest.approx(0.98 / 2)


def _held(rate, now, is_sure=True):
    """A pace that holds `rate` since `now`, of which it is sure for the last minute."""
    pace = _pace(now, rate)
    pace.refused(now, is_sure)
    return pace


def _grow(pace, start, seconds, per_second):
    for number in range(int(seconds * per_second)):
        now = start + number / per_second
        pace.accepted(now, None)
    pace.grow(start + seconds)


def test_a_rate_grows_every_five_seconds_when_it_is_used():
    pace = _held(16, 120)
    rate = pace.rate(120)
    _grow(pace, 120, 5, 16)
    assert pace.rate(125) == rate, "no more than five seconds have passed"
    pace.grow(125.01)
    assert pace.rate(126) == pytest.approx(rate * 1.005)
    rate = pace.rate(126)
    _grow(pace, 125.01, 5.01, 16)
    assert pace.rate(131) == pytest.approx(rate * (1 + 0.005 * 1.1)), "the longer nothing is refused, the more"
    rate = pace.rate(131)
    _grow(pace, 140, 5.01, 12)
    assert pace.rate(146) == rate, "there was not enough to send"
    never = _pace(20, 16)
    never.grow(30)
    assert never.rate(30) is None


def test_growth_has_its_limit():
    pace, now = _held(16, 120), 120.0
    growths = []
    for _ in range(60):
        before = pace.rate(now)
        for number in range(int(6 * before)):
            pace.accepted(now + number / before, None)
        now += 6
        pace.grow(now)
        growths.append(pace.rate(now) / before - 1)
        if pace.rate(now) > 500:
            break
    assert growths[0] == pytest.approx(0.005) and max(growths) <= 0.25 + 1e-9
    unsure = _held(16, 120, is_sure=False)
    rate = unsure.rate(120)
    _grow(unsure, 120, 5.01, 32)
    assert unsure.rate(126) == pytest.approx(rate * 1.05), "a rate that chance may have made grows soon"


def test_a_rate_below_one_that_was_known_comes_back_by_a_quarter():
    pace = _pace(3, 16)
    pace.refused(3, is_sure=False)
    known = pace.rate(3)
    pace.accepted(3.5, None)
    pace.refused(4, is_sure=True)
    now, rates = 4.0, [pace.rate(4)]
    for _ in range(7):
        _grow(pace, now, 5.5, 20)
        now += 5.5
        rates.append(pace.rate(now))
    assert rates == pytest.approx([5, 6.25, 7.8125, 9.765625, 12.20703125, 15.2587890625, known, known * 1.005])


def test_in_the_first_minute_no_rate_is_known_so_it_grows_by_a_quarter():
    pace = _pace(10, 16)
    pace.refused(10, is_sure=True)
    rate = pace.rate(10)
    _grow(pace, 10, 5.5, 16)
    assert pace.rate(16) == pytest.approx(1.25 * rate)


def test_slots_follow_each_other_at_the_rate():
    pace = _held(16, 120)
    rate, first = pace.rate(120), pace.ready_at(120)
    assert first == 120.25
    pace.sent(first)
    assert pace.ready_at(first) == pytest.approx(first + 1 / rate)
    pace.sent(first)
    assert pace.ready_at(first) == pytest.approx(first + 2 / rate)
    pace.sent(first + 10)
    assert pace.ready_at(first + 10) == pytest.approx(first + 10), "what was not used allows one more at once, no more"
    pace.sent(first + 10)
    assert pace.ready_at(first + 10) == pytest.approx(first + 10 + 1 / rate)


def test_a_pace_that_is_opened_again_knows_nothing():
    pace = _held(16, 120)
    pace.refused(120, is_sure=True)
    pace.reopen(120)
    assert pace.rate(120) is None and not pace.is_held and not pace.is_feeling
    assert pace.ready_at(120) == 120 and pace.paused_until == 120
    pace.refused(121, is_sure=True)
    assert pace.paused_until == 121.25
    assert pace.ready_at(121) == 121.25


def test_near_the_end_of_what_a_server_allows_requests_go_as_fast_as_it_is_refilled():
    pace = Pace()
    pace.told("requests", Allowance(limit=100, remaining=50, reset_s=30), in_flight=0, now=0)
    assert pace.rate(0) is None
    pace.told("requests", Allowance(limit=100, remaining=15, reset_s=30), in_flight=4, now=0)
    assert pace.rate(0) is None
    pace.told("requests", Allowance(limit=100, remaining=15, reset_s=30), in_flight=5, now=0)
    assert pace.rate(0) == pytest.approx(85 / 30) and pace.ready_at(0) == 0
    assert pace.rate(29.9) == pytest.approx(85 / 30) and pace.rate(30) is None
    pace.told("requests", Allowance(limit=100, remaining=90, reset_s=30), in_flight=0, now=1)
    assert pace.rate(1) is None
    pace.told("requests", Allowance(limit=100, remaining=0, reset_s=0), in_flight=0, now=1)
    assert pace.rate(1) is None, "all of it is back now"
    used_up = Pace()
    used_up.told("requests", Allowance(limit=100, remaining=0, reset_s=50), in_flight=0, now=10)
    assert used_up.ready_at(10) == pytest.approx(10.5)
    used_up.told("requests", Allowance(limit=100, remaining=0, reset_s=50), in_flight=0, now=11)
    assert used_up.ready_at(11) == pytest.approx(10.5), "it is waited once"
    last = Pace()
    last.told("requests", Allowance(limit=100, remaining=1, reset_s=50), in_flight=0, now=10)
    assert last.ready_at(10) == 10, "one is left"
    few = Pace()
    few.told("requests", Allowance(limit=4, remaining=2, reset_s=10), in_flight=0, now=0)
    assert few.rate(0) is None
    few.told("requests", Allowance(limit=4, remaining=2, reset_s=10), in_flight=1, now=0)
    assert few.rate(0) == pytest.approx(2 / 10)
    full = Pace()
    full.told("requests", Allowance(limit=100, remaining=100, reset_s=30), in_flight=100, now=0)
    assert full.rate(0) is None, "nothing is to be refilled"


def test_tokens_that_are_left_are_counted_in_requests():
    pace = Pace()
    pace.told("tokens", Allowance(limit=1000, remaining=0, reset_s=10), in_flight=0, now=0)
    assert pace.rate(0) is None, "it is not known how many tokens a request takes"
    pace.sent(0)
    pace.accepted(0, 100)
    pace.accepted(0, 200)
    pace.accepted(0, None)
    pace.told("tokens", Allowance(limit=1000, remaining=110, reset_s=10), in_flight=0, now=0)
    assert pace.rate(0) == pytest.approx(890 / 110 / 10)
    pace.told("tokens", Allowance(limit=10000, remaining=1101, reset_s=10), in_flight=0, now=0)
    assert pace.rate(0) is None
    pace.told("tokens", Allowance(limit=1000, remaining=0, reset_s=10), in_flight=0, now=0)
    pace.told("requests", Allowance(limit=60, remaining=0, reset_s=600), in_flight=0, now=0)
    assert pace.rate(0) == pytest.approx(0.1), "the lower one counts"


def test_the_lower_of_what_was_found_and_what_is_told():
    pace = _held(16, 120)
    own = pace.rate(120)
    pace.told("requests", Allowance(limit=1000, remaining=0, reset_s=10), in_flight=0, now=120)
    assert pace.rate(120) == own
    pace.told("requests", Allowance(limit=100, remaining=0, reset_s=10), in_flight=0, now=120)
    assert pace.rate(120) == pytest.approx(10)
    assert pace.rate(131) == own


# --- FailureJudge -----------------------------------------------------------------------------------------------------


class Judged:
    """A judge and requests that go to it one after the other, all of them with `in_flight` on their way."""

    def __init__(self, least_share=0.03):
        self.judge, self.number, self.in_flight = FailureJudge(least_share), -1, 8

    def send(self):
        self.judge.sent()
        self.number += 1
        return self.number

    def answer(self, times=1):
        for _ in range(times):
            self.judge.answered(self.send(), self.in_flight)

    def fail(self, is_load_decreased=True):
        blame = self.judge.failed(self.send(), self.in_flight)
        if blame is Blame.LOAD and is_load_decreased:
            self.judge.changed()
        return blame

    def conclude(self, answers_between=9):
        """Fail at a share until it is taken to be usual; returns how many failures that took."""
        for count in range(1, 1000):
            self.answer(answers_between)
            if self.fail() is Blame.NOT_LOAD:
                return count
        raise AssertionError("no share is usual")


def test_failures_whatever_the_load_are_chance():
    judged = Judged()
    judged.answer(10)
    assert judged.fail() is Blame.LOAD
    judged.answer(9)
    assert judged.fail() is Blame.LOAD, "one vain decrease is not enough"
    judged.answer(9)
    assert judged.fail() is Blame.NOT_LOAD
    assert judged.judge.usual == pytest.approx(2 / 20)
    judged.answer(9)
    assert judged.fail() is Blame.CHANCE


def test_a_share_means_something_after_twenty_requests():
    for answers, blame in ((6, Blame.LOAD), (7, Blame.NOT_LOAD)):
        judged = Judged()
        judged.answer(1)
        assert judged.fail() is Blame.LOAD
        for _ in range(2):
            judged.answer(5)
            assert judged.fail() is Blame.LOAD
        judged.answer(answers)
        assert judged.fail() is blame


def test_failures_while_nothing_is_answered_are_a_limit():
    judged = Judged()
    judged.answer(5)
    assert all(judged.fail() is Blame.LOAD for _ in range(200))


def test_a_failure_with_more_in_flight_than_were_answered_is_load():
    judged = Judged()
    for _ in range(30):
        judged.in_flight = 8
        judged.answer(9)
        judged.in_flight = 9
        assert judged.fail() is Blame.LOAD
    single = Judged()
    for _ in range(30):
        single.in_flight = 0
        single.answer(9)
        single.in_flight = 1
        assert single.fail() is Blame.LOAD, "what failed in another way is no answer"


def test_what_fails_rarely_or_mostly_is_not_usual():
    rare = Judged(least_share=0.03)
    assert all(rare_blame is Blame.LOAD for rare_blame in _blames(rare, 39, 20))
    enough = Judged(least_share=0.02)
    assert Blame.NOT_LOAD in _blames(enough, 39, 20)
    mostly = Judged()
    assert all(blame is Blame.LOAD for blame in _blames(mostly, 0, 50))
    half = Judged()
    assert Blame.NOT_LOAD in _blames(half, 1, 50)


def _blames(judged, answers_between, times):
    blames = []
    for _ in range(times):
        judged.answer(answers_between)
        blames.append(judged.fail())
    return blames


def test_clearly_more_than_usual_right_away_means_that_the_conclusion_was_wrong():
    judged = Judged()
    assert judged.conclude() == 3
    judged.answer(1)
    blames = _blames(judged, 0, 20)
    first_load = blames.index(Blame.LOAD)
    assert blames[:first_load] == [Blame.CHANCE] * first_load
    assert judged.judge.usual == 0
    assert judged.conclude() > 3, "the next conclusion needs more evidence"


def test_clearly_more_than_usual_later_is_load_while_the_share_stays():
    judged = Judged()
    judged.conclude()
    judged.answer(150)
    blames = _blames(judged, 0, 30)
    assert Blame.LOAD in blames
    assert judged.judge.usual > 0


def test_requests_older_than_a_decrease_are_chance():
    judged = Judged()
    judged.conclude()
    old = [judged.send() for _ in range(60)]
    judged.judge.changed()
    assert all(judged.judge.failed(number, 8) is Blame.CHANCE for number in old)


def test_a_share_that_fades_is_forgotten():
    judged = Judged()
    judged.conclude()
    usual = judged.judge.usual
    judged.answer(100)
    assert 0 < judged.judge.usual < usual
    judged.answer(2000)
    assert judged.judge.usual == 0
    assert judged.fail() is Blame.LOAD


def test_more_that_stays_in_vain_becomes_usual():
    judged = Judged()
    judged.conclude()
    judged.answer(150)
    seen = []
    for _ in range(200):
        judged.answer(2)
        seen.append(judged.fail())
        if seen[-1] is Blame.NOT_LOAD:
            break
    assert seen.count(Blame.LOAD) == 5 and seen[-1] is Blame.NOT_LOAD
    assert judged.judge.usual == pytest.approx(1 / 3, rel=0.3)
