"""How much code there is, by room, and whether modules and folders keep their limits.

    python benchmarks/size.py [--src src/garimpo]

A line of code holds more than a comment or a part of a docstring. Exits 1 where a module or a folder is over its limit.
"""

import argparse
import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

LINES_A_MODULE = 350
MODULES_A_FOLDER = 13
WIDE = {"cli", "focus", "mirrors", "similarity", "sites"}
"""Rooms that are lists of commands or methods, each in a module of its own, may hold more modules."""
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    """The lines of a module that hold code.

    >>> code_lines('def f():\\n    "What it does."\\n    return 1  # why\\n\\n# more\\n')
    2
    """
    told = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr) and _is_text(node.value)]
    prose = {line for node in told for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - prose)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def breaches(src: Path) -> list[str]:
    """What is over its limit, a line each."""
    modules = sorted(src.rglob("*.py"))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    found = [f"{path}: {lines} lines (at most {LINES_A_MODULE})" for path, lines in lengths.items() if lines > LINES_A_MODULE]
    counted = Counter(path.parent for path in modules if not path.name.startswith(("__init__", "_kernels")))
    for folder, count in sorted(counted.items()):
        if count > MODULES_A_FOLDER and not (folder.parent == src and folder.name in WIDE):
            found.append(f"{folder}: {count} modules (at most {MODULES_A_FOLDER})")
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--src", type=Path, default=Path(__file__).parent.parent / "src" / "garimpo")
    src = parser.parse_args().src
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for path in sorted(src.rglob("*.py")):
        inside = path.relative_to(src).parts
        room = inside[0] if len(inside) > 1 else "(top)"
        lines[room] += code_lines(path.read_text(encoding="utf-8"))
        modules[room] += 1
    for room in sorted(lines):
        print(f"{room:14} {modules[room]:4} modules {lines[room]:7,} lines of code")
    print(f"{'total':14} {modules.total():4} modules {lines.total():7,} lines of code")
    over = breaches(src)
    print("\n".join(over) or "all modules and folders keep their limits")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
