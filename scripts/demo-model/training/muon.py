"""The Muon optimizer (https://kellerjordan.github.io/posts/muon/): momentum made orthogonal, for matrices."""

from typing import Iterable

import torch
from torch import Tensor, nn


class Muon:
    """Steps for weight matrices; `rate` is the size of a step relative to the matrix's own scale."""

    def __init__(self, matrices: Iterable[nn.Parameter], momentum: float = 0.95, decay: float = 0.05):
        self.matrices = list(matrices)
        self.momentum = momentum
        self.decay = decay
        self.velocities = [torch.zeros_like(matrix) for matrix in self.matrices]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        for matrix, velocity in zip(self.matrices, self.velocities):
            if matrix.grad is None:
                continue
            velocity.lerp_(matrix.grad, 1 - self.momentum)
            ahead = matrix.grad.lerp(velocity, self.momentum)
            rows, columns = matrix.shape
            matrix.mul_(1 - rate * self.decay)
            matrix.add_(orthogonalise(ahead), alpha=-rate * max(1.0, rows / columns) ** 0.5)

    def state_dict(self) -> dict[str, list[Tensor]]:
        return {"velocities": self.velocities}

    def load_state_dict(self, state: dict[str, list[Tensor]]) -> None:
        for velocity, stored in zip(self.velocities, state["velocities"]):
            velocity.copy_(stored)


def orthogonalise(gradient: Tensor, rounds: int = 5) -> Tensor:
    """Nearly the closest orthogonal matrix, by a quintic Newton-Schulz iteration in bfloat16."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = gradient.bfloat16()
    if x.shape[0] > x.shape[1]:
        return orthogonalise(gradient.T, rounds).T
    x = x / (x.norm() + 1e-7)
    for _ in range(rounds):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.to(gradient.dtype)
