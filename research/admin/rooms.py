"""The tables of the admin as people look for them: grouped by what they are for, each with a few plain words."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

SETTINGS = "Settings"
ROOMS: dict[str, dict[str, str]] = {
    "Research": {
        "research.ResearchResult": "What runs found. Open one to review it.",
        "research.Run": "What was asked, how far it came, what it cost.",
        "research.Macro": "The questions that can be asked.",
        "research.Watch": "Approved answers that are looked at again before they grow old.",
        "research.Decision": "Who decided what about a result, and why.",
        "research.VerbCall": "What approved results wrote into memory, call by call.",
        "research.Memo": "Documents about results. One is written on the page of its result.",
        "research.Document": "The texts that were read, to be searched.",
        "research.ResearchSession": "Cases that group several runs.",
        "research.Walk": "Walks of runs through sites, view by view, with pictures.",
        "research.Source": "Which run used which text.",
        "research.Check": "Every verdict about every claim.",
        "research.Step": "The journal: every turn and call of every run.",
    },
    "Memory": {
        "entities.Entity": "Companies, funds, people and tokens that facts are about.",
        "entities.EntityPair": "Entities that may be the same, for a person to say.",
        "entities.Anomaly": "What looks wrong about entities and waits for a decision.",
        "entities.Statement": "Everything that was ever said of entities: when it holds, and when Dossier knew it.",
        "entities.Relationship": "Who consolidates, owns or manages whom.",
        "entities.Representation": "Numbers and names under which registers know an entity.",
        "entities.EntityResearch": "Findings with their sources, and until when they hold.",
        "entities.EntityEvent": "What happened to entities, and when.",
        "entities.EntityAct": "What people did: verified, merged, undone.",
        "entities.EntityLook": "Who looked at what is known of natural persons.",
        "entities.Erasure": "What was erased: by whom, when, why, how many rows of what.",
        "entities.EntityType": "What entities can be, and how long findings about them hold.",
    },
    "Register": {
        "entities.GoldenCopyImport": "What is imported of the LEI register; search it by name, verify an LEI.",
        "entities.LeiRecord": "Records of the LEI register as they were read.",
        "entities.LeiRelationship": "Who reports whom as parent or manager.",
        "entities.ReportingException": "Why an entity reports no parent.",
        "entities.GleifImport": "Parts of the register that verbs fetched.",
        "entities.RegisterSelection": "Which line of a national register was meant. Add one to look into a register.",
        "entities.RegisterCorrection": "Choices of a line that were taken back.",
        "entities.RegisterThreshold": "From which score on a rule may choose a line by itself.",
        "entities.LeiPolicy": "How strictly each finding about an LEI is judged.",
    },
    "Screening": {
        "entities.ScreeningHit": "Entities that are like somebody on an official list, to be decided.",
        "entities.ListVersion": "The official lists: which are imported, of which day; try a name.",
        "entities.ScreeningDecision": "Who decided what about a hit, and why.",
        "entities.ScreeningRun": "When who was screened, and against which lists.",
        "entities.ListEntry": "Who is and was on the lists.",
        "entities.ScreeningPolicy": "From which score on a likeness is a hit, and which lists must be looked at.",
    },
    "Citations": {
        "citations.Citation": "Works of law that were cited, and whether they exist.",
        "citations.BulkVerification": "Many citations that are verified one after the other.",
        "citations.AuthorityList": "The lists that decide what exists, and when they were imported.",
    },
    SETTINGS: {
        "research.ModelPrice": "What language models and searches cost, for budgets.",
        "research.MemoTemplate": "How memos are put together.",
        "auth.User": "Who may log in, and what they may do.",
        "auth.Group": "Rights that several people share.",
        "knox.AuthToken": "Keys of programs that use the API.",
        "research.Webhook": "Addresses of programs that are told what happens.",
        "research.WebhookDelivery": "What was sent to them, and what they answered.",
        "research.Lockout": "Failed attempts to get in, and who is locked out; end a lock-out here.",
        "research.AuditEvent": "Everything that happened, in order, sealed.",
    },
}
NAMES = {
    "entities.GoldenCopyImport": "LEI register",
    "entities.ListVersion": "Official lists",
    "entities.ScreeningHit": "Hits of lists",
    "knox.AuthToken": "API tokens",
}  # said better than the table
_PLACES = {
    name: (room, at, words)
    for room, tables in ROOMS.items()
    for at, (name, words) in enumerate(tables.items())
}
_LAST = (SETTINGS, len(_PLACES), "")


def by_room(apps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Django's list of apps, regrouped; what this page does not know stands under Settings, so nothing is lost."""
    rooms: dict[str, list[tuple[int, dict[str, Any]]]] = {room: [] for room in ROOMS}
    for app in apps:
        for model in app["models"]:
            label = f"{app['app_label']}.{model['object_name']}"
            room, at, words = _PLACES.get(label, _LAST)
            rooms[room].append((at, {**model, "name": NAMES.get(label, model["name"]), "words": words}))
    return [_room(name, found) for name, found in rooms.items() if found]


def _room(name: str, placed: list[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    return {
        "name": name,
        "app_label": f"room-{name.lower()}",
        "app_url": f"{reverse('admin:index')}#room-{name.lower()}",
        "has_module_perms": True,
        "models": [model for _, model in sorted(placed, key=lambda pair: pair[0])],
    }
