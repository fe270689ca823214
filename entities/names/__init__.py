"""Names of companies: how they are looked up, compared and indexed. Used for the LEI register and for entity memory."""
