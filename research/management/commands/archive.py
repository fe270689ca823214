"""``manage.py archive``: search what was read, show it, and look after the index."""

import re

from common.commands.base import Actions, Mistake, Options
from common.commands.console import Part
from research.api.documents import DocumentDetailSerializer, found_document
from research.errors import NotFound
from research.management.base import ResearchCommand, find
from research.models import Document, Run, Source
from research.web.archive.index import index_everything, waiting_count
from research.web.archive.search import MAX_LIMIT, Found, search_documents


class Command(ResearchCommand):
    help = "Search the archive of what was read."

    def add_actions(self, actions: Actions) -> None:
        search = actions.add("search", self.search, "what answers a question, the best first")
        search.add_argument("query", nargs="+", metavar="QUERY")
        search.add_argument("--host", default="", help="only this host and those below it")
        search.add_argument("--run", default="", dest="run_id", metavar="RUN", help="only what this run read")
        search.add_argument("--language", default="", metavar="CODE", help="only this language, such as de")
        search.add_argument("--limit", type=int, default=10)
        get = actions.add("get", self.get, "one document with its text")
        get.add_argument("document_id", metavar="ID", help="its number, or the beginning of its digest")
        index = actions.add(
            "index", self.index, "take in what is not in the index yet (beat does so every minute)"
        )
        index.add_argument("--all", action="store_true", help="make the whole index anew")

    def search(self, options: Options) -> bool:
        """False when nothing was found."""
        if not 1 <= options["limit"] <= MAX_LIMIT:
            raise Mistake(f"--limit: from 1 to {MAX_LIMIT}")
        index_everything()
        found = search_documents(
            " ".join(options["query"]),
            host=options["host"],
            run=find(Run, options["run_id"]).pk if options["run_id"] else None,
            language=options["language"],
            limit=options["limit"],
        )
        if self.as_json:
            self.answer_all(map(found_document, found), [], none="")
        for each in found:
            self._show(each)
        if not found:
            self.say("nothing found")
        return bool(found)

    def _show(self, found: Found) -> None:
        document = found.document
        heading = document.title or document.url or document.digest[:12]
        self.say(f"{document.pk:>6}  ", (heading, "MIGRATE_HEADING"), f"  {found.score:.2f}")
        self.say(f"        {document.url}", f"  {document.fetched_at:%Y-%m-%d}")
        parts = [(re.sub(r"\s+", " ", text), marked) for text, marked in found.snippet.parts]
        self.say("        ", *((text, "SUCCESS") if marked else text for text, marked in parts))

    def get(self, options: Options) -> None:
        document = _find(options["document_id"])
        if self.as_json:
            self.print_json(DocumentDetailSerializer(document).data)
            return
        uses = Source.objects.filter(document=document).order_by("run__created_at")[:50]
        rows: list[list[Part]] = [
            ["document", str(document.pk)],
            ["title", document.title],
            ["url", document.url],
            ["read", f"{document.fetched_at:%Y-%m-%d %H:%M} UTC"],
            ["kind", " ".join(filter(None, [document.mime, document.language]))],
            ["digest", document.digest],
        ]
        rows += [["warning", (warning, "WARNING")] for warning in document.warnings]
        rows += [["used by", f"run {use.run_id}, source {use.number}"] for use in uses]
        self.table(rows)
        self.say("")
        self.say_text(document.text)

    def index(self, options: Options) -> None:
        count = index_everything(anew=options["all"])
        waiting = waiting_count()
        more = f", {waiting} wait: another worker is at it" * bool(waiting)
        self.answer({"indexed": count, "waiting": waiting}, [f"{count} taken in{more}"])


def _find(key: str) -> Document:
    key = key.strip().lower()
    if key.isascii() and key.isdigit() and len(key) < 19:
        found = list(Document.objects.filter(pk=int(key)))
    elif len(key) >= 6 and set(key) <= set("0123456789abcdef"):
        found = list(Document.objects.filter(digest__startswith=key)[:2])
    else:
        raise Mistake(f"document: {key[:60]!r} is neither a number nor the beginning of a digest")
    if len(found) > 1:
        raise Mistake(f"document: more than one digest begins with {key}; write more of it")
    if not found:
        raise NotFound(f"document: there is none with {key}")
    return found[0]
