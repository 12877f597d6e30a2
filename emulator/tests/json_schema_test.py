#!/usr/bin/env python3
"""Tests of json_schema.py: each keyword, right and wrong."""

import contextlib
import io
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the sources
from json_schema import schema_errors  # noqa: E402


class Keywords(unittest.TestCase):
    def errors(self, value, schema):
        return schema_errors(value, schema, schema)

    def test_right_and_wrong(self):
        for schema, right, wrong, said in (
            ({"type": "integer"}, (1, 2.0, -3), (1.5, "1", True, None, float("inf")), "is no integer"),
            ({"type": "number"}, (1, 1.5), ("1", False, float("nan")), "is no number"),
            ({"type": ["string", "null"]}, ("", None), (0, [], {}), "is no string or null"),
            ({"type": "array"}, ([],), ({}, ""), "is no array"),
            ({"type": "object"}, ({},), ([], None), "is no object"),
            ({"type": "boolean"}, (True, False), (0, 1, "true"), "is no boolean"),
            ({"const": 1}, (1,), (True, 2, "1"), "is not 1"),
            ({"enum": ["a", 1]}, ("a", 1), ("b", True), "is none of a, 1"),
            ({"minimum": 0}, (0, 3, "no number"), (-1,), "is less than 0"),
            ({"exclusiveMinimum": 0}, (0.1,), (0, -1), "is not more than 0"),
            ({"pattern": "^a+$"}, ("aa", 3), ("ab", ""), "does not match"),
            ({"minItems": 1}, ([0], "x"), ([],), "has less than 1 elements"),
            ({"maxItems": 1}, ([], [0]), ([0, 0],), "has more than 1 elements"),
        ):
            for value in right:
                self.assertEqual(self.errors(value, schema), [], (schema, value))
            for value in wrong:
                with self.subTest(schema, value=value):
                    (error,) = self.errors(value, schema)
                    self.assertIn(said, error)

    def test_within(self):
        """What is wrong inside is said with its place."""
        schema = {
            "$schema": "...", "title": "...", "description": "...",
            "$defs": {"size": {"type": "integer", "minimum": 1}},
            "type": "object", "required": ["name", "sizes"], "additionalProperties": False,
            "properties": {"name": {"type": "string"}, "sizes": {"type": "array", "items": {"$ref": "#/$defs/size"}}},
        }  # fmt: skip
        self.assertEqual(self.errors({"name": "a", "sizes": [1, 2]}, schema), [])
        self.assertEqual(self.errors({"sizes": [1, 0, "2"]}, schema),
                         ["file: lacks name", "file.sizes[1]: 0 is less than 1",
                          'file.sizes[2]: "2" is no integer'])  # fmt: skip
        self.assertEqual(self.errors({"name": "a", "sizes": [], "more": 1}, schema), ["file: has an unknown more"])

    def test_an_unknown_keyword_is_no_silent_pass(self):
        for schema in ({"maximum": 0}, {"properties": {"a": {"oneOf": []}}}, {"additionalProperties": True}):
            with self.assertRaisesRegex(SystemExit, "json_schema: "), contextlib.redirect_stderr(io.StringIO()):
                self.errors({"a": 1}, schema)


if __name__ == "__main__":
    unittest.main()
