"""Runs on the machines of a cluster: what a worker needs to know, what it does, and how Ray and Slurm start it."""
