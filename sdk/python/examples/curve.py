# SPDX-License-Identifier: MIT
"""Draws what learn.py wrote: the shares of games won against greedy and steady, by minutes of processor time.

usage: curve.py CURVE.csv PICTURE.svg
"""

import sys

rows = [[float(number) for number in line.split(",")] for line in open(sys.argv[1])]
width, height, left, base = 640, 320, 48, 280
last = max(row[0] for row in rows)


def x(minutes):
    return left + (width - left - 16) * minutes / last


def y(share):
    return base - (base - 16) * share


parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
         f'<rect width="{width}" height="{height}" fill="white"/>']
for percent in (0, 25, 50, 75, 100):
    parts.append(f'<path d="M{left} {y(percent / 100):.1f}H{width - 16}" stroke="{"#888" if percent == 50 else "#ddd"}"/>')
    parts.append(f'<text x="{left - 6}" y="{y(percent / 100) + 4:.1f}" text-anchor="end">{percent} %</text>')
for i in range(5):
    parts.append(f'<text x="{x(last * i / 4):.1f}" y="{base + 18}" text-anchor="middle">{last * i / 4:.2f}</text>')
for name, column, color in (("greedy", 3, "#2a6fb0"), ("steady", 4, "#b0542a")):
    places = [(x(row[0]), y(row[column])) for row in rows]
    points = " ".join(f"{right:.1f},{down:.1f}" for right, down in places)
    parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
    parts += [f'<circle cx="{right:.1f}" cy="{down:.1f}" r="3" fill="{color}"/>' for right, down in places]
    parts.append(f'<text x="{places[-1][0]:.1f}" y="{places[-1][1] - 8:.1f}" text-anchor="end" fill="{color}">against {name}</text>')
parts.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">'
             f'minutes of processor time ({rows[-1][1]:,.0f} games at the end); share of games won</text></svg>')
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
