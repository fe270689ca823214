"""Asking a source outside: one bounded exchange over HTTP, at its pace, and not at all for a while once it fails."""
