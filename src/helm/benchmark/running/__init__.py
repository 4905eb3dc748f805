"""The parts of a run beside its requests: the lock, the instances, scores, files, estimates."""
