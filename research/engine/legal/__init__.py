"""Legal research: from a question in words to a memo, values in and values out."""
