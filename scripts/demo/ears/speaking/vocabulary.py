"""The words that the model knows, their ids in training, and how they sound."""

import json
import re
import subprocess
from functools import lru_cache
from pathlib import Path

MARKS = [".", "?"]
# About how long each sound is (ms): the mean of flite's voices in sentences of the grammar.
SOUND_LENGTHS = dict(
    aa=102, ae=120, ah=66, ao=100, aw=173, ax=48, ay=177, b=74, ch=131, d=53, dh=38, eh=101, er=104, ey=133, f=109, g=100,
    hh=69, ih=63, iy=121, jh=98, k=98, l=101, m=70, n=66, ng=77, ow=142, oy=160, p=102, r=69, s=119, sh=135, t=68, th=117,
    uh=68, uw=103, v=48, w=71, y=83, z=98, zh=90,
)
TOKEN = re.compile(r"[A-Za-z']+|[.?]")


class Vocabulary:
    """words: as they stand within a sentence. Ids: the words, those of them that can be capitalized, and the marks."""

    def __init__(self, words: list[str], sounds: dict[str, list[str]]):
        self.words = words
        self.lower = [index for index, word in enumerate(words) if word[0].islower()]
        capitalized = [words[index][0].upper() + words[index][1:] for index in self.lower]
        self.texts = [f" {word}" for word in words + capitalized] + MARKS
        self.phones = sorted({phone for phones in sounds.values() for phone in phones})
        self.sounds = sounds
        self.id_of = {text: index for index, text in reversed(list(enumerate(self.texts)))}
        # None for a mark.
        self.lengths = [sum(SOUND_LENGTHS[p] for p in sounds.get(text.strip().lower(), [])) for text in self.texts]
        self.phone_lengths = [0, *(SOUND_LENGTHS[phone] for phone in self.phones)]
        self.phone_id = {phone: index + 1 for index, phone in enumerate(self.phones)}

    @lru_cache(maxsize=None)
    def ids(self, text: str) -> list[int]:
        return [self.id_of[token if token in MARKS else f" {token}"] for token in TOKEN.findall(text)]

    @lru_cache(maxsize=None)
    def phone_ids(self, text: str) -> list[int]:
        """Numbers from 1; 0 is none, as CTC wants it."""
        words = [token for token in TOKEN.findall(text) if token not in MARKS]
        return [self.phone_id[phone] for word in words for phone in self.sounds[word.lower()]]


def load_vocabulary(path: Path) -> Vocabulary:
    stored = json.loads(path.read_text())
    return Vocabulary(stored["words"], stored["sounds"])


def write_vocabulary(words: list[str], path: Path) -> None:
    sounds = {word.lower(): sounds_of(word) for word in words}
    path.write_text(json.dumps({"words": words, "sounds": sounds}, indent=1))


def sounds_of(word: str) -> list[str]:
    command = ["flite", "-voice", "kal16", "-ps", "-o", "none", "-t", word]
    phones = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return [phone for phone in phones if phone != "pau"]
