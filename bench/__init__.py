"""Measurements, run by hand: ``make bench``, or one of them with ``python -m bench.NAME``."""
