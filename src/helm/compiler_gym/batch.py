"""The former place of what `helm.compiler_gym.episode` has."""

from helm.compiler_gym.episode import TriedSequence

__all__ = ["TriedSequence"]
