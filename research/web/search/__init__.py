"""Searching the web: providers behind one interface, asked in the operator's order, each within its own limits."""
