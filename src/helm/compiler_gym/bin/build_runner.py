"""Builds the pass runner for the libLLVM of this machine: `python -m helm.compiler_gym.bin.build_runner`.

Steps are faster with it, and it gives an action's effect as LLVM itself says it; see `backends.llvm_runner`.
"""

from helm.compiler_gym import flags
from helm.compiler_gym.backends.llvm_c import load_llvm
from helm.compiler_gym.backends.llvm_runner import build_runner


def main(argv: list[str]) -> int:
    """Build; returns the exit status.

    Raises: UsageError for arguments; HelmError when it cannot be built; ServiceInitError without a libLLVM.
    """
    if len(argv) > 1:
        raise flags.UsageError("There are no arguments; HELM_LLVM names the library.")
    library = load_llvm()
    print(f"LLVM {library.version}, {library.path}: {build_runner(library.version, library.path)}")
    return 0


if __name__ == "__main__":
    flags.run(main)
