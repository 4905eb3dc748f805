"""`helm-compiler-service`: serve one compiler over gRPC until told to stop.

    helm-compiler-service --backend llvm --port 8686

Exit status 0 after SIGTERM or SIGINT; 6 when sessions were still open; 1 for wrong arguments.
"""

import argparse
import os
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

EXIT_OPEN_SESSIONS = 6
_ERROR = "ERROR: "


class _Parser(SuggestingArgumentParser):
    """Reports errors as the original's services do: see `parse_args`."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        parsed, unknown = self.parse_known_args([arg for arg in args if arg.strip()], namespace)
        if unknown:
            self.offer_flags(unknown)
            _refuse(f"Unrecognized command line argument '{unknown[0]}'")
        _check(parsed)
        return parsed


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="helm-compiler-service",
        description="Serve a compiler to CompilerGym clients over gRPC.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--backend", default="llvm", help="llvm, gcc, gcc:COMMAND or class path of a CompilationSession (llvm)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; there is no authentication (127.0.0.1)"
    )
    parser.add_argument("--port", default="0", help="port to listen on; 0 takes a free one (0)")
    parser.add_argument("--working_dir", default="", help="folder for port.txt, pid.txt, logs and scratch files")
    parser.add_argument(
        "--program_folder",
        action="append",
        metavar="PATH",
        help="read programs that clients name by file:///PATH below this folder only; may be repeated (any folder when "
        "listening on this machine alone, else none)",
    )
    parser.add_argument("--rpc_service_threads", type=int, default=4, help="calls answered at the same time (4)")
    parser.add_argument("--max_sessions", type=int, default=4096, help="open sessions at the same time (4096)")
    parser.add_argument("--max_message_bytes", type=int, default=1 << 30, help="longest message; -1: no limit (1 GiB)")
    parser.add_argument(
        "--isolate_sessions",
        action="store_true",
        help="a process for each session and its forks: a compiler that crashes or hangs takes no other along",
    )
    parser.add_argument(
        "--max_call_seconds", type=float, default=300.0, help="limit for one call, with --isolate_sessions (300)"
    )
    parser.add_argument("--exit_with_stdin", action="store_true", help="end when standard input is closed")
    ignored = parser.add_argument_group("accepted for clients that pass them; logging is not configured by flags")
    ignored.add_argument("--logbuflevel", help=argparse.SUPPRESS)
    ignored.add_argument("-v", "--v", "--verbosity", dest="verbosity", help=argparse.SUPPRESS)
    ignored.add_argument("--alsologtostderr", action="store_true", help=argparse.SUPPRESS)
    return parser


def parse_args(args: Sequence[str]) -> argparse.Namespace:
    """Parse the command line. Blank arguments are ignored; a wrong one ends the process with status 1."""
    return build_parser().parse_args(args)


def _check(parsed: argparse.Namespace) -> None:
    if not parsed.port.isdigit() or int(parsed.port) > 65535:
        _refuse(f"--port takes a number from 0 to 65535, not '{parsed.port}'")
    for name in ("rpc_service_threads", "max_sessions"):
        if getattr(parsed, name) < 1:
            _refuse(f"--{name} takes a number, at least 1, not '{getattr(parsed, name)}'")
    if parsed.max_message_bytes < 1 and parsed.max_message_bytes != -1:
        _refuse(f"--max_message_bytes takes a number, at least 1, or -1 for no limit, not '{parsed.max_message_bytes}'")
    if not parsed.max_call_seconds > 0:
        _refuse(f"--max_call_seconds takes a number of seconds above 0, not '{parsed.max_call_seconds:g}'")
    for folder in parsed.program_folder or ():
        if not os.path.isdir(folder):
            _refuse(f"--program_folder takes a folder, and there is none at '{folder}'")


def _refuse(complaint: str) -> NoReturn:
    print(f"{_ERROR}{complaint}", file=sys.stderr)
    sys.exit(1)


@command_main(build_parser, prefix=_ERROR)
def main(args: argparse.Namespace) -> int:
    """The command; see above for its exit status."""
    return serve(args)


def create_and_run_compiler_gym_service(session_class: type) -> NoReturn:
    """Serve your own compiler: the body of a service program, which clients start by its path.

    The function reads the command line (without `--backend`), serves until told to stop, and ends the process.
    """
    command_main(build_parser, prefix=_ERROR)(partial(serve, session_class=session_class))()
    sys.exit(0)


def serve(args: argparse.Namespace, session_class: Any | None = None) -> int:
    """Serve until SIGTERM, SIGINT or the end of standard input; returns the exit status.

    Args:
        args: the parsed command line.
        session_class: the compiler. Default: the backend that the arguments name.
    """
    from helm.common.processes.end_of_process import ScratchFolder

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    is_temporary = not args.working_dir
    scratch = ScratchFolder("compiler_gym-service-")
    working_dir = scratch.path if is_temporary else Path(args.working_dir).absolute()
    if args.exit_with_stdin:
        _exit_with_stdin(working_dir)
    (working_dir / "logs").mkdir(parents=True, exist_ok=True)

    from helm.compiler_gym.backends import get_session_class
    from helm.compiler_gym.benchmarks.program_files import limit_to
    from helm.compiler_gym.runtime.isolation import IsolatedCompilerService
    from helm.compiler_gym.runtime.server import GrpcServer
    from helm.compiler_gym.runtime.service import CompilerService

    if args.program_folder or not _is_loopback(args.host):
        limit_to(args.program_folder or [])
    session_class = session_class or get_session_class(args.backend)
    service: CompilerService | IsolatedCompilerService
    if args.isolate_sessions:
        service = IsolatedCompilerService(
            f"{session_class.__module__}.{session_class.__qualname__}",
            args.max_sessions,
            call_timeout_s=args.max_call_seconds,
        )
    else:
        service = CompilerService(session_class, working_dir, args.max_sessions)
    server = GrpcServer(service, args.host, int(args.port), args.rpc_service_threads, args.max_message_bytes)
    _write_atomically(working_dir / "pid.txt", str(os.getpid()))
    _write_atomically(working_dir / "port.txt", str(server.port))
    if is_temporary:  # started by hand, so nobody reads port.txt
        print(f"Serving {session_class.__name__} on {args.host}:{server.port}", flush=True)
    stop.wait()
    server.stop()
    num_sessions = service.num_sessions
    service.close()
    scratch.close()
    if num_sessions:
        print(f"ERROR: Killing a service with {num_sessions} active sessions!", file=sys.stderr)
        return EXIT_OPEN_SESSIONS
    return 0


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1", "[::1]") or host.startswith("127.")


def _exit_with_stdin(working_dir: Path) -> None:
    """End this process, whatever it is doing, when the other end of standard input is closed."""

    def watch() -> None:
        while os.read(0, 4096):
            pass
        shutil.rmtree(working_dir, ignore_errors=True)
        os._exit(EXIT_OPEN_SESSIONS)

    threading.Thread(target=watch, name="stdin-watch", daemon=True).start()


def _write_atomically(path: Path, text: str) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text)
    temporary.replace(path)


if __name__ == "__main__":
    main()
