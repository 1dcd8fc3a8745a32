"""Hostile callers of a whole suite: what they send, and the laws that must hold whatever it is."""
