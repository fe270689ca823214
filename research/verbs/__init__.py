"""Verbs: the small language in which a decision says what shall happen, and what each of its words means."""
