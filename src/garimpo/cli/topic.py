"""``garimpo topic``: learn a topic from a few good pages, score pages by it, show its words."""

from pathlib import Path

from cyclopts import App

from garimpo.cli.output import emit, note, progress

app = App(name="topic", help="Learn a topic from a few good pages, and score pages by it.", help_format="plaintext")


@app.command
def train(
    *,
    positive: list[Path],
    out: Path,
    unlabelled: list[Path] | None = None,
    method: str = "auto",
    json: bool = False,
    seed: int = 0,
) -> None:
    """Learn a topic from pages that are about it, and pages of any kind.

    Examples:
      garimpo topic train --positive good.jsonl --unlabelled crawl --out topic.model
      garimpo topic train --positive good-pages/ --out topic.model

    Parameters
    ----------
    positive
        Documents about the topic: ten are enough, more are better.
    out
        The model to write.
    unlabelled
        Documents of any kind, some of which may be on topic. Without them only a one-class model can be made.
    method
        auto, bprtfidf, or svmc (with a mapper: svmc-dnf, svmc-osvm, svmc-cosine).
    json
        Print one JSON object.
    seed
        Makes a run repeatable.
    """
    from garimpo.contract import Counts
    from garimpo.focus import train as learn

    counts = Counts()
    with progress("learning the topic"):
        model = learn(positive, unlabelled or None, method=method, seed=seed, counts=counts)
        model.save(out)
    for line in model.notes:
        note(line)
    if str(counts):
        note(f"passed over or changed: {counts}")
    shown = [word for word, _ in model.words(12)]
    result = {
        "out": str(out), "method": model.method, "positives": model.parameters["positives"],
        "unlabelled": model.parameters["unlabelled"], "notes": model.notes, "words": shown,
    }  # fmt: skip
    made = f"{out}: {model.method} from {result['positives']:,} positive and {result['unlabelled']:,} unlabelled documents"
    emit(result, json, [made, f"it goes by: {', '.join(shown)}"])


@app.command
def score(
    model: Path,
    *docs: Path,
    out: Path,
    engine: str = "local",
    master: str | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """Score documents by a topic; writes id, score and relevant.

    Example: garimpo topic score topic.model crawl --out scores.parquet

    Parameters
    ----------
    model
        A model made by topic train.
    docs
        The documents.
    out
        The table of scores to write.
    engine
        local, or spark.
    master
        Where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json
        Print one JSON object.
    seed
        Makes a run repeatable; scoring has no chance in it.
    """
    from garimpo.contract import BadInput, Counts
    from garimpo.engine import open_engine
    from garimpo.focus import TopicModel
    from garimpo.focus import score as score_documents

    if not docs:
        raise BadInput("no documents given (try: garimpo topic score --help)")
    counts = Counts()
    topic = TopicModel.load(model)
    with progress("scoring") as bar, open_engine(engine, master) as opened:
        result = score_documents(topic, docs, out, counts=counts, progress=bar.advance, engine=opened)
    if str(counts):
        note(f"passed over or changed: {counts}")
    lines = [f"{out}: {result['documents']:,} documents, {result['relevant']:,} on topic"]
    emit({**result, "out": str(out), "counts": dict(+counts)}, json, lines)


@app.command
def show(model: Path, *, words: int = 20, json: bool = False, seed: int = 0) -> None:
    """Show a topic model: how it was made, and the words that carry it.

    Example: garimpo topic show topic.model

    Parameters
    ----------
    model
        A model made by topic train.
    words
        How many words to show.
    json
        Print one JSON object.
    seed
        Makes a run repeatable; showing has no chance in it.
    """
    from garimpo.contract import BadInput
    from garimpo.focus import TopicModel

    if words < 0:
        raise BadInput(f"--words {words}: none or more")
    topic = TopicModel.load(model)
    carried = topic.words(words)
    settings = {name: value for name, value in topic.parameters.items() if name != "words"}
    lines = [f"method {topic.method}, {len(topic.vocabulary):,} words known"]
    lines += [f"{name} {value}" for name, value in settings.items()]
    lines += [f"{weight:8.3f}  {word}" for word, weight in carried]
    emit({"method": topic.method, "vocabulary": len(topic.vocabulary), **settings, "words": carried}, json, lines)
