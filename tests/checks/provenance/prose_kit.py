"""Forty pieces of prose, twenty written from what was read and twenty with something invented, in four languages.

They were written before the rules that judge them. Each has a text, the pages that were read, and the inventions.
"""

PAGES = {
    "de": (
        "Die Alpenglas Verwaltungs AG (CHE-114.782.905) mit Sitz in Baar wurde am 14. Juni 1999 ins "
        "Handelsregister des "
        "Kantons Zug eingetragen. Das Aktienkapital beträgt CHF 1'250'000. Präsident des "
        "Verwaltungsrates ist "
        "Dr. iur. Reto Aebischer, Mitglieder sind Claudia Nüssli und Jean-Marc Perroud. Im "
        "Geschäftsjahr 2024 erzielte die "
        "Gruppe einen Umsatz von 84,3 Mio. Franken (Vorjahr: 79,1 Mio. Franken) und beschäftigte 412 "
        "Mitarbeitende. "
        "Hauptaktionärin ist mit 62,5 % die Nüssli Familienstiftung in Vaduz. Revisionsstelle ist die "
        "Trevia Revision GmbH. "
        "Die Eidgenössische Finanzmarktaufsicht FINMA erteilte am 3. Mai 2021 die Bewilligung."
    ),
    "fr": (
        "La société Lémanique de Participations SA, immatriculée au registre du commerce de Genève sous "
        "CHE-207.339.418, a "
        "été constituée le 1er octobre 2008. Son capital-actions s'élève à 2 400 000 francs, divisé en "
        "24 000 actions. "
        "Mme Hélène Rochat préside le conseil d'administration ; Me Olivier de Montmollin en est le "
        "secrétaire. En 2023, le "
        "bénéfice net a reculé de 12 % à 5,6 millions de francs. Le Tribunal fédéral a rejeté le "
        "recours 4A_318/2022 le "
        "17 janvier 2023. La filiale Rhodan Immobilier Sàrl gère 38 immeubles."
    ),
    "it": (
        "La Ticinvest Holding S.p.A., con sede in Via Nassa 21 a Lugano e numero IVA IT 04739120157, è "
        "stata costituita il "
        "9 febbraio 2012. L'amministratore delegato è il dott. Fabrizio Quadranti; la signora Lucia "
        "Bernasconi è direttrice "
        "finanziaria. Il patrimonio gestito ammonta a 1,8 miliardi di euro, di cui il 35% in "
        "obbligazioni. Nel 2022 il "
        "personale contava 96 persone, nel 2023 erano 120. La controllata Monte Brè Servizi Sagl è "
        "iscritta dal 2016."
    ),
    "en": (
        "Harrowgate Marine Insurance plc (company number 02871164, LEI 213800EXAMPLE0000X17) was "
        "incorporated on "
        "November 16, 1993. Its chief executive, Margaret O'Donnell, holds 3.2 per cent of the shares; "
        "the largest holder is "
        "Castellan Capital Partners LLP with 28.75 per cent. Gross written premiums rose to $1.46 "
        "billion in 2024 from "
        "$1.31 billion. The group employs about 2,300 people in 14 offices. On 8 March 2022 the "
        "Prudential Regulation "
        "Authority fined it £4,200,000. The bond XS2314659447 matures in 2031. See doi 10.1093/rfs/hhab027."
    ),
    "register": (
        "Handelsregister B des Amtsgerichts Düsseldorf, HRB 87412: Rheintor Logistik GmbH & Co. KG. "
        "Geschäftsführer: Thorsten "
        "Wiebelhaus, geboren am 22.11.1974. Umsatzsteuer-Identifikationsnummer DE811907980. Einlage: "
        "750.000 EUR. "
        "Bilanzsumme 31.12.2023: 43.218.907,55 EUR."
    ),
}

# name: text, the pages that were read
READ = {
    "de, a paragraph": (
        "Die Alpenglas Verwaltungs AG hat ihren Sitz in Baar. Ihr Aktienkapital beträgt 1,25 Millionen "
        "Franken, und Reto "
        "Aebischer präsidiert den Verwaltungsrat.",
        ["de"],
    ),
    "de, findings with markdown": (
        "## Wirtschaftliche Lage\n\n- **Umsatz 2024:** 84,3 Mio. CHF [1]\n- **Vorjahr:** 79,1 Mio. CHF "
        "[1]\n- Das ist ein "
        "Wachstum von 6,6 Prozent.\n- Beschäftigt werden 412 Personen.",
        ["de"],
    ),
    "de, from an English page": (
        "Die Prudential Regulation Authority büsste die Harrowgate Marine Insurance plc am 8. März 2022 "
        "mit 4,2 Millionen "
        "Pfund. Grösste Aktionärin ist Castellan Capital Partners LLP mit 28,75 %.",
        ["en"],
    ),
    "de, from the register": (
        "Thorsten Wiebelhaus (geb. 22. November 1974) führt die Geschäfte der Rheintor Logistik GmbH & "
        "Co. KG, HRB 87412 des "
        "Amtsgerichts Düsseldorf. Die Bilanzsumme betrug Ende 2023 rund 43,2 Mio. Euro.",
        ["register"],
    ),
    "de, judgements": (
        "Insgesamt ist die Quellenlage gut. Die Angaben des Handelsregisters sind verlässlich, doch "
        "fehlen Angaben zu den "
        "wirtschaftlich Berechtigten der Stiftung. Der Verdacht einer Umgehung lässt sich nicht erhärten.",
        ["de"],
    ),
    "fr, a paragraph": (
        "La Lémanique de Participations SA, présidée par Hélène Rochat, a vu son bénéfice net reculer "
        "de 12 % en 2023, à "
        "5,6 millions de francs. Elle existe depuis le 1.10.2008.",
        ["fr"],
    ),
    "fr, from a German page": (
        "Selon le registre, la Nüssli Familienstiftung détient 62,5 pour cent d'Alpenglas Verwaltungs "
        "AG. La Trevia Revision "
        "GmbH est l'organe de révision. L'autorisation de la FINMA date du 3 mai 2021.",
        ["de"],
    ),
    "fr, a decision": (
        "Par arrêt 4A_318/2022 du 17 janvier 2023, le Tribunal fédéral a rejeté le recours. Maître de "
        "Montmollin est "
        "secrétaire du conseil.",
        ["fr"],
    ),
    "fr, what is counted": (
        "Trois administrateurs sont inscrits : Reto Aebischer, Claudia Nüssli et Jean-Marc Perroud. Le "
        "chiffre d'affaires a "
        "augmenté de 5,2 millions de francs d'une année à l'autre.",
        ["de"],
    ),
    "fr, judgements": (
        "En l'état, rien n'indique une participation dissimulée. Le Conseil fédéral et l'Union "
        "européenne suivent le dossier, "
        "mais les sources consultées ne permettent pas de conclure.",
        ["fr"],
    ),
    "it, a paragraph": (
        "Ticinvest Holding SpA gestisce 1'800 milioni di euro. L'amministratore delegato è Fabrizio "
        "Quadranti, la direttrice "
        "finanziaria Lucia Bernasconi; la società è stata costituita il 09.02.2012.",
        ["it"],
    ),
    "it, from a French page": (
        "La Lémanique de Participations SA ha un capitale di 2,4 milioni di franchi in 24'000 azioni. "
        "Rhodan Immobilier Sàrl "
        "amministra 38 immobili.",
        ["fr"],
    ),
    "it, what is reckoned": (
        "Nel 2023 il personale è salito da 96 a 120 persone, cioè del 25 per cento: 24 persone in più. "
        "La quota in "
        "obbligazioni è del 35%, il resto del 65% è investito altrimenti.",
        ["it"],
    ),
    "it, identifiers": (
        "Il numero IVA è IT04739120157. La Monte Brè Servizi Sagl è iscritta nel registro dal 2016.",
        ["it"],
    ),
    "it, judgements": (
        "Non risultano sanzioni. Le informazioni del Registro di Commercio sono aggiornate; resta da "
        "chiarire chi siano gli "
        "aventi diritto economico.",
        ["it"],
    ),
    "en, a paragraph": (
        "Harrowgate Marine Insurance PLC (no. 2871164) was incorporated on 16 November 1993. Ms "
        "O'Donnell, its chief "
        "executive, owns 3.2% of it. Premiums grew from 1.31 to 1.46 billion dollars in 2024, or by "
        "about 11%.",
        ["en"],
    ),
    "en, from a German page": (
        "According to the commercial register of the Canton of Zug, Alpenglas Verwaltungs AG "
        "(CHE114782905) has a share "
        "capital of one million two hundred and fifty thousand francs. The Swiss Financial Market "
        "Supervisory Authority "
        "licensed it on May 3, 2021.",
        ["de"],
    ),
    "en, a table": (
        "| Holder | Share |\n|---|---|\n| Castellan Capital Partners LLP | 28.75% |\n| Margaret "
        "O'Donnell | 3.2% |\n\n"
        "Together they hold 31.95% of Harrowgate Marine Insurance plc.",
        ["en"],
    ),
    "en, from an Italian page": (
        "Ticinvest Holding manages EUR 1.8 billion, of which EUR 630 million is in bonds. Dr Quadranti "
        "is its managing "
        "director, and Monte Brè Servizi Sagl is a subsidiary.",
        ["it"],
    ),
    "en, identifiers": (
        "The bond XS2314659447 matures in 2031; the paper is at https://doi.org/10.1093/rfs/hhab027. "
        "The VAT number of the "
        "German company is DE 811 907 980.",
        ["en", "register"],
    ),
}

# name: text, the pages that were read, what is invented
INVENTED = {
    "de, a parent": (
        "Die Alpenglas Verwaltungs AG gehört zur Silvretta Beteiligungen AG, die in Chur sitzt.",
        ["de"],
        ["Silvretta Beteiligungen AG"],
    ),
    "de, a director": (
        "Präsident des Verwaltungsrates ist Reto Aebischer; die Geschäfte führt seit Jahren Benedikt "
        "Oberholzer.",
        ["de"],
        ["Benedikt Oberholzer"],
    ),
    "de, an amount and a day": (
        "Am 17. September 2019 wurde das Aktienkapital auf 3,8 Mio. Franken erhöht.",
        ["de"],
        ["17. September 2019", "3,8 Mio"],
    ),
    "de, numbers of registers": (
        "Die Rheintor Logistik GmbH & Co. KG ist unter HRB 91355 eingetragen, die Komplementärin unter "
        "CHE-331.902.117.",
        ["register"],
        ["91355", "CHE-331.902.117"],
    ),
    "de, somebody with a title": (
        "Nach Auskunft von Frau Dr. Wettstein liegt kein Verfahren vor.",
        ["de"],
        ["Wettstein"],
    ),
    "fr, a shareholder": (
        "La Lémanique de Participations SA est détenue par Valmont Investissements Sàrl.",
        ["fr"],
        ["Valmont Investissements Sàrl"],
    ),
    "fr, a person": (
        "Hélène Rochat préside le conseil, dont Guillaume Tissandier est membre.",
        ["fr"],
        ["Guillaume Tissandier"],
    ),
    "fr, a share": (
        "La famille Rochat détient 71,4 % du capital, soit 17 136 actions.",
        ["fr"],
        ["71,4", "17 136"],
    ),
    "fr, a decision": (
        "Le Tribunal fédéral l'a confirmé dans l'arrêt 5A_774/2021 du 12 mars 2022.",
        ["fr"],
        ["5A_774/2021", "12 mars 2022"],
    ),
    "fr, a lawyer": (
        "Elle est représentée par Me Vuilleumier.",
        ["fr"],
        ["Vuilleumier"],
    ),
    "it, a subsidiary": (
        "Alla Ticinvest Holding S.p.A. fa capo anche la Ceresio Energia S.r.l.",
        ["it"],
        ["Ceresio Energia S.r.l"],
    ),
    "it, a person": (
        "Il presidente Ottavio Pellandini ha lasciato la carica; gli è succeduto Fabrizio Quadranti.",
        ["it"],
        ["Ottavio Pellandini"],
    ),
    "it, amounts": (
        "Nel 2023 l'utile è stato di 47 milioni di euro, con un margine del 18,3%.",
        ["it"],
        ["47 milioni", "18,3"],
    ),
    "it, an identifier": (
        "L'ISIN delle azioni è IT0003128367 e il numero IVA IT 09876543217.",
        ["it"],
        ["IT0003128367", "09876543217"],
    ),
    "it, a day": (
        "La licenza è stata rilasciata il 30 luglio 2018 all'avvocata Sig.ra Morandini.",
        ["it"],
        ["30 luglio 2018", "Morandini"],
    ),
    "en, an owner": (
        "Harrowgate Marine Insurance plc is controlled by Blackfen Resources Limited through nominees.",
        ["en"],
        ["Blackfen Resources Limited"],
    ),
    "en, a person": (
        "Its finance director, Timothy Garside, sold his shares before the fine.",
        ["en"],
        ["Timothy Garside"],
    ),
    "en, amounts in words and digits": (
        "The fine was reduced to £2.9 million, and seven million dollars were set aside.",
        ["en"],
        ["2.9 million", "seven million"],
    ),
    "en, an identifier": (
        "Its LEI is 529900T8BM49AURSDO55, and the study is 10.2139/ssrn.4417782.",
        ["en"],
        ["529900T8BM49AURSDO55", "10.2139/ssrn.4417782"],
    ),
    "en, a judge and a docket": (
        "Judge Hathersage dismissed the action, No. 22-cv-04471, on 5 June 2023.",
        ["en"],
        ["Hathersage", "22-cv-04471", "5 June 2023"],
    ),
}
