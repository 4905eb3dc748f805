import threading

import pytest

from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.session_table import SessionTable


def test_numbers_are_not_used_again():
    table = SessionTable()
    for expected in range(3):
        with table.place() as fill:
            assert fill(f"session {expected}") == expected
        assert table.pop(expected) == (f"session {expected}", 0)
    assert table.pop(0) == (None, 0)
    with pytest.raises(StatusError, match="Session not found: 1"):
        table.get(1)


def test_a_place_that_was_not_filled_is_free_again():
    table = SessionTable(max_sessions=1)
    with pytest.raises(OSError), table.place():
        raise OSError
    with table.place() as fill:
        fill("one")
    with pytest.raises(StatusError, match="already has 1 sessions"), table.place():
        pass
    table.pop(0)
    with table.place() as fill:
        assert fill("two") == 1


def test_calls_at_the_same_time_do_not_pass_the_limit():
    table, refused = SessionTable(max_sessions=5), []
    all_started = threading.Barrier(20)

    def start():
        all_started.wait()
        try:
            with table.place() as fill:
                threading.Event().wait(0.05)  # a compiler that takes its time
                fill("session")
        except StatusError as error:
            refused.append(error.status)

    threads = [threading.Thread(target=start) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(table) == 5
    assert refused == ["RESOURCE_EXHAUSTED"] * 15


def test_taking_out_those_that_match():
    table = SessionTable()
    for name in ["a", "b", "aa"]:
        with table.place() as fill:
            fill(name)
    assert table.pop_all(lambda name: name.startswith("a")) == ["a", "aa"]
    assert table.get(1) == "b"
