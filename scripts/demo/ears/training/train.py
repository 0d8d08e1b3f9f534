"""Trains the ears on what synthesise.py wrote, on one CPU core. A run that is ended by SIGTERM can be gone on with.

Writes checkpoint.pt (to go on from), weights.bin and shape.json (for export.ts) and loss.csv into --out. The weights
are the mean over the last steps.
"""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

import torch
from torch import Tensor

demos = Path(__file__).parents[2]
sys.path += [str(demos / "ears" / "speaking"), str(demos / "text" / "training")]

from ahead import ahead  # noqa: E402
from batches import BATCHES_AHEAD, Batches  # noqa: E402
from clips import Clips  # noqa: E402
from lessons import lesson_at  # noqa: E402
from losses import loss_of, shown_parts  # noqa: E402
from model import Ears, untrained  # noqa: E402
from muon import Muon  # noqa: E402
from read_back import read_back  # noqa: E402
from vocabulary import load_vocabulary  # noqa: E402
from weights import write_weights  # noqa: E402

SAVE_EVERY_SECONDS = 60
SHOW_EVERY_STEPS = 20
WARM_UP_STEPS = 40
# The weights that are written are the mean over about so many steps.
MEAN_STEPS = 400
# A file that export.ts wrote does not have what the phones are told by.
PHONES_FIRST_STEPS = 400


class Trainer:
    def __init__(self, model: Ears):
        inner = [model.conv2, *model.encoder, *model.decoder]
        matrices = [p for part in inner for p in part.parameters() if p.ndim == 2]
        self.model = model
        self.mean = {name: weights.clone() for name, weights in model.state_dict().items()}
        self.others = [p for p in model.parameters() if not any(p is matrix for matrix in matrices)]
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(self.others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0)
        self.done = 0

    def step(self, loss: Tensor, rate: float) -> None:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.others, 1.0)
        self.muon.step(0.006 * rate)
        for group in self.adam.param_groups:
            group["lr"] = 0.001 * rate
        self.adam.step()
        self.model.zero_grad(set_to_none=True)
        self.done += 1
        for name, weights in self.model.state_dict().items():
            self.mean[name].lerp_(weights, 1 / min(self.done, MEAN_STEPS))

    def save(self, path: Path) -> None:
        parts = {"model": self.model, "muon": self.muon, "adam": self.adam}
        states = {name: part.state_dict() for name, part in parts.items()}
        torch.save(states | {"steps": self.done, "mean": self.mean}, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path) -> None:
        checkpoint = torch.load(path, map_location="cpu")
        for name in ("model", "muon", "adam"):
            getattr(self, name).load_state_dict(checkpoint[name])
        self.done, self.mean = checkpoint["steps"], checkpoint["mean"]


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    vocabulary = load_vocabulary(options.data / "vocabulary.json")
    model = untrained(vocabulary)
    if options.start is not None:
        read_back(model, vocabulary, options.start)
    trainer = Trainer(model)
    if options.resume is not None:
        trainer.load(options.resume)
    options.out.mkdir(parents=True, exist_ok=True)
    train(trainer, Batches(Clips(options.data), vocabulary, trainer.model.shape, options.seed + trainer.done), options)
    model.load_state_dict(trainer.mean)
    write_weights(model, vocabulary, options.out)


def train(trainer: Trainer, batches: Batches, options: argparse.Namespace) -> None:
    ending: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    # The time of this thread alone: others may have the processor, or stop the run for a while.
    clock, saved, first, shown = time.thread_time, time.thread_time(), trainer.done, []
    knows_lessons = options.start is not None
    batches.learn(lesson_at(1 if knows_lessons else trainer.done / options.steps))
    for batch in ahead(batches.endless(options.batch), BATCHES_AHEAD):
        progress = trainer.done / options.steps
        if progress >= 1 or ending:
            break
        lesson = lesson_at(1 if knows_lessons else progress)
        batches.learn(lesson)
        warm_up = (trainer.done - first + 1) / WARM_UP_STEPS
        phones_are_new = knows_lessons and trainer.done < PHONES_FIRST_STEPS
        loss, parts = loss_of(trainer.model, batch, lesson, phones_are_new)
        trainer.step(loss, options.rate * min(warm_up, 1 - progress))
        shown.append(parts)
        if trainer.done % SHOW_EVERY_STEPS == 0:
            means = torch.stack(shown).mean(0).tolist()
            described = "  ".join(f"{name} {mean:.3f}" for name, mean in zip(shown_parts, means))
            print(f"{trainer.done}: {progress:.1%}  {described}  {clock() / 60:.1f} min of CPU", flush=True)
            with open(options.out / "loss.csv", "a") as losses:
                losses.write(",".join([str(trainer.done), *(f"{mean:.5f}" for mean in means)]) + "\n")
            shown = []
        if clock() - saved > SAVE_EVERY_SECONDS:
            trainer.save(options.out / "checkpoint.pt")
            saved = clock()
    trainer.save(options.out / "checkpoint.pt")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that synthesise.py wrote, or still writes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=8000, help="of the whole training, what was done before included")
    parser.add_argument("--batch", type=int, default=2400, help="positions (20 ms) of audio per step")
    parser.add_argument("--rate", type=float, default=1.0, help="scale of the learning rates")
    parser.add_argument("--start", type=Path, help="file that export.ts wrote, to train it on: all lessons are known")
    parser.add_argument("--resume", type=Path, help="checkpoint.pt to go on from")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
