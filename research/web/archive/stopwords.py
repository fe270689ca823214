"""Words that say nothing about what a text is about, but much about its language."""

_WORDS = {
    "en": """a about above after again all also am an and any are as at be because been before being below between
        both but by can could did do does doing down during each either few for from further had has have having he
        her here hers herself him himself his how i if in into is it its itself just me more most my myself neither
        no nor not now of off on once only or other our ours ourselves out over own same she should so some such
        than that the their theirs them themselves then there these they this those through to too under until up
        upon very was we were what when where which while who whom whose why will with within would you your yours
        yourself yourselves s t ll re ve""",
    "de": """aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da
        damit dann das dass dein deine dem den denn der des dessen deren dich die dies diese diesem diesen dieser
        dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab
        habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist jede
        jedem jeden jeder jedes kann kein keine keinem keinen keiner können könnte machen man mehr mein meine mich
        mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie
        sind so solche soll sollte sondern sonst über um und uns unser unsere unter vom von vor war waren was weg
        weil weiter welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo
        worden wurde wurden zu zum zur zwar zwischen""",
    "fr": """à ai ainsi alors as au aucun aussi autre autres aux avait avant avec avoir ayant c ce ceci cela celle
        celles celui ces cet cette ceux chez ci comme d dans de des dont du elle elles en encore entre es est et
        étaient était été être eu eux fait il ils j je jusqu l la laquelle le lequel les lesquels leur leurs lui m
        ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus pour
        pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te
        tes toi ton tous tout toute toutes très tu un une vos votre vous y""",
    "it": """a abbiamo ad agli ai al alla alle allo anche ancora aveva avere c che chi ci ciò come con contro cosa cui d
        da dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dove e è ed era erano essere fra
        fu gli ha hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mio molto ne negli nei nel
        nella nelle nello noi non nostra nostro o ogni per perché più poi prima può qual quale quali quando quanto
        quella quelle quelli quello questa queste questi questo sarà se sei senza si sia sono sopra sotto sta stata
        stato su sua sue sugli sui sul sulla sulle suo suoi te ti tra tu tua tuo tutte tutti tutto un una uno vi voi
        """,
}

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
