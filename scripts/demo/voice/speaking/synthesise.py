"""Has sentences read and keeps them in frames: 0000.npz (patches of features) and 0000.json (what is said in them).

May run beside train.py, which takes new files as they come.
"""

import argparse
import json
import random
import re
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "ears" / "corpus"))

from frames import frames_of  # noqa: E402
from grammar import Grammar  # noqa: E402
from lexicon import Lexicon, load_lexicon  # noqa: E402
from reader import read_aloud  # noqa: E402

PER_FILE = 200
# As hearth cuts what has no marks, and llama.cpp what is longer.
MOST_RUN_PIECES = 40
MOST_PIECES = 50


def main() -> None:
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    lexicon, grammar = load_lexicon(options.lexicon), Grammar()
    for number in range(options.first, options.first + options.files):
        target = options.out / f"{number:04}.json"
        if not target.exists():
            write_file(lexicon, grammar, random.Random(number), target)
            print(target, flush=True)


def write_file(lexicon: Lexicon, grammar: Grammar, chance: random.Random, target: Path) -> None:
    entries, patches = [], []
    while len(entries) < PER_FILE:
        for text in cut(draw_text(lexicon, grammar, chance), lexicon):
            pieces = lexicon.tokens(text)
            frames = frames_of(read_aloud(text), pieces)
            if frames is not None:
                entries.append({"text": text, "pieces": pieces, "counts": frames.counts})
                patches.append(frames.patches.astype(np.float16))
    np.savez(target.with_suffix(".npz"), np.concatenate(patches))
    target.with_suffix(".tmp").write_text(json.dumps(entries))
    target.with_suffix(".tmp").rename(target)


def draw_text(lexicon: Lexicon, grammar: Grammar, chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.25:
        # Any words that are known: sounds stand beside each other that the grammar's sentences keep apart.
        words = chance.choices([word for word in lexicon.signs if re.fullmatch("[a-z]{2,}", word)], k=chance.randint(1, 7))
        return " ".join(words).capitalize() + chance.choice(".?!")
    first = draw_sentence(grammar, chance)
    return f"{first} {draw_sentence(grammar, chance)}" if kind < 0.35 else first


def draw_sentence(grammar: Grammar, chance: random.Random) -> str:
    while is_held_out(sentence := grammar.sentence(chance)):
        pass
    return sentence[:-1] + "!" if chance.random() < 0.05 else sentence


def is_held_out(sentence: str) -> bool:
    """True for every twentieth of the longer sentences: nobody reads it in the training."""
    return len(sentence.split()) > 3 and zlib.crc32(sentence.encode()) % 20 == 0


def cut(text: str, lexicon: Lexicon) -> list[str]:
    """`text` in the parts that the model gets one after the other."""
    runs = [part for run in re.findall(r"[^.,?!]*[.,?!]+ *", text) for part in shortened(run, lexicon)]
    if len(lexicon.tokens("".join(runs))) <= MOST_PIECES:
        return ["".join(runs)]
    parts = [""]
    for run in runs:
        if parts[-1] and len(lexicon.tokens(parts[-1] + run)) > MOST_PIECES:
            parts.append("")
        parts[-1] += run
    return [part.strip() for part in parts]


def shortened(run: str, lexicon: Lexicon) -> list[str]:
    if len(lexicon.tokens(run)) <= MOST_RUN_PIECES:
        return [run]
    space = run.rfind(" ", 0, len(run) // 2 + 1)
    return [*shortened(f"{run[:space]},", lexicon), *shortened(run[space:], lexicon)]


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lexicon", type=Path, required=True, help="what lexicon.py wrote")
    parser.add_argument("--files", type=int, default=30, help=f"each of {PER_FILE} texts")
    parser.add_argument("--first", type=int, default=0, help="number of the first file, and its seed")
    return parser.parse_args()


if __name__ == "__main__":
    main()
