"""The pages of the second factor: showing it, and setting it up. Each has a module of its own."""
