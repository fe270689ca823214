"""REST of citations: parses, calls a service, renders."""
