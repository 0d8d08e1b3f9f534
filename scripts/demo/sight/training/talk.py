"""The second lesson: to answer questions about pictures, in the text model's words.

The encoder and the text model learn together, with the demo model's own conversations in between, so that it forgets
nothing. With --captions the text model learns alone, from true captions in place of pictures. Writes talk.pt into
--out: the encoder, and the mean of the text model's weights over the last steps.
"""

import argparse
import sys
from pathlib import Path
from random import Random

import torch
import torch.nn.functional as F
from torch import Tensor

from text_model import load_text_model
from ahead import ahead
from batches import Examples
from conversations import PICTURE, Batch, Conversations
from eyes import Eyes, Shape
from labels import caption_of
from look import WORD_LENGTH, embeddings_of
from model import DemoModel
from products import fast_products
from pool import Pool
from trainer import Trainer, save
from weights import load_eyes, mean_of

LONGEST = 2048
# Whose questions are learned first: most of them are left out.
EASY_KINDS = ("number", "letter")
# Of the pictures, where the encoder does not learn here: so many are shown by their true captions, unless --told says otherwise.
TOLD_SHARE = 0.4
SHOW_EVERY_STEPS = 20
SAVE_EVERY_STEPS = 50
# The weights that are written are the mean over about so many steps: 0.22 of loss where those of a single step have 0.37.
MEAN_STEPS = 150


def answer_logits(text: DemoModel, batch: Batch, projected: Tensor) -> Tensor:
    """Logits at the wanted positions; `projected`: batch × positions × size, what stands in for each picture."""
    is_picture = batch.ids == PICTURE
    x = text.embedding(batch.ids.clamp(min=0))
    x = x.masked_scatter(is_picture[..., None], projected.to(x.dtype))
    length = x.shape[1]
    for block in text.blocks:
        x = block(x, text.rotation[:length], text.mask[:length, :length])
    return F.linear(text.output_norm(x.flatten(0, 1)[batch.wanted]), text.embedding.weight)


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    text, tokenizer = load_text_model(options.text, LONGEST)
    words = F.normalize(embeddings_of(text.embedding.weight.detach(), tokenizer), dim=-1) * WORD_LENGTH
    eyes = Eyes(Shape(text.shape.hidden_size)) if options.projector is None else load_eyes(options.projector, text.shape.hidden_size)
    take_eyes(eyes, options)
    if options.resume is not None:
        text.load_state_dict(mean_of([torch.load(path)["text"] for path in options.resume]))
    replay = Examples([options.replay]).batches(options.replay_tokens, LONGEST, options.seed)
    eyes.requires_grad_(options.rate > 0)
    seeing = [(eyes, options.rate)] if options.rate > 0 and not options.captions else []
    talking = [(text, options.text_rate)]
    trainer = Trainer(seeing + talking * options.muon, talking * (not options.muon), options.minutes, options.decay)
    options.out.mkdir(parents=True, exist_ok=True)
    conversations = Conversations(tokenizer, options.seed)
    shown: list[Tensor] = []
    mean = {name: weights.clone() for name, weights in text.state_dict().items()}

    def batches():
        random = Random(options.seed)
        for pictures, scenes in Pool(options.drawings).batches(2 * options.batch, random):
            hard_first = sorted(range(len(scenes)), key=lambda at: scenes[at].kind in EASY_KINDS and random.random() < 0.7)
            taken = hard_first[:options.batch]
            scenes = [scenes[at] for at in taken]
            yield pictures[taken], scenes, conversations.batch(scenes, options.questions)

    def save_all() -> None:
        save({"text": mean, "eyes": eyes.state_dict()}, options.out / "talk.pt")

    for pictures, scenes, batch in ahead(batches(), 4):
        if trainer.progress() >= 1:
            break
        captions = torch.tensor([caption_of(scene) for scene in scenes])
        with fast_products("cpu"):
            projected = words[captions] if options.captions else eyes(pictures)[0].float()
            if options.rate == 0:
                is_told = torch.rand(len(projected), 1, 1) < options.told
                projected = torch.where(is_told, words[captions], projected)
            logits = answer_logits(text, batch, projected)
        said = F.cross_entropy(logits.float(), batch.targets)
        right = (logits.argmax(-1) == batch.targets).float().mean()
        # The encoder goes on with what it has learned to tell.
        near = (projected.float() - words[captions]).square().sum(-1).mean() / WORD_LENGTH**2
        loss = said + options.near * near
        kept = torch.zeros(())
        if options.replay_tokens > 0:
            old = next(replay)
            with fast_products("cpu"):
                kept = F.cross_entropy(text(old.ids, old.wanted).float(), old.targets)
            loss = loss + kept
        trainer.step(loss)
        for name, weights in text.state_dict().items():
            mean[name].lerp_(weights, 1 / min(trainer.steps, MEAN_STEPS))
        shown.append(torch.stack([said, right, near, kept]).detach())
        if trainer.steps % SHOW_EVERY_STEPS == 0:
            means = "  ".join(f"{mean:.4f}" for mean in torch.stack(shown).mean(0).tolist())
            print(f"{trainer.steps} {trainer.progress():.1%}: said, right, near, kept {means}", flush=True)
            shown = []
        if trainer.steps % SAVE_EVERY_STEPS == 0:
            save_all()
            if options.rate == 0:
                take_eyes(eyes, options)
    save_all()


def take_eyes(eyes: Eyes, options: argparse.Namespace) -> None:
    if options.eyes is not None:
        eyes.load_state_dict(torch.load(options.eyes)["eyes"])


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawings", type=Path, required=True, help="folder that draw.py wrote, or still writes")
    parser.add_argument("--replay", type=Path, required=True, help="folder that the demo model's prepare.ts wrote")
    parser.add_argument("--text", type=Path, required=True, help="the text model: models/hearth-demo.gguf")
    parser.add_argument("--eyes", type=Path, help="eyes.pt of the first lesson")
    parser.add_argument("--projector", type=Path, help="models/hearth-demo.mmproj.gguf: sight as it is, with --rate 0")
    parser.add_argument("--resume", type=Path, nargs="+", help="talk.pt of a text model that knows captions; of several, the mean")
    parser.add_argument("--captions", action="store_true", help="true captions in place of pictures")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--decay", type=float, default=0.7, help="share of the run in which the rate falls to 0")
    parser.add_argument("--batch", type=int, default=32, help="pictures per step")
    parser.add_argument("--questions", type=int, default=3, help="about each picture, at most")
    parser.add_argument("--replay-tokens", type=int, default=2048, help="of the demo model's conversations, per step")
    parser.add_argument("--rate", type=float, default=0.5, help="scale of the encoder's learning rates; 0: it is taken as look.py goes on writing it")
    parser.add_argument("--text-rate", type=float, default=0.1, help="scale of the text model's learning rates")
    parser.add_argument("--muon", action="store_true", help="the text model learns by Muon: fast, for much that is new")
    parser.add_argument("--told", type=float, default=TOLD_SHARE, help="with --rate 0: share of the pictures shown by their true captions")
    parser.add_argument("--near", type=float, default=0.3, help="weight of the first lesson")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
