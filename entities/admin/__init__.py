"""Entity memory and the register's records in the admin."""

from entities.admin import entity, memory, pairs, policy, register, registers, screening

__all__ = ["entity", "memory", "pairs", "policy", "register", "registers", "screening"]
