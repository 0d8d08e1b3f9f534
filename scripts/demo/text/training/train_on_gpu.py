"""Trains the demo's text model on a GPU, beside answers about drawings, from the weights of a GGUF file on.

Takes the folders in --data that are finished, and looks for more whenever it has seen all, so that prepare.ts can go on
writing. Writes weights.bin and shape.json (for export.ts) and loss.csv into --out.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from ahead import ahead
from grow import grown
from model import DemoModel
from optimizers import Optimizers
from packed import PackedBatch, Packing, packed_block, packed_logits
from train import schedule, write_weights

sys.path.append(str(Path(__file__).parents[2] / "sight" / "training"))

from text_model import load_text_model  # noqa: E402

LONGEST = 2048
SHOW_EVERY_STEPS = 50
SAVE_EVERY_STEPS = 1000
BATCHES_AHEAD = 4
# Compiling takes longer than they do, so the clock starts behind them.
FIRST_STEPS = 3


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    small, _ = load_text_model(options.text, LONGEST)
    shape = small.shape
    model = grown(small, options.layers or shape.layers, options.feed_forward or shape.feed_forward_size).to("cuda")
    compute_block = torch.compile(packed_block, dynamic=False)
    optimizers = Optimizers(model, fused=True)
    options.out.mkdir(parents=True, exist_ok=True)
    steps, started, done, shown = 0, 0.0, 0, torch.zeros(2, device="cuda")
    with open(options.out / "loss.csv", "a") as losses_file:
        for batch in on_gpu(batches(options)):
            progress = (time.monotonic() - started) / (60 * options.minutes) if steps >= FIRST_STEPS else 0.0
            if progress >= 1:
                break
            losses = losses_of(model, batch, compute_block)
            loss = (losses * batch.weights).sum() / batch.weights.sum()
            loss.backward()
            rate = options.rate * schedule(steps, progress, options.decay)
            optimizers.step(rate)
            steps, done = steps + 1, done + len(batch.ids)
            shown += means_of(losses.detach(), batch)
            if steps == FIRST_STEPS:
                started = time.monotonic()
            if steps % SHOW_EVERY_STEPS == 0:
                text, seen = (shown / SHOW_EVERY_STEPS).tolist()
                print(f"{steps} {progress:.1%}: text {text:.4f}  seen {seen:.4f}  rate {rate:.3f}  {done / 1e6:.0f}M tokens", flush=True)
                losses_file.write(f"{done},{text:.5f},nan\n")
                shown.zero_()
            if steps % SAVE_EVERY_STEPS == 0:
                write_weights(model, options.out)
    write_weights(model, options.out)
    print(f"held out: {measure(model, options):.4f}", flush=True)


def batches(options: argparse.Namespace) -> Iterator[PackedBatch]:
    read: list[Path] = []
    for seed in range(options.seed, sys.maxsize):
        # prepare.ts writes the held-out examples last.
        finished = sorted(ends.parents[1] for ends in options.data.glob("*/held-out/ends.u32"))
        if len(finished) > len(read) or seed == options.seed:
            read = finished
            packing = Packing(read, options.seen, LONGEST, options.seen_weight)
            print(f"{len(read)} folders, {len(packing.ids) / 1e6:.0f}M tokens", flush=True)
        yield from packing.batches(options.batch, options.seen_per_batch, seed)


def on_gpu(made: Iterator[PackedBatch]) -> Iterator[PackedBatch]:
    """The batches, a few of which are made and copied while the one before is computed."""
    stream = torch.cuda.Stream()

    def copied() -> Iterator[PackedBatch]:
        for batch in made:
            with torch.cuda.stream(stream):
                there = PackedBatch(*(tensor.to("cuda") for tensor in batch))
            stream.synchronize()
            yield there

    for batch in ahead(copied(), BATCHES_AHEAD):
        for tensor in batch:
            tensor.record_stream(torch.cuda.current_stream())
        yield batch


def losses_of(model: DemoModel, batch: PackedBatch, compute_block: Callable[..., Tensor] = packed_block) -> Tensor:
    """Cross-entropy (in nats) of each wanted token."""
    with torch.autocast("cuda", torch.bfloat16):
        logits = packed_logits(model, batch, LONGEST, compute_block)
    return F.cross_entropy(logits, batch.targets, reduction="none")


@torch.no_grad()
def means_of(losses: Tensor, batch: PackedBatch) -> Tensor:
    """Of the conversations and of those about drawings: by products, since picking by a mask would wait for the GPU."""
    is_seen = (batch.weights != 1).float()
    return torch.stack([(losses * share).sum() / share.sum().clamp(min=1) for share in (1 - is_seen, is_seen)])


@torch.no_grad()
def measure(model: DemoModel, options: argparse.Namespace) -> float:
    """Mean loss over examples that were made with other seeds."""
    folders = [ends.parent for ends in options.data.glob("*/held-out/ends.u32")]
    held_out = Packing(folders, options.seen, LONGEST, 1.0).batches(options.batch, 0, 1)
    losses = torch.cat([losses_of(model, batch) for batch in on_gpu(held_out)])
    return losses.mean().item()


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of folders that prepare.ts wrote with one tokenizer")
    parser.add_argument("--seen", type=Path, required=True, help="folder that sight/training/seen.py wrote")
    parser.add_argument("--text", type=Path, required=True, help="the text model to go on from: models/hearth-demo.gguf")
    parser.add_argument("--layers", type=int, default=0, help="blocks; those beyond the file's are new")
    parser.add_argument("--feed-forward", type=int, default=0, help="units of a feed-forward; those beyond the file's are new")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--decay", type=float, default=1.0, help="share of the run in which the rate falls to 0")
    parser.add_argument("--batch", type=int, default=65_536, help="tokens per step")
    parser.add_argument("--seen-per-batch", type=int, default=50, help="conversations about drawings in each step")
    parser.add_argument("--seen-weight", type=float, default=2.0, help="of their tokens, beside 1 of the others")
    parser.add_argument("--rate", type=float, default=0.5, help="scale of the learning rates")
    parser.add_argument("--seed", type=int, default=1, help="order of the examples")
    return parser.parse_args()


if __name__ == "__main__":
    main()
