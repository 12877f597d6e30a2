"""Holds a JSON file against its schema. Knows the keywords of JSON Schema that our schemas use, and gives up over any
other."""

import json
import math
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def has_type(value, name):
    if name in ("number", "integer"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return math.isfinite(value) and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def schema_errors(value, schema, root, where="file"):
    """What in `value` is not as the schema wants it, a line each. `root` is the whole schema, which holds $defs."""
    errors = []
    numeric = has_type(value, "number")
    for keyword, wanted in schema.items():
        wrong = None
        if keyword in ANNOTATIONS:
            continue
        elif keyword == "$ref":
            errors += schema_errors(value, root["$defs"][wanted.removeprefix("#/$defs/")], root, where)
        elif keyword == "type":
            names = wanted if isinstance(wanted, list) else [wanted]
            if not any(has_type(value, name) for name in names):
                wrong = f"is no {' or '.join(names)}"
        elif keyword == "const":
            if value != wanted or type(value) is not type(wanted):
                wrong = f"is not {json.dumps(wanted)}"
        elif keyword == "enum":
            if not any(value == each and type(value) is type(each) for each in wanted):
                wrong = f"is none of {', '.join(map(str, wanted))}"
        elif keyword == "minimum":
            if numeric and value < wanted:
                wrong = f"is less than {wanted}"
        elif keyword == "exclusiveMinimum":
            if numeric and value <= wanted:
                wrong = f"is not more than {wanted}"
        elif keyword == "pattern":
            if isinstance(value, str) and not re.search(wanted, value):
                wrong = f"does not match {wanted}"
        elif keyword == "minItems":
            if isinstance(value, list) and len(value) < wanted:
                wrong = f"has less than {wanted} elements"
        elif keyword == "maxItems":
            if isinstance(value, list) and len(value) > wanted:
                wrong = f"has more than {wanted} elements"
        elif keyword == "items":
            if isinstance(value, list):
                for k, element in enumerate(value):
                    errors += schema_errors(element, wanted, root, f"{where}[{k}]")
        elif keyword == "required":
            if isinstance(value, dict):
                errors += [f"{where}: lacks {name}" for name in wanted if name not in value]
        elif keyword == "properties":
            if isinstance(value, dict):
                for name in wanted.keys() & value.keys():
                    errors += schema_errors(value[name], wanted[name], root, f"{where}.{name}")
        elif keyword == "additionalProperties":
            if wanted is not False:
                sys.exit("json_schema: additionalProperties can only be false")
            if isinstance(value, dict):
                unknown = value.keys() - schema.get("properties", {}).keys()
                errors += [f"{where}: has an unknown {name}" for name in sorted(unknown)]
        else:
            sys.exit(f"json_schema: the schema uses {keyword}, which this program does not know")
        if wrong:
            errors.append(f"{where}: {json.dumps(value)[:60]} {wrong}")
    return errors
