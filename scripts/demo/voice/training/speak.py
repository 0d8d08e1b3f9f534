"""Has what was trained speak a text, computed by PyTorch: what llama.cpp makes of the exported files, but for rounding."""

import argparse
import sys
import wave
from pathlib import Path

import numpy as np
import torch

from codec import LATENTS, load_codec
from decoder import decode, decoder_tensors
from model import Shape, Voice

sys.path.append(str(Path(__file__).parents[1] / "speaking"))

from lexicon import load_lexicon  # noqa: E402
from synthesis import OUT_RATE  # noqa: E402

MOST_FRAMES = 200
# As many more does llama.cpp make once the speech is over: five where the text is as short as this.
FRAMES_AFTER_END, FRAMES_AFTER_SHORT, SHORT_PIECES = 3, 5, 6


@torch.no_grad()
def frames_of(voice: Voice, ids: list[int]) -> np.ndarray:
    begin = voice.shape.pieces - 1
    texts = len(ids) + 1
    after = FRAMES_AFTER_SHORT if len(ids) <= SHORT_PIECES else FRAMES_AFTER_END
    frames, end = torch.zeros(0, LATENTS), None
    while len(frames) < MOST_FRAMES and (end is None or len(frames) < end + after):
        length = texts + len(frames)
        rows = torch.tensor([[*ids, begin, *[0] * len(frames)]])
        read = torch.cat([torch.zeros(texts, LATENTS), frames])[None]
        made, ends, _ = voice(rows, read, torch.arange(length)[None] >= texts, 0)
        if end is None and ends[0, -1] > 0:
            end = len(frames)
        frames = torch.cat([frames, made[0, -1:]])
    return frames.numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="where codec.py and train.py wrote")
    parser.add_argument("--text", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    lexicon = load_lexicon(options.data / "lexicon.json")
    voice = Voice(Shape(pieces=len(lexicon.pieces) + 1))
    voice.load_state_dict(torch.load(options.run / "checkpoint.pt", map_location="cpu")["model"])
    frames = frames_of(voice, [lexicon.pieces.index(piece) for piece in lexicon.tokens(options.text)])
    frames[:, -1] = 1
    sound = decode(decoder_tensors(load_codec(options.run / "codec.npz")), frames)
    with wave.open(str(options.out), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(OUT_RATE)
        file.writeframes((sound * 32767).round().astype("<i2").tobytes())


if __name__ == "__main__":
    main()
