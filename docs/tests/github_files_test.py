#!/usr/bin/env python3
"""What GitHub reads besides workflows: forms for issues, the folders that Dependabot looks into, and CITATION.cff."""

import os
import pathlib
import re
import sys
import unittest

from with_yaml import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


def form_problems(form):
    """What GitHub would refuse of a form for issues."""
    if not all(isinstance(form.get(key), kind) for key, kind in (("name", str), ("description", str), ("body", list))):
        yield "no name, description or body"
        return
    names = [part.get("id") for part in form["body"]]
    if len(set(names)) != len(names) or not all(re.fullmatch(r"[\w-]+", name or "") for name in names):
        yield f"ids that are missing, not plain or there twice: {names}"
    for part in form["body"]:
        if part.get("type") not in ("input", "textarea", "dropdown") or not part.get("attributes", {}).get("label"):
            yield f"{part.get('id')}: no known type, or no label"
        if part.get("type") == "dropdown" and len(set(part["attributes"].get("options", []))) < 2:
            yield f"{part['id']}: nothing to choose from"
    if not any(part.get("validations", {}).get("required") for part in form["body"]):
        yield "nothing is required"


def dependabot_problems(told, root):
    for update in told["updates"]:
        for folder in update.get("directories", [update.get("directory")]):
            path = root / folder.lstrip("/")
            wanted = {"pip": "*requirements*.txt", "github-actions": ".github/workflows/*.yml"}
            if not list(path.glob(wanted.get(update["package-ecosystem"], "nothing"))):
                yield f"{update['package-ecosystem']}: nothing in {folder}"


def citation_problems(told):
    yield from (f"no {key}" for key in ("cff-version", "message", "title", "authors", "version", "date-released", "license")
                if not told.get(key))  # fmt: skip
    yield from (f"{key} is no text" for key in ("version", "date-released") if not isinstance(told.get(key), str))


def loaded(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


class GithubFiles(unittest.TestCase):
    def test_forms(self):
        forms = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
        self.assertGreaterEqual(len(forms), 3)
        for path in forms:
            self.assertEqual(list(form_problems(loaded(path))), [], path.name)
        form = loaded(forms[0])
        self.assertIn("nothing is required", list(form_problems(form | {"body": [
            {"type": "input", "id": "a", "attributes": {"label": "A"}}]})))  # fmt: skip
        self.assertRegex(" ".join(form_problems(form | {"body": form["body"] * 2})), "there twice")
        self.assertEqual(list(form_problems({"name": "A"})), ["no name, description or body"])

    def test_dependabot(self):
        told = loaded(".github/dependabot.yml")
        self.assertEqual(list(dependabot_problems(told, ROOT)), [])
        wrong = {"updates": [{"package-ecosystem": "pip", "directory": "/docs"}]}
        self.assertEqual(list(dependabot_problems(wrong, ROOT)), ["pip: nothing in /docs"])

    def test_citation(self):
        told = loaded("CITATION.cff")
        self.assertEqual(list(citation_problems(told)), [])
        self.assertEqual(list(citation_problems(told | {"version": 1.0, "title": ""})), ["no title", "version is no text"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
