"""How much a source's publisher is worth by default, and how much a text has to do with a question.

A tier says what kind of publisher a domain is, never whether a page is right. ``high``: official (governments, courts,
registers, supervisors, standards bodies, universities) and, for scholarship, publishers that register DOIs.
``medium``: edited press, encyclopaedias, preprints. ``low``: anybody may publish. Everything else is ``unknown``,
which is no blame.
"""

import re
from typing import Literal, TypeAlias

from research.web.urls import host_of

Mode: TypeAlias = Literal["general", "academic", "technical"]
Tier: TypeAlias = Literal["high", "medium", "low", "unknown"]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names under which only public bodies and universities are given one.
OFFICIAL = _names(
    "gov mil int edu europa.eu admin.ch gouv.fr gv.at gc.ca govt.nz go.jp go.kr gob.es gob.mx gob.ar gob.cl bund.de "
    "ac.uk ac.at ac.jp ac.nz ac.za ac.il ac.kr ac.in ac.be"
)
OFFICIAL_COUNTRY = re.compile(r"(?:^|\.)(?:gov|edu)\.[a-z]{2}$")  # gov.uk, edu.au

HIGH: dict[Mode, frozenset[str]] = {
    "general": _names(
        # registers of companies and identifiers
        "gleif.org zefix.ch handelsregister.de unternehmensregister.de bundesanzeiger.de kvk.nl cssf.lu lbr.lu "
        "isin.org anna-web.org openfigi.com doi.org "
        # courts
        "bger.ch bvger.ch bundesverfassungsgericht.de bundesgerichtshof.de supremecourt.uk bailii.org hcch.net "
        # supervisors, central banks, exchanges
        "finma.ch snb.ch bafin.de amf-france.org banque-france.fr fca.org.uk bankofengland.co.uk bundesbank.de afm.nl "
        "centralbank.ie cbi.ie six-group.com londonstockexchange.com finra.org "
        # international bodies, standards
        "bis.org fsb.org iosco.org imf.org worldbank.org oecd.org un.org fatf-gafi.org ifrs.org iso.org ietf.org "
        "rfc-editor.org w3.org etsi.org "
        # universities without a suffix of their own
        "ethz.ch epfl.ch uzh.ch unibas.ch unige.ch unisg.ch tum.de lmu.de"
    ),
    "academic": _names(
        "nature.com science.org sciencedirect.com elsevier.com springer.com springernature.com wiley.com "
        "tandfonline.com sagepub.com oup.com cambridge.org ieee.org acm.org aps.org acs.org rsc.org plos.org pnas.org "
        "jstor.org cell.com nejm.org thelancet.com bmj.com jamanetwork.com royalsocietypublishing.org "
        "annualreviews.org frontiersin.org biomedcentral.com elifesciences.org aclanthology.org degruyter.com "
        "nber.org"
    ),
    "technical": _names(
        "python.org djangoproject.com postgresql.org sqlite.org mozilla.org kernel.org rust-lang.org golang.org go.dev "
        "nodejs.org unicode.org openssl.org owasp.org opengroup.org ecma-international.org whatwg.org json-schema.org "
        "openapis.org apache.org gnu.org debian.org"
    ),
}
MEDIUM: dict[Mode, frozenset[str]] = {
    "general": _names(
        "reuters.com apnews.com afp.com bloomberg.com ft.com wsj.com economist.com nytimes.com washingtonpost.com "
        "theguardian.com bbc.co.uk bbc.com nzz.ch srf.ch swissinfo.ch letemps.ch faz.net handelsblatt.com zeit.de "
        "spiegel.de lemonde.fr lesechos.fr elpais.com nikkei.com wikipedia.org britannica.com"
    ),
    "academic": _names(
        "arxiv.org biorxiv.org medrxiv.org ssrn.com repec.org semanticscholar.org openalex.org mdpi.com zenodo.org "
        "researchgate.net wikipedia.org"
    ),
    "technical": _names(
        "github.com gitlab.com stackoverflow.com stackexchange.com readthedocs.io readthedocs.org microsoft.com "
        "oracle.com ibm.com redhat.com cloudflare.com wikipedia.org"
    ),
}
LOW = _names(
    "facebook.com instagram.com x.com twitter.com threads.net tiktok.com youtube.com reddit.com quora.com "
    "pinterest.com linkedin.com tumblr.com medium.com substack.com blogspot.com wordpress.com weebly.com wixsite.com "
    "answers.com ehow.com telegram.org t.me vk.com 4chan.org scribd.com"
)

WORD = re.compile(r"\w+")
STOP_WORDS = _names(
    "a an and are as at be by for from has how in is it its of on or that the to was what when where which who why "
    "will with der die das den dem des ein eine einer und oder ist sind im in zu von mit für auf wer was wie wo "
    "le la les un une des du de et ou est sont dans pour par sur avec qui que quoi"
)


def tier(url: str, mode: Mode = "general") -> Tier:
    """The tier of the publisher of ``url``. What is official is high in every mode."""
    host = host_of(url)
    domains = _domains(host)
    if not host:
        return "unknown"
    if OFFICIAL_COUNTRY.search(host) or domains & (OFFICIAL | HIGH["general"] | HIGH[mode]):
        return "high"
    if domains & (MEDIUM["general"] | MEDIUM[mode]):
        return "medium"
    return "low" if domains & LOW else "unknown"


def relevance(question: str, text: str) -> float:
    """The share of the question's words that the text has, from 0 to 1; 0 for a question without words."""
    wanted = terms(question)
    return round(len(wanted & _words(text)) / len(wanted), 3) if wanted else 0.0


def terms(question: str) -> frozenset[str]:
    """Its words in lower case without the ones that say nothing (English, German, French); all if only those remain."""
    words = _words(question)
    return (words - STOP_WORDS) or words


def _words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold()))


def _domains(host: str) -> frozenset[str]:
    """The host and everything above it, by labels: ``notnature.com`` is not under ``nature.com``."""
    labels = host.split(".")
    return frozenset(".".join(labels[at:]) for at in range(len(labels)))
