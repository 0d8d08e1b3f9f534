"""The first lesson: the encoder learns to caption pictures, in positions that mean the same in every picture.

Each position has to be near the text model's embedding of its word. Writes eyes.pt into --out.
"""

import argparse
from pathlib import Path
from random import Random

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from text_model import load_text_model, Tokenizer
from ahead import ahead
from eyes import Eyes, Shape
from labels import COLOURS, INDEX, LABELS, NONE, SPOTS, SPOT_INDEX, SUBJECTS, caption_of, spots_of, subject_of
from pool import Pool
from products import fast_products
from trainer import Trainer, save

SHOW_EVERY_STEPS = 50
SAVE_EVERY_STEPS = 100
# Of the text model's embeddings, nearly.
WORD_LENGTH = 2.6


class Lesson(nn.Module):
    """What is needed for the lesson only."""

    def __init__(self, shape: Shape, words: Tensor):
        super().__init__()
        self.register_buffer("words", F.normalize(words, dim=-1), persistent=False)
        self.scale = nn.Parameter(torch.tensor([4.0]))
        self.spots = nn.Linear(shape.hidden, len(SPOTS))
        self.colours = nn.Linear(shape.hidden, len(COLOURS))
        self.subject = nn.Linear(shape.hidden, len(SUBJECTS))
        # Most places of captions and most patches have nothing to say.
        self.register_buffer("told_weight", torch.ones(len(LABELS)).index_fill(0, torch.tensor([INDEX[NONE]]), 0.3), persistent=False)
        self.register_buffer("spot_weight", torch.ones(len(SPOTS)).index_fill(0, torch.tensor([SPOT_INDEX[NONE]]), 0.2), persistent=False)

    def forward(
        self, projected: Tensor, encoded: Tensor, captions: Tensor, subjects: Tensor, spots: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """subjects: what the pictures are of; spots: rows of flat patch, what is there, colour.

        What comes back: the loss, what is shown of it, which words of the captions are right.
        """
        logits = projected.float() @ self.words.T * self.scale
        told = F.cross_entropy(logits.flatten(0, 1), captions.flatten(), self.told_weight)
        near = (projected.float() - self.words[captions] * WORD_LENGTH).square().sum(-1).mean() / WORD_LENGTH**2
        right = (logits.argmax(-1) == captions).float()
        patches = encoded.flatten(0, 1).float()
        targets = torch.zeros(len(patches), dtype=torch.long)
        targets[spots[:, 0]] = spots[:, 1]
        found = F.cross_entropy(self.spots(patches), targets, self.spot_weight)
        found = found + F.cross_entropy(self.colours(patches[spots[:, 0]]), spots[:, 2])
        known = F.cross_entropy(self.subject(encoded.float().mean(1)), subjects)
        parts = torch.stack([told, near, found, known, right.mean(), right.all(-1).float().mean()])
        return told + 0.5 * near + 0.15 * found + 0.3 * known, parts.detach(), right


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    text, tokenizer = load_text_model(options.text, 256)
    shape = Shape(text.shape.hidden_size)
    eyes, lesson = Eyes(shape), Lesson(shape, embeddings_of(text.embedding.weight.detach(), tokenizer))
    if options.resume is not None:
        state = torch.load(options.resume)
        eyes.load_state_dict(state["eyes"])
        lesson.load_state_dict(state["lesson"], strict=False)
    trainer = Trainer([(eyes, options.rate), (lesson, options.rate)], [], options.minutes, options.decay)
    options.out.mkdir(parents=True, exist_ok=True)
    shown: list[Tensor] = []
    kinds: dict[str, list[float]] = {}
    for pictures, scenes in ahead(Pool(options.drawings).batches(options.batch, Random(options.seed)), 4):
        if trainer.progress() >= 1:
            break
        captions = torch.tensor([caption_of(scene) for scene in scenes])
        patches = shape.patches**2
        spots = [(at * patches + patch, what, colour) for at, scene in enumerate(scenes)
                 for patch, what, colour in spots_of(scene, shape.patches)]
        with fast_products("cpu"):
            projected, encoded = eyes(pictures)
        loss, parts, right = lesson(projected, encoded, captions, torch.tensor([subject_of(scene) for scene in scenes]), torch.tensor(spots))
        trainer.step(loss)
        shown.append(parts)
        for scene, correct in zip(scenes, right.all(-1).tolist()):
            kinds.setdefault(scene.kind, []).append(correct)
        if trainer.steps % SHOW_EVERY_STEPS == 0:
            means = "  ".join(f"{mean:.3f}" for mean in torch.stack(shown).mean(0).tolist())
            scores = " ".join(f"{kind} {sum(rights) / len(rights):.2f}" for kind, rights in sorted(kinds.items()))
            print(f"{trainer.steps} {trainer.progress():.1%}: told, near, found, known, words, captions {means}  {scores}", flush=True)
            shown, kinds = [], {}
        if trainer.steps % SAVE_EVERY_STEPS == 0:
            save({"eyes": eyes.state_dict(), "lesson": lesson.state_dict()}, options.out / "eyes.pt")
    save({"eyes": eyes.state_dict(), "lesson": lesson.state_dict()}, options.out / "eyes.pt")


def embeddings_of(embedding: Tensor, tokenizer: Tokenizer) -> Tensor:
    return torch.stack([embedding[tokenizer.encode(f" {label}")].mean(0) for label in LABELS])


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawings", type=Path, required=True, help="folder that draw.py wrote, or still writes")
    parser.add_argument("--text", type=Path, required=True, help="the text model: models/hearth-demo.gguf")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--decay", type=float, default=0.5, help="share of the run in which the rate falls to 0")
    parser.add_argument("--batch", type=int, default=96, help="pictures per step")
    parser.add_argument("--rate", type=float, default=1.0, help="scale of the learning rates")
    parser.add_argument("--resume", type=Path, help="eyes.pt to go on from")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
