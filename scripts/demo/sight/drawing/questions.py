"""Questions about a picture, and true answers to them."""

import re
from itertools import product
from random import Random
from typing import Callable, NamedTuple

from palette import COLOURS
from scenes import Scene
from shapes import SHAPES
from things import THINGS

ORDINALS = ("first", "second", "third", "fourth", "fifth")


class Asked(NamedTuple):
    question: str
    answer: str
    # What the answer has to say for the evaluation: each of these words; and none of what it must not say.
    says: tuple[str, ...]
    group: str


def wordings(*patterns: str) -> tuple[str, ...]:
    """Every text that the patterns stand for: `(a|b)` is one of the two."""
    found: list[str] = []
    for pattern in patterns:
        parts = re.split(r"\(([^()]*)\)", pattern)
        choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
        found += ["".join(chosen) for chosen in product(*choices)]
    return tuple(found)


WHAT = wordings(
    "What is in the (picture|drawing|image)?", "What (do|can) you see(| here| in this picture)?", "What is (this|it|shown here|drawn here)?",
    "(Describe|Explain) (the|this|my) (picture|drawing|image).", "What does the (picture|drawing) show?", "(Tell|Please tell) me what you see.",
    "What did I (draw|sketch|paint)?", "Look at (this|my drawing). What is it?", "What is in this image?", "What might this (drawing|sketch) be?",
    "(Guess|Say|Can you tell|Do you know) what I (drew|sketched).", "What am I drawing?", "(Can|Could) you describe (this|the drawing)?",
    "What have I (made|sketched) here?", "What's (this|that|on the sheet)?", "I drew something. What is it?")
NUMBER = wordings(
    "(Which|What) number is (this|it|that|shown|in the picture)?", "(Which|What) (digit|figure) is (it|this|that)?", "(Which|What) (digit|number) do you (see|read)?",
    "What number did I (write|draw)?", "Read (the|this|my) (number|digit).", "Can you read (this|the|my) (number|digit)?",
    "(Tell me the|Name the|What is the) (number|digit).", "Which digit have I written?")
LETTER = wordings(
    "(Which|What) letter is (this|it|that|shown|in the picture)?", "(Which|What) letter do you (see|read)?", "What letter did I (write|draw)?",
    "Read (the|this|my) letter.", "Can you read (this|the|my) letter?", "(Tell me the|Name the|What is the) letter.", "Which letter have I written?")
COLOUR = wordings(
    "What (colour|color) is (the {name}|it|this)?", "Which (colour|color) does the {name} have?", "In (which|what) (colour|color) is the {name}(| drawn)?",
    "Which color is (it|the {name})?", "The {name} is of which (colour|color)?", "What is the (colour|color) of the {name}?", "(Name|Say) the colour of the {name}.",
    "What (colour|color) did I use for the {name}?", "What colour has the {name}?")
GROUND = wordings(
    "What (colour|color) is the (background|paper|sheet)?", "(Which|What) (colour|color) does the background have?",
    "What is the (background's colour|colour of the background|background)?", "(Name|Say) the (colour|color) of the background.", "On what colour did I draw?")
COUNT = wordings(
    "How many {thing} (are there|do you see|are in the picture|are here|are drawn|have I drawn)?", "(Count|Count all) the {thing}.", "How many {thing}?",
    "What is the number of {thing}?", "How many {thing} can you count?", "(Tell me how|Say how|I wonder how) many {thing} there are.",
    "(Can|Could) you count the {thing}?", "What number of {thing} is there?")
IS_THERE = wordings(
    "Is there (a|any) {thing}?", "(Do|Can) you see a {thing}(|here)?", "Is a {thing} in the (picture|drawing)?", "Does the (picture|drawing) (have|show) a {thing}?",
    "Did I draw a {thing}(|too)?", "Is a {thing} (there|to be seen)?")
IS_IT = wordings("Is (this|it) a {thing}?", "Did I draw a {thing}?", "Is my drawing a {thing}?", "Could this be a {thing}?", "Have I drawn a {thing}?", "(It|This) is a {thing}, isn't it?")
HIGHEST = wordings(
    "(Which|What) (bar|column) is (the |)(highest|tallest|longest|largest|biggest)?", "(What|Which) is the (highest|tallest|longest|largest) bar?",
    "(Which|What) bar has the (largest|highest|greatest) value?", "(Name|Say|Show|Find) the (highest|tallest|longest) (bar|column).",
    "Which one of them is the (highest|tallest)?", "(Say|Can you tell me) which bar is the (highest|longest|largest).", "Which of these bars is the (tallest|longest)?",
    "Where is the (highest|tallest) bar?", "What bar (stands|goes) highest?")
LOWEST = wordings(
    "(Which|What) (bar|column) is (the |)(lowest|shortest|smallest|least)?", "(What|Which) is the (lowest|shortest|smallest) bar?",
    "(Which|What) bar has the (smallest|lowest|least) value?", "(Name|Say|Show|Find) the (lowest|shortest|smallest) (bar|column).",
    "Which one of them is the (lowest|smallest)?", "(Say|Can you tell me) which bar is the (lowest|smallest).", "Which of these bars is the (shortest|smallest)?",
    "Where is the (lowest|shortest) bar?")
# Asked in the evaluation only.
OTHER_WORDS: dict[tuple[str, ...], tuple[str, ...]] = {
    WHAT: ("What's in the picture?", "Please describe what you see in the picture.", "What have I drawn?", "What does this image show?"),
    NUMBER: ("Which digit did I write?", "Please read this number.", "What's the number in this picture?"),
    LETTER: ("Which letter did I draw?", "Please read this letter.", "What's the letter in the picture?"),
    COLOUR: ("Which colour is the {name}?", "Tell me the colour of the {name}."),
    GROUND: ("Which colour is the background?", "Tell me the colour of the background."),
    COUNT: ("Please count the {thing}.", "How many {thing} can you see?", "How many {thing} did I draw?"),
    IS_THERE: ("Can you find a {thing}?", "Is there a {thing} in this picture?"),
    IS_IT: ("Is this drawing a {thing}?", "Is that a {thing}?"),
    HIGHEST: ("Which of the bars is the highest?", "Tell me which bar is the tallest."),
    LOWEST: ("Which of the bars is the lowest?", "Tell me which bar is the shortest."),
}


class Questioner:
    """`held_out`: in words that training does not see."""

    def __init__(self, seed: int, held_out: bool = False):
        self.random = Random(seed)
        self.held_out = held_out

    def word(self, wordings: tuple[str, ...], **slots: str) -> str:
        chosen = self.random.choice(OTHER_WORDS[wordings] if self.held_out else wordings).format(**slots)
        chosen = chosen.replace(" a orange", " an orange").replace(" a arrow", " an arrow").replace(" a umbrella", " an umbrella")
        if self.held_out:
            return chosen
        return self.as_typed(chosen)

    def as_typed(self, question: str) -> str:
        """Now and then without capitals and marks, or with some words before or behind."""
        typed = self.random.random()
        if typed < 0.6:
            return question
        if typed < 0.85:
            return question.lower().rstrip("?.")
        if typed < 0.9:
            return f"{question} Answer in one sentence."
        start = self.random.choice(("Please", "Hey,", "Now", "And", "So", "Hello!", "Tell me:"))
        return f"{start} {question if start[-1] in '!:' else question[0].lower() + question[1:]}"

    def ask(self, scene: Scene, count: int) -> list[Asked]:
        """So many different questions, or as many as there are."""
        ways: list[Callable[[Scene], Asked | None]] = [self.what, *getattr(self, f"ways_of_{scene.kind}")()]
        weights = [2.0] + [1.0] * (len(ways) - 1)
        asked: dict[str, Asked] = {}
        for way in self.random.choices(ways, weights, k=2 * count):
            found = way(scene)
            if found is not None and len(asked) < count:
                asked.setdefault(found.question, found)
        return list(asked.values())

    def ways_of_number(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.number, self.number, self.number, self.colour, self.ground, self.count, self.letter_of_number, self.bars_of_others]

    def ways_of_letter(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.letter, self.letter, self.letter, self.colour, self.ground, self.count, self.number_of_letter]

    def ways_of_shapes(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.count, self.count, self.count, self.count_all, self.is_there, self.shape_colour, self.ground, self.bars_of_others]

    def ways_of_bars(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.highest, self.highest, self.lowest, self.lowest, self.count_bars, self.ground]

    def ways_of_thing(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.is_it, self.is_it, self.colour, self.ground, self.count]

    def ways_of_empty(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.ground, self.count, self.is_there, self.nothing_to_read]

    def ways_of_unknown(self) -> list[Callable[[Scene], Asked | None]]:
        return [self.nothing_to_read, self.bars_of_others]

    def what(self, scene: Scene) -> Asked:
        return Asked(self.word(WHAT), *described(scene), "what")

    def number(self, scene: Scene) -> Asked:
        return Asked(self.word(NUMBER), f"It is the number {scene.name}.", (scene.name,), "numbers")

    def letter(self, scene: Scene) -> Asked:
        return Asked(self.word(LETTER), f"It is the letter {scene.name}.", (f"letter {scene.name}",), "letters")

    def letter_of_number(self, scene: Scene) -> Asked | None:
        if scene.name in "0125":
            return None
        return Asked(self.word(LETTER), f"It is not a letter. It is the number {scene.name}.", ("not a letter", scene.name), "not there")

    def number_of_letter(self, scene: Scene) -> Asked | None:
        if scene.name in "OILZSQGB":
            return None
        return Asked(self.word(NUMBER), f"It is not a number. It is the letter {scene.name}.", ("not a number", f"letter {scene.name}"), "not there")

    def colour(self, scene: Scene) -> Asked:
        name = scene.name if scene.kind == "thing" else scene.kind
        return Asked(self.word(COLOUR, name=name), f"The {name} is {scene.colour}.", (scene.colour,), "colours")

    def ground(self, scene: Scene) -> Asked:
        return Asked(self.word(GROUND), f"The background is {scene.ground}.", (scene.ground,), "colours")

    def shape_colour(self, scene: Scene) -> Asked | None:
        count, colour, shape = self.random.choice(scene.groups)
        if sum(other == shape for _, _, other in scene.groups) > 1:
            return None
        name, verb = (shape, "is") if count == 1 else (plural(shape), "are")
        question = self.random.choice(("What colour {verb} the {name}?", "Which colour do the {name} have?" if count > 1 else
                                       "Which colour does the {name} have?", "What color {verb} the {name}?"))
        return Asked(question.format(name=name, verb=verb), f"The {name} {verb} {colour}.", (colour,), "colours")

    def count(self, scene: Scene) -> Asked:
        random = self.random
        colour, shape = "", random.choice(SHAPES)
        if scene.groups and random.random() < 0.65:
            _, colour, shape = random.choice(scene.groups)
        elif random.random() < 0.6:
            # One of the colours or shapes that are there, but perhaps not together.
            colour = random.choice([colour for _, colour, _ in scene.groups] or [random.choice(COLOURS)])
            if random.random() < 0.4:
                colour = random.choice(COLOURS)
        if random.random() < 0.3:
            colour = ""
        counted = sum(count for count, other, kind in scene.groups if kind == shape and colour in ("", other))
        if scene.name == shape and colour in ("", scene.colour):
            counted = 1
        name = f"{colour} {plural(shape)}".strip()
        question = self.word(COUNT, thing=name)
        if counted == 0:
            return Asked(question, f"There are no {name}.", (f"no {name}",), "not there")
        return Asked(question, there_are(counted, colour, shape), (str(counted), shape), "counts")

    def count_all(self, scene: Scene) -> Asked:
        total = sum(count for count, _, _ in scene.groups)
        return Asked(self.word(COUNT, thing="shapes"), there_are(total, "", "shape"), (str(total),), "counts")

    def count_bars(self, scene: Scene) -> Asked:
        return Asked(self.word(COUNT, thing="bars"), there_are(len(scene.bars), "", "bar"), (str(len(scene.bars)),), "counts")

    def is_there(self, scene: Scene) -> Asked:
        random = self.random
        colour, shape = random.choice(("", random.choice(COLOURS))), random.choice(SHAPES)
        if scene.groups and random.random() < 0.6:
            _, other, shape = random.choice(scene.groups)
            colour = random.choice(("", other, other, random.choice(COLOURS)))
        name = f"{colour} {shape}".strip()
        is_there = any(kind == shape and colour in ("", other) for _, other, kind in scene.groups)
        answer = f"Yes, there is {with_article(name)}." if is_there else f"No, there is no {name}."
        return Asked(self.word(IS_THERE, thing=name), answer, ("yes" if is_there else "no,",), "yes or no")

    def is_it(self, scene: Scene) -> Asked:
        names = [*THINGS, *SHAPES[3:5]]
        asked = scene.name if self.random.random() < 0.45 else self.random.choice(names)
        if asked == scene.name:
            return Asked(self.word(IS_IT, thing=asked), f"Yes, it is {with_article(asked)}.", ("yes",), "yes or no")
        return Asked(self.word(IS_IT, thing=asked), f"No, it is {with_article(scene.name)}.", ("no,", scene.name), "yes or no")

    def highest(self, scene: Scene) -> Asked:
        return Asked(self.word(HIGHEST), *highest_bar(scene), "bars")

    def lowest(self, scene: Scene) -> Asked | None:
        """Where the bars have colours: the lowest one's place is more than the model tells."""
        if len({colour for colour, _ in scene.bars}) == 1:
            return None
        colour, _ = min(scene.bars, key=lambda bar: bar[1])
        return Asked(self.word(LOWEST), f"The {colour} bar is the lowest.", (f"{colour} bar",), "bars")

    def bars_of_others(self, scene: Scene) -> Asked:
        return Asked(self.word(self.random.choice((HIGHEST, LOWEST))), "There are no bars.", ("no bars",), "not there")

    def nothing_to_read(self, scene: Scene) -> Asked:
        if scene.kind == "empty":
            return Asked(self.word(self.random.choice((NUMBER, LETTER))), "The picture is empty.", ("empty",), "not there")
        return Asked(self.word(self.random.choice((NUMBER, LETTER))), "I cannot tell what this is.", ("cannot tell",), "not there")


def described(scene: Scene) -> tuple[str, tuple[str, ...]]:
    """What is in the picture, and what of it has to be said."""
    if scene.kind == "empty":
        return "The picture is empty.", ("empty",)
    if scene.kind == "unknown":
        return "I cannot tell what this is.", ("cannot tell",)
    if scene.kind in ("number", "letter"):
        return f"It is the {scene.kind} {scene.name} in {scene.colour}.", (f"{scene.kind} {scene.name}", scene.colour)
    if scene.kind == "thing":
        name = f"{scene.colour} {scene.name}"
        return f"It is {with_article(name)}.", (name,)
    if scene.kind == "shapes":
        parts = [counted(*group) for group in scene.groups]
        verb = "is" if scene.groups[0][0] == 1 else "are"
        return f"There {verb} {listed(parts)}.", tuple(parts)
    count = f"{len(scene.bars)} bars"
    answer, says = highest_bar(scene)
    return f"It is a chart of {count}. {answer}", (count, *says)


def highest_bar(scene: Scene) -> tuple[str, tuple[str, ...]]:
    at = max(range(len(scene.bars)), key=lambda bar: scene.bars[bar][1])
    colour, place = scene.bars[at][0], f"{ORDINALS[at]} bar"
    return f"The {place} is the highest. It is {colour}.", (place, colour)


def there_are(count: int, colour: str, shape: str) -> str:
    return f"There {'is' if count == 1 else 'are'} {counted(count, colour, shape)}."


def counted(count: int, colour: str, shape: str) -> str:
    return f"{count} {colour} {shape if count == 1 else plural(shape)}".replace("  ", " ")


def plural(shape: str) -> str:
    return f"{shape}es" if shape == "cross" else f"{shape}s"


def with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
