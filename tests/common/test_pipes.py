"""Waiting for pipes, also in a process with many open files."""

import subprocess
import sys
import textwrap
import time

from helm.common.pipes import wait_until_ready


def test_a_pipe_is_waited_for_no_longer_than_asked():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        start = time.monotonic()
        assert not wait_until_ready(process.stdout, 0.2) and 0.1 < time.monotonic() - start < 5
        assert not wait_until_ready(process.stdout, -1)
        assert wait_until_ready(process.stdin, 1, to_write=True)
        process.stdin.write(b"x")
        process.stdin.flush()
        assert wait_until_ready(process.stdout, 10)
        process.stdin.close()
        assert process.stdout.read() == b"x" and wait_until_ready(process.stdout, 10)  # its end


def test_descriptors_above_1023_are_taken():
    source = """
        import os, resource
        from helm.common.pipes import wait_until_ready

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < 1200:
            raise SystemExit("few")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
        kept = [open(os.devnull) for _ in range(1100)]
        reader, writer = os.pipe()
        assert reader > 1023, reader
        print(wait_until_ready(reader, 0), wait_until_ready(writer, 0, to_write=True))
        os.write(writer, b"x")
        print(wait_until_ready(reader, 0))
    """
    command = [sys.executable, "-c", textwrap.dedent(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False True\nTrue\n" or done.stderr == "few\n", done.stderr
