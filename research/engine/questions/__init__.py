"""Questions to a model outside any conversation: their shape, and the turns that mend an answer."""
