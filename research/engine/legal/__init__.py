"""Legal research: from a question to a memo. Pure: values in, values out."""
