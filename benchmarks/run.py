"""Run the quick benchmarks of every room, one after the other: ``make bench``.

Each script under ``benchmarks/<room>/`` prints our figure, the peer's and their ratio. Scripts that take long or need
programs from elsewhere say in their docstring that they are run by hand.
"""

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def quick(script: Path) -> bool:
    """A script is quick unless its docstring says that it is run by hand."""
    return "run by hand" not in (ast.get_docstring(ast.parse(script.read_text())) or "").lower()


def main() -> int:
    failed = 0
    for script in sorted(HERE.glob("*/*.py")):
        if script.name.startswith("_") or not quick(script):
            continue
        print(f"== {script.relative_to(HERE)}", flush=True)
        failed += subprocess.run([sys.executable, str(script)], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
