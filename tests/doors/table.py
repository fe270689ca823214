"""Which right each door asks for, written by hand beside the code: what the matrix compares the code with.

A right is a permission; ``MINE`` is what only its owner and superusers may see, ``STEER`` what is steered by whoever
asked for it and by those who may decide. ``KNOWN`` asks only for a known person, ``ANYBODY`` for nobody. A door that is
not written down here is a door that nobody has thought about: the matrix fails.
"""

MARK = "what-nobody-else-reads"  # stands in everything of the house that can be read
MINE, STEER, KNOWN, ANYBODY = "mine", "steer", "known", "anybody"
START, DECIDE, EXECUTE = "research.start_run", "research.decide_researchresult", "research.execute_verbs"
RUN, STEP, RESULT = "research.view_run", "research.view_step", "research.view_researchresult"
SESSION, WATCH, HOOK = "research.view_researchsession", "research.view_watch", "research.view_webhook"
SENT, SET_UP, DOCUMENT = "research.view_webhookdelivery", "research.add_webhook", "research.view_document"
MACRO, ENTITY, FORM = "research.view_macro", "entities.view_entity", "entities.view_representation"
FINDING, EVENT, RELATED, STATED = (
    f"entities.view_{name}" for name in ("entityresearch", "entityevent", "relationship", "statement")
)
PAIR = "entities.view_entitypair"
CHOICE, CHOOSE = "entities.view_registerselection", "entities.decide_register"
HIT, SCREEN, JUDGE = (
    f"entities.{name}" for name in ("view_screeninghit", "run_screening", "decide_screeninghit")
)
ANOMALY, SETTLE = "entities.view_anomaly", "entities.decide_anomaly"
ADD, ADD_FORM, ADD_FINDING = (
    f"entities.add_{name}" for name in ("entity", "representation", "entityresearch")
)

REST: dict[str, dict[str, tuple[str, ...]]] = {
    "api-macros": {"GET": (MACRO,)},
    "api-macro": {"GET": (MACRO,)},
    "api-runs": {"GET": (RUN,), "POST": (START,)},
    "api-run": {"GET": (RUN,)},
    "api-run-steps": {"GET": (STEP,)},
    "api-run-events": {"GET": (RUN, STEP)},
    "api-run-confirm": {"POST": (RUN, START, STEER)},
    "api-run-cancel": {"POST": (RUN, START, STEER)},
    "api-run-finish": {"POST": (RUN, START, STEER)},
    "api-run-resume": {"POST": (RUN, START, STEER)},
    "api-results": {"GET": (RESULT,)},
    "api-result": {"GET": (RESULT,)},
    "api-result-approve": {"POST": (RESULT, DECIDE)},
    "api-result-reject": {"POST": (RESULT, DECIDE)},
    "api-result-rerun": {"POST": (RESULT, DECIDE)},
    "api-result-verbs": {"GET": (RESULT,)},
    "api-result-execute": {"POST": (RESULT, EXECUTE)},
    "api-result-rollback": {"POST": (RESULT, EXECUTE)},
    "api-result-memo": {"GET": (RESULT,), "POST": (RESULT,)},
    "api-entities-enrich": {"POST": (FINDING, START)},
    "api-documents": {"GET": (DOCUMENT,)},
    "api-document": {"GET": (DOCUMENT,)},
    "api-sessions": {"GET": (SESSION,), "POST": (START,)},
    "api-session": {"GET": (SESSION, RUN, RESULT)},
    "api-watches": {"GET": (WATCH,)},
    "api-watch": {"GET": (WATCH,), "PATCH": (WATCH, "research.change_watch")},
    "api-watch-refresh": {"POST": (WATCH, START)},
    "api-webhooks": {"GET": (HOOK,), "POST": (SET_UP,)},
    "api-webhook": {"GET": (HOOK, MINE), "PATCH": (HOOK, SET_UP, MINE), "DELETE": (HOOK, SET_UP, MINE)},
    "api-webhook-secret": {"POST": (HOOK, SET_UP, MINE)},
    "api-webhook-test": {"POST": (HOOK, SET_UP, MINE)},
    "api-webhook-deliveries": {"GET": (SENT, MINE)},
    "api-delivery": {"GET": (SENT, MINE)},
    "api-delivery-resend": {"POST": (SENT, SET_UP, MINE)},
    "api-spending": {"GET": (RUN,)},
    "api-tokens": {},  # a name and a password, which no role sends: tests/api/test_tokens_open_the_door.py
    "api-token-current": {"DELETE": (KNOWN,)},
    "api-entities": {"GET": (ENTITY,), "POST": (ADD,)},
    "api-entity-resolve": {"GET": (ENTITY,), "POST": (ENTITY,)},
    "api-entity": {"GET": (ENTITY,)},
    "api-entity-timeline": {"GET": (EVENT,)},
    "api-entity-forms": {"GET": (FORM,), "POST": (ADD_FORM,)},
    "api-form-end": {"POST": (ADD_FORM,)},
    "api-entity-research": {"GET": (FINDING,), "POST": (ADD_FINDING,)},
    "api-entity-export": {"POST": (ENTITY, "entities.export_entity")},
    "api-entity-research-end": {"POST": (ADD_FINDING,)},
    "api-entity-selections": {"GET": (CHOICE,), "POST": (CHOOSE,)},
    "api-pairs": {"GET": (ENTITY, PAIR)},
    "api-pair": {"GET": (ENTITY, PAIR)},
    "api-pair-judgement": {"POST": (ENTITY, PAIR, "entities.merge_entity")},
    "api-registers": {"GET": (KNOWN,)},
    "api-register-candidates": {"GET": (KNOWN,)},
    "api-register-record": {"GET": (KNOWN,)},
    "api-selections": {"GET": (CHOICE,)},
    "api-selection": {"GET": (CHOICE,)},
    "api-selection-correction": {"GET": (CHOICE,), "POST": (CHOICE, CHOOSE)},
    "api-entity-related": {"GET": (RELATED,)},
    "api-entity-freshness": {"GET": (FINDING,)},
    "api-entity-screenings": {"GET": (HIT,), "POST": (SCREEN,)},
    "api-screening": {"GET": (HIT,)},
    "api-screening-lists": {"GET": ("entities.view_listversion",)},
    "api-screening-hits": {"GET": (HIT,)},
    "api-screening-hit": {"GET": (HIT,)},
    "api-screening-decision": {"POST": (HIT, JUDGE)},
    "api-anomalies": {"GET": (ANOMALY,)},
    "api-anomaly": {"GET": (ANOMALY,)},
    "api-anomaly-assignment": {"PUT": (ANOMALY, SETTLE), "DELETE": (ANOMALY, SETTLE)},
    "api-anomaly-decision": {"POST": (ANOMALY, SETTLE)},
    "api-entity-facts": {"GET": (STATED,)},
    "api-entity-statements": {"GET": (STATED,)},
    "api-statement-reasons": {"GET": (STATED,)},
    "api-lei-search": {"GET": (KNOWN,)},
    "api-lei-check": {"POST": (KNOWN,)},
    "api-lei": {"GET": (KNOWN,)},
    "api-citations-extract": {"POST": (KNOWN,)},
    "api-citations-verify": {"POST": (KNOWN,)},
    "api-citations-format": {"POST": (KNOWN,)},
    "api-schema": {"GET": (ANYBODY,)},
    "api-docs": {"GET": (ANYBODY,)},
    "": {"GET": (ANYBODY,)},  # where the start page is
    "healthz": {"GET": (ANYBODY,)},
    "readyz": {"GET": (ANYBODY,)},
}

ADMIN: dict[str, tuple[str, ...] | None] = {
    "doctor": ("research.view_auditevent",),
    "index": (KNOWN,),
    "login": (ANYBODY,),
    "logout": (ANYBODY,),
    "password_change": (KNOWN,),
    "password_change_done": (KNOWN,),
    "jsi18n": (KNOWN,),
    "confirm": (KNOWN,),  # or half-way through a log-in: tests/sign_in
    "passkey": (ANYBODY,),
    "single_sign_on": (ANYBODY,),
    "single_sign_on_done": (ANYBODY,),
    "second_factor": (KNOWN,),
    "second_factor_app": (KNOWN,),
    "second_factor_key": (KNOWN,),
    "second_factor_codes": (KNOWN,),
    "second_factor_remove": (KNOWN,),  # of one's own
    "entities_entity_verify": (ENTITY, "entities.verify_entity"),
    "entities_entity_unverify": (ENTITY, "entities.verify_entity"),
    "entities_entity_why": (ENTITY, STATED),
    "entities_entity_merge": (ENTITY, "entities.merge_entity"),
    "entities_entity_export": (ENTITY, "entities.export_entity"),
    "entities_entity_undo": (ENTITY, "entities.merge_entity"),
    "entities_entitypair_judge": (PAIR, "entities.merge_entity"),
    "entities_entity_owners": (ENTITY, "entities.view_relationship"),
    "entities_entity_owners_svg": (ENTITY, "entities.view_relationship"),
    "entities_entity_owners_bods": (ENTITY, "entities.view_relationship"),
    "entities_registerselection_correct": (CHOOSE,),
    "entities_screeninghit_decide": (HIT, JUDGE),
    "entities_entity_screen": (HIT, SCREEN),
    "entities_anomaly_assign": (ANOMALY, SETTLE),
    "entities_anomaly_decide": (ANOMALY, SETTLE),
    "research_macro_new": ("research.add_macro",),
    "research_macro_edit": ("research.add_macro",),
    "research_macro_ask": (START,),
    "research_memo_file": ("research.view_memo",),
    "research_memotemplate_new": ("research.add_memotemplate",),
    "research_memotemplate_preview": ("research.add_memotemplate",),
    "research_memotemplate_edit": ("research.add_memotemplate",),
    "research_memotemplate_activate": ("research.add_memotemplate",),
    "research_researchresult_review": (RESULT,),
    "research_researchresult_memo": (RESULT,),
    "research_researchresult_take_back": (RESULT, EXECUTE),
    "research_researchresult_standing": (RESULT,),
    "research_spending": (RUN,),
    "research_run_resume": (START, STEER),
    "research_run_finish": (START, STEER),
    "research_run_cancel": (START, STEER),
    "research_run_confirm": (START, STEER),
    "research_run_dismiss": (START,),
    "research_run_show-again": (START,),
    "research_run_dismiss_all": (START,),
    "auth_user_password_change": ("auth.change_user",),
    "autocomplete": None,  # without the name of a field; with one it asks for the view permission of its table
    "view_on_site": None,  # no table has a page of its own outside
    "app_list": (RUN,),  # any right to the tables of an app
}
"""Pages of the admin besides the five of each table."""

TABLES: dict[str, str] = {
    "auth_group": "add change delete",
    "auth_user": "add change delete",
    "citations_citation": "",
    "citations_bulkverification": "",
    "citations_authoritylist": "",
    "entities_entity": "",
    "entities_relationship": "",
    "entities_anomaly": "",
    "entities_entityevent": "",
    "entities_statement": "",
    "entities_entityresearch": "",
    "entities_representation": "",
    "entities_entityact": "",
    "entities_entitypair": "",
    "entities_entitytype": "add change delete",
    "entities_leipolicy": "add",
    "entities_leirecord": "",
    "entities_leirelationship": "",
    "entities_reportingexception": "",
    "entities_gleifimport": "",
    "entities_goldencopyimport": "",
    "entities_registerthreshold": "add change delete",
    "entities_registerselection": "add",
    "entities_registercorrection": "",
    "entities_listversion": "",
    "entities_listentry": "",
    "entities_screeningpolicy": "add",
    "entities_screeningrun": "",
    "entities_screeninghit": "",
    "entities_screeningdecision": "",
    "research_document": "",
    "research_lockout": "",
    "research_macro": "",
    "research_memo": "",
    "research_memotemplate": "",
    "research_modelprice": "add change delete",
    "research_check": "",
    "research_decision": "",
    "research_verbcall": "",
    "research_auditevent": "",
    "research_researchresult": "",
    "research_run": "",
    "research_step": "",
    "research_researchsession": "",
    "research_source": "",
    "knox_authtoken": "add delete",
    "research_watch": "change",
    "research_webhook": "add change delete",
    "research_webhookdelivery": "",
}
"""What can be done to the rows of a table besides looking at them."""
ASKS = {
    "entities_registerselection": {"add": CHOOSE},
    "auth_group": dict.fromkeys(("add", "change", "delete"), "superuser"),
}
"""Where it is not Django's own permission that is asked for."""
OWNED = {"knox_authtoken", "research_webhook", "research_webhookdelivery"}
"""Tables of which people see their own rows, superusers all."""

MCP: dict[str, tuple[str, ...]] = {
    "research_list": (MACRO,),
    "research_get": (MACRO,),
    "research_execute": (START, RUN),
    "research_status": (RUN,),
    "research_result": (RESULT,),
    "research_memo": (RESULT,),
    "research_confirm": (START, RUN, STEER),
    "research_cancel": (START, RUN, STEER),
    "research_finish": (START, RUN, STEER),
    "research_approve": (DECIDE, RESULT),
    "research_reject": (DECIDE, RESULT),
    "archive_search": (DOCUMENT,),
    "create_entity": (ADD,),
    "add_representation": (ADD_FORM,),
    "deactivate_representation": (ADD_FORM,),
    "store_research_results": (ADD_FINDING,),
    "invalidate_research": (ADD_FINDING,),
    "check_research_freshness": (FINDING,),
    "get_cached_research": (FINDING,),
    "query_entity_timeline": (EVENT,),
    "get_entity_representations": (FORM,),
    "get_related_entities": (RELATED,),
    "get_entity_facts": (STATED,),
    "screen_entity": (HIT,),
    **dict.fromkeys(
        (
            *("lookup_statute", "get_article", "get_provision_text", "list_articles", "search_legislation"),
            *("get_metadata", "find_related", "search_bge", "search_canton", "search_decisions"),
            *("search_by_case_number", "get_bge_decision", "get_decision_details", "get_related_decisions"),
            *("list_hierarchy", "list_facets", "find_similar_cases", "get_legal_provision_interpretation"),
            *("analyze_precedent_success_rate", "extract_citations", "review_citations", "parse_citation"),
            *("convert_citation", "standardize_document_citations", "format_citation", "validate_citation"),
            *("search_commentaries", "get_commentary_for_article", "get_commentary"),
            *(
                "list_legislative_acts",
                "lei_search",
                "lei_record",
                "lei_check",
                "lei_parents",
                "lei_children",
            ),
            *("lei_managed_funds", "get_token_metadata", "get_price_history", "check_rugcheck"),
            *("analyze_sentiment", "get_holder_distribution", "resolve_entity", "search_entities"),
        ),
        (ENTITY,),
    ),
}
