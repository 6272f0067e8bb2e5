"""Experiments that put a lecture's claims to the test: tables with figures, and whether the claims hold in them."""
