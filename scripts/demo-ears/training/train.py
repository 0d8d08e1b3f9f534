"""Trains the ears on what synthesise.py wrote, on one CPU core. A run that is ended by SIGTERM can be gone on with.

Writes checkpoint.pt (to go on from), weights.bin and shape.json (for export.ts) and loss.csv into --out.
"""

import argparse
import json
import math
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

sys.path.append(str(Path(__file__).parents[2] / "demo-model" / "training"))

from batches import Batch, Batches, Clips, ahead  # noqa: E402
from model import Ears, Shape  # noqa: E402
from muon import Muon  # noqa: E402
from vocabulary import load_vocabulary  # noqa: E402
from weights import write_weights  # noqa: E402

SAVE_EVERY_SECONDS = 60


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    vocabulary = load_vocabulary(options.data / "vocabulary.json")
    shape = Shape(len(vocabulary.words), len(vocabulary.texts), len(vocabulary.phones) + 1)
    model = Ears(shape, vocabulary.lower)
    inner = {id(p) for part in [model.conv2, *model.encoder, *model.decoder] for p in part.parameters() if p.ndim == 2}
    matrices = [p for p in model.parameters() if id(p) in inner]
    others = [p for p in model.parameters() if id(p) not in inner]
    muon = Muon(matrices)
    adam = torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0)
    done = 0
    options.out.mkdir(parents=True, exist_ok=True)
    if options.resume is not None:
        checkpoint = torch.load(options.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        muon.load_state_dict(checkpoint["muon"])
        adam.load_state_dict(checkpoint["adam"])
        done = checkpoint["steps"]

    def save() -> None:
        checkpoint = {"model": model.state_dict(), "muon": muon.state_dict(), "adam": adam.state_dict(), "steps": done}
        torch.save(checkpoint, options.out / "checkpoint.tmp")
        os.replace(options.out / "checkpoint.tmp", options.out / "checkpoint.pt")
        write_weights(model, vocabulary, options.out)

    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    # The time of this thread alone: others may have the processor, or stop the run for a while.
    clock, start = time.thread_time, time.monotonic()
    first, saved, shown, counted, seconds = done, clock(), torch.zeros(4), 0, 0.0
    batches = Batches(Clips(options.data), vocabulary, shape, options.seed + done, options.harm)
    with open(options.out / "loss.csv", "a") as losses:
        for batch in ahead(batches.endless(options.batch, options.long)):
            progress = max((done - first) / options.steps, (time.monotonic() - start) / (60 * options.minutes))
            if progress >= 1 or ending:
                break
            rate = options.rate * schedule(done - first, progress, options.decay)
            loss, parts = loss_of(model, batch, options)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(others, 1.0)
            muon.step(0.02 * rate)
            for group in adam.param_groups:
                group["lr"] = 0.003 * rate
            adam.step()
            model.zero_grad(set_to_none=True)
            done += 1
            shown += parts
            counted += 1
            seconds += batch.features.shape[0] * batch.features.shape[1] / 100
            if done % 20 == 0:
                text, right, ctc, looks = (shown / counted).tolist()
                print(f"{done}: {progress:.1%} text {text:.3f} right {right:.1%} ctc {ctc:.3f} looks {looks:.3f} rate {rate:.3f}"
                      f"  {seconds / 3600:.2f} h of audio in {clock() / 60:.1f} min", flush=True)
                losses.write(f"{done},{text:.5f},{right:.5f},{ctc:.5f}\n")
                losses.flush()
                shown, counted = torch.zeros(4), 0
            if clock() - saved > SAVE_EVERY_SECONDS:
                save()
                saved = clock()
    save()


def schedule(step: int, progress: float, decay: float) -> float:
    """Warms up over 40 steps, and falls to 0 over the last part of the run."""
    return min(1.0, (step + 1) / 40, (1 - progress) / decay)


def loss_of(model: Ears, batch: Batch, options: argparse.Namespace) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the transcripts and CTC of the phones; both for showing, with the share of right tokens."""
    with torch.autocast("cpu", torch.bfloat16):
        audio, bias = model.hear(batch.features, batch.places, batch.others)
        length = batch.features.shape[1] // 2
        phones = model.phone_head(audio[:, :length])
        logits = model.write(batch.ids, batch.wanted, audio, bias)
    text = F.cross_entropy(logits, batch.targets)
    right = (logits.argmax(1) == batch.targets).float().mean()
    log_probs = F.log_softmax(phones.float(), -1).transpose(0, 1)
    lengths = torch.full_like(batch.phone_counts, length)
    # What is not known to be silence has no phones here, and is left out.
    each = F.ctc_loss(log_probs, batch.phones, lengths, batch.phone_counts, reduction="none", zero_infinity=True)
    known = batch.phone_counts > 0
    ctc = each[known].sum() / batch.phone_counts.sum().clamp(min=1)
    # The first decoder block looks for what was written last, the others for what comes next.
    first, *later = [block.cross_attn.shares for block in model.decoder]
    looks = astray(first, batch.read_at) + sum(astray(each, batch.written_at) for each in later)
    # Guessed places of the sounds, with which the search for the true ones starts.
    guess = F.cross_entropy(phones.float().flatten(0, 1), batch.sounds.flatten()) if options.guess > 0 else 0
    return text + options.ctc * ctc + options.looks * looks + options.guess * guess, torch.stack([text.detach(), right, ctc.detach(), looks.detach()])


def astray(shares: Tensor, spans: Tensor) -> Tensor:
    """How far the attention is from where the tokens were said (−log of the share within 0.2 s)."""
    at = torch.arange(shares.shape[2])
    near = (at >= spans[..., :1] - 10) & (at <= spans[..., 1:] + 10)
    known = spans[..., 0] >= 0
    return -torch.log((shares * near).sum(-1)[known] + 1e-3).mean()


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that synthesise.py wrote, or still writes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000, help="steps of this run")
    parser.add_argument("--minutes", type=float, default=math.inf, help="end after so long, whatever --steps says")
    parser.add_argument("--batch", type=int, default=2400, help="positions (20 ms) of audio per step")
    parser.add_argument("--long", type=float, default=0.1, help="share of windows of many sentences")
    parser.add_argument("--harm", type=float, default=1.0, help="share of what is changed: throats, tempo, rooms, noise")
    parser.add_argument("--ctc", type=float, default=0.5, help="weight of the phones' loss")
    parser.add_argument("--looks", type=float, default=0.15, help="weight of the attention's loss")
    parser.add_argument("--guess", type=float, default=0.0, help="weight of the guessed places of the phones: for a start")
    parser.add_argument("--rate", type=float, default=1.0, help="scale of the learning rates")
    parser.add_argument("--decay", type=float, default=0.5, help="share of the run in which the rate falls to 0")
    parser.add_argument("--resume", type=Path, help="checkpoint.pt to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
