"""How texts are told to the model: every word as its sounds, by the longest known beginning of what is left of the text.

The file's own tokenizer does the same in llama.cpp: its table of normal forms (`precompiled_charsmap`) holds this lexicon.
Run as a program, it writes lexicon.json, which synthesise.py and export.ts read.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

demos = Path(__file__).parents[2]
sys.path.append(str(demos / "ears" / "corpus"))

from grammar import Grammar  # noqa: E402

PHONES = (
    "aa ae ah ao aw ax ay b ch d dh eh er ey f g hh ih iy jh k l m n ng ow oy p r s sh t th uh uw v w y z zh".split()
)
# Each phone is one character of Unicode's private use area.
FIRST_PHONE = 0xE000
SIGN_OF = {phone: chr(FIRST_PHONE + index) for index, phone in enumerate(PHONES)}
MARKS = [".", ",", "?", "!"]
WORD = re.compile(r"[A-Za-z']+")
# Words of the chat demo that are not in the grammar stand in its corpus so often at least.
LEAST_COUNT = 2
WORDS_PER_CALL = 40

# Sounds of letters where no word is known; the longest that fits counts, as it does for words.
LETTERS = {
    "a": "ae", "b": "b", "c": "k", "d": "d", "e": "eh", "f": "f", "g": "g", "h": "hh", "i": "ih", "j": "jh", "k": "k", "l": "l",
    "m": "m", "n": "n", "o": "aa", "p": "p", "q": "k", "r": "r", "s": "s", "t": "t", "u": "ah", "v": "v", "w": "w", "x": "k s",
    "y": "iy", "z": "z", "ai": "ey", "ar": "aa r", "au": "ao", "aw": "ao", "ay": "ey", "bb": "b", "cc": "k", "ce": "s eh",
    "ch": "ch", "ci": "s ih", "ck": "k", "dd": "d", "ea": "iy", "ee": "iy", "er": "er", "ew": "uw", "ff": "f", "gg": "g",
    "igh": "ay", "ing": "ih ng", "ir": "er", "kn": "n", "ll": "l", "mm": "m", "ng": "ng", "nn": "n", "oa": "ow", "oi": "oy",
    "oo": "uw", "or": "ao r", "ou": "aw", "ow": "ow", "oy": "oy", "ph": "f", "pp": "p", "qu": "k w", "rr": "r", "sh": "sh",
    "sion": "zh ax n", "ss": "s", "tch": "ch", "th": "th", "tion": "sh ax n", "tt": "t", "ur": "er", "wh": "w", "zz": "z",
}  # fmt: skip
# Vowels with a consonant between them and a silent e at the end of a word.
SILENT = {"a": "ey", "i": "ay", "o": "ow", "u": "uw"}
SPOKEN_SIGNS = {"&": "and", "%": "percent", "@": "at", "+": "plus", "=": "equals", "/": "slash", "°": "degrees", "€": "euros"}
NO_SOUND = "'\"“”’‘`´*_#()[]{}<>|~^\\-–—"
TEENS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen".split()
TEENS += ["eighteen", "nineteen"]
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


class Lexicon:
    """Beginnings of texts, and what stands for each: signs of phones, spaces and marks."""

    def __init__(self, signs: dict[str, str]):
        self.signs = signs
        self.longest = max(map(len, signs))
        self.pieces = ["▁", *MARKS, *SIGN_OF.values(), *("▁" + sign for sign in SIGN_OF.values())]

    def normal(self, text: str) -> str:
        made, at = "", 0
        while at < len(text):
            lengths = range(min(self.longest, len(text) - at), 0, -1)
            length = next((n for n in lengths if text[at : at + n] in self.signs), 0)
            made += self.signs[text[at : at + length]] if length else text[at]
            at += max(1, length)
        return made

    def tokens(self, text: str) -> list[str]:
        """A piece for each phone and mark; a phone at the start of a word is another piece than one within it."""
        spaced = re.sub(r"^ *| +(?=[^ ])", "▁", self.normal(text).rstrip(" "))
        return re.findall(r"▁[\ue000-\uf8ff]|.", spaced)


def load_lexicon(path: Path) -> Lexicon:
    return Lexicon(json.loads(path.read_text()))


def build(words: list[str]) -> dict[str, str]:
    sounds = sounds_of_all(words)
    signs = {letters: signs_of(phones.split()) for letters, phones in LETTERS.items()}
    for vowel, phone in SILENT.items():
        for consonant in "bcdfgklmnpstvz":
            said = signs_of([phone, {"c": "s", "g": "jh"}.get(consonant, LETTERS[consonant])])
            signs |= {f"{vowel}{consonant}e{end}": said + end for end in " .,?!"}
    signs |= {f"e{end}": end for end in " .,?!"}
    signs |= {word: signs_of(phones) for word, phones in sounds.items() if len(word) > 1 or word in "a"}
    signs |= {word[0].upper() + word[1:]: said for word, said in signs.items() if word[0].isalpha()}
    signs |= {letter.upper(): signs[letter] for letter in LETTERS if len(letter) == 1}
    signs |= {"I": signs_of(["ay"]), " a ": f" {signs_of(['ax'])} ", "A ": f"{signs_of(['ax'])} "}
    numbers = {str(number): word for number, word in enumerate(TEENS)}
    numbers |= {str(20 + 10 * tens): word for tens, word in enumerate(TENS)}
    for tens, word in enumerate(TENS):
        numbers |= {str(20 + 10 * tens + one): f"{word} {TEENS[one]}" for one in range(1, 10)}
    for written, said in {**numbers, **SPOKEN_SIGNS}.items():
        signs[written] = "".join(f" {signs[word]}" for word in said.split())
    signs |= {sign: "" if sign in "'’‘´`" else " " for sign in NO_SOUND}
    signs |= {":": ", ", ",": ", ", ";": ", ", "…": ". ", "!": "! ", "?": "? "}
    return signs


def signs_of(phones: list[str]) -> str:
    return "".join(SIGN_OF[phone] for phone in phones)


def sounds_of_all(words: list[str]) -> dict[str, list[str]]:
    sounds: dict[str, list[str]] = {}
    for start in range(0, len(words), WORDS_PER_CALL):
        some = words[start : start + WORDS_PER_CALL]
        spoken = sounds_of(", ".join(some))
        # Where flite says an abbreviation in full or runs two words together, each is asked for alone.
        for word, phones in zip(some, spoken if len(spoken) == len(some) else [sum(sounds_of(word), []) for word in some]):
            sounds[word] = phones
    return sounds


def sounds_of(text: str) -> list[list[str]]:
    command = ["flite", "-voice", "kal16", "-ps", "-o", "none", "-t", text]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [part.split() for part in printed.split("pau") if part.strip()]


def words_to_know() -> list[str]:
    counts = Counter(
        word.lower().strip("'")
        for path in (demos / "text" / "corpus" / "data").rglob("*.txt")
        for word in WORD.findall(path.read_text())
    )
    often = {word for word, count in counts.items() if count >= LEAST_COUNT and len(word) > 1}
    return sorted(often | {word.lower() for word in Grammar().words} | {*TEENS, *TENS, *SPOKEN_SIGNS.values()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.write_text(json.dumps(build(words_to_know()), ensure_ascii=False, indent=0))
