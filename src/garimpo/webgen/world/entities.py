"""Sites that list things: what their sections are called and what a card of their listing says.

Archetypes are those of the detector's collection: A1 small agency, A2 portal, A3 classifieds behind state pages, A4 real estate
beside other goods, A5 listings behind a form or script only; N1 other goods, N2 about housing but without listings, N3 no
entities, N4 tiny.
"""

from garimpo.webgen.language import names
from garimpo.webgen.language.chance import Dice
from garimpo.webgen.world.hosts import Card

ENTITY_SECTIONS = {
    "A1": "venda aluguel imoveis lancamentos temporada locacao".split(),
    "A2": "lancamentos apartamentos casas terrenos coberturas salas".split(),
    "A3": "imoveis carros empregos eletronicos servicos".split(),
    "A4": "imoveis veiculos vagas moda receitas".split(),
    "A5": "busca resultado pesquisa".split(),
    "N1": "carros motos vagas ofertas produtos receitas usados".split(),
}
GATES = ("comprar", "alugar")
"""The pages between a portal's home and its listings."""
INFO_WORDS = {
    "en": "about contact privacy terms help team press faq partners sitemap-page history jobs".split(),
    "pt": "quem-somos contato privacidade termos ajuda equipe imprensa faq anuncie mapa-do-site cadastro login".split(),
}
TOPIC_OF = {"re": "housing", "cars": "motoring", "jobs": "education", "recipes": "cooking", "goods": "computing"}
ENTITY_OF_SECTION = {
    "carros": "cars", "motos": "cars", "veiculos": "cars", "usados": "cars", "empregos": "jobs", "vagas": "jobs",
    "receitas": "recipes",
    "eletronicos": "goods", "ofertas": "goods", "produtos": "goods", "moda": "goods", "servicos": "jobs",
}  # fmt: skip
KINDS = {
    "re": "apartamento casa cobertura terreno sala-comercial kitnet sobrado flat loja galpão".split(),
    "cars": "sedã hatch picape utilitário moto perua conversível van".split(),
    "jobs": "vendedor analista motorista recepcionista técnico enfermeiro programador cozinheiro".split(),
    "recipes": "bolo torta sopa feijoada moqueca pudim salada lasanha".split(),
    "goods": "notebook celular câmera fone monitor impressora teclado televisor".split(),
}


def entity_sections(card: Card, dice: Dice) -> tuple[list[str], list[str], list[str]]:
    """Name, topic and entity of each section of an entity site."""
    sections = ENTITY_SECTIONS[card.archetype]
    sections = [name for _, name in sorted((dice.roll(), name) for name in sections)]
    count = {"A1": dice.between(2, 3), "A2": dice.between(3, 5), "A5": 1, "N1": dice.between(2, 3)}.get(
        card.archetype, len(sections)
    )
    sections = sections[:count]
    entities = [ENTITY_OF_SECTION.get(name, "re") for name in sections]
    return sections, [TOPIC_OF[entity] for entity in entities], entities


def headline(dice: Dice, entity: str, seed: int) -> str:
    """The title of one entity, as its card and its page say it.

    >>> headline(Dice(1, "x"), "jobs", 1) == headline(Dice(1, "x"), "jobs", 1)
    True
    """
    kind, town, state = dice.one(KINDS[entity]), names.town(seed, dice.below(60)), dice.one(names.STATES)
    if entity == "re":
        deal = dice.one(("à venda", "para alugar", "em", "novo em", "com vaga em"))
        return f"{kind.capitalize()} {dice.between(1, 5)} quartos {deal} {town} - {state}"
    if entity == "cars":
        model = names.word(seed, "model", dice.below(80)).capitalize()
        return f"{model} {kind} {dice.between(1998, 2019)} {dice.between(10, 190)} mil km"
    if entity == "jobs":
        return f"Vaga de {kind} em {town} - {state}"
    if entity == "recipes":
        return f"{kind.capitalize()} de {names.word(seed, 'dish', dice.below(90))}"
    return f"{kind.capitalize()} {names.word(seed, 'maker', dice.below(40)).capitalize()} {dice.between(100, 9900)}"


def price(dice: Dice, entity: str) -> str:
    """What it costs; recipes cost nothing."""
    if entity == "recipes":
        return ""
    low, high, step = {"re": (40, 2500, 1000), "cars": (6, 180, 1000), "jobs": (9, 120, 100), "goods": (3, 80, 100)}[entity]
    return "R$ " + f"{dice.between(low, high) * step:,}".replace(",", ".") + dice.one((",00", ""))
