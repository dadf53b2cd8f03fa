#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every link of a site leads somewhere: to a file of the site and an anchor in it, or to https.

usage: links.py SITE     prints each link that does not, then how many it followed
"""
import html.parser
import os
import sys
import urllib.parse

site = os.path.realpath(sys.argv[1])


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                assert value not in self.anchors, f"two elements with id {value}"
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


pages = {}
for at, _, names in os.walk(site):
    for name in names:
        if name.endswith(".html"):
            pages[os.path.join(at, name)] = Page(os.path.join(at, name))
dead = followed = 0
for path, page in pages.items():
    # Of a match's page, the anchor names the decision; its script makes what other pages have.
    for link in page.links:
        url = urllib.parse.urlsplit(link)
        to = path
        if url.scheme in ("https", "data", "mailto") or link.startswith("/live"):
            continue
        if url.path:
            to = os.path.join(site, url.path[1:]) if url.path[0] == "/" else os.path.join(os.path.dirname(path), url.path)
            to = os.path.normpath(os.path.join(to, "index.html") if to.endswith("/") else to)
        followed += 1
        exists = to.startswith(site + "/") and os.path.exists(to)
        has_anchor = not url.fragment or "/game/" in to or "=" in url.fragment or \
            (exists and to in pages and urllib.parse.unquote(url.fragment) in pages[to].anchors) or \
            url.fragment == "small"
        if url.scheme or not exists or not has_anchor:
            print(f"{os.path.relpath(path, site)}: {link} leads nowhere")
            dead += 1
print(f"{len(pages)} pages, {followed} links")
sys.exit(dead > 0)
