"""From a run entry and the command line to run specs."""
