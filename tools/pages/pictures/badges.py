"""The small pictures with facts below the picture that README.md begins with; cover.py keeps them."""

import json
import re

from places import RESULTS, ROOT

HEIGHT, PAD = 20, 7  # pixels
# Verdana's letters, 11 pixels high; all others are as wide as LETTER.
WIDTHS = {letter: width for letters, width in (("ijl .,", 3.5), ("frt", 4.7), ("mw", 10.5), ("+", 9.0),
                                               ("ACDGNOPU", 8.2), ("M", 9.3)) for letter in letters}  # fmt: skip
LETTER = 6.9


def facts():
    """By the names of their files: (what, which). Each comes from the file that decides it."""
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    measured = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))
                if path.name != "schema.json"]  # fmt: skip
    toolkits = sorted({".".join(one["software"]["cuda_toolkit"].split(".")[:2]) for one in measured})
    return {
        "licence": ("licence", (ROOT / "LICENSE").read_text(encoding="utf-8").split()[0]),
        "language": ("C++", re.search(r"CMAKE_CXX_STANDARD (\d+)", cmake)[1]),
        "version": ("version", re.search(r"^project\(\w+ VERSION ([\d.]+)", cmake, re.MULTILINE)[1]),
        "cuda": ("measured with CUDA", ", ".join(toolkits)),
        "gpu": ("GPU", "not needed"),
    }


def badge(what, which):
    left, right = (2 * PAD + sum(WIDTHS.get(letter, LETTER) for letter in text) for text in (what, which))
    width = round(left + right)
    return (f'<svg role="img" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
            f'viewBox="0 0 {width} {HEIGHT}">\n<title>{what}: {which}</title>\n'
            f'<rect width="{width}" height="{HEIGHT}" rx="4" fill="#00603f"/>\n'
            f'<path d="M4 0H{left:.1f}V{HEIGHT}H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#3d444d"/>\n'
            '<g fill="#fff" font-family="Verdana, \'DejaVu Sans\', sans-serif" font-size="11" text-anchor="middle">\n'
            f'<text x="{left / 2:.1f}" y="14">{what}</text>\n'
            f'<text x="{left + right / 2:.1f}" y="14">{which}</text>\n</g>\n'
            "</svg>\n")  # fmt: skip


def drawn():
    return {f"{name}.svg": badge(*fact) for name, fact in facts().items()}


def markdown(address):
    """The line of README.md that shows them, and GitHub's own of the workflow, if the repository is there."""
    shown = [f"![{what}: {which}](docs/cover/{name}.svg)" for name, (what, which) in facts().items()]
    if address.startswith("https://github.com/"):
        workflow = f"{address}/actions/workflows/ci.yml"
        shown.append(f"[![the tests]({workflow}/badge.svg)]({workflow})")
    return "\n".join(shown)
