"""With this folder on PYTHONPATH, a Python and its children lack what only Linux has, so that tests see what macOS would do.

`/proc`, `/sys` and `/dev/shm` are not there; the names below are gone from their modules; C functions of Linux are not
found. `sys.platform` stays, because libraries look for their files by it.
"""

import os
import sys

HIDDEN_FOLDERS = ("/proc", "/sys", "/dev/shm")
HIDDEN_FUNCTIONS = ("prctl", "memfd_create", "pidfd_open", "unshare", "setns", "sched_getaffinity", "posix_fallocate")
HIDDEN_NAMES = {
    "os": (
        "memfd_create pidfd_open sched_getaffinity sched_setaffinity posix_fallocate posix_fadvise copy_file_range splice "
        "eventfd pipe2 waitid fdatasync getxattr setxattr listxattr removexattr getrandom unshare setns preadv pwritev "
        "O_TMPFILE O_PATH O_DIRECT O_NOATIME P_PIDFD SCHED_BATCH"
    ),
    "fcntl": "F_SETPIPE_SZ F_GETPIPE_SZ F_ADD_SEALS F_GET_SEALS F_OFD_SETLK F_OFD_GETLK F_OFD_SETLKW",
    "resource": "prlimit RLIMIT_MSGQUEUE RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_SIGPENDING RUSAGE_THREAD",
    "select": "epoll EPOLLIN EPOLLOUT EPOLLERR EPOLLHUP EPOLLET EPOLLEXCLUSIVE",
    "signal": "SIGRTMIN SIGRTMAX sigtimedwait sigwaitinfo pidfd_send_signal SIGPWR SIGSTKFLT",
    "time": "CLOCK_BOOTTIME CLOCK_TAI pthread_getcpuclockid",
    "mmap": "MAP_POPULATE MAP_STACK MREMAP_MAYMOVE",
    "socket": "SO_PEERCRED SO_BINDTODEVICE TCP_USER_TIMEOUT TCP_QUICKACK AF_NETLINK AF_VSOCK SOCK_CLOEXEC SOCK_NONBLOCK",
}


def _is_hidden(path: object) -> bool:
    if isinstance(path, int) or path is None:
        return False
    try:
        text = os.fsdecode(path)  # type: ignore[arg-type]
    except TypeError:
        return False
    return text.startswith(HIDDEN_FOLDERS) and any(text == f or text.startswith(f + "/") for f in HIDDEN_FOLDERS)


def _audit(event: str, arguments: tuple) -> None:
    if event in ("open", "os.listdir", "os.scandir") and _is_hidden(arguments[0]):
        raise FileNotFoundError(2, "No such file or directory", os.fsdecode(arguments[0]))
    if event == "ctypes.dlsym" and arguments[1] in HIDDEN_FUNCTIONS:
        raise AttributeError(f"dlsym(RTLD_DEFAULT, {arguments[1]}): symbol not found")


def _without_hidden_paths(name: str) -> None:
    original = getattr(os, name)

    def function(path, *args, **kwargs):  # type: ignore[no-untyped-def]
        if _is_hidden(path):
            if name == "access":
                return False
            raise FileNotFoundError(2, "No such file or directory", os.fsdecode(path))
        return original(path, *args, **kwargs)

    setattr(os, name, function)
    for functions in (os.supports_follow_symlinks, os.supports_dir_fd, os.supports_fd, os.supports_effective_ids):
        if original in functions:
            functions.add(function)


def hide() -> None:
    for module, names in HIDDEN_NAMES.items():
        loaded = __import__(module)
        for name in names.split():
            if hasattr(loaded, name):
                delattr(loaded, name)
    for name in ("stat", "lstat", "access", "readlink"):
        _without_hidden_paths(name)
    sys.addaudithook(_audit)


hide()
