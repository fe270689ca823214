"""The manners of every command."""
