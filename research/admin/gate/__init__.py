"""The review page, part by part: what a person submitted, and what the page says back."""
