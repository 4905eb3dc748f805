"""How fast requests may be sent, one step at a time: the rules of `Pace`."""

import math

import pytest

from helm.clients.pacing.pace import Allowance, Pace


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
    assert late.rate(1000) == 5 and late.paused_until == 1000.25


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


def test_exactly_enough_to_send_is_enough():
    pace = Pace()
    pace.sent(0)
    pace.refused(0, is_sure=True)  # five a second
    for _ in range(20):
        pace.accepted(6, None)
    pace.grow(6)
    assert pace.rate(6) == 6.25
    pace.grow(12)
    assert pace.rate(12) == 6.25


@pytest.mark.parametrize(("sending_s", "is_sure", "growth"), [(2, False, 0.05), (60, True, 0.005), (59, True, 0.25)])
def test_what_a_sample_of_just_enough_seconds_is_worth(sending_s, is_sure, growth):
    """A rate that is known grows by little, any other one by a quarter."""
    pace = _held(16, sending_s, is_sure)
    rate = pace.rate(sending_s)
    _grow(pace, sending_s, 5.5, 32)
    assert pace.rate(sending_s + 6) == pytest.approx(rate * (1 + growth))


def test_only_the_last_minute_is_remembered():
    pace = _pace(600, 1)
    assert len(pace._accepted_at) == 61


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
