"""Priorities by hand-made filters: the source's table."""

import pytest

from garimpo.contract import BadInput
from garimpo.sites.priority import load_filters

HOST = "http://www.agencia.com.br"

VECTORS = [
    ("Imóveis", "/imoveis", True, 6),
    ("PE", "http://pe.agencia.com.br/", True, 3),
    ("PE", "http://pe.agencia.com.br/", False, 0),
    ("Venda - casas e apartamentos", "/venda", False, 10),
    ("Lançamentos", "/lancamentos", False, 4),
    ("Temporada", "/temporada", True, 0),
    ("Ver todos os imóveis", "/todos", True, 8),
    ("Comprar", "/comprar", True, 5),
    ("Casas", "/c", False, 6),
    ("Casa", "/c", False, 4),
    ("Busca", "/busca?tipo=1", False, 4),
    ("Login", "/login", True, -20),
    ("Anuncie seu imóvel", "/anuncie", True, -18),
    ("Contato", "/fale-conosco", True, -8),
    ("Privacidade", "/politica-de-privacidade", True, -4),
    ("Quem somos", "/quem-somos.php", True, 0),
    (
        "Residencial Campo Novo, 2 quartos R$ 110.000 Hoje 18:26",
        "/grande-recife/imoveis/vendo-casa-258709656",
        False,
        -5,
    ),
    ("Apartamento com 2 quartos R$ 320.000", "/imovel/casa-venda-RS320000-id-74633216/", False, -2),
]


@pytest.mark.parametrize(("anchor", "path", "root", "expected"), VECTORS)
def test_the_vectors_of_the_source(anchor: str, path: str, root: bool, expected: int) -> None:
    url = path if path.startswith("http") else HOST + path
    assert load_filters("imoveis-pt").score(url, anchor, root) == expected


def test_the_brand_is_not_held_against_the_site() -> None:
    assert load_filters("imoveis-pt").score("http://www.contato-imoveis.com.br/casas", "Casas", True) == 6


def test_a_state_code_in_a_path_is_no_price() -> None:
    assert load_filters("imoveis-pt").score(HOST + "/porto-alegre-rs-90000", "Casas", True) == 6


def test_every_filter_that_fired_is_named() -> None:
    fired = load_filters("imoveis-pt").explain(HOST + "/login", "Login", True)
    assert fired == [("login in anchor", -10), ("login in URL", -10)]


def test_all_forty_filters_are_there() -> None:
    file = load_filters("imoveis-pt").file
    assert len(file.anchor) == 15 and len(file.against) == 21
    assert (file.state_on_root, file.long_anchor, file.time, file.price) == (3, 2, 1, 2)


def test_a_filter_file_with_a_fault_is_refused(tmp_path) -> None:
    with pytest.raises(BadInput, match="no such filter file"):
        load_filters("nonsense-xx")
    (tmp_path / "f.toml").write_text("entity = 'cars'\nlanguage = 'en'\nbonus = 3\n")
    with pytest.raises(BadInput, match="bonus"):
        load_filters(str(tmp_path / "f.toml"))
