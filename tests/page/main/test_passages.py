"""What a page's tree becomes: passages of each kind, links resolved, signs of anchors left out."""

from garimpo.page.html.parsing import parse
from garimpo.page.main import read_passages, to_markdown

PAGE = """<base href="http://docs.example/v1/"><nav><a href=/>Home</a></nav>
<h1>Pans<a class=headerlink href="#pans">¶</a></h1>
<p>Use the <code>pan</code> or <a href=sieve.html>the
 sieve</a>.<br>Never both_of them.</p>
<ul><li>iron<ul><li>rusty</li></ul></li><li><p>steel</p><p>Shines.</p></li></ul>
<ol><li>dig</li><li>wash</li></ol>
<pre><code class="language-python">def pan():
    return 1
</code></pre>
<table><tr><th>river</th><th>gold</th></tr><tr><td>Rio|Tinto</td><td><a href=2>2 g</a></td></tr></table>
<blockquote><p>All that glitters</p></blockquote>
<p hidden>unseen</p><div style="display: none">unseen</div><p># no heading</p>"""

MARKDOWN = """[Home](http://docs.example/)

# Pans

Use the `pan` or [the sieve](http://docs.example/v1/sieve.html).
Never both_of them.

- iron
  - rusty
- steel

  Shines.

1. dig
2. wash

```python
def pan():
    return 1
```

| river | gold |
| --- | --- |
| Rio\\|Tinto | [2 g](http://docs.example/v1/2) |

> All that glitters

\\# no heading
"""


def passages(page):
    return read_passages(parse(page.encode(), whole=True).html, "http://a.example/x")


def test_markdown_keeps_headings_lists_links_code_and_tables():
    assert to_markdown(passages(PAGE)) == MARKDOWN


def test_navigation_is_known_by_its_mark_up():
    assert [one.text for one in passages(PAGE) if one.aside] == ["Home"]


def test_lines_are_the_blocks_of_the_visible_text():
    for page in (PAGE.replace("<p hidden>unseen</p>", "").replace("unseen", ""), "a<br>b<div>c<p>d<table><tr><td>e<td>f"):
        read = [line for one in passages(page) for line in one.lines]
        assert [line.replace("¶", "") for line in parse(page.encode()).text.decode().split("\n")] == read


def test_a_layout_table_is_no_table():
    found = passages("<table><tr><td><h2>News</h2><p>gold</td><td>menu</td></tr><tr><td>x<td>y</table>")
    assert [(one.kind, one.text) for one in found[:2]] == [("heading", "News"), ("paragraph", "gold")]
    assert "|" not in to_markdown(found)


def test_text_cannot_become_mark_up():
    assert to_markdown(passages("<p>[a](b) *c* <em>`d`</em> &lt;script>")) == "\\[a\\](b) \\*c\\* \\`d\\` \\<script>\n"
    fenced = to_markdown(passages("<pre>```\nx</pre>"))
    assert fenced == "````\n```\nx\n````\n"


def test_hostile_pages_are_read():
    for page in ("<div>" * 5000 + "x", "<a href=x>" * 3000 + "y", "<table><tr><td>" * 2000 + "z", "<ul><li>" * 900 + "w"):
        assert passages(page)[-1].text in "xyzw"
