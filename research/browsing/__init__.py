"""Walking through sites, view by view: what a page says and what can be chosen on it, with or without a browser."""
