"""What failures are due to, the load or chance, one request at a time: the rules of `FailureJudge`."""

import random

import pytest

from helm.clients.pacing.failure_judge import Blame, FailureJudge


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


@pytest.mark.parametrize("answers, blame", [(198, Blame.NOT_LOAD), (199, Blame.LOAD)])
def test_vain_failures_count_among_the_last_two_hundred_requests(answers, blame):
    judged = Judged(least_share=0.01)
    for before in (10, 9):
        judged.answer(before)
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


def test_the_first_failure_is_load():
    judged = Judged()
    assert judged.judge.usual == 0
    assert judged.fail() is Blame.LOAD


def test_a_share_that_is_usual_follows_the_outcomes_of_four_hundred_requests():
    judged = Judged()
    judged.conclude()
    usual = judged.judge.usual
    judged.answer()
    assert judged.judge.usual == pytest.approx(usual * (1 - 1 / 400))
    usual = judged.judge.usual
    judged.fail()
    assert judged.judge.usual == pytest.approx(usual + (1 - usual) / 400)


def test_what_the_load_adds_does_not_become_usual_little_by_little():
    judged = Judged()
    judged.conclude()
    assert judged.judge.usual == pytest.approx(0.1)
    old = [judged.send() for _ in range(400)]
    judged.judge.changed()
    for number in old:
        judged.judge.failed(number, 8)
    assert judged.judge.usual == pytest.approx(1.5 * 0.1 + 0.02)


def test_outcomes_count_in_the_order_of_sending():
    judged = Judged()
    judged.conclude()
    usual = judged.judge.usual
    first, second = judged.send(), judged.send()
    judged.judge.answered(second, 8)
    assert judged.judge.usual == usual, "the first one is not back yet"
    judged.judge.failed(first, 8)
    assert judged.judge.usual == pytest.approx((usual + (1 - usual) / 400) * (1 - 1 / 400))


def test_one_that_takes_very_long_does_not_hold_up_the_others():
    judged = Judged()
    judged.conclude()
    usual = judged.judge.usual
    judged.send()
    judged.answer(800)
    assert judged.judge.usual == usual
    judged.answer(1)
    assert judged.judge.usual < usual / 2


@pytest.mark.parametrize("seed", range(5))
def test_clearly_more_is_what_four_deviations_and_two_do_not_explain_of_the_last_hundred(seed):
    judged, draws = Judged(), random.Random(seed)
    judged.conclude()
    judged.answer(120)
    outcomes, loads = [], 0
    start = judged.number + 1
    while loads < 5:
        outcomes.append(draws.random() < 0.3)
        if not outcomes[-1]:
            judged.answer()
            continue
        assert judged.number + 1 == start + len(outcomes) - 1
        before = judged.judge.usual
        blame = judged.fail(is_load_decreased=False)
        usual = min(before + (1 - before) / 400, 1)
        lately = outcomes[-100:]
        is_load = sum(lately) > 100 * usual + 4 * (100 * usual * (1 - usual)) ** 0.5 + 2
        assert blame is (Blame.LOAD if is_load else Blame.CHANCE)
        loads += is_load


def test_a_conclusion_is_on_trial_for_a_hundred_requests():
    seen = set()
    for answers in range(50, 100):
        judged = Judged()
        judged.conclude()
        end = judged.number + 1 + 100
        judged.answer(answers)
        while judged.fail(is_load_decreased=False) is Blame.CHANCE:
            pass
        assert (judged.judge.usual == 0) == (judged.number < end)
        seen.add(judged.number - end)
    assert {-1, 0} <= seen, "the last request of the trial and the first one after it are among them"


def test_every_wrong_conclusion_makes_the_next_one_harder_up_to_a_limit():
    judged, needed = Judged(), []
    for _ in range(5):
        needed.append(judged.conclude(answers_between=2) - 1)
        while judged.fail(is_load_decreased=False) is Blame.CHANCE:
            pass
        assert judged.judge.usual == 0
    assert needed[1:] == [8, 32, 64, 64]


def test_a_wrong_conclusion_raises_the_least_share_to_four_percent_at_the_most():
    judged = Judged(least_share=0.03)
    judged.conclude()
    while judged.fail(is_load_decreased=False) is Blame.CHANCE:
        pass
    assert Blame.NOT_LOAD in _blames(judged, 19, 40), "5% are enough"


def test_one_request_at_a_time_is_judged_too():
    judged = Judged()
    judged.in_flight = 1
    assert judged.conclude() == 3


def test_when_most_fail_it_is_load_however_long_that_stays():
    judged = Judged()
    judged.conclude()
    judged.answer(150)
    blames = []
    for _ in range(150):
        judged.answer(1)
        blames += [judged.fail(), judged.fail()]
    assert blames.count(Blame.LOAD) > 8 and Blame.NOT_LOAD not in blames


def test_one_that_was_sent_right_after_a_decrease_failed_in_vain():
    """Half of the requests, which is the least and the most here, so none may be missed."""
    judged = Judged(least_share=0.5)
    judged.in_flight, blames = 1, []
    judged.answer()
    assert judged.fail() is Blame.LOAD
    for _ in range(10):
        old = judged.send()
        judged.judge.changed()
        judged.judge.answered(old, 1)
        blames.append(judged.fail(is_load_decreased=False))
    assert blames == [Blame.LOAD] * 9 + [Blame.NOT_LOAD]


def test_two_in_flight_after_one_was_answered_are_more():
    judged = Judged()
    for _ in range(30):
        judged.in_flight = 1
        judged.answer(9)
        judged.in_flight = 2
        assert judged.fail() is Blame.LOAD


def _fade(judged):
    """Answer until no share is usual; the share at which it was forgotten."""
    while judged.judge.usual:
        last = judged.judge.usual
        judged.answer()
    return last * (1 - 1 / 400)


def test_a_share_is_forgotten_at_half_of_the_least_which_every_wrong_conclusion_doubles():
    judged, shares = Judged(least_share=0.01), []
    for _ in range(4):
        judged.conclude(answers_between=2)
        shares.append(_fade(judged))
        judged.conclude(answers_between=2)
        while judged.fail(is_load_decreased=False) is Blame.CHANCE:
            pass
    assert shares == [pytest.approx(least / 2, rel=1 / 200) for least in (0.01, 0.02, 0.04, 0.04)]


def test_after_a_share_was_forgotten_all_begins_anew():
    judged = Judged()
    assert judged.conclude() == 3
    _fade(judged)
    assert judged.conclude() == 3


def test_one_that_never_comes_back_is_taken_for_an_answer():
    judged = Judged()
    judged.conclude(answers_between=2)
    usual = judged.judge.usual
    judged.send()
    judged.answer(801)
    assert judged.judge.usual == pytest.approx(usual * (1 - 1 / 400) ** 802)


def _loads_until_concluded(judged, answers_between):
    loads = 0
    for _ in range(1000):
        judged.answer(answers_between)
        blame = judged.fail()
        loads += blame is Blame.LOAD
        if blame is Blame.NOT_LOAD:
            return loads
    return None


def _blames_until_load(judged, answers_between):
    blames = []
    while Blame.LOAD not in blames and len(blames) < 500:
        judged.answer(answers_between)
        blames.append(judged.fail())
    return blames


def test_what_was_in_vain_before_a_quiet_time_does_not_count():
    judged = Judged()
    judged.conclude()
    judged.answer(150)
    for _ in range(5):
        assert Blame.LOAD in _blames_until_load(judged, 2)
    judged.answer(300)
    assert judged.judge.usual > 0
    assert _loads_until_concluded(judged, 2) == 5


def _fail_until_clearly_more(judged, answers):
    judged.answer(answers)
    while (blame := judged.fail()) is Blame.CHANCE:
        pass
    return blame


def _vain_decreases(judged, answers):
    """Five times clearly more than usual, whose share is that of the first failure that is too many after `answers`."""
    judged.conclude(answers_between=29)
    judged.answer(150)
    judged.judge.changed()
    assert [_fail_until_clearly_more(judged, answers) for _ in range(5)] == [Blame.LOAD] * 5


@pytest.mark.parametrize("answers, last, blame", [
    (80, 18, Blame.NOT_LOAD), (80, 15, Blame.LOAD),  # 0.31 and 0.35 of the requests, after five times 0.16
    (26, 6, Blame.NOT_LOAD), (26, 5, Blame.LOAD),  # 0.5, which is the most, and more, after five times 0.26
])  # fmt: skip
def test_decreases_were_in_vain_if_the_share_did_not_double(answers, last, blame):
    judged = Judged(least_share=0.01)
    _vain_decreases(judged, answers)
    assert _fail_until_clearly_more(judged, last) is blame


def test_decreases_before_a_conclusion_say_nothing_about_the_next_one():
    judged = Judged(least_share=0.01)
    _vain_decreases(judged, 30)
    assert _fail_until_clearly_more(judged, 30) is Blame.NOT_LOAD
    assert _fail_until_clearly_more(judged, 101) is Blame.LOAD
