"""National registers and supervisors behind one interface: who is this company, who runs it, who owns it, may it."""
