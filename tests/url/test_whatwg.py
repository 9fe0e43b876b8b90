"""The WHATWG test data that Debian's librust-url-dev carries, where it is installed."""

import json
import os
from pathlib import Path

import pytest

from garimpo.url import normalise, resolve


def _cases() -> list[dict]:
    root = Path(os.environ.get("CARGO_REGISTRY", "/usr/share/cargo/registry"))
    files = sorted(root.glob("url-*/tests/urltestdata.json"))
    return [case for case in json.loads(files[-1].read_text("utf-8")) if isinstance(case, dict)] if files else []


def test_whatwg_cases():
    cases = _cases()
    if not cases:
        pytest.skip("librust-url-dev is not installed")
    assert len(cases) >= 687
    wrong = []
    for case in cases:
        target = resolve(case.get("base") or "", case["input"])
        href = case.get("href", "")
        expected = normalise(href) if href.startswith(("http://", "https://")) else None
        if target != expected:
            wrong.append(case["input"])
        assert target is None or normalise(target) == target
    assert wrong == []
