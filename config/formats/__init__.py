"""How the pages write dates; Django finds these modules by their names."""
