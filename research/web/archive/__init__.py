"""The archive: the text of everything that was read, stored once, and found again by question."""
