"""Families of duplicate URLs whose differences come together, by the command line, beside DustLin: ``families.py [NAME...]``.

Each family is 100 clusters. Joined: the share of unseen URLs that get the key of their page. Look-alikes: the share joined of
pairs that were never shown to be one. Wanted: at least 95 % and at most 1 %.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from dust.families import FAMILIES, Family, judged, training
from garimpo.dust import RuleSet


def learned(family: Family, method: str, folder: Path) -> RuleSet:
    (folder / "clusters.tsv").write_text("".join(f"{cluster}\t{url}\n" for cluster, url in training(family)))
    command = [sys.executable, "-m", "garimpo", "dust", "learn", "clusters.tsv", "--out", "rules.json", "--method", method]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return RuleSet.load(folder / "rules.json")


def main(names: list[str]) -> None:
    print("| family | garimpo: joined | look-alikes | rules | DustLin: joined | look-alikes |\n|---|---|---|---|---|---|")
    held = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            rules = {method: learned(FAMILIES[name], method, Path(folder)) for method in ("garimpo", "dustlin")}
        ours, theirs = (judged(FAMILIES[name], rules[method].key) for method in ("garimpo", "dustlin"))
        held += ours[0] >= 0.95 and ours[1] <= 0.01
        told = [f"{100 * share:.0f} %" for share in (*ours, *theirs)]
        print(f"| {name} | {told[0]} | {told[1]} | {len(rules['garimpo'])} | {told[2]} | {told[3]} |", flush=True)
    print(f"\n{held} of {len(names)} families learned as wanted")


if __name__ == "__main__":
    main(sys.argv[1:] or list(FAMILIES))
