"""Verbs: the small language that says what a decision writes, and the meaning of each verb."""
