"""Logging in: passwords, browsers that are known, the second factor, and a provider of single sign-on."""
