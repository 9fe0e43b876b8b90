"""MHonArc: the archive of a mailing list, by date and by thread, in Perl; its pages are files."""

import mailbox
import os
import sys
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material
from realweb.applications.manuals import STATIC
from realweb.packages import run, unpack_debian

MESSAGES, THREAD = 400, 4
BEGIN, STEP = 1_600_000_000, 40_000


class MHonArc(Application):
    name = "mhonarc"
    hosts = ("lists.test",)
    masks = Masks()

    def install(self, folder: Path) -> None:
        unpack_debian(["mhonarc"], folder / "root")

    def fill(self, folder: Path, material: Material) -> None:
        box = mailbox.mbox(folder / "list.mbox")
        threads = [material.documents[begin : begin + THREAD] for begin in range(0, MESSAGES, THREAD)]
        for number, thread in enumerate(threads):
            for place, document in enumerate(thread):
                box.add(_message(thread[0].title, document.text, number * THREAD + place, place))
        box.close()
        target = folder / "hosts" / self.hosts[0]
        target.mkdir(parents=True)
        root = folder / "root"
        command = [
            "perl",
            root / "usr/bin/mhonarc",
            "-quiet",
            "-multipg",
            "-idxsize",
            "50",
            "-outdir",
            target,
            folder / "list.mbox",
        ]
        run(command, folder, {**os.environ, "PERL5LIB": f"{root}/usr/share/mhonarc:{root}/usr/share/perl5"})
        (target / "index.html").symlink_to("maillist.html")

    def serve(self, folder: Path, port: int) -> Command:
        return Command([sys.executable, str(STATIC), str(port), str(folder / "hosts")])

    def kind(self, url: str) -> Kind:
        return "document" if Path(urlsplit(url).path).name.startswith("msg") else "listing"


def _message(subject: str, text: str, number: int, place: int) -> EmailMessage:
    message = EmailMessage()
    first = number - place
    message["From"] = f"User {number % 23} <user{number % 23}@lists.test>"
    message["To"] = "manuals@lists.test"
    message["Subject"] = f"Re: {subject}" if place else subject
    message["Date"] = formatdate(BEGIN + number * STEP)
    message["Message-ID"] = f"<{number}@lists.test>"
    if place:
        message["In-Reply-To"] = f"<{first + place // 2}@lists.test>"
    message.set_content(text)
    return message
