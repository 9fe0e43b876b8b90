"""Numbers as a person reads them: with units, and no more digits than they are worth."""

from datetime import UTC, datetime

_SIZES = ("bytes", "kB", "MB", "GB", "TB")


def count(number: int, noun: str, plural: str = "") -> str:
    """A number of things.

    Args:
        number: how many.
        noun: what one of them is called.
        plural: what many are called, if that is not `noun` with an s.

    >>> count(1, "page"), count(2500, "page"), count(2, "copy", "copies")
    ('1 page', '2,500 pages', '2 copies')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(number: float) -> str:
    """A number of bytes.

    Args:
        number: the bytes.

    >>> size(512), size(50_671_544), size(1_250_000_000)
    ('512 bytes', '51 MB', '1.2 GB')
    """
    power = 0
    while number >= 999.5 and power < len(_SIZES) - 1:
        number, power = number / 1000, power + 1
    return f"{number:.1f} {_SIZES[power]}" if power and number < 9.95 else f"{number:.0f} {_SIZES[power]}"


def duration(seconds: float) -> str:
    """A length of time in its two largest units.

    Args:
        seconds: how long.

    >>> duration(0.4), duration(49.1), duration(150), duration(7260), duration(200_000)
    ('0.4 s', '49 s', '2 min 30 s', '2 h 1 min', '2 d 7 h')
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for unit, length, smaller, part in (("d", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= length:
            rest = whole % length // part
            return f"{whole // length} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"


def share(part: float, whole: float) -> str:
    """A part of a whole in per cent; no more digits than the whole is worth.

    Args:
        part: the part.
        whole: the whole.

    >>> share(1, 3), share(0, 0), share(1, 4000), share(3999, 4000)
    ('33 %', '0 %', 'under 0.1 %', 'over 99.9 %')
    """
    if not whole or not part:
        return "0 %"
    per_cent = 100 * part / whole
    if per_cent < 0.1:
        return "under 0.1 %"
    if 99.9 < per_cent < 100:
        return "over 99.9 %"
    return f"{per_cent:.0f} %" if 1 <= per_cent <= 99 or per_cent == 100 or whole < 1000 else f"{per_cent:.1f} %"


def rate(number: float) -> str:
    """How many a second.

    Args:
        number: the rate.

    >>> rate(108.2), rate(8.23), rate(0.5), rate(0)
    ('108', '8.2', '0.5', '0')
    """
    return "0" if not number else f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}" if number >= 0.1 else f"{number:.2f}"


def moment(at: float, now: float | None = None) -> str:
    """A point of time, in UTC; without its day if that is the day of `now`.

    Args:
        at: seconds since 1970.
        now: the same of the day that need not be said.

    >>> moment(0), moment(0, 60)
    ('1970-01-01 00:00', '00:00')
    """
    when = datetime.fromtimestamp(at, UTC)
    today = now is not None and datetime.fromtimestamp(now, UTC).date() == when.date()
    return when.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")


def listed(parts: list[str]) -> str:
    """Things one after the other, as a sentence says them.

    Args:
        parts: the things.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
