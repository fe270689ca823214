"""Names of companies and funds that never were, as a register of many countries has them; the same for the same seed.

Words are put together as people name companies: a family, a place or an invented brand, what the company does, and
the legal form of its country, in the several ways it is written. One in six is a fund of a house that has many.
"""

import random
from collections.abc import Iterator

_FAMILIES = {
    "DE": "Bauer Brandt Fuchs Hartmann Hoffmann Keller Krämer Lindner Möller Müller Neumann Schäfer Vogel Weiß Ziegler",
    "FR": "Bernard Bonnet Chevalier Dubois Fontaine Garnier Girard Lefèvre Marchand Mercier Moreau Perrin Rousseau",
    "IT": "Barbieri Bianchi Colombo Conti Esposito Ferrari Galli Marchetti Moretti Ricci Rinaldi Romano Santoro",
    "ES": "Aguilar Castillo Domínguez Fernández Gutiérrez Herrera Iglesias Molina Navarro Ortega Peña Serrano Vázquez",
    "GB": "Ashworth Barclay Carrington Davies Ellison Fairfax Hargreaves Kendall Lockwood Pemberton Thornton Whitaker",
    "US": "Abbott Bradford Caldwell Donovan Emerson Franklin Garrison Hamilton Lawson McKinley Preston Sullivan Walker",
    "NL": "Bakker Dijkstra Hoekstra Jansen Kuiper Mulder Postma Smit Vermeulen Visser Vos Zijlstra",
    "SE": "Ahlström Bergström Dahlgren Ekholm Forsberg Hedlund Lindqvist Nyström Sjöberg Söderlund Wallin Öberg",
    "PL": "Dąbrowski Jabłoński Kamiński Kowalczyk Lewandowski Mazur Nowak Piątek Szymański Wiśniewski Wójcik Zając",
    "CZ": "Černý Dvořák Horák Jelínek Kučera Marek Novotný Pokorný Procházka Růžička Svoboda Veselý",
    "IN": "Agarwal Bhattacharya Chaudhary Deshmukh Gupta Iyer Jain Kapoor Mehta Patel Raghavan Sharma Singhania",
    "LU": "Arend Biver Clement Hoffmann Kayser Muller Reuter Schmit Thill Wagner Weber Weyland",
}
_PLACES = {
    "DE": "Augsburg Bremen Frankfurt Hamburg Isar Köln Leipzig Lübeck Mainz München Nord Rhein Sachsen Süd Ulm Weser",
    "FR": "Alsace Bordeaux Bretagne Garonne Grenoble Lille Loire Lyon Nantes Paris Provence Rhône Savoie Toulouse",
    "IT": "Adriatica Bologna Emilia Firenze Genova Liguria Lombardia Milano Napoli Padana Torino Veneto Verona",
    "ES": "Andalucía Aragón Barcelona Bilbao Cádiz Castilla Ebro Galicia Levante Madrid Málaga Sevilla Valencia",
    "GB": "Bristol Caledonian Cornwall Derby Highland Kent London Mersey Northern Oxford Severn Sussex Thames York",
    "US": "Atlantic Boston Carolina Cascade Chicago Delaware Hudson Lakeshore Midwest Ohio Pacific Rocky Texas",
    "NL": "Amstel Delft Eindhoven Friesland Holland Limburg Maas Noordzee Rotterdam Twente Utrecht Zeeland",
    "SE": "Bergslagen Dalarna Göteborg Mälaren Malmö Norrland Skåne Stockholm Svealand Uppsala Värmland Östersjön",
    "PL": "Bałtyk Gdańsk Katowice Kraków Lublin Łódź Mazowsze Poznań Pomorze Śląsk Warszawa Wrocław",
    "CZ": "Brno Čechy Hradec Liberec Morava Olomouc Ostrava Plzeň Praha Šumava Vltava Zlín",
    "IN": "Ahmedabad Bengal Chennai Deccan Ganga Gujarat Himalaya Hyderabad Indore Konkan Malabar Mumbai Punjab Pune",
    "LU": "Alzette Clervaux Diekirch Echternach Esch Kirchberg Luxembourg Mersch Moselle Remich Sûre Vianden",
}
_TRADES = {
    "DE": "Anlagenbau Bau Beteiligungs Brauerei Druck Elektrotechnik Energie Finanz Grundstücks Handels Immobilien "
    "Logistik Maschinenbau Medizintechnik Metallbau Pharma Projektentwicklung Solar Spedition Verlag Verwaltungs",
    "FR": "Assurances Bâtiment Boulangerie Conseil Construction Développement Distribution Énergies Finance Gestion "
    "Immobilier Industrie Investissements Logistique Matériaux Participations Patrimoine Promotion Services",
    "IT": "Assicurazioni Ceramiche Costruzioni Distribuzione Edilizia Energia Finanziaria Gestioni Immobiliare "
    "Impianti Industriale Investimenti Logistica Meccanica Partecipazioni Servizi Tessile Trasporti Vini",
    "ES": "Agrícola Asesores Construcciones Desarrollos Distribuciones Energías Gestión Hoteles Industrias "
    "Ingeniería Inmobiliaria Inversiones Logística Obras Patrimonial Renovables Servicios Suministros Transportes",
    "GB": "Advisory Aviation Brewing Capital Construction Consulting Developments Energy Engineering Estates Foods "
    "Freight Holdings Insurance Investments Leasing Logistics Marine Nominees Packaging Properties Renewables Shipping",
    "US": "Advisors Apparel Biotech Capital Communications Energy Entertainment Equipment Farms Financial Health "
    "Industries Insurance Laboratories Logistics Manufacturing Media Medical Partners Pharmaceuticals Realty Software",
    "NL": "Agri Beheer Beleggingen Bouw Energie Exploitatie Financiering Groothandel Installatietechniek Investeringen "
    "Logistiek Maritiem Onroerend Participaties Pensioen Scheepvaart Techniek Vastgoed Verhuur Zuivel",
    "SE": "Bygg Energi Entreprenad Fastigheter Finans Förvaltning Handel Industri Invest Kapital Konsult Livs "
    "Maskin Mekaniska Rederi Skog Teknik Transport Utveckling Verkstad",
    "PL": "Budownictwo Deweloper Dystrybucja Energia Finanse Handel Inwestycje Kapitał Logistyka Maszyny Meble "
    "Nieruchomości Obrót Produkcja Przetwórstwo Spedycja Technologie Ubezpieczenia Usługi Zakłady",
    "CZ": "Developer Doprava Elektro Energetika Finance Investiční Kapitál Logistika Mlékárny Nemovitosti Obchodní "
    "Pivovar Pojišťovna Projekty Reality Služby Správa Stavby Strojírny Technika",
    "IN": "Agro Apparels Castings Chemicals Constructions Electricals Enterprises Exports Finvest Foods Healthcare "
    "Infra Infrastructure Jewellers Logistics Minerals Pharma Polymers Projects Steels Technologies Textiles",
    "LU": "Asset Advisory Capital Conseil Equity Estate Finance Gestion Holding Immobilière Infrastructure Invest "
    "Investments Management Participations Partners Private Equity Properties Real Estate Securitisation Ventures",
}
_FORMS = {
    "DE": "GmbH|GmbH|GmbH|AG|GmbH & Co. KG|UG (haftungsbeschränkt)|SE|e.K.|Gesellschaft mit beschränkter Haftung",
    "FR": "SAS|SAS|SARL|SA|SCI|SNC|S.A.S.|S.A.|SOCIETE PAR ACTIONS SIMPLIFIEE",
    "IT": "S.r.l.|S.R.L.|SRL|S.p.A.|SPA|S.N.C.|SOCIETA' A RESPONSABILITA' LIMITATA",
    "ES": "S.L.|SL|S.A.|SA|S.L.U.|SOCIEDAD LIMITADA|SOCIEDAD ANONIMA",
    "GB": "Limited|Ltd|LIMITED|LTD|PLC|LLP|Public Limited Company",
    "US": "LLC|Inc.|Inc|Corp.|Corporation|L.P.|LP|L.L.C.|Company",
    "NL": "B.V.|B.V.|BV|N.V.|Holding B.V.|Coöperatie U.A.|Stichting",
    "SE": "AB|AB|Aktiebolag|AB (publ)|Handelsbolag|HB",
    "PL": "SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ|sp. z o.o.|Sp. z o.o.|S.A.|SPÓŁKA AKCYJNA|sp.k.",
    "CZ": "s.r.o.|s.r.o.|a.s.|spol. s r.o.|akciová společnost",
    "IN": "PRIVATE LIMITED|PRIVATE LIMITED|Pvt. Ltd.|LIMITED|LLP|Limited",
    "LU": "S.à r.l.|S.à r.l.|SARL|S.A.|SCSp|S.C.A.|SICAV-RAIF",
}
_HOUSES = (
    "Aldermoor Belvaris Corvantis Dunmore Estrella Fairhaven Granthorn Helvion Ironbridge Juniper Kestrel Lumenia "
    "Meridian Northgate Oakmont Pinnacle Quantara Ravenswood Silverlake Terravest Umbria Vantage Westmark Zephyr"
)
_STRATEGIES = (
    "Absolute Return|Asia Pacific Equity|Balanced|Credit Opportunities|Emerging Markets Debt|Euro Corporate Bond|"
    "European Small Cap|Global Dividend|Global Equity|Green Bond|High Yield|Income|Infrastructure|Long Short|"
    "Multi Asset|Private Debt|Private Equity|Real Estate|Short Duration|Sustainable Growth|US Large Cap|World Health"
)
_WRAPPERS = "Fund|Fund|Portfolio|Trust|UCITS ETF|SICAV|FCP|Master Fund LP|Feeder Fund LP|Sub-Fund"
_SYLLABLES = (
    "al an ar bel bo ca cel cor da del do el en es fa fe fi ga gen ha hel in ka ken la len lo lu ma mer mo na ne no "
    "o or pa pe pro ra ren ri ro sa sen si so ta tel ter ti to tri u ul va ven ver vi vo xa xen ya ze zo"
)
_NUMERALS = [" I", " II", " III", " IV", " V", " VI", " VII", " VIII", " IX", " X"]
_COUNTRIES = tuple(_FAMILIES)
_LISTS = {
    kind: {country: words.split() for country, words in table.items()}
    for kind, table in (("family", _FAMILIES), ("place", _PLACES), ("trade", _TRADES))
}
_BY_COUNTRY = {country: forms.split("|") for country, forms in _FORMS.items()}


def generate(count: int, seed: int = 97) -> Iterator[tuple[str, str]]:
    """``count`` times (name, ISO country); the first ones of a longer run are those of a shorter one."""
    draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
    for _ in range(count):
        country = draw.choice(_COUNTRIES)
        yield (_fund(draw) if draw.random() < 1 / 6 else _company(draw, country)), country


def misspell(name: str, draw: random.Random, edits: int = 2) -> str:
    """The name after random edits: a letter lost, added or changed, or two swapped; never a blank touched."""
    letters = list(name)
    for _ in range(edits):
        places = [at for at, char in enumerate(letters) if char.isalnum()]
        at = draw.choice(places)
        new = draw.choice("abcdefghijklmnopqrstuvwxyz")
        match draw.randrange(4):
            case 0 if len(places) > 3:
                del letters[at]
            case 1:
                letters.insert(at, new)
            case 2 if at + 1 < len(letters) and letters[at + 1].isalnum() and letters[at + 1] != letters[at]:
                letters[at], letters[at + 1] = letters[at + 1], letters[at]
            case _:
                letters[at] = new if letters[at].lower() != new else "q"
    return "".join(letters)


def _company(draw: random.Random, country: str) -> str:
    own, trade = _proper(draw, country), draw.choice(_LISTS["trade"][country])
    match draw.randrange(6):
        case 0:
            body = f"{own} {_proper(draw, country)} {trade}"
        case 1:
            body = f"{own} & {draw.choice(_LISTS['family'][country])} {trade}"
        case 2:
            body = f"{own} {draw.choice(_LISTS['place'][country])} {trade}"
        case 3:
            body = f"{own} {trade} {draw.choice(_LISTS['trade'][country])}"
        case _:
            body = f"{own} {trade}"
    name = f"{body} {draw.choice(_BY_COUNTRY[country])}"
    return name.upper() if draw.random() < 0.3 else name


def _proper(draw: random.Random, country: str) -> str:
    kind = draw.random()
    if kind < 0.25:
        return f"{draw.choice('ABCDEFGHJKLMNPRSTVW')}. {draw.choice(_LISTS['family'][country])}"
    if kind < 0.4:
        return draw.choice(_LISTS["family"][country])
    if kind < 0.5:
        return draw.choice(_LISTS["place"][country])
    return "".join(draw.choices(_SYLLABLES.split(), k=draw.choice((2, 3, 3, 4)))).capitalize()


def _fund(draw: random.Random) -> str:
    house = draw.choice(_HOUSES.split()) if draw.random() < 0.5 else _proper(draw, "GB")
    number = draw.choice(_NUMERALS) if draw.random() < 0.4 else ""
    year = f" {draw.randrange(2005, 2027)}" if draw.random() < 0.2 else ""
    strategy, wrapper = draw.choice(_STRATEGIES.split("|")), draw.choice(_WRAPPERS.split("|"))
    return f"{house} {strategy} {wrapper}{number}{year}"
