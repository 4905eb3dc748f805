"""A ledger, one step at a time: what it counts, what it holds for requests on their way, and when nothing more may go."""

import threading
from datetime import date

import pytest

from helm.benchmark.price_registry import Price
from helm.common.budgets.charges import current_charge
from helm.common.budgets.spending import (
    Budget,
    BudgetExceeded,
    Ledger,
    Spent,
    describe_spent,
    expected_completion_tokens,
    get_ledger,
    start_ledger,
    use_ledger,
)
from helm.common.budgets.spending_file import InFlight, SpendingFile
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import GeneratedOutput, Request, RequestResult, Usage

MILLION = 1_000_000


def price(**more):
    """One dollar for a token of the prompt, ten for one of the completion."""
    return Price("d", input=MILLION, output=10 * MILLION, date=date(2026, 1, 1), source="-", **more)


def answer(prompt_tokens=None, completion_tokens=0, cached=False, **more):
    usage = None if prompt_tokens is None else Usage(prompt_tokens, completion_tokens)
    return RequestResult(success=True, cached=cached, completions=[], embedding=[], usage=usage, **more)


def failure(outcome, usage=None):
    return RequestResult(success=False, cached=False, completions=[], embedding=[], outcome=outcome, usage=usage)


def request(prompt_bytes=4, max_tokens=10):
    """May take `prompt_bytes` + 16 tokens of prompt."""
    return Request(model_deployment="d", prompt="x" * prompt_bytes, max_tokens=max_tokens)


def priced(max_cost=None, max_tokens=None, earlier=None, **more):
    return Ledger(Budget(max_cost, max_tokens), lambda deployment: price(**more), earlier=earlier)


def test_answers_failures_and_what_has_no_price_are_counted_apart():
    prices = {"d": price()}
    ledger = Ledger(get_price=prices.get)
    ledger.record("d", answer(3, 2))
    ledger.record("d", answer(3, 2, cached=True))
    ledger.record("d", answer())
    ledger.record("free", answer(5, 1))
    ledger.record("d", failure("refused", Usage(1, 0)))
    ledger.record("d", failure(None))
    spent = ledger.spent()
    assert (spent.requests, spent.cached, spent.unpriced_requests) == (3, 1, 2)
    assert (spent.prompt_tokens, spent.completion_tokens, spent.tokens) == (9, 3, 12)
    assert spent.cost == 3 + 20 + 1
    assert spent.outcomes == {"refused": 1, "unknown": 1}


def test_a_request_takes_the_room_of_the_most_that_it_may_cost_until_it_is_recorded():
    ledger = priced(max_cost=240)
    with ledger.paying(request()):
        assert ledger.take_room(is_sent=True) and ledger.take_room(is_sent=True), "it is held once"
        assert not ledger.hold(121, 0)
        assert ledger.hold(120, 0), "20 of the prompt and 100 of the completion are held, and 120 are left"
        ledger.let_go(120, 0)
        ledger.record("d", answer(5, 1))
        assert ledger.hold(225, 0), "15 are spent, and nothing is held"
        ledger.let_go(225, 0)
    assert ledger.spent().cost == 15


def test_a_request_that_fails_gives_its_room_back():
    ledger = priced(max_cost=240)
    with pytest.raises(ValueError), ledger.paying(request()):
        ledger.take_room(is_sent=True)
        raise ValueError
    assert ledger.hold(1, 0) and ledger.hold(239, 0)


def test_tokens_are_held_as_money_is():
    ledger = priced(max_tokens=60)
    with ledger.paying(request()):
        assert ledger.take_room(is_sent=True)  # 30 tokens
        assert not ledger.hold(0, 31)
        assert ledger.hold(0, 30)


def test_a_request_alone_goes_when_anything_is_left():
    for ledger, most in ((priced(max_cost=10), (10.5, 0)), (priced(max_tokens=10), (0, 11))):
        assert ledger.hold(*most)
        assert not ledger.hold(*most)
        ledger.let_go(*most)
        assert ledger.hold(*most)


def test_nothing_more_goes_when_the_budget_is_used_up():
    money, tokens = priced(max_cost=23), priced(max_tokens=5)
    for ledger in (money, tokens):
        ledger.check_used_up()
        ledger.record("d", answer(3, 1))
        ledger.check_used_up()
        ledger.record("d", answer(0, 1))
        with pytest.raises(BudgetExceeded):
            ledger.check_used_up()
        with pytest.raises(BudgetExceeded):
            ledger.hold(0, 0)
        with pytest.raises(BudgetExceeded):
            ledger.take_room()


def test_an_answer_without_counts_is_taken_for_the_most_if_it_was_sent():
    for is_sent, cost in ((True, 120), (False, 0)):
        ledger = priced(max_cost=1000)
        with ledger.paying(request()):
            ledger.take_room(is_sent=is_sent)
            ledger.record("d", answer())
        spent = ledger.spent()
        assert (spent.cost, spent.tokens, spent.unpriced_requests) == (cost, 30 if is_sent else 0, 1)
        assert ledger.hold(1, 0) and ledger.hold(1000 - cost - 1, 0)


def test_an_answer_from_the_cache_costs_nothing():
    ledger = priced(max_cost=1000)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        ledger.record("d", answer(5, 5, cached=True))
    assert (ledger.spent().cost, ledger.spent().tokens) == (0, 0)
    assert ledger.hold(1000, 0)


def test_a_failed_try_counts_what_the_provider_counts():
    ledger = priced(max_cost=1000)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        ledger.note_failed_try(Usage(3, 1))
        assert ledger.hold(987, 0), "13 are spent, and nothing is held"
        ledger.let_go(987, 0)
        ledger.note_failed_try(None)
        assert ledger.take_room(is_sent=True)
        assert not ledger.hold(868, 0)
        ledger.note_failed_try(None)
    assert ledger.spent().cost == 13
    ledger.note_failed_try(Usage(3, 1))  # of no request
    assert ledger.spent().cost == 13


@pytest.mark.parametrize(
    ("usage", "correction"),
    [((20, 10), 1), ((10, 5), 1), ((40, 10), 50 / 30), ((20, 22), 2), ((60, 30), 3), ((60, 0), 2)],
)
def test_what_was_more_than_the_most_corrects_the_next(usage, correction):
    ledger = priced(max_cost=10_000)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        ledger.record("d", answer(*usage))
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        assert current_charge().tokens == (round(20 * correction), round(10 * correction))


def test_corrections_multiply():
    ledger = priced(max_cost=10_000)
    for tokens in ((40, 20), (80, 40)):
        with ledger.paying(request()):
            ledger.take_room(is_sent=True)
            ledger.record("d", answer(*tokens))
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        assert current_charge().tokens == (80, 40)


def test_the_dearest_tokens_of_a_prompt_count():
    for cache_write, cost in ((None, 120), (500_000, 120), (2 * MILLION, 140)):
        ledger = priced(max_cost=1000, cache_write=cache_write)
        with ledger.paying(request()):
            ledger.take_room()
            assert current_charge().cost == cost


def test_a_prompt_beyond_the_range_of_its_price_is_the_last():
    ledger = priced(max_cost=10_000, up_to_prompt_tokens=100)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        ledger.record("d", answer(100, 1))
        ledger.take_room(is_sent=True)
        ledger.record("d", answer(101, 1))
        assert ledger.spent().cost == 110 + 111
        with pytest.raises(ConfigError, match="had 101 tokens, and its price is known for up to 100 only"):
            ledger.take_room(is_sent=True)
    unlimited = priced(up_to_prompt_tokens=100)
    unlimited.record("d", answer(101, 1))
    assert (unlimited.spent().cost, unlimited.spent().unpriced_requests) == (0, 1)


def test_money_is_not_limited_without_a_price():
    ledger = Ledger(Budget(max_cost=10))
    with ledger.paying(request()):
        assert ledger.take_room(is_sent=False), "nobody is paid"
    with ledger.paying(request()), pytest.raises(ConfigError, match="no price is known for 'd'"):
        ledger.take_room(is_sent=True)
    tokens = Ledger(Budget(max_tokens=100))
    with tokens.paying(request()):
        assert tokens.take_room(is_sent=True)
        assert not tokens.hold(0, 71) and tokens.hold(0, 70)


def test_without_a_limit_only_time_ends_it():
    now = [100.0]
    ledger = Ledger(Budget(max_seconds=10), clock=lambda: now[0])
    for seconds in (0, 9.5):
        now[0] = 100 + seconds
        ledger.check_time()
        assert ledger.take_room()
    now[0] = 110.0
    for ask in (ledger.check_time, ledger.take_room, ledger.check_used_up, ledger.wait_for_room):
        with pytest.raises(BudgetExceeded, match="10 s have passed; --max-time is 10 s"):
            ask()
    Ledger(clock=lambda: now[0]).check_time()
    assert ledger.spent().seconds == 10


def test_what_was_spent_elsewhere_is_added():
    now = [100.0]
    ledger = Ledger(get_price=lambda deployment: price(), clock=lambda: now[0])
    ledger.record("d", answer(1, 1))
    ledger.record("d", failure("server"))
    ledger.add(Spent(5, 6, 7, 8, 9.0, 10, {"server": 2, "auth": 1}, 30.0))
    ledger.add(Spent(0, 0, 0, 0, 0.0, 0, {}, 20.0))
    now[0] = 101.0
    assert ledger.spent() == Spent(6, 6, 8, 9, 20.0, 10, {"server": 3, "auth": 1}, 31.0)


def test_a_batch_must_fit_beside_all_that_is_held():
    ledger = priced(max_cost=100, max_tokens=1000)
    ledger.record("d", answer(10, 1))
    assert ledger.hold(30, 300)
    ledger.check_room(50, 689)
    with pytest.raises(BudgetExceeded, match=r"roughly \$100.5000, and --max-cost is 100"):
        ledger.check_room(50.5, 0)
    with pytest.raises(BudgetExceeded, match="roughly 1,001, and --max-tokens-total is 1,000"):
        ledger.check_room(0, 690)
    ledger.reserve("batch", 30, 0)
    with pytest.raises(BudgetExceeded):
        ledger.check_room(21, 0)
    ledger.check_room(20, 0)


def test_the_figures_of_an_error_are_those_of_now():
    ledger = priced(max_cost=10)
    old = BudgetExceeded("old")
    assert ledger.reason(old) is old
    ledger.record("d", answer(10, 1))
    assert str(ledger.reason(old)).startswith("$20.0000 are spent, and --max-cost is 10.")


def test_a_file_counts_what_other_ledgers_spend_and_hold(tmp_path):
    path = str(tmp_path / "spent")
    one, other = (priced(max_cost=200, earlier=SpendingFile(path)) for _ in range(2))
    with one.paying(request()):
        one.take_room(is_sent=True)  # 120
        assert not other.hold(81, 0)
        assert other.hold(80, 0)
        other.let_go(80, 0)
        with pytest.raises(BudgetExceeded):
            other.check_room(81, 0)
        other.check_room(80, 0)
        one.record("d", answer(10, 1))
    assert one.all_spent() == other.all_spent() == (20, 11)
    assert other.hold(180, 0)
    other.let_go(180, 0)
    other.note(Spent(1, 0, 100, 7, 180.0, 0, {}, 0.0))
    with pytest.raises(BudgetExceeded, match="by other processes"):
        one.check_used_up()
    assert other.spent().cost == 0
    one.file.close(remove=False)
    other.file.close(remove=True)


def test_what_a_batch_will_take_is_held_for_all(tmp_path):
    path = str(tmp_path / "spent")
    one, other = (priced(max_cost=200, earlier=SpendingFile(path)) for _ in range(2))
    one.reserve("batch", 150, 10)
    assert other.hold(50, 0), "beside the batch"
    other.let_go(50, 0)
    assert other.file.others_in_flight().cost == 150
    one.release("batch")
    one.release("batch")
    other.check_room(200, 0)
    unlimited = Ledger(earlier=SpendingFile(path))
    unlimited.reserve("batch", 1e6, 1)
    unlimited.record("d", answer(0, 0))
    other.check_room(200, 0)


def test_totals_of_a_file(tmp_path):
    path = str(tmp_path / "spent")
    one = SpendingFile(path)
    one.add(3, 4, 0.5)
    one.add(1, 0, 0.25, InFlight(7.0, 8, 9))
    assert (one.tokens, one.cost) == (8, 0.75) and one.others_in_flight() == InFlight()
    other = SpendingFile(path)
    assert (other.tokens, other.cost) == (8, 0.75) and other.others_in_flight() == InFlight(7.0, 8, 9)
    one.add(0, 0, 0.0)
    with other.deciding():
        assert other.others_in_flight() == InFlight()
    with open(path, "a") as file:
        file.write('[1, 2, 3.5]\n[1, 2\n{"a": 1}\n[1, 2, "x"]\n[' + "[" * 5000 + "\n[5")
    other.refresh()
    assert (other.tokens, other.cost) == (11, 4.25)
    with open(path, "a") as file:
        file.write(", 6, 1.0]\n")
    other.refresh()
    assert (other.tokens, other.cost) == (22, 5.25)


def test_what_a_dead_process_had_in_flight_is_forgotten_when_room_is_short(tmp_path):
    path = str(tmp_path / "spent")
    with open(path, "w") as file:
        file.write("[0, 0, 1.0, 12345, 150.0, 10, 1]\n")
    ledger = priced(max_cost=200, earlier=SpendingFile(path))
    assert ledger.file.others_in_flight() == InFlight(150.0, 10, 1)
    assert ledger.hold(180, 0)
    assert ledger.file.others_in_flight() == InFlight()


def test_how_it_is_said():
    assert expected_completion_tokens(16) == 16 and expected_completion_tokens(17) == 4.25
    assert describe_spent(Spent(0, 0, 0, 0, 0.0, 0, {}, 0.0)) == "0 requests (0 from the cache)"
    spent = Spent(1200, 4, 5, 6000, 3.41, 0, {"server": 2, "auth": 1}, 0.0)
    assert describe_spent(spent) == (
        "1,204 requests (4 from the cache), 5 + 6,000 tokens, $3.4100; failed: 1 auth, 2 server"
    )


def test_the_ledger_of_the_command():
    before = get_ledger()
    try:
        mine = start_ledger(Budget(max_tokens=1), lambda deployment: None)
        assert get_ledger() is mine is not before and mine.budget.max_tokens == 1
    finally:
        use_ledger(before)
    assert get_ledger() is before


def test_looks_for_room_are_rarer_where_many_threads_look(monkeypatch):
    ledger, waits = priced(max_cost=1), []
    monkeypatch.setattr(ledger._changed, "wait", waits.append)
    ledger.wait_for_room()
    ledger.wait_for_room()
    ledger._num_waiting = 99
    ledger.wait_for_room()
    assert waits == [0.05, 0.05, 1.0] and ledger._num_waiting == 99


def test_ctrl_c_ends_the_wait_for_room(monkeypatch):
    monkeypatch.setattr("helm.common.concurrency.is_stop_requested", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        priced(max_cost=1).wait_for_room()


@pytest.mark.parametrize("give_back", ["let_go", "record", "release"])
def test_who_waits_for_room_is_woken(give_back, monkeypatch):
    """The wait would take minutes otherwise."""
    monkeypatch.setattr("helm.common.budgets.spending._LOOK_S", 600)
    monkeypatch.setattr("helm.common.budgets.spending._LONGEST_LOOK_S", 600)
    ledger, got = priced(max_cost=200), []

    def wait():
        while not ledger.hold(100, 0):
            ledger.wait_for_room()
        got.append(True)

    with ledger.paying(request()):
        if give_back == "record":
            ledger.take_room(is_sent=True)
        elif give_back == "let_go":
            ledger.hold(120, 0)
        else:
            ledger.hold(1, 0)
            ledger.reserve("batch", 120, 0)
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        while not ledger._num_waiting:
            threading.Event().wait(0.005)
        if give_back == "record":
            ledger.record("d", answer(1, 0))
        elif give_back == "let_go":
            ledger.let_go(120, 0)
        else:
            ledger.release("batch")
        thread.join(60)
    assert got == [True]


def test_who_waits_is_woken_when_the_budget_is_used_up(monkeypatch):
    monkeypatch.setattr("helm.common.budgets.spending._LOOK_S", 600)
    monkeypatch.setattr("helm.common.budgets.spending._LONGEST_LOOK_S", 600)
    ledger, got = priced(max_cost=200), []

    def wait():
        try:
            while not ledger.hold(150, 0):
                ledger.wait_for_room()
        except BudgetExceeded as e:
            got.append(str(e))

    ledger.hold(100, 0)
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    while not ledger._num_waiting:
        threading.Event().wait(0.005)
    ledger.record("d", answer(100, 10))
    with pytest.raises(BudgetExceeded):
        ledger.check_used_up()
    thread.join(60)
    assert got == ["$200.0000 are spent, and --max-cost is 200."]


def test_of_two_requests_on_their_way_one_gives_back_its_own_room():
    ledger = priced(max_cost=100, max_tokens=1000)
    assert ledger.hold(30, 300) and ledger.hold(50, 500)
    ledger.let_go(30, 300)
    assert not ledger.hold(50.5, 0) and not ledger.hold(0, 501)
    assert ledger.hold(50, 500)
    ledger.let_go(50, 500)
    ledger.let_go(50, 500)
    assert ledger._in_flight == InFlight()


def test_what_a_request_gives_back_is_told():
    """The hub of a cluster passes it on."""
    ledger = priced(max_cost=1000)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        assert ledger._settle(current_charge()) == InFlight(120.0, 30, 1)
        assert ledger._settle(None, Usage(1, 0), 1.0) is None and ledger._settle(None) is None


def test_a_run_is_told_what_it_pays(monkeypatch):
    paid = []
    monkeypatch.setattr("helm.common.telemetry.progress.RunProgress.pay", lambda self, cost: paid.append(cost))
    ledger = Ledger(get_price={"d": price()}.get)
    ledger.record("d", answer(1, 1))
    ledger.record("free", answer(1, 1))
    ledger.record("d", answer(1, 1, cached=True))
    ledger.record("d", answer())
    assert paid == [11, None]


def test_what_has_no_price_is_written_with_its_tokens(tmp_path):
    file = SpendingFile(str(tmp_path / "spent"))
    ledger = Ledger(Budget(max_tokens=100), earlier=file)
    ledger.record("d", answer(3, 4))
    assert (file.tokens, file.cost) == (7, 0)


def test_a_check_waits_until_there_is_room(monkeypatch):
    ledger, waits = priced(max_cost=200), []

    def wait():
        waits.append(True)
        if len(waits) == 3:
            ledger.let_go(100, 0)

    monkeypatch.setattr(ledger, "wait_for_room", wait)
    ledger.hold(100, 0)
    with ledger.paying(request()):
        ledger.check()
        assert len(waits) == 3 and current_charge().is_held and not current_charge().is_sent
    ledger.check()  # of no request
    assert ledger.take_room() is True and len(waits) == 3


def test_room_is_there_or_not():
    ledger = priced(max_cost=200)
    assert ledger.hold(100, 0) is True
    with ledger.paying(request()):
        assert ledger.take_room() is False and not current_charge().is_held
    ledger.let_go(100, 0)
    with ledger.paying(request()):
        assert ledger.take_room() is True and ledger.take_room() is True
    assert Ledger().take_room() is True


@pytest.mark.parametrize(
    ("batch_share", "own_share", "cost"), [(None, None, 30), (0.5, None, 15), (0.5, 0.1, 3), (None, 0.1, 30)]
)
def test_what_a_request_of_a_batch_costs(batch_share, own_share, cost):
    ledger = priced(batch_share=own_share)
    assert ledger.cost("d", 10, 2, batch_share) == pytest.approx(cost)
    assert Ledger().cost("d", 10, 2, batch_share) is None


def test_tokens_that_a_provider_remembers_or_has_seen():
    ledger = priced(cached_input=100_000, cache_write=2 * MILLION)
    for usage, cost in (
        (Usage(10, 0), 10),
        (Usage(10, 0, cached_prompt_tokens=4), 6.4),
        (Usage(10, 0, cached_prompt_tokens=40), 1),
        (Usage(10, 0, cache_write_tokens=3), 13),
        (Usage(10, 0, cached_prompt_tokens=4, cache_write_tokens=40), 12.4),
    ):
        before = ledger.spent().cost
        ledger.record("d", RequestResult(success=True, cached=False, completions=[], embedding=[], usage=usage))
        assert ledger.spent().cost - before == pytest.approx(cost)


def test_what_is_only_held_is_not_spent(tmp_path):
    path = str(tmp_path / "spent")
    ledger = priced(max_cost=200, max_tokens=1000, earlier=SpendingFile(path))
    for step in (
        lambda: ledger.hold(100, 50),
        lambda: ledger.reserve("batch", 10, 5),
        lambda: ledger.release("batch"),
        lambda: ledger.let_go(100, 50),
    ):
        step()
        assert ledger.all_spent() == (0, 0)
        file = SpendingFile(path)
        assert (file.tokens, file.cost) == (0, 0)
    assert file.others_in_flight() == InFlight()


def test_a_file_holds_no_lines_that_say_nothing(tmp_path):
    path = tmp_path / "spent"
    unlimited = Ledger(earlier=SpendingFile(str(path)))
    unlimited.reserve("batch", 1.0, 1)
    unlimited.release("batch")
    priced(max_cost=1, earlier=SpendingFile(str(path))).release("batch")
    assert path.read_bytes() == b""


def test_others_are_named_only_if_they_have_spent_something(tmp_path):
    path = str(tmp_path / "spent")
    one, other = (priced(max_tokens=10, earlier=SpendingFile(path)) for _ in range(2))
    one.record("d", answer(4, 6))
    with pytest.raises(BudgetExceeded, match="^10 tokens are used, and --max-tokens-total is 10.$"):
        one.check_used_up()
    other.record("d", answer(0, 1))
    with pytest.raises(BudgetExceeded, match=r"^11 tokens are used \(some of it by other processes"):
        one.check_used_up()


def test_room_that_is_left_wakes_the_next_one(monkeypatch):
    monkeypatch.setattr("helm.common.budgets.spending._LOOK_S", 600)
    monkeypatch.setattr("helm.common.budgets.spending._LONGEST_LOOK_S", 600)
    ledger, got = priced(max_cost=200), []

    def wait():
        while not ledger.hold(50, 0):
            ledger.wait_for_room()
        got.append(True)

    ledger.hold(200, 0)
    threads = [threading.Thread(target=wait, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    while ledger._num_waiting < 3:
        threading.Event().wait(0.005)
    ledger.let_go(200, 0)
    for thread in threads:
        thread.join(60)
    assert got == [True] * 3


def test_a_cheap_price_is_not_rounded_up():
    ledger = Ledger(Budget(max_cost=1), lambda d: Price(d, input=0.25, output=0.5, date=date(2026, 1, 1), source="-"))
    with ledger.paying(request()):
        ledger.take_room()
        assert current_charge().cost == pytest.approx((20 * 0.25 + 10 * 0.5) / MILLION)


def test_without_counts_of_it_nothing_was_remembered():
    ledger = priced(cached_input=100_000, cache_write=2 * MILLION)
    assert ledger.cost("d", 10, 2) == 30


def test_the_share_of_a_batch_counts_when_its_answer_is_recorded():
    ledger = priced(max_cost=1000)
    with ledger.paying(request()):
        current_charge().batch_share = 0.5
        ledger.record("d", answer(10, 2))
    ledger.record("d", answer(10, 2))
    assert ledger.spent().cost == 15 + 30


def test_a_failure_without_counts_costs_nothing():
    ledger = priced(max_cost=1000)
    with ledger.paying(request()):
        ledger.take_room(is_sent=True)
        ledger.record("d", failure("server"))
        assert not current_charge().is_held
    assert (ledger.spent().cost, ledger.spent().tokens) == (0, 0)


def test_who_has_no_price_is_told_how_to_give_one():
    ledger = Ledger(Budget(max_cost=10))
    with ledger.paying(request()), pytest.raises(ConfigError, match="Give it with --price d=IN,OUT"):
        ledger.take_room(is_sent=True)


def picture_request(number):
    return Request(model_deployment="d", prompt="", max_tokens=0, num_completions=number)


def pictures(number, refused=0, usage=None, cached=False):
    """A result with pictures at addresses, and refusals."""
    made = MultimediaObject([MediaObject("image/png", location="https://x.example/a.png")])
    contents = [made] * number + [MultimediaObject()] * refused
    completions = [GeneratedOutput("", 0, [], multimodal_content=content) for content in contents]
    return RequestResult(success=True, cached=cached, completions=completions, embedding=[], usage=usage)


def test_pictures_have_a_price_of_their_own():
    ledger = Ledger(Budget(), lambda deployment: Price("d", 1, 10, date(2026, 1, 1), "-", image=0.25))
    assert ledger.record("d", pictures(3)) == 0.75
    assert ledger.record("d", pictures(1, refused=1, usage=Usage(0, 100_000))) == 0.25 + 1
    assert ledger.record("d", pictures(0, refused=2)) is None
    assert ledger.record("d", pictures(2, cached=True)) is None
    spent = ledger.spent()
    assert spent.cost == 2.0 and spent.requests == 3 and spent.cached == 1


def test_a_budget_holds_room_for_pictures():
    ledger = Ledger(Budget(max_cost=1.2), lambda deployment: Price("d", 0, 0, date(2026, 1, 1), "-", image=0.5))
    with ledger.paying(picture_request(2)):
        assert ledger.take_room(is_sent=True) and current_charge().cost == 1.0
        ledger.record("d", pictures(2))
    with ledger.paying(picture_request(1)):  # alone, a request may exceed the budget
        assert ledger.take_room(is_sent=True)
        ledger.record("d", pictures(1))
    with ledger.paying(picture_request(1)), pytest.raises(BudgetExceeded):
        ledger.take_room(is_sent=True)
