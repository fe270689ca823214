"""Research on entities for memory: what they are known by, what was asked about them, and what is kept."""
