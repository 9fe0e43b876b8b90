"""Sections, which list what is below them page by page, by tag and in two orders; and articles."""

from django.core.paginator import Paginator
from django.db import models
from django.http import HttpRequest
from modelcluster.contrib.taggit import ClusterTaggableManager
from modelcluster.fields import ParentalKey
from taggit.models import TaggedItemBase
from wagtail.fields import RichTextField
from wagtail.models import Page


class ArticleTag(TaggedItemBase):
    content_object = ParentalKey("cms.Article", related_name="tagged", on_delete=models.CASCADE)


class Article(Page):
    body = RichTextField()
    tags = ClusterTaggableManager(through=ArticleTag, blank=True)
    template = "cms/article.html"


class Section(Page):
    template = "cms/section.html"

    def get_context(self, request: HttpRequest) -> dict[str, object]:
        context = super().get_context(request)
        order = "title" if request.GET.get("order") == "title" else "-first_published_at"
        articles = Article.objects.live().descendant_of(self).order_by(order, "pk")
        tag = request.GET.get("tag")
        if tag:
            articles = articles.filter(tags__name=tag)
        context["articles"] = Paginator(articles, 10).get_page(request.GET.get("page"))
        context["sections"], context["tag"], context["order"] = self.get_children().type(Section).live(), tag or "", order
        return context
