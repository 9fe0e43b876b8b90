"""One site looked at closely: the URLs of each page, and the page behind any URL.

`urls` gives a page all its URLs (the plain one first, each with the family that made it) and `find` is the inverse: it undoes the
families and reads what is left. Every URL that `urls` gives is found again as the same page, and an address that nobody made is
found as none.
"""

from garimpo.webgen.language.chance import Dice, share
from garimpo.webgen.world.plans import DEFAULTS, Plan
from garimpo.webgen.world.schemes import Address, Node

MOST_URLS = 10


class Site(Plan):
    """A plan whose pages have URLs."""

    # URLs

    def plain(self, node: Node) -> Address:
        """The address that the site itself would call the right one."""
        if node.role == "default":
            return Address(f"/{self.default_folder}/readme{node.number}.html")
        base = self.scheme.write(node if node.role != "print" else Node("item", node.number), self.section_of(node))
        if node.role == "print":
            return base._replace(path="/print" + base.path)
        if node.other.startswith("l:"):
            return base._replace(path=f"/{node.other[2:]}{base.path}")
        if node.other.startswith("t:"):
            return self._disguise(base, node.other[2:]) or base
        return base

    @property
    def default_folder(self) -> str:
        """Where the software leaves its own pages."""
        return ("manual", "icons", "setup", "documentation")[self.software.index % 4]

    def can_disguise(self, item: int) -> bool:
        return self._disguise(self.scheme.write(Node("item", item), self.section_of(Node("item", item))), "x") is not None

    def _disguise(self, base: Address, value: str) -> Address | None:
        if self.trap == "param":
            return base._replace(params=(*base.params, (self.trap_name, value)))
        if self.trap == "case":
            head, _, tail = base.path.rpartition("/")
            changed = f"{head}/{tail.capitalize()}" if tail else f"{head.title()}/"
            return base._replace(path=changed) if changed != base.path else None
        if self.trap == "slash" and "." not in base.path:
            return base._replace(path=base.path[:-1] if base.path.endswith("/") else base.path + "/")
        if self.trap == "index" and base.path.endswith("/"):
            return base._replace(path=base.path + "index.html")
        return None

    def urls(self, node: Node) -> list[tuple[Address, str]]:
        """The addresses of a page on its host, the plain one first, each with the family that made it."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._urls(node)
        return known

    def _urls(self, node: Node) -> list[tuple[Address, str]]:
        plain = self.plain(node)
        if node.other[:2] in ("t:", "l:") or node.role in ("print", "default"):
            return [(plain, "unique")]
        made = {plain: ""}
        if node.role == "item" and self.folder and not self.is_translated(node.number):
            made[plain._replace(path=f"/{self.folder}{plain.path}")] = "language_fallback"
        if node.role == "item" and self.redirects and share(self.seed, "go", self.index, node.number) < 0.3:
            made[Address(f"/go/{self.scheme.id_of(node.number)}")] = "redirect"
        if self.families and share(self.seed, "dust", self.index, *node) < self.dust_rate:
            self._vary(node, plain, made)
        first = "plain" if len(made) > 1 else "unique"
        return [(address, family or first) for address, family in made.items()]

    def _vary(self, node: Node, plain: Address, made: dict[Address, str]) -> None:
        dice = Dice(self.seed, "vary", self.index, *node)
        count = 1
        while count < MOST_URLS - 1 and dice.chance(0.4):
            count += 1
        for _ in range(count):
            chosen = [dice.one(self.families)]
            if len(self.families) > 1 and dice.chance(0.15):
                second = dice.one(self.families)
                chosen = [chosen[0]] if second.rank == chosen[0].rank else sorted([*chosen, second], key=lambda f: -f.rank)
            address: Address | None = plain
            for family in chosen:
                address = family.apply(self, node, address, dice) if address else None
            if address is not None:
                made.setdefault(address, "+".join(family.name for family in chosen))

    def find(self, target: Address, state: int = -1) -> tuple[Node, bool] | None:
        """The page at an address (on a state's host: of that state), and whether it redirects to the plain address."""
        if target.path.startswith("/go/") and self.redirects and not target.params:
            number = target.path[4:]
            item = self.scheme.item_of_id(number) if number.isdecimal() and len(number) < 12 else None
            found = Node("item", item) if item is not None and item < self.items else None
        else:
            found = self._find(target)
        found = None if found is None else self._here(found, state)
        return None if found is None else (found, target.path.startswith("/go/"))

    def _here(self, node: Node, state: int) -> Node | None:
        """The page as it stands on this host, if it is there: classifieds behind state pages keep theirs apart."""
        if not self.states:
            return node
        if state < 0:
            return node if node.role in ("home", "info", "default") else None
        if node.role == "item":
            return node if node.number % len(self.states) == state else None
        if node.role == "list" and node.page <= self.pages_in(node.number, state):
            return node._replace(other=f"s:{state}")
        return node._replace(other=f"s:{state}") if node.role == "home" else None

    def _find(self, target: Address) -> Node | None:
        if self.defaults and target.path.startswith(f"/{self.default_folder}/readme"):
            known = (Node("default", number) for number in range(DEFAULTS))
            return next((node for node in known if self.plain(node) == target), None)
        if target.path.startswith("/print/") and self.prints:
            item = self._exact(target._replace(path=target.path[6:]))
            return Node("print", item.number) if item and item.role == "item" and self.has_print(item.number) else None
        folder = f"/{self.folder}/"
        if self.folder and target.path.startswith(folder):
            item = self._exact(target._replace(path=target.path[len(folder) - 1 :]))
            if item is None or item.role != "item":
                return None
            return item._replace(other=f"l:{self.folder}") if self.is_translated(item.number) else item
        hidden = self._unmask(target)
        if hidden is not None:
            return hidden
        for family in self.families:
            target = family.undo(self, target)
        return self._exact(target)

    def _unmask(self, target: Address) -> Node | None:
        """The look-alike at this address, if it is one."""
        if not self.trap:
            return None
        value, base = "x", target
        if self.trap == "param":
            value = dict(target.params).get(self.trap_name, "")
            base = target._replace(params=tuple(pair for pair in target.params if pair[0] != self.trap_name))
        elif self.trap == "case":
            base = target._replace(path=target.path.lower())
        elif self.trap == "slash":
            base = target._replace(path=target.path[:-1] if target.path.endswith("/") else target.path + "/")
        else:
            base = target._replace(path=target.path.removesuffix("index.html"))
        item = self._exact(base)
        if item is None or item.role != "item":
            return None
        node = item._replace(other=f"t:{value}")
        return node if self._disguise(base, value) == target and node in self.lookalikes(item.number) else None

    def _exact(self, target: Address) -> Node | None:
        found = self.scheme.read(target)
        if found is None:
            return None
        node = found[0]
        if node.role == "item" and node.number >= self.items:
            return None
        if node.role == "list" and not (
            0 <= node.number < len(self.section_topics) and 1 <= node.page <= self.pages_in(node.number)
        ):
            return None
        return node if self.scheme.write(node, self.section_of(node)) == target else None
