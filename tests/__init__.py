"""The suite. It is a package so that no library which ships its own tests is found in its place."""
