"""A small LEI register shipped with Dossier, so that it works without a network and can be tested against faults."""
