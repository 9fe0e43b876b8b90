"""DokuWiki: a wiki in PHP, under two names, with old revisions of its pages."""

import gzip
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.packages import library_path, run, unpack_debian
from realweb.texts import Document

PAGES = 300
BEGIN, DAY = 1_600_000_000, 86_400
MODULES = ("ctype", "dom", "fileinfo", "iconv", "simplexml", "tokenizer", "xml", "xmlreader", "posix")
HISTORY = {"revisions", "diff", "draft"}
LISTINGS = {"index", "recent", "media", "backlink", "search"}


class DokuWiki(Application):
    name = "dokuwiki"
    hosts = ("dokuwiki.test", "www.dokuwiki.test")
    masks = Masks(main="#dokuwiki__content .page", drop="#dw__toc, .no, script", patterns=(r"\d{4}/\d\d/\d\d \d\d:\d\d",))

    def install(self, folder: Path) -> None:
        root = folder / "root"
        unpack_debian(["php8.2-cli", "php8.2-xml"], root)
        libraries = ["php-geshi", "libphp-simplepie", "php-phpseclib", "php-random-compat"]
        unpack_debian(["dokuwiki", *libraries], root, needed=False)
        wiki = folder / "wiki"
        shutil.copytree(
            root / "usr/share/dokuwiki", wiki, ignore=shutil.ignore_patterns("preload.php", ".htaccess", "tpl", "plugins")
        )
        for part in ("tpl", "plugins"):
            shutil.copytree(root / "var/lib/dokuwiki/lib" / part, wiki / "lib" / part)
        shutil.copytree(root / "etc/dokuwiki", wiki / "conf", ignore=shutil.ignore_patterns("*.auth.php"))
        for script in [wiki / "inc/parserutils.php", wiki / "inc/load.php", *(wiki / "vendor/composer").glob("*.php")]:
            script.write_text(script.read_text().replace("/usr/share/", f"{root}/usr/share/"))
        for part in ("pages", "attic", "meta", "media", "media_attic", "media_meta", "cache", "index", "locks", "tmp", "log"):
            (wiki / "data" / part).mkdir(parents=True)
        (wiki / "conf" / "local.php").write_text(
            "<?php\n$conf['title'] = 'Manuals';\n$conf['savedir'] = './data';\n"
            "$conf['useacl'] = 1;\n$conf['superuser'] = '@admin';\n"
        )
        (wiki / "conf" / "users.auth.php").touch()
        (wiki / "conf" / "acl.auth.php").write_text("*\t@ALL\t1\n")

    def fill(self, folder: Path, material: Material) -> None:
        data = folder / "wiki" / "data"
        chosen = material.documents[:PAGES]
        names = [f"{document.topic.replace('.', '_')}:{document.slug}" for document in chosen]
        for number, document in enumerate(chosen):
            near = [(number + step) % len(chosen) for step in (1, 7, 31)]
            links = "\n".join(f"  * [[{names[other]}|{chosen[other].title}]]" for other in near)
            _write_page(data, names[number], document, links, BEGIN + number * DAY)
        for topic in sorted({name.partition(":")[0] for name in names}):
            _write_start(data, f"{topic}:start", topic, [name for name in names if name.startswith(f"{topic}:")][:30])
        _write_start(data, "start", "Manuals", [name + ":start" for name in sorted({name.partition(":")[0] for name in names})])
        command = _php(folder, [str(folder / "wiki" / "bin" / "indexer.php"), "-q"])
        run(command.arguments, folder, command.environment)

    def serve(self, folder: Path, port: int) -> Command:
        return _php(folder, ["-S", f"127.0.0.1:{port}", "-t", str(folder / "wiki")])

    def kind(self, url: str) -> Kind:
        path, given = urlsplit(url).path, parameters(url)
        action = given.get("do", "show")
        if path.startswith("/lib/") or path == "/feed.php":
            return "file" if path.startswith("/lib/exe/fetch") else "listing"
        if "rev" in given or action in HISTORY or action.startswith("diff"):
            return "history"
        if action in LISTINGS or given.get("id", "start").endswith("start"):
            return "listing"
        return "document" if action == "show" else "form"


def _php(folder: Path, arguments: Sequence[str]) -> Command:
    root = folder / "root"
    options = [
        f"extension_dir={root}/usr/lib/php/20220829",
        f"include_path=.:{root}/usr/share/php:{root}/usr/share",
        "error_reporting=0",
    ]
    options += [f"extension={name}" for name in MODULES]
    settings = [part for option in options for part in ("-d", option)]
    environment = {"LD_LIBRARY_PATH": library_path(root), "PHP_CLI_SERVER_WORKERS": "2"}
    return Command([str(root / "usr/bin/php8.2"), *settings, *arguments], environment)


def _write_page(data: Path, name: str, document: Document, links: str, at: int) -> None:
    """A page with three revisions: the first paragraphs, more of them, all with links."""
    parts = document.paragraphs
    versions = [parts[: max(1, len(parts) // 3)], parts[: max(1, len(parts) * 2 // 3)], parts]
    page, meta = data / "pages" / f"{name.replace(':', '/')}.txt", data / "meta" / f"{name.replace(':', '/')}.changes"
    for folder in (page.parent, meta.parent, data / "attic" / Path(name.replace(":", "/")).parent):
        folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, version in enumerate(versions):
        text = f"====== {document.title} ======\n\n" + "\n\n".join(version) + (f"\n\n{links}\n" if number == 2 else "\n")
        time = at + number * 3600
        (data / "attic" / f"{name.replace(':', '/')}.{time}.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        lines.append(f"{time}\t127.0.0.1\t{'E' if number else 'C'}\t{name}\t\t{'more' if number else 'created'}\t\t{len(text)}\n")
        page.write_text(text)
    meta.write_text("".join(lines))
    _set_time(page, at + 2 * 3600)
    with (data / "meta" / "_dokuwiki.changes").open("a") as recent:
        recent.write(lines[-1])


def _write_start(data: Path, name: str, title: str, names: Sequence[str]) -> None:
    path = data / "pages" / f"{name.replace(':', '/')}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"====== {title} ======\n\n" + "\n".join(f"  * [[{name}]]" for name in names) + "\n")
    _set_time(path, BEGIN)


def _set_time(path: Path, at: int) -> None:
    os.utime(path, (at, at))
