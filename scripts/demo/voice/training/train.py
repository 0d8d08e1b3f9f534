"""Trains the voice on what synthesise.py wrote, on one CPU core. A run that is ended by SIGTERM can be gone on with.

Writes checkpoint.pt (to go on from, and for weights.py) and loss.csv into --out.
"""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from batches import Batch, Items  # noqa: E402
from codec import COMPONENTS, load_codec  # noqa: E402
from lexicon import load_lexicon  # noqa: E402
from model import Shape, Voice  # noqa: E402
from muon import Muon  # noqa: E402

SAVE_EVERY_SECONDS = 60
SHOW_EVERY_STEPS = 20
WARM_UP_STEPS = 10
# The model is shown where to look in these blocks.
SHOWN_BLOCKS = [1, 2]
NAMES = ["sound", "place", "end", "look"]


class Trainer:
    def __init__(self, model: Voice):
        matrices = [p for block in model.blocks for p in block.parameters() if p.ndim == 2]
        self.model = model
        self.others = [p for p in model.parameters() if not any(p is matrix for matrix in matrices)]
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(self.others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0)
        self.done = 0

    def step(self, loss: Tensor, rate: float) -> None:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.others, 1.0)
        self.muon.step(0.02 * rate)
        for group in self.adam.param_groups:
            group["lr"] = 0.003 * rate
        self.adam.step()
        self.model.zero_grad(set_to_none=True)
        self.done += 1

    def save(self, path: Path) -> None:
        parts = {"model": self.model, "muon": self.muon, "adam": self.adam}
        torch.save({name: part.state_dict() for name, part in parts.items()} | {"steps": self.done}, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path) -> None:
        checkpoint = torch.load(path, map_location="cpu")
        for name in ("model", "muon", "adam"):
            getattr(self, name).load_state_dict(checkpoint[name])
        self.done = checkpoint["steps"]


def loss_of(model: Voice, batch: Batch, weights: Tensor, guessed: float) -> tuple[Tensor, Tensor]:
    """guessed: share of the frames that are read as the model itself predicts them."""
    read = batch.read
    if guessed > 0:
        with torch.no_grad():
            frames, _, _ = model(batch.ids, batch.clean, batch.is_frame, batch.voice)
        predicted = torch.cat([torch.zeros_like(frames[:, :1]), frames[:, :-1]], 1)
        read = torch.where(torch.rand(*read.shape[:2], 1) < guessed, predicted, read)
    frames, ends, looks = model(batch.ids, read, batch.is_frame, batch.voice)
    errors = (frames - batch.follows)[batch.counts].square().mean(0)
    sound = (errors[:COMPONENTS] * weights).sum()
    place = errors[COMPONENTS:].mean()
    end = F.binary_cross_entropy_with_logits(ends[batch.counts], batch.ends[batch.counts])
    columns = (batch.looks + max(batch.voice, 1))[batch.counts]
    look = sum(F.cross_entropy(looks[block][batch.counts], columns) for block in SHOWN_BLOCKS) / len(SHOWN_BLOCKS)
    parts = torch.stack([sound, place, end, look])
    return sound + 0.7 * place + 0.3 * end + 0.05 * look, parts.detach()


def sound_weights(deviations: np.ndarray) -> Tensor:
    """What an error of each component costs, between equal and by what is heard of it: 1 in all."""
    return torch.tensor(deviations / deviations.sum(), dtype=torch.float32)


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    codec, lexicon = load_codec(options.out / "codec.npz"), load_lexicon(options.data / "lexicon.json")
    # Behind the pieces of texts stands the row that begins the speech.
    shape = Shape(pieces=len(lexicon.pieces) + 1)
    trainer = Trainer(Voice(shape))
    if options.resume is not None:
        trainer.load(options.resume)
    items = Items(options.data, codec, lexicon.pieces, shape)
    train(trainer, items, sound_weights(codec.deviations), options)


def train(trainer: Trainer, items: Items, weights: Tensor, options: argparse.Namespace) -> None:
    ending: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    random = np.random.default_rng(options.seed + trainer.done)
    # The time of this thread alone: others may have the processor, or stop the run for a while.
    clock, saved, first, shown = time.thread_time, time.thread_time(), trainer.done, []
    while trainer.done < options.steps and not ending:
        progress = trainer.done / options.steps
        warm_up = (trainer.done - first + 1) / WARM_UP_STEPS
        batch = items.batch(random, options.batch, options.noise, trainer.model.shape.pieces - 1)
        guessed = options.guessed if progress >= options.guess_from else 0
        loss, parts = loss_of(trainer.model, batch, weights, guessed)
        trainer.step(loss, options.rate * min(warm_up, 1 - progress))
        shown.append(parts)
        if trainer.done % SHOW_EVERY_STEPS == 0:
            means = torch.stack(shown).mean(0).tolist()
            described = "  ".join(f"{name} {mean:.3f}" for name, mean in zip(NAMES, means))
            print(f"{trainer.done}: {described}  {len(items.items)} texts  {clock() / 60:.1f} min of CPU", flush=True)
            with open(options.out / "loss.csv", "a") as losses:
                losses.write(",".join([str(trainer.done), *(f"{mean:.5f}" for mean in means)]) + "\n")
            shown = []
            items.look_again()
        if clock() - saved > SAVE_EVERY_SECONDS:
            trainer.save(options.out / "checkpoint.pt")
            saved = clock()
    trainer.save(options.out / "checkpoint.pt")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that synthesise.py wrote, or still writes")
    parser.add_argument("--out", type=Path, required=True, help="where codec.py wrote codec.npz")
    parser.add_argument("--steps", type=int, default=1600, help="of the whole training, what was done before included")
    parser.add_argument("--batch", type=int, default=24, help="texts per step")
    parser.add_argument("--noise", type=float, default=0.3, help="mean deviation of what is added to the frames that are read")
    parser.add_argument("--guessed", type=float, default=0.5, help="share of frames that are read as they were predicted")
    parser.add_argument("--guess-from", type=float, default=0.3, help="part of the training after which that begins")
    parser.add_argument("--rate", type=float, default=1.0, help="scale of the learning rates")
    parser.add_argument("--resume", type=Path, help="checkpoint.pt to go on from")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
