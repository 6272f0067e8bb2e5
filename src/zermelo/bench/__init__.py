"""Measuring: that nothing moved, what techniques and threads are worth, how fast it is, and how fast others are."""
