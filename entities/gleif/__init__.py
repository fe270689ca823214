"""The LEI register of GLEIF: client, records, name matching, verification, and the demo register for offline use."""
