"""CompilerGym's programs, with its flags: `python -m helm.compiler_gym.bin.NAME --help`."""
