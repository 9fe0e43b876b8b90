"""Real sites (SWDE): are they told apart by the commands a user has, from five good and ten bad examples?

    python experiments/sites/real.py [--draws 10] [--verticals auto book camera job] [--out experiments/sites/real.md]

Four verticals of detail pages, fifteen a site, no root and no listing among them. Domains that lie in two verticals are left
out: 34 sites. For each vertical and draw five of its sites are good, ten of the other verticals are bad, and the remaining
nineteen are decided, once by `sites train --good --bad` and once by `sites train` on the labelled pages of the same sites; an
unknown site counts as not found. Settings were chosen on auto and job; book and camera decided none.
"""

import argparse
import contextlib
import io
import os
import random
import tempfile
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from tables import interval

from garimpo.cli.app import run
from garimpo.sites import Detection, Evaluation, evaluate
from garimpo.url import site_column

PAGES = Path(os.environ.get("GARIMPO_DATA", "../shared/data")) / "swde" / "pages.parquet"
GOOD, BAD = 5, 10
HEAD = "| vertical | examples | precision | recall | F1 | least F1 | unknown | pages a site |\n|---|---|---|---|---|---|---|---|"


class Real:
    """The sites with their vertical, and a crawl folder that has their pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        table = pq.read_table(PAGES)
        table = table.set_column(0, "site", site_column(table["url"].combine_chunks()))
        verticals: dict[str, set[str]] = defaultdict(set)
        for site, vertical in zip(table["site"].to_pylist(), table["vertical"].to_pylist()):
            verticals[site].add(vertical)
        self.vertical = {site: next(iter(found)) for site, found in verticals.items() if len(found) == 1}
        self.pages = table.filter(pc.is_in(table["site"], pa.array(list(self.vertical))))
        pq.write_table(self.pages, folder / "all.parquet")
        command("archive", "import", folder / "all.parquet", "--out", folder / "crawl")

    def draw(self, vertical: str, number: int) -> tuple[list[str], list[str], list[str]]:
        """Good, bad and unseen sites."""
        dice = random.Random(f"{vertical} {number}")
        fit = sorted(site for site, own in self.vertical.items() if own == vertical)
        unfit = sorted(site for site, own in self.vertical.items() if own != vertical)
        good, bad = dice.sample(fit, GOOD), dice.sample(unfit, BAD)
        return good, bad, sorted(set(self.vertical) - {*good, *bad})

    def decided(self, vertical: str, number: int, by: str) -> Evaluation:
        """One draw by the commands."""
        good, bad, unseen = self.draw(vertical, number)
        model, out = self.folder / "sites.model", self.folder / "sites.parquet"
        if by == "sites":
            for name, sites in (("good", good), ("bad", bad)):
                (self.folder / f"{name}.txt").write_text("".join(f"{site}\n" for site in sites))
            command("sites", "train", "--good", self.folder / "good.txt", "--bad", self.folder / "bad.txt",
                    "--archive", self.folder / "crawl", "--out", model)  # fmt: skip
        else:
            shown = self.pages.filter(pc.is_in(self.pages["site"], pa.array([*good, *bad])))
            labels = pc.is_in(shown["site"], pa.array(good)).cast(pa.int8())
            pq.write_table(shown.select(["url", "html"]).append_column("label", labels), self.folder / "labelled.parquet")
            command("sites", "train", self.folder / "labelled.parquet", "--out", model)
        (self.folder / "unseen.txt").write_text("".join(f"{site}\n" for site in unseen))
        command("sites", "detect", model, f"@{self.folder / 'unseen.txt'}", "--archive", self.folder / "crawl", "--out", out)
        rows = pq.read_table(out).to_pylist()
        self.cost = sum(row["pages_fetched"] for row in rows) / len(rows)
        found = [Detection(row["site"], row["relevant"], row["reason"], score=row["score"]) for row in rows]
        return evaluate(found, {site: self.vertical[site] == vertical for site in unseen})


def command(*arguments: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        code = run([*map(str, arguments)])
    if code:
        raise SystemExit(f"garimpo {' '.join(map(str, arguments))} ended with {code}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--verticals", nargs="+", default=["auto", "book", "camera", "job"])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("real.md"))
    parser.add_argument("--quick", action="store_true", help="one draw of one vertical, no report")
    given = parser.parse_args()
    if not PAGES.is_file():
        print("the data sets are not here (GARIMPO_DATA names their folder): nothing was measured")
        return
    if given.quick:
        given.draws, given.verticals, given.out = 1, given.verticals[:1], Path(os.devnull)
    lines = [f"# Real sites\n\nMade by `real.py --draws {given.draws}`; what it does stands there.\n", HEAD]
    with tempfile.TemporaryDirectory() as place:
        real = Real(Path(place))
        for by in ("sites", "labelled pages"):
            for vertical in given.verticals:
                runs, costs = [], []
                for number in range(given.draws):
                    runs.append(real.decided(vertical, number, by))
                    costs.append(real.cost)
                means = [interval([getattr(one, of) for one in runs], 2) for of in ("precision", "recall", "f1")]
                unknown = sum(row["unknown"] for one in runs for row in one.confusion.values()) / len(runs)
                least = min(one.f1 for one in runs)
                cost = sum(costs) / len(costs)
                lines.append(f"| {vertical} | {by} | {' | '.join(means)} | {least:.2f} | {unknown:.1f} of 19 | {cost:.1f} |")
                print(lines[-1], flush=True)
                given.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
