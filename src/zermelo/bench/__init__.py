"""Measuring: that nothing moved (`signature`), how fast it is (`speed`), and how fast others are (`peers`)."""
