"""The Berkeley Function-Calling Leaderboard, version 4."""
