"""Trains the demo model on prepared examples, from nothing, on one CPU core; train_on_gpu.py goes on from there.

Writes checkpoint.pt (to go on from), weights.bin and shape.json (for export.ts) and loss.csv into --out.
"""

import argparse
import json
import math
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ahead import ahead
from batches import BATCHES_AHEAD, Batch, Examples
from model import DemoModel, Shape
from optimizers import Optimizers
from products import fast_products
from tensor_file import write_tensors

LONGEST = 1024


def main() -> None:
    options = parse_options()
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    examples = Examples(options.data)
    held_out = Examples([options.data[0] / "held-out"])
    vocabulary_size = len(json.loads((options.data[0] / "tokenizer.json").read_text())["tokens"])
    model = DemoModel(Shape(vocabulary_size), LONGEST)
    optimizers = Optimizers(model)
    done = 0
    options.out.mkdir(parents=True, exist_ok=True)
    if options.resume is not None:
        checkpoint = torch.load(options.resume)
        model.load_state_dict(checkpoint["model"])
        optimizers.muon.load_state_dict(checkpoint["muon"])
        optimizers.adam.load_state_dict(checkpoint["adam"])
        done = checkpoint["tokens"]

    def save() -> None:
        checkpoint = {"model": model.state_dict(), "muon": optimizers.muon.state_dict(), "adam": optimizers.adam.state_dict(), "tokens": done}
        torch.save(checkpoint, options.out / "checkpoint.tmp")
        os.replace(options.out / "checkpoint.tmp", options.out / "checkpoint.pt")
        write_weights(model, options.out)

    start, first, steps, shown = time.monotonic(), done, 0, torch.zeros(())
    with open(options.out / "loss.csv", "a") as losses:
        for batch in ahead(endless(examples, options), BATCHES_AHEAD):
            seconds = time.monotonic() - start
            progress = max((done - first) / options.tokens, seconds / (60 * options.minutes))
            if progress >= 1:
                break
            rate = options.rate * schedule(steps, progress, options.decay)
            loss = loss_of(model, batch)
            loss.backward()
            optimizers.step(rate)
            done += batch.ids.numel()
            steps += 1
            shown += loss.detach()
            if steps % 50 == 0:
                held_out_loss = measure(model, held_out) if steps % 500 == 0 else float("nan")
                mean = shown.item() / 50
                print(f"{progress:.1%}: {done / 1e6:.2f}M tokens  loss {mean:.4f}  held out {held_out_loss:.4f}"
                      f"  rate {rate:.3f}  {(done - first) / seconds:.0f} tokens/s", flush=True)
                losses.write(f"{done},{mean:.5f},{held_out_loss:.5f}\n")
                losses.flush()
                shown.zero_()
            if steps % 500 == 0:
                save()
    save()


def endless(examples: Examples, options: argparse.Namespace) -> Iterator[Batch]:
    seed = options.seed
    while True:
        yield from examples.batches(options.batch, LONGEST, seed)
        seed += 1


def schedule(steps: int, progress: float, decay: float) -> float:
    """Share of the full learning rate: a short warm-up, level, and for the last `decay` of the run down to 0."""
    return min(1.0, (steps + 1) / 100, (1 - progress) / decay if decay > 0 else 1.0)


@torch.no_grad()
def measure(model: DemoModel, held_out: Examples) -> float:
    """Mean loss over examples that were made with another seed."""
    total, count = 0.0, 0
    for batch in held_out.batches(8192, LONGEST, 0):
        total += loss_of(model, batch).item() * len(batch.targets)
        count += len(batch.targets)
    return total / max(1, count)


def loss_of(model: nn.Module, batch: Batch) -> Tensor:
    """Mean cross-entropy (in nats) of the learned tokens of a batch."""
    with fast_products("cpu"):
        logits = model(batch.ids, batch.wanted)
    return F.cross_entropy(logits.float(), batch.targets)


def write_weights(model: DemoModel, folder: Path) -> None:
    write_tensors(model.named_parameters(), {"shape": asdict(model.shape)}, folder)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders that prepare.ts wrote with one tokenizer")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=float, default=40e6, help="tokens of this run, padding included")
    parser.add_argument("--minutes", type=float, default=math.inf, help="end after so long, whatever --tokens says")
    parser.add_argument("--batch", type=int, default=4608, help="tokens per step")
    parser.add_argument("--rate", type=float, default=0.85, help="scale of the learning rates")
    parser.add_argument("--decay", type=float, default=0.6, help="share of the run in which the rate falls to 0")
    parser.add_argument("--resume", type=Path, help="checkpoint.pt to go on from")
    parser.add_argument("--seed", type=int, default=1, help="order of the examples")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads; more than one seldom helps")
    return parser.parse_args()


if __name__ == "__main__":
    main()
