"""Teaches the decoder of a file that export.ts wrote to hear nothing in sounds that are no speech.

Of speech it is to write what it wrote before: all probabilities are compared, so that it forgets nothing of the sentences
that are not in the data. The encoder stays as it is, and what it hears in each window is computed once. Writes weights.bin and shape.json (for
export.ts) into --out, and decoder.pt (to go on from). SIGTERM ends it after the step.
"""

import argparse
import random
import signal
import sys
import time
from pathlib import Path
from typing import Iterator, NamedTuple

import torch
import torch.nn.functional as F

demos = Path(__file__).parents[2]
sys.path += [str(demos / "ears" / "speaking"), str(demos / "text" / "training")]

from batches import Batch, Batches  # noqa: E402
from clips import Clips  # noqa: E402
from lessons import lesson_at  # noqa: E402
from losses import LOOKS_WEIGHT, looks_of  # noqa: E402
from model import Ears, untrained  # noqa: E402
from products import fast_products  # noqa: E402
from read_back import read_back  # noqa: E402
from vocabulary import load_vocabulary  # noqa: E402
from weights import write_weights  # noqa: E402

BATCH_POSITIONS = 2400
SHOW_EVERY_STEPS = 25
WARM_UP_STEPS = 40
SILENCE_WEIGHT = 2.0
# Of speech: how far the decoder is from what it wrote at first, and from the transcripts. Of other sounds: how far it is from
# "no speech" and the end of the text, and how many of these are right.
SHOWN_PARTS = ("kept", "text", "silence", "right")


class Heard(NamedTuple):
    """A batch, what the encoder hears in it, the bias for attending to that, and what the decoder wrote of it at first."""

    batch: Batch
    audio: torch.Tensor
    bias: torch.Tensor
    written: torch.Tensor


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    vocabulary = load_vocabulary(options.data / "vocabulary.json")
    model = untrained(vocabulary)
    read_back(model, vocabulary, options.start)
    batches = Batches(Clips(options.data), vocabulary, model.shape, options.seed)
    batches.learn(lesson_at(1))
    windows = batches.windows
    speech = listen(model, batches.endless(BATCH_POSITIONS, windows.with_speech), options.windows)
    others = listen(model, batches.endless(BATCH_POSITIONS, windows.without_speech), options.noises)
    if options.resume is not None:
        model.load_state_dict(torch.load(options.resume))
    options.out.mkdir(parents=True, exist_ok=True)
    train(model, speech, others, options)
    torch.save(model.state_dict(), options.out / "decoder.pt")
    write_weights(model, vocabulary, options.out)


@torch.no_grad()
def listen(model: Ears, batches: Iterator[Batch], windows: int) -> list[Heard]:
    """Batches of so many windows in all."""
    heard, count = [], 0
    for batch in batches:
        with fast_products("cpu"):
            audio, bias = model.hear(batch.features, batch.places, batch.others)
            written = model.write(batch.ids, batch.wanted, audio, bias)
        heard.append(Heard(batch._replace(features=batch.features[:0]), audio.half(), bias, written.log_softmax(1).half()))
        count += len(audio)
        if len(heard) % SHOW_EVERY_STEPS == 0:
            print(f"{count} windows  {time.thread_time() / 60:.1f} min of CPU", flush=True)
        if count >= windows:
            return heard


def train(model: Ears, speech: list[Heard], others: list[Heard], options: argparse.Namespace) -> None:
    trained = [p for part in (model.decoder, model.ln, model.marks) for p in part.parameters()]
    model.requires_grad_(False)
    for parameter in trained:
        parameter.requires_grad_(True)
    adam = torch.optim.Adam(trained, betas=(0.9, 0.98))
    shown, chance = [], random.Random(options.seed)
    ending: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    for step in range(options.steps):
        if ending:
            break
        loss, parts = loss_of(model, drawn(speech, step, chance), drawn(others, step, chance), options.kept)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        for group in adam.param_groups:
            group["lr"] = options.rate * min((step + 1) / WARM_UP_STEPS, 1 - step / options.steps)
        adam.step()
        adam.zero_grad(set_to_none=True)
        shown.append(parts)
        if (step + 1) % SHOW_EVERY_STEPS == 0:
            means = torch.stack(shown).mean(0).tolist()
            described = "  ".join(f"{name} {mean:.4f}" for name, mean in zip(SHOWN_PARTS, means))
            print(f"{step + 1} of {options.steps}  {described}  {time.thread_time() / 60:.1f} min of CPU", flush=True)
            shown = []


def drawn(heard: list[Heard], step: int, chance: random.Random) -> Heard:
    """Each of them once, and then all again in another order."""
    if step % len(heard) == 0:
        chance.shuffle(heard)
    return heard[step % len(heard)]


def loss_of(model: Ears, speech: Heard, others: Heard, kept_weight: float) -> tuple[torch.Tensor, torch.Tensor]:
    """What is made smaller, and its parts for showing: SHOWN_PARTS."""
    logits = write(model, speech)
    kept = F.kl_div(logits.log_softmax(1), speech.written.float(), reduction="none", log_target=True).sum(1).mean()
    text = F.cross_entropy(logits, speech.batch.targets)
    looks = looks_of(model, speech.batch)
    logits = write(model, others)
    silence = F.cross_entropy(logits, others.batch.targets)
    right = (logits.argmax(1) == others.batch.targets).float().mean()
    loss = kept_weight * kept + text + LOOKS_WEIGHT * looks + SILENCE_WEIGHT * silence
    return loss, torch.stack([kept, text, silence, right]).detach()


def write(model: Ears, heard: Heard) -> torch.Tensor:
    with fast_products("cpu"):
        return model.write(heard.batch.ids, heard.batch.wanted, heard.audio.float(), heard.bias)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that synthesise.py wrote")
    parser.add_argument("--start", type=Path, required=True, help="file that export.ts wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--windows", type=int, default=3000, help="with speech that are listened to")
    parser.add_argument("--noises", type=int, default=8000, help="windows without speech")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--kept", type=float, default=2.0, help="weight of what was written at first; that of the transcripts is 1")
    parser.add_argument("--resume", type=Path, help="decoder.pt to go on from")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
