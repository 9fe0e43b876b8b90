"""Lists of words that say nothing about what a text is about, by language, or from a file."""

from pathlib import Path

from garimpo.contract import BadInput

LISTS = {
    "en": """a about after again all also am an and any are as at be because been before being between both but by can could
        did do does doing down during each few for from further had has have having he her here hers him his how i if in into
        is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so
        some such than that the their them then there these they this those through to too under until up very was we were
        what when where which while who whom why will with would you your""",
    "pt": """a à ao aos as às até com como da das de dela delas dele deles depois do dos e é ela elas ele eles em entre era
        eram essa essas esse esses esta está estas este estes eu foi for foram há isso isto já lhe lhes mais mas me mesmo meu
        minha muito na não nas nem no nos nós num numa o os ou para pela pelas pelo pelos por qual quando que quem se sem ser
        seu seus são só sua suas também te tem têm ter teu tua um uma você vocês""",
    "es": """a al algo antes como con contra cual cuando de del desde donde dos el él ella ellas ellos en entre era eran es esa
        esas ese eso esos esta está estas este esto estos fue fueron ha han hasta hay la las le les lo los más me mi mis mucho
        muy nada ni no nos nosotros o otra otro para pero poco por porque que qué quien se sea ser si sí sin sobre son su sus
        también te tiene todo todos tu un una uno y ya yo""",
    "it": """a ad ai al alla alle allo anche che chi ci come con così cui da dal dalla dalle dei del della delle dello di dove e
        è ed era erano fra gli ha hai hanno ho i il in io la le lei lo loro lui ma me mi mia mio ne né negli nei nel nella
        nelle noi non nostro o per perché più qual quale quando quella quelle quelli quello questa queste questi questo se sei
        si sia siamo sono su sua sue sui sul sulla suo tra tu tutti tutto un una uno vi voi""",
    "fr": """a à ai au aussi aux avec c ce ces cet cette comme d dans de des du elle elles en est et étaient été être eu il ils
        j je l la le les leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas pour qu que qui
        s sa sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous y""",
    "de": """aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dem den der des die dies diese dieser
        doch dort du durch ein eine einem einen einer eines er es für hat hatte hier ich ihm ihn ihr ihre im in ist ja kann
        kein keine mehr mein mich mit nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so über um und uns
        unter vom von vor war waren was weil wenn wer werden wie wir wird zu zum zur""",
}


def stop_words(name: str | None) -> frozenset[str]:
    """The words of a bundled list (by language: en, pt, es, it, fr, de), or of a file with one a line.

    Args:
        name: a language, the path of a file (blank lines and lines with `#` are skipped), or None: no words.

    >>> "the" in stop_words("en"), len(stop_words(None))
    (True, 0)
    """
    from garimpo.page import words

    if name is None:
        return frozenset()
    if name in LISTS:
        return frozenset(LISTS[name].split())
    path = Path(name)
    try:
        lines = path.read_text("utf-8-sig", "replace").splitlines()
    except (OSError, ValueError):
        known = ", ".join(LISTS)
        raise BadInput(f"stop words: {name} is neither a language ({known}) nor a file that can be read") from None
    return frozenset(word for line in lines if not line.lstrip().startswith("#") for word in words(line))
