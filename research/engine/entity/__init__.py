"""Research on entities for memory: identification, the record of tool calls, and storing findings."""
