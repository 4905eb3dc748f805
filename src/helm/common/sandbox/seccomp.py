"""A system call filter that refuses calls which our programs never need, but attacks on the kernel begin with.

The rest of the sandbox does not depend on it. It is a deny list because the programs are compilers and interpreters, whose
ordinary calls differ between versions of libraries.
"""

import platform
import struct

# Numbers are from the kernel's tables; those above 423 are the same on all architectures.
_NEW: dict[str, int] = {
    "pidfd_getfd": 438,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
_X86_64: dict[str, int] = {
    "shmget": 29,
    "ptrace": 101,
    "personality": 135,
    "pivot_root": 155,
    "chroot": 161,
    "mount": 165,
    "umount2": 166,
    "init_module": 175,
    "delete_module": 176,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "unshare": 272,
    "perf_event_open": 298,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "finit_module": 313,
    "memfd_create": 319,
    "kexec_load": 246,
    "bpf": 321,
    "userfaultfd": 323,
}
_AARCH64: dict[str, int] = {
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "chroot": 51,
    "personality": 92,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "ptrace": 117,
    "shmget": 194,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "perf_event_open": 241,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "finit_module": 273,
    "memfd_create": 279,
    "bpf": 280,
    "userfaultfd": 282,
}
_CLONE3 = 435
# machine: (AUDIT_ARCH_*, calls to refuse, number of clone, first number of a foreign calling convention)
_MACHINES: dict[str, tuple[int, dict[str, int], int, int | None]] = {
    "x86_64": (0xC000003E, {**_X86_64, **_NEW}, 56, 0x40000000),
    "aarch64": (0xC00000B7, {**_AARCH64, **_NEW}, 220, None),
}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_MACHINE, _OFFSET_FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, ...CGROUP, UTS, IPC, USER, PID, NET


def build_filter() -> bytes | None:
    """Return the program that `bwrap --seccomp` loads; None on a machine whose numbers are unknown here.

    Refused calls fail with EPERM; clone3 fails with ENOSYS, after which libraries use clone, whose flags can be inspected.
    """
    known = _MACHINES.get(platform.machine())
    if known is None:
        return None
    machine, refused, clone, foreign = known
    code: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _OFFSET_MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _OFFSET_NUMBER),
    ]
    if foreign is not None:
        code += [(_AT_LEAST, 0, 1, foreign), (_RETURN, 0, 0, _KILL)]
    for number in sorted(refused.values()):
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | _EPERM)]
    code += [
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _ERROR | _ENOSYS),
        (_EQUAL, 0, 3, clone),
        (_LOAD, 0, 0, _OFFSET_FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
