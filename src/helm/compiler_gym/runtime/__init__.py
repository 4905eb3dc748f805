"""The service: sessions, processes, gRPC, and its client."""
