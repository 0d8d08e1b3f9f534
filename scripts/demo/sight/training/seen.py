"""Writes conversations about drawings as token ids, with what the projector makes of each drawing, for the text model's training on a GPU.

Into --out: ids.u16 (65535 where a picture stands), learned.u8 and ends.u32 as prepare.ts writes them; pictures.u32, the
picture of each conversation; shown.npy, pictures × positions × size.
"""

import argparse
from pathlib import Path
from random import Random

import numpy as np
import torch

from conversations import PICTURE, Conversations
from pool import Pool
from text_model import load_text_model
from weights import load_eyes

PICTURES_AT_ONCE = 64


@torch.no_grad()
def main() -> None:
    options = parse_options()
    torch.set_num_threads(1)
    text, tokenizer = load_text_model(options.text, 16)
    eyes = load_eyes(options.projector, text.shape.hidden_size)
    conversations = Conversations(tokenizer, options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    ids, learned, ends, pictures_of, shown = [], [], [], [], []
    for pictures, scenes in Pool(options.drawings).batches(PICTURES_AT_ONCE, Random(options.seed)):
        shown.append(eyes(pictures)[0].half().numpy())
        for at, scene in enumerate(scenes):
            for _ in range(options.conversations):
                given, is_learned = conversations.example(scene, options.questions)
                if not given:
                    # By chance no question fits the drawing.
                    continue
                ids.append(np.array([65_535 if each == PICTURE else each for each in given], np.uint16))
                learned.append(np.array(is_learned, bool))
                ends.append(len(given))
                pictures_of.append((len(shown) - 1) * PICTURES_AT_ONCE + at)
        if len(shown) * PICTURES_AT_ONCE >= options.pictures:
            break
    np.concatenate(ids).tofile(options.out / "ids.u16")
    np.concatenate(learned).tofile(options.out / "learned.u8")
    np.cumsum(ends).astype(np.uint32).tofile(options.out / "ends.u32")
    np.array(pictures_of, np.uint32).tofile(options.out / "pictures.u32")
    np.save(options.out / "shown.npy", np.concatenate(shown))


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawings", type=Path, required=True, help="folder that draw.py wrote")
    parser.add_argument("--text", type=Path, required=True, help="the text model: models/hearth-demo.gguf")
    parser.add_argument("--projector", type=Path, required=True, help="models/hearth-demo.mmproj.gguf")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--conversations", type=int, default=10, help="about each picture")
    parser.add_argument("--questions", type=int, default=3, help="in a conversation, at most")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
