"""The keyless researcher: rules instead of a language model, over the same tools and the same interface."""
