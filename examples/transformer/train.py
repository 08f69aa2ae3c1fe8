"""Train a small GPT on random tokens."""

import argparse

import torch
import torch.nn.functional as F
from model import GPT

VOCABULARY = 1000
CONTEXT = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    model = GPT(vocabulary=VOCABULARY, context=CONTEXT).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.steps)

    model.train()
    for step in range(args.steps):
        ids = torch.randint(VOCABULARY, (args.batch_size, CONTEXT + 1), device=device)
        inputs, targets = ids[:, :-1], ids[:, 1:]

        logits = model(inputs)
        loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), targets.reshape(-1))

        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        schedule.step()

        if step % 10 == 0:
            print(f"step {step:3d}  loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
