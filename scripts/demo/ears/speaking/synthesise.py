"""Has sentences read and keeps their features: 0000.u8 (frames × 80 bands) and 0000.json (what is said where).

vocabulary.json has the words and how they sound, noises.u8 and noises.json are sounds that are no speech.

May run beside train.py, which takes new files as they come.
"""

import argparse
import json
import random
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "corpus"))

from features import log_mel, to_bytes  # noqa: E402
from grammar import Grammar  # noqa: E402
from training_noises import write_noises  # noqa: E402
from vocabulary import write_vocabulary  # noqa: E402
from voices import draw_training_voice, speak_all  # noqa: E402

PER_FILE = 250
NOISES = 5000
# Of the sentences: words in any order, beside those that the grammar has of them.
SALAD_SHARE = 0.1
# What is this far below the loudest (4 decades: 40 dB) is no speech.
SPEECH_RANGE = 4.0
# Frames that are kept around the speech.
MARGIN = 5


def main() -> None:
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    grammar = Grammar()
    if not (options.out / "vocabulary.json").exists():
        write_vocabulary(grammar.words, options.out / "vocabulary.json")
    if not (options.out / "noises.json").exists():
        write_noises(NOISES, options.out)
    for number in range(options.first, options.first + options.files):
        target = options.out / f"{number:04}.json"
        if not target.exists():
            write_file(grammar, random.Random(number), target)
            print(target, flush=True)


def write_file(grammar: Grammar, chance: random.Random, target: Path) -> None:
    texts = [draw_sentence(grammar, chance) for _ in range(PER_FILE)]
    spoken = [(draw_training_voice(chance), text) for text in texts]
    clips, features, frames = [], [], 0
    for (voice, text), samples in zip(spoken, speak_all(spoken)):
        trimmed = trim(log_mel(samples)) if len(samples) > 3200 else None
        if trimmed is None:
            continue
        clips.append({"text": text, "voice": voice.name, "start": frames, "frames": len(trimmed)})
        frames += len(trimmed)
        features.append(to_bytes(trimmed))
    np.concatenate(features).tofile(target.with_suffix(".u8"))
    target.with_suffix(".tmp").write_text(json.dumps(clips))
    target.with_suffix(".tmp").rename(target)


def draw_sentence(grammar: Grammar, chance: random.Random) -> str:
    kind = "{salad}" if chance.random() < SALAD_SHARE else None
    while is_held_out(sentence := grammar.sentence(chance, kind)):
        pass
    return sentence


def is_held_out(sentence: str) -> bool:
    """True for every twentieth of the longer sentences: nobody reads it in the training."""
    return len(sentence.split()) > 3 and zlib.crc32(sentence.encode()) % 20 == 0


def trim(features: np.ndarray) -> np.ndarray:
    """The speech with a margin on each side."""
    loudness = features.max(1)
    loud = np.flatnonzero(loudness > loudness.max() - SPEECH_RANGE)
    return features[max(0, loud[0] - MARGIN) : loud[-1] + 1 + MARGIN]


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--files", type=int, default=80, help=f"each of {PER_FILE} sentences")
    parser.add_argument("--first", type=int, default=0, help="number of the first file, and its seed")
    return parser.parse_args()


if __name__ == "__main__":
    main()
