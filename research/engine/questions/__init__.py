"""Questions to a model outside any conversation: their shape, and how invalid answers are repaired."""
