"""The first process inside a sandbox that lives for a whole session: it runs commands and moves files, as it is told.

It runs as a program by itself with three descriptors as arguments, so it imports nothing of this package. Requests and
answers are frames: the length of a JSON header as eight hexadecimal digits, the header, and `size` bytes. A `!` between frames
ends the program that `run` has started; without one, it is ignored. The third descriptor is a socket by which sockets are
handed out: those that listen, and the ends of programs.

Programs inside have its user id, but cannot read its memory or its pipes, because it is not dumpable, and cannot end it,
because it is the first process.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

_CHUNK = 1 << 16
_LAST_WORDS_S = 0.3
_SHELL_LOOP = (
    "while IFS= read -r -d '' __command; do { eval \"$__command\"; } </dev/null 3>&-; printf '%s\\0' $? >&3; done"
)
_PR_SET_DUMPABLE = 4


class Output:
    """What a command writes, up to a limit: the beginning and the end."""

    def __init__(self, limit):
        self.head, self.tail, self.limit, self.total = bytearray(), bytearray(), limit, 0

    def add(self, data):
        self.total += len(data)
        room = self.limit // 2 - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > self.limit:
            del self.tail[: len(self.tail) - self.limit // 2]

    def bytes(self):
        tail = self.tail[-(self.limit // 2) :]
        left_out = self.total - len(self.head) - len(tail)
        middle = b"\n[... %d bytes left out ...]\n" % left_out if left_out else b""
        return bytes(self.head) + middle + bytes(tail)


class Shell:
    """One shell that keeps its folder, variables and functions from command to command."""

    def __init__(self, environment, folder):
        status_reader, status_writer = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-c", f"exec 3>&{status_writer} {status_writer}>&-; {_SHELL_LOOP}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            pass_fds=[status_writer],
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        os.close(status_writer)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin = self.process.stdin
        self.status, self.output = status_reader, self.process.stdout.fileno()
        for fd in (self.status, self.output):
            os.set_blocking(fd, False)

    def run(self, command, wall_s, limit, client):
        """Return a status, the exit status, and the output. The shell may be at its end after that.

        `client` is the descriptor that requests come from; this process ends with its other end.
        """
        output = Output(limit)
        before = set(_descendants(self.process.pid))
        try:
            self.stdin.write(command.encode("utf-8", "surrogatepass").replace(b"\0", b"") + b"\0")
        except OSError:
            return "ended", None, output
        deadline, told, status = time.monotonic() + wall_s, b"", "ok"
        while b"\0" not in told:
            left = deadline - time.monotonic()
            if left <= 0 and status == "ok":
                status = "timeout"
                for pid in set(_descendants(self.process.pid)) - before:
                    _kill(pid)
                deadline, left = time.monotonic() + 1.0, 1.0
            elif left <= 0:
                self.close()
                return "timeout_ended", None, output
            ready, _, _ = select.select([self.status, self.output, client], [], [], max(0.0, left))
            if client in ready:
                _read_interrupt(client)  # one that came too late
            if self.output in ready and not _drain(self.output, output):
                break
            if self.status in ready:
                piece = os.read(self.status, 64)
                if not piece:
                    break
                told += piece
        while select.select([self.output], [], [], 0.01)[0] and _drain(self.output, output):
            pass
        if b"\0" not in told:
            self.close()
            return "ended", self.process.returncode, output
        return status, int(told.partition(b"\0")[0] or b"0"), output

    def rest(self):
        """Forget what background processes wrote since the last command, so that they do not wait for us."""
        while select.select([self.output], [], [], 0)[0] and os.read(self.output, _CHUNK):
            pass

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass
        self.process.wait()
        os.close(self.status)
        for pipe in (self.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def _read_interrupt(client):
    """Read the only thing that may come before an answer; otherwise, end everything inside."""
    if os.read(client, 1) != b"!":
        sys.exit("a request before the answer to the last one, or no client")


def _drain(fd, output):
    try:
        data = os.read(fd, _CHUNK)
    except BlockingIOError:
        return True
    output.add(data)
    return bool(data)


def _descendants(pid):
    found, pending = [], [pid]
    while pending:
        parent = pending.pop()
        try:
            with open(f"/proc/{parent}/task/{parent}/children") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            continue
        found += children
        pending += children
    return found


def _kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except OSError:
        pass


class Server:
    def __init__(self, reader, writer, courier):
        self.reader, self.writer, self.courier, self.shell = reader, writer, courier, None

    def serve(self):
        while True:
            first = b"!"
            while first == b"!":  # an interrupt that came too late
                first = self._read_exactly(1)
            rest = self._read_exactly(7) if first is not None else None
            if rest is None:
                return
            header = first + rest
            request = json.loads(self._read_exactly(int(header, 16)))
            data = self._read_exactly(request.get("size", 0))
            try:
                answer, content = getattr(self, "do_" + request["do"])(request, data)
            except OSError as e:
                answer, content = {"error": e.strerror or str(e), "path": e.filename}, b""
            self._reap()
            encoded = json.dumps({**answer, "size": len(content)}).encode()
            self._write(b"%08x" % len(encoded) + encoded + content)

    def do_run(self, request, data):
        output = Output(request["output_bytes"])
        started = time.monotonic()
        process = subprocess.Popen(
            request["argv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
            env=request["environment"], cwd=request["folder"], start_new_session=True,
        )  # fmt: skip
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None and stdout is not None
        for pipe in (stdin, stdout):
            os.set_blocking(pipe.fileno(), False)
        left, status, end = memoryview(data), "ok", started + request["wall_s"]
        is_open = True
        while is_open and (process.poll() is None or time.monotonic() < end):
            if process.returncode is not None:
                end = min(end, time.monotonic() + _LAST_WORDS_S)  # others may hold the pipe open
            if not left and not stdin.closed:
                stdin.close()
            now = time.monotonic()
            if now >= end:
                if process.returncode is None:
                    status = "timeout"
                break
            inputs = [stdout, self.reader] if status == "ok" else [stdout]
            ready, writable, _ = select.select(inputs, [] if stdin.closed else [stdin], [], min(0.05, end - now))
            if self.reader in ready:
                _read_interrupt(self.reader)
                status = "interrupted"
                break
            if stdout in ready:
                is_open = _drain(stdout.fileno(), output)
            if writable:
                try:
                    left = left[os.write(stdin.fileno(), left[:4096]) :]
                except OSError:
                    left = left[:0]
        while process.poll() is None and status == "ok" and time.monotonic() < end:
            if select.select([self.reader], [], [], 0.005)[0]:
                _read_interrupt(self.reader)
                status = "interrupted"
        if process.poll() is None:
            status = "timeout" if status == "ok" else status
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass
            process.wait()
        while select.select([stdout], [], [], 0)[0] and _drain(stdout.fileno(), output):
            pass
        for pipe in (stdin, stdout):
            pipe.close()
        elapsed_s = time.monotonic() - started
        return {"status": status, "returncode": process.returncode, "elapsed_s": elapsed_s}, output.bytes()

    def do_shell(self, request, data):
        started = time.monotonic()
        if request.get("restart") and self.shell is not None:
            self.shell.close()
            self.shell = None
        if self.shell is None:
            self.shell = Shell(request["environment"], request["folder"])
        else:
            self.shell.rest()
        status, returncode, output = self.shell.run(
            data.decode("utf-8", "surrogatepass"), request["wall_s"], request["output_bytes"], self.reader
        )
        if status in ("ended", "timeout_ended"):
            self.shell = None
        elapsed_s = time.monotonic() - started
        return {"status": status, "returncode": returncode, "elapsed_s": elapsed_s}, output.bytes()

    def do_listen(self, request, data):
        """Hand out a socket that listens on the loopback interface of this sandbox."""
        import socket

        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", request["port"]))
            listener.listen(128)
            self._hand_out(listener)
        return {}, b""

    def do_open(self, request, data):
        """Start a program whose standard input and output are a socket, and hand out its other end."""
        import socket

        ours, its = socket.socketpair()
        with ours, its:
            subprocess.Popen(
                request["argv"], stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.DEVNULL, env=request["environment"],
                cwd=request["folder"], start_new_session=True,
            )  # fmt: skip
            self._hand_out(ours)
        return {}, b""

    def _hand_out(self, given):
        import socket

        with socket.socket(fileno=os.dup(self.courier)) as courier:
            socket.send_fds(courier, [b"!"], [given.fileno()])

    def do_write(self, request, data):
        path = request["path"]
        os.makedirs(os.path.dirname(path) or "/", exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, request.get("mode", 0o644))
        return {}, b""

    def do_read(self, request, data):
        with open(request["path"], "rb") as file:
            found = file.read(request["max_bytes"] + 1)
        return {"is_cut": len(found) > request["max_bytes"]}, found[: request["max_bytes"]]

    def do_list(self, request, data):
        """Return the files below a folder with their sizes, links and special files left out."""
        found = []
        for folder, folders, names in os.walk(request["path"]):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    found.append([path, os.path.getsize(path)])
                if len(found) >= request["max_files"]:
                    return {"files": found}, b""
        return {"files": found}, b""

    def do_make_folder(self, request, data):
        os.makedirs(request["path"], exist_ok=True)
        return {}, b""

    def do_empty(self, request, data):
        """Delete everything in a folder."""
        path = request["path"]
        if os.path.islink(path):  # what it leads to belongs to somebody else
            os.unlink(path)
            os.mkdir(path)
        for name in os.listdir(path) if os.path.isdir(path) else ():
            inner = os.path.join(path, name)
            if os.path.isdir(inner) and not os.path.islink(inner):
                shutil.rmtree(inner)
            else:
                os.unlink(inner)
        return {}, b""

    def do_signal_all(self, request, data):
        """Send a signal to all other processes."""
        _kill(-1, getattr(signal, request["signal"]))
        return {}, b""

    def _reap(self):
        """Take leave of orphans that have ended."""
        known = self.shell.process.pid if self.shell is not None else None
        while True:
            try:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if found is None or found.si_pid == known:
                    return
                os.waitpid(found.si_pid, os.WNOHANG)
            except ChildProcessError:
                return

    def _read_exactly(self, size):
        found = b""
        while len(found) < size:
            piece = os.read(self.reader, min(size - len(found), 1 << 20))
            if not piece:
                return None
            found += piece
        return found

    def _write(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self.writer, view) :]


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    descriptors = []
    for fd in map(int, sys.argv[1:4]):  # copies have low numbers: `select` takes none above 1023, which these may have
        descriptors.append(os.dup(fd))
        os.close(fd)
    Server(*descriptors).serve()
