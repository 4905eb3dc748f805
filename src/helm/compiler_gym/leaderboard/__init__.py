"""Leaderboards of compiler policies: submissions are recorded episodes, which are replayed before they count."""
