"""Train with the providers of a Skyline entry point."""

import argparse

import torch
from entry_point import (
    skyline_input_provider,
    skyline_iteration_provider,
    skyline_model_provider,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()

    torch.manual_seed(0)
    model = skyline_model_provider()
    iteration = skyline_iteration_provider(model)
    for step in range(args.steps):
        inputs = skyline_input_provider(batch_size=args.batch_size)
        iteration(*inputs)
        if step % 4 == 0:
            print(f"step {step:3d}")


if __name__ == "__main__":
    main()
