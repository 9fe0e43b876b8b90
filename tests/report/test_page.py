"""Reports: one file, escaped, offline."""

from garimpo.report import Report, bar_plot, line_plot


def test_everything_from_the_web_is_escaped(tmp_path) -> None:
    evil = "<script>alert(1)</script>"
    report = Report(evil)
    report.heading(evil)
    report.paragraph(evil)
    report.table([evil], [[evil]], caption=evil)
    report.diff(evil, "other", captions=(evil, evil))
    report.write(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "<script>" not in page and page.count("&lt;script&gt;") >= 8


def test_figures_stand_inside_the_page() -> None:
    report = Report("figures")
    report.figure(line_plot({"a": [(0, 0), (1, 1)], "b": [(0, 1), (1, 0)]}, "x", "y"))
    report.figure(bar_plot({"one": 1.0, "two": 2.0}, "n", "name"))
    page = report.html()
    assert page.count("<svg") == 2 and "http-equiv" not in page and 'src="' not in page


def test_the_same_figure_gives_the_same_bytes() -> None:
    pages = []
    for _ in range(2):
        report = Report("r")
        report.figure(line_plot({"a": [(0, 0), (1, 1)]}, "x", "y"))
        pages.append(report.html())
    assert pages[0] == pages[1]


def test_a_difference_marks_only_what_differs() -> None:
    report = Report("d")
    report.diff("the old stone is heavy", "the new stone is heavy")
    page = report.html()
    assert "<del>old</del>" in page and "<ins>new</ins>" in page and "<del>the" not in page


def test_numbers_and_nothing() -> None:
    report = Report("n")
    report.table(["a", "b", "c", "d"], [[1234567, 0.12345, None, True]])
    page = report.html()
    assert "1,234,567" in page and "0.123" in page and "–" in page and "yes" in page
