# SPDX-License-Identifier: MIT
"""Draws what learn.py wrote: the share of games won against greedy, by minutes of processor time.

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


parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
         f'<rect width="{width}" height="{height}" fill="white"/>']
for percent in (0, 25, 50, 75, 100):
    parts.append(f'<path d="M{left} {y(percent / 100):.1f}H{width - 16}" stroke="{"#888" if percent == 50 else "#ddd"}"/>')
    parts.append(f'<text x="{left - 6}" y="{y(percent / 100) + 4:.1f}" text-anchor="end">{percent} %</text>')
for i in range(5):
    parts.append(f'<text x="{x(last * i / 4):.1f}" y="{base + 18}" text-anchor="middle">{last * i / 4:.1f}</text>')
points = " ".join(f"{x(minutes):.1f},{y(share):.1f}" for minutes, _, _, share in rows)
parts.append(f'<polyline points="{points}" fill="none" stroke="#2a6fb0" stroke-width="2"/>')
parts += [f'<circle cx="{x(minutes):.1f}" cy="{y(share):.1f}" r="3" fill="#2a6fb0"/>' for minutes, _, _, share in rows]
parts.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">'
             f'minutes of processor time ({rows[-1][1]:,.0f} games at the end); share won against greedy</text></svg>')
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
