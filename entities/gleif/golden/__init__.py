"""GLEIF's golden copy: the whole register as files, read, checked and put into the database."""
