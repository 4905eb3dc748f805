"""What the journal of a run gives back is exactly what was recorded, whole lines only."""

import errno
import os
import re
import threading
import time
import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import pytest

from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.executing import request_journal
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import JOURNAL_FILE_NAME, RequestJournal, result_type
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.codec import dump_json
from helm.common.errors import HelmError
from helm.common.evaluate_request import EvaluateRequest, EvaluateResult
from helm.common.request import ErrorFlags, GeneratedOutput, Request, RequestResult, Thinking, Token
from helm.common.sending import Deferred
from helm.common.telemetry.progress import RunProgress, counting


def is_open(path) -> bool:
    """Whether this process holds the file open, also one that is deleted."""
    for number in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith(str(path)):
                return True
        except OSError:  # closed in between
            pass
    return False


def make_states(count: int = 5, prompt: str = "p{}"):
    instances = [Instance(Input(str(i)), [], split="test", id=f"id{i}") for i in range(count)]
    return [new_request_state(x, Request(prompt=prompt.format(i))) for i, x in enumerate(instances)]


def result(text: str, logprob: float = 0) -> RequestResult:
    token = Token(text=text, logprob=logprob)
    output = GeneratedOutput(text, logprob, [token], {"reason": "stop", "x": None}, thinking=Thinking("é\u2028\n"))
    return RequestResult(True, [], [output], False, 0.25, 1700000000)


RESULTS = [
    result("plain"),
    result("float", 0.0),
    result("tiny", -1e-300),
    RequestResult(True, [], [GeneratedOutput("infinite", -1.5, [Token("x", -1.5), Token("y", float("-inf"))])], False),
    RequestResult(False, [], [], False, error="refused", error_flags=ErrorFlags(is_fatal=False)),
]


def interrupted(states, folder, after: int, calls: list):
    """Run until `after` requests are done, then fail as a killed process would: no file is written."""

    def run_one(state):
        if len(calls) == after:
            raise RuntimeError("killed")
        calls.append(state.request.prompt)
        return state.with_result(RESULTS[int(state.request.prompt[1:])])

    return run_journaled(states, run_one, 1, RequestJournal(str(folder), "run"))


@pytest.mark.parametrize("after", range(5))
def test_what_was_finished_is_not_done_again_and_comes_back_unchanged(tmp_path, after, caplog):
    caplog.set_level("INFO", "helm")
    calls: list = []
    with pytest.raises(RuntimeError, match="killed"):
        interrupted(make_states(), tmp_path, after, calls)
    assert "Resuming" not in caplog.text
    finished = interrupted(make_states(), tmp_path, 10, calls)
    said = f"Resuming: {after} of 5 requests were finished by an earlier attempt"
    assert (said in caplog.text) == (after > 0) == ("Resuming" in caplog.text)
    header, *lines = (tmp_path / JOURNAL_FILE_NAME).read_bytes().split(b"\n")
    kinds = sorted(re.match(rb"\[\d[],]", line).group() for line in lines[:-1])
    again = [b"[%d]" % after]  # it was sent twice
    assert kinds == sorted([b"[%d%s" % (i, end) for i in range(5) for end in (b"]", b",")] + again) and not lines[-1]
    assert sorted(calls) == [f"p{i}" for i in range(5)]
    assert [dump_json(state.result) for state in finished] == [dump_json(r) for r in RESULTS]


def test_a_line_that_was_half_written_is_done_again(tmp_path):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    path.write_bytes(path.read_bytes()[:-10] + b"\0" * 5000)  # the map is larger than what was written
    finished = interrupted(make_states(), tmp_path, 10, calls)
    assert calls[5:] == ["p4"] and len(finished) == 5


DAMAGES = {
    "cut": lambda line: line[: len(line) // 2],
    "text": lambda line: b"damaged",
    "zeros": lambda line: bytes(len(line)),
    "zeros and its end": lambda line: line[:3] + bytes(500),
    "not UTF-8": lambda line: line[:20] + b"\xff\xfe" + line[20:],
    "nested": lambda line: b"[2," + b"[" * 100_000 + b"]" * 100_000 + b"]",
    "nested in the result": lambda line: line[:-2] + b',"x":' + b'{"a":' * 3000 + b"1" + b"}" * 3001 + b"]",
    "another index": lambda line: b"[99" + line[2:],
    "negative": lambda line: b"[-1" + line[2:],
    "object": lambda line: b'{"0": 1}',
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_line_in_the_middle_costs_only_its_own_request(tmp_path, damage, caplog):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    lines = path.read_bytes().split(b"\n")
    (number,) = [i for i, line in enumerate(lines) if line.startswith(b"[2,")]
    lines[number] = damage(lines[number])
    path.write_bytes(b"\n".join(lines) + bytes(5000))
    finished = interrupted(make_states(), tmp_path, 10, calls)
    assert calls[5:] == ["p2"]
    assert [dump_json(state.result) for state in finished] == [dump_json(r) for r in RESULTS]
    assert f"line {number + 1} is damaged; these requests are sent again" in caplog.text
    interrupted(make_states(), tmp_path, 10, calls)
    assert len(calls) == 6, "and what was done again is kept"


def test_several_damaged_lines_are_one_warning(tmp_path, caplog):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(b"x" if line[:2] in (b"[1", b"[3") else line for line in lines))
    interrupted(make_states(), tmp_path, 10, calls)
    assert calls[5:] == ["p1", "p3"]
    assert caplog.text.count("WARNING") == 1 and "4 lines are, from line 4 on, damaged" in caplog.text


HEADER_DAMAGES = {
    "cut": lambda line: line[: len(line) // 2],
    "zeros": lambda line: bytes(len(line)),
    "zeros and its end": lambda line: bytes(500),
    "one digit": lambda line: line.replace(b'"requests": ', b'"requests": 1'),
    "nested": lambda line: b"[" * 100_000,
    "gone": lambda line: b"",
}


def many(folder, count, calls, size=100):
    def run_one(state):
        calls.append(state.request.prompt)
        return state.with_result(result(state.request.prompt + "x" * size))

    states = run_journaled(make_states(count), run_one, 1, RequestJournal(str(folder), "run"))
    return [dump_json(state.result) for state in states]


@pytest.mark.parametrize("damage", HEADER_DAMAGES.values(), ids=HEADER_DAMAGES)
def test_a_damaged_header_costs_nothing_for_there_are_others(tmp_path, damage, caplog):
    calls: list = []
    before = many(tmp_path, 100, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([damage(lines[0]), *lines[1:]]))
    for _ in range(2):
        assert many(tmp_path, 100, calls) == before and len(calls) == 100
    assert "line 1 is damaged" in caplog.text
    many(tmp_path, 99, calls)
    assert len(calls) == 199, "of other requests it is none"


def test_the_loss_of_the_first_page_costs_what_was_in_it(tmp_path):
    calls: list = []
    many(tmp_path, 100, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    data = path.read_bytes()
    path.write_bytes(bytes(4096) + data[4096:])
    many(tmp_path, 100, calls)
    again = calls[100:]
    assert 0 < len(again) < 30 and again == sorted(again, key=lambda prompt: int(prompt[1:]))


@pytest.mark.parametrize("damage", HEADER_DAMAGES.values(), ids=HEADER_DAMAGES)
def test_a_journal_that_nobody_can_say_the_run_of_is_kept(tmp_path, damage, caplog):
    calls: list = []
    many(tmp_path, 3, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    for number in (1, 2):
        lines = path.read_bytes().split(b"\n")
        damaged = b"\n".join([damage(lines[0]), *lines[1:]])
        path.write_bytes(damaged)
        many(tmp_path, 3, calls)
        assert len(calls) == 3 + 3 * number
        asides = [p for p in tmp_path.iterdir() if p.name.startswith(JOURNAL_FILE_NAME + ".damaged-")]
        assert len(asides) == number and damaged in [p.read_bytes() for p in asides]
    assert caplog.text.count("WARNING") == 2 and caplog.text.count("is kept as requests.journal.damaged-") == 2
    many(tmp_path, 3, calls)
    assert len(calls) == 9, "the new one is used"


def test_a_journal_of_the_version_before_is_used(tmp_path):
    """Its header has no checksum and is not repeated."""
    calls: list = []
    many(tmp_path, 100, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    header, *lines = path.read_bytes().split(b"\n")
    old = re.sub(rb', "checksum": \d+', b"", header)
    assert old != header
    path.write_bytes(b"\n".join([old, *(line for line in lines if not line.startswith(b"{"))]))
    many(tmp_path, 100, calls)
    assert len(calls) == 100


@pytest.mark.parametrize("kind", ["folder", "link", "special file"])
def test_something_else_in_its_place_is_named_and_left_alone(tmp_path, kind):
    path, target = tmp_path / JOURNAL_FILE_NAME, tmp_path / "important"
    target.write_text("precious")
    {"folder": path.mkdir, "link": lambda: path.symlink_to(target), "special file": lambda: os.mkfifo(path)}[kind]()
    with pytest.raises(HelmError, match=f"{JOURNAL_FILE_NAME} is a {kind}, but .* Move it away"):
        interrupted(make_states(), tmp_path, 10, [])
    assert target.read_text() == "precious"


@pytest.mark.parametrize("depth", [900, 100_000])
def test_a_line_that_is_nested_without_end_is_done_again(tmp_path, depth):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    *lines, _, rest = path.read_bytes().partition(b"\0")[0].split(b"\n")
    deep = b"[" * depth + b"]" * depth
    path.write_bytes(b"\n".join([*lines, b'[4, {"success": %s}]' % deep, b"[4, %s]" % deep, rest]))
    finished = interrupted(make_states(), tmp_path, 10, calls)
    assert calls[5:] == ["p4"] and len(finished) == 5


def test_a_journal_of_other_requests_is_not_used(tmp_path):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    interrupted(make_states(4), tmp_path, 20, calls)
    assert calls[5:] == ["p0", "p1", "p2", "p3"]
    states = make_states(4)
    states[2] = new_request_state(states[2].instance, Request(prompt="p2", temperature=0.5))
    interrupted(states, tmp_path, 20, calls)
    assert calls[9:] == ["p0", "p1", "p2", "p3"], "one of them has changed"
    interrupted(states, tmp_path, 20, calls)
    assert len(calls) == 13, "the journal that was begun anew is used"


def test_a_journal_grows_with_its_results(tmp_path):
    states = make_states(3)
    big = "x" * 1_000_000

    def run_one(state):
        return state.with_result(result(big))

    run_journaled(states, run_one, 2, RequestJournal(str(tmp_path), "run"))
    again = run_journaled(states, lambda state: pytest.fail("sent again"), 1, RequestJournal(str(tmp_path), "run"))
    assert [state.result.completions[0].text for state in again] == [big] * 3


def test_equal_requests_wait_for_the_first(tmp_path):
    done: list = []

    def run_one(state):
        if state.instance.id == "id0":
            time.sleep(0.05)
        done.append(state.instance.id)
        return state.with_result(result("same"))

    run_journaled(make_states(6, "p"), run_one, 4, RequestJournal(str(tmp_path), "run"), send_equal_once=True)
    assert done[0] == "id0" and len(done) == 6


def test_what_an_earlier_attempt_sent_and_what_it_has_of_it_is_known(tmp_path):
    states = make_states(3)
    first, second = (RequestJournal(str(tmp_path), "f") for _ in range(2))
    first.open(states)
    first.record_sent(1)
    first.record_sent(2)
    first.record_result(2, result("two"))
    first.close()
    second.open(states)
    assert [second.was_sent(index) for index in range(3)] == [False, True, True]
    assert [second.result(index) and second.result(index).completions[0].text for index in range(3)] == [
        None,
        None,
        "two",
    ]
    assert is_open(tmp_path / JOURNAL_FILE_NAME)
    second.delete()
    assert os.listdir(tmp_path) == [] and not is_open(tmp_path / JOURNAL_FILE_NAME)
    second.delete()


def test_only_what_is_kept_of_a_recorded_result_stays_in_memory(tmp_path):
    states = make_states(2)
    first, second = (RequestJournal(str(tmp_path), "f") for _ in range(2))
    first.open(states)
    first.record_result(1, result("one"))
    first.close()
    found = run_journaled(
        states,
        lambda state: state.with_result(result("two")),
        journal=second,
        keep=lambda recorded: replace(recorded, error="kept"),
    )
    assert [(state.result.error, state.result.completions[0].text) for state in found] == [
        (None, "two"),
        ("kept", "one"),
    ]


def test_memory_of_a_resume_does_not_grow_with_the_bytes_of_the_journal(tmp_path):
    """With as many records, some long: what is kept of each is what counts."""

    def peak_of_reading(length):
        states, folder = make_states(60), tmp_path / str(length)
        folder.mkdir()
        first, second = (RequestJournal(str(folder), "f") for _ in range(2))
        first.open(states)
        for index in range(60):
            first.record_result(index, result("x" * length))
        first.close()
        size = (folder / JOURNAL_FILE_NAME).stat().st_size
        tracemalloc.start()
        try:
            second.open(states, keep=lambda recorded: replace(recorded, completions=[]))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert all(second.result(index) is not None for index in range(60))
        second.close()
        return size, peak

    (small, little), (large, more) = peak_of_reading(100), peak_of_reading(100_000)
    assert large > 100 * small and large > 10_000_000
    assert more - little < 2_000_000  # a few copies of one record


def test_the_header_is_repeated_whenever_the_file_has_twice_the_length(tmp_path):
    calls: list = []
    many(tmp_path, 10, calls, 600)  # beyond the first copy
    path = tmp_path / JOURNAL_FILE_NAME
    old = path.read_bytes()
    path.unlink()

    def run_one(state):
        if len(calls) == 20:
            raise RuntimeError("killed")
        calls.append(state.request.prompt)
        return state.with_result(result(state.request.prompt + "x" * 600))

    for _ in range(2):
        try:
            run_journaled(make_states(60), run_one, 1, RequestJournal(str(tmp_path), "run"))
        except RuntimeError:
            calls.extend(["killed"] * 100)
    for data in (old, path.read_bytes()):
        expected = [4096 << i for i in range(20) if 4096 << i < len(data)]
        places = [match.start() for match in re.finditer(rb'^{"version"', data, re.MULTILINE)]
        assert places[0] == 0 and len(places) == 1 + len(expected)
        assert all(0 <= place - least < 2000 for place, least in zip(places[1:], expected, strict=True))


def test_journals_that_are_put_aside_in_one_second_have_names_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(request_journal, "time", SimpleNamespace(strftime=lambda form: "now", time=time.time))
    path = tmp_path / JOURNAL_FILE_NAME
    for _ in range(3):
        path.write_text("damaged\n")
        many(tmp_path, 1, [])
    stem = JOURNAL_FILE_NAME + ".damaged-now"
    assert sorted(os.listdir(tmp_path)) == [JOURNAL_FILE_NAME, stem, f"{stem}-2", f"{stem}-3"]


def refuse(code):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    return refuse


def test_a_damaged_journal_that_cannot_be_put_aside_stays(tmp_path, monkeypatch):
    (tmp_path / JOURNAL_FILE_NAME).write_text("damaged\n")
    monkeypatch.setattr(os, "rename", refuse(errno.EACCES))
    with pytest.raises(HelmError, match="is damaged and cannot be put aside as .*damaged-.*: Permission denied"):
        many(tmp_path, 1, [])
    assert (tmp_path / JOURNAL_FILE_NAME).read_text() == "damaged\n"


def test_nothing_is_sent_whose_answer_could_not_be_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "posix_fallocate", refuse(errno.ENOSPC))
    calls: list = []
    with pytest.raises(
        HelmError, match="Cannot write .*: No space left on device.* the same command continues"
    ) as found:
        many(tmp_path, 3, calls)
    assert calls == []
    assert not is_open(tmp_path / JOURNAL_FILE_NAME) and found.value


def test_what_is_under_way_when_the_disk_fills_is_kept_and_nothing_more_is_sent(tmp_path, monkeypatch):
    journal = RequestJournal(str(tmp_path), "f")
    journal.open(make_states(3))
    monkeypatch.setattr(os, "posix_fallocate", refuse(errno.ENOSPC))
    journal.record_sent(0)
    journal.record_result(2, result("x" * 150_000))
    with pytest.raises(HelmError, match="No space left on device"):
        journal.record_sent(1)
    journal.record_result(0, result("zero"))
    journal.close()
    monkeypatch.undo()
    again = RequestJournal(str(tmp_path), "f")
    again.open(make_states(3))
    assert again.result(0).completions[0].text == "zero" and not again.was_sent(1)
    again.close()


@pytest.mark.parametrize(
    "request_, expected", [(Request(), RequestResult), (EvaluateRequest("m", "f", 1), EvaluateResult)]
)
def test_each_kind_of_request_has_its_kind_of_result(request_, expected):
    state = make_states(1)[0]
    assert result_type(new_request_state(state.instance, request_)) is expected


def test_unless_asked_otherwise_requests_are_sent_here_one_by_one_in_order():
    prompts, seen = ["a", "b", "a", "c"], []
    instances = [Instance(Input(text), [], split="test", id=f"id{i}") for i, text in enumerate(prompts)]

    def run_one(state):
        seen.append((state.instance.id, threading.current_thread()))
        return state.with_result(result(state.request.prompt))

    states = [new_request_state(x, Request(prompt=x.input.text)) for x in instances]
    finished = run_journaled(states, run_one)
    assert seen == [(f"id{i}", threading.main_thread()) for i in range(4)]
    assert [state.result.completions[0].text for state in finished] == prompts
    seen.clear()
    run_journaled(states, run_one, send_equal_once=True)
    assert [name for name, _ in seen] == ["id0", "id1", "id3", "id2"], "equal ones last"


LONG = {name: name * 6000 for name in "AB"}


@pytest.mark.parametrize("leaders_first", [False, True])
def test_requests_with_equal_beginnings_follow_each_other(leaders_first):
    prompts, seen = [LONG[name] + str(i) for i in range(3) for name in "AB"], []
    instances = [Instance(Input(""), [], split="test", id=text[0] + text[-1]) for text in prompts]
    states = [new_request_state(x, Request(prompt=text)) for x, text in zip(instances, prompts, strict=True)]

    def run_one(state):
        seen.append(state.instance.id)
        return state.with_result(result(state.instance.id))

    finished = run_journaled(states, run_one, send_equal_once=True, leaders_first=leaders_first)
    assert sorted(seen) == ["A0", "A1", "A2", "B0", "B1", "B2"]
    if not leaders_first:
        assert seen == sorted(seen)
    assert [state.result.completions[0].text for state in finished] == [state.instance.id for state in states]


@pytest.mark.parametrize("leaders_first", [False, True])
def test_the_first_of_equal_beginnings_goes_alone_only_where_that_is_asked_for(leaders_first):
    states = [
        new_request_state(state.instance, Request(prompt=LONG["A"] + str(i))) for i, state in enumerate(make_states(2))
    ]
    together, answered, seen = threading.Barrier(2), [], []

    def run_one(state):
        seen.append(list(answered))
        if not leaders_first:
            together.wait(timeout=60)
        answered.append(state.instance.id)
        return state.with_result(result("x"))

    more = {"leaders_first": True} if leaders_first else {}
    run_journaled(states, run_one, 2, send_equal_once=True, **more)
    assert seen == ([[], ["id0"]] if leaders_first else [[], []])


def test_the_failure_of_the_first_of_equal_beginnings_ends_all():
    states = [
        new_request_state(state.instance, Request(prompt=LONG["A"] + str(i))) for i, state in enumerate(make_states(3))
    ]
    calls: list = []

    def run_one(state):
        calls.append(state.instance.id)
        raise RuntimeError("refused")

    with pytest.raises(RuntimeError, match="refused"):
        run_journaled(states, run_one, 2, send_equal_once=True, leaders_first=True)
    assert calls == ["id0"]


@pytest.mark.parametrize("has_journal", [True, False])
def test_what_is_put_off_is_run_again_after_the_wait_and_recorded_once(tmp_path, has_journal):
    events: list = []

    def run_one(state):
        name = state.instance.id
        events.append(name)
        assert events.count(name) <= 3
        if events.count(name) <= {"id1": 1, "id3": 2}.get(name, 0):
            raise Deferred
        return state.with_result(result(name))

    journal = RequestJournal(str(tmp_path), "run") if has_journal else None
    finished = run_journaled(make_states(), run_one, 1, journal, wait=lambda: events.append("wait"))
    assert events == ["id0", "id1", "id2", "id3", "id4", "wait", "id1", "id3", "wait", "id3"]
    assert [state.result.completions[0].text for state in finished] == [f"id{i}" for i in range(5)]
    if has_journal:
        lines = (tmp_path / JOURNAL_FILE_NAME).read_bytes().split(b"\n")
        assert sorted(line for line in lines if line.endswith(b"]") and b"," not in line) == [
            b"[%d]" % i for i in range(5)
        ]


def test_who_waits_for_nothing_may_put_nothing_off():
    def run_one(state):
        raise Deferred

    with pytest.raises(AssertionError):
        run_journaled(make_states(1), run_one)


@pytest.mark.parametrize("has_journal", [True, False])
def test_requests_are_counted_while_they_are_done(tmp_path, has_journal):
    calls: list = []
    if has_journal:
        with pytest.raises(RuntimeError, match="killed"):
            interrupted(make_states(), tmp_path, 2, calls)
    with counting(RunProgress("run")) as progress:
        journal = RequestJournal(str(tmp_path), "run") if has_journal else None
        run_journaled(make_states(), lambda state: state.with_result(result("x")), 1, journal, "questions")
    report = progress.report()
    assert (report.unit, report.total, report.done, report.resumed) == ("questions", 5, 5, 2 if has_journal else 0)


STARTED = 1_700_000_000


@pytest.mark.parametrize(
    "was_sent, request_datetime, cached",
    [
        (True, STARTED + 5, False),
        (True, STARTED, False),
        (True, STARTED - 1, True),
        (True, None, True),
        (False, STARTED + 5, True),
    ],
)
def test_an_answer_that_an_earlier_attempt_paid_for_is_not_marked_as_cached(
    tmp_path, monkeypatch, was_sent, request_datetime, cached
):
    """It died between putting the answer into the response cache and recording it."""
    clock = SimpleNamespace(strftime=time.strftime, time=lambda: STARTED + 0.5)
    monkeypatch.setattr(request_journal, "time", clock)
    later = SimpleNamespace(strftime=time.strftime, time=lambda: STARTED + 1000.5)
    states = make_states(2, "p")
    first = RequestJournal(str(tmp_path), "run")
    first.open(states)
    if was_sent:
        first.record_sent(0)
        first.record_sent(1)
    first.close()
    monkeypatch.setattr(request_journal, "time", later)

    def run_one(state):
        return state.with_result(RequestResult(True, [], [], True, 0.25, request_datetime))

    done = run_journaled(states, run_one, 1, RequestJournal(str(tmp_path), "run"), send_equal_once=True)
    assert [state.result.cached for state in done] == [cached, True], (
        "the second equals the first, so it is from the cache"
    )
