"""Trains the decoder of a file that export.ts wrote on, which takes a tenth of the time of all of it.

The encoder stays as it is, so what it hears in each window is computed once. Writes weights.bin and shape.json (for
export.ts) into --out, and decoder.pt (to go on from). SIGTERM ends it after the step.
"""

import argparse
import random
import signal
import sys
import time
from pathlib import Path

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


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    vocabulary = load_vocabulary(options.data / "vocabulary.json")
    model = untrained(vocabulary)
    read_back(model, options.start)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    if options.resume is not None:
        model.load_state_dict(torch.load(options.resume))
    options.out.mkdir(parents=True, exist_ok=True)
    batches = Batches(Clips(options.data), vocabulary, model.shape, options.seed)
    batches.learn(lesson_at(1))
    train(model, listen(model, batches, options.windows), options)
    torch.save(model.state_dict(), options.out / "decoder.pt")
    model.load_state_dict({name: torch.lerp(before[name], tensor, options.share) for name, tensor in model.state_dict().items()})
    write_weights(model, vocabulary, options.out)


@torch.no_grad()
def listen(model: Ears, batches: Batches, windows: int) -> list[tuple[Batch, torch.Tensor, torch.Tensor]]:
    """Batches of so many windows in all, each with what the encoder hears in it and the bias for attending to that."""
    heard, count = [], 0
    for batch in batches.endless(BATCH_POSITIONS):
        with fast_products("cpu"):
            audio, bias = model.hear(batch.features, batch.places, batch.others)
        heard.append((batch._replace(features=batch.features[:0]), audio.half(), bias))
        count += len(audio)
        if len(heard) % SHOW_EVERY_STEPS == 0:
            print(f"{count} windows  {time.thread_time() / 60:.1f} min of CPU", flush=True)
        if count >= windows:
            return heard


def train(model: Ears, heard: list[tuple[Batch, torch.Tensor, torch.Tensor]], options: argparse.Namespace) -> None:
    trained = [p for part in (model.decoder, model.ln, model.marks) for p in part.parameters()]
    model.requires_grad_(False)
    for parameter in trained:
        parameter.requires_grad_(True)
    adam = torch.optim.Adam(trained, betas=(0.9, 0.98))
    steps, shown, chance = options.rounds * len(heard), [], random.Random(options.seed)
    ending: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    for step in range(steps):
        if ending:
            break
        if step % len(heard) == 0:
            chance.shuffle(heard)
        batch, audio, bias = heard[step % len(heard)]
        with fast_products("cpu"):
            logits = model.write(batch.ids, batch.wanted, audio.float(), bias)
        text = F.cross_entropy(logits, batch.targets)
        (text + LOOKS_WEIGHT * looks_of(model, batch)).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        for group in adam.param_groups:
            group["lr"] = options.rate * min((step + 1) / WARM_UP_STEPS, 1 - step / steps)
        adam.step()
        adam.zero_grad(set_to_none=True)
        no_speech = batch.targets == model.shape.no_speech
        right = logits.argmax(1) == batch.targets
        shown.append(torch.stack([text.detach(), right.float().mean(), right[no_speech].float().mean()]))
        if (step + 1) % SHOW_EVERY_STEPS == 0:
            means = torch.stack(shown).nanmean(0).tolist()
            described = "  ".join(f"{name} {mean:.3f}" for name, mean in zip(("text", "right", "no speech"), means))
            print(f"{step + 1} of {steps}  {described}  {time.thread_time() / 60:.1f} min of CPU", flush=True)
            shown = []


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that synthesise.py wrote")
    parser.add_argument("--start", type=Path, required=True, help="file that export.ts wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--windows", type=int, default=6000, help="that are listened to")
    parser.add_argument("--rounds", type=int, default=4, help="how often each of them is learned from")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--resume", type=Path, help="decoder.pt to go on from")
    parser.add_argument("--share", type=float, default=1.0, help="of what was trained in weights.bin; the rest is --start")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
