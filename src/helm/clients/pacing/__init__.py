"""Rate and concurrency control: how many requests an endpoint gets, and how fast."""
