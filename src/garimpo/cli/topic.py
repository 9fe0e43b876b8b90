"""``garimpo topic``: learn a topic from a few good pages, score pages by it, show its words."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from garimpo.cli.options import Engine, Json, Master, NoChance, Out, Seed, group_of_verbs
from garimpo.cli.output import emit, note, progress, require_folders, require_tables

app = group_of_verbs("topic", "Learn a topic from a few good pages, and score pages by it.")


@app.command
def train(
    *,
    positive: Annotated[list[Path], Parameter(negative=())],
    out: Out,
    unlabelled: Annotated[list[Path] | None, Parameter(negative=())] = None,
    method: Literal["auto", "bprtfidf", "svmc", "svmc-dnf", "svmc-osvm", "svmc-cosine"] = "auto",
    threshold: float | None = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Learn a topic from pages that are about it, and pages of any kind.

    For example:
      garimpo topic train --positive good.jsonl --unlabelled crawl --out topic.model
      garimpo topic train --positive good-pages/ --out topic.model

    Args:
        positive: Documents about the topic: ten are enough, more are better.
        out: The model to write.
        unlabelled: Documents of any kind, some of which may be on topic. Without them only a one-class model can be
            made.
        method: auto, bprtfidf, or svmc (with a mapper: svmc-dnf, svmc-osvm, svmc-cosine).
        threshold: Take for on topic what would score above this (0.5, unless given); scores are moved so that 0.5 is
            the line. What topic score and topic test say of the scores helps to choose.
    """
    from garimpo.contract import Counts
    from garimpo.focus import train as learn
    from garimpo.focus.scoring import within_bounds

    require_folders(out)
    if threshold is not None:
        within_bounds(threshold)
    counts = Counts()
    with progress("learning the topic"):
        model = learn(positive, unlabelled or None, method=method, seed=seed, counts=counts, threshold=threshold)
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
    out: Out,
    threshold: float | None = None,
    engine: Engine = "local",
    master: Master = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Score documents by a topic; writes id, score and relevant.

    For example:
      garimpo topic score topic.model crawl --out scores.parquet

    Args:
        model: A model made by topic train.
        docs: The documents.
        out: The table of scores to write.
        threshold: What scores above this is on topic (the model's own, unless given).
    """
    from garimpo.contract import BadInput, Counts
    from garimpo.engine import open_engine
    from garimpo.focus import TopicModel
    from garimpo.focus import score as score_documents

    if not docs:
        raise BadInput("no documents given (try: garimpo topic score --help)")
    require_tables(out)
    counts = Counts()
    topic = TopicModel.load(model)
    with progress("scoring") as bar, open_engine(engine, master) as opened:
        result = score_documents(topic, docs, out, counts=counts, progress=bar.advance, engine=opened, threshold=threshold)
    if str(counts):
        note(f"passed over or changed: {counts}")
    lines = [f"{out}: {result['documents']:,} documents, {result['relevant']:,} on topic (score above {result['threshold']:g})"]
    lines.append(_spread("scores by tenths from 0 to 1", result["distribution"]))
    emit({**result, "out": str(out), "counts": dict(+counts)}, json, lines)


@app.command
def test(
    model: Path,
    *,
    positive: Annotated[list[Path], Parameter(negative=())],
    negative: Annotated[list[Path], Parameter(negative=())],
    threshold: float | None = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Say how well a topic tells documents that are known to be on it from others that are not.

    For example:
      garimpo topic test topic.model --positive kept-back.jsonl --negative others.jsonl

    Args:
        model: A model made by topic train.
        positive: Documents that are on topic, others than the model learned from.
        negative: Documents that are not on topic.
        threshold: What scores above this is on topic (the model's own, unless given).
    """
    from garimpo.contract import Counts
    from garimpo.focus import TopicModel
    from garimpo.focus import test as try_out

    counts = Counts()
    with progress("scoring"):
        result = try_out(TopicModel.load(model), positive, negative, threshold=threshold, counts=counts)
    if str(counts):
        note(f"passed over or changed: {counts}")
    found, missed, wrong, right = (
        result[name] for name in ("true_positives", "false_negatives", "false_positives", "true_negatives")
    )
    lines = [
        f"on topic: {found:,} found, {missed:,} missed; others: {wrong:,} taken for it, {right:,} left"
        f" (score above {result['threshold']:g})",
        ", ".join(f"{name} {result[name]:.3f}" for name in ("precision", "recall", "f1", "accuracy", "auc")),
        f"the best f1 by hindsight: {result['best_f1']:.3f}, at {result['best_threshold']:.3f}",
        *(_spread(f"{name} by tenths", counted) for name, counted in result["distribution"].items()),
    ]
    emit({**result, "counts": dict(+counts)}, json, lines)


def _spread(name: str, counted: list[int]) -> str:
    """How scores lie, in one line."""
    return f"{name}: {' '.join(f'{count:,}' for count in counted)}"


@app.command
def show(model: Path, *, words: int = 20, json: Json = False, seed: NoChance = 0) -> None:
    """Show a topic model: how it was made, and the words that carry it.

    For example:
      garimpo topic show topic.model

    Args:
        model: A model made by topic train.
        words: How many words to show.
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
