"""The parts of a run other than its requests: the lock, the instances, scores, files, estimates."""
