"""``garimpo dust``: which URLs lead to the same page: clusters, rules, keys."""

import sys
from pathlib import Path
from typing import Any

from cyclopts import App

from garimpo.cli.output import emit, note, progress

app = App(name="dust", help="Learn which URLs lead to the same page, before fetching them.")
_BATCH = 1 << 16


@app.command
def clusters(
    source: Path, *, out: Path, near: Path | None = None, veto: Path | None = None, json: bool = False, seed: int = 0
) -> None:
    """Clusters of URLs that showed one page, from a crawl folder or documents.

    Example: garimpo dust clusters crawl --near near.parquet --out clusters.tsv

    Parameters
    ----------
    source: a crawl folder, a Parquet table of pages, or documents
    out: clusters.tsv[.gz] or clusters.parquet
    near: near-duplicates found by `garimpo dedup`
    veto: a file of URLs that take no part, one a line
    """
    from garimpo.contract.reading import Counts, read_table
    from garimpo.dust import clusters as make_clusters
    from garimpo.dust import statistics
    from garimpo.dust.pages import read_pages
    from garimpo.dust.reading import write_clusters

    counts = Counts()
    near_table = read_table(near, ["id", "cluster"]) if near else None
    unwanted = _url_lines(veto) if veto else []
    with progress("reading pages"):
        table = make_clusters(read_pages(source, counts), near_table, veto=unwanted, counts=counts)
    write_clusters(table, out)
    result = {"out": str(out), **statistics(table), "passed_over": dict(counts)}
    emit(result, json, [f"{result['clusters']:,} clusters of {result['urls']:,} URLs, {result['unique']:,} unique pages: {out}"])
    if str(counts):
        note(f"passed over: {counts}")


@app.command
def learn(
    file: Path,
    *,
    out: Path,
    method: str = "garimpo",
    fpr_max: float = 0.0,
    min_support: int | None = None,
    min_frequency: int | None = None,
    sample: int = 10,
    card: int = 5,
    engine: str = "local",
    master: str | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """Learn rules from clusters.

    Example: garimpo dust learn clusters.tsv --out rules.json

    Parameters
    ----------
    file: clusters.tsv[.gz], .jsonl or .parquet; a cluster of one URL is a page known to be unique
    out: rules.json
    method: garimpo, dustlin or duster
    fpr_max: the share of wrong pairs a rule may have
    min_support: pairs (thesis methods) or clusters that must confirm a rule
    min_frequency: clusters that must propose a rule
    sample: URLs of a cluster that are compared
    card: tokens from which the thesis methods take a class in place of a list
    engine: local, or spark
    master: where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    """
    import time

    from garimpo.cli.places import brought, sent
    from garimpo.contract.reading import Counts
    from garimpo.dust import learn as learn_rules
    from garimpo.dust.reading import read_clusters
    from garimpo.engine import open_engine

    counts = Counts()
    started = time.perf_counter()
    with progress("learning rules"), open_engine(engine, master) as runs_on:
        if runs_on.far:
            from garimpo.dust.spread import read_spread

            clusters, urls = read_spread(runs_on, file, counts)
        else:
            clusters = read_clusters(brought(runs_on, file), counts)
            urls = clusters.num_rows
        rules = learn_rules(
            clusters, method, fpr_max=fpr_max, min_support=min_support, min_frequency=min_frequency, sample=sample, card=card,
            seed=seed, engine=runs_on, counts=counts,
        )  # fmt: skip
        with sent(runs_on, out) as written:
            rules.save(written)
    result: dict[str, Any] = {
        "out": str(out),
        "method": method,
        "urls": urls,
        "rules": len(rules),
        "hosts": len(rules.hosts),
        "saves": sum(rule.support for rule in rules.rules),
        "seconds": round(time.perf_counter() - started, 2),
        "passed_over": dict(counts),
    }
    emit(result, json, [f"{result['rules']:,} rules for {result['hosts']:,} hosts from {result['urls']:,} URLs: {out}"])
    if str(counts):
        note(f"passed over: {counts}")


@app.command
def apply(
    rules: Path,
    urls: Path | None = None,
    *,
    tracking: bool = False,
    also: list[Path] | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """One line out for each URL in: the line as given, its key, and the rule that made it or a dash, with tabs between.

    Example: garimpo dust apply rules.json urls.txt

    Parameters
    ----------
    rules: rules.json
    urls: one a line; without it, standard input
    tracking: drop well-known tracking parameters on every host, too
    also: hand-written rules to use beside these
    json: print counts as JSON, on stderr
    """
    from garimpo.contract.errors import BadInput
    from garimpo.dust.lines import keyed_lines
    from garimpo.dust.rules import RuleSet
    from garimpo.dust.static import tracking_rules

    rule_set = RuleSet.load(rules)
    for more in also or []:
        rule_set = rule_set.merge(RuleSet.load(more))
    if tracking:
        rule_set = rule_set.merge(tracking_rules())
    if urls is not None and not urls.is_file():
        raise BadInput(f"{urls}: no such file")
    lines = made = 0
    with urls.open("rb") if urls else sys.stdin.buffer as file:
        for block, count, changed in keyed_lines(rule_set, file):
            sys.stdout.buffer.write(block)
            lines, made = lines + count, made + changed
    sys.stdout.buffer.flush()
    emit({"lines": lines, "made_by_a_rule": made}, json, stream=sys.stderr)


@app.command
def explain(rules: Path, url: str, *, json: bool = False, seed: int = 0) -> None:
    """Why a URL has its key: the rules that touch it, the URLs they were made from, their support and false positives.

    Example: garimpo dust explain rules.json 'http://shop.example/item?sid=1'
    """
    from garimpo.dust.rules import RuleSet

    told = RuleSet.load(rules).explain(url)
    lines = [f"url         {told['url']}", f"normalised  {told['normalised']}", f"key         {told['key']}"]
    for step in told["steps"]:
        lines.append(f"{step['id']}: {step['context']} -> {step['template']}")
        lines.append(f"  {step['before']} -> {step['after']}")
        proof = f"saves {step.get('support', 0):,}, {step.get('clusters', 0):,} clusters"
        lines.append(f"  {proof}, {step.get('false_positives', 0):,} false positives")
        lines += [f"  made from {example}" for example in step.get("made_from", ())]
        columns = ["|".join(sorted({token or "-" for token in column})) for column in step["alignment"]]
        lines += [f"  alignment {' '.join(columns)}"] if columns else []
    if not told["steps"]:
        lines.append("no rule changes it" if told["rule"] is None else f"in the form {told['rule']} makes")
    emit(told, json, lines)


@app.command
def show(
    rules: Path,
    *,
    top: int | None = None,
    html: Path | None = None,
    zyte: Path | None = None,
    diff: Path | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """The rules as a person reads them, those that save most fetches first.

    Example: garimpo dust show rules.json --top 20 --html rules.html

    Parameters
    ----------
    rules: rules.json
    top: how many to show
    html: write all of them as one HTML page
    zyte: write those that fit as rules of Zyte's duplicate-url-discarder
    diff: an older rules.json: show what was added and what is gone
    """
    import msgspec

    from garimpo.contract.files import publish_bytes
    from garimpo.dust.export import to_zyte
    from garimpo.dust.rules import RuleSet
    from garimpo.dust.show import by_saving, lines, write_html

    rule_set = RuleSet.load(rules)
    if html:
        write_html(rule_set, html)
    if zyte:
        publish_bytes(zyte, msgspec.json.format(msgspec.json.encode(to_zyte(rule_set)), indent=2))
    if diff:
        changes = rule_set.diff(RuleSet.load(diff))
        text = [f"{sign} {rule} {host}" for sign, name in (("+", "added"), ("-", "removed")) for rule, host in changes[name]]
        emit(changes, json, text)
        return
    shown = [msgspec.to_builtins(rule) for rule in by_saving(rule_set)[:top]]
    emit({"rules": len(rule_set), "shown": shown}, json, lines(rule_set, top, colour=sys.stdout.isatty()))


def _url_lines(path: Path) -> list[str]:
    from garimpo.contract.errors import BadInput

    if not path.is_file():
        raise BadInput(f"{path}: no such file")
    text = path.read_bytes().decode("utf-8", "replace")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
