"""The workflows, by the name that a macro uses."""

from collections.abc import Mapping

from research.engine.workflows.deep import Deep
from research.engine.workflows.direct import Direct
from research.engine.workflows.entity import Entity, Subject
from research.engine.workflows.legal import Legal
from research.engine.workflows.table import OwnersTable
from research.engine.workflows.topic import Topic
from research.engine.workflows.workflow import Workflow

WORKFLOWS: Mapping[str, Workflow] = {
    "direct": Direct(),
    "deep": Deep(),
    "topic": Topic(),
    "entity": Entity(),
    "subject": Subject(),
    "legal": Legal(),
    "table": OwnersTable(),
}

__all__ = ["WORKFLOWS", "Workflow"]
