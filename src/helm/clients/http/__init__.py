"""HTTP: connections, endpoints, signatures, and the classification of failures."""
