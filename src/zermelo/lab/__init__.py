"""Experiments that put a lecture's claims to the test; each gives tables with figures and says what holds."""
