# SPDX-License-Identifier: MIT
"""The alert rules and the dashboard beside the docs: they can be parsed, ask for metrics that the program
writes, and each metric that it writes is in docs/operations.md.

usage: alerts.py BUILD
"""
import glob
import json
import re
import shutil
import subprocess
import sys

import yaml

RULES, DASHBOARD = "docs/alerts.yml", "docs/dashboard.json"


def written():
    """The names of the program's metrics, from its tables of metrics and from what it prints by itself."""
    names = set()
    for path in glob.glob("arena/**/*.c", recursive=True):
        with open(path) as file:
            text = file.read()
        names |= {"pavilion_" + name for name in re.findall(r'\{\s*"([a-z_]+)",\s*"(?:gauge|counter)"', text)}
        names |= set(re.findall(r"# TYPE (pavilion_[a-z_]+) ", text))
    return names


def asked(expression):
    return set(re.findall(r"\bpavilion_[a-z_]+", expression))


def is_balanced(expression):
    """Brackets close in their order, outside of quotes."""
    opened = []
    for sign in re.sub(r'"(?:[^"\\]|\\.)*"', "", expression):
        if sign in "([{":
            opened.append(")]}"["([{".index(sign)])
        elif sign in ")]}" and (not opened or opened.pop() != sign):
            return False
    return not opened and expression.count('"') % 2 == 0


def expressions():
    with open(RULES) as file:
        groups = yaml.safe_load(file)["groups"]
    alerts = [rule for group in groups for rule in group["rules"]]
    assert len(alerts) == len({rule["alert"] for rule in alerts}) >= 10, alerts
    for rule in alerts:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule
        assert set(rule["annotations"]) == {"summary", "cure"}, rule
        assert rule["labels"]["severity"] in ("page", "warn"), rule
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1m")), rule
        yield rule["alert"], rule["expr"]
    with open(DASHBOARD) as file:
        panels = json.load(file)["panels"]
    assert len(panels) == len({panel["id"] for panel in panels}) >= 10, panels
    for panel in panels:
        assert panel["targets"] and panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24, panel
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


assert is_balanced('a{b="("} > (1)') and not is_balanced("rate(a[5m)]") and asked("pavilion_no > 1") - written()
names, used = written(), set()
assert {"pavilion_store_up", "pavilion_season_games", "pavilion_workers_games_total"} <= names, names
for where, expression in expressions():
    strangers = asked(expression) - names
    assert not strangers, (where, strangers)
    assert asked(expression) and is_balanced(expression), (where, expression)
    used |= asked(expression)
for name in "store_up", "store_full", "unpublished_seconds", "published_timestamp_seconds", "seasons_elsewhere":
    assert "pavilion_" + name in used, name
with open("docs/operations.md") as file:
    told = set(re.findall(r"`([a-z_]+)(?:\{[^`]*\})?`", file.read()))
missing = {name for name in names if name.removeprefix("pavilion_") not in told}
assert not missing, f"docs/operations.md does not tell: {sorted(missing)}"
if shutil.which("promtool"):
    subprocess.run(["promtool", "check", "rules", RULES], check=True)
print(f"{len(names)} metrics: alerts and dashboard ask for {len(used)} of them")
