"""The judge of a focused crawl: how likely is this page to be on topic?"""

from garimpo.contract.records import Page, Verdict
from garimpo.focus.topic import TopicModel


class TopicJudge:
    """A `Judge` that scores a page by a topic model; pure but for the model, quick enough to stand where pages are read.

    Args:
        model: the topic.

    >>> topic = TopicModel.train(["gold in the river", "river gold"], ["a cat", "a dog", "a house", "rain"] * 3)
    >>> TopicJudge(topic).read(Page("http://a.example/", text="river and gold")).score > 0.5
    True
    """

    def __init__(self, model: TopicModel) -> None:
        self.model = model

    def read(self, page: Page) -> Verdict:
        """The page's probability to be on topic, as its score."""
        score = float(self.model.score([page_text(page.title, page.text)])[0])
        return Verdict(score=score, reason="on topic" if score > self.model.threshold else None)


def page_text(title: str | None, text: str | None) -> str:
    """What a topic model reads of a page: its title and its visible text.

    Args:
        title: its title, if any.
        text: its text, if any.

    >>> page_text("Gold", "river")
    'Gold\\nriver'
    """
    return f"{title}\n{text or ''}" if title else text or ""
