"""What training makes smaller."""

import torch
import torch.nn.functional as F
from torch import Tensor

from batches import Batch
from lessons import Lesson
from model import Ears
from products import fast_products

shown_parts = ("text", "right", "phones", "looks")
LOOKS_WEIGHT = 0.3
# A head may be this many positions (20 ms) off.
LOOKS_MARGIN = 10


def loss_of(model: Ears, batch: Batch, lesson: Lesson, phones_are_new: bool = False) -> tuple[Tensor, Tensor]:
    """What is made smaller, and its parts for showing: transcripts, right tokens, phones, and where was listened.

    phones_are_new: what the phones are told by learns alone; the encoder does not follow it yet.
    """
    with fast_products("cpu"):
        audio, bias = model.hear(batch.features, batch.places, batch.others)
        length = batch.features.shape[1] // 2
        sounds = audio[:, :length]
        phones = model.phone_head(sounds.detach() if phones_are_new else sounds)
        logits = model.write(batch.ids, batch.wanted, audio, bias)
    text = F.cross_entropy(logits, batch.targets)
    right = (logits.argmax(1) == batch.targets).float().mean()
    log_probs = F.log_softmax(phones.float(), -1)
    heard = phones_loss(log_probs, batch)
    # Guessed places of the phones, with which the search for the true ones starts.
    guess = F.nll_loss(log_probs.flatten(0, 1), batch.phones_at.flatten())
    looks = looks_of(model, batch)
    loss = text + lesson.phones * heard + LOOKS_WEIGHT * looks + lesson.guess * guess
    return loss, torch.stack([text, right, heard, looks]).detach()


def looks_of(model: Ears, batch: Batch) -> Tensor:
    """The first decoder block looks for what was written last, the others for what comes next."""
    first, *later = [block.cross_attn.shares for block in model.decoder]
    return astray(first, batch.read_at) + sum(astray(each, batch.written_at) for each in later)


def phones_loss(log_probs: Tensor, batch: Batch) -> Tensor:
    """CTC, per phone. Windows without phones are left out: silence, and what is cut within a sentence."""
    lengths = torch.full_like(batch.phone_counts, log_probs.shape[1])
    arguments = log_probs.transpose(0, 1), batch.phones, lengths, batch.phone_counts
    each = F.ctc_loss(*arguments, reduction="none", zero_infinity=True)
    return each[batch.phone_counts > 0].sum() / batch.phone_counts.sum().clamp(min=1)


def astray(shares: Tensor, spans: Tensor) -> Tensor:
    """How far the attention is from where the tokens were said: −log of the share that is near."""
    at = torch.arange(shares.shape[2])
    near = (at >= spans[..., :1] - LOOKS_MARGIN) & (at <= spans[..., 1:] + LOOKS_MARGIN)
    known = spans[..., 0] >= 0
    if not known.any():
        return shares.new_zeros(())
    return -torch.log((shares * near).sum(-1)[known] + 1e-3).mean()
