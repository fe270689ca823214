"""Entity memory and the register's records in the admin."""

from entities.admin import entity, memory, policy, register, registers, screening

__all__ = ["entity", "memory", "policy", "register", "registers", "screening"]
