"""Run the benchmarks and experiments that README and the documents name, each at its smallest: ``make docs-check``.

A command that the documents name and that fails is a defect. Those that need data or programs which are not here say so in
one line and pass.
"""

import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"python ((?:benchmarks|experiments)/[\w/]+\.py)(?! [A-Z])")
LONGEST = 600.0


def named_scripts() -> list[str]:
    """The scripts, in order of their names."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return sorted({script for page in pages for script in NAMED.findall(page.read_text("utf-8"))})


def main() -> int:
    failed = []
    for script in sys.argv[1:] or named_scripts():
        began = time.perf_counter()
        command = [sys.executable, script, "--quick"]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)
            code, told = done.returncode, (done.stderr if done.returncode else done.stdout).strip().splitlines()
        except subprocess.TimeoutExpired:
            code, told = 1, [f"not done after {LONGEST:.0f} s"]
        print(f"{'ok' if not code else 'FAILED'} {shlex.join(command[1:])} ({time.perf_counter() - began:.0f} s)", flush=True)
        if code:
            failed.append(script)
            print("\n".join(f"    {line}" for line in told[-12:]), flush=True)
    print(f"{len(failed)} failed" + (f": {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
