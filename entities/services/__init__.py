"""What writes to the tables of entities besides memory itself."""
