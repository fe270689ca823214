#!/usr/bin/env python
"""Dossier's command line in a checkout."""

from config.command_line import main

if __name__ == "__main__":
    main()
