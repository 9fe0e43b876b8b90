"""A PDF document, written by hand: one font, one line of text after another."""


def pdf(pages: list[list[str]], title: str = "Gold") -> bytes:
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects += ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", f"<< /Title ({title}) >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"1 0 0 1 72 {700 - 14 * at} Tm ({line}) Tj\n" for at, line in enumerate(lines))
        stream = f"BT /F1 10 Tf\n{shown}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        kids.append(f"{len(objects) + 1} 0 R")
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {len(objects)} 0 R >>")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, places = "%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{one}\nendobj\n"
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return out.encode("latin-1")
