"""HTTP: connections, endpoints, signatures, and what counts as a failure."""
