"""The LEI register of GLEIF: client, records, name matching, verification, demo register."""
