# SPDX-License-Identifier: MIT
"""Holds the answers of the API to docs/openapi.json."""
import json
import re

with open("docs/openapi.json", encoding="utf-8") as openapi:
    OPENAPI = json.load(openapi)
asked = set()


def fault_of(schema, value, reader=None):
    """What is wrong with a value by a schema of docs/openapi.json, of which the reader sees all keys; None: nothing."""
    if "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].split("/")[-1]]
    if "anyOf" in schema:
        faults = [fault_of(one, value, reader) for one in schema["anyOf"]]
        return None if None in faults else faults
    if "enum" in schema and value not in schema["enum"]:
        return f"{value} is none of {schema['enum']}"
    kinds = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list, "null": type(None),
             "number": (int, float)}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return f"{value} is no {schema['type']}"
    if isinstance(value, dict) and "properties" in schema:
        seen = {name for name, one in schema["properties"].items() if one.get("x-reader") in (None, reader)}
        assert set(schema["required"]) <= seen, schema
        if set(value) != seen:
            return f"missing {seen - set(value)}, more {set(value) - seen}"
        return next((f"{name}: {fault}" for name, one in value.items()
                     for fault in [fault_of(schema["properties"][name], one, reader)] if fault), None)
    if isinstance(value, list) and "items" in schema:
        return next((fault for one in value for fault in [fault_of(schema["items"], one, reader)] if fault), None)
    return None


def compare(method, path, status, kind, body):
    """Every answer of a path of docs/openapi.json is one that it describes."""
    for template, methods in OPENAPI["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/?]+", template) + r"(\?.*)?", path) and method.lower() in methods:
            answer = methods[method.lower()]["responses"].get(str(status))
            assert answer, (method, path, status, "is not in docs/openapi.json")
            kind = kind.split(";")[0]
            assert kind in answer["content"], (method, path, kind)
            schema = answer["content"][kind].get("schema", {})
            fault = fault_of(schema, body)
            for reader in ("author", "organizer") if "security" in methods[method.lower()] else ():
                fault = fault and fault_of(schema, body, reader)
            assert not fault, (method, path, fault)
            asked.add((method.lower(), template))


def asked_all(is_mine_fn):
    """All paths of docs/openapi.json that a test has to ask, as is_mine_fn(method, path) says, were asked."""
    mine = {(method, path) for path, methods in OPENAPI["paths"].items() for method in methods if is_mine_fn(method, path)}
    assert mine and mine <= asked, mine - asked
