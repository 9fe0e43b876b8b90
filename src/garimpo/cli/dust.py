"""``garimpo dust``: which URLs lead to the same page: clusters, rules, keys."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from garimpo.cli.options import Engine, Json, ManyFiles, Master, NoChance, Out, Seed, Switch, Written, group_of_verbs
from garimpo.cli.output import emit, note, progress

app = group_of_verbs("dust", "Learn which URLs lead to the same page, before fetching them.")
_BATCH = 1 << 16


@app.command
def clusters(
    source: Path,
    *,
    out: Out,
    near: Path | None = None,
    veto: Path | None = None,
    trust_canonical: Switch = False,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Clusters of URLs that showed one page, from a crawl folder, documents, or a table of URLs and hashes.

    For example:
      garimpo dust clusters crawl --near near.parquet --out clusters.tsv

    Args:
        source: A crawl folder, a table of pages (Parquet, CSV or TSV: url and a hash, in any order), or documents.
        out: clusters.tsv[.gz] or clusters.parquet.
        near: Near-duplicates found by `garimpo dedup`, in place of those that a crawl found itself.
        veto: A file of URLs that take no part, one a line.
        trust_canonical: Believe canonical tags though the content of the two pages differs.
    """
    from garimpo.contract.reading import Counts, read_table
    from garimpo.dust import clusters as make_clusters
    from garimpo.dust import statistics
    from garimpo.dust.inputs.files import write_clusters
    from garimpo.dust.inputs.pages import read_pages
    from garimpo.mirrors.inputs import near_duplicates

    counts = Counts()
    near_table = read_table(near, ["id", "cluster"]) if near else None
    unwanted = _url_lines(veto) if veto else []
    with progress("reading pages"):
        pages = read_pages(source, counts)
        if near_table is None and "duplicate_of" in pages.column_names:  # what the crawl itself learned from
            near_table = near_duplicates(pages)
        table = make_clusters(pages, near_table, veto=unwanted, trust_canonical=trust_canonical, counts=counts)
    write_clusters(table, out)
    result = {"out": str(out), **statistics(table), "passed_over": dict(counts)}
    emit(result, json, [f"{result['clusters']:,} clusters of {result['urls']:,} URLs, {result['unique']:,} unique pages: {out}"])
    if str(counts):
        note(f"passed over: {counts}")


@app.command
def learn(
    file: Path,
    *,
    out: Out,
    method: Literal["garimpo", "dustlin", "duster"] = "garimpo",
    fpr_max: float | None = None,
    min_support: int | None = None,
    min_frequency: int | None = None,
    sample: int = 10,
    card: int = 5,
    keep_groups: Switch = False,
    all: Switch = False,
    engine: Engine = "local",
    master: Master = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Learn rules from clusters.

    For example:
      garimpo dust learn clusters.tsv --out rules.json

    Args:
        file: clusters.tsv[.gz], .jsonl or .parquet; a cluster of one URL is a page known to be unique.
        out: The rules to write (rules.json).
        method: garimpo, or one of the published methods.
        fpr_max: The share of wrong pairs a rule may be expected to have (garimpo: 0.01; the published methods: none).
        min_support: Pairs (thesis methods) or clusters that must confirm a rule (the method's own number, unless given).
        min_frequency: Clusters that must propose a rule (the method's own number, unless given).
        sample: URLs of a cluster that are compared.
        card: Tokens from which the thesis methods take a class in place of a list.
        keep_groups: Keep groups in the template (mode B of the thesis methods).
        all: Keep also rules that together save next to nothing.
    """
    import time

    from garimpo.cli.places import brought, sent
    from garimpo.contract.reading import Counts
    from garimpo.dust import learn as learn_rules
    from garimpo.dust.inputs.files import read_clusters
    from garimpo.engine import open_engine

    counts = Counts()
    started = time.perf_counter()
    with progress("learning rules"), open_engine(engine, master) as runs_on:
        if runs_on.far:
            from garimpo.dust.engine.clusters import read_spread

            clusters, urls = read_spread(runs_on, file, counts)
        else:
            clusters = read_clusters(brought(runs_on, file), counts)
            urls = clusters.num_rows
        rules = learn_rules(
            clusters, method, fpr_max=fpr_max, min_support=min_support, min_frequency=min_frequency, sample=sample, card=card,
            keep_groups=keep_groups, everything=all, seed=seed, engine=runs_on, counts=counts,
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
    urls: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    *,
    tracking: Switch = False,
    also: ManyFiles = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """One line out for each URL in: the line as given, its key, and the rule that made it or a dash, with tabs between.

    For example:
      garimpo dust apply rules.json urls.txt

    Args:
        rules: The rules (rules.json).
        urls: A file with one a line; without it, or as -, standard input.
        tracking: Drop well-known tracking parameters on every host, too.
        also: Hand-written rules to use beside these (may be repeated).
    """
    from garimpo.contract.errors import BadInput
    from garimpo.dust.rules.apply_lines import keyed_lines
    from garimpo.dust.rules.ruleset import RuleSet
    from garimpo.dust.rules.trackers import tracking_rules

    rule_set = RuleSet.load(rules)
    for more in also or []:
        rule_set = rule_set.merge(RuleSet.load(more))
    if tracking:
        rule_set = rule_set.merge(tracking_rules())
    from_stdin = urls is None or str(urls) == "-"
    if urls is not None and not from_stdin and not urls.is_file():
        raise BadInput(f"{urls}: no such file")
    lines = made = 0
    with urls.open("rb") if urls is not None and not from_stdin else sys.stdin.buffer as file:
        for block, count, changed in keyed_lines(rule_set, file):
            sys.stdout.buffer.write(block)
            sys.stdout.buffer.flush()
            lines, made = lines + count, made + changed
    emit({"lines": lines, "made_by_a_rule": made}, json, stream=sys.stderr)


@app.command
def test(rules: Path, clusters: Path, *, shown: int = 20, json: Json = False, seed: NoChance = 0) -> None:
    """How good rules are on clusters: compression, coverage, precision, and the URLs they would join wrongly.

    For example:
      garimpo dust test rules.json clusters.tsv

    Args:
        rules: rules.json.
        clusters: clusters.tsv[.gz], .jsonl or .parquet; a cluster of one URL is a page known to be unique.
        shown: False merges to list.
    """
    from garimpo.contract.reading import Counts
    from garimpo.dust import RuleSet, judge, prepare
    from garimpo.dust.inputs.files import read_clusters

    counts = Counts()
    told = judge(RuleSet.load(rules), prepare(read_clusters(clusters, counts), counts), shown)
    told["passed_over"] = dict(counts)
    lines = [
        f"{told['urls']:,} URLs: {told['clusters']:,} clusters, {told['unique']:,} unique pages",
        f"compression {100 * told['compression']:.2f} %, coverage {100 * told['coverage']:.2f} %",
        f"precision of skips {100 * told['skip_precision']:.3f} % ({told['skips_wrong']:,} of {told['skips']:,} wrong), "
        f"of pairs {100 * told['pair_precision']:.3f} %",
        f"{told['rules']:,} rules, {told['rules_applied']:,} applied, {told['rules_valid']:,} of these without a false merge",
        *(f"  {one['rule']}: {one['url']} taken for {one['taken_for']}" for one in told["false_merges"]),
    ]
    emit(told, json, lines)
    if str(counts):
        note(f"passed over: {counts}")


@app.command
def explain(rules: Path, url: str, *, json: Json = False, seed: NoChance = 0) -> None:
    """Why a URL has its key: the rules that touch it, the URLs they were made from, their support and false positives.

    For example:
      garimpo dust explain rules.json 'http://shop.example/item?sid=1'

    Args:
        rules: The rules (rules.json).
        url: The URL to explain.
    """
    from garimpo.dust import RuleSet
    from garimpo.dust import explain as explain_url

    told = explain_url(RuleSet.load(rules), url)
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
    html: Written = None,
    zyte: Written = None,
    diff: Path | None = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """The rules as a person reads them, those that save most fetches first.

    For example:
      garimpo dust show rules.json --top 20 --html rules.html

    Args:
        rules: The rules (rules.json).
        top: How many to show (all, unless given).
        html: Write all of them as one HTML page.
        zyte: Write those that fit as rules of Zyte's duplicate-url-discarder.
        diff: An older rules.json: show what was added and what is gone.
    """
    import msgspec

    from garimpo.contract.files import publish_bytes
    from garimpo.dust.rules.report import by_saving, lines, write_html
    from garimpo.dust.rules.ruleset import RuleSet
    from garimpo.dust.rules.zyte import to_zyte

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
