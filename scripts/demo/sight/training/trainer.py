"""What both lessons share: the optimizers, and the end in time."""

import os
import time
from pathlib import Path
from typing import Callable, Iterable

import torch
from torch import Tensor, nn

import text_model  # noqa: F401  Puts the folder of the demo model's training on the path.
from muon import Muon

WARM_UP_STEPS = 50


class Trainer:
    """`minutes`: how long the run is, by the clock; its rate falls to 0 over the last `decay` of it.

    `finished` are parts that were trained before: they learn by AdamW alone, since Muon changes a matrix in every
    direction alike, also where it is right already.
    """

    def __init__(self, parts: Iterable[tuple[nn.Module, float]], finished: Iterable[tuple[nn.Module, float]], minutes: float, decay: float):
        self.groups = [self.group(module, rate, is_inner) for module, rate in parts]
        self.groups += [self.group(module, rate, lambda _: False) for module, rate in finished]
        self.minutes, self.decay = minutes, decay
        self.started, self.steps = time.monotonic(), 0

    @staticmethod
    def group(module: nn.Module, rate: float, is_for_muon: Callable[[str], bool]) -> tuple[float, Muon, torch.optim.AdamW, list[nn.Parameter]]:
        matrices = [p for name, p in module.named_parameters() if p.ndim == 2 and is_for_muon(name)]
        others = [p for name, p in module.named_parameters() if p.ndim != 2 or not is_for_muon(name)]
        return rate, Muon(matrices), torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.95), weight_decay=0.0), others

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
