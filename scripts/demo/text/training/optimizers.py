"""Muon for the matrices of the demo model and AdamW for the rest, which is how all of its trainings from files of tokens learn."""

import torch
from torch import nn

from muon import Muon


class Optimizers:
    def __init__(self, model: nn.Module, fused: bool = False):
        """fused: AdamW in one kernel, which a GPU has."""
        self.model = model
        self.muon = Muon([p for name, p in model.named_parameters() if p.ndim == 2 and "embedding" not in name])
        self.others = [p for name, p in model.named_parameters() if p.ndim == 1 or "embedding" in name]
        self.adam = torch.optim.AdamW(self.others, lr=1.0, betas=(0.9, 0.95), weight_decay=0.0, fused=fused)

    def step(self, rate: float) -> None:
        """By the gradients that are there, which are gone then; rate: share of the full learning rates."""
        torch.nn.utils.clip_grad_norm_(self.others, 1.0)
        self.muon.step(0.02 * rate)
        for group in self.adam.param_groups:
            group["lr"] = 0.003 * rate
        self.adam.step()
        self.model.zero_grad(set_to_none=True)
