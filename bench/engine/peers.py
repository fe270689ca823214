"""Two engines that people use instead, doing the same work as durably as they can: the journal is on PostgreSQL.

They are no dependencies of Dossier. ``--peers PYTHON`` names an interpreter that can import them; see docs/bench.md.
"""
# mypy: disable-error-code="import-not-found,import-untyped,untyped-decorator,no-any-unimported"

import json
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from bench.work import FOUND, MODEL, PROMPT, SYSTEM

AsyncRun: TypeAlias = Callable[[int], Awaitable[dict[str, Any]]]


def bench_search(query: str) -> str:
    """Search the web."""
    return FOUND


@asynccontextmanager
async def langgraph(url: str) -> AsyncIterator[AsyncRun]:
    """LangChain's agent on LangGraph, with its checkpoints on PostgreSQL after every step."""
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(os.environ["DATABASE_URL"], max_size=16, kwargs=options) as pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        model = ChatOpenAI(model=MODEL, base_url=url, api_key="x", max_retries=0)
        agent = create_agent(model, [bench_search], system_prompt=SYSTEM, checkpointer=saver)

        async def run(case: int) -> dict[str, Any]:
            config = {"recursion_limit": 50, "configurable": {"thread_id": uuid.uuid4().hex}}
            asked = {"messages": [("user", PROMPT.format(case=case))]}
            state = await agent.ainvoke(asked, config, durability="sync")
            document: dict[str, Any] = json.loads(state["messages"][-1].content)
            return document

        yield run


@asynccontextmanager
async def pydantic_ai(url: str) -> AsyncIterator[AsyncRun]:
    """Pydantic AI's agent inside a DBOS workflow, whose steps lie on PostgreSQL."""
    import logging

    from dbos import DBOS
    from pydantic_ai import Agent
    from pydantic_ai.durable_exec.dbos import DBOSDurability
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    logging.disable(logging.WARNING)
    DBOS(
        config={
            "name": "bench",
            "system_database_url": os.environ["DATABASE_URL"],
            "run_admin_server": False,
            "log_level": "ERROR",
        }
    )
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=url, api_key="x"))
    agent = Agent(
        model, name="bench", system_prompt=SYSTEM, tools=[bench_search], capabilities=[DBOSDurability()]
    )

    @DBOS.workflow()
    async def ask(prompt: str) -> str:
        return str((await agent.run(prompt)).output)

    DBOS.launch()
    try:

        async def run(case: int) -> dict[str, Any]:
            document: dict[str, Any] = json.loads(await ask(PROMPT.format(case=case)))
            return document

        yield run
    finally:
        DBOS.destroy()
