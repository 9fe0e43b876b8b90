"""Software documentation: organisations that carry manuals of others, releases, languages, staging hosts, archive mirrors."""

from minds.world import World

PLACES = ("/doc/{}/", "/manuals/{}/", "/docs/third-party/{}/", "/~admin/{}/", "/help/{}/", "/{}/")


def library(world):
    """Manuals in three releases each: most paths stay, contents change."""
    out = []
    for _ in range(25):
        title = world.word(2)
        paths = [
            world.pick(["{}.html", "ch{}.html", "api/{}.html", "ref/{}.htm"]).format(world.word())
            for _ in range(int(world.random.lognormal(4.2, 0.8)) + 8)
        ]
        release = world.new(dict.fromkeys(["index.html", *paths]))
        releases = [release]
        for _ in range(2):
            release = world.changed(release, world.pick([0.15, 0.4, 0.8])) | world.new(
                f"new-{world.word()}.html" for _ in range(5)
            )
            releases.append(release)
        out.append((title, releases))
    return out


def own_pages(world, count):
    sections = ["about", "news", "people", "projects", "download", "blog", world.word(), world.word()]
    pages = world.new(["/", "/contact.html"])
    return pages | world.new(f"/{world.pick(sections)}/{world.word()}{world.random.integers(100)}.html" for _ in range(count))


def below(prefix, manual):
    return {prefix + path: content for path, content in manual.items()}


def make(seed, hosts=1500, share=0.04):
    world = World(seed)
    books = library(world)
    while len(world.sites) < hosts:
        draw = world.random.random()
        if draw < share:
            group(world, books)
        elif draw < share + 0.03:
            releases(world, books)
        else:
            organisation(world, books)
    return world


def see(world, host, site, ip, **options):
    """A crawl with a budget for each host, shallow pages a little earlier."""
    budget = world.random.lognormal(4.0, 1.0) + 3
    world.see(host, site, ip, min(1.0, budget / len(site)), 0.75, order=lambda path: 0.2 * path.count("/"), **options)


def organisation(world, books):
    site = own_pages(world, int(world.random.lognormal(3.8, 1.1)) + 4)
    for _ in range(world.pick([0, 0, 1, 1, 2, 4])):
        title, editions = world.pick(books)
        site |= below(world.pick(PLACES).format(title), world.pick(editions))
    see(
        world,
        f"{world.pick(['www.', '', 'docs.', 'lab.'])}{world.name()}.{world.pick(['org', 'com', 'de', 'ac.uk'])}",
        site,
        world.address(),
    )


def releases(world, books):
    """Hosts of one project that hold its releases, or its languages: the same paths, other contents."""
    title, editions = world.pick(books)
    domain = f"{title}{world.name()}.org"
    home, ip = own_pages(world, 15), world.address()
    if world.random.random() < 0.5:
        for number, edition in enumerate(editions):
            see(world, f"v{number + 1}.{domain}", home | below("/", edition), ip)
    else:
        for language in ("en", "pt", "de"):
            see(world, f"{language}.{domain}", world.changed(home | below("/", editions[-1]), 0.85), ip)


def group(world, books):
    title, editions = world.pick(books)
    name = f"{title}{world.name()}"
    site = own_pages(world, int(world.random.lognormal(3.0, 0.8)) + 5) | below("/", world.pick(editions))
    kind, ip = world.pick(["docs", "staging", "archive", "www", "tail"]), world.address()
    names = {
        "docs": [f"docs.{name}.org", f"{name}.readthedocs.io"],
        "staging": [f"{name}.com", f"staging.{name}.com"],
        "archive": [f"{name}.org", f"mirror.{world.name()}.edu", f"ftp.{world.name()}.de"],
        "www": [f"{name}.org", f"www.{name}.org"],
        "tail": [f"{name}.org", f"{name}.{world.name()}.net"],
    }[kind]
    for number, host in enumerate(names):
        version = world.changed(site, 0.03) if kind == "staging" and number else site
        moved = names[0] if number and world.random.random() < 0.3 else None
        see(
            world,
            host,
            version,
            ip if kind in ("www", "staging") else world.address(),
            links=0.7 if number else 6.0,
            moved_to=moved,
        )
    world.copies(names)
