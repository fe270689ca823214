"""What Fedlex is asked, in SPARQL over the JOLux ontology (https://swiss.github.io/fedlex-jolux/).

``%(language)s`` is an entry of the authority table of languages (DEU), ``%(today)s`` a day; what comes from a person
is a number or words of letters and digits, so nothing that is filled in can end a literal.
"""

PREFIXES = """
PREFIX jolux: <http://data.legilux.public.lu/resource/ontology/jolux#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
LANGUAGE = "<http://publications.europa.eu/resource/authority/language/%(language)s>"
_OF_THE_ACT = """
  ?work a jolux:ConsolidationAbstract ; jolux:classifiedByTaxonomyEntry/skos:notation ?sr .
  FILTER(str(?sr) = "%(number)s")
"""
_NAMED = f"""
  OPTIONAL {{
    ?work jolux:isRealizedBy ?name .
    ?name jolux:language {LANGUAGE} ; jolux:title ?title .
    OPTIONAL {{ ?name jolux:titleShort ?short }}
  }}
"""

VERSION = f"""{PREFIXES}
SELECT ?work ?date ?title ?short ?file WHERE {{
  {_OF_THE_ACT}
  ?version jolux:isMemberOf ?work ; jolux:dateApplicability ?date ; jolux:isRealizedBy ?text .
  FILTER(?date <= "%(today)s"^^xsd:date)
  ?text jolux:language {LANGUAGE} ; jolux:isEmbodiedBy ?form .
  ?form jolux:userFormat <https://fedlex.data.admin.ch/vocabulary/user-format/html> ; jolux:isExemplifiedBy ?file .
  {_NAMED}
}} ORDER BY DESC(?date) LIMIT 1
"""

METADATA = f"""{PREFIXES}
SELECT ?work ?title ?short ?document ?since ?until (COUNT(DISTINCT ?version) AS ?versions) (MAX(?day) AS ?latest)
WHERE {{
  {_OF_THE_ACT}
  {_NAMED}
  OPTIONAL {{ ?work jolux:dateDocument ?document }}
  OPTIONAL {{ ?work jolux:dateEntryInForce ?since }}
  OPTIONAL {{ ?work jolux:dateNoLongerInForce ?until }}
  OPTIONAL {{ ?version jolux:isMemberOf ?work ; jolux:dateApplicability ?day . FILTER(?day <= "%(today)s"^^xsd:date) }}
}} GROUP BY ?work ?title ?short ?document ?since ?until ORDER BY DESC(?since) LIMIT %(limit)d
"""

SEARCH = f"""{PREFIXES}
SELECT DISTINCT ?work (STR(?notation) AS ?sr) ?title ?short ?since WHERE {{
  ?work a jolux:ConsolidationAbstract ; jolux:classifiedByTaxonomyEntry/skos:notation ?notation ;
        jolux:isRealizedBy ?name .
  ?name jolux:language {LANGUAGE} ; jolux:title ?title .
  OPTIONAL {{ ?name jolux:titleShort ?short }}
  OPTIONAL {{ ?work jolux:dateEntryInForce ?since }}
  OPTIONAL {{ ?work jolux:dateNoLongerInForce ?until }}
  FILTER(!BOUND(?until) || ?until > "%(today)s"^^xsd:date)
  FILTER(%(words)s)
}} ORDER BY STRLEN(STR(?title)) LIMIT %(limit)d
"""
WORD = 'CONTAINS(LCASE(CONCAT(STR(?title), " ", COALESCE(STR(?short), ""))), "%s")'

_PART = "jolux:legalResourceSubdivisionIsPartOf"
RELATED = f"""{PREFIXES}
SELECT DISTINCT ?how ?other (STR(?notation) AS ?number) ?title ?short ?since WHERE {{
  {_OF_THE_ACT}
  {{
    ?citation jolux:citationToLegalResource/{_PART} ?work ;
              jolux:citationFromLegalResource/{_PART}/jolux:isMemberOf ?other .
    BIND("cites_it" AS ?how)
  }} UNION {{
    ?citation jolux:citationFromLegalResource/{_PART}/jolux:isMemberOf ?work ;
              jolux:citationToLegalResource/{_PART} ?other .
    BIND("is_cited" AS ?how)
  }} UNION {{
    ?impact jolux:impactToLegalResource/{_PART} ?work ; jolux:impactFromLegalResource/{_PART} ?other .
    BIND("changed_it" AS ?how)
  }}
  FILTER(?other != ?work)
  OPTIONAL {{ ?other jolux:classifiedByTaxonomyEntry/skos:notation ?notation }}
  OPTIONAL {{ ?other jolux:dateEntryInForce ?since }}
  OPTIONAL {{
    ?other jolux:isRealizedBy ?name .
    ?name jolux:language {LANGUAGE} ; jolux:title ?title .
    OPTIONAL {{ ?name jolux:titleShort ?short }}
  }}
}} ORDER BY ?how DESC(?since) LIMIT %(limit)d
"""
