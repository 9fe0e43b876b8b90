"""Universities with departments, wikis of one farm, and their old and new names; crawled breadth first."""

from minds.world import World

TITLES = [
    "Main_Page",
    "History",
    "Members",
    "Events",
    "Physics",
    "Water",
    "London",
    "Music",
    "Apple",
    "Java",
    "Python",
    "Earth",
    "List",
    "Rules",
]


def make(seed, hosts=1500, share=0.06):
    world = World(seed)
    farms = [Farm(world) for _ in range(8)]
    while len(world.sites) < hosts:
        draw = world.random.random()
        if draw < share:
            renamed(world)
        elif draw < share + 0.25:
            world.pick(farms).wiki(world)
        elif draw < share + 0.35:
            university(world)
        else:
            see(world, f"www.{world.name()}.{world.pick(['org', 'net', 'edu'])}", department(world), world.address())
    return world


def see(world, host, site, ip, **options):
    """Breadth first, until a budget is spent."""
    budget = int(world.random.lognormal(3.6, 1.1)) + 2
    changing = options.pop("changing", 0.0)
    world.see(
        host, site, ip, min(1.0, budget / len(site)), 0.85, changing, lambda path: 3.0 * path.strip("/").count("/"), **options
    )


def department(world, size=None):
    size = size or int(world.random.lognormal(4.3, 1.0)) + 6
    people = [world.word() for _ in range(max(2, size // 12))]
    pages = world.new(["/", "/index.shtml", "/people/", "/courses/", "/research/"])
    for _ in range(size):
        kind = world.random.integers(4)
        person, word = world.pick(people), world.word()
        pages |= world.new(
            [
                [
                    f"/~{person}/{word}.html",
                    f"/people/{person}/pubs/{word}.ps",
                    f"/courses/{word[:3]}{world.random.integers(600)}/{person}.html",
                    f"/research/{word}/",
                ][kind]
            ]
        )
    return pages


def university(world):
    """Departments of one network, with rules, forms and some courses in common."""
    domain, network = f"{world.name()}.edu", world.address().rsplit(".", 1)[0]
    common = world.new(f"/rules/{world.word()}.pdf" for _ in range(world.random.integers(3, 60)))
    forms = world.new(f"/courses/forms/{world.word()}.html" for _ in range(world.random.integers(0, 30)))
    for number, name in enumerate({world.word(1) for _ in range(world.random.integers(3, 9))}):
        site = department(world) | {path: c for path, c in (common | forms).items() if world.random.random() < 0.8}
        see(world, f"{name}.{domain}", site, f"{network}.{number}")


class Farm:
    """A host of wikis: the same software and help pages, articles of one title and another text."""

    def __init__(self, world):
        self.domain, self.ip = f"{world.name()}.com", world.address()
        self.help = world.new(f"/wiki/Help:{world.word()}" for _ in range(world.random.integers(5, 80)))
        self.special = [f"/wiki/Special:{world.word(2)}" for _ in range(15)]
        self.made = []

    def wiki(self, world):
        titles = [*TITLES, *(world.word().title() for _ in range(int(world.random.lognormal(3.2, 1.1))))]
        site = world.new(["/"] + [f"/wiki/{title}" for title in titles] + self.special) | self.help
        see(world, f"{world.name()}.{self.domain}", site, self.ip, changing=world.pick([0.0, 0.1]))
        if world.random.random() < 0.1:  # the same wiki in another language
            see(world, f"es.{world.name()}.{self.domain}", world.new(site) | self.help, self.ip)


def renamed(world):
    """A server with several names, or one that moved; a society's site on two continents."""
    name, top, ip = world.name(), world.pick(["edu", "ac.uk", "org"]), world.address()
    site = department(world)
    kind = world.pick(["names", "numbers", "moved", "abroad", "below"])
    names = {
        "names": [f"www.{name[:4]}.{name}.{top}", f"{name[:4]}.{name}.{top}", f"{name[:4]}-www.{name}.{top}"],
        "numbers": [f"www{i}.{name}.{top}" for i in range(1, world.random.integers(3, 6))],
        "moved": [f"www.{name}.{top}", f"old.{name}.{top}"],
        "abroad": [f"www.{name}.org", f"{name}.{world.name()}.ac.uk"],
        "below": [f"{name}.{top}", f"{world.name()}.{top}"],
    }[kind]
    changing = world.pick([0.0, 0.0, 0.05, 0.3])
    for number, host in enumerate(names):
        there = {f"/{name}{path}": content for path, content in site.items()} if kind == "below" and number else site
        moved = names[0] if kind == "moved" and number and world.random.random() < 0.5 else None
        address = ip if kind in ("names", "moved") else world.address()
        see(world, host, there, address, changing=changing, links=1.0 if number else 7.0, moved_to=moved)
    world.copies(names)
