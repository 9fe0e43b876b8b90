"""The *sections* regime of the graph tables: hosts as trees of sections, as manuals, shops and departments are.

A host has a home page and sections, each with a topic of its own, so that one topic lies in pieces on many hosts. A section has
pages that list its items, twenty each; every page shows the menu of its host. Lists, menus and homes are about nothing: what they
say is of all topics, and words of what they show where the section names its items. Others show numbers or pictures. Some links
stand twice or three times on a page (picture, name, "more"). The words of a link are from the middle of what it leads to.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.webgen.language import names
from garimpo.webgen.language.chance import shuffled
from garimpo.webgen.language.text import TOPICS
from garimpo.webgen.tables.draws import Floats, Ints, below, bits, normal, parts, poisson
from garimpo.webgen.tables.spoken import SENTENCES, Said
from garimpo.webgen.world.hosts import SHARES

LARGEST = 600
A_LIST = 20
"""Items on one list."""
MENU = 10
"""Sections of a host, at most."""
WANTED = 12
GENERAL = ("more", "here", "read on", "details", "back", "next", "previous", "see also", "link", "this page")
MORE, HERE, BACK, NEXT, PREVIOUS, ALSO = 0, 1, 4, 5, 6, 7
NUMBERS = 400
INDEX = "index"
"""The topic of pages that only lead to others."""


class Tree:
    """The plan of the graph: hosts, their sections, and what each page is."""

    def __init__(self, seed: int, pages: int) -> None:
        self.seed, self.pages = seed, pages
        self.topics = [*shuffled(TOPICS, seed, "graph topics"), INDEX]
        guess = pages // 12 + 50
        sizes = np.minimum(LARGEST, 12 / np.maximum(parts(seed, "sizes", guess), 1e-3) ** (1 / 1.1)).astype(np.int64)
        ends = np.cumsum(sizes)
        self.hosts = int(np.searchsorted(ends, pages)) + 1
        self.sizes = sizes[: self.hosts]
        self.sizes[-1] -= int(ends[self.hosts - 1]) - pages
        self.first = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.host_of = np.repeat(np.arange(self.hosts), self.sizes)
        self._sections()
        self.topic_of_section = self._topics()
        own = self.topic_of_section[self.section_of]
        strayed = parts(seed, "strayed pages", pages) < 0.1
        about = np.where(strayed, below(seed, "strayed to", pages, len(self.topics) - 1), own)
        self.topic_of = np.where(self.item, about, len(self.topics) - 1)
        self.heading = below(seed, "headings", pages, SENTENCES)

    def _sections(self) -> None:
        """Which pages make a section: the first of each are its lists; a home page is a section of itself."""
        kinds = np.clip(0.6 * np.sqrt(self.sizes), 2, MENU)[self.host_of].astype(np.int64)
        part = 1 + np.floor(kinds * parts(self.seed, "sections", self.pages) ** 1.4).astype(np.int64)
        part[self.first] = 0
        key = np.sort(self.host_of * 16 + part)
        begins = np.concatenate([[True], key[1:] != key[:-1]])
        self.begin = np.flatnonzero(begins)
        self.section_of = np.cumsum(begins) - 1
        self.size = np.diff(np.append(self.begin, self.pages))
        self.host = self.host_of[self.begin]
        self.home = np.isin(self.begin, self.first)
        self.lists = np.where(self.home, 1, -(-self.size // (A_LIST + 1)))
        self.rank = np.arange(self.pages) - self.begin[self.section_of]
        self.item = self.rank >= self.lists[self.section_of]
        self.style = parts(self.seed, "styles", len(self.begin))

    def _topics(self) -> Ints:
        """Of each section the topic that is furthest below its share, or (two of five) the one its host prefers."""
        shares = np.array(SHARES) / sum(SHARES)
        made, total = np.zeros(len(shares)), 0
        prefer = parts(self.seed, "preferred", len(self.begin)) < 0.4
        favourite = below(self.seed, "favourite", self.hosts, WANTED)
        topics = np.zeros(len(self.begin), np.int64)
        for section, size in enumerate(self.size.tolist()):
            topic = int(favourite[self.host[section]]) if prefer[section] else int(np.argmax(shares * (total + size) - made))
            if size > 0.2 * shares[topic] * self.pages:
                topic = int(np.argmax(shares))
            topics[section], made[topic], total = topic, made[topic] + size, total + size
        return topics

    def lengths(self) -> Ints:
        """Sentences of each page: few where it only leads to others."""
        said = np.clip(8 * 2.0 ** (0.8 * normal(self.seed, "lengths", self.pages)), 2, 40).astype(np.int64)
        return np.where(self.item, said, np.minimum(said, 4))

    def urls(self) -> pa.StringArray:
        """The URL of every page; on a third of the hosts it does not tell the section."""
        domains = [f"{names.word(self.seed, 'graph', index)}{index}.example" for index in range(self.hosts)]
        folders = [f"{names.word(self.seed, 'section', index)}/" for index in range(len(self.begin))]
        host, folder = pa.array(domains).take(pa.array(self.host_of)), pa.array(folders).take(pa.array(self.section_of))
        number = pa.array(np.arange(self.pages) - self.first[self.host_of]).cast(pa.string())
        flat = pc.binary_join_element_wise("node", number, ".html", "")
        file = pc.binary_join_element_wise(folder, pc.if_else(pa.array(self.rank == 0), "", flat), "")
        told = parts(self.seed, "flat", self.hosts)[self.host_of] > 0.33
        path = pc.if_else(pa.array(np.isin(np.arange(self.pages), self.first)), "", pc.if_else(pa.array(told), file, flat))
        return pc.binary_join_element_wise("http://", host, "/", path, "")

    def homes(self) -> Ints:
        """The home pages of twenty hosts to begin with, none of which has a section of the wanted topic."""
        wanted = np.unique(self.host[self.topic_of_section == WANTED])
        return self.first[np.setdiff1d(np.arange(self.hosts), wanted)[:20]]

    def shown(self, page: int) -> Ints:
        """The items that a list names in words; none where it is no such list."""
        section = self.section_of[page]
        if self.item[page] or self.style[section] >= 0.5:
            return np.zeros(0, np.int64)
        first = self.begin[section] + self.lists[section] + A_LIST * self.rank[page]
        return np.arange(first, min(first + A_LIST, self.begin[section] + self.size[section]))


class Links:
    """The links of a tree, kind by kind."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.headings = SENTENCES * (len(tree.topics) - 1)
        """Where the general words begin among the anchors."""
        self._parts: list[tuple[Ints, Ints, Ints, Ints]] = []
        self._lead()
        self._list()
        self._turn()
        self._beside()
        self._away()

    def _add(self, kind: int, sources: Ints, targets: Ints, anchors: Ints | int) -> None:
        words = np.full(len(sources), anchors) if isinstance(anchors, int) else anchors
        self._parts.append((sources, targets, words, np.full(len(sources), kind)))

    def general(self, word: int) -> int:
        """The anchor of a general word; behind these stand the numbers, nothing at all, and the labels of sections."""
        return self.headings + word

    def named(self, pages: Ints) -> Ints:
        """The anchor that names each page by its heading; lists have none and are shown as "here"."""
        tree = self.tree
        return np.where(tree.item[pages], tree.topic_of[pages] * SENTENCES + tree.heading[pages], self.general(HERE))

    def _lead(self) -> None:
        """The menu: home and the first list of every section of the host, on each of its pages."""
        tree = self.tree
        start = np.searchsorted(tree.host, np.arange(tree.hosts))
        count = np.diff(np.append(start, len(tree.begin)))[tree.host_of]
        sources = np.repeat(np.arange(tree.pages), count)
        turn = np.arange(len(sources)) - np.repeat(np.cumsum(count) - count, count)
        sections = start[tree.host_of[sources]] + turn
        self._add(0, sources, tree.begin[sections], self.general(len(GENERAL) + NUMBERS + 1) + sections)

    def _list(self) -> None:
        """Every item on its list, in the manner of the section; beside it a picture or "more" on some."""
        tree = self.tree
        items = np.flatnonzero(tree.item)
        section = tree.section_of[items]
        place = tree.rank[items] - tree.lists[section]
        style = tree.style[section]
        sources = tree.begin[section] + place // A_LIST
        number = self.general(len(GENERAL)) + np.minimum(place, NUMBERS - 1)
        empty = self.general(len(GENERAL) + NUMBERS)
        pictured = (np.floor(style * 1000) % 10 < 4) | (style >= 0.85)
        further = np.floor(style * 10_000) % 10 < 3
        words = np.where(style < 0.5, self.named(items), np.where(style < 0.85, number, empty))
        self._add(1, sources[pictured], items[pictured], empty)
        self._add(2, sources, items, words)
        self._add(3, sources[further], items[further], self.general(MORE))
        self._add(4, items, sources, self.general(BACK))

    def _turn(self) -> None:
        """From list to list, and on half of the sections from item to item."""
        tree = self.tree
        pages = np.arange(tree.pages - 1)
        section = tree.section_of[pages]
        alike = (section == tree.section_of[1:]) & (tree.item[:-1] == tree.item[1:])
        turned = pages[alike & (~tree.item[:-1] | (np.floor(tree.style[section] * 100) % 2 == 0))]
        self._add(5, turned, turned + 1, self.general(NEXT))
        self._add(6, turned + 1, turned, self.general(PREVIOUS))

    def _beside(self) -> None:
        """From items to others of their section, and to any page of the host; from a home page to some of its pages."""
        tree, seed = self.tree, self.tree.seed
        items = np.flatnonzero(tree.item)
        near = np.repeat(items, poisson(seed, "near", len(items), 1.0))
        section = tree.section_of[near]
        room = tree.size[section] - tree.lists[section]
        to = tree.begin[section] + tree.lists[section] + below(seed, "near to", len(near), room)
        self._add(7, near, to, self._words("near", to))
        around = np.repeat(items, poisson(seed, "around", len(items), 0.7))
        news = np.repeat(tree.first, 5)
        for kind, sources, what in ((8, around, "around to"), (9, news, "news")):
            host = tree.host_of[sources]
            to = tree.first[host] + below(seed, what, len(sources), tree.sizes[host])
            self._add(kind, sources, to, self._words(what, to))

    def _words(self, what: str, to: Ints) -> Ints:
        """Three of five links in the text name what they lead to."""
        named = parts(self.tree.seed, f"words {what}", len(to)) < 0.6
        return np.where(named, self.named(to), self.general(ALSO))

    def _away(self) -> None:
        """To other hosts: from items now and then, from home pages; half of them to a section of the same topic."""
        tree, seed = self.tree, self.tree.seed
        often = poisson(seed, "away", tree.pages, 0.5) * tree.item
        often[tree.first] = 4
        sources = np.repeat(np.arange(tree.pages), often)
        count, topics = len(sources), len(tree.topics) - 1
        own, roll = tree.topic_of_section[tree.section_of[sources]], parts(seed, "away roll", count)
        wanted = np.where(roll < 0.45, own, np.where(roll < 0.6, (own + 1) % topics, below(seed, "anywhere", count, topics)))
        order = np.argsort(tree.topic_of_section + topics * tree.home, kind="stable")
        starts = np.searchsorted((tree.topic_of_section + topics * tree.home)[order], np.arange(topics + 1))
        room: Floats = (starts[wanted + 1] - starts[wanted]).astype(np.float64)
        draw = starts[wanted] + room * parts(seed, "popular", count) ** 1.5
        section = order[np.minimum(draw.astype(np.int64), len(order) - 1)]
        deep = parts(seed, "deep", count) < 0.4
        to = tree.begin[section] + np.where(deep, below(seed, "which", count, tree.size[section]), 0)
        to = np.where(parts(seed, "to home", count) < 0.25, tree.first[tree.host[section]], to)
        self._add(10, sources, to, self._words("away", to))

    def arrays(self) -> tuple[Ints, Ints, Ints, Any]:
        """Source, target, number of the anchor, and place of every link, in order of the source."""
        sources, targets, anchors, kinds = (np.concatenate(columns) for columns in zip(*self._parts))
        order = np.argsort(sources, kind="stable")
        order = order[sources[order] != targets[order]]
        places = bits(self.tree.seed, "places", 16 * self.tree.hosts)
        return sources[order], targets[order], anchors[order], places[(16 * self.tree.host_of[sources] + kinds)[order]]

    def anchors(self, said: Said) -> pa.Array:
        """The words of all anchors by number: headings, general words, numbers, nothing, labels of the sections."""
        tree = self.tree
        telling = parts(tree.seed, "telling labels", len(tree.begin)) < 0.4
        coined = [names.word(tree.seed, "label", index) for index in range(len(tree.begin))]
        nouns = [
            said.headings(topic)[index % SENTENCES].split()[-1] for index, topic in enumerate(tree.topic_of_section.tolist())
        ]
        labels = [noun if told else word for noun, word, told in zip(nouns, coined, telling.tolist())]
        headings = [heading for topic in range(len(tree.topics) - 1) for heading in said.headings(topic)]
        return pa.array([*headings, *GENERAL, *(str(number + 1) for number in range(NUMBERS)), "", *labels])
