"""Draws sentences from sentences.txt, which stands beside this file."""

import random
import re
from pathlib import Path

HEADING = re.compile(r"^\[([^:\]]+)(: words)?\]$")
WEIGHT = re.compile(r"^(\d+)x (.*)$")
INNERMOST = re.compile(r"\(([^(){}]*)\)|\{([^{}]+)\}")
WORD = re.compile(r"[A-Za-z']+")


class Grammar:
    """The sections of the file by name: forms, and how often each is drawn."""

    def __init__(self, path: Path = Path(__file__).parent / "sentences.txt"):
        self.forms: dict[str, tuple[list[str], list[int]]] = {}
        name, only_words = "", False
        for line in path.read_text().splitlines():
            heading = HEADING.match(line)
            if heading:
                name, only_words = heading[1], heading[2] is not None
                self.forms[name] = [], []
            elif line and not line.startswith("#"):
                weighted = WEIGHT.match(line)
                written = line.split() if only_words else [weighted[2] if weighted else line]
                forms, weights = self.forms[name]
                forms += [form.replace("_", " ") if only_words else form for form in written]
                weights += [int(weighted[1]) if weighted else 1] * len(written)
        texts = (re.sub(r"\{[^{}]*\}", " ", form) for forms, _ in self.forms.values() for form in forms)
        self.words = sorted({word for text in texts for word in WORD.findall(text)})

    def sentence(self, chance: random.Random, kind: str | None = None) -> str:
        """A sentence, of any kind or of this one, as it is written: with a capital letter at its start and a full stop or
        question mark."""
        kind = kind or self._form("sentence", chance)
        said = re.sub(r"\bi\b", "I", self._compose(kind, chance))
        said = re.sub(r"\ba (?=[aeiou])", "an ", said)
        mark = "?" if kind == "{question}" or said.split()[0] in ("how", "what", "who") else "."
        return said[0].upper() + said[1:] + mark

    def _form(self, name: str, chance: random.Random) -> str:
        if name == "any":
            return chance.choice(self.words)
        forms, weights = self.forms[name]
        return chance.choices(forms, weights)[0]

    def _compose(self, form: str, chance: random.Random) -> str:
        """The form with its choices made and its slots filled, from the inside out."""
        while found := INNERMOST.search(form):
            if found[2] is not None:
                drawn = self._form(found[2], chance)
            else:
                drawn = chance.choice(found[1].split("|"))
            form = form[: found.start()] + drawn + form[found.end() :]
        return " ".join(form.split())
