"""The experiments of the similarity room, run again: one command, one report.

    python experiments/similarity/run.py [--seeds 10] [--out similarity.html] [--skip-real] [--corpus METER|FILE.jsonl]

Estimators and retrieval on made news (the corpus of the dissertation cannot be shipped), the specification's claims with what
was observed, and real data where it is at hand (GARIMPO_DATA). With
`--corpus`, one's own texts in place of made news (`corpora.py`). What fails to reproduce stays in the report.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import corpora
import estimators
import news
import numpy as np
import rankers
import real
import sketches
from retrieval import curve_of_list

from garimpo.report import Report

EXAMPLE = (
    (["a7", "a1", "a11", "a8", "a6", "a9", "a12", "a4", "a2", "a3"], {"a3", "a7", "a9", "a11", "a15"}),
    (["a8", "a10", "a7", "a3", "a6"], {"a2", "a3", "a9", "a10"}),
)


def worked_example() -> list[list[object]]:
    """The dissertation's own example: areas by its definition, and by the rule its printed table follows."""
    found = [
        round(float(np.trapezoid(curve_of_list(*case, legacy=legacy), dx=0.1)), 3) for case in EXAMPLE for legacy in (False, True)
    ]
    holds = np.allclose(found, [0.563, 0.624, 0.275, 0.525], atol=0.0011)  # the printed areas come from whole per cents
    return [["26", "The worked example, by definition and as printed", "holds" if holds else "fails", f"{found}"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("similarity.html"))
    parser.add_argument("--skip-real", action="store_true")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    parser.add_argument("--corpus", type=Path, help="METER's folder, or JSON lines as corpora.py reads them")
    options = parser.parse_args()
    if options.quick:
        options.seeds, options.skip_real, options.out = 1, True, Path(tempfile.mkdtemp()) / "similarity.html"
    began = time.time()
    report = Report("Sketches and near-duplicates: what reproduces")
    own = corpora.as_news(corpora.read(options.corpus)) if options.corpus else None
    corpus = news.make if own is None else lambda seed: own
    study = sketches.Study()
    for seed in range(options.seeds):
        sketches.run_seed(study, seed, corpus(seed))
        print(f"seed {seed}: {time.time() - began:.0f} s", flush=True)
    told = f"{options.corpus}, {options.seeds} runs" if options.corpus else f"Made news, {options.seeds} corpora"
    report.paragraph(f"{told}, hash functions drawn anew for each; intervals are 95 %.")
    sketches.tables(study, report)
    claims = [
        *estimators.claims(),
        *sketches.claims(study),
        *rankers.run(range(options.seeds), report, corpus),
        *worked_example(),
    ]
    report.heading("Claims, and what was observed")
    report.table(["claim", "what it says", "verdict", "observed"], claims)
    figures = {} if options.skip_real else real.run(report)
    report.write(options.out)
    failed = [row[0] for row in claims if row[2] == "fails"]
    print(json.dumps({"claims": len(claims), "failed": failed, "figures": figures, "out": str(options.out)}))


if __name__ == "__main__":
    main()
