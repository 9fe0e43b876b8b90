"""Datasette: tables as web pages, with facets, filters and sort orders, in Python. Here it is a catalogue."""

import json
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.packages import make_environment

ITEMS = 400
SETTINGS = {
    "title": "Catalogue",
    "databases": {"shop": {"tables": {"items": {"facets": ["topic", "maker", "year", "tag"], "label_column": "title"}}}},
}
TABLES = """
create table makers (id integer primary key, name text);
create table items (
    id integer primary key, title text, topic text, tag text, maker integer references makers(id), year integer, price integer,
    description text
);
"""


class Datasette(Application):
    name = "datasette"
    hosts = ("datasette.test",)
    masks = Masks(main="section.content", drop="form, .advanced-export, .facet-info", patterns=(r"Queries took \S+ms",))

    def install(self, folder: Path) -> None:
        make_environment(folder / "environment", ["datasette==0.65.1", "setuptools<80"])

    def fill(self, folder: Path, material: Material) -> None:
        database = sqlite3.connect(folder / "shop.db")
        database.executescript(TABLES)
        database.executemany("insert into makers values (?, ?)", [(number, f"Maker {number}") for number in range(1, 21)])
        rows = [
            (number, one.title, one.topic, one.tags[0], 1 + number % 20, 2000 + number % 13, 5 + number * 7 % 90, one.text)
            for number, one in enumerate(material.documents[:ITEMS], 1)
        ]
        database.executemany("insert into items values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        database.commit()
        database.close()
        (folder / "metadata.json").write_text(json.dumps(SETTINGS))

    def serve(self, folder: Path, port: int) -> Command:
        arguments = ["serve", "-i", "shop.db", "-p", str(port), "-m", "metadata.json", "--setting", "default_page_size", "40"]
        return Command([str(folder / "environment/bin/datasette"), *arguments])

    def kind(self, url: str) -> Kind:
        path, given = urlsplit(url).path, parameters(url)
        if path.endswith((".json", ".csv", ".blob", ".db")) or path.startswith("/-/"):
            return "file"
        if "sql" in given:
            return "form"
        return "document" if path.startswith("/shop/items/") and not given else "listing"
