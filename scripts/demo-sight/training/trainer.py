"""What both lessons share: the optimizers, and the end in time."""

import os
import time
from pathlib import Path
from typing import Iterable

import torch
from torch import Tensor, nn

from text_model import Path as _Path  # noqa: F401  (puts the demo model's folder on the path)
from muon import Muon  # noqa: E402

WARM_UP_STEPS = 50


class Trainer:
    """`minutes`: how long the run is, by the clock; its rate falls to 0 over the last `decay` of it."""

    def __init__(self, parts: Iterable[tuple[nn.Module, float]], minutes: float, decay: float):
        self.groups = []
        for module, rate in parts:
            matrices = [p for name, p in module.named_parameters() if p.ndim == 2 and is_inner(name)]
            others = [p for name, p in module.named_parameters() if p.ndim != 2 or not is_inner(name)]
            self.groups.append((rate, Muon(matrices), torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.95), weight_decay=0.0), others))
        self.minutes, self.decay = minutes, decay
        self.started, self.steps = time.monotonic(), 0

    def progress(self) -> float:
        return (time.monotonic() - self.started) / (60 * self.minutes)

    def step(self, loss: Tensor) -> None:
        loss.backward()
        share = min(1.0, (self.steps + 1) / WARM_UP_STEPS, max(0.0, 1 - self.progress()) / self.decay)
        for rate, muon, adam, others in self.groups:
            torch.nn.utils.clip_grad_norm_(others, 1.0)
            muon.step(0.02 * rate * share)
            for group in adam.param_groups:
                group["lr"] = 0.003 * rate * share
            adam.step()
            adam.zero_grad(set_to_none=True)
            for stack in muon.stacks:
                for matrix in stack:
                    matrix.grad = None
        self.steps += 1


def is_inner(name: str) -> bool:
    return not any(part in name for part in ("embedding", "positions", "registers"))


def save(state: dict[str, dict[str, Tensor]], path: Path) -> None:
    torch.save(state, path.with_suffix(".tmp"))
    os.replace(path.with_suffix(".tmp"), path)
