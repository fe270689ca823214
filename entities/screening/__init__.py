"""Screening: official lists of sanctioned persons, companies, vessels and aircraft, and who of memory is like them."""
