"""Shared servers: default pages, parked names, blogs of one platform, and hosts of which a crawl knows a few URLs."""

from minds.world import World

BLOG = ["/about", "/archive", "/contact", "/rss", "/tag/news", "/tag/life", "/page/2", "/page/3"]


def make(seed, hosts=1500, share=0.05):
    world = World(seed)
    servers = [world.address() for _ in range(max(5, hosts // 60))]
    defaults = [
        world.new(["/", "/index.htm", "/cgi-sys/defaultwebpage.cgi", "/icons/apache.gif", f"/{world.word()}/readme.txt"])
        for _ in range(12)
    ]
    parked = [Parking(world) for _ in range(max(3, hosts // 150))]
    platforms = [(f"{world.name()}.com", world.address()) for _ in range(4)]
    while len(world.sites) < hosts:
        draw, ip = world.random.random(), world.pick(servers)
        if draw < share:
            group(world, ip)
        elif draw < share + 0.15:
            world.pick(parked).host(world)
        elif draw < share + 0.3:
            blog(world, *world.pick(platforms))
        else:
            site = small(world) | (world.pick(defaults) if world.random.random() < 0.3 else {})
            see(world, f"{world.pick(['www.', 'www.', ''])}{world.name()}.{world.pick(['com', 'net', 'info', 'ru'])}", site, ip)
    return world


def small(world):
    folders = ["", "", f"{world.word(2)}/", "img/", "news/"]
    paths = ["/"]
    for _ in range(int(world.random.lognormal(3.0, 1.2)) + 3):
        name = world.pick(["page", "products", "index", world.word(), world.word()])
        number = world.pick(["", "", world.random.integers(60)])
        paths.append(f"/{world.pick(folders)}{name}{number}.{world.pick(['html', 'php'])}")
    return world.new(paths)


def see(world, host, site, ip, changing=0.0, **options):
    """Of most hosts a few URLs are known, of the others much; what is known was often not fetched."""
    few = world.random.random() < 0.6
    known = min(1.0, world.random.integers(1, 8) / len(site)) if few else world.random.uniform(0.5, 1.0)
    world.see(host, site, ip, known, 0.35 if few else 0.9, changing, lambda path: 0.7 * path.count("/"), **options)


class Parking:
    """Names that all show the pages of their broker."""

    def __init__(self, world):
        self.pages, self.ip = world.new(["/", "/search", "/offer.html", "/privacy.html", f"/{world.word()}.js"]), world.address()

    def host(self, world):
        see(world, f"{world.name()}.com", self.pages | world.new(["/lander"]), self.ip, links=0.3)


def blog(world, platform, ip):
    """A blog: the paths of its platform, texts of its own, now and then a post that others have too."""
    posts = []
    for _ in range(int(world.random.lognormal(2.8, 1.0)) + 1):
        title = world.pick(["hello-world", world.word(), world.word()])
        posts.append(f"/{world.random.integers(2015, 2026)}/{world.random.integers(1, 13):02}/{title}")
    see(world, f"{world.name()}.{platform}", world.new(["/", *BLOG, *posts]), ip)


def group(world, ip):
    name, other = world.name(), world.name()
    site = small(world) | world.new(f"/{name}/{world.word()}.html" for _ in range(world.random.integers(0, 80)))
    kind = world.pick(["www", "alias", "scraper", "squatter", "address"])
    names = {
        "www": [f"{name}.com", f"www.{name}.com"],
        "alias": [f"www.{name}.com", f"www.{name}.info", f"{other}.com"],
        "scraper": [f"{name}.net", f"{other}.ru"],
        "squatter": [f"{name}.com", f"{name[:-1]}.com"],
        "address": [f"{name}.com", f"{name}.hosting{world.random.integers(9)}.net"],
    }[kind]
    changing = world.pick([0.0, 0.0, 0.1])
    for number, host in enumerate(names):
        address = ip if kind in ("www", "alias", "address") else world.address()
        moved = names[0] if number and kind == "alias" and world.random.random() < 0.4 else None
        see(world, host, site, address, changing, links=0.5 if number else 4.0, moved_to=moved)
    world.copies(names)
