"""Matches between players of any kind, with honest statistics."""
