"""The one stylesheet of reports and dashboard: light and dark, for screens, phones and paper."""

from pathlib import Path

STYLE = Path(__file__).with_name("look.css").read_text(encoding="utf-8")
