"""Entity memory: finding entities, and the only functions that write them."""

from entities.memory.access import ADD, ADD_FORM, ADD_RESEARCH, MERGE, VERIFY
from entities.memory.base import (
    MAX_KEY,
    MAX_NAME,
    ChangeLog,
    NotAllowed,
    Origin,
    OutOfDate,
    RefusedWrite,
)
from entities.memory.days import last_day, read_day
from entities.memory.facts import Fact, Period, identifier
from entities.memory.findings import (
    Freshness,
    check_research_freshness,
    current_research,
    invalidate_research,
    store_claimed_results,
    store_research_results,
)
from entities.memory.forms import key_of
from entities.memory.judging import JUDGEMENTS, judge_pair
from entities.memory.knowledge import (
    MAX_TOLD,
    Knowledge,
    Told,
    contradictions,
    end_of,
    history_of,
    knowledge_of,
)
from entities.memory.likeness import Likeness, entities_alike
from entities.memory.locks import claim, keys_of
from entities.memory.merge import MergePlan, merge_entities, plan_merge, undo_merge
from entities.memory.pairs import find_pairs, pairs_of, propose_pairs, told_apart, waiting_pairs
from entities.memory.queries import (
    form_by_id,
    relationships_of,
    representations_of,
    timeline_of,
)
from entities.memory.representations import add_representation, deactivate_representation
from entities.memory.resolution import (
    ALIKE,
    MAX_CANDIDATES,
    PART,
    Resolution,
    by_reference,
    by_slug,
    resolve,
    search,
    survivor,
)
from entities.memory.slugs import free_slug
from entities.memory.statements import close, facts_said_of, retract, state, state_entity
from entities.memory.taking_back import TakeBack, plan_taking_back, take_back
from entities.memory.types import fill_types, is_removable, remove_type, save_type, time_to_live
from entities.memory.verification import unverify_entity, verify_entity
from entities.memory.writes import add_event, create_entity, end_links, ensure_entity, link
from entities.memory.written import Written

__all__ = [
    "ADD",
    "ADD_FORM",
    "ADD_RESEARCH",
    "ALIKE",
    "JUDGEMENTS",
    "MAX_CANDIDATES",
    "MAX_KEY",
    "MAX_NAME",
    "MAX_TOLD",
    "MERGE",
    "PART",
    "VERIFY",
    "ChangeLog",
    "Fact",
    "Freshness",
    "Knowledge",
    "Likeness",
    "MergePlan",
    "NotAllowed",
    "Origin",
    "OutOfDate",
    "Period",
    "RefusedWrite",
    "Resolution",
    "TakeBack",
    "Told",
    "Written",
    "add_event",
    "add_representation",
    "by_reference",
    "by_slug",
    "check_research_freshness",
    "claim",
    "close",
    "contradictions",
    "create_entity",
    "current_research",
    "deactivate_representation",
    "end_links",
    "end_of",
    "ensure_entity",
    "entities_alike",
    "facts_said_of",
    "fill_types",
    "find_pairs",
    "form_by_id",
    "free_slug",
    "history_of",
    "identifier",
    "invalidate_research",
    "is_removable",
    "judge_pair",
    "key_of",
    "keys_of",
    "knowledge_of",
    "last_day",
    "link",
    "merge_entities",
    "pairs_of",
    "plan_merge",
    "plan_taking_back",
    "propose_pairs",
    "read_day",
    "relationships_of",
    "remove_type",
    "representations_of",
    "resolve",
    "retract",
    "save_type",
    "search",
    "state",
    "state_entity",
    "store_claimed_results",
    "store_research_results",
    "survivor",
    "take_back",
    "time_to_live",
    "timeline_of",
    "told_apart",
    "undo_merge",
    "unverify_entity",
    "verify_entity",
    "waiting_pairs",
]
