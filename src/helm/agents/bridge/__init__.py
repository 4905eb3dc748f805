"""The bridge: programs inside a sandbox reach the model of the run under the protocols of providers."""
