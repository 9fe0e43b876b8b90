"""A handful of small made sites: agencies with a listing, shops of cars, and blogs."""

from collections.abc import Sequence
from dataclasses import replace

from garimpo.contract import Link, Page
from garimpo.sites import Get

GOODS = {"casa": "casas apartamento quartos imovel bairro", "carro": "carros motor km cambio placa",
         "livro": "livros autor editora romance capa"}  # fmt: skip


def shop(site: str, thing: str) -> list[Page]:
    """A site with a menu, one listing of a thing, and a page for each thing."""
    root, goods = f"http://www.{site}/", GOODS[thing]
    menu = [Link(root, "Início"), Link(f"{root}{thing}s", thing.title() + "s"), Link(f"{root}contato", "Contato")]
    items = [Link(f"{root}{thing}s/{thing}-{i}", f"{thing.title()} {i} em {site}, bela e grande") for i in range(9)]
    listing = f"{goods} " + " ".join(f"R$ {i}00.000" for i in range(1, 10))
    pages = [
        Page(root, title=site, text=f"Bem-vindo a {site} {goods}", links=menu),
        Page(f"{root}{thing}s", title=f"{thing}s à venda", text=listing, links=[*menu, *items], images=9, prices=9),
        Page(f"{root}contato", title="Contato", text=f"Ligue para {site} (81) 3333-4444", links=menu),
    ]
    pages += [Page(item.target, title=item.anchor, text=f"{goods} R$ 1", links=menu, images=1, prices=1) for item in items]
    return _digested(pages)


def market(site: str, things: Sequence[str]) -> list[Page]:
    """A site with a listing of each thing, all in one menu."""
    shops = [shop(site, thing) for thing in things]
    menu = [link for pages in shops for link in pages[0].links]
    spoken = " ".join(pages[0].text for pages in shops)
    inner = [replace(page, links=[*menu, *page.links]) for pages in shops for page in pages[1:]]
    return _digested([Page(f"http://www.{site}/", title=site, text=spoken, links=menu), *inner])


def blog(site: str) -> list[Page]:
    """A site that only talks."""
    root = f"http://www.{site}/"
    menu = [Link(root, "Início"), Link(f"{root}sobre", "Sobre"), Link(f"{root}textos", "Textos")]
    posts = [Link(f"{root}textos/{i}", f"Texto número {i} sobre a vida") for i in range(6)]
    pages = [
        Page(root, title=site, text=f"Textos de {site} sobre musica e vida", links=menu),
        Page(f"{root}sobre", title="Sobre", text="Quem escreve aqui", links=menu),
        Page(f"{root}textos", title="Textos", text="musica vida cidade", links=[*menu, *posts]),
    ]
    pages += [Page(post.target, title=post.anchor, text="musica vida cidade rio mar", links=menu) for post in posts]
    return _digested(pages)


def _digested(pages: list[Page]) -> list[Page]:
    for number, page in enumerate(pages):
        page.text_digest, page.language = number + 1, "pt"
    return pages


def good(count: int, start: int = 0) -> dict[str, list[Page]]:
    return {f"casa{i}.com.br": shop(f"casa{i}.com.br", "casa") for i in range(start, start + count)}


def bad(count: int, start: int = 0) -> dict[str, list[Page]]:
    cars = {f"carro{i}.com.br": shop(f"carro{i}.com.br", "carro") for i in range(start, start + count)}
    return {**cars, **{f"blog{i}.com.br": blog(f"blog{i}.com.br") for i in range(start, start + count)}}


def getter(sites: dict[str, list[Page]]) -> Get:
    known = {page.url: page for pages in sites.values() for page in pages}
    return known.get


def html(page: Page) -> str:
    links = "".join(f'<a href="{link.target}">{link.anchor}</a> ' for link in page.links)
    images = '<img src="x.png">' * page.images
    return f"<html lang=pt><title>{page.title}</title><body><p>{page.text}</p>{images}{links}</body></html>"
