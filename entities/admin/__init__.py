"""Entity memory and the register's records in the admin."""

from entities.admin import anomalies, entity, memory, pairs, policy, register, registers, screening

__all__ = ["anomalies", "entity", "memory", "pairs", "policy", "register", "registers", "screening"]
