"""Shops: suppliers' catalogues under one software, franchises and country versions that are not copies, aliases that are."""

from minds.world import World

TEMPLATES = ("/product/{n}", "/p/{w}-{n}.html", "/shop/item.aspx?sku={n}", "/{w}/{n}", "/catalog/product/view/id/{n}/")
DEFAULTS = ("/terms", "/privacy-policy", "/shipping", "/cart", "/customer/account/login", "/returns")


class Supplier:
    """A software with its templates and default pages, and a catalogue that some shops carry."""

    def __init__(self, world):
        template = world.pick(TEMPLATES)
        first = int(world.random.integers(1, 90_000))
        self.items = world.new(
            template.format(n=first + 3 * i, w=world.word()) for i in range(int(world.random.lognormal(5.0, 0.7)) + 30)
        )
        self.defaults = world.new(DEFAULTS)
        self.given = world.pick([0.0, 0.0, 0.2, 0.5, 0.7])
        """Part of a shop's item pages that are the supplier's own, word by word."""


def own(world, name):
    pages = world.new(["/", "/about-us", "/contact", f"/brands/{name}"])
    return pages | world.new(
        f"/blog/{world.random.integers(2019, 2026)}/{world.word()}-{world.word()}" for _ in range(world.random.integers(3, 60))
    )


def shop(world, supplier, name):
    """A shop with a part of a supplier's catalogue."""
    part = world.random.uniform(0.3, 1.0)
    items = {path: content for path, content in supplier.items.items() if world.random.random() < part}
    return own(world, name) | world.changed(supplier.defaults, 0.3) | world.changed(items, 1.0 - supplier.given)


def see(world, host, site, ip, changing=0.0, **options):
    """Popular pages are seen on every host that has them: rank by a hash of the path, with noise."""
    known = world.random.uniform(0.15, 0.9)
    world.see(host, site, ip, known, world.random.uniform(0.3, 1.0), changing, lambda path: hash_of(path) * 1.5, **options)


def hash_of(path):
    return sum(ord(c) * 31**i for i, c in enumerate(path)) % 997 / 997


def make(seed, hosts=1500, share=0.06):
    world = World(seed)
    suppliers = [Supplier(world) for _ in range(max(10, hosts // 25))]
    provider = [world.address() for _ in range(20)]
    while len(world.sites) < hosts:
        draw, supplier = world.random.random(), world.pick(suppliers)
        ip = world.pick(provider) if world.random.random() < 0.4 else world.address()
        if draw < share:
            group(world, supplier, ip)
        elif draw < share + 0.04:
            franchise(world, supplier)
        elif draw < share + 0.07:
            countries(world, supplier, ip)
        else:
            name = world.name()
            see(
                world,
                f"{world.pick(['www.', 'shop.', ''])}{name}.{world.pick(['com', 'net', 'co.uk', 'com.br'])}",
                shop(world, supplier, name),
                ip,
            )
    return world


def franchise(world, supplier):
    """One brand in several towns: much is the brand's, much is the town's."""
    brand = world.name()
    common = own(world, brand) | supplier.defaults | dict(list(supplier.items.items())[:60])
    for _ in range(world.random.integers(2, 6)):
        town = world.word(2)
        see(
            world,
            f"{brand}-{town}.com",
            world.changed(common, world.random.uniform(0.35, 0.7)) | own(world, town),
            world.address(),
        )


def countries(world, supplier, ip):
    """The same paths in each country, with other prices and words."""
    name = world.name()
    site = shop(world, supplier, name)
    for suffix in ("de", "at", "fr"):
        see(world, f"www.{name}.{suffix}", world.changed(site, 0.9), ip)


def group(world, supplier, ip):
    name = world.name()
    site, changing = shop(world, supplier, name), world.pick([0.0, 0.0, 0.0, 0.05, 0.1, 0.4])
    kind = world.pick(["alias", "www", "cdn", "secure", "partner"])
    names = {
        "alias": [f"{name}.com", f"{name}.net", f"{world.name()}.shop"],
        "www": [f"{name}.com", f"www.{name}.com"],
        "cdn": [f"www.{name}.com", f"cdn{world.random.integers(9)}.{name}.com", f"static.{name}.com"],
        "secure": [f"www.{name}.co.uk", f"secure.{name}.co.uk"],
        "partner": [f"www.{name}.com", f"{name}.{world.name()}.com"],
    }[kind]
    for number, host in enumerate(names):
        address = ip if kind in ("www", "alias", "secure") else world.address()
        moved = names[0] if number and kind in ("alias", "cdn") and world.random.random() < 0.4 else None
        see(world, host, site, address, changing, links=1.0 if number else 5.0, moved_to=moved)
    world.copies(names)
