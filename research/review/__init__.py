"""Reading and editing a result: pointers, patches, leaf rows and the form they make. Pure; nothing here stores."""
