"""How a cell shows what came of a check: points, what each case says, and the source lines that it is about."""

import html
import re

from emucc.cells import PRE, Outcome

MARKS = {"passed": ("✔", "#2e7d32"), "failed": ("✘", "#c62828"), "skipped": ("–", "#8d6e00"),
         "not run": ("✘", "#c62828")}  # fmt: skip
AROUND = 2  # lines shown above and below one that is marked
MOST_EXCERPTS = 5


def plural(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def named_lines(text, file):
    """The lines of the file that a text names, as residual.cu:12 or residual.cu:12:5, each once and in its order."""
    found = re.findall(rf"(?:^|[\s('\"/]){re.escape(file)}:(\d+)", text)
    return list(dict.fromkeys(int(number) for number in found))


def excerpt(source, line):
    """Some lines of the source, with one marked; None if it has no such line."""
    lines = source.split("\n")
    if not 1 <= line <= len(lines):
        return None
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    rows = []
    for number in range(first, last + 1):
        text = html.escape(f"{number:4}  {lines[number - 1]}")
        rows.append(f'<span style="background:rgba(230,159,0,.35);display:block"><b>{text}</b></span>' if number == line
                    else f'<span style="display:block;opacity:.8">{text}</span>')  # fmt: skip
    return f'<pre style="{PRE};border-left:4px solid #e69f00;padding-left:.5em">{"".join(rows)}</pre>'


class Page(Outcome):
    """A cell's output: the parts that cells of %%emucc have, text, code, and checked exercises."""

    def add_exercise(self, exercise, source):
        self.parts.append(("exercise", (exercise, source)))
        return self

    def text(self):
        shown = [(kind, self.text_of_exercise(part[0]) if kind == "exercise" else part) for kind, part in self.parts]
        return "\n\n".join("(a picture, which needs HTML)" if kind == "picture" else text for kind, text in shown)

    @staticmethod
    def html_of_text(text):
        return f'<div style="white-space:pre-wrap">{html.escape(text)}</div>'

    @staticmethod
    def html_of_code(text):
        return f'<pre style="{PRE}">{html.escape(text)}</pre>'

    @staticmethod
    def text_of_exercise(exercise):
        lines = [f"{exercise['id']}  {exercise['title']}", *exercise["messages"]]
        for case in exercise["cases"]:
            lines.append(f"{case['state']:8} {case['name']}")
            lines += ["    " + line for line in case["message"].split("\n") if line]
        return "\n".join([*lines, Page.verdict(exercise)])

    @staticmethod
    def verdict(exercise):
        points = "" if exercise["points"] is None else f"; {exercise['points']} of {exercise['of']} points"
        if exercise["solved"]:
            return f"{exercise['id']} is solved: {exercise['summary']}{points}."
        return f"{exercise['id']} is not solved yet: {exercise['summary']}{points}."

    @staticmethod
    def html_of_exercise(part):
        exercise, source = part
        file = exercise["file"].rpartition("/")[2]
        title = html.escape(f"{exercise['id']}  {exercise['title']}")
        parts = [f'<div style="font-weight:600;margin:.4em 0">{title}</div>']
        if exercise["as_handed_out"]:
            parts.append(f"<div>{html.escape(exercise['file'])} is still as handed out.</div>")
        if exercise["messages"]:
            text = "\n".join(exercise["messages"])
            parts.append(Outcome.html_of_errors(text) + Page.marked(source, text, file))
        for case in exercise["cases"]:
            sign, colour = MARKS[case["state"]]
            points = "" if case["points"] is None else f" ({plural(case['points'], 'point')})"
            name = (f'<span style="color:{colour};font-weight:600">{sign} {case["state"]}</span> '
                    f'{html.escape(case["name"])}<span style="opacity:.7">{points}</span>')  # fmt: skip
            if not case["message"].strip():
                parts.append(f"<div>{name}</div>")
                continue
            parts.append(f'<details {"" if case["state"] == "passed" else "open"}><summary>{name}</summary>'
                         f'<pre style="{PRE};margin-left:1.5em">{html.escape(case["message"])}</pre>'
                         f'{Page.marked(source, case["message"], file)}</details>')  # fmt: skip
        parts.append(Page.bar(exercise))
        if not exercise["solved"]:
            parts.append(f'<div style="opacity:.75">A hint: <code>%course hint {exercise["id"]}</code></div>')
        return "".join(parts)

    @staticmethod
    def marked(source, text, file):
        shown = [excerpt(source, line) for line in named_lines(text, file)[:MOST_EXCERPTS]]
        return "".join(one for one in shown if one)

    @staticmethod
    def bar(exercise):
        """The verdict, and the points as a bar."""
        colour = "#2e7d32" if exercise["solved"] else "#c62828"
        told = f'<div style="color:{colour};font-weight:600;margin:.4em 0">{html.escape(Page.verdict(exercise))}</div>'
        if exercise["points"] is None:
            return told
        share = 100 * exercise["points"] / max(1, exercise["of"])
        return (f'{told}<div style="width:20em;max-width:100%;height:.6em;background:rgba(128,128,128,.3)">'
                f'<div style="width:{share:.0f}%;height:100%;background:{colour}"></div></div>')
