#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The model: every key that the arena tells has one meaning, and docs/ say what the program says.

    keys.py BUILD            compares
    keys.py BUILD --write    writes docs/openapi.json and docs/keys.md anew
"""
import json
import re
import subprocess
import sys

BUILD = sys.argv[1]
MODEL = json.loads(subprocess.run([BUILD + "/bin/arena", "web", "--openapi"], stdout=subprocess.PIPE, check=True).stdout)

# Keys that mean something else in another thing, or the same about another thing.
DIFFER = {
    "division": "of a season, if it has one; of a league",
    "state": "words of a season, a submission, a token, a worker, a challenge",
    "board": "a season may have both",
    "version": "of a bot; of the arena",
    "created": "a season, an account, a token, a challenge",
    "started": "a game, a worker",
    "ended": "a submission, a worker, a challenge",
    "games": "of a season, a ladder, a bot, a bot at some tables, a worker, a daemon",
    "groups": "of a season, a ladder, a bot, a worker",
    "bots": "the number in a season; names by seat; an author's",
    "running": "whether there is a daemon; whether it plays the season",
    "opening": "of a game, of a batch",
    "event": "the number of an event; the last that a batch knew",
    "forfeits": "of a bot by reason, of a game by seat, of an author, of a worker",
    "void": "games of a season; whether a game is void",
    "reason": "of a season's state; of a forfeit; by seat",
    "seed": "of an opening, of a game",
    "stderr": "a season's term; the text",
    "delay_us": "of an answer, of a game",
    "worker": "a game may have none",
    "status": "exit status of a bot; HTTP status",
    "players": "numbers of a season's tables; of a summary",
    "turn_ms": "of the bots' clock; an analyst's",
    "decisions": "the number in a game; those of an analysis",
    "seat": "of a bot; of a decision",
    "quotas": "a submission and a challenge have them in the answer to what made them alone",
    "round": "of a decision; a sum may be over all",
    "kind": "a decision may have none",
    "match": "a decision may be of its analysis's game",
    "turn": "a forfeit may come before the first decision",
}
READERS = {None: "everybody", "author": "the author", "organizer": "the organizer"}


def type_of(schema):
    """A schema as one word: integer, text[], season, time or null."""
    if "$ref" in schema:
        return schema["$ref"].split("/")[-1]
    if "anyOf" in schema:
        return type_of(schema["anyOf"][0]) + " or null"
    if schema["type"] == "array":
        return f"array of {type_of(schema['items'])}"
    return "time" if schema.get("format") == "date-time" else "text" if schema["type"] == "string" else schema["type"]


def keys_of(schema, prefix=""):
    """(key, type, unit, reader, meaning) of each key of a thing."""
    for name, one in schema["properties"].items():
        if "properties" in one:
            yield from keys_of(one, prefix + name + ".")
            continue
        meaning = one["description"]
        if "enum" in one:
            meaning += ": " + ", ".join(word for word in one["enum"] if word)
        yield prefix + name, type_of(one), one.get("x-unit", ""), one.get("x-reader"), meaning


def faults_of(schemas, differ):
    """Keys that mean two things and are not listed, meanings that two keys have, and keys without a meaning."""
    meanings, keys = {}, {}
    for thing, schema in schemas.items():
        for key, kind, unit, _, meaning in keys_of(schema):
            if not meaning or meaning.endswith(".") or re.search(r"[\n|]", meaning):
                yield f"{thing}.{key}: a meaning is a sentence on one line, without a period: {meaning!r}"
            meanings.setdefault(key, {}).setdefault((kind.replace(" or null", ""), unit, meaning), []).append(thing)
            keys.setdefault(meaning, {}).setdefault(key, []).append(thing)
    for key, told in meanings.items():
        if (len(told) > 1) != (key in differ):
            yield f"{key} {'differs' if len(told) > 1 else 'is listed, and does not differ'}: {told}"
    for meaning, told in keys.items():
        if len(told) > 1:
            yield f"one meaning has several keys: {meaning!r}: {told}"


def openapi_text():
    """One key a line, so that a diff shows which key changed."""
    def lay(value, depth, indent):
        if depth == 0 or not isinstance(value, dict) or not value:
            return json.dumps(value, ensure_ascii=False)
        inner = ",\n".join(f"{indent}  {json.dumps(key)}: {lay(one, depth - 1, indent + '  ')}" for key, one in value.items())
        return "{\n" + inner + "\n" + indent + "}"
    return lay(MODEL, 5, "") + "\n"


def keys_text():
    lines = ["# Keys", "",
             "What the arena tells about each thing: in `--json` of commands, in the API and in the files of the site. A key means the same",
             "everywhere. Commands tell the organizer everything; the API tells what its caller may see. `form.keys` writes this page from the",
             "program. What `check`, `doctor`, `match`, `publish`, `rate`, `replay`, `sprt` and `store` print of their own, such as a test's verdict,",
             "is not in it.", ""]
    for thing, schema in MODEL["components"]["schemas"].items():
        lines += [f"## {thing}", "", f"{schema['description'][0].upper()}{schema['description'][1:]}.", "",
                  "| key | type | unit | who sees it | meaning |", "| --- | --- | --- | --- | --- |"]
        for key, kind, unit, reader, meaning in keys_of(schema):
            lines.append(f"| `{key}` | {kind} | {unit} | {READERS[reader]} | {meaning} |".replace("|  |", "| |"))
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def main():
    # the rule itself can fail: a second word for a bot, a second meaning of a version
    planted = {"one": {"properties": {"bot": {"type": "string", "description": "name of the bot"},
                                      "sha256": {"type": "string", "description": "a hash"}}},
               "two": {"properties": {"name": {"type": "string", "description": "name of the bot"},
                                      "sha256": {"type": "integer", "description": "a hash"}}}}
    assert len(list(faults_of(planted, {}))) == 2, list(faults_of(planted, {}))
    faults = list(faults_of(MODEL["components"]["schemas"], DIFFER))
    told = {"docs/openapi.json": openapi_text(), "docs/keys.md": keys_text()}
    for path, text in told.items():
        if "--write" in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                faults.append(f"{path} is not what the program says: python3 tests/form/keys.py BUILD --write")
    assert not faults, "\n".join(faults)


main()
