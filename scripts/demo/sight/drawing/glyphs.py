"""Digits and letters: printed by fonts, or written by hand along the strokes of the Hershey fonts."""

import os
from functools import lru_cache
from pathlib import Path
from random import Random

import cairo

from palette import Rgb
from sheet import Line, Placement, Sheet, arc

FAMILIES = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono",
            "FreeSans", "FreeSerif", "FreeMono", "Lato", "Roboto", "Roboto Condensed", "Cantarell", "Dosis", "Quicksand",
            "Go Mono", "Inconsolata", "Linux Libertine O", "Linux Biolinum O", "Humor Sans", "Steve", "Delphine", "Rufscript",
            "Courier Prime", "Lato Light")
HELD_OUT_FAMILIES = ("Carlito", "Comic Neue", "Play", "Old Standard TT", "Liberation Sans Narrow", "Go")
# Simple ones, of single strokes mostly. The number of each is how often it is taken.
PENS = {"futural": 6, "rowmans": 5, "scripts": 1, "futuram": 1}
HERSHEY = Path(os.environ.get("HERSHEY_FONTS", "/usr/share/hershey-fonts"))


def print_glyph(sheet: Sheet, text: str, rgb: Rgb, families: tuple[str, ...]) -> None:
    random, context = sheet.random, sheet.context
    slant = cairo.FONT_SLANT_ITALIC if random.random() < 0.15 else cairo.FONT_SLANT_NORMAL
    weight = cairo.FONT_WEIGHT_BOLD if random.random() < 0.5 else cairo.FONT_WEIGHT_NORMAL
    context.select_font_face(random.choice(families), slant, weight)
    context.set_font_size(1)
    left, top, width, height, *_ = context.text_extents(text)
    wanted = random.uniform(0.35, 0.85)
    size = wanted / max(height, 0.9 * width, 0.1)
    context.save()
    x, y = (random.uniform(margin, 1 - margin) for margin in (size * width / 2 + 0.02, size * height / 2 + 0.02))
    context.translate(x, y)
    context.rotate(random.uniform(-0.16, 0.16))
    context.scale(size, size)
    context.move_to(-left - width / 2, -top - height / 2)
    context.set_source_rgb(*rgb)
    context.show_text(text)
    context.restore()


def write_glyph(sheet: Sheet, text: str, rgb: Rgb) -> None:
    random = sheet.random
    written = written_otherwise(random, text)
    if written is None:
        pen = random.choices(tuple(PENS), tuple(PENS.values()))[0]
        # Script capitals are hard to read.
        written = strokes_of("futural" if pen == "scripts" and text.isupper() else pen)[text]
    size = random.uniform(0.18, 0.43)
    place = Placement(random, *(random.uniform(size + 0.04, 0.96 - size) for _ in range(2)), size, turn=10, lean=0.22)
    width = random.choice((8 / 512, 8 / 512, random.uniform(0.012, 0.07)))
    sheet.draw([place(line) for line in written], rgb, width)


def written_otherwise(random: Random, text: str) -> list[Line] | None:
    """Ways of writing that no font here has."""
    ways: dict[str, list[list[Line]]] = {
        "0": [[arc(0, 0, 0.6, 1)]],
        "1": [[[(0, -1), (0, 1)]], [[(-0.4, -0.5), (0.05, -1), (0.05, 1)]], [[(-0.4, -0.5), (0, -1), (0, 1)], [(-0.4, 1), (0.4, 1)]]],
        "2": [[arc(0, -0.5, 0.5, 0.5, -170, 40, 14) + [(-0.55, 1), (0.6, 1)]]],
        "3": [[arc(0, -0.5, 0.5, 0.5, -150, 80, 14) + arc(0, 0.5, 0.55, 0.5, -80, 150, 14)]],
        "4": [[[(0.1, -1), (-0.6, 0.3), (0.6, 0.3)], [(0.25, -0.3), (0.25, 1)]], [[(-0.45, -1), (-0.5, 0.1), (0.5, 0.1)], [(0.4, -0.9), (0.35, 1)]]],
        "5": [[[(0.5, -1), (-0.4, -1), (-0.45, -0.1)] + arc(0, 0.4, 0.55, 0.58, -130, 140, 16)]],
        "6": [[[(0.4, -1), (-0.1, -0.6), (-0.5, 0.1)] + arc(0, 0.5, 0.5, 0.5, 190, -180, 20)]],
        "7": [[[(-0.5, -1), (0.5, -1), (-0.1, 1)], [(-0.3, 0.05), (0.4, 0)]], [[(-0.5, -0.7), (-0.5, -1), (0.5, -1), (-0.15, 1)]]],
        "8": [[arc(0, -0.5, 0.42, 0.48, 90, 450, 20), arc(0, 0.5, 0.5, 0.5, -90, 270, 20)]],
        "9": [[arc(0, -0.45, 0.48, 0.52, 0, -360, 20) + [(0.48, -0.4), (0.4, 1)]], [arc(0, -0.45, 0.48, 0.52, 0, -360, 20) + arc(0, 0.4, 0.48, 0.6, 0, 130, 10)]],
    }
    return random.choice(ways[text]) if text in ways and random.random() < 0.6 else None


@lru_cache(None)
def strokes_of(pen: str) -> dict[str, list[Line]]:
    """Each printable character's strokes, from -1 to 1: the file has two letters for each coordinate, about R."""
    glyphs: dict[str, list[Line]] = {}
    lines = (HERSHEY / f"{pen}.jhf").read_text().splitlines()
    for code, line in enumerate(lines, start=32):
        strokes = [
            [(ord(stroke[at]) - ord("R"), ord(stroke[at + 1]) - ord("R")) for at in range(0, len(stroke) - 1, 2)]
            for stroke in line[10:].split(" R")
        ]
        strokes = [stroke for stroke in strokes if stroke]
        if strokes:
            glyphs[chr(code)] = centred(strokes)
    return glyphs


def centred(strokes: list[Line]) -> list[Line]:
    xs, ys = zip(*(point for stroke in strokes for point in stroke))
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    size = max(max(xs) - min(xs), max(ys) - min(ys), 1) / 2
    return [[((px - x) / size, (py - y) / size) for px, py in stroke] for stroke in strokes]
