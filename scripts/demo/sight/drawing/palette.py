"""The colours by their names, each in several shades."""

from random import Random

Rgb = tuple[float, float, float]

SHADES: dict[str, tuple[str, ...]] = {
    "black": ("000000", "000000", "181818"),
    "white": ("ffffff",),
    "grey": ("808080", "999999", "707880"),
    "red": ("ff0000", "dc2020", "e53935", "c81414"),
    "orange": ("ffa500", "ff8c00", "fb8c1e"),
    "yellow": ("ffd700", "ffeb00", "f5d522", "ffff00"),
    "green": ("008000", "22aa22", "43a047", "00b050"),
    "blue": ("0000ff", "1e50dc", "1e6ee6", "2196f3"),
    "purple": ("800080", "8e24aa", "6a1fb0", "9932cc"),
    "pink": ("ff69b4", "ff8cc0", "f06fa8"),
    "brown": ("8b4513", "7a4a20", "6d4c33"),
}
COLOURS = tuple(SHADES)
# Which of them can be mistaken for each other beside each other, or on each other.
ALIKE = [{"red", "orange"}, {"orange", "yellow"}, {"red", "brown"}, {"orange", "brown"}, {"pink", "red"}, {"pink", "purple"},
         {"white", "yellow"}, {"black", "brown"}, {"blue", "purple"}, {"black", "purple"}, {"black", "blue"}, {"grey", "brown"},
         {"white", "pink"}, {"green", "grey"}, {"blue", "grey"}, {"purple", "brown"}, {"pink", "grey"}, {"green", "blue"},
         {"orange", "pink"}]
# Softer ones of the page behind a drawing.
PALE: dict[str, str] = {"yellow": "fff3b0", "blue": "cfe4ff", "green": "d2f0cf", "pink": "ffd9ea", "grey": "d8d8d8"}


def rgb_of(code: str) -> Rgb:
    red, green, blue = (int(code[at:at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def shade(random: Random, name: str) -> Rgb:
    """One of the colour's shades, or nearly."""
    channels = rgb_of(random.choice(SHADES[name]))
    if random.random() < 0.5 or name == "white":
        return channels
    red, green, blue = (min(1.0, max(0.0, channel + random.uniform(-0.05, 0.05))) for channel in channels)
    return red, green, blue


def colour_on(random: Random, ground: str, taken: tuple[str, ...] = ()) -> str:
    """A colour that is seen on `ground` and is no other's that is taken."""
    usable = [name for name in COLOURS if name not in taken and name != ground and {name, ground} not in ALIKE]
    plain = [name for name in usable if name not in ("white", "grey")]
    return random.choice(plain if plain and random.random() < 0.9 else usable)


def ground_of(random: Random) -> tuple[str, Rgb]:
    """What is drawn on: most are white, as the page's drawing pad is."""
    kind = random.random()
    if kind < 0.68:
        return "white", (1.0, 1.0, 1.0)
    if kind < 0.74:
        tint = random.uniform(0.93, 1.0)
        return "white", (tint, tint, random.uniform(0.9, tint))
    if kind < 0.86:
        name = random.choice(tuple(PALE))
        return name, rgb_of(PALE[name])
    if kind < 0.92:
        return "black", (0.0, 0.0, random.choice((0.0, 0.06)))
    name = random.choice([name for name in COLOURS if name not in ("white", "black", "brown")])
    return name, shade(random, name)
