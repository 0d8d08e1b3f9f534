"""Questions about a picture, and true answers to them."""

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


WHAT = ("What is in the picture?", "What do you see?", "What is this?", "Describe the picture.", "What does the picture show?",
        "What can you see in this picture?", "What is shown here?", "Tell me what you see.", "What did I draw?", "Look at this. What is it?",
        "Describe this image.", "What is in this image?")
NUMBER = ("Which number is this?", "What number is this?", "Which digit is it?", "What digit do you see?", "What number did I write?",
          "Which number is in the picture?", "Read the number.", "What number is it?", "Can you read this number?")
LETTER = ("What letter is this?", "Which letter is this?", "Which letter do you see?", "What letter did I write?", "Read the letter.",
          "Which letter is in the picture?", "What letter is it?", "Can you read this letter?")
COLOUR = ("What colour is the {name}?", "What color is the {name}?", "Which colour does the {name} have?", "In which colour is the {name}?",
          "What colour is it?", "Which color is it?", "What colour is this?", "The {name} is of which colour?")
GROUND = ("What colour is the background?", "What color is the background?", "Which colour does the background have?",
          "What is the background's colour?")
COUNT = ("How many {thing} are there?", "How many {thing} do you see?", "Count the {thing}.", "How many {thing} are in the picture?",
         "How many {thing}?", "What is the number of {thing}?", "How many {thing} can you count?")
IS_THERE = ("Is there a {thing}?", "Do you see a {thing}?", "Is a {thing} in the picture?", "Can you see a {thing}?", "Does the picture have a {thing}?")
IS_IT = ("Is this a {thing}?", "Is it a {thing}?", "Did I draw a {thing}?")
HIGHEST = ("Which bar is the highest?", "Which bar is highest?", "What is the highest bar?", "Which bar is the tallest?",
           "Which is the tallest bar?", "Which bar has the largest value?", "Which bar is the longest?")
LOWEST = ("Which bar is the lowest?", "Which bar is lowest?", "What is the lowest bar?", "Which bar is the shortest?",
          "Which is the smallest bar?", "Which bar has the smallest value?")
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
        return chosen if self.random.random() < 0.9 else chosen.lower().rstrip("?.") if self.random.random() < 0.5 else f"{chosen} Answer in one sentence."

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
